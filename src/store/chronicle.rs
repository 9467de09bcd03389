//! The journal as people read it: every change of memory, oldest first, and which of them were undone.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::journal::{self, Record};
use super::{Error, LogReader};
use crate::memory::{ChangeKind, Tokens, Turn};

/// What became of a change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Standing {
    /// It holds.
    #[default]
    Stands,
    /// It was taken back.
    Undone,
    /// It took another one back.
    Undo,
    /// It repeated one that was taken back.
    Redo,
}

/// One change of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalEntry {
    /// The turn it belongs to.
    pub turn: Turn,
    /// When, as a time stamp.
    pub at: String,
    /// What happened.
    pub kind: ChangeKind,
    /// What it happened to.
    pub id: String,
    /// Why, in words.
    pub cause: String,
    /// Tokens in the window before.
    pub before: Tokens,
    /// Tokens in the window after.
    pub after: Tokens,
    /// What became of it.
    pub standing: Standing,
}

impl LogReader {
    /// All changes of memory, oldest first. Reads the whole journal, so it belongs on a thread of its own.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn journal(&self) -> Result<Vec<JournalEntry>, Error> {
        let mut entries: Vec<JournalEntry> = Vec::new();
        let mut batches: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        journal::lines(&self.paths().journal(), 0, |_, record| {
            if let Some(entry) = entry(&record) {
                let mut mark = |batch: u64, standing: Standing| {
                    for &at in batches.get(&batch).into_iter().flatten() {
                        entries[at].standing = standing;
                    }
                };
                match entry.standing {
                    Standing::Undo => mark(record.number("undoes").unwrap_or(0), Standing::Undone),
                    Standing::Redo => mark(record.number("redoes").unwrap_or(0), Standing::Stands),
                    Standing::Stands | Standing::Undone => {
                        let batch = record.number("batch").unwrap_or(record.seq);
                        batches.entry(batch).or_default().push(entries.len());
                    }
                }
                entries.push(entry);
            }
            ControlFlow::Continue(())
        })?;
        Ok(entries)
    }
}

fn entry(record: &Record) -> Option<JournalEntry> {
    let standing = match (record.number("undoes"), record.number("redoes")) {
        (Some(_), _) => Standing::Undo,
        (None, Some(_)) => Standing::Redo,
        (None, None) => Standing::Stands,
    };
    Some(JournalEntry {
        turn: record.turn,
        at: record.text("ts").to_owned(),
        kind: journal::change_kind(&record.kind)?,
        id: record.text("id").to_owned(),
        cause: record.text("cause").to_owned(),
        before: Tokens(record.number("tokens_before").unwrap_or(0)),
        after: Tokens(record.number("tokens_after").unwrap_or(0)),
        standing,
    })
}
