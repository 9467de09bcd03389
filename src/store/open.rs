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
use super::pending::{Pending, PendingFile, Place, Reply};
use super::state::{MemoryState, SessionState};
use super::{
    Error, Interrupted, LogReader, Opened, Problem, StopFlag, Store, disk, files, history, log,
    orphans,
};
use crate::clock;
use crate::memory::Turn;

/// Entries of the transcript that are read at the start.
const TRANSCRIPT_ENTRIES: usize = 200;

/// Bytes that are read of what may be half an exchange: a line of more holds more than a log takes.
const MOST_OF_HALF: u64 = 16 * super::MOST_LOGGED as u64;

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
            pending_file: PendingFile::default(),
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
                self.cut_half(&pending)?;
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
        if reply.place.path(&self.paths).is_some() {
            return Ok(reply.clone());
        }
        problems.push(Problem(format!(
            "pending.json names {} as the log of the last exchange, which is none: it is kept in {AMBIENT}",
            reply.place.file
        )));
        let offset = files::length(&self.paths.ambient())?;
        let place = Place { log: None, file: AMBIENT.into(), offset };
        Ok(Reply { place, ..reply.clone() })
    }

    /// Takes out of a log what a cut of power left of an exchange: the user's words alone. They stand in the
    /// record.
    fn cut_half(&mut self, pending: &Pending) -> Result<(), Error> {
        let Some(place) = &pending.place else { return Ok(()) };
        let Some(path) = place.path(&self.paths) else { return Ok(()) };
        if files::length(&path)? <= place.offset {
            return Ok(());
        }
        let log = self.logs.appender(&place.file, &mut self.problems)?;
        let rest = log.read_at(place.offset, MOST_OF_HALF)?;
        let mut lines = rest.split_inclusive(|&byte| byte == b'\n');
        if let (Some(line), None) = (lines.next(), lines.next())
            && pending.words_in(line).is_some()
        {
            log.cut(place.offset)?;
            log.sync()?;
        }
        Ok(())
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
        let log = self.logs.appender(&reply.place.file, &mut self.problems)?;
        let logged = log.read_at(reply.place.offset, expected.len() as u64)?;
        if logged == expected && is_counted {
            return Ok(());
        }
        let mut place = reply.place.clone();
        if logged != expected {
            if expected.starts_with(&logged) && log.len()? > place.offset {
                log.cut(place.offset)?;
            }
            place.offset = log.append(&expected)?;
        }
        log.sync()?;
        let mut fields = place.fields();
        fields.insert("bytes".into(), expected.len().into());
        fields.insert("recovered".into(), true.into());
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

/// The stored state, unless the journal is further: a turn counts once it is in the journal. A cut of power may
/// have left a state that is many turns old, or none.
pub(super) fn newest(paths: &Paths, mut state: SessionState) -> Result<SessionState, Error> {
    let Some(last) = last_turn(paths, |_| true)?.filter(|last| last.turn > state.turn) else {
        return Ok(state);
    };
    let measured = last_turn(paths, |record| history::tells_metrics(&record.fields))?;
    if let Some(measured) = measured.filter(|measured| measured.turn > state.turn) {
        state.metrics = history::metrics(&measured.fields);
    }
    state.turn = last.turn;
    Ok(state)
}

/// What a kill left is put right before the logs are looked for; a session that would be refused for them is
/// refused first, so that not a byte of it has changed.
fn refuse_before_mending(dir: &Path) -> Result<(), Error> {
    let paths = Paths::to_look_at(dir);
    if files::length(&paths.pending())? == 0 && !files::is_torn(&paths.journal())? {
        return Ok(());
    }
    let (upto, stop) = (files::length(&paths.journal())?, StopFlag::default());
    let Current { manifest, .. } = load::current(&paths, upto, &stop, &mut Vec::new())?;
    let effort_files = orphans::files(&paths, &manifest, &mut Vec::new());
    load::permitted(&paths, &manifest, &effort_files)
}

/// The state of a session whose `session_state.json` is missing or broken.
pub(super) fn recovered(paths: &Paths, problems: &mut Vec<Problem>) -> Result<SessionState, Error> {
    let told = newest(paths, SessionState::default())?;
    if told.turn > Turn(0) {
        return Ok(told);
    }
    let memory = MemoryState::read(paths, problems)?;
    let mentioned = memory.mentions.values().map(|mention| mention.turn);
    let mentioned = mentioned.filter(|&turn| can_be_recovered(turn)).max();
    let counted = Turn(log::count(&paths.ambient())? / 2);
    let turn = memory.turn.filter(|&turn| can_be_recovered(turn)).or(mentioned);
    Ok(SessionState { turn: turn.unwrap_or_default().max(counted), ..told })
}

/// The journal's last line of a turn that passes a test.
fn last_turn(
    paths: &Paths,
    wanted: impl Fn(&journal::Record) -> bool,
) -> Result<Option<journal::Record>, Error> {
    journal::last_record(&paths.journal(), |record| {
        record.kind == "turn" && can_be_recovered(record.turn) && wanted(record)
    })
}

fn can_be_recovered(turn: Turn) -> bool {
    turn.0 <= MOST_RECOVERED_TURN
}
