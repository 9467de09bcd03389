//! Undo and redo of what memory and people did, from the journal.

use super::answer::Refusal;
use super::driver::Driver;
use super::turn::Progress;
use crate::memory::{Change, ChangeKind, EffortId, REDONE, Status, Subject, UNDONE};
use crate::store::{Arrival, ChangeSet, Step};

/// What is said where nothing older can be taken back.
const NOTHING: &str = "There is no change of memory to undo.";

/// Changes that a sentence names one by one.
const NAMED: usize = 3;

impl Driver {
    /// Takes back the last thing that happened to memory. What is as it was already, because something
    /// else has undone it, is passed over, so that repeated undoing walks back through the session.
    pub(super) fn undo(&mut self, progress: &mut Progress) -> Result<String, Refusal> {
        let mut before = None;
        loop {
            let set = self.store.undoable(before)?;
            let arrived = self.arrived_since(set.as_ref())?;
            if before.is_none() {
                self.tell_arrival(arrived.first(), set.is_some())?;
            }
            let set = set.ok_or(NOTHING)?;
            let undone = self.take_back(&set, UNDONE)?;
            if !undone.is_empty() {
                for id in expanded(&set.changes) {
                    self.requests.looked_up.logs.retain(|opened| opened != id);
                }
                self.apply_step(undone, Step::Undoes(set.batch), progress);
                return Ok(format!("Undone: {}.{}", told(&set.changes), stays_open(&arrived)));
            }
            before = Some(set.batch);
        }
    }

    /// What undoing a set passes over: efforts that were opened and still are, texts that were stored, and exchanges that
    /// left the window together.
    fn arrived_since(&self, set: Option<&ChangeSet>) -> Result<Vec<Arrival>, Refusal> {
        let mut arrived = self.store.arrived_since(set.map(|set| set.batch))?;
        arrived.retain(|arrival| match &arrival.subject {
            Subject::Effort(id) => {
                self.memory.effort(id).is_some_and(|effort| effort.status == Status::Open)
            }
            _ => true,
        });
        Ok(arrived)
    }

    /// Where the last thing that happened is that something came into memory, or that exchanges ebbed, whoever undoes means
    /// that: it is said once that it cannot be taken back, before anything older is touched.
    fn tell_arrival(&mut self, newest: Option<&Arrival>, has_older: bool) -> Result<(), Refusal> {
        let Some(arrival) = newest.filter(|arrival| arrival.is_newest) else { return Ok(()) };
        if self.told_arrival.replace(arrival.batch) == Some(arrival.batch) && has_older {
            return Ok(());
        }
        let what = match &arrival.subject {
            Subject::Text(key) => {
                format!(
                    "ref:{key} was stored, which cannot be undone: but for its pointer it is out of the window."
                )
            }
            Subject::Ambient => "exchanges outside any effort left the window together, which cannot be undone: their log \
                                 has every word, and what you ask about comes back."
                .to_owned(),
            subject => {
                format!(
                    "'{subject}' was opened, which cannot be undone: /close {subject} concludes it."
                )
            }
        };
        let before =
            if has_older { "/undo once more takes back what was before." } else { NOTHING };
        Err(Refusal::of(format!("The last thing that happened was that {what} {before}")))
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
        self.requests.looked_up.logs.extend(expanded(&redone).cloned());
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
            let needed = self.memory.log_for_undo(change).cloned();
            let log = needed.map(|id| self.whole_log(&id)).transpose()?;
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

/// The efforts whose logs changes put into the window.
fn expanded(changes: &[Change]) -> impl Iterator<Item = &EffortId> {
    let expanded = changes.iter().filter(|change| change.kind == ChangeKind::EffortExpanded);
    expanded.filter_map(Change::effort)
}

/// What is said of efforts that were opened since what was undone.
fn stays_open(arrived: &[Arrival]) -> String {
    let opened = arrived.iter().filter_map(|arrival| match &arrival.subject {
        Subject::Effort(id) => Some(id),
        _ => None,
    });
    let opened: Vec<&EffortId> = opened.collect();
    match opened[..] {
        [] => String::new(),
        [id] => format!(" '{id}' was opened since and stays open: /close {id} concludes it."),
        [newest, ..] => format!(
            " {} efforts were opened since and stay open: /close {newest}, for example, concludes the newest.",
            opened.len()
        ),
    }
}

fn told(changes: &[Change]) -> String {
    let named: Vec<String> = changes.iter().take(NAMED).map(Change::words).collect();
    let more = changes.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    format!("{}{more}", named.join("; "))
}
