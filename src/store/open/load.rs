//! Loading a session: the manifest with the journal's newer lines, and the logs that belong in the
//! window. May take long on a huge session; the screen is there before.

use std::fs;
use std::path::PathBuf;

use super::{ambient, departed, expanded, orphans};
use crate::clock;
use crate::memory::{EffortId, Restored, RestoredEffort, Status, Tokens, Turn};
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::disk::{self, files};
use crate::store::journal::Batch;
use crate::store::log::{self, counts};
use crate::store::manifest::notes::StoredNotes;
use crate::store::manifest::patch::{self, Patch};
use crate::store::manifest::{Found, Manifest, block, replay};
use crate::store::record::entry::Entry;
use crate::store::record::{Entries, Line};
use crate::store::turn::state::{AmbientSize, MemoryState, Mention};
use crate::store::{Error, Loaded, Problem, StopFlag, Store};

impl Store {
    /// Reads what memory is built from: all efforts, the logs of the open ones, and the ambient exchanges that
    /// were in the window, at least so many. What is broken is set aside, rebuilt and reported.
    ///
    /// # Errors
    /// When a file cannot be read or a repaired one cannot be written.
    pub fn load(&mut self, ambient_window: usize) -> Result<Loaded, Error> {
        self.load_unless(&StopFlag::default(), ambient_window)
    }

    /// Reads as [`Store::load`], unless somebody asks for the end before all of it is read. What may take long only reads; it
    /// is left behind then.
    ///
    /// # Errors
    /// As [`Store::load`], and when it was stopped.
    pub fn load_unless(&mut self, stop: &StopFlag, ambient_window: usize) -> Result<Loaded, Error> {
        let mut problems = Vec::new();
        let upto = self.journal.len()?;
        let Current { manifest, active, included, repaired } =
            current(&self.paths, upto, stop, &mut problems)?;
        self.progress.set_written(included);
        // A kill may have come before the manifest was written: the next job does it.
        self.changed_upto = upto;
        problems.extend(manifest.problems());
        let (mut manifest, effort_files, orphans) =
            with_orphans(&self.paths, manifest, stop, &mut problems)?;
        permitted(&self.paths, &manifest, &effort_files)?;
        let mut damaged = orphans::damaged(&self.paths, &effort_files, &manifest, &mut problems);
        *self.effort_files_mut() = effort_files;
        self.memory_state = MemoryState::read(&self.paths, &mut problems)?;
        self.left_expanded = expanded::left(&self.paths.journal(), &self.memory_state)?;
        self.take_foreign_mentions(&mut manifest)?;
        if repaired || orphans {
            manifest = self.rewrite(manifest, stop)?;
        }
        let hint = self.session.active.clone();
        let active = active.or_else(|| manifest.active().map(str::to_owned)).or(hint);
        let efforts = self.restored_efforts(&manifest, stop, &mut problems, &mut damaged)?;
        // Opening the log repairs its end, before anything is appended to it.
        self.logs.appender("raw.jsonl", &mut problems)?;
        let stored_notes = StoredNotes::current(&self.paths, upto, &mut problems)?;
        let held = ambient::held(&self.paths, ambient_window)?;
        let tail = log::read_tail(&self.paths.ambient(), None, held.messages)?;
        let known = self.session.ambient;
        let size = orphans::readable(self.ambient_size(stop)?, &tail);
        let lost = orphans::lost_ambient(known, size, &tail, &mut problems);
        self.ambient_lost = lost.unwrap_or_default();
        problems.extend(tail.problem);
        let texts = self.scratchpad.items().len();
        let lost_texts = orphans::lost_texts(&self.paths, texts, &mut problems)?;
        problems.append(&mut self.problems);
        let (notes, last_note) = stored_notes.into_parts();
        let restored = Restored {
            turn: self.session.turn,
            efforts,
            departed: departed::lately(&self.paths.journal())?,
            expanded: Vec::new(),
            damaged,
            ambient_lost: lost.map(|lost| lost.messages),
            lost_texts,
            active: active.as_deref().map(EffortId::stored),
            ambient_uncounted: held.uncounted,
            ambient_turns: log::turns(&tail.messages),
            ambient: log::plain(tail.messages),
            ambient_messages: size.messages,
            ambient_tokens: size.tokens.map(Tokens),
            metrics: self.session.metrics,
            notes,
            last_note,
        };
        Ok(Loaded { restored, problems })
    }

    /// Another program keeps the last mention of every effort in `memory_state.json`. Ours holds only
    /// what is in the window, so the journal takes over the rest before the file is replaced.
    fn take_foreign_mentions(&mut self, manifest: &mut Manifest) -> Result<(), Error> {
        let newer = take_mentions(&self.memory_state, manifest);
        let entries = if self.memory_state.turn.is_none() { newer } else { Vec::new() };
        let mut batch = Batch::default();
        for some in entries.chunks(1000) {
            let line = Line::MentionsTaken(Entries { entries: some.to_vec() });
            self.journal.add(&mut batch, self.session.turn, &clock::timestamp(), line)?;
        }
        self.journal.append(&batch)
    }

