//! What a person, the model and the budget do with notes.

use super::super::{ASKED_FOR, Change, ChangeKind, EffortId, Memory, Rejected, Subject, Turn};
use super::{
    BadLimits, Note, NoteEdit, NoteId, NoteLimits, NoteState, Salience, UNDONE, Usage, new_content,
    new_tag, new_tags,
};

impl Memory {
    /// Makes a note. It enters the window and belongs to the effort that is active now.
    ///
    /// # Errors
    /// Rejects a content that is empty or too long, and a tag that is none.
    pub fn remember(
        &mut self,
        content: &str,
        tags: &[String],
        salience: Salience,
    ) -> Result<Change, Rejected> {
        let turn = self.current_turn();
        let note = Note {
            id: self.notes.next_id(),
            content: new_content(content)?,
            tags: new_tags(tags)?,
            salience,
            created: turn,
            entered: turn,
            last_used: turn,
            pinned: false,
            state: NoteState::Session,
            effort: self.active().map(|effort| effort.id.clone()),
            usage: Usage::default(),
            thread: None,
        };
        let edit = NoteEdit { before: None, after: note };
        Ok(self.change_note(ChangeKind::NoteRemembered, ASKED_FOR, edit))
    }

    /// Replaces what a note says.
    ///
    /// # Errors
    /// Rejects an unknown note and a content that is empty, too long or the same.
    pub fn edit_note(&mut self, id: NoteId, content: &str) -> Result<Change, Rejected> {
        let content = new_content(content)?;
        self.edit(id, ChangeKind::NoteEdited, "new words", "worded like that", |note| {
            note.content = content;
        })
    }

    /// Changes a note's salience.
    ///
    /// # Errors
    /// Rejects an unknown note and the salience that it has.
    pub fn weigh_note(&mut self, id: NoteId, salience: Salience) -> Result<Change, Rejected> {
        let cause = format!("salience {}", salience.stars());
        self.edit(id, ChangeKind::NoteEdited, &cause, "of that salience", |note| {
            note.salience = salience;
        })
    }

    /// Adds a tag to a note.
    ///
    /// # Errors
    /// Rejects an unknown note, what cannot be a tag, one too many, and a tag that it has.
    pub fn tag_note(&mut self, id: NoteId, tag: &str) -> Result<Change, Rejected> {
        let tag = new_tag(tag)?;
        let mut tags = self.existing(id)?.tags.clone();
        tags.push(tag.clone());
        let tags = new_tags(&tags)?;
        let cause = format!("tagged {tag}");
        self.edit(id, ChangeKind::NoteEdited, &cause, "tagged like that", |note| note.tags = tags)
    }

    /// Takes a tag from a note.
    ///
    /// # Errors
    /// Rejects an unknown note and a tag that it has not.
    pub fn untag_note(&mut self, id: NoteId, tag: &str) -> Result<Change, Rejected> {
        let tag = new_tag(tag)?;
        let mut tags = self.existing(id)?.tags.clone();
        if !tags.contains(&tag) {
            return Err(Rejected::NoSuchTag { id, tag, tags });
        }
        tags.retain(|kept| *kept != tag);
        let cause = format!("no longer tagged {tag}");
        self.edit(id, ChangeKind::NoteEdited, &cause, "untagged", |note| note.tags = tags)
    }

    /// Pins a note, or lets it go again. A pinned note does not leave by itself below the hard limit.
    ///
    /// # Errors
    /// Rejects an unknown note and one that is pinned, or not, already.
    pub fn pin_note(&mut self, id: NoteId, pinned: bool) -> Result<Change, Rejected> {
        let (kind, state) = if pinned {
            (ChangeKind::NotePinned, "pinned")
        } else {
            (ChangeKind::NoteUnpinned, "unpinned")
        };
        self.edit(id, kind, ASKED_FOR, state, |note| note.pinned = pinned)
    }

