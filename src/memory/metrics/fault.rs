//! Page faults: what was needed when an answer was made and was not in the window. The other side of what is saved.

use std::ops::AddAssign;

use crate::memory::{Change, ChangeKind, EffortId, Memory, Tier};

/// How often something was needed and not there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults {
    /// Searches that found what was not in the window in full, and logs that were opened.
    pub looked_up: u64,
    /// Mentions of an effort that had left, which recall had not brought back for the answer.
    pub missed: u64,
    /// Answers that knew nothing of what was there to be found.
    pub unanswered: u64,
}

/// What is known of a turn when it has ended.
#[derive(Debug, Clone, Copy)]
pub struct Needed<'a> {
    /// Searches and expansions since the answer before.
    pub looked_up: u64,
    /// What memory did at its end.
    pub changes: &'a [Change],
    /// The efforts of which something was recalled for its message.
    pub recalled: &'a [&'a EffortId],
    /// The reply.
    pub reply: &'a str,
    /// Whether what was said before holds something for its message that the window did not.
    pub is_findable: bool,
}

/// How answers begin that know nothing.
const UNKNOWN: [&str; 18] = [
    "i don't know",
    "i do not know",
    "i don't have",
    "i do not have",
    "i have no record",
    "i have no information",
    "i don't recall",
    "i do not recall",
    "i don't remember",
    "i can't recall",
    "i can't find",
    "i cannot find",
    "we haven't talked about",
    "we have not talked about",
    "nothing was said about",
    "das weiß ich nicht",
    "ich weiß nicht",
    "je ne sais pas",
];

/// Characters at the beginning of a reply in which it says that it knows nothing.
const BEGINNING: usize = 200;

impl Faults {
    /// As they are stored, in the order of the fields; `None` if there are none.
    pub fn stored(self) -> Option<[u64; 3]> {
        let Self { looked_up, missed, unanswered } = self;
        (self.total() > 0).then_some([looked_up, missed, unanswered])
    }

    /// From how they are stored.
    pub fn from_stored([looked_up, missed, unanswered]: [u64; 3]) -> Self {
        Self { looked_up, missed, unanswered }
    }

    /// The faults of a turn.
    pub fn of(needed: &Needed<'_>) -> Self {
        let missed = needed.changes.iter().filter(|change| {
            let effort = change.effort().filter(|_| change.kind == ChangeKind::SummaryReturned);
            effort.is_some_and(|id| !needed.recalled.contains(&id))
        });
        Self {
            looked_up: needed.looked_up,
            missed: missed.count() as u64,
            unanswered: u64::from(needed.is_findable && knows_nothing(needed.reply)),
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.looked_up + self.missed + self.unanswered
    }
}

impl AddAssign for Faults {
    fn add_assign(&mut self, more: Self) {
        self.looked_up += more.looked_up;
        self.missed += more.missed;
        self.unanswered += more.unanswered;
    }
}

/// Whether a reply begins by saying that it does not know.
pub fn knows_nothing(reply: &str) -> bool {
    let beginning: String = reply.chars().take(BEGINNING).collect();
    let beginning = beginning.to_lowercase().replace('\u{2019}', "'");
    UNKNOWN.iter().any(|words| beginning.contains(words))
}

impl Memory {
    /// Counts what a turn missed.
    pub fn count_faults(&mut self, faults: Faults) {
        self.metrics.faults += faults;
    }

    /// Whether an effort is there with its summary at most.
    pub fn is_away(&self, id: &EffortId) -> bool {
        self.effort(id)
            .is_some_and(|effort| matches!(self.tier(effort), Tier::Warm | Tier::Evicted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{Subject, Tokens, Turn};

    fn change(kind: ChangeKind, id: &EffortId) -> Change {
        let subject = Subject::Effort(id.clone());
        Change::new(Turn(1), kind, subject, "", (Tokens(0), Tokens(0)))
    }

    fn faults(kind: ChangeKind, recalled: &[&EffortId], reply: &str, is_findable: bool) -> Faults {
        let changes = [change(kind, &EffortId::stored("tea"))];
        Faults::of(&Needed { looked_up: 2, changes: &changes, recalled, reply, is_findable })
    }

    #[test]
    fn what_came_back_only_after_the_answer_was_missed() {
        let (tea, bread) = (EffortId::stored("tea"), EffortId::stored("bread"));
        let returned = ChangeKind::SummaryReturned;
        assert_eq!(faults(returned, &[], "Yes.", true).missed, 1);
        assert_eq!(faults(returned, &[&bread], "Yes.", true).missed, 1);
        assert_eq!(faults(returned, &[&tea], "Yes.", true).missed, 0);
        let gone = faults(ChangeKind::SummaryEvicted, &[], "Yes.", true);
        assert_eq!(gone, Faults { looked_up: 2, ..Faults::default() });
        assert_eq!(gone.total(), 2);
    }

    #[test]
    fn an_answer_that_knows_nothing_counts_where_something_is_to_be_found() {
        for (reply, is_findable, expected) in [
            ("I don\u{2019}t know which port that was.", true, 1),
            ("Sorry, I have no record of a port.", true, 1),
            ("Das weiß ich nicht.", true, 1),
            ("I don't know which port that was.", false, 0),
            ("Port 8080, as you said.", true, 0),
        ] {
            let faults = faults(ChangeKind::SummaryEvicted, &[], reply, is_findable);
            assert_eq!(faults.unanswered, expected, "{reply}");
        }
        assert!(!knows_nothing(&format!("{} I don't know.", "Port 8080. ".repeat(30))));
    }
}
