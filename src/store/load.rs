//! Loading a session: the manifest with the journal's newer lines, and the logs that belong in the
//! window. May take long on a huge session; the screen is there before.

use std::collections::HashSet;
use std::fs;

use serde_json::{Map, Value, json};

use super::entry::Entry;
use super::journal::{self, Batch};
use super::manifest::{Found, Manifest};
use super::note::StoredNotes;
use super::paths::{EffortFiles, Paths};
use super::state::{AmbientSize, MemoryState, Mention};
use super::{Error, Loaded, Problem, Store, block, files, log};
use crate::clock;
use crate::memory::{EffortId, Restored, RestoredEffort, Status, Tokens, Turn};

impl Store {
    /// Reads what memory is built from: all efforts, the logs of the open ones, and as many ambient
    /// exchanges as the window holds. What is broken is set aside, rebuilt and reported.
    ///
    /// # Errors
    /// When a file cannot be read or a repaired one cannot be written.
    pub fn load(&mut self, ambient_window: usize) -> Result<Loaded, Error> {
        let mut problems = Vec::new();
        let upto = self.journal.len()?;
        let Current { mut manifest, active, included, repaired } =
            current(&self.paths, upto, &mut problems)?;
        self.progress.set_written(included);
        // A kill may have come before the manifest was written: the next job does it.
        self.changed_upto = upto;
        problems.extend(manifest.problems());
        self.adopt_files(&manifest, &mut problems);
        let orphans = self.adopt_orphans(&mut manifest, &mut problems)?;
        self.memory_state = MemoryState::read(&self.paths.dir, &mut problems)?;
        self.take_foreign_mentions(&mut manifest)?;
        if repaired || orphans {
            self.rewrite(&mut manifest)?;
        }
        let hint = self.session.active.clone();
        let active = active.or_else(|| manifest.active().map(str::to_owned)).or(hint);
        let efforts = self.restored_efforts(&manifest, &mut problems)?;
        // Opening the log repairs its end, before anything is appended to it.
        self.logs.appender("raw.jsonl", &mut problems)?;
        let stored_notes = StoredNotes::current(&self.paths, upto, &mut problems)?;
        let tail = log::read_tail(&self.paths.ambient(), None, ambient_window.saturating_mul(2))?;
        problems.extend(tail.problem);
        let ambient = self.ambient_size()?;
        problems.append(&mut self.problems);
        let (notes, last_note) = stored_notes.into_parts();
        let restored = Restored {
            turn: self.session.turn,
            efforts,
            active: active.as_deref().map(EffortId::stored),
            ambient: log::plain(tail.messages),
            ambient_messages: ambient.messages,
            ambient_tokens: ambient.tokens.map(Tokens),
            metrics: self.session.metrics,
            notes,
            last_note,
        };
        Ok(Loaded { restored, problems })
    }

    fn adopt_files(&self, manifest: &Manifest, problems: &mut Vec<Problem>) {
        let mut effort_files = EffortFiles::default();
        for entry in manifest.entries() {
            let id = EffortId::stored(&entry.id);
            let known = |id: &str| manifest.get(id).is_some();
            let stored = entry.raw_file.as_deref();
            problems.extend(effort_files.adopt(&self.paths, &id, stored, known));
        }
        *self.effort_files_mut() = effort_files;
    }

