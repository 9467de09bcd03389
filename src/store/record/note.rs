//! Notes as they are stored, in the journal and in `notes.json`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::sane::{Listed, MOST, list, number, sane};
use crate::memory::{EffortId, Memory, Note, NoteEdit, NoteId, NoteState, Salience, Turn, Usage};

/// A note with what other programs tell of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "Fields", try_from = "Fields")]
pub(crate) struct StoredNote {
    /// The note.
    pub(crate) note: Note,
    /// Fields of other programs.
    pub(crate) other: Map<String, Value>,
}

/// What a change did to a note.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredEdit {
    /// The note as it was; `None` if it is new.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) before: Option<StoredNote>,
    /// The note as it is.
    pub(crate) after: StoredNote,
}

/// The fields of a note.
#[derive(Serialize, Deserialize)]
struct Fields {
    id: String,
    content: String,
    #[serde(default, deserialize_with = "list")]
    tags: Vec<String>,
    #[serde(default, deserialize_with = "sane")]
    salience: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    created: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    entered: Option<u64>,
    #[serde(default, deserialize_with = "number")]
    last_used: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    pinned: bool,
    #[serde(default, deserialize_with = "sane")]
    state: Option<NoteState>,
    #[serde(default, deserialize_with = "sane")]
    effort: Option<EffortId>,
    #[serde(flatten)]
    usage: StoredUsage,
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    thread: Option<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// How often a note was used; nothing of one that never was.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct StoredUsage {
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "is_none")]
    mentions: u64,
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "is_none")]
    finds: u64,
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    last_found: Option<u64>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over like that")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Notes that were used, and how often by now. Older lines do not tell how often.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct NoteUses {
    #[serde(default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    notes_used: Vec<String>,
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    note_usage: Option<Listed<StoredUsage>>,
}

impl NoteUses {
    /// Notes that were used; nothing is told of none.
    pub(crate) fn new(used: &[NoteId], memory: &Memory) -> Self {
        let notes = used.iter().filter_map(|&id| memory.note(id));
        let usage = notes.map(|note| (note.id.to_string(), note.usage.into())).collect();
        Self {
            notes_used: used.iter().map(NoteId::to_string).collect(),
            note_usage: (!used.is_empty()).then_some(Listed(usage)),
        }
    }

    /// The notes, each with how often it was used, if that is told.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NoteId, Option<Usage>)> {
        self.notes_used.iter().filter_map(|name| {
            let usage = self.note_usage.as_ref().and_then(|usage| usage.get(name));
            Some((NoteId::parse(name)?, usage.map(Usage::from)))
        })
    }
}

impl From<Note> for StoredNote {
    fn from(note: Note) -> Self {
        Self { note, other: Map::new() }
    }
}

impl From<&NoteEdit> for StoredEdit {
    fn from(edit: &NoteEdit) -> Self {
        Self { before: edit.before.clone().map(Into::into), after: edit.after.clone().into() }
    }
}

impl From<StoredEdit> for NoteEdit {
    fn from(edit: StoredEdit) -> Self {
        Self { before: edit.before.map(|stored| stored.note), after: edit.after.note }
    }
}

impl From<Usage> for StoredUsage {
    fn from(usage: Usage) -> Self {
        let Usage { mentions, finds, last_found } = usage;
        Self { mentions, finds, last_found: last_found.map(|turn| turn.0) }
    }
}

impl From<&StoredUsage> for Usage {
    fn from(usage: &StoredUsage) -> Self {
        let &StoredUsage { mentions, finds, last_found } = usage;
        Self { mentions, finds, last_found: last_found.map(Turn) }
    }
}

impl From<StoredNote> for Fields {
    fn from(StoredNote { note, other }: StoredNote) -> Self {
        Self {
            id: note.id.to_string(),
            content: note.content.to_string(),
            tags: note.tags,
            salience: Some(note.salience.get().into()),
            created: Some(note.created.0),
            entered: Some(note.entered.0),
            last_used: Some(note.last_used.0),
            pinned: note.pinned,
            state: Some(note.state),
            effort: note.effort,
            usage: note.usage.into(),
            thread: note.thread.map(|id| id.to_string()),
            other,
        }
    }
}

impl TryFrom<Fields> for StoredNote {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        let id =
            NoteId::parse(&fields.id).filter(|id| id.0 <= MOST).ok_or("no number of a note")?;
        let created = fields.created.map(Turn).unwrap_or_default();
        let entered = fields.entered.map_or(created, Turn);
        let salience = fields.salience.and_then(|stars| Salience::new(stars).ok());
        let note = Note {
            id,
            content: fields.content.into(),
            tags: fields.tags,
            salience: salience.unwrap_or_default(),
            created,
            entered,
            last_used: fields.last_used.map_or(entered, Turn),
            pinned: fields.pinned,
            state: fields.state.unwrap_or(NoteState::Session),
            effort: fields.effort,
            usage: (&fields.usage).into(),
            thread: fields.thread.as_deref().and_then(NoteId::parse),
        };
        Ok(Self { note, other: fields.other })
    }
}
