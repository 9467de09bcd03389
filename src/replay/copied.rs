//! What a conversation goes on from that another one told: a fork sends it with each request, and it is not said again.

use super::calls::{Calls, call_line, cut_of, held_of, pointer, result_line};
use crate::memory::CountTokens;
use crate::read::{Compaction, Event, Speaker};

/// Tokens that a conversation goes on from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// All of them: whoever never compacts sends these.
    pub all: u64,
    /// Tokens that its own program's window holds, which may have compacted since.
    pub in_window: u64,
}

/// Counts what is copied as it counts where it is told.
#[derive(Debug, Default)]
pub(super) struct Counting {
    counted: Copied,
    /// What one of the two is saying.
    said: String,
    by: Option<Speaker>,
    calls: Calls,
}

impl Counting {
    /// Takes what another conversation told. A result of `limit` tokens or more is held by reference there.
    pub(super) fn take(&mut self, event: Event, counter: &dyn CountTokens, limit: u64) {
        match event {
            Event::Said { by, text, .. } => self.say(by, &text, counter),
            Event::Called { id, name, arguments, .. } => {
                self.say(Speaker::Model, &call_line(&name, &arguments), counter);
                self.add(cut_of(&arguments, counter));
                self.calls.add(id, name);
            }
            Event::Returned { id, text, .. } => {
                let name = self.calls.returned(id);
                self.hold(&name, &text, counter, limit);
            }
            Event::Attached { name, text, .. } => self.hold(&name, &text, counter, limit),
            Event::Compacted(compaction) => self.compact(&compaction, counter),
            Event::Begins { .. }
            | Event::Copied(_)
            | Event::Reply(_)
            | Event::Branched
            | Event::Topic(_) => {}
        }
    }

    /// All of it, once something new is said; what is copied behind that goes before the next conversation.
    pub(super) fn end(&mut self, counter: &dyn CountTokens) -> Copied {
        self.count(counter);
        std::mem::take(self).counted
    }

    fn say(&mut self, by: Speaker, text: &str, counter: &dyn CountTokens) {
        if self.by != Some(by) {
            self.count(counter);
            self.by = Some(by);
        }
        let text = text.trim();
        if !text.is_empty() {
            self.said.push_str(if self.said.is_empty() { "" } else { "\n\n" });
            self.said.push_str(text);
        }
    }

    fn hold(&mut self, name: &str, text: &str, counter: &dyn CountTokens, limit: u64) {
        let held = held_of(text, counter, limit);
        self.say(Speaker::Model, &result_line(name, text, held), counter);
        let text_alone = |held: u64| held.saturating_sub(pointer(name, held, counter));
        self.add(held.map_or(0, text_alone));
    }

    fn compact(&mut self, compaction: &Compaction, counter: &dyn CountTokens) {
        self.count(counter);
        let kept = compaction.kept.iter().filter_map(Event::text);
        let left = compaction.summary.as_deref().into_iter().chain(kept);
        self.counted.in_window = left.map(|text| counter.count(text).0).sum();
    }

    fn count(&mut self, counter: &dyn CountTokens) {
        if !self.said.is_empty() {
            self.add(counter.count(&self.said).0);
            self.said.clear();
        }
    }

    fn add(&mut self, tokens: u64) {
        self.counted.all += tokens;
        self.counted.in_window += tokens;
    }
}
