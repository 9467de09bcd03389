//! Opening a session: everything the first frame needs, in a time that does not depend on its size.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Map, json};

use super::checkpoint::Progress;
use super::entry::MOST_RECOVERED_TURN;
use super::journal::{self, Journal};
use super::load::{self, Current};
use super::lock::Lock;
use super::logs::Logs;
use super::paths::{AMBIENT, EffortFiles, Paths};
use super::pending::{Pending, Reply};
use super::state::{MemoryState, SessionState};
use super::{
    Error, Interrupted, LogReader, Opened, Problem, StopFlag, Store, disk, files, log, orphans,
};
use crate::clock;
use crate::memory::Turn;

/// Entries of the transcript that are read at the start.
const TRANSCRIPT_ENTRIES: usize = 200;

impl Store {
    /// Opens a session, or makes a new one: takes the lock, completes or sets aside what a kill left
    /// half done, and reads the end of the transcript.
    ///
    /// # Errors
    /// When another process has it open, or when the directory cannot be read or written.
    pub fn open(dir: &Path) -> Result<Opened, Error> {
        let paths = Paths::new(dir);
        paths.check()?;
        prepare(dir)?;
        refuse_before_mending(dir)?;
        let lock = Lock::take(dir)?;
        let mut problems = Vec::new();
        first_manifest(&paths)?;
        let journal = Journal::open(&paths, &mut problems)?;
        let stored = SessionState::read(&paths, &mut problems)?;
        let session = match stored {
            Some(state) => newest(&paths, state)?,
            None => recovered(&paths, &mut problems)?,
        };
        let mut store = Self {
            _lock: lock,
            journal,
            logs: Logs::new(paths.clone()),
            files: Arc::new(RwLock::new(EffortFiles::default())),
            session,
            memory_state: MemoryState::default(),
            expanded_at: std::collections::BTreeMap::new(),
            pending: None,
            entered: None,
            logged: None,
            scratchpad: super::Scratchpad::open(&paths, &mut problems)?,
            progress: Arc::new(Progress::default()),
            changed_upto: 0,
            opening: super::opening::Opening::default(),
            request: None,
            problems: Vec::new(),
            paths,
        };
        let interrupted = store.finish_pending(&mut problems)?;
        problems.append(&mut store.problems);
        let mut drafts = store.draft_file().read(&mut problems)?;
        if let Some(interrupted) = &interrupted {
            drafts.forget(&interrupted.user);
        }
        if !drafts.waiting.is_empty() {
            drafts.without(&journal::entered(&store.paths.journal())?);
        }
        let page = store.reader().transcript_before(None, TRANSCRIPT_ENTRIES)?;
        Ok(Opened {
            turn: store.session.turn,
            store,
            transcript: page.entries,
            earlier: page.earlier,
            interrupted,
            drafts,
            problems,
        })
    }

    /// Reads logs without the store, on any thread.
    pub fn reader(&self) -> LogReader {
        LogReader::new(self.paths.clone(), Arc::clone(&self.files))
    }

