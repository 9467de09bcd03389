//! What a conversation consists of, whoever kept it.

use super::value::{Moment, hash};

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Speaker {
    /// The person.
    Person,
    /// The model.
    Model,
}

/// One thing of a conversation, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A conversation begins; what follows belongs to it until the next one begins.
    Begins {
        /// What the program calls it; may be empty.
        id: String,
        /// Its title; may be empty.
        title: String,
        /// The directory or project that it is about; may be empty.
        project: String,
        /// When it began.
        at: Moment,
    },
    /// Somebody said something.
    Said {
        /// Who.
        by: Speaker,
        /// What.
        text: String,
        /// When.
        at: Moment,
    },
    /// The model called a tool.
    Called {
        /// What pairs it with its result; empty if the next result is its own.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments, JSON or plain text.
        arguments: String,
        /// When.
        at: Moment,
    },
    /// A tool answered.
    Returned {
        /// What pairs it with its call.
        id: String,
        /// What the model was given of the answer.
        text: String,
        /// When.
        at: Moment,
    },
    /// The person handed in a text with the message before: a file whose whole text is there.
    Attached {
        /// The file's name.
        name: String,
        /// Its text.
        text: String,
        /// When.
        at: Moment,
    },
    /// The conversation goes on from this, which another conversation told: it is not told again.
    Copied(Box<Event>),
    /// What the model says and calls from here on is of the reply with this number: what one request led to, in whatever
    /// order its calls and their results stand. 0 if nobody knows.
    Reply(u64),
    /// The person goes on in another branch of the repository.
    Branched,
    /// What follows is about a topic that the program itself tells; empty for small talk between topics.
    Topic(String),
    /// The program threw away what was said and put a summary in its place.
    Compacted(Compaction),
}

impl Event {
    /// What is said or done in it, whenever that was, as a number.
    pub(super) fn number(&self) -> u64 {
        match self {
            Self::Said { by, text, .. } => hash((by, text)),
            Self::Called { id, name, arguments, .. } => hash((id, name, arguments)),
            Self::Returned { id, text, .. } => hash((id, text)),
            Self::Compacted(one) => hash(&one.summary),
            Self::Begins { .. }
            | Self::Attached { .. }
            | Self::Copied(_)
            | Self::Reply(_)
            | Self::Branched
            | Self::Topic(_) => 0,
        }
    }

    /// What it is in a copy.
    pub(super) fn copied(self) -> Self {
        Self::Copied(Box::new(self))
    }

    /// What a model is given of it as text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Said { text, .. }
            | Self::Returned { text, .. }
            | Self::Attached { text, .. }
            | Self::Called { arguments: text, .. } => Some(text),
            Self::Begins { .. }
            | Self::Copied(_)
            | Self::Reply(_)
            | Self::Branched
            | Self::Topic(_)
            | Self::Compacted(_) => None,
        }
    }
}

/// What a program's own compaction did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Compaction {
    /// Who asked for it: `auto`, `manual`; may be empty.
    pub trigger: String,
    /// Tokens in the window before, as that program counted them.
    pub before: Option<u64>,
    /// Tokens in the window after it, as that program counted them.
    pub after: Option<u64>,
    /// What stands for everything before; `None` if it is encrypted or was not kept.
    pub summary: Option<String>,
    /// What of the conversation stays in the window beside the summary, word for word.
    pub kept: Vec<Event>,
    /// When.
    pub at: Moment,
}
