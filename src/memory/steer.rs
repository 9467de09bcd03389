//! What a person does with efforts by hand: pin, keep, send out now, word a summary anew. Memory's own rules
//! go on around it, and each step is a change like any other.

use std::sync::Arc;

use super::{
    ASKED_FOR, Change, ChangeKind, CloseSource, EffortId, Memory, Message, Rejected, Role, Status,
    Tier,
};
use crate::lines::one_line;

/// The cause of what a person sent out.
pub(super) const BY_HAND: &str = "sent out by hand";

impl Memory {
    /// Pins a concluded effort: what stands for it in the window, its summary or its log while that is expanded, has no
    /// countdown, and leaves at the ceiling only when nothing else is left to leave.
    ///
    /// # Errors
    /// Rejects an unknown or open effort and one that is pinned already.
    pub fn pin(&mut self, id: &str) -> Result<Change, Rejected> {
        let at = self.concluded_at(id)?;
        if self.efforts[at].pinned {
            return Err(Rejected::AlreadyPinned(self.efforts[at].id.clone()));
        }
        let before = self.before(at);
        let turn = self.current_turn();
        self.expiry.remove(&(self.efforts[at].last_referenced, at));
        self.efforts[at].pinned = true;
        self.count_from(at, turn, "pinned".into());
        if self.tier_at(at) == Tier::Evicted {
            self.evicted.retain(|&gone| gone != at);
            self.warm_up(at);
        }
        self.replan();
        Ok(self.change(at, ChangeKind::EffortPinned, ASKED_FOR.into(), before))
    }

    /// Lets a pinned effort go again: its countdown begins now.
    ///
    /// # Errors
    /// Rejects an unknown effort and one that is not pinned.
    pub fn unpin(&mut self, id: &str) -> Result<Change, Rejected> {
        let at = self.resolve(id)?;
        if !self.efforts[at].pinned {
            return Err(Rejected::NotPinned(self.efforts[at].id.clone()));
        }
        let before = self.before(at);
        let turn = self.current_turn();
        self.count_from(at, turn, "unpinned".into());
        self.efforts[at].pinned = false;
        if self.efforts[at].warm {
            self.expiry.insert((turn, at));
        }
        self.replan();
        Ok(self.change(at, ChangeKind::EffortUnpinned, ASKED_FOR.into(), before))
    }

    /// Resets the countdown of a concluded effort; an evicted summary comes back.
    ///
    /// # Errors
    /// Rejects an unknown or open effort.
    pub fn keep(&mut self, id: &str) -> Result<Change, Rejected> {
        let at = self.concluded_at(id)?;
        let before = self.before(at);
        let turn = self.current_turn();
        if let Some(returned) = self.touch(at, turn, "kept by hand") {
            return Ok(returned);
        }
        self.replan();
        Ok(self.change(at, ChangeKind::EffortKept, "kept by hand".into(), before))
    }

    /// Sends an effort out of the window now: a log collapses first. A search or a mention brings it back.
    ///
    /// # Errors
    /// Rejects an unknown, open or pinned effort and one that is not in the window.
    pub fn evict_now(&mut self, id: &str) -> Result<Vec<Change>, Rejected> {
        let at = self.concluded_at(id)?;
        let effort = &self.efforts[at];
        if effort.pinned {
            return Err(Rejected::Pinned(effort.id.clone()));
        }
        let mut changes = Vec::with_capacity(2);
        match self.tier_at(at) {
            Tier::Active | Tier::Open | Tier::Warm => {}
            Tier::Expanded => {
                self.metrics.manual_collapses += 1;
                changes.push(self.end_expansion(at, ChangeKind::EffortCollapsed, BY_HAND.into()));
            }
            Tier::Evicted => return Err(Rejected::NotInWindow(effort.id.clone())),
        }
        changes.push(self.evict(at, BY_HAND.to_owned()));
        Ok(changes)
    }