    /// A turn that was under way when the process ended: completed if its reply was complete, else
    /// handed back, and kept readable in the journal.
    fn finish_pending(
        &mut self,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Interrupted>, Error> {
        let path = self.paths.pending();
        let next = Turn(self.session.turn.0 + 1);
        let Some(pending) = Pending::read(&self.paths, next, problems)? else { return Ok(None) };
        let mut interrupted = None;
        match &pending.reply {
            Some(reply) => self.complete(&pending, &self.placed(reply, problems)?)?,
            None if pending.turn > self.session.turn || !self.has_ended(&pending)? => {
                interrupted = Some(self.note_interruption(&pending)?);
            }
            None => {}
        }
        files::remove(&path)?;
        Ok(interrupted)
    }

    /// A reply with a place in a log that can be written to: where the record names none, its words go to
    /// the end of the ambient log.
    fn placed(&self, reply: &Reply, problems: &mut Vec<Problem>) -> Result<Reply, Error> {
        if reply.file == AMBIENT || self.paths.inside(&reply.file).is_ok() {
            return Ok(reply.clone());
        }
        problems.push(Problem(format!(
            "pending.json names {} as the log of the last exchange, which is none: it is kept in {AMBIENT}",
            reply.file
        )));
        let offset = files::length(&self.paths.ambient())?;
        Ok(Reply { log: None, file: AMBIENT.into(), offset, ..reply.clone() })
    }

    /// Whether the journal counts the turn of a record. That a turn of this number was stopped says nothing:
    /// the next message begins it anew.
    fn is_counted(&self, pending: &Pending) -> Result<bool, Error> {
        let of_turn =
            |record: &journal::Record| record.kind == "turn" && record.turn == pending.turn;
        Ok(journal::last_record(&self.paths.journal(), of_turn)?.is_some())
    }

    /// Whether the journal tells how a turn without a reply ended, so that its record is only left over.
    fn has_ended(&self, pending: &Pending) -> Result<bool, Error> {
        let stopped = |record: &journal::Record| {
            record.kind == "turn_stopped"
                && record.turn == pending.turn
                && record.text("user") == &*pending.user
        };
        let is_stopped = journal::last_record(&self.paths.journal(), stopped)?.is_some();
        Ok(is_stopped || self.is_counted(pending)?)
    }

    /// Counts a turn whose reply is complete; the words are logged unless they are.
    fn complete(&mut self, pending: &Pending, reply: &Reply) -> Result<(), Error> {
        let expected = pending.lines(reply);
        // Where the state is missing, its turn is a guess from the logs; the journal knows.
        let is_counted = self.is_counted(pending)?;
        let log = self.logs.appender(&reply.file, &mut self.problems)?;
        let logged = log.read_at(reply.offset, expected.len() as u64)?;
        if logged == expected && is_counted {
            return Ok(());
        }
        let mut offset = reply.offset;
        if logged != expected {
            if expected.starts_with(&logged) && log.len()? > offset {
                log.cut(offset)?;
            }
            offset = log.append(&expected)?;
        }
        log.sync()?;
        let mut fields = journal::object(json!({
            "log": reply.log.as_ref().map(crate::memory::EffortId::as_str),
            "file": reply.file,
            "offset": offset,
            "bytes": expected.len(),
            "recovered": true,
        }));
        fields.extend(journal::entered_field(pending.entered));
        self.journal.push("turn", pending.turn, &reply.at, fields)?;
        self.session.turn = self.session.turn.max(pending.turn);
        self.journal.sync()?;
        self.session.write(&self.paths, &clock::timestamp())
    }

    fn note_interruption(&mut self, pending: &Pending) -> Result<Interrupted, Error> {
        let last = journal::last_record(&self.paths.journal(), |_| true)?;
        let noted = last.is_some_and(|record| {
            record.kind == "turn_stopped"
                && record.turn == pending.turn
                && record.text("user") == &*pending.user
                && record.entered() == pending.entered
        });
        if !noted {
            let cause = "the program ended before the reply was complete";
            let fields = stopped_fields(&pending.user, "", cause, pending.entered);
            self.journal.push("turn_stopped", pending.turn, &pending.asked, fields)?;
            self.journal.sync()?;
        }
        Ok(Interrupted { turn: pending.turn, user: Arc::clone(&pending.user) })
    }

    /// The files of efforts, for reading. A panic elsewhere cannot have left them half changed.
    pub(super) fn effort_files(&self) -> std::sync::RwLockReadGuard<'_, EffortFiles> {
        self.files.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files of efforts, for changing.
    pub(super) fn effort_files_mut(&self) -> std::sync::RwLockWriteGuard<'_, EffortFiles> {
        self.files.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The fields of a stopped turn's line.
pub(super) fn stopped_fields(
    user: &str,
    partial: &str,
    cause: &str,
    entered: Option<u64>,
) -> Map<String, serde_json::Value> {
    let fields = json!({"user": user, "partial": partial, "cause": cause});
    let mut fields = journal::object(fields);
    fields.extend(journal::entered_field(entered));
    fields
}

/// Makes the directories of a session.
pub(super) fn prepare(dir: &Path) -> Result<(), Error> {
    let efforts = dir.join("efforts");
    match disk::create_dir_for_good(&efforts) {
        Ok(()) => Ok(()),
        Err(source) => {
            let in_the_way = efforts.ancestors().find(|path| path.is_file());
            Err(match in_the_way {
                Some(path) => Error::NotADirectory { path: path.to_owned() },
                None => Error::Directory { dir: dir.to_owned(), source },
            })
        }
    }
}

/// A new session begins with an empty manifest, so that a missing one always means a lost one.
fn first_manifest(paths: &Paths) -> Result<(), Error> {
    let path = paths.manifest();
    let is_new = [&path, &paths.journal(), &paths.session_state(), &paths.ambient()]
        .into_iter()
        .all(|path| matches!(fs::symlink_metadata(path), Err(e) if e.kind() == io::ErrorKind::NotFound));
    if is_new && fs::read_dir(paths.efforts()).is_ok_and(|mut logs| logs.next().is_none()) {
        disk::replace(&path, super::manifest::Manifest::default().render().as_bytes())?;
    }
    Ok(())
}

/// The stored state, unless the journal is further: a turn counts once it is in the journal.
pub(super) fn newest(paths: &Paths, state: SessionState) -> Result<SessionState, Error> {
    let last = last_turn(paths)?.unwrap_or_default();
    Ok(SessionState { turn: state.turn.max(last), ..state })
}

/// What a kill left is put right before the logs are looked for; a session that would be refused for them is
/// refused first, so that not a byte of it has changed.
fn refuse_before_mending(dir: &Path) -> Result<(), Error> {
    let paths = Paths::to_look_at(dir);
    if !paths.pending().exists() && !files::is_torn(&paths.journal())? {
        return Ok(());
    }
    let (upto, stop) = (files::length(&paths.journal())?, StopFlag::default());
    let Current { manifest, .. } = load::current(&paths, upto, &stop, &mut Vec::new())?;
    let effort_files = orphans::files(&paths, &manifest, &mut Vec::new());
    load::permitted(&paths, &manifest, &effort_files)
}

/// The state of a session whose `session_state.json` is missing or broken.
pub(super) fn recovered(paths: &Paths, problems: &mut Vec<Problem>) -> Result<SessionState, Error> {
    let turn = if let Some(turn) = last_turn(paths)? {
        turn
    } else {
        let memory = MemoryState::read(paths, problems)?;
        let mentioned = memory.mentions.values().map(|mention| mention.turn);
        let mentioned = mentioned.filter(|&turn| can_be_recovered(turn)).max();
        let counted = Turn(log::count(&paths.ambient())? / 2);
        memory
            .turn
            .filter(|&turn| can_be_recovered(turn))
            .or(mentioned)
            .unwrap_or_default()
            .max(counted)
    };
    Ok(SessionState { turn, ..SessionState::default() })
}

fn last_turn(paths: &Paths) -> Result<Option<Turn>, Error> {
    let is_turn = |record: &journal::Record| record.kind == "turn" && can_be_recovered(record.turn);
    let last = journal::last_record(&paths.journal(), is_turn)?;
    Ok(last.map(|record| record.turn))
}

fn can_be_recovered(turn: Turn) -> bool {
    turn.0 <= MOST_RECOVERED_TURN
}