    /// A log without an entry is an effort whose entry was lost: it is opened, so that its words are
    /// in the window again.
    fn adopt_orphans(
        &mut self,
        manifest: &mut Manifest,
        problems: &mut Vec<Problem>,
    ) -> Result<bool, Error> {
        let mut found = Vec::new();
        for (file, stem) in self.unclaimed_logs(manifest)? {
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
        let names: Vec<&str> = found.iter().take(5).map(|entry| entry.id.as_str()).collect();
        if !found.is_empty() {
            problems.push(Problem(format!(
                "{} effort log(s) had no entry in manifest.yaml and were opened again: {}{}",
                found.len(),
                names.join(", "),
                if found.len() > names.len() { ", ..." } else { "" }
            )));
        }
        let any = !found.is_empty();
        for entry in found {
            let id = EffortId::stored(&entry.id);
            let stored = entry.raw_file.clone();
            self.effort_files_mut().adopt(&self.paths, &id, stored.as_deref(), |_| false);
            manifest.insert(entry);
        }
        Ok(any)
    }

    fn unclaimed_logs(&self, manifest: &Manifest) -> Result<Vec<(String, String)>, Error> {
        let effort_files = self.effort_files();
        let claimed: HashSet<String> =
            manifest.entries().map(|entry| effort_files.of(&EffortId::stored(&entry.id))).collect();
        let dir = self.paths.efforts();
        let mut logs: Vec<(String, String)> = fs::read_dir(&dir)
            .map_err(Error::read(&dir))?
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

    /// Another program keeps the last mention of every effort in `memory_state.json`. Ours holds only
    /// what is in the window, so the journal takes over the rest before the file is replaced.
    fn take_foreign_mentions(&mut self, manifest: &mut Manifest) -> Result<(), Error> {
        let mut entries: Vec<Value> = Vec::new();
        for (id, mention) in &self.memory_state.mentions {
            let Some(entry) = manifest.get_mut(id.as_str()) else { continue };
            if !is_newer(mention, entry) {
                continue;
            }
            entry.last_referenced_turn = Some(mention.turn.0);
            entry.cause.clone_from(&mention.cause);
            if self.memory_state.turn.is_none() {
                entries.push(json!({"id": id.as_str(), "last_referenced_turn": mention.turn.0}));
            }
        }
        let mut batch = Batch::default();
        for some in entries.chunks(1000) {
            let fields = journal::object(json!({"entries": some}));
            self.journal.add(
                &mut batch,
                "mentions_taken",
                self.session.turn,
                &clock::timestamp(),
                fields,
            );
        }
        self.journal.append(&batch)
    }

    fn rewrite(&mut self, manifest: &mut Manifest) -> Result<(), Error> {
        manifest.journal_bytes = self.journal.len()?;
        files::replace_synced(&self.paths.manifest(), manifest.render().as_bytes())?;
        self.progress.set_written(manifest.journal_bytes);
        Ok(())
    }

    fn restored_efforts(
        &mut self,
        manifest: &Manifest,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<RestoredEffort>, Error> {
        let mut efforts = Vec::new();
        for entry in manifest.entries() {
            let id = EffortId::stored(&entry.id);
            let raw = match entry.status {
                Status::Open => self.open_log(&id, problems)?,
                Status::Concluded => Vec::new(),
            };
            efforts.push(restored_effort(entry, id, raw));
        }
        Ok(efforts)
    }

    fn open_log(
        &mut self,
        id: &EffortId,
        problems: &mut Vec<Problem>,
    ) -> Result<Vec<log::LogLine>, Error> {
        let file = self.effort_files().of(id);
        if let Err(Error::Outside { path, .. }) = self.logs.appender(&file, problems) {
            let named = self.effort_files_mut().assign(&self.paths, id);
            problems.push(Problem(format!(
                "the log {} of effort '{id}' leads out of the session: it is not followed, the effort \
                 goes on in {named}",
                path.display()
            )));
            return Ok(Vec::new());
        }
        let (messages, problem) = log::read(&self.paths.inside(&file)?)?;
        problems.extend(problem);
        Ok(messages)
    }

    /// The size of the ambient log: as stored if the file is as long as it was then, else counted.
    fn ambient_size(&mut self) -> Result<AmbientSize, Error> {
        let path = self.paths.ambient();
        let bytes = fs::metadata(&path).map_or(0, |data| data.len());
        if let Some(known) = self.session.ambient.filter(|known| known.bytes == bytes) {
            return Ok(known);
        }
        let messages = log::count(&path)?;
        let tokens = (messages == 0).then_some(0);
        let size = AmbientSize { messages, tokens, bytes };
        self.session.ambient = Some(size);
        Ok(size)
    }
}

/// The manifest with everything that the journal knows better.
pub(super) struct Current {
    /// The entries.
    pub(super) manifest: Manifest,
    /// The active effort, if the journal told of it.
    pub(super) active: Option<String>,
    /// Bytes of the journal that the file includes.
    pub(super) included: u64,
    /// The file was missing or broken and has to be written anew.
    pub(super) repaired: bool,
}

/// Reads the manifest and takes the journal's newer lines in, up to a position. A broken file is set
/// aside and rebuilt from the whole journal and what can be saved of it.
pub(super) fn current(
    paths: &Paths,
    upto: u64,
    problems: &mut Vec<Problem>,
) -> Result<Current, Error> {
    let (mut manifest, mut repaired, broken) = match Manifest::read(&paths.manifest())? {
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
            let kept = files::set_aside(&paths.manifest(), &bytes, "broken")?;
            problems.push(Problem(format!(
                "manifest.yaml is broken ({why}): it was set aside as {kept} and rebuilt from the \
                 journal and the logs"
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
    let replayed = journal::replay(&paths.journal(), from, Some(upto), &mut manifest)?;
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

fn is_newer(mention: &Mention, entry: &Entry) -> bool {
    entry.last_referenced_turn.is_none_or(|known| known < mention.turn.0)
}

fn restored_effort(entry: &Entry, id: EffortId, raw: Vec<log::LogLine>) -> RestoredEffort {
    RestoredEffort {
        blocks: block::read(&id, &entry.compressed),
        id,
        status: entry.status,
        summary: entry.summary.as_deref().map(Into::into),
        tags: entry.tags.clone(),
        pinned: entry.pinned,
        last_referenced: entry.last_referenced_turn.map(Turn),
        cause: entry.cause.as_deref().map(Into::into),
        last_used: Turn(entry.last_used_turn.unwrap_or(0)),
        raw_tokens: entry.raw_tokens.map(Tokens),
        raw_messages: entry.raw_messages.unwrap_or(0),
        evicted: entry.evicted,
        raw: log::plain(raw),
    }
}

/// The part of an entry that says where its log stands.
pub(super) fn size_fields(id: &EffortId, messages: u64, tokens: Tokens) -> Map<String, Value> {
    journal::object(json!({"id": id.as_str(), "raw_tokens": tokens.0, "raw_messages": messages}))
}
