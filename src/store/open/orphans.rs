//! Which log belongs to which effort, and logs that belong to none.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;

use crate::clock;
use crate::memory::EffortId;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::journal;
use crate::store::log::Tail;
use crate::store::manifest::Manifest;
use crate::store::record::Line;
use crate::store::record::entry::Entry;
use crate::store::turn::state::AmbientSize;
use crate::store::{Error, Problem};

/// Ids that a message names.
const NAMED: usize = 5;

/// Bytes of a message without words in a log, whoever wrote it.
const LEAST_LINE: u64 = r#"{"role":"user","content":""}"#.len() as u64;

/// The logs of the efforts, as the manifest says and as is safe.
pub(crate) fn files(
    paths: &Paths,
    manifest: &Manifest,
    problems: &mut Vec<Problem>,
) -> EffortFiles {
    let mut files = EffortFiles::default();
    for entry in manifest.entries() {
        let id = EffortId::stored(&entry.id);
        // An effort that names another log has left its usual one to whoever names that.
        let known = |id: &str| {
            let named = manifest.get(id).map(|entry| entry.raw_file.as_deref());
            named.is_some_and(|file| file.is_none_or(|file| EffortFiles::is_usual(id, file)))
        };
        problems.extend(files.adopt(paths, &id, entry.raw_file.as_deref(), known));
    }
    files
}

/// Efforts whose log is gone, or shorter than what was said in it can be. Only lengths are looked at:
/// whoever opens a long session shall not wait until all of it was read.
pub(crate) fn damaged(
    paths: &Paths,
    files: &EffortFiles,
    manifest: &Manifest,
    problems: &mut Vec<Problem>,
) -> Vec<EffortId> {
    let is_short = |entry: &&Entry| {
        let messages = entry.raw_messages.unwrap_or(0);
        // A token has one byte at least.
        let least =
            messages.saturating_mul(LEAST_LINE).saturating_add(entry.raw_tokens.unwrap_or(0));
        let file = paths.dir.join(files.of(&EffortId::stored(&entry.id)));
        messages > 0 && fs::metadata(file).map_or(0, |data| data.len()) < least
    };
    let short = manifest.entries().filter(is_short);
    let ids: Vec<EffortId> = short.map(|entry| EffortId::stored(&entry.id)).collect();
    if !ids.is_empty() {
        let named = ids.iter().take(NAMED).map(|id| files.of(id)).collect::<Vec<_>>().join(", ");
        problems.push(Problem(format!(
            "{} effort log(s) are gone, or shorter than what was said in them: {named}{}. What there is of \
             summaries stays; restore the files from a copy",
            ids.len(),
            if ids.len() > NAMED { ", ..." } else { "" }
        )));
    }
    ids
}

/// The texts kept by reference that are gone, by how many there were when the journal told last.
pub(crate) fn lost_texts(
    paths: &Paths,
    there: usize,
    problems: &mut Vec<Problem>,
) -> Result<usize, Error> {
    let told = journal::find_last(&paths.journal(), |record| match record.line {
        Line::Opened(opened) => opened.state.map(|state| state.moment.totals().scratchpad),
        Line::Turn(turn) => turn.moment.map(|moment| moment.totals().scratchpad),
        Line::Moment(moment) => Some(moment.totals().scratchpad),
        _ => None,
    })?;
    let lost = told.unwrap_or(0).saturating_sub(there);
    if lost > 0 {
        problems.push(Problem(format!(
            "{lost} text(s) kept by reference are gone from scratchpad; restore the files from a copy"
        )));
    }
    Ok(lost)
}

/// The size of the ambient log by what of it was read, where that was all: of what nobody has counted, the lines were, and what
/// cannot be read is no message.
pub(crate) fn readable(size: AmbientSize, tail: &Tail) -> AmbientSize {
    let messages = if tail.start == 0 { tail.messages.len() as u64 } else { size.messages };
    AmbientSize { messages, ..size }
}

/// What is gone of the ambient log that had another size; none if it holds all that was said, by its length and by what of
/// it was read.
pub(crate) fn lost_ambient(
    known: Option<AmbientSize>,
    now: AmbientSize,
    tail: &Tail,
    problems: &mut Vec<Problem>,
) -> Option<AmbientSize> {
    let lost = known.unwrap_or_default().lost(now);
    if lost.bytes > 0 {
        problems.push(Problem(format!(
            "{} bytes at the end of raw.jsonl are gone, in which something was said; restore the file from a copy",
            lost.bytes
        )));
    }
    (lost.bytes > 0 || tail.problem.is_some()).then_some(lost)
}

/// A log without an entry is an effort whose entry was lost: it is opened, so that its words are in the
/// window again. Returns whether there was any.
pub(crate) fn adopt(
    paths: &Paths,
    files: &mut EffortFiles,
    manifest: &mut Manifest,
    problems: &mut Vec<Problem>,
) -> Result<bool, Error> {
    let mut found = Vec::new();
    for (file, stem) in unclaimed(paths, files, manifest)? {
        let mut entry = Entry::new(stem);
        if manifest.get(&entry.id).is_some() {
            entry.id = format!("{}-recovered", entry.id);
        }
        if manifest.get(&entry.id).is_some() {
            continue;
        }
        entry.raw_file = Some(file);
        entry.created = Some(clock::timestamp());
        entry.last_used_turn = Some(0);
        found.push(entry);
    }
    if found.is_empty() {
        return Ok(false);
    }
    let names: Vec<&str> = found.iter().take(NAMED).map(|entry| entry.id.as_str()).collect();
    problems.push(Problem(format!(
        "{} effort log(s) had no entry in manifest.yaml and were opened again: {}{}",
        found.len(),
        names.join(", "),
        if found.len() > names.len() { ", ..." } else { "" }
    )));
    for entry in found {
        let id = EffortId::stored(&entry.id);
        files.adopt(paths, &id, entry.raw_file.as_deref(), |_| false);
        manifest.insert(entry);
    }
    Ok(true)
}

/// Files below `efforts/` that hold something and that no entry names, with their stems.
fn unclaimed(
    paths: &Paths,
    files: &EffortFiles,
    manifest: &Manifest,
) -> Result<Vec<(String, String)>, Error> {
    let claimed: HashSet<String> =
        manifest.entries().map(|entry| files.of(&EffortId::stored(&entry.id))).collect();
    let dir = paths.efforts();
    let items = match fs::read_dir(&dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(Error::read(&dir))?,
    };
    let mut logs: Vec<(String, String)> = items
        .filter_map(|item| {
            let item = item.ok()?;
            let name = item.file_name().into_string().ok()?;
            let stem = name.strip_suffix(".jsonl")?.to_owned();
            let file = format!("efforts/{name}");
            let has_content = || item.metadata().is_ok_and(|d| d.is_file() && d.len() > 0);
            (!claimed.contains(&file) && has_content()).then_some((file, stem))
        })
        .collect();
    logs.sort_unstable();
    Ok(logs)
}
