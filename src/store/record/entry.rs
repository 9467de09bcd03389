//! One effort as the manifest holds it: our fields typed, everybody else's kept as they are.

use std::ops::Not;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{MOST, bounded, text};
use crate::memory::Status;

/// An entry of the manifest, its fields in the order in which they are written.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(remote = "Self")]
pub(crate) struct Entry {
    /// The id; a number or a boolean in the file is its text here.
    pub(crate) id: String,
    /// Open or concluded.
    pub(crate) status: Status,
    /// What stands for it once concluded.
    pub(crate) summary: Option<String>,
    /// The log's path inside the session, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw_file: Option<String>,
    /// The conversation belongs to it.
    pub(crate) active: bool,
    /// Free labels.
    pub(crate) tags: Vec<String>,
    /// Its summary has no countdown.
    pub(crate) pinned: bool,
    /// Its summary was sent out of the window and nobody mentioned it since.
    #[serde(skip_serializing_if = "Not::not")]
    pub(crate) evicted: bool,
    /// When it was opened, as a time stamp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) created: Option<String>,
    /// When the entry last changed, as a time stamp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) updated: Option<String>,
    /// What its last mention was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cause: Option<String>,
    /// The turn of its last mention, as far as `memory_state.json` does not know better.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_referenced_turn: Option<u64>,
    /// The turn in which it was last worked on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_used_turn: Option<u64>,
    /// Its place among those that were turned to in that turn, if it was not the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) nth_used: Option<u64>,
    /// Cost of its log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw_tokens: Option<u64>,
    /// Messages in its log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) raw_messages: Option<u64>,
    /// Cost of its summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) summary_tokens: Option<u64>,
    /// Details of its log that a summary may lose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) specifics: Vec<String>,
    /// The compressed parts of its log.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) compressed: Vec<Value>,
    /// Fields that we do not know, and known ones with a value that makes no sense to us.
    #[serde(flatten)]
    pub(crate) other: Map<String, Value>,
}

impl Entry {
    /// An open effort of which only the id is known.
    pub(crate) fn new(id: String) -> Self {
        Self { id, ..Self::default() }
    }

    /// Reads an entry; `None` without a usable id.
    pub(crate) fn from_fields(fields: Map<String, Value>) -> Option<Self> {
        let mut entry = Self::new(fields.get("id").and_then(text)?);
        if !fields.contains_key("status") && fields.get("summary").and_then(text).is_some() {
            entry.status = Status::Concluded;
        }
        entry.merge(fields);
        Some(entry)
    }

    /// Takes over the fields of a newer version; the others stay.
    pub(crate) fn merge(&mut self, fields: Map<String, Value>) {
        for (key, value) in fields {
            self.set(&key, value);
        }
    }

    /// Sets one field; one that makes no sense is kept among the others.
    pub(crate) fn set(&mut self, key: &str, value: Value) {
        let some_text = |value: &Value| text(value).map(Some);
        let some_number = |value: &Value| bounded(value).map(Some);
        let understood = match key {
            "id" => true,
            "status" => Status::deserialize(&value).map(|status| self.status = status).is_ok(),
            "summary" => take(&mut self.summary, &value, some_text),
            "raw_file" => take(&mut self.raw_file, &value, some_text),
            "created" => take(&mut self.created, &value, some_text),
            "updated" => take(&mut self.updated, &value, some_text),
            "cause" => take(&mut self.cause, &value, some_text),
            "tags" => take(&mut self.tags, &value, tags),
            "specifics" => take(&mut self.specifics, &value, texts),
            "active" => take(&mut self.active, &value, Value::as_bool),
            "pinned" => take(&mut self.pinned, &value, Value::as_bool),
            "evicted" => take(&mut self.evicted, &value, Value::as_bool),
            "last_referenced_turn" => take(&mut self.last_referenced_turn, &value, some_number),
            "last_used_turn" => {
                // The place in it is told behind it.
                self.nth_used = None;
                take(&mut self.last_used_turn, &value, some_number)
            }
            "nth_used" => take(&mut self.nth_used, &value, some_number),
            "raw_tokens" => take(&mut self.raw_tokens, &value, some_number),
            "raw_messages" => take(&mut self.raw_messages, &value, some_number),
            "summary_tokens" => take(&mut self.summary_tokens, &value, some_number),
            "compressed" => take(&mut self.compressed, &value, |value| value.as_array().cloned()),
            _ => false,
        };
        if understood {
            self.other.remove(key);
        } else {
            self.other.insert(key.to_owned(), value);
        }
    }

    /// The fields in the order in which they are written; one that makes no sense is in the place of ours.
    pub(crate) fn fields(&self) -> Map<String, Value> {
        match Self::serialize(self, serde_json::value::Serializer) {
            Ok(Value::Object(fields)) => fields,
            _ => Map::new(),
        }
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.fields().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entry = Self::from_fields(Map::deserialize(deserializer)?);
        entry.ok_or_else(|| D::Error::custom("an entry without an id"))
    }
}

/// The last turn that a session goes on from as its state says. Those that follow are to be read, too, so it
/// is far from [`MOST`].
pub(crate) const MOST_STATED_TURN: u64 = MOST / 2;

/// The last turn that is recovered where the state is broken: what is stored then is believed the next time.
pub(crate) const MOST_RECOVERED_TURN: u64 = MOST / 4;

/// Sets a field to a value that makes sense; `null` is none.
fn take<T: Default>(field: &mut T, value: &Value, read: impl Fn(&Value) -> Option<T>) -> bool {
    let new = if value.is_null() { Some(T::default()) } else { read(value) };
    new.map(|new| *field = new).is_some()
}

/// A list of texts, or one that stands alone.
fn tags(value: &Value) -> Option<Vec<String>> {
    texts(value).or_else(|| text(value).map(|tag| vec![tag]))
}

/// A list of texts; anything else is somebody else's.
fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(text).collect()
}
