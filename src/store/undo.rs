//! What can be undone and redone, told from the journal alone, which stays append-only.
//!
//! Lines that happened at once carry the same `batch`. A line that takes a batch back names it in `undoes`,
//! one that repeats it in `redoes`; the newest of these decides whether a batch stands.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::entry::bounded;
use super::files::{self, LinesBackwards};
use super::journal::Record;
use super::{Error, journal};
use crate::memory::{Change, EffortId, Tier, Turn, Was, is_undoable};

/// Why changes are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Step {
    /// They happened.
    #[default]
    Done,
    /// They take a set back, by its number.
    Undoes(u64),
    /// They repeat a set that was taken back.
    Redoes(u64),
}

impl Step {
    pub(super) fn fields(self) -> Map<String, Value> {
        journal::object(match self {
            Self::Done => Value::Null,
            Self::Undoes(batch) => json!({ "undoes": batch }),
            Self::Redoes(batch) => json!({ "redoes": batch }),
        })
    }
}

/// All that happened to memory at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// Its number; of what is to be redone, that of the set that was undone.
    pub batch: u64,
    /// The changes, newest first: the order in which they are taken back.
    pub changes: Vec<Change>,
}

/// The newest set before another one that was not taken back.
pub(super) fn undoable(path: &Path, before: Option<u64>) -> Result<Option<ChangeSet>, Error> {
    let mut settled: BTreeMap<u64, bool> = BTreeMap::new();
    let mut set: Option<ChangeSet> = None;
    backwards(path, |record, change| {
        let own = batch_of(record);
        if let Some(taken_back) = record.number("undoes") {
            settled.entry(taken_back).or_insert(false);
        } else if let Some(repeated) = record.number("redoes") {
            settled.entry(repeated).or_insert(true);
        } else if let Some(found) = &mut set {
            if found.batch != own {
                return ControlFlow::Break(());
            }
            found.changes.push(change);
        } else if settled.get(&own) != Some(&false) && before.is_none_or(|before| own < before) {
            set = Some(ChangeSet { batch: own, changes: vec![change] });
        }
        ControlFlow::Continue(())
    })?;
    Ok(set)
}

/// The changes of the newest undo that was not redone, if nothing else happened since.
pub(super) fn redoable(path: &Path) -> Result<Option<ChangeSet>, Error> {
    let mut redone: BTreeSet<u64> = BTreeSet::new();
    let mut set: Option<(u64, ChangeSet)> = None;
    backwards(path, |record, change| {
        let own = batch_of(record);
        if let Some((undo, found)) = &mut set {
            if *undo != own {
                return ControlFlow::Break(());
            }
            found.changes.push(change);
        } else if let Some(repeated) = record.number("redoes") {
            redone.insert(repeated);
        } else if let Some(batch) = record.number("undoes") {
            if !redone.contains(&batch) {
                set = Some((own, ChangeSet { batch, changes: vec![change] }));
            }
        } else {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(set.map(|(_, set)| set))
}

fn batch_of(record: &Record) -> u64 {
    record.number("batch").unwrap_or(record.seq)
}

/// Hands over the changes that can be taken back, newest first.
fn backwards(
    path: &Path,
    mut take: impl FnMut(&Record, Change) -> ControlFlow<()>,
) -> Result<(), Error> {
    let Some(file) = files::open_existing(path)? else { return Ok(()) };
    let mut lines = LinesBackwards::new(file, None).map_err(Error::read(path))?;
    while let Some((_, line)) = lines.previous().map_err(Error::read(path))? {
        let Some(record) = Record::parse(&line) else { continue };
        let Some(change) = record.change().filter(is_undoable) else { continue };
        if take(&record, change).is_break() {
            break;
        }
    }
    Ok(())
}

/// How an effort was before a change, as the journal holds it.
pub(super) fn was_fields(was: &Was) -> Value {
    json!({
        "state": was.state.as_str(),
        "active": was.active.as_ref().map(EffortId::as_str),
        "summary": was.summary.as_deref(),
        "messages": was.messages,
        "last_referenced_turn": was.referenced.as_ref().map(|(turn, _)| turn.0),
        "cause": was.referenced.as_ref().map(|(_, cause)| &**cause),
    })
}

/// Reads what [`was_fields`] wrote; `None` if it makes no sense.
pub(super) fn read_was(fields: &Value) -> Option<Was> {
    let name = fields["state"].as_str()?;
    let referenced = bounded(&fields["last_referenced_turn"]).zip(fields["cause"].as_str());
    Some(Was {
        state: Tier::ALL.into_iter().find(|tier| tier.as_str() == name)?,
        active: fields["active"].as_str().map(EffortId::stored),
        summary: fields["summary"].as_str().map(Into::into),
        messages: bounded(&fields["messages"])?,
        referenced: referenced.map(|(turn, cause)| (Turn(turn), cause.into())),
    })
}
