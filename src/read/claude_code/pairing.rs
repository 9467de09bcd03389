//! Results that stand before their calls, as they do where lines are out of order: each waits for its call.

use std::collections::HashSet;

use crate::read::Event;
use crate::read::value::hash;

/// Results that wait at once; further ones are told where they stand.
const MOST_EARLY: usize = 32;

/// Calls without a result, and results without a call.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    open: HashSet<u64>,
    early: Vec<(u64, Event)>,
}

impl Pairing {
    /// A call is told; returns its result, if that stood before it.
    pub(super) fn called(&mut self, id: &str) -> Option<Event> {
        let number = hash(id);
        let early = self.early.iter().position(|(of, _)| *of == number);
        if early.is_none() {
            self.open.insert(number);
        }
        early.map(|at| self.early.remove(at).1)
    }

    /// Takes a result, and returns it if it need not wait.
    pub(super) fn returned(&mut self, id: &str, result: Event) -> Option<Event> {
        let number = hash(id);
        if id.is_empty() || self.open.remove(&number) || self.early.len() == MOST_EARLY {
            return Some(result);
        }
        self.early.push((number, result));
        None
    }

    /// Somebody says something: no call comes for these.
    pub(super) fn give_up(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.early).into_iter().map(|(_, result)| result).collect()
    }
}