    /// Removes a note from the window and the search. The change still holds it.
    ///
    /// # Errors
    /// Rejects an unknown note.
    pub fn delete_note(&mut self, id: NoteId) -> Result<Change, Rejected> {
        self.existing(id)?;
        self.drop_note(id, "deleted").ok_or(Rejected::RemovedNote(id))
    }

    /// Sends a note out of the window for good; a search still finds it.
    ///
    /// # Errors
    /// Rejects an unknown note and one that is permanent already.
    pub fn archive_note(&mut self, id: NoteId) -> Result<Change, Rejected> {
        self.existing(id)?;
        let state = NoteState::Permanent.as_str();
        self.shelve_note(id, None, "archived on request").ok_or(Rejected::NoteAlready { id, state })
    }

    /// Brings a permanent note back into the window, as if it were new. Where threads are kept together,
    /// its thread comes with it, as far as the limits let it stay.
    ///
    /// # Errors
    /// Rejects an unknown note and one that is in the window.
    pub fn return_note(&mut self, id: NoteId, cause: &str) -> Result<Vec<Change>, Rejected> {
        let note = self.existing(id)?.clone();
        if note.state == NoteState::Session {
            return Err(Rejected::NoteAlready { id, state: "in the window" });
        }
        let fellows =
            if self.notes.limits.threads { self.notes.archived_fellows(&note) } else { Vec::new() };
        let usage = note.usage.found_in(self.current_turn());
        let mut changes: Vec<Change> = self.bring_back(id, usage, cause).into_iter().collect();
        let cause = format!("with {id} of its thread");
        for id in fellows.into_iter().take(self.room_for_notes()) {
            let usage = self.notes.get(id).map(|note| note.usage).unwrap_or_default();
            changes.extend(self.bring_back(id, usage, &cause));
        }
        Ok(changes)
    }

    fn bring_back(&mut self, id: NoteId, usage: Usage, cause: &str) -> Option<Change> {
        let before = self.notes.get(id)?.clone();
        let after = Note { state: NoteState::Session, usage, ..before.clone() };
        let edit = NoteEdit { before: Some(before), after: entering(after, self.current_turn()) };
        Some(self.change_note(ChangeKind::NoteRestored, cause, edit))
    }

    /// How many more notes the next check would leave in the window.
    fn room_for_notes(&self) -> usize {
        let stats = self.note_stats();
        if stats.enabled { stats.soft_limit.saturating_sub(stats.current + 1) } else { usize::MAX }
    }

    /// Undoes what a change did to a note: it is again as it was before, and one that was new is
    /// removed. A note that comes back into the window counts as new there, or the next check would
    /// send it out again. Undoing the change that this returns redoes the first. Changes may be undone
    /// in any order; a note that is no longer held is taken to be as the given change left it.
    pub fn undo_note(&mut self, edit: &NoteEdit) -> Change {
        self.take_back_note(edit, UNDONE)
    }

    /// The same with a cause of its own.
    pub(in crate::memory) fn take_back_note(&mut self, edit: &NoteEdit, cause: &str) -> Change {
        let removed = || Note { state: NoteState::Removed, ..edit.after.clone() };
        let now = self.notes.get(edit.after.id).cloned().unwrap_or_else(removed);
        let old = Note { usage: now.usage, ..edit.before.clone().unwrap_or_else(removed) };
        let (kind, after) = match (now.state, old.state) {
            (_, NoteState::Removed) => (ChangeKind::NoteRemoved, old),
            (NoteState::Session, NoteState::Permanent) => (ChangeKind::NoteArchived, old),
            (NoteState::Permanent | NoteState::Removed, NoteState::Session) => {
                (ChangeKind::NoteRestored, entering(old, self.current_turn()))
            }
            _ => (ChangeKind::NoteRestored, old),
        };
        let before = Some(now);
        self.change_note(kind, cause, NoteEdit { before, after })
    }

