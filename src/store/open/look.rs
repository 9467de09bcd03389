//! A session that is only looked at: read without its lock, put right in memory, nothing written.
//!
//! So `search`, `context`, `stats` and `export` work while the chat runs in another terminal, and tell what it has expanded.

use std::fs;
use std::path::Path;
use std::sync::{Arc, RwLock};
use std::time::SystemTime;

use super::load::{self, Current};
use super::{ambient, departed, expanded, orphans};
use crate::memory::{EffortId, Restored, RestoredEffort, Role, Status, Tokens, Turn};
use crate::store::disk::files;
use crate::store::disk::lock::Lock;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::log::{self, title};
use crate::store::manifest::Manifest;
use crate::store::manifest::notes::StoredNotes;
use crate::store::open;
use crate::store::turn::pending::{Pending, Reply};
use crate::store::turn::state::{MemoryState, SessionState};
use crate::store::{Error, LogReader, Problem, Scratchpad, StopFlag};

/// How often a session is read again because it was written meanwhile.
const ATTEMPTS: usize = 5;

/// What is read of a session to look at it.
#[derive(Debug)]
pub struct Looked {
    /// For [`crate::memory::Memory::restore`].
    pub restored: Restored,
    /// Reads its logs.
    pub reader: LogReader,
    /// What it is about: the first message of the user, shortened; empty if there is none.
    pub title: String,
    /// Its large texts, for reading.
    pub scratchpad: Scratchpad,
    /// What is broken and was read as well as it could be.
    pub problems: Vec<Problem>,
}

/// Reads a session as opening it would, but takes no lock and writes nothing: what is broken stays as it
/// is, and a turn whose reply was complete is completed in memory only.
///
/// # Errors
/// When a file cannot be read.
pub fn look(dir: &Path, ambient_window: usize) -> Result<Looked, Error> {
    let (looked, _) = while_steady(dir, || look_once(dir, ambient_window))?;
    Ok(looked)
}

/// Reads again while somebody writes, a few times; with the result comes whether it is of one moment.
pub(crate) fn while_steady<T>(
    dir: &Path,
    mut read: impl FnMut() -> Result<T, Error>,
) -> Result<(T, bool), Error> {
    let mut before = stamps(dir);
    for _ in 1..ATTEMPTS {
        let value = read()?;
        let after = stamps(dir);
        if after == before {
            return Ok((value, true));
        }
        before = after;
    }
    let value = read()?;
    Ok((value, stamps(dir) == before))
}

/// Lengths and times of the files of which every turn writes some.
fn stamps(dir: &Path) -> [Option<(u64, Option<SystemTime>)>; 6] {
    let names = [
        "pending.json",
        "journal.jsonl",
        "raw.jsonl",
        "session_state.json",
        "manifest.yaml",
        "notes.json",
    ];
    names.map(|name| {
        let data = fs::metadata(dir.join(name)).ok()?;
        Some((data.len(), data.modified().ok()))
    })
}

fn look_once(dir: &Path, ambient_window: usize) -> Result<Looked, Error> {
    let paths = Paths::to_look_at(dir);
    paths.check_links()?;
    let mut problems = Vec::new();
    let session = match SessionState::read(&paths, &mut problems)? {
        Some(state) => open::newest(&paths, state)?,
        None => open::recovered(&paths, &mut problems)?,
    };
    let Current { mut manifest, active, .. } =
        load::current(&paths, u64::MAX, &StopFlag::default(), &mut problems)?;
    problems.extend(manifest.problems());
    let mut effort_files = orphans::files(&paths, &manifest, &mut problems);
    orphans::adopt(&paths, &mut effort_files, &mut manifest, &mut problems)?;
    let mut damaged = orphans::damaged(&paths, &effort_files, &manifest, &mut problems);
    let memory_state = MemoryState::read(&paths, &mut problems)?;
    load::take_mentions(&memory_state, &mut manifest);
    let (notes, last_note) = StoredNotes::current(&paths, u64::MAX, &mut problems)?.into_parts();
    let size = load::ambient_size(&paths, session.ambient)?;
    let title = session.title.or_else(|| title::first_message(dir)).unwrap_or_default();
    let active = active.or_else(|| manifest.active().map(str::to_owned)).or(session.active);
    let mut restored = Restored {
        turn: session.turn,
        efforts: efforts(&paths, &effort_files, &manifest, &mut problems, &mut damaged)?,
        departed: departed::lately(&paths.journal())?,
        expanded: Vec::new(),
        damaged,
        ambient_lost: None,
        lost_texts: 0,
        active: active.as_deref().map(EffortId::stored),
        ambient: Vec::new(),
        ambient_uncounted: 0,
        ambient_turns: Vec::new(),
        // Those of the log are added once its end was read.
        ambient_messages: 0,
        ambient_tokens: size.tokens.map(Tokens),
        metrics: session.metrics,
        notes,
        last_note,
    };
    if Lock::is_held(dir) {
        restored.expanded = expanded::held(&paths, &effort_files, &memory_state, &manifest)?;
    }
    let logged = complete(&paths, &mut restored, &mut problems)?;
    let held = ambient::held(&paths, ambient_window)?;
    let tail = log::read_tail(&paths.ambient(), None, held.messages.saturating_add(logged))?;
    restored.ambient_uncounted = held.uncounted + logged + restored.ambient.len();
    let size = orphans::readable(size, &tail);
    restored.ambient_messages += size.messages;
    let lost = orphans::lost_ambient(session.ambient, size, &tail, &mut problems);
    restored.ambient_lost = lost.map(|lost| lost.messages);
    problems.extend(tail.problem);
    restored.ambient_turns = log::turns(&tail.messages);
    restored.ambient.splice(..0, log::plain(tail.messages));
    let scratchpad = Scratchpad::open(&paths, &mut problems)?;
    restored.lost_texts = orphans::lost_texts(&paths, scratchpad.items().len(), &mut problems)?;
    let reader = LogReader::new(paths, Arc::new(RwLock::new(effort_files)), None);
    Ok(Looked { restored, reader, title, scratchpad, problems })
}

