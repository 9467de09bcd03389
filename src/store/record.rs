//! A line of the journal as it is stored: here, and nowhere else, its fields have their names.
//!
//! A [`Record`] is a line with what all lines have, its [`Line`] says what happened. Reading is as tolerant as
//! the lines of any version and of other programs need: a field that is missing or makes no sense is as if it
//! were not there, fields that nobody here knows are left alone, and a line of an unknown kind is
//! [`Line::Other`]. Whatever its kind, a line may tell of efforts and notes: [`Told`].

pub(super) mod entry;

mod change;
mod forms;
mod names;
mod note;
mod rules;
mod sane;
mod state;
mod turn;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub(super) use change::ChangeLine;
pub use change::Step;
pub(super) use note::{NoteUses, StoredEdit, StoredNote};
pub(super) use rules::StoredRules;
pub(super) use sane::{Listed, MOST, bounded, object, text};
pub(super) use state::{Held, State};
pub(super) use turn::{Mention, Moment, Stopped, StoredRequest, TurnLine, by_layer};

use crate::memory::{ChangeKind, Turn};
use crate::store::disk::files;
use sane::{fields_only, list, must, sane};

/// One line of the journal.
#[derive(Debug)]
pub(super) struct Record {
    /// Its number in the journal.
    pub(super) seq: u64,
    /// The turn it belongs to.
    pub(super) turn: Turn,
    /// When it was written, as a time stamp; empty if unknown.
    pub(super) at: String,
    /// The number of the entered message or command that it comes of. It is of the clock, so larger than
    /// anything that is counted, and nothing is added to it.
    pub(super) entered: Option<u64>,
    /// What happened.
    pub(super) line: Line,
}

/// What a line says, by its kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Line {
    /// Memory did something.
    Change(Box<ChangeLine>),
    /// A turn counted.
    Turn(Box<TurnLine>),
    /// A turn did not end well.
    Stopped(Box<Stopped>),
    /// A session was opened: what memory held.
    Opened(Opened),
    /// What is sent with every request from here on.
    Frame(FrameLine),
    /// The rules from here on.
    Rules(RulesLine),
    /// The last turn went on after it was counted: what memory holds at its true end.
    #[serde(serialize_with = "turn::cleared")]
    Moment(Box<Moment>),
    /// Notes were used outside a turn.
    NotesUsed(NoteUses),
    /// Logs were counted.
    LogsCounted(Entries),
    /// Mentions that another program kept were taken over.
    MentionsTaken(Entries),
    /// A kind that nobody here knows.
    #[serde(skip)]
    Other,
}

/// What memory held when a session was opened; `None` if it makes no sense.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Opened {
    #[serde(default, deserialize_with = "sane")]
    pub(super) state: Option<Box<State>>,
}

/// The system prompt and the tools.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct FrameLine {
    #[serde(default, deserialize_with = "sane")]
    pub(super) system_prompt: String,
    #[serde(default, deserialize_with = "sane")]
    pub(super) tools: String,
}

/// Rules; `None` if they make no sense.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RulesLine {
    #[serde(default, deserialize_with = "sane")]
    pub(super) rules: Option<Box<StoredRules>>,
}

/// Parts of entries of the manifest.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Entries {
    #[serde(default, deserialize_with = "list")]
    pub(super) entries: Vec<Map<String, Value>>,
}

/// What all lines have.
#[derive(Debug, Deserialize)]
struct Head {
    kind: String,
    #[serde(deserialize_with = "must")]
    turn: u64,
    #[serde(default, deserialize_with = "must")]
    seq: u64,
    #[serde(default, deserialize_with = "sane")]
    ts: String,
    #[serde(default, deserialize_with = "sane")]
    entered: Option<u64>,
}

