//! Why a command made no sense, as a sentence that names the way out.

use super::{EffortId, NoteId, Tokens};

/// A command that was refused. Nothing has changed. The text names tools, for the model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejected {
    /// A name without a letter or digit.
    #[error(
        "'{0}' cannot name an effort: a name needs at least one letter or digit, like 'auth-bug'"
    )]
    UnusableName(String),
    /// An open effort with that id exists.
    #[error("effort '{0}' is already open: call switch_effort(\"{0}\") to work on it")]
    AlreadyOpen(EffortId),
    /// A concluded effort with that id exists.
    #[error(
        "effort '{0}' exists and is concluded: call reopen_effort(\"{0}\") to go on with it, or \
         choose another name"
    )]
    AlreadyConcluded(EffortId),
    /// No effort has that id.
    #[error("there is no effort '{id}'{}", suggestion(nearest))]
    Unknown {
        /// What was asked for, shortened.
        id: String,
        /// Ids that share a word with it.
        nearest: Vec<EffortId>,
    },
    /// Something open was needed.
    #[error("no effort is open: call open_effort(name) to start one")]
    NothingOpen,
    /// A concluded effort was given where an open one is needed.
    #[error("effort '{0}' is concluded, not open: call reopen_effort(\"{0}\") to go on with it")]
    NotOpen(EffortId),
    /// An open effort was given where a concluded one is needed.
    #[error("effort '{0}' is open: its whole log is already in the window")]
    StillOpen(EffortId),
    /// The effort is expanded already.
    #[error("effort '{0}' is already expanded: its whole log is in the window")]
    AlreadyExpanded(EffortId),
    /// The effort is not expanded.
    #[error("effort '{0}' is not expanded: there is nothing to collapse")]
    NotExpanded(EffortId),
    /// The effort is the active one.
    #[error("effort '{0}' is already the active one")]
    AlreadyActive(EffortId),
    /// The effort is pinned already.
    #[error("effort '{0}' is pinned already")]
    AlreadyPinned(EffortId),
    /// The effort is not pinned.
    #[error("effort '{0}' is not pinned")]
    NotPinned(EffortId),
    /// A pinned effort was to be sent out.
    #[error("effort '{0}' is pinned: unpin it first")]
    Pinned(EffortId),
    /// Nothing of the effort is in the window.
    #[error("effort '{0}' is not in the window: there is nothing to send out")]
    NotInWindow(EffortId),
    /// A summary without words.
    #[error("the summary of '{0}' needs words; the old one stays")]
    EmptySummary(EffortId),
    /// The summary is as it was.
    #[error("the summary of '{0}' says that already")]
    SameSummary(EffortId),
    /// Nothing of the log may be compressed.
    #[error(
        "nothing of '{0}' can be compressed now: the last two user messages, what is compressed already \
         and what is held by reference stay as they are"
    )]
    NothingToCompress(EffortId),
    /// The log gives less than was said.
    #[error(
        "the log of '{id}' is damaged: {found} of its {of} messages can be read; if it has a summary, that \
         stays in their place. Restore the file from a copy; search_efforts finds what can be read"
    )]
    LogDamaged {
        /// Whose log.
        id: EffortId,
        /// Messages that can be read.
        found: u64,
        /// Messages that it had.
        of: u64,
    },
    /// Something was said since that its old summary does not hold.
    #[error(
        "effort '{0}' was worked on since it was reopened, so its old summary does not fit any more: \
         conclude it with close_effort(\"{0}\")"
    )]
    WorkedOnSince(EffortId),
    /// A summary would cost as much as what it stands for.
    #[error(
        "the summary of '{id}' has {summary} tokens and its log only {source_tokens}: a summary must be smaller"
    )]
    SummaryNotSmaller {
        /// The id.
        id: EffortId,
        /// Tokens of the summary.
        summary: Tokens,
        /// Tokens of the log.
        source_tokens: Tokens,
    },
    /// A note without words.
    #[error("a note needs words: give its content, one short sentence")]
    EmptyNote,
    /// A note that is no sentence but a text.
    #[error(
        "the note has {chars} characters, more than {most}: shorten it to one sentence, or make \
         several notes of it"
    )]
    LongNote {
        /// Its length.
        chars: usize,
        /// The most.
        most: usize,
    },
    /// Something that cannot be a tag.
    #[error(
        "'{tag}' cannot be a tag: a tag is one word of at most {most} characters without commas or \
         brackets, like 'decision'"
    )]
    BadTag {
        /// The start of it.
        tag: String,
        /// The most characters.
        most: usize,
    },
    /// More tags than a note can have.
    #[error("{given} tags are more than the {most} that a note can have: keep the telling ones")]
    ManyTags {
        /// How many they are.
        given: usize,
        /// The most.
        most: usize,
    },
    /// The note has no such tag.
    #[error("note {id} has no tag '{tag}'; {}", tag_list(tags))]
    NoSuchTag {
        /// The note.
        id: NoteId,
        /// The tag.
        tag: String,
        /// The tags that it has.
        tags: Vec<String>,
    },
    /// A salience out of range.
    #[error("a salience of {0} is not possible: it is 1, 2 or 3 (★, ★★ or ★★★)")]
    BadSalience(u64),
    /// No note has that number.
    #[error("there is no note '{0}': a note is named by its number, like n3")]
    UnknownNote(String),
    /// The note was removed.
    #[error("note {0} was removed: only undo brings it back")]
    RemovedNote(NoteId),
    /// Nothing would be different.
    #[error("note {id} is already {state}")]
    NoteAlready {
        /// The note.
        id: NoteId,
        /// What it is.
        state: &'static str,
    },
}

impl Rejected {
    /// What it says to a person, who types commands.
    pub fn for_people(&self) -> String {
        match self {
            Self::AlreadyOpen(id) => {
                format!("effort '{id}' is already open: /switch {id} makes it the active one")
            }
            Self::AlreadyConcluded(id) => format!(
                "effort '{id}' exists and is concluded: /reopen {id} goes on with it, or choose another name"
            ),
            Self::Unknown { id, nearest } if nearest.is_empty() => {
                format!("there is no effort '{id}': /search WORDS finds one, /status lists them")
            }
            Self::Unknown { id, nearest } => {
                let names = either(nearest);
                format!(
                    "there is no effort '{id}': did you mean {names}? /search WORDS finds others"
                )
            }
            Self::NothingOpen => "no effort is open: /open NAME starts one".to_owned(),
            Self::NotOpen(id) => {
                format!("effort '{id}' is concluded, not open: /reopen {id} goes on with it")
            }
            Self::WorkedOnSince(id) => format!(
                "effort '{id}' was worked on since it was reopened, so its old summary does not fit any \
                 more: /close {id} concludes it"
            ),
            // The others name no tool.
            _ => self.to_string(),
        }
    }
}

fn tag_list(tags: &[String]) -> String {
    if tags.is_empty() {
        return "it has none".to_owned();
    }
    format!("its tags are {}", tags.join(", "))
}

fn suggestion(nearest: &[EffortId]) -> String {
    if nearest.is_empty() {
        return ": call search_efforts(query) to find one, or effort_status() to list them".into();
    }
    format!(": did you mean {}? search_efforts(query) finds others", either(nearest))
}

fn either(ids: &[EffortId]) -> String {
    ids.iter().map(EffortId::as_str).collect::<Vec<_>>().join(" or ")
}
