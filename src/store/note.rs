//! `notes.json`: the notes as they were at some point of the journal.
//!
//! A derived file: every change of a note stands in the journal with the note before and after, so that
//! a missing or broken file is rebuilt from there. It keeps a session with a long journal fast to open.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::entry::{MOST, bounded};
use super::journal::{self, Record, object};
use super::paths::Paths;
use super::state::{others, read_object, write_object};
use super::{Error, Problem};
use crate::memory::{EffortId, Memory, Note, NoteEdit, NoteId, NoteState, Salience, Turn, Usage};

const FIELDS: [&str; 3] = ["journal_bytes", "last_note", "notes"];

/// The fields of a note.
const NOTE_FIELDS: [&str; 14] = [
    "id",
    "content",
    "tags",
    "salience",
    "created",
    "entered",
    "last_used",
    "pinned",
    "state",
    "effort",
    "mentions",
    "finds",
    "last_found",
    "thread",
];

/// The notes of a session, as stored.
#[derive(Debug, Default)]
pub(super) struct StoredNotes {
    /// Bytes of the journal that they include.
    journal_bytes: u64,
    /// The highest number ever given.
    last_note: u64,
    notes: BTreeMap<NoteId, Note>,
    /// What other programs tell of single notes.
    of_notes: BTreeMap<NoteId, Map<String, Value>>,
    /// Fields of other programs.
    other: Map<String, Value>,
}

impl StoredNotes {
    /// Notes of a starting state, numbered in their order.
    pub(super) fn starting(notes: impl IntoIterator<Item = Note>) -> Self {
        let mut stored = Self::default();
        notes.into_iter().for_each(|note| stored.put(note));
        stored
    }

    /// Reads the file and takes the journal's newer lines in, up to a position.
    pub(super) fn current(
        paths: &Paths,
        upto: u64,
        problems: &mut Vec<Problem>,
    ) -> Result<Self, Error> {
        let fields = read_object(&paths.notes(), paths.mend, problems)?;
        let mut stored = fields.map(Self::parse).unwrap_or_default();
        let from = stored.journal_bytes.min(upto);
        let read = journal::records(&paths.journal(), from, Some(upto), |r| stored.take_in(&r))?;
        stored.journal_bytes = read.end;
        Ok(stored)
    }

    /// Replaces the file.
    pub(super) fn write(&self, paths: &Paths) -> Result<(), Error> {
        let notes: Vec<Value> = self.notes.values().map(|note| self.with_others(note)).collect();
        let mut fields = object(json!({
            "journal_bytes": self.journal_bytes, "last_note": self.last_note, "notes": notes,
        }));
        fields.extend(self.other.clone());
        write_object(&paths.disk, &paths.notes(), fields)
    }

    /// A note with what other programs tell of it.
    fn with_others(&self, note: &Note) -> Value {
        let mut fields = object(note_fields(note));
        fields.extend(self.of_notes.get(&note.id).cloned().unwrap_or_default());
        fields.into()
    }

    /// The notes by number, and the highest number ever given.
    pub(super) fn into_parts(self) -> (Vec<Note>, u64) {
        (self.notes.into_values().collect(), self.last_note)
    }

    fn parse(fields: Map<String, Value>) -> Self {
        let number = |key: &str| fields.get(key).and_then(bounded).unwrap_or(0);
        let mut stored = Self { journal_bytes: number("journal_bytes"), ..Self::default() };
        let notes = fields.get("notes").and_then(Value::as_array).into_iter().flatten();
        for value in notes {
            let Some(note) = read_note(value) else { continue };
            let other = others(object(value.clone()), &NOTE_FIELDS);
            if !other.is_empty() {
                stored.of_notes.insert(note.id, other);
            }
            stored.put(note);
        }
        stored.last_note = stored.last_note.max(number("last_note"));
        stored.other = others(fields, &FIELDS);
        stored
    }

    fn take_in(&mut self, record: &Record) {
        if let Some(edit) = record.fields.get("note").and_then(read_edit) {
            self.put(edit.after);
        }
        for (id, counts) in uses(record) {
            if let Some(note) = self.notes.get_mut(&id) {
                note.last_used = record.turn;
                note.usage = counts.map_or(note.usage, read_usage);
            }
        }
    }

