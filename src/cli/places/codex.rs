//! What Codex notes beside its rollouts: what it calls them, and which it took over from another program, as in none of
//! them is told.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::real;
use crate::cli::input::OnDisk;
use crate::read::unpacked;

/// The file in which Codex notes what it took over.
const NOTES: &str = "external_agent_session_imports.json";

/// Longest one in bytes that is looked at.
const LONGEST_NOTES: u64 = 8 << 20;

/// The file in which it notes what its rollouts are called, a line for each name that it gives.
const INDEX: &str = "session_index.jsonl";

/// Letters of what Codex calls a rollout, at the end of its file's name.
const ID: usize = 36;

/// What stands in a rollout as soon as Codex itself has asked a model.
const ASKED: &str = "\"token_count\"";

/// What rollouts are called, by the place where Codex keeps them: each index is read once.
#[derive(Debug, Default)]
pub(in crate::cli) struct Names(HashMap<PathBuf, HashMap<String, String>>);

impl Names {
    /// What a file is called, if it is a rollout with a name.
    pub(in crate::cli) fn of(&mut self, file: &Path) -> Option<String> {
        let home = home_of(file)?;
        let names = self.0.entry(home).or_insert_with_key(|home| names(home));
        let id = stem(file);
        names.get(id.get(id.len().checked_sub(ID)?..)?).cloned()
    }
}

/// The names that stand in an index; the last one of a rollout counts.
fn names(home: &Path) -> HashMap<String, String> {
    let Ok(index) = File::open(home.join(INDEX)) else { return HashMap::new() };
    let lines = io::BufReader::new(index.take(LONGEST_NOTES)).lines();
    let named = lines.map_while(Result::ok).filter_map(|line| {
        let entry: Value = serde_json::from_str(&line).ok()?;
        let text = |key: &str| entry[key].as_str().map(str::to_owned);
        Some((text("id")?, text("thread_name").filter(|name| !name.trim().is_empty())?))
    });
    named.collect()
}

/// The name of a file without its endings.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Notes {
    records: Vec<Record>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Record {
    source_path: PathBuf,
    imported_thread_id: String,
}

/// Rollouts among some files that hold nothing but what another one of them holds, each with that one. A rollout that Codex
/// has gone on with is none.
pub(in crate::cli) fn taken_over(files: &[PathBuf]) -> Vec<(PathBuf, PathBuf)> {
    let mut homes: HashMap<PathBuf, HashMap<String, PathBuf>> = HashMap::new();
    let mut found: Vec<(PathBuf, PathBuf)> = Vec::new();
    for file in files {
        let Some(home) = home_of(file) else { continue };
        let sources = homes.entry(home).or_insert_with_key(|home| sources(home));
        let name = stem(file);
        let source = sources.iter().find(|(id, _)| name.ends_with(&***id));
        found.extend(source.map(|(_, source)| (file.clone(), source.clone())));
    }
    if found.is_empty() {
        return found;
    }
    let all: HashSet<PathBuf> = files.iter().map(|file| real(file)).collect();
    found.retain(|(file, source)| all.contains(source) && is_whole_of_it(file));
    found
}

/// Where Codex keeps a rollout, if a file is one.
fn home_of(file: &Path) -> Option<PathBuf> {
    let is_named = file.file_name()?.to_string_lossy().starts_with("rollout-");
    let is_kept = |folder: &&Path| {
        folder.file_name().is_some_and(|name| name == "sessions" || name == "archived_sessions")
    };
    let folder = file.ancestors().find(is_kept).filter(|_| is_named)?;
    folder.parent().map(Path::to_owned)
}

/// What was taken over there, by what Codex calls it.
fn sources(home: &Path) -> HashMap<String, PathBuf> {
    let read = || -> io::Result<Notes> {
        let mut text = Vec::new();
        File::open(home.join(NOTES))?.take(LONGEST_NOTES).read_to_end(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    };
    let records = read().unwrap_or_default().records.into_iter();
    let named = records.filter(|record| !record.imported_thread_id.is_empty());
    named.map(|record| (record.imported_thread_id, real(&record.source_path))).collect()
}

/// Whether Codex has asked no model in a rollout. One that cannot be read is told where it is read.
fn is_whole_of_it(file: &Path) -> bool {
    let (file, mut line) = (OnDisk(file), Vec::new());
    let Ok(mut bytes) = unpacked(&file) else { return false };
    loop {
        line.clear();
        match (&mut bytes).take(LONGEST_NOTES).read_until(b'\n', &mut line) {
            Ok(0) => return true,
            Ok(_) if !String::from_utf8_lossy(&line).contains(ASKED) => {}
            _ => return false,
        }
    }
}
