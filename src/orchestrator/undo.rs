//! Undo and redo of what memory and people did, from the journal.

use super::driver::Driver;
use super::notice::Notice;
use super::turn::Progress;
use crate::memory::{Change, REDONE, UNDONE};
use crate::store::{ChangeSet, Step};

/// Changes that a sentence names one by one.
const NAMED: usize = 3;

impl Driver {
    /// Takes back the last thing that happened to memory. What is as it was already, because something
    /// else has undone it, is passed over, so that repeated undoing walks back through the session.
    pub(super) fn undo(&mut self) {
        let outcome = self.undo_last();
        self.say_outcome(outcome);
    }

    /// Repeats what was undone last.
    pub(super) fn redo(&mut self) {
        let outcome = self.redo_last();
        self.say_outcome(outcome);
    }

    fn say_outcome(&mut self, outcome: Result<String, String>) {
        let ok = outcome.is_ok();
        let text = outcome.unwrap_or_else(|why| why);
        self.notify(Notice::CommandDone { ok, text });
        self.show_memory();
    }

    fn undo_last(&mut self) -> Result<String, String> {
        let mut before = None;
        loop {
            let set = self.store.undoable(before).map_err(|error| error.to_string())?;
            let set = set.ok_or("There is no change of memory to undo.")?;
            let undone = self.take_back(&set, UNDONE)?;
            if !undone.is_empty() {
                self.apply_step(undone, Step::Undoes(set.batch), &mut Progress::new("".into()));
                return Ok(format!("Undone: {}.", told(&set.changes)));
            }
            before = Some(set.batch);
        }
    }

    fn redo_last(&mut self) -> Result<String, String> {
        let set = self.store.redoable().map_err(|error| error.to_string())?;
        let set =
            set.ok_or("There is nothing to redo: nothing was undone since the last change.")?;
        let redone = self.take_back(&set, REDONE)?;
        if redone.is_empty() {
            return Err("There is nothing to redo: memory is as it would be.".to_owned());
        }
        let text = format!("Redone: {}.", told(&redone));
        self.apply_step(redone, Step::Redoes(set.batch), &mut Progress::new("".into()));
        Ok(text)
    }

    /// Takes the changes of a set back, all or none of them.
    fn take_back(&mut self, set: &ChangeSet, cause: &str) -> Result<Vec<Change>, String> {
        for change in &set.changes {
            self.memory.check_undo(change).map_err(|rejected| rejected.to_string())?;
        }
        let mut logs = Vec::with_capacity(set.changes.len());
        for change in &set.changes {
            let needed =
                self.memory.undo_needs_log(change).then(|| self.store.read_log(&change.id));
            logs.push(needed.transpose().map_err(|error| error.to_string())?.unwrap_or_default());
        }
        let mut made = Vec::new();
        for (change, raw) in set.changes.iter().zip(logs) {
            let changes = self.memory.take_back(change, cause, raw);
            made.extend(changes.map_err(|rejected| rejected.to_string())?);
        }
        Ok(made)
    }
}

/// What happened, in words: the banner without its frame.
fn words(change: &Change) -> String {
    change.banner().trim_matches(['-', ' ']).to_owned()
}

fn told(changes: &[Change]) -> String {
    let named: Vec<String> = changes.iter().take(NAMED).map(words).collect();
    let more = changes.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{more}", named.join("; "))
}
