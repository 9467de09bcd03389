//! What was sent while a turn was under way, and waits for its end.

use std::collections::VecDeque;

use super::command::{self, Command};
use super::keymap::KeyAction;
use super::place::Place;
use crate::orchestrator::{Draft, Op};

/// Something that waits until the turn under way is over.
#[derive(Debug, Clone)]
pub enum Queued {
    /// A message, as typed.
    Message(Draft),
    /// A command, as typed.
    Command(Draft, Op),
}

impl Queued {
    /// A command, by what was typed or could have been.
    pub fn command(typed: &str, op: Op) -> Self {
        Self::Command(typed.into(), op)
    }

    /// What a draft is when it is sent; `None` for a command that makes no sense, or none any more.
    pub fn written(draft: &Draft) -> Option<Self> {
        if command::is_message(&draft.text) {
            return Some(Self::Message(draft.clone()));
        }
        let typed = draft.whole();
        let Ok(Command::Ask(op)) = command::parse(&typed) else { return None };
        Some(Self::Command(Draft { id: draft.id, ..typed.as_str().into() }, op))
    }

    /// What was typed, with labels for large pastes.
    pub fn text(&self) -> &str {
        &self.draft().text
    }

    /// What was typed.
    pub fn draft(&self) -> &Draft {
        let (Self::Message(draft) | Self::Command(draft, _)) = self;
        draft
    }

    /// What was typed, to be written again.
    pub fn to_draft(&self) -> Draft {
        Draft { id: None, ..self.draft().clone() }
    }

    /// Gives it a number, unless it has one.
    pub fn number(&mut self, number: impl FnOnce() -> u64) {
        let (Self::Message(draft) | Self::Command(draft, _)) = self;
        draft.id.get_or_insert_with(number);
    }
}

/// The queue, first in first out, with one entry chosen.
#[derive(Debug, Default)]
pub struct Queue {
    entries: VecDeque<Queued>,
    chosen: Place,
    edits: u64,
}

impl Queue {
    /// How many wait.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What waits, the next one first.
    pub fn iter(&self) -> impl Iterator<Item = &Queued> {
        self.entries.iter()
    }

    /// Counts its changes.
    pub fn edits(&self) -> u64 {
        self.edits
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, queued: Queued) {
        self.entries.push_back(queued);
        self.edits += 1;
    }

    /// Puts an entry at a place, or at the end of a queue that is shorter.
    pub fn insert(&mut self, at: usize, queued: Queued) {
        let at = at.min(self.entries.len());
        self.entries.insert(at, queued);
        self.chosen.at = at;
        self.edits += 1;
    }

    /// Takes the next entry.
    pub fn take_next(&mut self) -> Option<Queued> {
        let next = self.entries.pop_front()?;
        self.chosen.at = self.chosen.at.saturating_sub(1);
        self.edits += 1;
        Some(next)
    }

    /// Takes the last entry.
    pub fn take_last(&mut self) -> Option<Queued> {
        self.choose_last();
        self.take_chosen()
    }

    /// The place of the chosen entry.
    pub fn chosen(&self) -> usize {
        self.chosen.at
    }

    /// Chooses the last entry.
    pub fn choose_last(&mut self) {
        self.chosen.at = self.entries.len().saturating_sub(1);
    }

    /// Chooses another entry, if that is what a key does.
    pub fn act(&mut self, action: KeyAction) {
        self.chosen.act(action, self.entries.len());
    }

    /// Moves the chosen entry one place, and the choice with it.
    pub fn shift(&mut self, later: bool) {
        let from = self.chosen.at;
        self.act(if later { KeyAction::Down } else { KeyAction::Up });
        if from != self.chosen.at {
            self.entries.swap(from, self.chosen.at);
            self.edits += 1;
        }
    }

    /// Takes the chosen entry out.
    pub fn take_chosen(&mut self) -> Option<Queued> {
        let taken = self.entries.remove(self.chosen.at)?;
        self.chosen.step(0, self.entries.len());
        self.edits += 1;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(texts: &[&str]) -> Queue {
        let mut queue = Queue::default();
        for text in texts {
            queue.push(Queued::Message((*text).into()));
        }
        queue
    }

    fn texts(queue: &Queue) -> Vec<&str> {
        queue.iter().map(Queued::text).collect()
    }

    #[test]
    fn the_choice_stays_with_its_entry_while_others_leave() {
        let mut queue = queue(&["a", "b", "c"]);
        queue.act(KeyAction::Down);
        queue.take_next();
        assert_eq!((texts(&queue), queue.chosen()), (vec!["b", "c"], 0));
        queue.act(KeyAction::Bottom);
        assert_eq!(queue.take_chosen().unwrap().text(), "c");
        assert_eq!(queue.chosen(), 0);
        queue.take_last();
        assert!(queue.take_chosen().is_none() && queue.take_next().is_none());
    }

    #[test]
    fn an_entry_moves_to_its_ends_and_no_further() {
        let mut queue = queue(&["a", "b", "c"]);
        queue.shift(true);
        queue.shift(true);
        queue.shift(true);
        assert_eq!((texts(&queue), queue.chosen()), (vec!["b", "c", "a"], 2));
        queue.shift(false);
        assert_eq!(texts(&queue), ["b", "a", "c"]);
    }
}
