//! What memory did, and why: the one record that banners, journal, panel and tests all read.

mod kind;
mod subject;

use std::sync::Arc;

use super::note::UNDONE;
use super::{EffortId, Memory, NoteEdit, Tier, Tokens, Turn};

pub(super) use kind::Opposite;
pub use kind::{ChangeKind, EntryChange, KindRow, Leads, Of, Tail};
pub use subject::Subject;

/// The cause of a change that somebody asked for. Memory does not know who: whoever takes the change down names them.
pub const ASKED_FOR: &str = "asked for";

/// One thing that memory did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The turn it belongs to.
    pub turn: Turn,
    /// What happened.
    pub kind: ChangeKind,
    /// What it happened to.
    pub subject: Subject,
    /// Why, in words: `not mentioned for 20 turns`.
    pub cause: String,
    /// Tokens in the window before.
    pub before: Tokens,
    /// Tokens in the window after.
    pub after: Tokens,
    /// What it did to a note; `None` for a change of an effort.
    pub note: Option<Box<NoteEdit>>,
    /// How the effort was before; `None` for a change of something else, or of an effort that is new.
    pub was: Option<Box<Was>>,
}

/// An effort as it was before a change: all that is needed to undo it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Was {
    /// Where it was.
    pub state: Tier,
    /// The effort that was active.
    pub active: Option<EffortId>,
    /// What stood for it, if it was concluded.
    pub summary: Option<Arc<str>>,
    /// Messages in its log.
    pub messages: u64,
    /// The turn in which it was last mentioned, and why; `None` where an older journal does not tell.
    pub referenced: Option<(Turn, Arc<str>)>,
}

/// The cost of the window and an effort as they are before a change.
#[derive(Debug)]
pub(super) struct Before {
    tokens: Tokens,
    was: Option<Was>,
}

impl Memory {
    /// Things as they are before a change of an effort.
    pub(super) fn before(&self, at: usize) -> Before {
        Before { tokens: self.layers().total(), was: Some(self.was(at)) }
    }

    /// Things as they are before there is an effort.
    pub(super) fn before_new(&self) -> Before {
        Before { tokens: self.layers().total(), was: None }
    }

    /// An effort as it is now.
    pub(super) fn was(&self, at: usize) -> Was {
        let effort = &self.efforts[at];
        Was {
            state: self.tier_at(at),
            active: self.active().map(|active| active.id.clone()),
            summary: effort.summary(),
            messages: effort.raw_messages,
            referenced: Some((effort.last_referenced, Arc::clone(&effort.cause))),
        }
    }

    /// A change that was made.
    pub(super) fn change(
        &self,
        at: usize,
        kind: ChangeKind,
        cause: String,
        before: Before,
    ) -> Change {
        let subject = Subject::Effort(self.efforts[at].id.clone());
        let (turn, after) = (self.current_turn(), self.layers().total());
        Change::new(turn, kind, subject, cause, (before.tokens, after)).with_was(before.was)
    }
}

impl Change {
    /// One that nothing more is told of than what happened, to what, why, and the tokens in the window before and after.
    pub(super) fn new(
        turn: Turn,
        kind: ChangeKind,
        subject: Subject,
        cause: impl Into<String>,
        (before, after): (Tokens, Tokens),
    ) -> Self {
        let cause = cause.into();
        Self { turn, kind, subject, cause, before, after, note: None, was: None }
    }

    /// The same with the effort as it was before.
    pub(super) fn with_was(self, was: Option<Was>) -> Self {
        Self { was: was.map(Box::new), ..self }
    }

    /// The same with what it did to a note.
    pub(super) fn with_note(self, edit: NoteEdit) -> Self {
        Self { note: Some(Box::new(edit)), ..self }
    }

    /// The effort that it happened to, if it happened to one.
    pub fn effort(&self) -> Option<&EffortId> {
        self.subject.effort()
    }

    /// What happened, in words: the banner without its frame.
    pub fn words(&self) -> String {
        self.banner().trim_matches(['-', ' ']).to_owned()
    }

    /// The line that tells the user, worded as in the seeds. It is shown, never logged or sent.
    pub fn banner(&self) -> String {
        let Self { kind, subject, cause, .. } = self;
        if *kind == ChangeKind::EffortKept && cause == UNDONE {
            return format!("--- Countdown as before: {subject} ---");
        }
        let row = kind.row();
        let pointer = if row.of == Of::Text { "ref:" } else { "" };
        let (words, tail) = row.banner;
        match tail {
            Tail::Nothing => format!("--- {words} {pointer}{subject} ---"),
            Tail::Cause => format!("--- {words} {pointer}{subject} ({cause}) ---"),
            Tail::Words(tail) => format!("--- {words} {pointer}{subject} ({tail}) ---"),
        }
    }
}
