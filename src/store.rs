//! The session on disk: manifest, logs, journal, state, and the lock that keeps it to one writer.
//!
//! Owns every file of a session (design section 8) and decides nothing about memory: it is told what
//! happened and hands back what it knows.
//!
//! Invariants:
//! - Any prefix of the writes of a turn is a state that opens. `session_state.json` is the commit
//!   point; a reply is in `pending.json` before it is logged, and a turn whose reply was complete is
//!   completed when the session is opened again.
//! - Logs and journal are only appended to, whole lines in one write. What is replaced is replaced by
//!   a rename. What is broken is set aside under a name of its own, never deleted.
//! - "On disk" means synced, unless `durability = process`: what was typed before [`Store::begin_turn`]
//!   returns, the exchange before [`Store::log_exchange`] does, the journal with all changes of the turn before
//!   [`Store::finish_turn`] does: one sync each. The words say where the exchange will stand, so that no cut of
//!   power leaves it logged and not counted; the states are made good from the journal.
//! - What a turn reads and writes depends on the window, not on the history. `manifest.yaml` is
//!   rewritten beside the chat by a [`Checkpoint`]; until then the journal carries the truth.
//! - No file outside the session's directory is read or written, whatever an id or a manifest says. The logs of a
//!   session that does not outlive the process are in a file without a name.
//!
//! Its wings, each of which knows only those before it:
//! - `disk`: files and what is asked of the disk itself; the lock; where everything is.
//! - `record`: the stored forms. A line of the journal is one type, and so is an entry of the manifest.
//! - `journal`: lines appended and read; what can be undone, told from them.
//! - `manifest`: `manifest.yaml` and `notes.json`, which follow from the journal.
//! - `log`: what was said, and the transcript.
//! - `history`: what memory held after any turn; the journal as people read it.
//! - `ledger`: what the requests took; how comparisons were judged.
//! - `turn`: what a turn writes.
//! - `open`: opening, loading and looking at a session; the manifest written beside the chat.
//! - `sessions`: the sessions that there are.
//!
//! `scratchpad` and `archive` stand by themselves, on the disk.

mod archive;
mod disk;
mod error;
mod history;
mod journal;
mod ledger;
mod log;
mod manifest;
mod open;
mod record;
mod scratchpad;
mod sessions;
mod stop;
mod turn;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, RwLock};

pub use archive::{Archive, ArchiveError};
pub use disk::Durability;
pub use disk::new_file::{NewFile, Readers};
#[cfg(test)]
pub(crate) use disk::power_cut;
#[cfg(test)]
pub(crate) use disk::refused;
pub use disk::spool::Spool;
pub(crate) use disk::temporary::unnamed_file;
pub use disk::temporary::{clear_away, clear_fresh_dirs, fresh_dir};
pub use error::{Error, Problem};
pub use history::changes::PastChange;
pub use history::chronicle::{JournalEntry, Standing};
pub use history::course::{CourseTurn, Happening, PastCourse};
pub use history::{Moment, SentRequest};
pub use journal::undo::{Arrival, ChangeSet};
pub use ledger::replayed::keep_prices;
pub use ledger::versus::{Verdict, Verdicts};
pub use ledger::{BilledTurn, PaidRequest, StoredBill};
pub use log::counts::Counted;
pub use log::counts::efforts::CountedEfforts;
pub use log::reader::LogReader;
pub use log::said::{LoggedMessage, SaidReader};
pub use log::title::held_by;
pub use log::transcript::{Cursor, Page, TranscriptEntry, TranscriptKind};
pub use open::checkpoint::Checkpoint;
pub(crate) use open::look::is_session;
pub use open::look::{Looked, look};
pub use record::Step;
pub use scratchpad::{CHUNK_BYTES, Chunk, Label, PadError, PadHit, Sample, Scratchpad};
pub use sessions::about::{begun, bytes_of};
pub use sessions::begun::Begun;
pub use sessions::create::{Setup, SetupEffort, SetupNote, create};
pub use sessions::delete::{Deletion, check_deletable, clear_deletions};
pub use sessions::find::{FoundSession, find};
pub use sessions::fork::{fork, free_place};
pub use sessions::rename::{check_name, rename};
pub use sessions::{SessionSummary, numbers, sessions};
pub use stop::StopFlag;
pub use turn::draft::{Changing, Draft, DraftFile, Drafts, Paste};
pub use turn::exchange::MOST_LOGGED;

use crate::memory::{EffortId, Restored, Role, Shelf, Turn};

/// A session that was just opened: what the first frame needs.
#[derive(Debug)]
pub struct Opened {
    /// The session; [`Store::load`] comes next.
    pub store: Store,
    /// The last counted turn.
    pub turn: Turn,
    /// The end of the transcript, oldest first.
    pub transcript: Vec<TranscriptEntry>,
    /// Where the transcript goes on backwards; `None` if this is all of it.
    pub earlier: Option<Cursor>,
    /// A message that was sent and never answered: it goes back to the input line.
    pub interrupted: Option<Interrupted>,
    /// What was written and not sent when the process ended.
    pub drafts: Drafts,
    /// What was repaired or set aside.
    pub problems: Vec<Problem>,
}

/// A turn that was under way when the process ended. Its words are in the journal, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interrupted {
    /// The number it would have had.
    pub turn: Turn,
    /// The user's message.
    pub user: Arc<str>,
}

