//! Undo and redo of what memory and people did, from the journal.

use super::answer::Refusal;
use super::driver::Driver;
use super::turn::Progress;
use crate::memory::{Change, REDONE, UNDONE};
use crate::store::{ChangeSet, Step};

/// Changes that a sentence names one by one.
const NAMED: usize = 3;

impl Driver {
    /// Takes back the last thing that happened to memory. What is as it was already, because something
    /// else has undone it, is passed over, so that repeated undoing walks back through the session.
    pub(super) fn undo(&mut self, progress: &mut Progress) -> Result<String, Refusal> {
        let mut before = None;
        loop {
            let set = self.store.undoable(before)?;
            let set = set.ok_or("There is no change of memory to undo.")?;
            let undone = self.take_back(&set, UNDONE)?;
            if !undone.is_empty() {
                self.apply_step(undone, Step::Undoes(set.batch), progress);
                return Ok(format!("Undone: {}.", told(&set.changes)));
            }
            before = Some(set.batch);
        }
    }

    /// Repeats what was undone last.
    pub(super) fn redo(&mut self, progress: &mut Progress) -> Result<String, Refusal> {
        let set = self.store.redoable()?;
        let set =
            set.ok_or("There is nothing to redo: nothing was undone since the last change.")?;
        let redone = self.take_back(&set, REDONE)?;
        if redone.is_empty() {
            return Err(Refusal::of("There is nothing to redo: memory is as it would be."));
        }
        let text = format!("Redone: {}.", told(&redone));
        self.apply_step(redone, Step::Redoes(set.batch), progress);
        Ok(text)
    }

    /// Takes the changes of a set back, all or none of them.
    fn take_back(&mut self, set: &ChangeSet, cause: &str) -> Result<Vec<Change>, Refusal> {
        for change in &set.changes {
            self.memory.check_undo(change)?;
        }
        let mut logs = Vec::with_capacity(set.changes.len());
        for change in &set.changes {
            let needed = self.memory.log_for_undo(change);
            let log = needed.map(|id| self.store.read_log(id)).transpose()?;
            logs.push(log.unwrap_or_default());
        }
        let mut made = Vec::new();
        for (change, raw) in set.changes.iter().zip(logs) {
            let changes = self.memory.take_back(change, cause, raw);
            made.extend(changes?);
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