    fn put(&mut self, note: Note) {
        self.last_note = self.last_note.max(note.id.0);
        if note.state == NoteState::Removed {
            self.notes.remove(&note.id);
        } else {
            self.notes.insert(note.id, note);
        }
    }
}

/// What the journal says about notes that were used: which, and how often by now.
pub(super) fn uses_fields(used: &[NoteId], memory: &Memory) -> Map<String, Value> {
    let names: Vec<String> = used.iter().map(NoteId::to_string).collect();
    let counts = used
        .iter()
        .filter_map(|&id| memory.note(id))
        .map(|note| (note.id.to_string(), Value::Object(usage_fields(&note.usage))));
    object(json!({"notes_used": names, "note_usage": counts.collect::<Map<_, _>>()}))
}

/// Reads what [`uses_fields`] wrote; older lines do not tell how often.
pub(super) fn uses(record: &Record) -> impl Iterator<Item = (NoteId, Option<&Value>)> {
    let counts = record.fields.get("note_usage");
    let used = record.fields.get("notes_used").and_then(Value::as_array);
    used.into_iter().flatten().filter_map(move |name| {
        let name = name.as_str()?;
        Some((NoteId::parse(name)?, counts.and_then(|counts| counts.get(name))))
    })
}

/// What the journal says about a change of a note.
pub(super) fn edit_fields(edit: &NoteEdit) -> Value {
    json!({"before": edit.before.as_ref().map(note_fields), "after": note_fields(&edit.after)})
}

/// Reads what the journal says about a change of a note; `None` if it makes no sense.
pub(super) fn read_edit(fields: &Value) -> Option<NoteEdit> {
    Some(NoteEdit { before: read_note(&fields["before"]), after: read_note(&fields["after"])? })
}

pub(super) fn note_fields(note: &Note) -> Value {
    let mut fields = object(json!({
        "id": note.id.to_string(),
        "content": &*note.content,
        "tags": note.tags,
        "salience": note.salience.get(),
        "created": note.created.0,
        "entered": note.entered.0,
        "last_used": note.last_used.0,
        "pinned": note.pinned,
        "state": note.state.as_str(),
        "effort": note.effort.as_ref().map(EffortId::as_str),
    }));
    fields.extend(usage_fields(&note.usage));
    if let Some(thread) = note.thread {
        fields.insert("thread".into(), thread.to_string().into());
    }
    fields.into()
}

/// How often a note was used; nothing of one that never was.
fn usage_fields(usage: &Usage) -> Map<String, Value> {
    let mut fields = Map::new();
    let counts = [("mentions", usage.mentions), ("finds", usage.finds)];
    for (key, count) in counts.into_iter().filter(|&(_, count)| count > 0) {
        fields.insert(key.into(), count.into());
    }
    if let Some(turn) = usage.last_found {
        fields.insert("last_found".into(), turn.0.into());
    }
    fields
}

fn read_usage(fields: &Value) -> Usage {
    let count = |key: &str| fields[key].as_u64().unwrap_or(0);
    let last_found = fields["last_found"].as_u64().map(Turn);
    Usage { mentions: count("mentions"), finds: count("finds"), last_found }
}

pub(super) fn read_note(fields: &Value) -> Option<Note> {
    let turn = |key: &str| bounded(&fields[key]).map(Turn);
    let created = turn("created").unwrap_or_default();
    let entered = turn("entered").unwrap_or(created);
    let salience = fields["salience"].as_u64().and_then(|stars| Salience::new(stars).ok());
    let tags = fields["tags"].as_array().into_iter().flatten();
    Some(Note {
        id: NoteId::parse(fields["id"].as_str()?).filter(|id| id.0 <= MOST)?,
        content: fields["content"].as_str()?.into(),
        tags: tags.filter_map(|tag| tag.as_str().map(str::to_owned)).collect(),
        salience: salience.unwrap_or_default(),
        created,
        entered,
        last_used: turn("last_used").unwrap_or(entered),
        pinned: fields["pinned"].as_bool().unwrap_or(false),
        state: fields["state"]
            .as_str()
            .and_then(NoteState::from_name)
            .unwrap_or(NoteState::Session),
        effort: fields["effort"].as_str().map(EffortId::stored),
        usage: read_usage(fields),
        thread: fields["thread"].as_str().and_then(NoteId::parse),
    })
}
