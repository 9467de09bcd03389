//! The notes that memory holds, with their cost.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::super::stem::stem;
use super::super::words::{keywords, plain_words};
use super::super::{Memory, Tokens, Turn};
use super::{Note, NoteId, NoteLimits, NoteState};

/// One held note.
#[derive(Debug, Clone)]
pub(super) struct Held {
    pub(super) note: Note,
    /// Cost of its line, counted once.
    pub(super) tokens: Tokens,
    /// The words by which a message may mention it.
    pub(super) words: BTreeSet<String>,
}

/// All notes that are in the session or permanent, by number.
#[derive(Debug, Clone, Default)]
pub(in crate::memory) struct Notes {
    pub(super) held: BTreeMap<NoteId, Held>,
    pub(super) session: BTreeSet<NoteId>,
    /// Cost of the lines of the session's notes.
    pub(super) tokens: Tokens,
    /// Those that were ever found.
    pub(super) found: BTreeSet<NoteId>,
    /// The highest number given so far.
    pub(super) last_id: u64,
    /// The notes that were used and whose use is not recorded yet.
    pub(super) used: BTreeSet<NoteId>,
    pub(in crate::memory) limits: NoteLimits,
}

impl Notes {
    /// Takes a note in, in place of the one with its number. A removed note is held no longer.
    pub(super) fn put(&mut self, note: Note, tokens: Tokens) {
        self.take(note.id);
        self.last_id = self.last_id.max(note.id.0);
        match note.state {
            NoteState::Removed => return,
            NoteState::Permanent => {}
            NoteState::Session => {
                self.session.insert(note.id);
                self.tokens += tokens;
            }
        }
        if note.usage.last_found.is_some() {
            self.found.insert(note.id);
        }
        let words = keywords(&note.content).map(|word| stem(&word)).collect();
        self.held.insert(note.id, Held { note, tokens, words });
    }

    fn take(&mut self, id: NoteId) {
        let held = self.held.remove(&id);
        self.found.remove(&id);
        if self.session.remove(&id) {
            self.tokens = self.tokens.saturating_sub(held.map_or(Tokens(0), |held| held.tokens));
        }
    }

    /// The number for the next note.
    pub(super) fn next_id(&self) -> NoteId {
        NoteId(self.last_id + 1)
    }

    /// A note of the session or a permanent one.
    pub(super) fn get(&self, id: NoteId) -> Option<&Note> {
        self.held.get(&id).map(|held| &held.note)
    }

    /// Marks a note as used in a turn. Tells whether it exists.
    pub(super) fn mark(&mut self, id: NoteId, turn: Turn, count: impl FnOnce(&mut Note)) -> bool {
        let Some(held) = self.held.get_mut(&id) else { return false };
        held.note.last_used = turn;
        count(&mut held.note);
        if held.note.usage.last_found.is_some() {
            self.found.insert(id);
        }
        self.used.insert(id);
        true
    }

    /// The session's notes, by number.
    pub(super) fn in_session(&self) -> impl Iterator<Item = &Held> {
        self.session.iter().filter_map(|id| self.held.get(id))
    }
}

impl Memory {
    /// Takes the stored notes in, and the highest number ever given to one. Of a repeated number the first counts, as with
    /// efforts; a removed note only keeps its number from being given again.
    pub(in crate::memory) fn restore_notes(&mut self, notes: Vec<Note>, last_id: u64) {
        self.notes.last_id = last_id;
        for mut note in notes {
            if self.notes.get(note.id).is_some() {
                continue;
            }
            // A file that was edited by hand must not break the layout of the window.
            note.content = super::cleaned(&note.content).into();
            note.tags = note.tags.iter().map(|tag| super::cleaned(tag)).collect();
            note.tags.retain(|tag| !tag.is_empty());
            let tokens = self.counter.count(&note.line());
            self.notes.put(note, tokens);
        }
    }

    /// The session's notes that a message mentions: by number, or by as many of their words as it takes
    /// to mention a summary.
    pub(in crate::memory) fn mentioned_notes(&self, text: &str) -> Vec<NoteId> {
        if self.notes.session.is_empty() {
            return Vec::new();
        }
        let words: BTreeSet<String> = keywords(text).map(|word| stem(&word)).collect();
        let plain: BTreeSet<Cow<str>> = plain_words(text).collect();
        self.notes
            .in_session()
            .filter(|held| {
                let shared = held.words.intersection(&words).count();
                shared >= self.rules.min_keyword_overlap
                    || plain.contains(held.note.id.to_string().as_str())
            })
            .map(|held| held.note.id)
            .collect()
    }
}
