//! `manifest.yaml`: every effort with its summary.
//!
//! The file may be behind the journal: `journal_bytes` says how much of the journal it includes.

pub(super) mod block;
pub(super) mod notes;
pub(super) mod patch;
pub(super) mod replay;
pub(super) mod yaml;

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Map, Value};

use crate::memory::Status;
use crate::store::disk::files;
use crate::store::record::bounded;
use crate::store::record::entry::Entry;
use crate::store::{Error, Problem};
use yaml::{Content, HEADER};

const JOURNAL_BYTES: &str = "journal_bytes";
const ENTRIES: &str = "entries";

/// The manifest with the journal's newer entries taken in.
#[derive(Debug, Default)]
pub(super) struct Manifest {
    content: Content,
    by_id: HashMap<String, usize>,
    /// How much of the journal is included.
    pub(super) journal_bytes: u64,
}

/// What reading the file came to.
#[derive(Debug)]
pub(super) enum Found {
    /// No file.
    Missing,
    /// A whole file.
    Whole(Manifest),
    /// What could be saved of a broken one, and why it is broken.
    Broken {
        /// The entries in front of the break.
        saved: Manifest,
        /// A part of a sentence.
        why: String,
        /// The file as it is.
        bytes: Vec<u8>,
    },
}

impl Manifest {
    /// Reads the file.
    pub(super) fn read(path: &Path) -> Result<Found, Error> {
        let Some(bytes) = files::read(path)? else { return Ok(Found::Missing) };
        let text = String::from_utf8_lossy(&bytes);
        let own = text.starts_with(HEADER);
        let is_text = matches!(text, std::borrow::Cow::Borrowed(_));
        let parsed = yaml::read_own(&text).map_or_else(|| yaml::read_any(&text), Ok);
        let (content, why) = match parsed {
            Ok(content) => {
                // Without our first line another program wrote the file, and knows nothing of the count.
                let torn = if own { torn(&content) } else { None };
                let why = torn.or(content.lost.map(str::to_owned));
                let strange = (!is_text).then(|| "it has bytes that are no UTF-8".to_owned());
                (content, why.or(strange))
            }
            Err(why) => (salvage(&text), Some(why)),
        };
        let manifest = Self::new(content);
        Ok(match why {
            None => Found::Whole(manifest),
            Some(why) => Found::Broken { saved: manifest, why, bytes },
        })
    }

    fn new(mut content: Content) -> Self {
        let journal_bytes = content.fields.shift_remove(JOURNAL_BYTES);
        content.fields.shift_remove(ENTRIES);
        let mut by_id = HashMap::with_capacity(content.entries.len());
        for (at, entry) in content.entries.iter().enumerate() {
            by_id.entry(entry.id.clone()).or_insert(at);
        }
        let journal_bytes = journal_bytes.as_ref().and_then(bounded).unwrap_or(0);
        Self { content, by_id, journal_bytes }
    }

    /// The entries in the order of their creation, each id once.
    pub(super) fn entries(&self) -> impl Iterator<Item = &Entry> {
        let entries = self.content.entries.iter().enumerate();
        entries.filter(|(at, entry)| self.by_id.get(&entry.id) == Some(at)).map(|(_, entry)| entry)
    }

    /// Number of entries, each id once.
    pub(super) fn len(&self) -> usize {
        self.by_id.len()
    }

    /// One entry.
    pub(super) fn get(&self, id: &str) -> Option<&Entry> {
        self.by_id.get(id).map(|&at| &self.content.entries[at])
    }

    /// One entry, to be changed.
    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Entry> {
        self.by_id.get(id).map(|&at| &mut self.content.entries[at])
    }

    /// What is wrong with the entries, but does not keep the others from being read.
    pub(super) fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let doubled = self.content.entries.len() - self.by_id.len();
        if doubled > 0 {
            problems.push(Problem(format!(
                "manifest.yaml names {doubled} effort(s) twice: the first of each counts, the others \
                 are kept unused"
            )));
        }
        let strange = self.content.strange.len();
        if strange > 0 {
            problems.push(Problem(format!(
                "manifest.yaml holds {strange} item(s) without an id: they are kept unused"
            )));
        }
        problems
    }

    /// Takes in the fields of a newer version of an entry, or a new entry.
    pub(super) fn upsert(&mut self, fields: Map<String, Value>) {
        let Some(id) = fields.get("id").and_then(crate::store::record::text) else { return };
        if let Some(&at) = self.by_id.get(&id) {
            self.content.entries[at].merge(fields);
        } else if let Some(entry) = Entry::from_fields(fields) {
            self.insert(entry);
        }
    }

    /// Adds an entry whose id is new.
    pub(super) fn insert(&mut self, entry: Entry) {
        self.by_id.insert(entry.id.clone(), self.content.entries.len());
        self.content.entries.push(entry);
    }

    /// Marks the active effort; the others are not.
    pub(super) fn set_active(&mut self, id: Option<&str>) {
        for entry in &mut self.content.entries {
            entry.active = Some(entry.id.as_str()) == id;
        }
    }

    /// The effort that is marked as active.
    pub(super) fn active(&self) -> Option<&str> {
        self.entries().find(|entry| entry.active).map(|entry| entry.id.as_str())
    }

    /// After a break, an entry may have lost its summary: its effort is opened again, so that its
    /// words are in the window.
    pub(super) fn reopen_without_summary(&mut self) {
        for entry in &mut self.content.entries {
            if entry.summary.is_none() {
                entry.status = Status::Open;
            }
        }
    }

    /// The file's text.
    pub(super) fn render(&mut self) -> String {
        self.content.fields.insert(JOURNAL_BYTES.into(), self.journal_bytes.into());
        yaml::write(&self.content)
    }
}

/// Why a manifest of ours that parses is not whole.
fn torn(content: &Content) -> Option<String> {
    let found = (content.entries.len() + content.strange.len()) as u64;
    match content.fields.get(ENTRIES).and_then(Value::as_u64) {
        Some(count) if count == found => None,
        Some(count) => Some(format!("it says that it has {count} entries and has {found}")),
        None => Some("its end is missing".into()),
    }
}

/// The entries in front of a break: the text is cut before its last entries until it parses.
fn salvage(text: &str) -> Content {
    let mut text = text;
    for _ in 0..8 {
        let item = text.rfind("\n  - ").max(text.rfind("\n- ")).max(text.rfind("\n    - "));
        let Some(end) = item else { break };
        text = &text[..end];
        let whole_lines = format!("{text}\n");
        if let Some(content) =
            yaml::read_own(&whole_lines).or_else(|| yaml::read_any(&whole_lines).ok())
        {
            return content;
        }
    }
    Content::default()
}
