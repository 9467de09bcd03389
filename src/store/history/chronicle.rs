//! The journal as people read it: every change of memory, oldest first, and which of them were undone.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::memory::{ChangeKind, Tokens, Turn};
use crate::store::journal;
use crate::store::record::{ChangeLine, Line, Record};
use crate::store::{Error, LogReader, Step};

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
            let Record { seq, turn, at, line: Line::Change(line), .. } = record else {
                return ControlFlow::Continue(());
            };
            let mut mark = |batch: u64, standing: Standing| {
                for &at in batches.get(&batch).into_iter().flatten() {
                    entries[at].standing = standing;
                }
            };
            let standing = match line.step() {
                Step::Undoes(batch) => {
                    mark(batch, Standing::Undone);
                    Standing::Undo
                }
                Step::Redoes(batch) => {
                    mark(batch, Standing::Stands);
                    Standing::Redo
                }
                Step::Done => {
                    batches.entry(line.batch.unwrap_or(seq)).or_default().push(entries.len());
                    Standing::Stands
                }
            };
            entries.push(entry(*line, turn, at, standing));
            ControlFlow::Continue(())
        })?;
        Ok(entries)
    }
}

fn entry(line: ChangeLine, turn: Turn, at: String, standing: Standing) -> JournalEntry {
    JournalEntry {
        turn,
        at,
        kind: line.kind,
        id: line.id,
        cause: line.cause,
        before: Tokens(line.tokens_before),
        after: Tokens(line.tokens_after),
        standing,
    }
}
