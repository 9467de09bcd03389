//! `notes.json`: the notes as they were at some point of the journal.
//!
//! A derived file: every change of a note stands in the journal with the note before and after, so that
//! a missing or broken file is rebuilt from there. It keeps a session with a long journal fast to open.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::memory::{Note, NoteId, NoteState, Turn};
use crate::store::disk::object::{others, read_object, write_object};
use crate::store::disk::paths::Paths;
use crate::store::journal;
use crate::store::record::{StoredNote, Told, bounded};
use crate::store::{Error, Problem};

const FIELDS: [&str; 3] = ["journal_bytes", "last_note", "notes"];

/// The notes of a session, as stored.
#[derive(Debug, Default)]
pub(crate) struct StoredNotes {
    /// Bytes of the journal that they include.
    journal_bytes: u64,
    /// The highest number ever given.
    last_note: u64,
    /// The removed ones as well: one that comes back is as it was.
    notes: BTreeMap<NoteId, StoredNote>,
    /// Fields of other programs.
    other: Map<String, Value>,
}

impl StoredNotes {
    /// Notes of a starting state, numbered in their order.
    pub(crate) fn starting(notes: impl IntoIterator<Item = Note>) -> Self {
        let mut stored = Self::default();
        notes.into_iter().for_each(|note| stored.put(note.into()));
        stored
    }

    /// Reads the file and takes the journal's newer lines in, up to a position.
    pub(crate) fn current(
        paths: &Paths,
        upto: u64,
        problems: &mut Vec<Problem>,
    ) -> Result<Self, Error> {
        let fields = read_object(&paths.notes(), paths.mend, problems)?;
        let mut stored = fields.map(Self::parse).unwrap_or_default();
        let from = stored.journal_bytes.min(upto);
        let read = journal::told(&paths.journal(), from, Some(upto), |told| stored.take_in(told))?;
        stored.journal_bytes = read.end;
        Ok(stored)
    }

    /// Replaces the file.
    pub(crate) fn write(&self, paths: &Paths) -> Result<(), Error> {
        let notes: Vec<&StoredNote> =
            self.notes.values().filter(|stored| is_kept(stored)).collect();
        let mut fields = Map::new();
        fields.insert("journal_bytes".into(), self.journal_bytes.into());
        fields.insert("last_note".into(), self.last_note.into());
        fields.insert("notes".into(), json!(notes));
        fields.extend(self.other.clone());
        write_object(&paths.disk, &paths.notes(), fields)
    }

    /// The notes by number, and the highest number ever given.
    pub(crate) fn into_parts(self) -> (Vec<Note>, u64) {
        let kept = self.notes.into_values().filter(is_kept);
        (kept.map(|stored| stored.note).collect(), self.last_note)
    }

    fn parse(mut fields: Map<String, Value>) -> Self {
        let number = |key: &str| fields.get(key).and_then(bounded).unwrap_or(0);
        let (journal_bytes, last_note) = (number("journal_bytes"), number("last_note"));
        let mut stored = Self { journal_bytes, last_note, ..Self::default() };
        if let Some(Value::Array(notes)) = fields.remove("notes") {
            let notes = notes.into_iter().filter_map(|note| serde_json::from_value(note).ok());
            notes.for_each(|note| stored.put(note));
        }
        stored.other = others(fields, &FIELDS);
        stored
    }

    fn take_in(&mut self, told: Told) {
        if let Some(edit) = told.note {
            self.put_known(edit.after.note);
        }
        for (id, usage) in told.used.iter() {
            if let Some(StoredNote { note, .. }) = self.notes.get_mut(&id) {
                note.last_used = Turn(told.turn);
                note.usage = usage.unwrap_or(note.usage);
            }
        }
    }

    /// Takes a note as it is now; what other programs told of it stays.
    fn put_known(&mut self, note: Note) {
        let other = self.notes.get_mut(&note.id).map(|known| std::mem::take(&mut known.other));
        self.put(StoredNote { note, other: other.unwrap_or_default() });
    }

    fn put(&mut self, stored: StoredNote) {
        self.last_note = self.last_note.max(stored.note.id.0);
        self.notes.insert(stored.note.id, stored);
    }
}

/// Whether a note was not removed.
fn is_kept(stored: &StoredNote) -> bool {
    stored.note.state != NoteState::Removed
}
