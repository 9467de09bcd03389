//! What memory held at some point of the journal: the window's items and the last two hundred that left,
//! never one for each effort of the session. A line tells it where a session was opened; the time machine
//! takes the lines that follow in, and keeps it in files.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::entry::Entry;
use super::note::StoredNote;
use super::rules::StoredRules;
use super::sane::{count, list, must, number, sane, scalar};
use super::turn::Moment;
use crate::memory::{MOST_LISTED, NoteId, NoteState};

/// Memory at some point of the journal.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct State {
    /// The turn that ended last.
    #[serde(deserialize_with = "must")]
    pub(crate) turn: u64,
    /// The rules in force; `None` before a line told them.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) rules: Option<StoredRules>,
    /// The model that answered last, if a turn told.
    #[serde(default, deserialize_with = "scalar", skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Where the journal tells the system prompt and the tools.
    #[serde(default, deserialize_with = "number")]
    pub(crate) frame: Option<u64>,
    /// Least recently used first.
    #[serde(default, deserialize_with = "list")]
    pub(crate) open: Vec<Held>,
    /// Oldest expansion first.
    #[serde(default, deserialize_with = "list")]
    pub(crate) expanded: Vec<Held>,
    /// In the order in which they came.
    #[serde(default, deserialize_with = "list")]
    pub(crate) warm: Vec<Held>,
    /// Newest last.
    #[serde(default, deserialize_with = "list")]
    pub(crate) evicted: Vec<Held>,
    /// Bytes of the ambient log.
    #[serde(deserialize_with = "must")]
    pub(crate) ambient_end: u64,
    /// Notes of the session and permanent ones.
    #[serde(default, serialize_with = "kept", deserialize_with = "by_number")]
    pub(crate) notes: BTreeMap<NoteId, StoredNote>,
    /// The sums and forms of the last turn.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) moment: Moment,
}

/// An effort that is in the window or left it lately.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Held {
    /// As the manifest knew it.
    pub(crate) entry: Entry,
    /// Its place among the summaries of the window.
    #[serde(default, deserialize_with = "count")]
    pub(crate) place: u64,
    /// Bytes of its log at that time, if a turn told.
    #[serde(default, deserialize_with = "number")]
    pub(crate) end: Option<u64>,
}

impl State {
    /// Takes a note as it is now; a removed one is held no longer.
    pub(crate) fn hold_note(&mut self, stored: StoredNote) {
        if stored.note.state == NoteState::Removed {
            self.notes.remove(&stored.note.id);
        } else {
            self.notes.insert(stored.note.id, stored);
        }
    }
}

/// Notes of the session and of the permanent ones those that a view lists.
fn kept<S: Serializer>(
    notes: &BTreeMap<NoteId, StoredNote>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let is_permanent = |stored: &&StoredNote| stored.note.state == NoteState::Permanent;
    let permanent = notes.values().filter(is_permanent).count();
    let mut skip = permanent.saturating_sub(MOST_LISTED);
    serializer.collect_seq(notes.values().filter(|stored| {
        let skipped = skip > 0 && is_permanent(stored);
        skip -= usize::from(skipped);
        !skipped
    }))
}

fn by_number<'de, D>(field: D) -> Result<BTreeMap<NoteId, StoredNote>, D::Error>
where
    D: Deserializer<'de>,
{
    let mut state = State::default();
    list(field)?.into_iter().for_each(|stored| state.hold_note(stored));
    Ok(state.notes)
}
