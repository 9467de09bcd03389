//! One effort as the manifest holds it: our fields typed, everybody else's kept as they are.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::{MOST, bounded, text};
use crate::memory::Status;

/// An entry of the manifest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    /// The id; a number or a boolean in the file is its text here.
    pub(crate) id: String,
    /// Open or concluded.
    pub(crate) status: Status,
    /// What stands for it once concluded.
    pub(crate) summary: Option<String>,
    /// The log's path inside the session, as written.
    pub(crate) raw_file: Option<String>,
    /// The conversation belongs to it.
    pub(crate) active: bool,
    /// Free labels.
    pub(crate) tags: Vec<String>,
    /// Its summary has no countdown.
    pub(crate) pinned: bool,
    /// Its summary was sent out of the window and nobody mentioned it since.
    pub(crate) evicted: bool,
    /// When it was opened, as a time stamp.
    pub(crate) created: Option<String>,
    /// When the entry last changed, as a time stamp.
    pub(crate) updated: Option<String>,
    /// The turn of its last mention, as far as `memory_state.json` does not know better.
    pub(crate) last_referenced_turn: Option<u64>,
    /// What the mention was.
    pub(crate) cause: Option<String>,
    /// The turn in which it was last worked on.
    pub(crate) last_used_turn: Option<u64>,
    /// Cost of its log.
    pub(crate) raw_tokens: Option<u64>,
    /// Messages in its log.
    pub(crate) raw_messages: Option<u64>,
    /// Cost of its summary.
    pub(crate) summary_tokens: Option<u64>,
    /// Details of its log that a summary may lose.
    pub(crate) specifics: Vec<String>,
    /// The compressed parts of its log.
    pub(crate) compressed: Vec<Value>,
    /// Fields that we do not know, and known ones with a value that makes no sense to us.
    pub(crate) other: Map<String, Value>,
}

impl Entry {
    /// An open effort of which only the id is known.
    pub(crate) fn new(id: String) -> Self {
        Self {
            id,
            status: Status::Open,
            summary: None,
            raw_file: None,
            active: false,
            tags: Vec::new(),
            pinned: false,
            evicted: false,
            created: None,
            updated: None,
            last_referenced_turn: None,
            cause: None,
            last_used_turn: None,
            raw_tokens: None,
            raw_messages: None,
            summary_tokens: None,
            specifics: Vec::new(),
            compressed: Vec::new(),
            other: Map::new(),
        }
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
        let understood = match key {
            "id" => true,
            "status" => status(&value).map(|status| self.status = status).is_some(),
            "summary" => set_text(&mut self.summary, &value),
            "raw_file" => set_text(&mut self.raw_file, &value),
            "created" => set_text(&mut self.created, &value),
            "updated" => set_text(&mut self.updated, &value),
            "cause" => set_text(&mut self.cause, &value),
            "tags" => tags(&value).map(|tags| self.tags = tags).is_some(),
            "specifics" => texts(&value).map(|texts| self.specifics = texts).is_some(),
            "active" => set_flag(&mut self.active, &value),
            "pinned" => set_flag(&mut self.pinned, &value),
            "evicted" => set_flag(&mut self.evicted, &value),
            "last_referenced_turn" => set_number(&mut self.last_referenced_turn, &value),
            "last_used_turn" => set_number(&mut self.last_used_turn, &value),
            "raw_tokens" => set_number(&mut self.raw_tokens, &value),
            "raw_messages" => set_number(&mut self.raw_messages, &value),
            "summary_tokens" => set_number(&mut self.summary_tokens, &value),
            "compressed" => set_list(&mut self.compressed, &value),
            _ => false,
        };
        if understood {
            self.other.remove(key);
        } else {
            self.other.insert(key.to_owned(), value);
        }
    }

    /// The fields in the order in which they are written.
    pub(crate) fn fields(&self) -> Map<String, Value> {
        let mut fields = Map::new();
        fields.insert("id".into(), self.id.clone().into());
        fields.insert("status".into(), self.status.as_str().into());
        fields.insert("summary".into(), self.summary.clone().into());
        if let Some(file) = &self.raw_file {
            fields.insert("raw_file".into(), file.clone().into());
        }
        fields.insert("active".into(), self.active.into());
        fields.insert("tags".into(), self.tags.clone().into());
        fields.insert("pinned".into(), self.pinned.into());
        if self.evicted {
            fields.insert("evicted".into(), true.into());
        }
        let texts =
            [("created", &self.created), ("updated", &self.updated), ("cause", &self.cause)];
        let numbers = [
            ("last_referenced_turn", self.last_referenced_turn),
            ("last_used_turn", self.last_used_turn),
            ("raw_tokens", self.raw_tokens),
            ("raw_messages", self.raw_messages),
            ("summary_tokens", self.summary_tokens),
        ];
        for (key, value) in texts {
            if let Some(text) = value {
                fields.insert(key.into(), text.clone().into());
            }
        }
        for (key, value) in numbers {
            if let Some(number) = value {
                fields.insert(key.into(), number.into());
            }
        }
        if !self.specifics.is_empty() {
            fields.insert("specifics".into(), self.specifics.clone().into());
        }
        if !self.compressed.is_empty() {
            fields.insert("compressed".into(), self.compressed.clone().into());
        }
        for (key, value) in &self.other {
            fields.insert(key.clone(), value.clone());
        }
        fields
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

fn status(value: &Value) -> Option<Status> {
    match value.as_str()? {
        "open" => Some(Status::Open),
        "concluded" => Some(Status::Concluded),
        _ => None,
    }
}

fn tags(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => items.iter().map(text).collect(),
        single => text(single).map(|tag| vec![tag]),
    }
}

/// A list of texts; anything else is somebody else's.
fn texts(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Null => Some(Vec::new()),
        Value::Array(items) => items.iter().map(text).collect(),
        _ => None,
    }
}

fn set_text(field: &mut Option<String>, value: &Value) -> bool {
    let text = text(value);
    let understood = text.is_some() || value.is_null();
    if understood {
        *field = text;
    }
    understood
}

fn set_list(field: &mut Vec<Value>, value: &Value) -> bool {
    let list = if value.is_null() { Some(Vec::new()) } else { value.as_array().cloned() };
    list.map(|list| *field = list).is_some()
}

fn set_flag(field: &mut bool, value: &Value) -> bool {
    let flag = if value.is_null() { Some(false) } else { value.as_bool() };
    flag.map(|flag| *field = flag).is_some()
}

fn set_number(field: &mut Option<u64>, value: &Value) -> bool {
    let understood = value.is_null() || bounded(value).is_some();
    if understood {
        *field = bounded(value);
    }
    understood
}
