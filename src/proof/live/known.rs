//! Which of the model's efforts is meant by a key of the conversation, also where it was opened late.

use std::collections::{BTreeMap, BTreeSet};

use crate::memory::{EffortId, word_parts};

/// The efforts by the conversation's keys, as far as the model has opened them.
#[derive(Debug, Default)]
pub(super) struct Known {
    ids: BTreeMap<String, EffortId>,
    /// What should have been opened before, the latest last.
    overdue: Vec<Overdue>,
    /// What stayed open where it should have been concluded, as the server failed at its summary.
    unmade: BTreeSet<EffortId>,
}

/// An effort that was not opened where it should have been.
#[derive(Debug)]
struct Overdue {
    key: String,
    /// The words of its key.
    named: Vec<String>,
    /// The words of the message that it should have been opened for.
    said: Vec<String>,
    /// Nothing was expected of another one since, so that it is what is opened next, however that is called.
    is_next: bool,
}

impl Overdue {
    fn of(key: &str, said: &str) -> Self {
        Self { key: key.to_owned(), named: words(key), said: words(said), is_next: true }
    }

    /// How well the words of a name are those of this one; those of its key go before any others.
    fn fit(&self, name: &[String]) -> usize {
        let shared = |own: &[String]| name.iter().filter(|word| own.contains(word)).count();
        shared(&self.named) * 100 + shared(&self.said)
    }
}

fn words(text: &str) -> Vec<String> {
    word_parts(text).map(std::borrow::Cow::into_owned).collect()
}

impl Known {
    /// The effort of a key: what was opened for it, else the one that is called so.
    pub(super) fn id(&self, key: &str) -> Option<EffortId> {
        self.ids.get(key).cloned().or_else(|| EffortId::from_name(key).ok())
    }

    /// An effort stays open, as the server failed at its summary.
    pub(super) fn stays_open(&mut self, id: EffortId) {
        self.unmade.insert(id);
    }

    /// Whether it did so.
    pub(super) fn is_unmade(&self, id: &EffortId) -> bool {
        self.unmade.contains(id)
    }

    /// An effort should be opened for what was `said`: what is opened last is meant by its key.
    pub(super) fn expect_open(&mut self, key: &str, said: &str, opened: &[&EffortId]) {
        self.turn_to(key);
        self.overdue.retain(|overdue| overdue.key != key);
        match opened.split_last() {
            Some((id, before)) => {
                self.ids.insert(key.to_owned(), (*id).clone());
                for id in before {
                    self.learn_late(id);
                }
            }
            None => self.overdue.push(Overdue::of(key, said)),
        }
    }

    /// Something else is expected, of an effort or of none: what is opened then may be one that is overdue, before another one
    /// is expected or by words of the conversation. Gives what was opened late and is called by such words.
    pub(super) fn expect_other(
        &mut self,
        key: Option<&str>,
        opened: &[&EffortId],
    ) -> Option<EffortId> {
        if let Some(key) = key {
            self.turn_to(key);
        }
        opened.iter().fold(None, |late, id| self.learn_late(id).or(late))
    }

    /// Whatever else is overdue does not come next any more.
    fn turn_to(&mut self, key: &str) {
        for overdue in &mut self.overdue {
            overdue.is_next &= key == overdue.key;
        }
    }

    /// Takes what is opened for what is overdue, if it can be that. Gives it where it is called by the words of that.
    fn learn_late(&mut self, id: &EffortId) -> Option<EffortId> {
        if self.ids.values().any(|known| known == id) {
            return None;
        }
        let name = words(id.as_str());
        let fits = self.overdue.iter().enumerate().map(|(at, overdue)| (overdue.fit(&name), at));
        if let Some((_, at)) = fits.filter(|(fit, _)| *fit > 0).max() {
            let overdue = self.overdue.remove(at);
            self.ids.insert(overdue.key, id.clone());
            return Some(id.clone());
        }
        // It stays overdue: what is called by its words and comes later is rather meant.
        if let Some(next) = self.overdue.iter_mut().find(|overdue| overdue.is_next) {
            next.is_next = false;
            self.ids.insert(next.key.clone(), id.clone());
        }
        None
    }
}
