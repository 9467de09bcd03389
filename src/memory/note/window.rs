//! The notes' layer of the window.

use std::collections::BTreeSet;

use super::super::{Layer, Memory, Role, Source, Tokens, Window, WindowItem};
use super::NoteId;

const HEADING: &str = "## Notes\n";

impl Memory {
    /// Tokens of the notes in the window but for those left out, heading included.
    pub(in crate::memory) fn note_tokens(&self, left_out: &BTreeSet<NoteId>) -> Tokens {
        if !self.has_notes(left_out) {
            return Tokens(0);
        }
        let gone: Tokens =
            left_out.iter().filter_map(|id| self.notes.held.get(id)).map(|held| held.tokens).sum();
        self.notes_heading() + self.notes.tokens.saturating_sub(gone)
    }

    /// Whether there are notes in the window but for those left out.
    pub(in crate::memory) fn has_notes(&self, left_out: &BTreeSet<NoteId>) -> bool {
        self.notes.session.len() > left_out.len()
    }

    /// What the heading of the notes costs.
    pub(in crate::memory) fn notes_heading(&self) -> Tokens {
        self.counter.count(HEADING)
    }

    /// The session's pinned or unpinned notes with their cost, the one that is worth it least in front.
    pub(in crate::memory) fn notes_to_give_way(&self, pinned: bool) -> Vec<(NoteId, Tokens)> {
        let notes = self.notes.least_first();
        let notes = notes.into_iter().filter(|note| note.pinned == pinned);
        notes.map(|note| (note.id, self.notes.held[&note.id].tokens)).collect()
    }

    /// Lays the notes out, by number: a later note stands behind an earlier one.
    pub(in crate::memory) fn push_notes(&self, window: &mut Window, left_out: &BTreeSet<NoteId>) {
        let piece = |source: Source, content: &str, tokens: Tokens| WindowItem {
            layer: Layer::Notes,
            role: Role::User,
            source,
            content: content.into(),
            tokens,
        };
        let sent = self.notes.in_session().filter(|held| !left_out.contains(&held.note.id));
        for (nth, held) in sent.enumerate() {
            if nth == 0 {
                window.push(piece(Source::Notes, HEADING, self.notes_heading()));
            }
            window.push(piece(Source::Note(held.note.id), &held.note.line(), held.tokens));
        }
    }
}
