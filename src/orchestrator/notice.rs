//! What clients ask of the orchestrator and what it tells them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Settings;
use crate::llm::ModelInfo;
use crate::memory::{Change, EffortId, Layers, MemoryView, Turn, Window};
use crate::store::{Drafts, FoundSession, JournalEntry, TranscriptEntry};
use crate::tools::Call;

use super::inspector::Inspection;
use super::measured::{Measured, SentInAll};
use super::past::PastTurn;

/// What a client asks for. During a turn only what stops it, and what only reads, acts at once; the rest waits
/// until the turn is over, because the context changes between turns only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// A message of the user: one turn.
    Send(String),
    /// A memory command of the user; the same calls that the model makes.
    Run(Call),
    /// A setting changed while chatting: key and value as in the config file.
    Set {
        /// For example `token_budget`.
        key: String,
        /// For example `8000`.
        value: String,
    },
    /// Something that a person does with an effort and the model cannot.
    Effort {
        /// Which one.
        id: String,
        /// What to do.
        command: EffortCommand,
    },
    /// A setting changed while chatting, and kept in the config file.
    SetForGood {
        /// For example `token_budget`.
        key: String,
        /// For example `8000`.
        value: String,
    },
    /// Gives the session another name.
    Rename(String),
    /// Writes the session into a new file: JSON if it ends in `.json`, else Markdown. Without one, or with
    /// just `md` or `json`, into one named after the session.
    Export(Option<PathBuf>),
    /// Looks for sessions by name, title and what was said; answered by [`Notice::Sessions`].
    FindSessions(String),
    /// Closes this session and opens the one in a directory; answered by [`Notice::Opened`].
    OpenSession(PathBuf),
    /// Closes this session and begins a new one, of this name or of today's date.
    NewSession(Option<String>),
    /// Something that a person does with a note.
    Note {
        /// Which one: `n3` or `3`.
        id: String,
        /// What to do.
        command: NoteCommand,
    },
    /// Looks at what a summary kept of its log's specifics, or changes it.
    Specifics {
        /// The effort; `None` for the one that was concluded last.
        id: Option<String>,
        /// What to do.
        command: SpecificsCommand,
    },
    /// Takes the last change of memory back.
    Undo,
    /// Repeats what was undone last.
    Redo,
    /// The user agrees that what waits at the soft line leaves (mode `ask`).
    LetLeave,
    /// Looks for files whose path begins like this; answered by [`Notice::Files`].
    ListFiles(String),
    /// Shows one item in full; answered by [`Notice::Detail`].
    Show(ItemRef),
    /// Compresses the older part of an open effort: the one named, or the active one.
    Compress(Option<String>),
    /// Keeps a file on the scratchpad.
    Attach(PathBuf),
    /// Writes a text of the scratchpad into a new file.
    CopyOut {
        /// Which one: `ref:report` or `report`.
        key: String,
        /// The file.
        path: PathBuf,
    },
    /// Keeps what is written and has not begun, for the next start after a crash. Comes before the operation
    /// that something entered leads to.
    KeepDrafts(Drafts),
    /// Asks for the window, laid out; answered by [`Notice::Window`].
    ShowWindow,
    /// Asks for what would be sent with this draft; answered by [`Notice::Inspection`].
    Inspect(String),
    /// Asks for all changes of memory; answered by [`Notice::Journal`], at any time.
    Journal,
    /// Asks how memory was after a turn, or after the last one; answered by [`Notice::Past`] or
    /// [`Notice::NoPast`], at any time.
    LookBack(Option<Turn>),
    /// Asks for what comes before the oldest entry of the transcript that was told; answered by
    /// [`Notice::Earlier`].
    ReadEarlier,
    /// Stops the turn under way, or, between turns, the compression under way.
    Cancel,
    /// Ends the driver after saving everything; answered by [`Notice::Closed`].
    Shutdown,
}

impl Op {
    /// Whether it is carried out between turns and answered by [`Notice::CommandDone`].
    pub fn is_command(&self) -> bool {
        match self {
            Self::Run(_)
            | Self::Effort { .. }
            | Self::Note { .. }
            | Self::Specifics { .. }
            | Self::Undo
            | Self::Redo
            | Self::LetLeave
            | Self::Compress(_)
            | Self::Attach(_)
            | Self::CopyOut { .. }
            | Self::Rename(_)
            | Self::Export(_)
            | Self::NewSession(_) => true,
            Self::Send(_)
            | Self::Set { .. }
            | Self::SetForGood { .. }
            | Self::FindSessions(_)
            | Self::OpenSession(_)
            | Self::ListFiles(_)
            | Self::Show(_)
            | Self::KeepDrafts(_)
            | Self::ShowWindow
            | Self::Inspect(_)
            | Self::Journal
            | Self::LookBack(_)
            | Self::ReadEarlier
            | Self::Cancel
            | Self::Shutdown => false,
        }
    }

