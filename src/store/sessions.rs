//! The sessions that exist, for lists and for picking the last one.

pub(super) mod about;
pub(super) mod begun;
pub(super) mod create;
pub(super) mod delete;
pub(super) mod find;
pub(super) mod fork;
pub(super) mod rename;

use std::collections::HashSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Map, Value};

use crate::clock::timestamp_of;
use crate::store::disk::files;
use crate::store::disk::lock::Lock;
use crate::store::disk::paths::Paths;
use crate::store::journal;
use crate::store::log::title::{first_message, shortened};
use crate::store::record::{bounded, text};

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// The last part of its directory.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// Counted turns; 0 if its state cannot be read.
    pub turns: u64,
    /// When something last happened in it, a turn or a command that changes it, or where none ever did, when it was written
    /// last, as a time stamp; empty if unknown.
    pub updated: String,
    /// What it is about: the first message of the user, shortened to one line; empty if there is none. Of a
    /// session that cannot be opened: why.
    pub title: String,
    /// Whether a program has it open.
    pub in_use: bool,
}

/// The sessions in a directory, newest first. What is no session is left out; a missing directory
/// holds none.
pub fn sessions(root: &Path) -> Vec<SessionSummary> {
    let mut found: Vec<SessionSummary> = fs::read_dir(root)
        .into_iter()
        .flatten()
        .filter_map(|item| summary(&item.ok()?.path()))
        .collect();
    found.sort_by(|one, other| {
        other.updated.cmp(&one.updated).then_with(|| one.name.cmp(&other.name))
    });
    found
}

/// The numbers from 1 that open the sessions of a list, for each in its order; none where another session has that
/// number as its name, which comes first.
pub fn numbers(sessions: &[SessionSummary]) -> Vec<Option<usize>> {
    let names: HashSet<&str> = sessions.iter().map(|session| session.name.as_str()).collect();
    let number = |(session, number): (&SessionSummary, usize)| {
        let written = number.to_string();
        let is_free = session.name == written || !names.contains(written.as_str());
        is_free.then_some(number)
    };
    sessions.iter().zip(1..).map(number).collect()
}

fn summary(dir: &Path) -> Option<SessionSummary> {
    let name = files::name_of(dir);
    // A hidden directory is a session that is just being made.
    if name.starts_with('.') || !crate::store::open::look::is_session(dir) {
        return None;
    }
    let paths = Paths::to_look_at(dir);
    let in_the_way = paths.check().err().map(|error| error.to_string());
    let state = files::read(&paths.session_state()).ok().flatten().unwrap_or_default();
    let state: Map<String, Value> = serde_json::from_slice(&state).unwrap_or_default();
    let updated = state.get("updated").and_then(text).filter(|updated| !updated.is_empty());
    let stored_title = state.get("title").and_then(Value::as_str).and_then(shortened);
    Some(SessionSummary {
        name,
        directory: dir.to_owned(),
        in_use: Lock::is_held(dir),
        turns: state.get("turn_count").and_then(bounded).unwrap_or(0),
        updated: updated
            .max(changed_last(&paths))
            .or_else(|| written_last(dir))
            .unwrap_or_default(),
        title: in_the_way.or(stored_title).or_else(|| first_message(dir)).unwrap_or_default(),
    })
}

/// When the newest record of a session's journal was written: a message without an answer is one, and so is a note.
fn changed_last(paths: &Paths) -> Option<String> {
    journal::find_last(&paths.journal(), |record| Some(record.at)).ok()?
}

/// When any file of a session was written last, but for the lock, which whoever reads it takes as well.
fn written_last(dir: &Path) -> Option<String> {
    let files = fs::read_dir(dir).ok()?.flatten().filter(|file| file.file_name() != "lock");
    let written =
        files.filter_map(|file| file.metadata().ok().filter(Metadata::is_file)?.modified().ok());
    let since = written.max()?.duration_since(UNIX_EPOCH).ok()?;
    timestamp_of(i64::try_from(since.as_millis()).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happened_last_orders_sessions_and_whoever_only_read_one_does_not() {
        let root = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str, at: u64| {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let at = UNIX_EPOCH + std::time::Duration::from_secs(at);
            fs::File::options().write(true).open(&path).unwrap().set_modified(at).unwrap();
        };
        let answered =
            |day: u32| format!(r#"{{"turn_count":1,"updated":"2026-01-0{day}T10:00:00Z"}}"#);
        let stopped = r#"{"seq":8,"turn":2,"ts":"2026-01-05T10:00:00Z","kind":"turn_stopped","user":"So?","partial":"","cause":"no server"}"#;
        file("asked/session_state.json", &answered(2), 0);
        file("asked/journal.jsonl", &format!("{stopped}\n"), 0);
        file("answered/session_state.json", &answered(4), 0);
        file("older/session_state.json", &answered(3), 0);
        file("older/lock", "7", 1_900_000_000);
        // Without a turn and a journal its files tell: here the 1st of January.
        file("read/raw.jsonl", "", 1_767_261_600);
        file("read/lock", "7", 1_900_000_000);
        let found = sessions(root.path());
        let names: Vec<&str> = found.iter().map(|session| session.name.as_str()).collect();
        assert_eq!(names, ["asked", "answered", "older", "read"]);
    }
}
