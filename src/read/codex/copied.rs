//! What a rollout begins with as a copy of another one: a fork tells again what was said before it.

use crate::read::usage::{Said, Thread};
use crate::read::value::hash;
use crate::read::{Event, Speaker, Take};

/// Tells what a rollout begins with as a copy from what is its own. What a conversation tells has a number each, made of
/// its words and of all that the person had said until then: the moments are others in a copy, and nothing has a name.
#[derive(Debug, Default)]
pub(super) struct Copied {
    /// All that the person said up to here, as a number.
    asked: u64,
    /// What the person said as another rollout did, as long as nothing but copies follows on it.
    asks: Option<Event>,
    /// Something was told already.
    is_copy: bool,
    /// Numbers of all that was told, and whether it was told already.
    told: Vec<u64>,
    /// Messages, calls and compactions that were told already and are left out.
    pub left_out: u64,
}

impl Copied {
    /// Takes what the rollout tells, and hands on what no other one told.
    pub(super) fn take(&mut self, event: Event, of: &Thread, said: &Said, take: &mut Take<'_>) {
        let is_asked = matches!(event, Event::Said { by: Speaker::Person, .. });
        let words = event.number();
        if is_asked {
            if let Some(asked) = &self.asks {
                take(asked.clone().copied());
            }
            self.finish();
            self.asked = hash((self.asked, words));
        }
        let number = hash((self.asked, words));
        if !said.is_alone() {
            self.told.push(number);
        }
        let is_known = names(of).any(|name| said.holds(hash((name, number))));
        self.is_copy |= is_known;
        match (is_known, is_asked) {
            (true, true) => self.asks = Some(event),
            (true, false) => {
                self.left_out += 1;
                take(event.copied());
            }
            // The same question can be asked anew.
            (false, _) => self.asks.take().into_iter().chain([event]).for_each(take),
        }
    }

    /// Nothing but copies followed on what the person said last.
    pub(super) fn finish(&mut self) {
        self.left_out += u64::from(self.asks.take().is_some());
    }

    /// Remembers what was told. What begins with no copy may be one that was read before its original.
    pub(super) fn remember(self, of: &Thread, said: &mut Said) {
        let names = names(of).take(if self.is_copy { 1 } else { usize::MAX });
        for name in names {
            for number in &self.told {
                said.add(hash((name, number)));
            }
        }
    }
}

/// What a rollout is called, and those that it may begin with a copy of.
fn names(of: &Thread) -> impl Iterator<Item = &str> {
    let names = [&of.id].into_iter().chain(&of.parents);
    names.filter(|name| !name.is_empty()).map(String::as_str)
}