    /// Words a summary anew. The journal keeps the old one. `cause` says who did it.
    ///
    /// # Errors
    /// Rejects an unknown or open effort and a summary that is empty or the same.
    pub fn edit_summary(
        &mut self,
        id: &str,
        summary: &str,
        cause: &str,
    ) -> Result<Change, Rejected> {
        let at = self.concluded_at(id)?;
        let summary = one_line(summary);
        let id = self.efforts[at].id.clone();
        if summary.is_empty() {
            return Err(Rejected::EmptySummary(id));
        }
        if self.efforts[at].summary().as_deref() == Some(&*summary) {
            return Err(Rejected::SameSummary(id));
        }
        Ok(self.replace_summary(at, Some(summary.into()), cause))
    }

    /// Gives a concluded effort another summary; none at all is what another program may have left.
    pub(super) fn replace_summary(
        &mut self,
        at: usize,
        summary: Option<Arc<str>>,
        cause: &str,
    ) -> Change {
        let before = self.before(at);
        let id = self.efforts[at].id.clone();
        self.index.insert(at, id.as_str(), summary.as_deref().unwrap_or_default());
        let was_warm = self.efforts[at].warm;
        self.cool_down(at);
        self.efforts[at].summary = summary.map(Into::into);
        self.efforts[at].line_tokens = None;
        self.efforts[at].line_tokens = Some(self.summary_cost(&self.efforts[at]));
        if was_warm {
            self.warm_up(at);
        }
        self.replan();
        self.change(at, ChangeKind::SummaryEdited, cause.to_owned(), before)
    }

    fn concluded_at(&self, id: &str) -> Result<usize, Rejected> {
        let at = self.resolve(id)?;
        match self.efforts[at].status {
            Status::Concluded => Ok(at),
            Status::Open => Err(Rejected::StillOpen(self.efforts[at].id.clone())),
        }
    }

    /// What is summarised anew: the raw log of a concluded effort, never its summary.
    ///
    /// # Errors
    /// Rejects an unknown or open effort.
    pub fn raw_source(
        &self,
        id: &str,
        raw: Vec<(Role, Arc<str>)>,
    ) -> Result<CloseSource, Rejected> {
        let at = self.concluded_at(id)?;
        let messages: Vec<Message> =
            raw.into_iter().map(|(role, content)| self.message(role, content)).collect();
        let tokens = messages.iter().map(|message| message.tokens).sum();
        let id = self.efforts[at].id.clone();
        Ok(CloseSource { id, messages, tokens, holds_newest: false })
    }

    /// Lets a short log stand for itself instead of a summary that is not smaller, because the log did not get what the
    /// summary was made of. `None` where the summary serves.
    pub fn judge_summary(&mut self, source: &CloseSource) -> Option<Change> {
        let at = self.concluded_at(source.id.as_str()).ok()?;
        let summary = self.efforts[at].summary().unwrap_or_default();
        let serves = source.is_itself(&summary) || self.counter.count(&summary) < source.tokens;
        (!serves && source.may_stand_for_itself())
            .then(|| self.replace_summary(at, Some(source.text().into()), "its log is shorter"))
    }

