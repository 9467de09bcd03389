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

use super::super::{Memory, Turn};
use super::Notes;

/// Turns for which a find counts, and after which an unused note is idle: as long as a summary stays.
pub(super) const LATELY: u64 = 20;

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

/// The limits of a moment.
pub(super) struct LimitsNow {
    pub(super) soft: usize,
    pub(super) hard: usize,
    /// How notes were used, if that decides about the limits.
    pub(super) lately: Option<NoteUse>,
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
    /// The limits in force.
    pub(super) fn limits_now(&self) -> LimitsNow {
        let (soft, hard) = (self.notes.limits.soft_limit, self.notes.limits.hard_limit);
        if !self.notes.limits.adaptive {
            return LimitsNow { soft, hard, lately: None };
        }
        let lately = self.notes.use_lately(self.current_turn());
        let (soft, hard) = adapted(soft, hard, lately.found, lately.idle);
        LimitsNow { soft, hard, lately: Some(lately) }
    }
}
