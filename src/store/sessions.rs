//! The sessions that exist, for lists and for picking the last one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::files;
use super::log::{self, Parsed};
use crate::memory::Role;

/// Longest title, in characters.
const TITLE_CHARS: usize = 60;

/// How much of a log is read for a title.
const TITLE_BYTES: u64 = 64 * 1024;

/// A session in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// The last part of its directory.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// Counted turns; 0 if its state cannot be read.
    pub turns: u64,
    /// When a turn last ended, as a time stamp; empty if unknown.
    pub updated: String,
    /// The first message of the user, shortened to one line; empty if there is none.
    pub title: String,
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

fn summary(dir: &Path) -> Option<SessionSummary> {
    let is_session = ["session_state.json", "manifest.yaml", "raw.jsonl", "journal.jsonl"]
        .iter()
        .any(|name| dir.join(name).is_file());
    if !is_session {
        return None;
    }
    let state = fs::read(dir.join("session_state.json")).unwrap_or_default();
    let state: Map<String, Value> = serde_json::from_slice(&state).unwrap_or_default();
    Some(SessionSummary {
        name: files::name_of(dir),
        directory: dir.to_owned(),
        turns: state.get("turn_count").and_then(Value::as_u64).unwrap_or(0),
        updated: state.get("updated").and_then(super::entry::text).unwrap_or_default(),
        title: title(dir).unwrap_or_default(),
    })
}

/// The first thing that was said: in the first turn of the journal, else in the ambient log.
fn title(dir: &Path) -> Option<String> {
    let first_of = |file: PathBuf, offset| -> Option<Vec<u8>> {
        files::read_range(&mut fs::File::open(file).ok()?, offset, TITLE_BYTES).ok()
    };
    let ambient = first_of(dir.join("raw.jsonl"), 0).unwrap_or_default();
    first_words(&ambient).or_else(|| {
        let journal = first_of(dir.join("journal.jsonl"), 0)?;
        let mut records =
            journal.split(|&byte| byte == b'\n').filter_map(super::journal::Record::parse);
        let turn = records.find(|record| record.kind == "turn")?;
        let paths = super::paths::Paths { dir: dir.to_owned() };
        let log = paths.inside(turn.text("file")).ok()?;
        first_words(&first_of(log, turn.number("offset")?)?)
    })
}

fn first_words(lines: &[u8]) -> Option<String> {
    let said = lines.split(|&byte| byte == b'\n').find_map(|line| match log::parse(line) {
        Parsed::Message(message) if message.role == Role::User => Some(message.content),
        _ => None,
    })?;
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let plain: String = line.chars().filter(|c| !c.is_control()).collect();
    if plain.chars().count() <= TITLE_CHARS {
        return Some(plain);
    }
    Some(plain.chars().take(TITLE_CHARS - 1).chain(['…']).collect())
}
