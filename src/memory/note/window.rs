//! The notes' layer of the window.

use super::super::{Layer, Memory, Role, Source, Tokens, Window, WindowItem};

const HEADING: &str = "## Notes\n";

impl Memory {
    /// Tokens of the notes in the window, heading included.
    pub(in crate::memory) fn note_tokens(&self) -> Tokens {
        if self.notes.session.is_empty() {
            return Tokens(0);
        }
        self.counter.count(HEADING) + self.notes.tokens
    }

    /// Lays the notes out, by number: a later note stands behind an earlier one.
    pub(in crate::memory) fn push_notes(&self, window: &mut Window) {
        let piece = |source: Source, content: &str, tokens: Tokens| WindowItem {
            layer: Layer::Notes,
            role: Role::System,
            source,
            content: content.into(),
            tokens,
        };
        for (nth, held) in self.notes.in_session().enumerate() {
            if nth == 0 {
                window.push(piece(Source::Notes, HEADING, self.counter.count(HEADING)));
            }
            window.push(piece(Source::Note(held.note.id), &held.note.line(), held.tokens));
        }
    }
}
