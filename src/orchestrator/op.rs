//! What clients ask of the orchestrator.

use std::path::PathBuf;
use std::sync::Arc;

use crate::bill::Retold;
use crate::clock;
use crate::memory::{Tokens, Turn};
use crate::store::Verdict;
use crate::tools::Call;

/// A text that a tool returned where a conversation is told again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returned {
    /// What its key is made of, before what all of these keys end with.
    pub name: String,
    /// What it is, in a few words.
    pub description: String,
    /// What it says; `None` where only its size is of use.
    pub text: Option<String>,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its cost, if it were sent whole.
    pub tokens: Tokens,
}

/// What a client asks for. During a turn only what stops it ([`Op::Cancel`], [`Op::Shutdown`]), what is asked of the hub
/// ([`Op::Session`]) and what reads files beside the turn ([`Op::ListFiles`], [`Op::ReadEarlier`], [`Op::Journal`],
/// [`Op::Bill`], [`Op::Course`], [`Op::LookBack`]) acts at once; the rest waits until the turn is over, because the context
/// changes between turns only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// A message of the user: one turn.
    Send(String),
    /// When the next message was said: it is told again.
    SaidAt(SaidAt),
    /// What the turn of the next message took in another program: it is told again.
    Retold(Retold),
    /// Nothing more is told again: the effort that is still active is concluded. [`super::Notice::Concluded`] answers.
    Conclude,
    /// What tools returned in the turn of the next message, where it is told again: it is held by reference once that turn
    /// counts.
    Returned(Vec<Returned>),
    /// What will be said in a turn to come, where a conversation is told again: told of one turn after the other, before
    /// their messages are sent. Only where nobody watches anything comes of it.
    Foretell(ToCome),
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
    /// Lists the models that can be had, or those whose names hold these words; the name of one makes it the one
    /// that answers.
    Model(Option<String>),
    /// Has a server on this machine fetch the model of this name, or the one that is to answer; it answers then.
    Pull(Option<String>),
    /// Gives the session another name.
    Rename(String),
    /// Copies the session under this name, or under a free one; answered by [`Notice::Forked`](super::Notice::Forked), or by
    /// [`Notice::CommandDone`](super::Notice::CommandDone) where there is no copy.
    Fork(Option<String>),
    /// Writes the session into a new file: JSON if it ends in `.json`, else Markdown. Without one, or with
    /// just `md` or `json`, into one named after the session.
    Export(Option<PathBuf>),
    /// Something about other sessions: the hub does it. A driver without one refuses it.
    Session(SessionOp),
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
    /// Puts the same question with the window and with the full history, side by side; told by
    /// [`Notice::Versus`](super::Notice::Versus). It is no turn: nothing is logged and nothing ages.
    Versus(String),
    /// Keeps which of the two answers was better; answered by [`Notice::Verdicts`](super::Notice::Verdicts).
    Judge(Verdict),
    /// Takes the last change of memory back.
    Undo,
    /// Repeats what was undone last.
    Redo,
    /// The user agrees that what waits at the soft line leaves (mode `ask`).
    LetLeave,
    /// Looks for files whose path begins like this; answered by [`Notice::Files`](super::Notice::Files).
    ListFiles(String),
    /// Shows one item in full; answered by [`Notice::Detail`](super::Notice::Detail).
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
    /// Asks for the window, laid out; answered by [`Notice::Window`](super::Notice::Window).
    ShowWindow,
    /// Asks for what would be sent with this draft; answered by [`Notice::Inspection`](super::Notice::Inspection).
    Inspect(String),
    /// Asks for all changes of memory; answered by [`Notice::Journal`](super::Notice::Journal), at any time.
    Journal,
    /// Asks what each turn took; answered by [`Notice::BilledTurns`](super::Notice::BilledTurns), at any time.
    Bill,
    /// Asks how the window went over the last turns; answered by [`Notice::Course`](super::Notice::Course), at any
    /// time.
    Course,
    /// Asks how memory was after a turn, or after the last one; answered by [`Notice::Past`](super::Notice::Past) or
    /// [`Notice::NoPast`](super::Notice::NoPast), at any time.
    LookBack(Option<Turn>),
    /// Asks for what comes before the oldest entry of the transcript that was told; answered by
    /// [`Notice::Earlier`](super::Notice::Earlier).
    ReadEarlier,
    /// Stops the turn under way, or, between turns, the compression under way.
    Cancel,
    /// Ends the driver after saving everything; answered by [`Notice::Closed`](super::Notice::Closed).
    Shutdown,
}

impl Op {
    /// Whether a client waits for its answer before it asks for the next. That is
    /// [`Notice::CommandDone`](super::Notice::CommandDone), or where [`Op::Fork`] copied
    /// [`Notice::Forked`](super::Notice::Forked), and where [`SessionOp::New`] began a session
    /// [`Notice::Opened`](super::Notice::Opened).
    pub fn is_command(&self) -> bool {
        match self {
            Self::Run(_)
            | Self::Effort { .. }
            | Self::Note { .. }
            | Self::Specifics { .. }
            | Self::Undo
            | Self::Redo
            | Self::LetLeave
            | Self::Versus(_)
            | Self::Compress(_)
            | Self::Attach(_)
            | Self::CopyOut { .. }
            | Self::Model(_)
            | Self::Pull(_)
            | Self::Rename(_)
            | Self::Fork(_)
            | Self::Export(_)
            | Self::Session(SessionOp::New(_)) => true,
            Self::Send(_)
            | Self::SaidAt(_)
            | Self::Retold(_)
            | Self::Conclude
            | Self::Returned(_)
            | Self::Foretell(_)
            | Self::Set { .. }
            | Self::SetForGood { .. }
            | Self::Session(_)
            | Self::ListFiles(_)
            | Self::Show(_)
            | Self::ShowWindow
            | Self::Inspect(_)
            | Self::Journal
            | Self::Judge(_)
            | Self::Bill
            | Self::Course
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

/// What a client asks of the hub, which does it at once, also during a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionOp {
    /// Looks for sessions by name, title and what was said; answered by [`Notice::Sessions`](super::Notice::Sessions).
    Find(String),
    /// Opens the session in a directory and closes the one that is open; answered by
    /// [`Notice::Opened`](super::Notice::Opened), or by [`Notice::CommandDone`](super::Notice::CommandDone) where it
    /// cannot be opened or is open already.
    Open(PathBuf),
    /// Deletes the session in a directory for good, unless somebody has it open; answered by
    /// [`Notice::SessionDeleted`](super::Notice::SessionDeleted).
    Delete(PathBuf),
    /// Begins a session of this name, or of today's date, and closes the one that is open; answered like
    /// [`SessionOp::Open`].
    New(Option<String>),
}

/// What will be said in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToCome {
    /// The user's message.
    pub user: Arc<str>,
    /// The model's answer, if that is all that it does.
    pub reply: Option<Arc<str>>,
    /// It is small talk.
    pub aside: bool,
    /// When it was said, if that was not now.
    pub said_at: Option<SaidAt>,
}

/// When something was said that is told again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaidAt {
    /// Milliseconds since 1970.
    Millis(i64),
    /// Nobody told.
    Unknown,
}

impl SaidAt {
    /// As it is written into logs: nothing where nobody told, for any moment would be made up.
    pub fn written(self) -> String {
        match self {
            Self::Millis(millis) => clock::timestamp_of(millis).unwrap_or_default(),
            Self::Unknown => String::new(),
        }
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
