//! The sessions that exist, for lists and for picking the last one.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::files;
use super::log;
use super::paths::Paths;
use super::record::{Line, Record, bounded, text};
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
    /// What it is about: the first message of the user, shortened to one line; empty if there is none. Of a
    /// session that cannot be opened: why.
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
    let name = files::name_of(dir);
    // A hidden directory is a session that is just being made.
    if name.starts_with('.') || !super::look::is_session(dir) {
        return None;
    }
    let paths = Paths::to_look_at(dir);
    let in_the_way = paths.check().err().map(|error| error.to_string());
    let state = files::read(&paths.session_state()).ok().flatten().unwrap_or_default();
    let state: Map<String, Value> = serde_json::from_slice(&state).unwrap_or_default();
    let stored_title = state.get("title").and_then(Value::as_str).and_then(shortened);
    Some(SessionSummary {
        name,
        directory: dir.to_owned(),
        turns: state.get("turn_count").and_then(bounded).unwrap_or(0),
        updated: state.get("updated").and_then(text).unwrap_or_default(),
        title: in_the_way.or(stored_title).or_else(|| first_message(dir)).unwrap_or_default(),
    })
}

/// The first thing that was said, shortened: in the ambient log, else in the first turn of the journal.
pub(super) fn first_message(dir: &Path) -> Option<String> {
    let first_of = |file: PathBuf, offset| -> Option<Vec<u8>> {
        files::read_range(&mut files::open(&file).ok()?, offset, TITLE_BYTES).ok()
    };
    let ambient = first_of(dir.join("raw.jsonl"), 0).unwrap_or_default();
    first_words(&ambient).or_else(|| {
        let journal = first_of(dir.join("journal.jsonl"), 0)?;
        let mut records = journal.split(|&byte| byte == b'\n').filter_map(Record::parse);
        let turn = records.find_map(|record| match record.line {
            Line::Turn(turn) => Some(turn),
            _ => None,
        })?;
        let log = Paths::to_look_at(dir).inside(&turn.file).ok()?;
        first_words(&first_of(log, turn.offset?)?)
    })
}

fn first_words(lines: &[u8]) -> Option<String> {
    let said = lines
        .split(|&byte| byte == b'\n')
        .find_map(|line| log::parse(line).message().filter(|message| message.role == Role::User))?;
    shortened(&said.content)
}

/// A message as a title: one line of at most 60 characters; `None` if nothing is left of it.
pub(super) fn shortened(message: &str) -> Option<String> {
    let plain: String = message.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    // A pasted file must not be walked through for a few words.
    let words = plain.split_whitespace().take(TITLE_CHARS);
    let line = words.collect::<Vec<_>>().join(" ");
    if line.chars().count() <= TITLE_CHARS {
        return Some(line).filter(|line| !line.is_empty());
    }
    Some(line.chars().take(TITLE_CHARS - 1).chain(['…']).collect())
}
