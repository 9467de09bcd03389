//! Limits that adapt to use. Pure: the limits of a moment follow from the set ones and from the notes, so
//! that they are the same after a restart, and an undo takes them back with the notes.
//!
//! There is more room where notes leave that are still needed, less where they take it up for nothing. The
//! presets say how far: `production` and `research` are 5/7 and 10/7 of the soft limit of `interactive`. So,
//! where that is set:
//!
//! - each note that a search found or somebody brought back in the last 20 turns makes room for one more;
//! - every two notes in the window that were of no use for 20 turns take one place away;
//! - the soft limit stays between 5/7 and 10/7 of the set one;
//! - the hard limit grows in the same proportion, but is never lower than set: what adapts may archive a
//!   note sooner, which a search still finds, and never removes one sooner.

use std::cmp::Ordering;

use super::super::{Memory, Turn};
use super::{NoteStats, Notes};

/// Turns for which a find counts, and after which an unused note is idle: as long as a summary stays.
const LATELY: u64 = 20;

/// Idle notes that take one place away.
const IDLE_PER_PLACE: usize = 2;

/// How notes were used lately: what adaptive limits go by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoteUse {
    /// Notes, archived ones included, that were found or brought back lately.
    pub found: usize,
    /// Notes in the window that were of no use lately.
    pub idle: usize,
    /// The soft limit as set.
    pub set_soft: usize,
}

/// The soft and the hard limit that follow from the set ones and from how notes were used.
pub(super) fn adapted(soft: usize, hard: usize, found: usize, idle: usize) -> (usize, usize) {
    let least = (soft.saturating_mul(5) / 7).max(1);
    let most = (soft.saturating_mul(10) / 7).max(least);
    let wanted = soft.saturating_add(found).saturating_sub(idle / IDLE_PER_PLACE);
    let now = wanted.clamp(least, most);
    (now, (hard.saturating_mul(now) / soft.max(1)).max(hard))
}

impl Notes {
    fn use_lately(&self, now: Turn) -> NoteUse {
        let is_late = |turn: Turn| now.since(turn) < LATELY;
        let found = self.found.iter().filter_map(|id| self.get(*id)?.usage.last_found);
        let idle = self.in_session().filter(|held| !is_late(held.note.last_used));
        NoteUse {
            found: found.filter(|&turn| is_late(turn)).count(),
            idle: idle.count(),
            set_soft: self.limits.soft_limit,
        }
    }
}

impl Memory {
    /// The soft and the hard limit in force, and how notes were used if that decides about them.
    pub(super) fn limits_now(&self) -> (usize, usize, Option<NoteUse>) {
        let (soft, hard) = (self.notes.limits.soft_limit, self.notes.limits.hard_limit);
        if !self.notes.limits.adaptive {
            return (soft, hard, None);
        }
        let lately = self.notes.use_lately(self.current_turn());
        let (soft, hard) = adapted(soft, hard, lately.found, lately.idle);
        (soft, hard, Some(lately))
    }
}

impl NoteStats {
    /// The name of the setting's value: whether the limits adapt.
    pub fn limits(&self) -> &'static str {
        if self.lately.is_some() { "adaptive" } else { "fixed" }
    }

    /// The limits and why they are what they are: `38/54: notes are found often (3 in 20 turns, 1 idle)`.
    pub fn why(&self) -> String {
        format!("{}/{}: {}", self.soft_limit, self.hard_limit, self.reason())
    }

    /// Why the limits are what they are: `notes are found often (3 in 20 turns, 1 idle)`.
    pub fn reason(&self) -> String {
        let Some(NoteUse { found, idle, set_soft }) = self.lately else { return "as set".into() };
        let counts = match self.soft_limit.cmp(&set_soft) {
            Ordering::Greater => format!("{found} in {LATELY} turns, {idle} idle"),
            Ordering::Less => format!("{idle} for {LATELY} turns, {found} found"),
            Ordering::Equal => format!("{found} found in {LATELY} turns, {idle} idle"),
        };
        format!("{} ({counts})", self.leaning())
    }

    /// The same without the numbers.
    pub fn leaning(&self) -> &'static str {
        let set = self.lately.map_or(self.soft_limit, |lately| lately.set_soft);
        match self.soft_limit.cmp(&set) {
            Ordering::Greater => "notes are found often",
            Ordering::Less => "notes lie idle",
            Ordering::Equal => "as set",
        }
    }
}
