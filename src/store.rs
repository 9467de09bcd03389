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
//! - No file outside the session's directory is read or written, whatever an id or a manifest says.

mod appender;
mod archive;
mod block;
mod changes;
mod checkpoint;
mod chronicle;
mod counts;
mod create;
mod disk;
mod draft;
mod entry;
mod error;
mod exchange;
mod files;
mod find;
mod history;
mod interrupted;
mod journal;
mod load;
mod lock;
mod log;
mod logs;
mod look;
mod manifest;
mod note;
mod open;
mod opening;
mod orphans;
mod patch;
mod paths;
mod pending;
mod reader;
mod record;
mod rename;
mod scratchpad;
mod sessions;
mod state;
mod stop;
mod transcript;
mod turn;
mod undo;
mod yaml;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, RwLock};

pub use archive::{Archive, ArchiveError};
pub use changes::PastChange;
pub use checkpoint::Checkpoint;
pub use chronicle::{JournalEntry, Standing};
pub use counts::Counted;
pub use create::{Setup, SetupEffort, SetupNote, create};
pub use disk::Durability;
#[cfg(test)]
pub(crate) use disk::power_cut;
pub use draft::{Changing, Draft, DraftFile, Drafts, Paste};
pub use error::{Error, Problem};
pub use exchange::MOST_LOGGED;
pub use find::{FoundSession, find};
pub use history::{Moment, SentRequest};
pub use look::{Looked, look};
pub use reader::LogReader;
pub use record::Step;
pub use rename::{check_name, rename};
pub use scratchpad::{CHUNK_BYTES, Chunk, PadError, PadHit, Sample, Scratchpad};
pub use sessions::{SessionSummary, sessions};
pub use stop::StopFlag;
pub use transcript::{Cursor, Page, TranscriptEntry, TranscriptKind};
pub use undo::ChangeSet;

use crate::memory::{EffortId, Restored, Role, Turn};

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
    _lock: lock::Lock,
    paths: paths::Paths,
    journal: journal::Journal,
    logs: logs::Logs,
    /// Shared with the readers.
    files: Arc<RwLock<paths::EffortFiles>>,
    session: state::SessionState,
    memory_state: state::MemoryState,
    /// When what is expanded was expanded, as time stamps.
    expanded_at: BTreeMap<EffortId, String>,
    /// The turn under way, as it is in `pending.json`.
    pending: Option<pending::Pending>,
    /// That file.
    pending_file: pending::PendingFile,
    /// The number of the entered message or command that is carried out.
    entered: Option<u64>,
    /// An exchange that is in its log and not yet in the journal.
    logged: Option<exchange::Logged>,
    scratchpad: Scratchpad,
    progress: Arc<checkpoint::Progress>,
    /// The manifest is behind as long as it does not include the journal up to here.
    changed_upto: u64,
    /// How the session was opened and under which rules, as far as the journal does not tell yet.
    opening: opening::Opening,
    /// How the reply of the turn under way ended, if it is not whole.
    finish: Option<Arc<str>>,
    /// The last request of the turn under way.
    request: Option<SentRequest>,
    /// Which model answers, if somebody said so.
    model: Option<String>,
    /// What was repaired since somebody last asked.
    problems: Vec<Problem>,
}

/// The name of a session: the last part of its directory.
pub fn name_of(dir: &Path) -> String {
    files::name_of(dir)
}

impl Store {
    /// The session's directory.
    pub fn dir(&self) -> &Path {
        &self.paths.dir
    }

    /// Changes what "on disk" is safe against from now on.
    pub fn set_durability(&self, durability: Durability) {
        self.paths.disk.set(durability);
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
        undo::undoable(&self.paths.journal(), before)
    }

    /// What redoing repeats next: the last undo, unless memory has changed since. Its changes are those
    /// of the undo; taking them back is the redo.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn redoable(&self) -> Result<Option<ChangeSet>, Error> {
        undo::redoable(&self.paths.journal())
    }

    /// What was repaired while the session was open, since the last call.
    pub fn take_problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }
}