    /// Archives all notes of the session that were made while an effort was active, but for the pinned
    /// ones. Protected tags do not keep them: the whole thread goes together.
    pub fn archive_notes_of(&mut self, effort: &EffortId) -> Vec<Change> {
        let together = |note: &Note| !note.pinned && note.effort.as_ref() == Some(effort);
        let leaving: Vec<NoteId> = self
            .notes
            .in_session()
            .filter(|held| together(&held.note))
            .map(|held| held.note.id)
            .collect();
        let cause = format!("with its effort {effort}");
        leaving.into_iter().filter_map(|id| self.shelve_note(id, None, &cause)).collect()
    }

    /// A note of the session or a permanent one.
    pub fn note(&self, id: NoteId) -> Option<&Note> {
        self.notes.get(id)
    }

    /// The highest number ever given to a note; stored, so that none is given twice.
    pub fn last_note(&self) -> u64 {
        self.notes.last_id
    }

    /// The number that a person or a model means by `n3`, `[n3]` or `3`.
    ///
    /// # Errors
    /// Rejects what is no number of a note, and one whose note was removed.
    pub fn find_note(&self, id: &str) -> Result<NoteId, Rejected> {
        let unknown = || Rejected::UnknownNote(id.chars().take(64).collect());
        let found = NoteId::parse(id).ok_or_else(unknown)?;
        self.existing(found).map(|note| note.id)
    }

    /// The limits in force.
    pub fn note_limits(&self) -> &NoteLimits {
        &self.notes.limits
    }

    /// Changes the limits; they hold from the next check on.
    ///
    /// # Errors
    /// Limits that make no sense together; the old ones stay in force.
    pub fn set_note_limits(&mut self, limits: NoteLimits) -> Result<(), BadLimits> {
        limits.check()?;
        self.notes.limits = limits;
        Ok(())
    }

    pub(super) fn drop_note(&mut self, id: NoteId, cause: &str) -> Option<Change> {
        let before = self.notes.get(id)?.clone();
        let after = Note { state: NoteState::Removed, ..before.clone() };
        let edit = NoteEdit { before: Some(before), after };
        Some(self.change_note(ChangeKind::NoteRemoved, cause, edit))
    }

    /// Archives a note, with the thread that it leaves with.
    pub(super) fn shelve_note(
        &mut self,
        id: NoteId,
        thread: Option<NoteId>,
        cause: &str,
    ) -> Option<Change> {
        let before = self.notes.get(id).filter(|note| note.state == NoteState::Session)?.clone();
        let after = Note { state: NoteState::Permanent, thread, ..before.clone() };
        let edit = NoteEdit { before: Some(before), after };
        Some(self.change_note(ChangeKind::NoteArchived, cause, edit))
    }

    fn existing(&self, id: NoteId) -> Result<&Note, Rejected> {
        self.notes.get(id).ok_or_else(|| {
            // Every number up to the last was given once.
            if (1..=self.notes.last_id).contains(&id.0) {
                Rejected::RemovedNote(id)
            } else {
                Rejected::UnknownNote(id.to_string())
            }
        })
    }

    fn edit(
        &mut self,
        id: NoteId,
        kind: ChangeKind,
        cause: &str,
        already: &'static str,
        change: impl FnOnce(&mut Note),
    ) -> Result<Change, Rejected> {
        let before = self.existing(id)?.clone();
        let mut after = before.clone();
        change(&mut after);
        if after == before {
            return Err(Rejected::NoteAlready { id, state: already });
        }
        after.last_used = self.current_turn();
        Ok(self.change_note(kind, cause, NoteEdit { before: Some(before), after }))
    }

    /// The one place where a note changes.
    fn change_note(&mut self, kind: ChangeKind, cause: &str, edit: NoteEdit) -> Change {
        let before = self.layers().total();
        let tokens = self.counter.count(&edit.after.line());
        self.notes.put(edit.after.clone(), tokens);
        self.replan();
        let (turn, subject) = (self.current_turn(), Subject::Note(edit.after.id));
        Change::new(turn, kind, subject, cause, (before, self.layers().total())).with_note(edit)
    }
}

/// The note as it enters the session in a turn.
fn entering(note: Note, turn: Turn) -> Note {
    Note { entered: turn, last_used: turn, thread: None, ..note }
}
