//! Notes as the screen, the search and the statistics show them.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::super::{Memory, Tokens};
use super::adaptive::{LATELY, LimitsNow};
use super::collection::Held;
use super::{Note, NoteId, NoteState, NoteUse};

/// How many permanent notes a view lists; the search finds all of them.
const PERMANENT_SHOWN: usize = 200;

/// How full the notes' budget is, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteStatus {
    /// Below both limits.
    Healthy,
    /// The next check archives.
    SoftLimit,
    /// The next check removes.
    HardLimit,
}

impl NoteStatus {
    /// The word used in JSON and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Healthy => "healthy",
            Self::SoftLimit => "soft_limit",
            Self::HardLimit => "hard_limit",
        }
    }
}

/// The statistics of the notes' budget, as in the seed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NoteStats {
    /// Notes in the session.
    pub current: usize,
    /// Notes from which on the oldest are archived now.
    pub soft_limit: usize,
    /// Notes from which on the oldest are removed now.
    pub hard_limit: usize,
    /// Notes that one check looks at.
    pub batch_size: usize,
    /// Whether checks do anything.
    pub enabled: bool,
    /// Archived notes.
    pub permanent: usize,
    /// How notes were used lately, where the limits adapt to it.
    pub lately: Option<NoteUse>,
}

impl NoteStats {
    /// Notes as a percentage of the soft limit, 0 to 100 and more.
    pub fn utilization(&self) -> f64 {
        self.current as f64 * 100.0 / self.soft_limit.max(1) as f64
    }

    /// What the next check would find.
    pub fn status(&self) -> NoteStatus {
        if self.current >= self.hard_limit {
            NoteStatus::HardLimit
        } else if self.current >= self.soft_limit {
            NoteStatus::SoftLimit
        } else {
            NoteStatus::Healthy
        }
    }

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

    /// Which way the limits lean, without the numbers.
    pub fn leaning(&self) -> &'static str {
        let set = self.lately.map_or(self.soft_limit, |lately| lately.set_soft);
        match self.soft_limit.cmp(&set) {
            Ordering::Greater => "notes are found often",
            Ordering::Less => "notes lie idle",
            Ordering::Equal => "as set",
        }
    }
}

/// One note in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoteView {
    /// The note.
    pub note: Note,
    /// One of its tags keeps it from being archived at the soft limit.
    pub protected: bool,
    /// What the thread is called that it belongs to with others, where threads are kept together.
    pub thread: Option<String>,
    /// What its line costs in the window now: 0 if it is left out or permanent.
    pub tokens: Tokens,
}

/// All notes in the panel.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NotesView {
    /// How full the budget is.
    pub stats: NoteStats,
    /// The session's notes, those that leave first in front.
    pub session: Vec<NoteView>,
    /// Permanent notes, the newest first; at most 200 of them.
    pub permanent: Vec<NoteView>,
}

impl Memory {
    /// How full the notes' budget is.
    pub fn note_stats(&self) -> NoteStats {
        let limits = &self.notes.limits;
        let LimitsNow { soft, hard, lately } = self.limits_now();
        NoteStats {
            current: self.notes.session.len(),
            soft_limit: soft,
            hard_limit: hard,
            batch_size: limits.batch_size,
            enabled: limits.enabled,
            permanent: self.notes.held.len() - self.notes.session.len(),
            lately,
        }
    }

    /// The notes as the screen shows them; some of the session may be left out of the window.
    pub(in crate::memory) fn notes_view(&self, left_out: &BTreeSet<NoteId>) -> NotesView {
        let threads = self.notes.threads();
        let names = self.notes.thread_names(&threads);
        let view = |held: &Held| {
            let Note { id, state, .. } = held.note;
            let is_sent = state == NoteState::Session && !left_out.contains(&id);
            NoteView {
                note: held.note.clone(),
                thread: names.get(&threads.of(id)).cloned(),
                protected: self.notes.limits.protects(&held.note),
                tokens: if is_sent { held.tokens } else { Tokens(0) },
            }
        };
        let first = self.notes.oldest_first(&threads, self.active_id());
        let permanent = self.notes.held.values().rev();
        NotesView {
            stats: self.note_stats(),
            session: first.iter().map(|note| view(&self.notes.held[&note.id])).collect(),
            permanent: permanent
                .filter(|held| held.note.state == NoteState::Permanent)
                .take(PERMANENT_SHOWN)
                .map(view)
                .collect(),
        }
    }

    /// The notes that a search may find: those of the session and the permanent ones, by number.
    pub fn searchable_notes(&self) -> impl Iterator<Item = &Note> {
        self.notes.held.values().map(|held| &held.note)
    }
}