    fn rewrite(&mut self, mut manifest: Manifest, stop: &StopFlag) -> Result<Manifest, Error> {
        manifest.journal_bytes = self.journal.len()?;
        let (manifest, text) = stop.leaving(move || {
            let text = manifest.render();
            (manifest, text)
        })?;
        disk::replace_synced(&self.paths.manifest(), text.as_bytes())?;
        self.progress.set_written(manifest.journal_bytes);
        Ok(manifest)
    }

    fn restored_efforts(
        &mut self,
        manifest: &Manifest,
        stop: &StopFlag,
        problems: &mut Vec<Problem>,
        damaged: &mut Vec<EffortId>,
    ) -> Result<Vec<RestoredEffort>, Error> {
        let mut logs = Vec::new();
        for entry in manifest.entries().filter(|entry| entry.status == Status::Open) {
            if stop.is_stopped() {
                return Err(Error::Stopped);
            }
            logs.push(self.open_log(&EffortId::stored(&entry.id), problems)?);
        }
        let mut read = stop.leaving(move || read_all(logs))??.into_iter();
        let restored = |entry: &Entry| {
            let is_open = entry.status == Status::Open;
            let log = is_open.then(|| read.next()).flatten().unwrap_or_default();
            restored_effort(entry, log, problems, damaged)
        };
        let mut efforts = Vec::with_capacity(manifest.len());
        efforts.extend(manifest.entries().map(restored));
        Ok(efforts)
    }