    /// Whether it carries words that a person entered: they stay among the drafts until it has begun.
    pub fn has_words(&self) -> bool {
        matches!(
            self,
            Self::Send(_)
                | Self::Run(_)
                | Self::Effort { .. }
                | Self::Note { .. }
                | Self::Specifics { .. }
                | Self::Attach(_)
        )
    }
}

/// Something that can be looked at in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemRef {
    /// An effort, by its id.
    Effort(String),
    /// A note, by its number: `n3`.
    Note(String),
    /// A part, from 1, of a text that is held by reference.
    Text {
        /// Its key, with or without `ref:`.
        key: String,
        /// Which part.
        part: u64,
    },
}

/// One item in full.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detail {
    /// What it is called.
    pub title: String,
    /// What is shown.
    pub item: ItemRef,
    /// What there is to read, in order.
    pub sections: Vec<Section>,
    /// Which part of how many this is.
    pub parts: (u64, u64),
}

/// A part of a [`Detail`]. Its text may hold control characters: whoever draws it strips them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub heading: String,
    /// Its text.
    pub text: String,
}

/// What a person does with an effort by hand; for everything else there are the tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EffortCommand {
    /// Its summary stays in the window.
    Pin,
    /// It counts down again.
    Unpin,
    /// Resets its countdown.
    Keep,
    /// Out of the window now.
    Evict,
    /// Words its summary anew.
    Edit(String),
    /// Has its summary made again from the raw log.
    SummarizeAgain,
}

/// What a person does about the specifics of a concluded effort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SpecificsCommand {
    /// Lists the missing ones under their numbers, and the kept ones.
    List,
    /// Adds the missing ones of these numbers to the summary; all of them if no number is given.
    Add(Vec<usize>),
    /// Takes what was added out of the summary again.
    Drop,
}

/// What a person does with a note; the model only makes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteCommand {
    /// It stays below the hard limit.
    Pin,
    /// It may leave by itself again.
    Unpin,
    /// Adds a tag.
    Tag(String),
    /// Takes a tag away.
    Untag(String),
    /// Replaces what it says.
    Edit(String),
    /// Gives it 1 to 3 stars.
    Weigh(u64),
    /// Out of the window and the search; only the journal still holds it.
    Delete,
    /// Out of the window; a search still finds it.
    Archive,
    /// Back into the window.
    Return,
}

/// The session that a client looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionInfo {
    /// The session's name: the last part of its directory.
    pub name: String,
    /// Where it is.
    pub directory: PathBuf,
    /// The model that answers.
    pub model: ModelInfo,
}

/// Sessions that were looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionList {
    /// What was looked for.
    pub query: String,
    /// What was found, best first.
    pub found: Vec<FoundSession>,
    /// The directory of the session that is open.
    pub current: Option<PathBuf>,
    /// The name that a new session could get from what was looked for.
    pub new_name: Option<String>,
}

/// One tool call of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct CallReport {
    /// The tool's name, as called.
    pub name: String,
    /// The arguments; a JSON string if they were no JSON.
    pub arguments: serde_json::Value,
    /// The result that the model got.
    pub result: serde_json::Value,
    /// Whether the call did what it says.
    pub ok: bool,
}

/// A turn that ended well: what `play --json` prints.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnReport {
    /// Its number.
    pub turn: Turn,
    /// The user's message.
    pub user: Arc<str>,
    /// The final reply.
    pub reply: Arc<str>,
    /// Banners shown in the turn, in order.
    pub banners: Vec<String>,
    /// Tool calls in the order in which they ran.
    pub calls: Vec<CallReport>,
    /// Chat requests that were made.
    pub requests: u32,
    /// The turn's own time: everything but waiting for the model; disk included.
    pub overhead: Duration,
    /// Layers of the first request.
    pub sent: Layers,
    /// What all requests of the turn cost together.
    pub in_all: SentInAll,
    /// Layers of the request that brought the final reply.
    pub answered: Layers,
    /// The last request, as estimated here and as the server measured it.
    pub measured: Measured,
    /// Memory after the turn.
    pub memory: Arc<MemoryView>,
    /// What memory did, in order.
    pub changes: Vec<Change>,
}