    /// The concluded effort that a person means.
    ///
    /// # Errors
    /// Rejects an unknown or open effort.
    pub fn concluded_id(&self, id: &str) -> Result<EffortId, Rejected> {
        self.concluded_at(id).map(|at| self.efforts[at].id.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{Exchange, Frame, REDONE, Rules, Turn, UNDONE};

    fn memory(efforts: &[&str]) -> Memory {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let mut memory = Memory::new(Rules::default(), frame, Arc::new(Words));
        for id in efforts {
            memory.open(id).unwrap();
            say(&mut memory, &"talk ".repeat(150));
            let source = memory.close_source(None, None).unwrap();
            memory.conclude(&source, &format!("Everything about {id}.")).unwrap();
        }
        memory
    }

    fn say(memory: &mut Memory, user: &str) -> Vec<Change> {
        memory.begin_turn();
        memory.end_turn(&Exchange { user: user.into(), assistant: "ok".into() }).changes
    }

    fn warm(memory: &Memory) -> Vec<&str> {
        memory.warm_efforts().map(|effort| effort.id.as_str()).collect()
    }

    #[test]
    fn a_pinned_effort_stays_until_it_is_let_go() {
        let mut memory = memory(&["tea", "bread"]);
        memory.pin("tea").unwrap();
        assert!(matches!(memory.pin("tea"), Err(Rejected::AlreadyPinned(_))));
        for _ in 0..30 {
            say(&mut memory, "hm");
        }
        assert_eq!(warm(&memory), ["tea"]);
        assert!(matches!(memory.evict_now("tea"), Err(Rejected::Pinned(_))));
        memory.unpin("tea").unwrap();
        assert!(matches!(memory.unpin("tea"), Err(Rejected::NotPinned(_))));
        assert_eq!(memory.turns_left(memory.lookup("tea").unwrap()), Some(20));
        for _ in 0..20 {
            say(&mut memory, "hm");
        }
        assert_eq!(warm(&memory), [""; 0]);
        let change = memory.pin("bread").unwrap();
        assert!(change.after > change.before, "pinning brings an evicted one back");
        assert_eq!(warm(&memory), ["bread"]);
    }

    #[test]
    fn a_pin_tells_the_turn_in_which_it_was_set_and_undo_brings_the_countdown_back() {
        let mut memory = memory(&["tea"]);
        for _ in 0..5 {
            say(&mut memory, "hm");
        }
        let standing = |memory: &Memory| {
            let tea = memory.lookup("tea").unwrap();
            (tea.last_referenced, tea.cause.to_string(), tea.pinned, memory.turns_left(tea))
        };
        let before = standing(&memory);
        let pinned = memory.pin("tea").unwrap();
        assert_eq!(standing(&memory), (Turn(6), "pinned".to_owned(), true, None));
        say(&mut memory, "hm");
        let undone = memory.take_back(&pinned, crate::memory::UNDONE, Vec::new()).unwrap();
        let (turn, cause, is_pinned, left) = standing(&memory);
        assert_eq!((turn, &cause, is_pinned), (before.0, &before.1, false));
        assert_eq!(left, before.3.map(|left| left - 1), "the turns count that have passed");
        memory.take_back(&undone[0], crate::memory::REDONE, Vec::new()).unwrap();
        assert!(standing(&memory).2, "pinned again");
    }

    #[test]
    fn keeping_can_be_taken_back() {
        let mut memory = memory(&["tea"]);
        for _ in 0..5 {
            say(&mut memory, "hm");
        }
        let left = |memory: &Memory| memory.turns_left(memory.lookup("tea").unwrap());
        let before = left(&memory);
        let kept = memory.keep("tea").unwrap();
        assert!(crate::memory::is_undoable(&kept));
        assert_ne!(left(&memory), before);
        let undone = memory.take_back(&kept, crate::memory::UNDONE, Vec::new()).unwrap();
        assert_eq!((left(&memory), undone.len()), (before, 1));
        assert_eq!(undone[0].banner(), "--- Countdown as before: tea ---");
        let redone = memory.take_back(&undone[0], crate::memory::REDONE, Vec::new()).unwrap();
        assert_eq!((left(&memory), redone[0].kind), (Some(20), ChangeKind::EffortKept));
    }

    #[test]
    fn keeping_what_was_just_mentioned_is_taken_back_and_nothing_else() {
        let mut memory = memory(&["tea"]);
        say(&mut memory, "hm");
        memory.pin("tea").unwrap();
        let cause = |memory: &Memory| memory.lookup("tea").unwrap().cause.clone();
        let before = cause(&memory);
        let kept = memory.keep("tea").unwrap();
        assert_ne!(cause(&memory), before);
        let undone = memory.take_back(&kept, crate::memory::UNDONE, Vec::new()).unwrap();
        assert_eq!((undone.len(), cause(&memory)), (1, before));
        let again = memory.take_back(&kept, crate::memory::UNDONE, Vec::new()).unwrap();
        assert_eq!(again.len(), 0, "it is as it was");
    }

    #[test]
    fn what_is_sent_out_by_hand_comes_back_with_its_old_countdown_while_that_runs() {
        let mut memory = memory(&["tea"]);
        let left = |memory: &Memory| memory.turns_left(memory.lookup("tea").unwrap());
        for _ in 0..5 {
            say(&mut memory, "hm");
        }
        let before = (left(&memory), memory.lookup("tea").unwrap().cause.clone());
        assert_ne!(before.0, Some(20));
        let mut sent = memory.evict_now("tea").unwrap();
        // Redone and undone once more, too.
        for (cause, is_in) in [(UNDONE, true), (REDONE, false), (UNDONE, true)] {
            sent = memory.take_back(&sent[0], cause, Vec::new()).unwrap();
            assert_eq!(memory.warm_efforts().count(), usize::from(is_in), "{cause}");
        }
        assert_eq!((left(&memory), memory.lookup("tea").unwrap().cause.clone()), before);
        let sent = memory.evict_now("tea").unwrap();
        for _ in 0..20 {
            say(&mut memory, "hm");
        }
        memory.take_back(&sent[0], UNDONE, Vec::new()).unwrap();
        assert_eq!(left(&memory), Some(20), "else it would leave at once");
    }

    #[test]
    fn keeping_resets_the_countdown_or_brings_back() {
        let mut memory = memory(&["tea"]);
        for _ in 0..5 {
            say(&mut memory, "hm");
        }
        assert_eq!(memory.keep("tea").unwrap().kind, ChangeKind::EffortKept);
        let tea = memory.lookup("tea").unwrap();
        assert_eq!((memory.turns_left(tea), tea.last_referenced), (Some(20), Turn(6)));
        memory.evict_now("tea").unwrap();
        assert_eq!(memory.keep("tea").unwrap().kind, ChangeKind::SummaryReturned);
        memory.open("now").unwrap();
        assert!(matches!(memory.keep("now"), Err(Rejected::StillOpen(_))));
    }

    #[test]
    fn what_is_sent_out_is_out_at_once_and_comes_back_when_mentioned() {
        let mut memory = memory(&["tea-ceremony"]);
        let raw = vec![(crate::memory::Role::User, "talk".into())];
        memory.expand("tea-ceremony", raw).unwrap();
        let changes = memory.evict_now("tea-ceremony").unwrap();
        let kinds: Vec<ChangeKind> = changes.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [ChangeKind::EffortCollapsed, ChangeKind::SummaryEvicted]);
        let again = memory.evict_now("tea-ceremony");
        assert!(matches!(again, Err(Rejected::NotInWindow(_))), "{again:?}");
        let changes = say(&mut memory, "what about the tea ceremony?");
        assert_eq!(changes[0].kind, ChangeKind::SummaryReturned);
    }

    #[test]
    fn a_new_wording_counts_and_is_found() {
        let mut memory = memory(&["tea"]);
        let before = memory.layers().total();
        let change = memory.edit_summary("tea", "Green\n tea, 70 degrees.", "edited").unwrap();
        assert_eq!((change.before, change.kind), (before, ChangeKind::SummaryEdited));
        assert_eq!(
            memory.lookup("tea").unwrap().summary().as_deref(),
            Some("Green tea, 70 degrees.")
        );
        assert_eq!(memory.layers().total(), change.after);
        for (words, refused) in [(" ", true), ("Green tea, 70 degrees.", true), ("Other.", false)] {
            assert_eq!(memory.edit_summary("tea", words, "edited").is_err(), refused, "{words}");
        }
        memory.edit_summary("tea", "Sencha from Uji.", "edited").unwrap();
        for _ in 0..19 {
            say(&mut memory, "hm");
        }
        say(&mut memory, "is sencha from uji good?");
        assert_eq!(warm(&memory), ["tea"], "the new words are what refers to it");
    }

    #[test]
    fn a_pin_holds_the_log_that_is_in_the_window() {
        let mut memory = memory(&["tea", "bread"]);
        for id in ["tea", "bread"] {
            let raw = vec![(Role::User, "talk ".repeat(40).into())];
            memory.expand(id, raw).unwrap();
        }
        memory.pin("tea").unwrap();
        let left = |memory: &Memory| memory.turns_left(memory.lookup("tea").unwrap());
        assert_eq!(left(&memory), None);
        let expanded = |memory: &Memory| {
            memory.expanded_efforts().map(|effort| effort.id.to_string()).collect::<Vec<_>>()
        };
        for _ in 0..10 {
            say(&mut memory, "hm");
        }
        assert_eq!(expanded(&memory), ["tea"], "the other one has collapsed");
        memory.unpin("tea").unwrap();
        let turns = memory.rules().decay_threshold;
        assert_eq!(left(&memory), Some(turns));
        for _ in 0..turns {
            assert_eq!(expanded(&memory), ["tea"]);
            say(&mut memory, "hm");
        }
        assert_eq!(expanded(&memory), [""; 0]);
    }
}
