//! Writing a starting state, as a program that follows the seeds would have left it.

use std::path::Path;

use serde_json::{Map, json};

use crate::clock;
use crate::memory::{EffortId, Note, NoteId, NoteState, Role, Salience, Status, Turn, Usage};
use crate::store::Error;
use crate::store::disk::files;
use crate::store::disk::lock::Lock;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::log;
use crate::store::manifest::Manifest;
use crate::store::manifest::notes::StoredNotes;
use crate::store::record::entry::Entry;

/// What a session holds before its first turn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Setup {
    /// The last counted turn.
    pub turn: Turn,
    /// Exchanges that belong to no effort: what the user and what the model said.
    pub ambient: Vec<(String, String)>,
    /// Efforts in the order of their creation.
    pub efforts: Vec<SetupEffort>,
    /// Notes in the session, in the order of their making.
    pub notes: Vec<SetupNote>,
}

/// A note of a starting state.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupNote {
    /// What is remembered.
    pub content: String,
    /// Its labels.
    pub tags: Vec<String>,
    /// Its weight.
    pub salience: Salience,
}

/// An effort of a starting state.
#[derive(Debug, Clone, PartialEq)]
pub struct SetupEffort {
    /// Its id; file names are derived safely whatever it is.
    pub id: String,
    /// Open or concluded.
    pub status: Status,
    /// What stands for it, if concluded.
    pub summary: Option<String>,
    /// Free labels.
    pub tags: Vec<String>,
    /// The turn of its last mention.
    pub last_referenced_turn: Option<Turn>,
    /// Its log: who said what and when; without a time stamp, now.
    pub messages: Vec<(Role, String, String)>,
}

/// Writes a starting state into an empty or missing directory.
///
/// # Errors
/// When the directory holds anything already, is in use, or cannot be written.
pub fn create(dir: &Path, setup: &Setup) -> Result<(), Error> {
    let paths = Paths::new(dir);
    if std::fs::read_dir(dir).is_ok_and(|mut items| items.next().is_some()) {
        return Err(Error::NotEmpty(dir.to_owned()));
    }
    crate::store::open::prepare(dir)?;
    let _lock = Lock::take(dir)?;
    let now = clock::timestamp();
    let mut ambient = Vec::new();
    for (user, assistant) in &setup.ambient {
        ambient.extend(log::line(Role::User, user, &now, Turn(0)));
        ambient.extend(log::line(Role::Assistant, assistant, &now, Turn(0)));
    }
    files::replace_unsynced(&paths.ambient(), &ambient)?;
    let mut manifest = Manifest::default();
    let mut effort_files = EffortFiles::default();
    for effort in &setup.efforts {
        let file = effort_files.assign(&paths, &EffortId::stored(&effort.id));
        write_log(&paths, &file, effort, &now)?;
        manifest.insert(entry(effort, file, &now));
    }
    files::replace_unsynced(&paths.manifest(), manifest.render().as_bytes())?;
    if !setup.notes.is_empty() {
        StoredNotes::starting(notes(setup)).write(&paths)?;
    }
    write_states(&paths, setup, &now)
}

fn notes(setup: &Setup) -> impl Iterator<Item = Note> {
    setup.notes.iter().zip(1..).map(|(note, number)| Note {
        id: NoteId(number),
        content: note.content.as_str().into(),
        tags: note.tags.clone(),
        salience: note.salience,
        created: setup.turn,
        entered: setup.turn,
        last_used: setup.turn,
        pinned: false,
        state: NoteState::Session,
        effort: None,
        usage: Usage::default(),
        thread: None,
    })
}

fn write_log(paths: &Paths, file: &str, effort: &SetupEffort, now: &str) -> Result<(), Error> {
    let mut lines = Vec::new();
    for (role, content, at) in &effort.messages {
        let at = if at.is_empty() { now } else { at };
        lines.extend(log::line(*role, content, at, Turn(0)));
    }
    files::replace_unsynced(&paths.dir.join(file), &lines)
}

fn entry(effort: &SetupEffort, file: String, now: &str) -> Entry {
    let mut entry = Entry::new(effort.id.clone());
    entry.status = effort.status;
    entry.summary.clone_from(&effort.summary);
    entry.tags.clone_from(&effort.tags);
    entry.raw_file = Some(file);
    entry.created = Some(now.to_owned());
    entry.raw_messages = Some(effort.messages.len() as u64);
    entry
}

fn write_states(paths: &Paths, setup: &Setup, now: &str) -> Result<(), Error> {
    let mentions: Map<String, serde_json::Value> = setup
        .efforts
        .iter()
        .filter_map(|effort| Some((effort.id.clone(), effort.last_referenced_turn?.0.into())))
        .collect();
    let memory = json!({
        "expanded": [],
        "expanded_at": {},
        "last_referenced_turn": {},
        "summary_last_referenced_turn": mentions,
    });
    files::replace_unsynced(&paths.memory_state(), memory.to_string().as_bytes())?;
    let session = json!({"turn_count": setup.turn.0, "updated": now});
    files::replace_unsynced(&paths.session_state(), session.to_string().as_bytes())
}
