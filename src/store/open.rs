//! Opening a session: everything the first frame needs, in a time that does not depend on its size.

mod ambient;
pub(super) mod checkpoint;
mod departed;
mod expanded;
pub(super) mod interrupted;
pub(super) mod load;
pub(super) mod look;
pub(super) mod orphans;

use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, RwLock};

use crate::lock;
use crate::memory::Turn;
use crate::store::disk::lock::Lock;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::disk::place::Place;
use crate::store::disk::{self, files};
use crate::store::journal::{self, Journal};
use crate::store::log;
use crate::store::log::logs::Logs;
use crate::store::record::entry::MOST_RECOVERED_TURN;
use crate::store::record::{Line, Moment, TurnLine};
use crate::store::turn::pending::PendingFile;
use crate::store::turn::state::{MemoryState, SessionState};
use crate::store::{Error, LogReader, Opened, Problem, StopFlag, Store};
use checkpoint::Progress;
use load::Current;

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
        clear_half_written(&paths);
        let mut problems = Vec::new();
        first_manifest(&paths)?;
        let journal = Journal::open(&paths, &mut problems)?;
        let stored = SessionState::read(&paths, &mut problems)?;
        let session = match stored {
            Some(state) => newest(&paths, state)?,
            None => recovered(&paths, &mut problems)?,
        };
        let mut store = Self {
            lock,
            place: Place::of(dir),
            journal,
            logs: Logs::new(paths.clone()),
            files: Arc::new(RwLock::new(EffortFiles::default())),
            session,
            memory_state: MemoryState::default(),
            left_expanded: Vec::new(),
            expanded_at: std::collections::BTreeMap::new(),
            pending: None,
            pending_file: PendingFile::default(),
            entered: None,
            unopened: Vec::new(),
            logged: None,
            scratchpad: crate::store::Scratchpad::open(&paths, &mut problems)?,
            ambient_lost: crate::store::turn::state::AmbientSize::default(),
            ledger: crate::store::ledger::Ledger::default(),
            progress: Arc::new(Progress::default()),
            changed_upto: 0,
            steps: 0,
            opening: crate::store::history::opening::Opening::default(),
            finish: None,
            said_at: None,
            request: None,
            faults: None,
            model: None,
            problems: Vec::new(),
            spooled: None,
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
        problems.extend(log::transcript::uncovered::told(page.uncovered));
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
        LogReader::new(self.paths.clone(), Arc::clone(&self.files), self.spooled.clone())
    }

    /// The files of efforts, for reading. A panic elsewhere cannot have left them half changed.
    pub(super) fn effort_files(&self) -> std::sync::RwLockReadGuard<'_, EffortFiles> {
        lock::read(&self.files)
    }

    /// The files of efforts, for changing.
    pub(super) fn effort_files_mut(&self) -> std::sync::RwLockWriteGuard<'_, EffortFiles> {
        lock::write(&self.files)
    }
}

/// Makes the directories of a session.
pub(super) fn prepare(dir: &Path) -> Result<(), Error> {
    let efforts = dir.join("efforts");
    match disk::create_dir_for_good(&efforts) {
        Ok(()) => Ok(()),
        Err(source) => {
            let in_the_way = efforts.ancestors().find(|path| path.is_file());
            Err(match in_the_way {
                Some(path) => Error::NotADirectory(path.to_owned()),
                None => Error::Directory { dir: dir.to_owned(), source },
            })
        }
    }
}

/// Takes away what stands beside a file that was about to be replaced when the program was killed: the file itself holds
/// its old content, and nobody else writes while the lock is held. What cannot be taken away does no harm.
fn clear_half_written(paths: &Paths) {
    let replaced = [paths.manifest(), paths.notes(), paths.session_state(), paths.memory_state()];
    for path in replaced {
        let half = files::beside(&path, ".tmp");
        if fs::symlink_metadata(&half).is_ok_and(|data| data.is_file()) {
            let _ = fs::remove_file(&half);
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
        disk::replace_synced(
            &path,
            crate::store::manifest::Manifest::default().render().as_bytes(),
        )?;
    }
    Ok(())
}

/// The stored state, unless the journal is further: a turn counts once it is in the journal. A cut of power may
/// have left a state that is many turns old, or none.
pub(super) fn newest(paths: &Paths, mut state: SessionState) -> Result<SessionState, Error> {
    let Some((last, ())) = last_turn(paths, |_| Some(()))?.filter(|last| last.0 > state.turn)
    else {
        return Ok(state);
    };
    let measured = last_turn(paths, |line| line.moment.as_ref().and_then(Moment::metrics))?;
    if let Some((_, metrics)) = measured.filter(|measured| measured.0 > state.turn) {
        state.metrics = metrics;
    }
    state.turn = last;
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

/// The journal's last line of a turn for which there is what is asked for.
fn last_turn<T>(
    paths: &Paths,
    asked: impl Fn(&TurnLine) -> Option<T>,
) -> Result<Option<(Turn, T)>, Error> {
    journal::find_last(&paths.journal(), |record| match &record.line {
        Line::Turn(line) if can_be_recovered(record.turn) => Some((record.turn, asked(line)?)),
        _ => None,
    })
}

fn can_be_recovered(turn: Turn) -> bool {
    turn.0 <= MOST_RECOVERED_TURN
}
