//! The check of the notes' budget, every 30 seconds, after every turn and when a person makes a note.

use super::super::{Change, Memory};
use super::thread::Threads;
use super::{NoteId, NoteOrder, NoteStats};
use crate::counted::noun;

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
        let (batch, stats) = (limits.batch_size, self.note_stats());
        let (soft, hard) = (stats.soft_limit, stats.hard_limit);
        let count = self.notes.session.len();
        let mut check = NoteCheck::default();
        if !limits.enabled {
            return check;
        }
        if count >= hard {
            let at = format!("Working memory at hard limit ({count}/{hard})");
            check.line(LogLevel::Warn, format!("{at} - deleting oldest {batch}"));
            check.changes = self.remove_batch(&stats);
            let done = format!("Deleted {} oldest session-scoped memories", check.changes.len());
            check.line(LogLevel::Info, format!("{done} (hard limit)"));
        } else if count >= soft {
            let tag_aware = if limits.tag_aware { ", tag-aware" } else { "" };
            let at = format!("Working memory at soft limit ({count}/{soft})");
            check.line(LogLevel::Info, format!("{at} - archiving oldest {batch}"));
            check.changes = self.archive_batch(&stats);
            let done = format!("Archived {} oldest session-scoped memories", check.changes.len());
            check.line(LogLevel::Info, format!("{done} (soft limit{tag_aware})"));
        } else {
            let within = format!("Working memory within budget ({count}/{soft}/{hard})");
            check.line(LogLevel::Debug, within);
        }
        check
    }

    fn remove_batch(&mut self, stats: &NoteStats) -> Vec<Change> {
        let threads = self.notes.threads();
        let leaving = self.notes.for_removal(stats.hard_limit, &threads, self.active_id());
        let at = at_limit("hard", stats.hard_limit, stats);
        let told = self.with_causes(leaving, &threads, &at);
        told.into_iter().filter_map(|(id, cause)| self.drop_note(id, &cause)).collect()
    }

    fn archive_batch(&mut self, stats: &NoteStats) -> Vec<Change> {
        let threads = self.notes.threads();
        let leaving = self.notes.for_archive(stats.soft_limit, &threads, self.active_id());
        let at = at_limit("soft", stats.soft_limit, stats);
        let told = self.with_causes(leaving, &threads, &at);
        let shelve = |(id, cause): (NoteId, String)| {
            let thread = threads.is_shared(id).then(|| threads.of(id));
            self.shelve_note(id, thread, &cause)
        };
        told.into_iter().filter_map(shelve).collect()
    }

    /// Why each of the notes leaves: alone or with its thread, and at which limit.
    fn with_causes(
        &self,
        leaving: Vec<NoteId>,
        threads: &Threads,
        at: &str,
    ) -> Vec<(NoteId, String)> {
        let (first, names) = (self.leaves_as(), self.notes.thread_names(threads));
        let spared = self.notes.spared(threads, self.active_id());
        let cause = |id: NoteId| {
            let thread = names.get(&threads.of(id)).map(|thread| format!(" thread {thread}"));
            let in_use = spared.iter().find(|spared| spared.before.contains(&id));
            let in_use = in_use.and_then(|spared| names.get(&spared.thread));
            let but = in_use.map(|in_use| format!(" but for {in_use}, which is in use"));
            format!("{first}{}{}, {at}", thread.unwrap_or_default(), but.unwrap_or_default())
        };
        leaving.into_iter().map(|id| (id, cause(id))).collect()
    }

    fn leaves_as(&self) -> &'static str {
        match self.notes.limits.order {
            NoteOrder::Oldest => "oldest",
            NoteOrder::LeastRecentlyUsed => "least recently used",
            NoteOrder::Importance => "least important",
        }
    }
}

/// How many notes there are at which limit; of one that has adapted, why.
fn at_limit(name: &str, limit: usize, stats: &NoteStats) -> String {
    let notes = noun(stats.current as u64, "note");
    let at = format!("{} {notes} at the {name} limit of {limit}", stats.current);
    match stats.lately {
        Some(lately) if lately.set_soft != stats.soft_limit => format!("{at}: {}", stats.reason()),
        _ => at,
    }
}
