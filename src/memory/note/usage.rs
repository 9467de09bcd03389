//! How often notes are of use, and what that makes them worth.

use super::super::{Memory, Turn};
use super::{Note, NoteId};

/// How often a note was of use. It only grows: undoing a change of a note does not unsay what was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Turns in which the conversation mentioned it, by its number or its words.
    pub mentions: u64,
    /// Times that a search found it as the best match, or somebody brought it back.
    pub finds: u64,
    /// The turn in which it was found last.
    pub last_found: Option<Turn>,
}

impl Usage {
    /// The same after the note was found once more.
    pub(super) fn found_in(self, turn: Turn) -> Self {
        Self { finds: self.finds.saturating_add(1), last_found: Some(turn), ..self }
    }
}

impl Note {
    /// How important it is, from 2 on, by the three things that are known of a note.
    ///
    /// `2 * stars + log2(1 + mentions) + 2 * log2(1 + finds)`, logarithms rounded down: the second
    /// mention says more than the twentieth; and who searches wants the note, while who mentions it may
    /// have meant something else. So one star is worth one find, or three mentions.
    pub fn importance(&self) -> u64 {
        let doublings = |count: u64| u64::from(count.saturating_add(1).ilog2());
        let Usage { mentions, finds, .. } = self.usage;
        2 * u64::from(self.salience.get()) + doublings(mentions) + 2 * doublings(finds)
    }
}

impl Memory {
    /// Counts a note as used, because a search found it. Tells whether it exists.
    pub fn use_note(&mut self, id: NoteId) -> bool {
        let turn = self.current_turn();
        self.notes.mark(id, turn, |note| note.usage = note.usage.found_in(turn))
    }

    /// Counts the session's notes that the conversation mentioned in this turn.
    pub(in crate::memory) fn count_mentions(
        &mut self,
        mentioned: impl IntoIterator<Item = NoteId>,
    ) {
        let turn = self.current_turn();
        for id in mentioned {
            self.notes.mark(id, turn, |note| {
                note.usage.mentions = note.usage.mentions.saturating_add(1);
            });
        }
    }

    /// The notes that were used since this was asked last, by number, for whoever records it.
    pub fn take_used_notes(&mut self) -> Vec<NoteId> {
        std::mem::take(&mut self.notes.used).into_iter().collect()
    }
}