    /// Makes sure of the log of an open effort, and tells where it is if there is one to read.
    fn open_log(
        &mut self,
        id: &EffortId,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<PathBuf>, Error> {
        let file = self.effort_files().of(id);
        let opened = self.logs.appender(&file, problems);
        if let Err(Error::Outside { path, .. } | Error::NotAFile(path)) = opened {
            let named = self.effort_files_mut().assign(&self.paths, id);
            problems.push(Problem(format!(
                "the log {} of effort '{id}' leads out of the session or is no file: it is not followed, \
                 the effort goes on in {named}",
                path.display()
            )));
            return Ok(None);
        }
        self.paths.inside(&file).map(Some)
    }

    /// The size of the ambient log, kept for the next commit.
    fn ambient_size(&mut self, stop: &StopFlag) -> Result<AmbientSize, Error> {
        let (paths, known) = (self.paths.clone(), self.session.ambient);
        let size = stop.leaving(move || ambient_size(&paths, known))??;
        self.session.ambient = Some(size);
        Ok(size)
    }
}

/// The messages of a log, and what in it cannot be read.
pub(crate) type ReadLog = (Vec<log::LogLine>, Option<Problem>);

/// Reads the logs of open efforts; one that is not followed is empty.
fn read_all(logs: Vec<Option<PathBuf>>) -> Result<Vec<ReadLog>, Error> {
    let read =
        |path: Option<PathBuf>| path.map_or_else(|| Ok(Default::default()), |it| log::read(&it));
    logs.into_iter().map(read).collect()
}

/// Finds the logs of all efforts, and efforts for logs that belong to none. Tells whether there was any.
fn with_orphans(
    paths: &Paths,
    mut manifest: Manifest,
    stop: &StopFlag,
    problems: &mut Vec<Problem>,
) -> Result<(Manifest, EffortFiles, bool), Error> {
    let paths = paths.clone();
    let (found, mut told) = stop.leaving(move || {
        let mut problems = Vec::new();
        let mut files = orphans::files(&paths, &manifest, &mut problems);
        let orphans = orphans::adopt(&paths, &mut files, &mut manifest, &mut problems);
        (orphans.map(|orphans| (manifest, files, orphans)), problems)
    })?;
    problems.append(&mut told);
    found
}

/// The size of the ambient log: as known if the file is as long as it was then, else counted.
pub(crate) fn ambient_size(
    paths: &Paths,
    known: Option<AmbientSize>,
) -> Result<AmbientSize, Error> {
    let path = paths.ambient();
    let bytes = fs::metadata(&path).map_or(0, |data| data.len());
    let known = known.filter(|known| known.bytes == bytes);
    if let Some(known) = known.filter(|known| known.tokens.is_some()) {
        return Ok(known);
    }
    if let Some(counted) = counts::read(paths).filter(|counted| counted.bytes == bytes) {
        let tokens = Some(counted.tokens.0);
        return Ok(AmbientSize { messages: counted.messages, tokens, bytes });
    }
    if let Some(known) = known {
        return Ok(known);
    }
    let messages = log::count(&path)?;
    Ok(AmbientSize { messages, tokens: (messages == 0).then_some(0), bytes })
}

/// The manifest with everything that the journal knows better.
pub(crate) struct Current {
    /// The entries.
    pub(crate) manifest: Manifest,
    /// The active effort, if the journal told of it.
    pub(crate) active: Option<String>,
    /// Bytes of the journal that the file includes.
    pub(crate) included: u64,
    /// The file was missing or broken and has to be written anew.
    pub(crate) repaired: bool,
}

/// Makes sure that the logs that loading reads and repairs can be read and written.
pub(crate) fn permitted(
    paths: &Paths,
    manifest: &Manifest,
    effort_files: &EffortFiles,
) -> Result<(), Error> {
    let open = manifest.entries().filter(|entry| entry.status == Status::Open);
    for entry in open {
        if let Ok(path) = paths.inside(&effort_files.of(&EffortId::stored(&entry.id))) {
            files::permitted(&path)?;
        }
    }
    files::permitted(&paths.ambient())
}

/// Reads the manifest and takes the journal's newer lines in, up to a position. A broken file is set
/// aside and rebuilt from the whole journal and what can be saved of it.
pub(crate) fn current(
    paths: &Paths,
    upto: u64,
    stop: &StopFlag,
    problems: &mut Vec<Problem>,
) -> Result<Current, Error> {
    let path = paths.manifest();
    let found = stop.leaving(move || Manifest::read(&path))??;
    let (mut manifest, mut repaired, broken) = match found {
        Found::Whole(manifest) => (manifest, false, false),
        Found::Missing => {
            if upto > 0 {
                problems.push(Problem(
                    "manifest.yaml is missing: it was rebuilt from the journal and the logs".into(),
                ));
            }
            (Manifest::default(), true, false)
        }
        Found::Broken { mut saved, why, bytes } => {
            let done = paths.mend.copy_aside(&paths.manifest(), &bytes)?;
            problems.push(Problem(format!(
                "manifest.yaml is broken ({why}): it {done} and rebuilt from the journal and the logs"
            )));
            saved.journal_bytes = 0;
            (saved, true, true)
        }
    };
    if manifest.journal_bytes > upto {
        // The journal was cut or replaced. Its lines are older than the manifest, and new ones must
        // not pass for lines that the manifest includes.
        problems.push(Problem(
            "journal.jsonl is shorter than it was: the manifest is kept as it is".into(),
        ));
        (manifest.journal_bytes, repaired) = (upto, true);
    }
    let from = manifest.journal_bytes;
    let path = paths.journal();
    let (mut manifest, replayed) = stop.leaving(move || {
        let replayed = replay::replay(&path, from, Some(upto), &mut manifest);
        (manifest, replayed)
    })?;
    let replayed = replayed?;
    if replayed.invalid > 0 {
        problems.push(Problem(format!(
            "{} line(s) of journal.jsonl cannot be read: skipped, and left as they are",
            replayed.invalid
        )));
    }
    if replayed.names_active {
        manifest.set_active(replayed.active.as_deref());
    }
    if broken {
        manifest.reopen_without_summary();
    }
    manifest.journal_bytes = replayed.end;
    Ok(Current { manifest, active: replayed.active, included: from, repaired })
}

/// Takes the mentions that the manifest does not know yet into it. Returns what changed, for the journal.
pub(crate) fn take_mentions(state: &MemoryState, manifest: &mut Manifest) -> Vec<Patch> {
    let mut newer = Vec::new();
    for (id, mention) in &state.mentions {
        let Some(entry) = manifest.get_mut(id.as_str()) else { continue };
        if !is_newer(mention, entry) {
            continue;
        }
        entry.last_referenced_turn = Some(mention.turn.0);
        entry.cause.clone_from(&mention.cause);
        newer.push(patch::mentioned(id, mention.turn.0));
    }
    newer
}

fn is_newer(mention: &Mention, entry: &Entry) -> bool {
    entry.last_referenced_turn.is_none_or(|known| known < mention.turn.0)
}

pub(crate) fn restored_effort(
    entry: &Entry,
    (raw, problem): ReadLog,
    problems: &mut Vec<Problem>,
    damaged: &mut Vec<EffortId>,
) -> RestoredEffort {
    let id = EffortId::stored(&entry.id);
    let said = entry.raw_messages.unwrap_or(0);
    if problem.is_some() && said > raw.len() as u64 {
        damaged.push(id.clone());
    }
    problems.extend(problem);
    RestoredEffort {
        blocks: block::read(&id, &entry.compressed, raw.len() as u64),
        id,
        status: entry.status,
        summary: entry.summary.as_deref().map(Into::into),
        tags: entry.tags.clone(),
        specifics: entry.specifics.clone(),
        pinned: entry.pinned,
        last_referenced: entry.last_referenced_turn.map(Turn),
        cause: entry.cause.as_deref().map(Into::into),
        last_used: Turn(entry.last_used_turn.unwrap_or(0)),
        nth_used: entry.nth_used.unwrap_or(0),
        raw_tokens: entry.raw_tokens.map(Tokens),
        raw_messages: entry.raw_messages.unwrap_or(0),
        evicted: entry.evicted,
        turns: log::turns(&raw),
        raw: log::plain(raw),
    }
}
