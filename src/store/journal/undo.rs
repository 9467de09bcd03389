//! What can be undone and redone, told from the journal alone, which stays append-only.
//!
//! Lines that happened at once carry the same `batch`. A line that takes a batch back names it in `undoes`,
//! one that repeats it in `redoes`; the newest of these decides whether a batch stands.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use crate::memory::{Change, ChangeKind, Subject, is_undoable};
use crate::store::Error;
use crate::store::record::{Line, Record, Step};

/// All that happened to memory at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Its number; of what is to be redone, that of the set that was undone.
    pub batch: u64,
    /// The changes, newest first: the order in which they are taken back.
    pub changes: Vec<Change>,
}

/// A change that can be taken back, and what its line says of taking back.
struct Told {
    /// The number of all that happened at once with it.
    batch: u64,
    step: Step,
    change: Change,
}

/// The newest set before another one that was not taken back.
pub(crate) fn undoable(path: &Path, before: Option<u64>) -> Result<Option<ChangeSet>, Error> {
    let mut settled: BTreeMap<u64, bool> = BTreeMap::new();
    let mut set: Option<ChangeSet> = None;
    backwards(path, |Told { batch, step, change }| {
        if let Step::Undoes(taken_back) = step {
            settled.entry(taken_back).or_insert(false);
        } else if let Step::Redoes(repeated) = step {
            settled.entry(repeated).or_insert(true);
        } else if let Some(found) = &mut set {
            if found.batch != batch {
                return ControlFlow::Break(());
            }
            found.changes.push(change);
        } else if settled.get(&batch) != Some(&false) && before.is_none_or(|before| batch < before)
        {
            set = Some(ChangeSet { batch, changes: vec![change] });
        }
        ControlFlow::Continue(())
    })?;
    Ok(set)
}

/// What came into memory, or ebbed, and is not taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrival {
    /// The number of all that happened at once with it.
    pub batch: u64,
    /// An effort that was opened, or a text that was stored; the ambient exchanges, of which some have left.
    pub subject: Subject,
    /// Nothing has happened to memory since, but for what happened at once with it.
    pub is_newest: bool,
}

/// What came into memory after a set, or ebbed, newest first.
pub(crate) fn arrived_since(path: &Path, since: Option<u64>) -> Result<Vec<Arrival>, Error> {
    use ChangeKind::{EffortOpened, ScratchpadSaved, Tide};
    let (mut arrived, mut newest) = (Vec::new(), None);
    for record in super::backwards(path)? {
        let Record { seq, turn, line: Line::Change(line), .. } = record?.1 else { continue };
        let batch = line.batch.unwrap_or(seq);
        if since.is_some_and(|since| batch <= since) {
            break;
        }
        let change = line.change(turn);
        let is_newest = *newest.get_or_insert(batch) == batch;
        if matches!(change.kind, EffortOpened | ScratchpadSaved | Tide) {
            arrived.push(Arrival { batch, subject: change.subject, is_newest });
        }
    }
    Ok(arrived)
}

/// The changes of the newest undo that was not redone, if nothing else happened since.
pub(crate) fn redoable(path: &Path) -> Result<Option<ChangeSet>, Error> {
    let mut redone: BTreeSet<u64> = BTreeSet::new();
    let mut set: Option<(u64, ChangeSet)> = None;
    backwards(path, |Told { batch: own, step, change }| {
        if let Some((undo, found)) = &mut set {
            if *undo != own {
                return ControlFlow::Break(());
            }
            found.changes.push(change);
            return ControlFlow::Continue(());
        }
        match step {
            Step::Redoes(repeated) => {
                redone.insert(repeated);
            }
            Step::Undoes(batch) if redone.contains(&batch) => {}
            Step::Undoes(batch) => set = Some((own, ChangeSet { batch, changes: vec![change] })),
            Step::Done => return ControlFlow::Break(()),
        }
        ControlFlow::Continue(())
    })?;
    Ok(set.map(|(_, set)| set))
}

/// Hands over the changes that can be taken back, newest first.
fn backwards(path: &Path, mut take: impl FnMut(Told) -> ControlFlow<()>) -> Result<(), Error> {
    for record in super::backwards(path)? {
        let Record { seq, turn, line: Line::Change(line), .. } = record?.1 else { continue };
        let (batch, step) = (line.batch.unwrap_or(seq), line.step());
        let change = line.change(turn);
        if is_undoable(&change) && take(Told { batch, step, change }).is_break() {
            break;
        }
    }
    Ok(())
}