/// Everything that memory is built from.
#[derive(Debug)]
pub struct Loaded {
    /// For [`crate::memory::Memory::restore`].
    pub restored: Restored,
    /// What was repaired or set aside.
    pub problems: Vec<Problem>,
}

/// An open session. Only one exists for a directory at a time, in all processes.
#[derive(Debug)]
pub struct Store {
    lock: disk::lock::Lock,
    /// The directory that was opened.
    place: disk::place::Place,
    paths: disk::paths::Paths,
    journal: journal::Journal,
    logs: log::logs::Logs,
    /// Shared with the readers.
    files: Arc<RwLock<disk::paths::EffortFiles>>,
    session: turn::state::SessionState,
    memory_state: turn::state::MemoryState,
    /// What was expanded when the session was closed, until somebody asks.
    left_expanded: Vec<EffortId>,
    /// When what is expanded was expanded, as time stamps.
    expanded_at: BTreeMap<EffortId, String>,
    /// The turn under way, as it is in `pending.json`.
    pending: Option<turn::pending::Pending>,
    /// That file.
    pending_file: turn::pending::PendingFile,
    /// The number of the entered message or command that is carried out.
    entered: Option<u64>,
    /// Logs that the disk did not give yet, each with the line that comes next in it.
    unopened: Vec<(EffortId, Vec<u8>)>,
    /// An exchange that is in its log and not yet in the journal.
    logged: Option<turn::exchange::Logged>,
    scratchpad: Scratchpad,
    /// What is gone from the ambient log.
    ambient_lost: turn::state::AmbientSize,
    ledger: ledger::Ledger,
    progress: Arc<open::checkpoint::Progress>,
    /// The manifest is behind as long as it does not include the journal up to here.
    changed_upto: u64,
    /// Steps of memory that the journal took.
    steps: u64,
    /// How the session was opened and under which rules, as far as the journal does not tell yet.
    opening: history::opening::Opening,
    /// How the reply of the turn under way ended, if it is not whole.
    finish: Option<Arc<str>>,
    /// When the next turn, or the one under way, was said, if that is not now.
    said_at: Option<String>,
    /// The last request of the turn under way.
    request: Option<SentRequest>,
    /// What the turn under way missed.
    faults: Option<[u64; 3]>,
    /// Which model answers, if somebody said so.
    model: Option<String>,
    /// What was repaired since somebody last asked.
    problems: Vec<Problem>,
    /// The logs of a session that does not outlive the process; nothing else of it is written.
    spooled: Option<Arc<log::spooled::SpooledLogs>>,
}

/// The name of a session: the last part of its directory.
pub fn name_of(dir: &Path) -> String {
    disk::files::name_of(dir)
}

impl Store {
    /// The session's directory.
    pub fn dir(&self) -> &Path {
        &self.paths.dir
    }

    /// How many steps of memory the journal took in this run, whether it could be synced behind them or not.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Changes what "on disk" is safe against from now on.
    pub fn set_durability(&self, durability: Durability) {
        self.paths.disk.set(if self.is_kept() { durability } else { Durability::Process });
    }

    /// From now on only what is read again is written, the logs of what was said, and not to the session's files: it is
    /// new, and nobody opens it again.
    ///
    /// # Errors
    /// No file can be made where temporary files go.
    pub fn keep_logs_only(&mut self) -> Result<(), Error> {
        self.spooled = Some(Arc::new(log::spooled::SpooledLogs::new()?));
        self.paths.disk.set(Durability::Process);
        Ok(())
    }

    /// Where memory puts what it need not hold, where only the logs are kept.
    pub fn shelf(&self) -> Option<Box<dyn Shelf>> {
        Some(Box::new(Arc::clone(self.spooled.as_ref()?)))
    }

    /// Whether the session outlives the process.
    pub fn is_kept(&self) -> bool {
        self.spooled.is_none()
    }

    /// The messages of an effort's log: what the user and the model said, without markers.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn read_log(&self, id: &EffortId) -> Result<Vec<(Role, Arc<str>)>, Error> {
        self.reader().read_log(id)
    }

    /// The scratchpad.
    pub fn scratchpad(&self) -> &Scratchpad {
        &self.scratchpad
    }

    /// The scratchpad, to store something on it.
    pub fn scratchpad_mut(&mut self) -> &mut Scratchpad {
        &mut self.scratchpad
    }

    /// What undoing takes back next: the last thing that happened to memory and was not undone. `before`
    /// passes over a change set and all later ones.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn undoable(&self, before: Option<u64>) -> Result<Option<ChangeSet>, Error> {
        journal::undo::undoable(&self.paths.journal(), before)
    }

    /// The efforts that were opened and the texts that were stored after a change set, newest first.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn arrived_since(&self, set: Option<u64>) -> Result<Vec<Arrival>, Error> {
        journal::undo::arrived_since(&self.paths.journal(), set)
    }

    /// What redoing repeats next: the last undo, unless memory has changed since. Its changes are those
    /// of the undo; taking them back is the redo.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn redoable(&self) -> Result<Option<ChangeSet>, Error> {
        journal::undo::redoable(&self.paths.journal())
    }

    /// What was expanded when the session was closed, once.
    pub fn take_left_expanded(&mut self) -> Vec<EffortId> {
        std::mem::take(&mut self.left_expanded)
    }

    /// What was repaired while the session was open, since the last call.
    pub fn take_problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }
}
