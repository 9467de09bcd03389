//! Specifics of concluded efforts: short texts that somebody lifted out of their raw logs, such as paths and
//! numbers that a summary may have lost. Memory only keeps them, and lets some ride along in the window.
//!
//! They stand behind their effort's summary, in the summaries layer. Of all that is in the window they give
//! way first, because a search still finds them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Effort, EffortId, Memory, Tokens};

/// Efforts whose specifics ride along at most: pinned ones and those mentioned last.
const MOST_EFFORTS: usize = 8;

/// The lines of specifics that are in the window.
#[derive(Debug, Clone, Default)]
pub(super) struct Riding {
    /// The line of each effort with its cost.
    pub(super) lines: BTreeMap<usize, (Arc<str>, Tokens)>,
    /// What all of them cost.
    pub(super) tokens: Tokens,
}

impl Memory {
    /// Takes the specifics of an effort in place of those that it had; each becomes one line of text.
    /// Nothing happens if there is no such effort.
    pub fn set_specifics(&mut self, id: &EffortId, specifics: &[String]) {
        let Some(&at) = self.by_id.get(id) else { return };
        self.efforts[at].specifics = specifics.iter().collect();
        self.replan();
    }

    /// The lines of specifics beside the warm summaries, within `specifics_in_window` tokens: the efforts
    /// that were pinned or mentioned last come first. Worked out once after each change.
    pub(super) fn riding(&self) -> &Riding {
        self.riding.get_or_init(|| self.choose_riding())
    }

    fn choose_riding(&self) -> Riding {
        let mut room = self.rules.specifics_in_window;
        let mut riding = Riding::default();
        if room == Tokens(0) {
            return riding;
        }
        let pinned = self.warm.iter().rev().copied().filter(|&at| self.efforts[at].pinned);
        let recent = self.expiry.iter().rev().map(|&(_, at)| at);
        let holds_some = |at: &usize| !self.efforts[*at].specifics.is_empty();
        for at in pinned.chain(recent).filter(holds_some).take(MOST_EFFORTS) {
            if let Some((line, cost)) = self.line_within(&self.efforts[at], room) {
                room = room.saturating_sub(cost);
                riding.tokens += cost;
                riding.lines.insert(at, (line, cost));
            }
        }
        riding
    }

    /// As many specifics of an effort as fit, without those that its summary says anyway; `None` if none
    /// fits.
    fn line_within(&self, effort: &Effort, room: Tokens) -> Option<(Arc<str>, Tokens)> {
        let summary = effort.summary().unwrap_or_default().to_lowercase();
        let lost = effort.specifics.iter().filter(|one| !summary.contains(&one.to_lowercase()));
        let lost: Vec<&str> = lost.collect();
        let line =
            |count: usize| format!("* {} also holds: {}\n", effort.id, lost[..count].join("; "));
        // Every specific costs at least a token, so that fewer counts are needed than there are specifics.
        let (mut fits, mut too_many) = (0, lost.len().min(room.0 as usize) + 1);
        while too_many - fits > 1 {
            let middle = usize::midpoint(fits, too_many);
            if self.counter.count(&line(middle)) <= room {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        (fits > 0).then(|| (line(fits).into(), self.counter.count(&line(fits))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{ChangeKind, Exchange, Frame, Layer, Rules, Subject};

    fn memory(budget: u64, efforts: &[&str]) -> Memory {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let specifics_in_window = Tokens(budget);
        let rules = Rules { specifics_in_window, ..Rules::default() };
        let mut memory = Memory::new(rules, frame, Arc::new(Words));
        for id in efforts {
            memory.open(id).unwrap();
            say(&mut memory, &"talk ".repeat(150));
            let source = memory.close_source(None, None).unwrap();
            memory.conclude(&source, &format!("Everything about {id}, with 5 ms.")).unwrap();
            let lost = ["src/a.rs:12", "5 ms", "port 80", "line\nend"].map(str::to_owned);
            memory.set_specifics(&EffortId::stored(id), &lost);
        }
        memory
    }

    fn say(memory: &mut Memory, user: &str) {
        memory.begin_turn();
        memory.end_turn(&Exchange { user: user.into(), assistant: "ok".into() });
    }

    fn lines(memory: &Memory) -> Vec<String> {
        let items = memory.window().items.into_iter();
        let texts = items.map(|item| item.content.to_string());
        texts.filter(|text| text.starts_with("* ")).collect()
    }

    #[test]
    fn what_the_summary_lost_rides_behind_it_as_far_as_it_fits() {
        assert_eq!(lines(&memory(0, &["tea"])), [""; 0]);
        assert_eq!(lines(&memory(4, &["tea"])), [""; 0]);
        assert_eq!(lines(&memory(5, &["tea"])), ["* tea also holds: src/a.rs:12\n"]);
        let all = ["* tea also holds: src/a.rs:12; port 80; line end\n"];
        assert_eq!(lines(&memory(100, &["tea"])), all, "without what the summary says itself");
    }

    #[test]
    fn the_pinned_and_the_last_mentioned_come_first() {
        let mut memory = memory(9, &["tea", "bread"]);
        assert_eq!(lines(&memory), ["* bread also holds: src/a.rs:12; port 80; line end\n"]);
        say(&mut memory, "back to tea");
        assert_eq!(lines(&memory), ["* tea also holds: src/a.rs:12; port 80; line end\n"]);
        memory.pin("bread").unwrap();
        assert_eq!(lines(&memory), ["* bread also holds: src/a.rs:12; port 80; line end\n"]);
    }

    #[test]
    fn they_are_counted_and_the_first_to_give_way() {
        let memory = memory(40, &["tea", "bread"]);
        let with = memory.layers().of(Layer::Summaries);
        assert_eq!(with, memory.whole_layers().of(Layer::Summaries));
        let room = memory.rules().token_budget.0 - memory.layers().total().0;
        let window = memory.window_with(&"word ".repeat(room as usize + 1), Tokens(0));
        assert!(window.layers.total() <= memory.rules().token_budget);
        assert_eq!(window.gave_way.len(), 1);
        let change = &window.gave_way[0];
        assert_eq!((change.kind, &change.subject), (ChangeKind::LeftOut, &Subject::Specifics));
        assert!(window.items.iter().any(|item| item.content.contains("Everything about tea")));
        assert!(!window.items.iter().any(|item| item.content.starts_with("* ")));
    }
}