/// The efforts, the open ones with their logs.
fn efforts(
    paths: &Paths,
    effort_files: &EffortFiles,
    manifest: &Manifest,
    problems: &mut Vec<Problem>,
    damaged: &mut Vec<EffortId>,
) -> Result<Vec<RestoredEffort>, Error> {
    let mut efforts = Vec::new();
    for entry in manifest.entries() {
        let id = EffortId::stored(&entry.id);
        let mut log = load::ReadLog::default();
        if entry.status == Status::Open {
            match paths.inside(&effort_files.of(&id)) {
                Ok(path) => {
                    log = log::read(&path)?;
                }
                Err(outside) => problems.push(Problem(outside.to_string())),
            }
        }
        efforts.push(load::restored_effort(entry, log, problems, damaged));
    }
    Ok(efforts)
}

/// A turn whose reply was complete counts, as it will when the session is opened. Tells how many messages of
/// it stand in the ambient log and are not counted yet.
fn complete(
    paths: &Paths,
    restored: &mut Restored,
    problems: &mut Vec<Problem>,
) -> Result<usize, Error> {
    let next = Turn(restored.turn.0 + 1);
    let Some(pending) = Pending::read(paths, next, problems)? else { return Ok(0) };
    let Some(reply) = &pending.reply else { return Ok(0) };
    let is_counted = pending.turn <= restored.turn;
    restored.turn = restored.turn.max(pending.turn);
    if is_logged(paths, &pending, reply)? {
        let is_new = !is_counted && reply.place.log.is_none();
        return Ok(if is_new { 2 } else { 0 });
    }
    let shown = pending.shown.as_ref().unwrap_or(&pending.user);
    let said = [(Role::User, Arc::clone(shown)), (Role::Assistant, Arc::clone(&reply.text))];
    match &reply.place.log {
        None => {
            restored.ambient.extend(said);
            restored.ambient_messages += 2;
            restored.ambient_tokens = None;
        }
        Some(id) => {
            let of_log = restored.efforts.iter_mut().find(|effort| effort.id == *id);
            if let Some(effort) = of_log.filter(|effort| effort.status == Status::Open) {
                effort.raw.extend(said);
            }
        }
    }
    Ok(0)
}

/// Whether the exchange of a turn stands in its log.
fn is_logged(paths: &Paths, pending: &Pending, reply: &Reply) -> Result<bool, Error> {
    let Some(path) = reply.place.path(paths) else { return Ok(false) };
    let Some(mut log) = files::open_existing(&path)? else { return Ok(false) };
    let expected = pending.lines(reply);
    let stored = files::read_range(&mut log, reply.place.offset, expected.len() as u64);
    Ok(stored.map_err(Error::read(&path))? == expected)
}

/// Whether a directory holds a session, by the files that only a session has.
pub(crate) fn is_session(dir: &Path) -> bool {
    ["session_state.json", "manifest.yaml", "raw.jsonl", "journal.jsonl"]
        .iter()
        .any(|name| dir.join(name).is_file())
}

impl Looked {
    /// All that was said and that happened, oldest first.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn transcript(&self) -> Result<Vec<crate::store::TranscriptEntry>, Error> {
        Ok(self.transcript_with_problem()?.0)
    }

    /// All that was said and that happened, and what is to be said where the journal does not tell of all of it.
    ///
    /// # Errors
    /// As [`Looked::transcript`].
    pub fn transcript_with_problem(
        &self,
    ) -> Result<(Vec<crate::store::TranscriptEntry>, Option<Problem>), Error> {
        let mut pages = Vec::new();
        let (mut before, mut uncovered) = (None, 0);
        loop {
            let page = self.reader.transcript_before(before.as_ref(), PAGE)?;
            uncovered += page.uncovered;
            pages.push(page.entries);
            if page.earlier.is_none() || page.earlier == before {
                break;
            }
            before = page.earlier;
        }
        // A turn whose end is just being written by another program lacks nothing.
        let in_use = Lock::is_held(&self.reader.paths().dir);
        let told = log::transcript::uncovered::told(uncovered).filter(|_| !in_use);
        Ok((pages.into_iter().rev().flatten().collect(), told))
    }
}

/// Entries of the transcript that are read at a time.
const PAGE: usize = 1_000;