impl Record {
    /// Reads a line; `None` if it is none of ours.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let (head, line) = head(line)?;
        let Head { kind, turn, seq, ts, entered } = head;
        Some(Self { seq, turn: Turn(turn), at: ts, entered, line: Line::read(&kind, line)? })
    }

    /// The line's bytes with the end of the line.
    ///
    /// # Errors
    /// None that memory has room for; the type of whoever writes says that there may be some.
    pub(super) fn write(&self, out: &mut Vec<u8>) -> serde_json::Result<()> {
        #[derive(Serialize)]
        struct Whole<'a> {
            seq: u64,
            turn: u64,
            ts: &'a str,
            kind: &'a str,
            #[serde(flatten)]
            line: &'a Line,
        }
        let (kind, line) = (self.line.kind(), &self.line);
        let whole = Whole { seq: self.seq, turn: self.turn.0, ts: &self.at, kind, line };
        serde_json::to_writer(&mut *out, &whole)?;
        out.push(b'\n');
        Ok(())
    }
}

impl Line {
    fn read(kind: &str, line: &[u8]) -> Option<Self> {
        Some(match kind {
            "turn" => Self::Turn(read(line)?),
            "turn_stopped" => Self::Stopped(read(line)?),
            "opened" => Self::Opened(read(line)?),
            "frame" => Self::Frame(read(line)?),
            "rules" => Self::Rules(read(line)?),
            "moment" => Self::Moment(read(line)?),
            "notes_used" => Self::NotesUsed(read(line)?),
            "logs_counted" => Self::LogsCounted(read(line)?),
            "mentions_taken" => Self::MentionsTaken(read(line)?),
            kind if ChangeKind::named(kind).is_some() => Self::Change(read(line)?),
            _ => Self::Other,
        })
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Change(change) => change.kind.as_str(),
            Self::Turn(_) => "turn",
            Self::Stopped(_) => "turn_stopped",
            Self::Opened(_) => "opened",
            Self::Frame(_) => "frame",
            Self::Rules(_) => "rules",
            Self::Moment(_) => "moment",
            Self::NotesUsed(_) => "notes_used",
            Self::LogsCounted(_) => "logs_counted",
            Self::MentionsTaken(_) => "mentions_taken",
            Self::Other => "",
        }
    }
}

/// What a line tells the manifest and the notes, whatever its kind.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    /// The turn it belongs to.
    #[serde(deserialize_with = "must")]
    pub(super) turn: u64,
    /// Fields of an effort's entry that are different now.
    #[serde(default, deserialize_with = "fields_only")]
    pub(super) entry: Option<Map<String, Value>>,
    /// The same of several.
    #[serde(default, deserialize_with = "list")]
    pub(super) entries: Vec<Map<String, Value>>,
    /// Efforts that were mentioned.
    #[serde(default, deserialize_with = "sane")]
    pub(super) mentioned: Listed<Mention>,
    /// The active effort from here on, of a line that tells.
    #[serde(default, deserialize_with = "sane::any")]
    pub(super) active: Option<Value>,
    /// What happened to a note.
    #[serde(default, deserialize_with = "sane")]
    pub(super) note: Option<Box<StoredEdit>>,
    /// Notes that were used.
    #[serde(flatten)]
    pub(super) used: NoteUses,
}

impl Told {
    /// Reads a line; `None` if it is none of ours.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let (_, line) = head(line)?;
        read(line)
    }
}

/// What all lines have, and the line without what a torn one before it left.
fn head(line: &[u8]) -> Option<(Head, &[u8])> {
    let whole = |line| Some((read(line)?, line));
    whole(line).or_else(|| whole(files::appended(line, b"{\"seq\"")?))
}

/// Reads the fields of a line that somebody needs. Of one that stands there twice the last counts, which takes
/// longer.
fn read<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    let line = std::str::from_utf8(line).ok()?;
    serde_json::from_str(line).ok().or_else(|| {
        let fields: Map<String, Value> = serde_json::from_str(line).ok()?;
        serde_json::from_value(Value::Object(fields)).ok()
    })
}