/// A turn that did not end well. It is not counted; only what a tool already did remains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The user's message, to go back to the input line.
    pub user: Arc<str>,
    /// The part of the reply that arrived.
    pub partial: Arc<str>,
    /// What happened, or `None` if the user cancelled.
    pub error: Option<String>,
    /// Why it probably happened and what to do about it; empty if there is nothing to say.
    pub advice: String,
    /// What became of the message.
    pub message: Unanswered,
}

/// What became of a message without an answer. Where else it goes is the client's affair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// The session keeps it, marked as unanswered.
    Kept,
    /// The session does not hold it.
    Unsaved,
}

/// What the orchestrator tells its client. Notices arrive in the order in which things happened.
#[derive(Debug, Clone)]
pub enum Notice {
    /// The session is open: its directory is locked and the end of its transcript read. The manifest
    /// is still being read; messages may be sent already and wait for it.
    Opened {
        /// The session.
        session: SessionInfo,
        /// The end of the transcript, oldest first.
        transcript: Vec<TranscriptEntry>,
        /// A message that was typed but never answered, to go back to the input line.
        draft: Option<String>,
    },
    /// The part of the transcript before what was told so far.
    Earlier {
        /// Oldest first; empty if nothing comes before.
        entries: Vec<TranscriptEntry>,
        /// Whether there is more before it.
        more: bool,
    },
    /// What was written and not sent when the program ended last.
    Drafts(Drafts),
    /// Memory as it is now.
    Memory(Arc<MemoryView>),
    /// A turn began; its user message is on disk.
    TurnStarted {
        /// Its number, if it ends well.
        turn: Turn,
        /// The user's message.
        user: Arc<str>,
    },
    /// A request went out.
    RequestSent {
        /// From 1 within the turn.
        round: u32,
        /// Tokens by layer.
        layers: Layers,
    },
    /// More of the reply.
    Text(String),
    /// More of the model's reasoning.
    Reasoning(String),
    /// The model is writing a tool call.
    CallStarted {
        /// The tool's name.
        name: String,
    },
    /// A tool call of the model has run.
    CallFinished(CallReport),
    /// Memory did something; its banner is shown.
    Changed(Change),
    /// A request failed in a way that passes and will be repeated.
    Retrying {
        /// Time until then.
        wait: Duration,
        /// The attempt's number, from 2.
        attempt: u32,
        /// Why, as a sentence.
        reason: String,
    },
    /// A compression goes on beside the chat; [`Notice::CompressionEnded`] follows.
    Compressing {
        /// The effort.
        id: EffortId,
        /// Requests that have been answered.
        done: usize,
        /// Requests in all, as far as known.
        of: usize,
    },
    /// No compression is under way any more: its change was told before, or here is why there is none,
    /// as sentences.
    CompressionEnded(Option<String>),
    /// Something worth knowing that is no failure.
    Info(String),
    /// Something failed that did not end a turn: what happened and what to do.
    Problem {
        /// What happened.
        what: String,
        /// What to do about it.
        advice: String,
    },
    /// A turn ended well.
    TurnEnded(Box<TurnReport>),
    /// A turn failed or was cancelled.
    TurnStopped(Stopped),
    /// A memory command of the user has run; the text is its result, for people.
    CommandDone {
        /// Whether it did what it says.
        ok: bool,
        /// The result, as lines for the transcript.
        text: String,
    },
    /// A setting was changed, or refused: a sentence.
    SettingDone {
        /// Whether it was changed.
        ok: bool,
        /// What changed, or why not.
        text: String,
    },
    /// Files and directories whose path begins like this, as they would be written.
    Files {
        /// What was written.
        begun: String,
        /// The paths; directories end with a slash.
        paths: Vec<String>,
    },
    /// One item in full.
    Detail(Arc<Detail>),
    /// The settings in force, at the start and after each change.
    Settings(Arc<Settings>),
    /// The session has another name.
    Renamed(SessionInfo),
    /// Sessions that were looked for.
    Sessions(Arc<SessionList>),
    /// The window as the next turn would start from it.
    Window(Arc<Window>),
    /// All changes of memory, oldest first.
    Journal(Arc<Vec<JournalEntry>>),
    /// A turn as it was.
    Past(Arc<PastTurn>),
    /// A turn cannot be looked at: why, as a sentence.
    NoPast(String),
    /// A request laid open.
    Inspection(Arc<Inspection>),
    /// Everything is saved and the driver has ended.
    Closed,
}
