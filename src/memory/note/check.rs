//! The check of the notes' budget, every 30 seconds and after every turn.

use super::super::{Change, Memory};
use super::{NoteId, NoteOrder};

/// How important a line of the log is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    /// For whoever looks for something.
    Debug,
    /// What happened.
    Info,
    /// What should not happen often.
    Warn,
}

/// A line for the log; whoever runs the check writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// Its level.
    pub level: LogLevel,
    /// Its text, worded as in the seed.
    pub text: String,
}

/// What a check did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteCheck {
    /// The notes that left, in the order in which they left.
    pub changes: Vec<Change>,
    /// What the log says about it.
    pub lines: Vec<LogLine>,
}

impl NoteCheck {
    fn line(&mut self, level: LogLevel, text: String) {
        self.lines.push(LogLine { level, text });
    }
}

impl Memory {
    /// Holds the notes' budget: at the hard limit a batch is removed, else at the soft limit a batch is
    /// archived. One check handles one batch, as in the seed, so that a flood of notes ebbs away over
    /// several checks instead of at once; the window's own ceiling does not depend on it.
    pub fn check_notes(&mut self) -> NoteCheck {
        let limits = &self.notes.limits;
        let (soft, hard, batch) = (limits.soft_limit, limits.hard_limit, limits.batch_size);
        let count = self.notes.session.len();
        let mut check = NoteCheck::default();
        if !limits.enabled {
            return check;
        }
        if count >= hard {
            let at = format!("Working memory at hard limit ({count}/{hard})");
            check.line(LogLevel::Warn, format!("{at} - deleting oldest {batch}"));
            check.changes = self.remove_batch(count);
            let done = format!("Deleted {} oldest session-scoped memories", check.changes.len());
            check.line(LogLevel::Info, format!("{done} (hard limit)"));
        } else if count >= soft {
            let tag_aware = if limits.tag_aware { ", tag-aware" } else { "" };
            let at = format!("Working memory at soft limit ({count}/{soft})");
            check.line(LogLevel::Info, format!("{at} - archiving oldest {batch}"));
            check.changes = self.archive_batch(count);
            let done = format!("Archived {} oldest session-scoped memories", check.changes.len());
            check.line(LogLevel::Info, format!("{done} (soft limit{tag_aware})"));
        } else {
            let within = format!("Working memory within budget ({count}/{soft}/{hard})");
            check.line(LogLevel::Debug, within);
        }
        check
    }

    fn remove_batch(&mut self, count: usize) -> Vec<Change> {
        let limit = self.notes.limits.hard_limit;
        let cause = format!("{}, {count} notes at the hard limit of {limit}", self.leaves_as());
        let leaving: Vec<NoteId> = self.notes.for_removal();
        leaving.into_iter().filter_map(|id| self.drop_note(id, &cause)).collect()
    }

    fn archive_batch(&mut self, count: usize) -> Vec<Change> {
        let limit = self.notes.limits.soft_limit;
        let cause = format!("{}, {count} notes at the soft limit of {limit}", self.leaves_as());
        let leaving: Vec<NoteId> = self.notes.for_archive();
        leaving.into_iter().filter_map(|id| self.shelve_note(id, &cause)).collect()
    }

    fn leaves_as(&self) -> &'static str {
        match self.notes.limits.order {
            NoteOrder::Oldest => "oldest",
            NoteOrder::LeastRecentlyUsed => "least recently used",
            NoteOrder::Importance => "least important",
        }
    }
}
