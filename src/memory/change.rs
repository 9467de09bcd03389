//! What memory did, and why: the one record that banners, journal, panel and tests all read.

use std::sync::Arc;

use super::note::UNDONE;
use super::{EffortId, Memory, NoteEdit, Tier, Tokens, Turn};

/// The kinds of change, named as in the journal and in `play --json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// A new effort began.
    EffortOpened,
    /// A raw log gave way to its summary.
    EffortConcluded,
    /// Another open effort became the active one.
    EffortSwitched,
    /// A concluded effort is being worked on again.
    EffortReopened,
    /// A summary stands for a part of an open log from now on; the raw messages are archived.
    EffortCompressed,
    /// Somebody pinned a concluded effort: it has no countdown any more.
    EffortPinned,
    /// A pinned effort counts down again.
    EffortUnpinned,
    /// Somebody reset the countdown of an effort by hand.
    EffortKept,
    /// A summary was worded anew; the journal keeps the old one.
    SummaryEdited,
    /// A raw log entered the window for a while.
    EffortExpanded,
    /// Somebody sent an expanded raw log out again.
    EffortCollapsed,
    /// Decay sent an expanded raw log out again (slice 3).
    EffortAutoCollapsed,
    /// A summary left the window; the manifest still holds it (slice 4).
    SummaryEvicted,
    /// A mention, search or expansion brought an evicted summary back.
    SummaryReturned,
    /// Something is not sent because there is no room for it; memory holds it as before.
    LeftOut,
    /// A log or a message is sent in a shorter form, with a pointer to the whole.
    Shortened,
    /// What was left out or shortened is sent whole again.
    WholeAgain,
    /// A large text was stored by reference.
    ScratchpadSaved,
    /// A note was made.
    NoteRemembered,
    /// A note's words, tags or salience are different.
    NoteEdited,
    /// A note no longer leaves by itself.
    NotePinned,
    /// A note may leave by itself again.
    NoteUnpinned,
    /// A note left the window for good; a search still finds it.
    NoteArchived,
    /// A note left the window and the search; the change still holds it.
    NoteRemoved,
    /// A note that was archived, removed or changed is as it was before.
    NoteRestored,
}

impl ChangeKind {
    /// The name used in files and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::EffortOpened => "effort_opened",
            Self::EffortConcluded => "effort_concluded",
            Self::EffortSwitched => "effort_switched",
            Self::EffortReopened => "effort_reopened",
            Self::EffortCompressed => "effort_compressed",
            Self::EffortPinned => "effort_pinned",
            Self::EffortUnpinned => "effort_unpinned",
            Self::EffortKept => "effort_kept",
            Self::SummaryEdited => "summary_edited",
            Self::EffortExpanded => "effort_expanded",
            Self::EffortCollapsed => "effort_collapsed",
            Self::EffortAutoCollapsed => "effort_auto_collapsed",
            Self::SummaryEvicted => "summary_evicted",
            Self::SummaryReturned => "summary_returned",
            Self::LeftOut => "left_out",
            Self::Shortened => "shortened",
            Self::WholeAgain => "whole_again",
            Self::ScratchpadSaved => "scratchpad_saved",
            Self::NoteRemembered => "note_remembered",
            Self::NoteEdited => "note_edited",
            Self::NotePinned => "note_pinned",
            Self::NoteUnpinned => "note_unpinned",
            Self::NoteArchived => "note_archived",
            Self::NoteRemoved => "note_removed",
            Self::NoteRestored => "note_restored",
        }
    }

    /// Whether an effort begins, ends or goes on here: what a reader takes for a chapter's border.
    pub fn divides(self) -> bool {
        matches!(self, Self::EffortOpened | Self::EffortConcluded | Self::EffortReopened)
    }

    /// Whether the effort's manifest entry is different after this change.
    pub fn touches_manifest(self) -> bool {
        matches!(
            self,
            Self::EffortOpened
                | Self::EffortConcluded
                | Self::EffortSwitched
                | Self::EffortReopened
                | Self::EffortCompressed
                | Self::EffortPinned
                | Self::EffortUnpinned
                | Self::EffortKept
                | Self::SummaryEdited
        )
    }
}

/// One thing that memory did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The turn it belongs to.
    pub turn: Turn,
    /// What happened.
    pub kind: ChangeKind,
    /// The effort it happened to; `ambient` or `message` where it happened to none. For a change of a
    /// note it is the note's number, `n3`: the kind and `note` tell the two apart.
    pub id: EffortId,
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
            summary: effort.summary.clone(),
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
        let id = self.efforts[at].id.clone();
        let (turn, after) = (self.current_turn(), self.layers().total());
        let was = before.was.map(Box::new);
        Change { turn, kind, id, cause, before: before.tokens, after, note: None, was }
    }
}

impl Change {
    /// The line that tells the user, worded as in the seeds. It is shown, never logged or sent.
    pub fn banner(&self) -> String {
        let id = &self.id;
        let text = match self.kind {
            ChangeKind::EffortOpened => format!("Started effort: {id}"),
            ChangeKind::EffortConcluded => format!("Concluded effort: {id}"),
            ChangeKind::EffortSwitched => format!("Switched to effort: {id}"),
            ChangeKind::EffortReopened => format!("Reopened effort: {id}"),
            ChangeKind::EffortCompressed => format!("Compressed effort: {id} ({})", self.cause),
            ChangeKind::EffortPinned => format!("Pinned effort: {id}"),
            ChangeKind::EffortUnpinned => format!("Unpinned effort: {id}"),
            ChangeKind::EffortKept if self.cause == UNDONE => {
                format!("Countdown as before: {id}")
            }
            ChangeKind::EffortKept => format!("Kept effort: {id}"),
            ChangeKind::SummaryEdited => format!("New summary: {id} ({})", self.cause),
            ChangeKind::EffortExpanded => format!("Expanded effort: {id}"),
            ChangeKind::EffortCollapsed => format!("Collapsed effort: {id} (back to summary)"),
            ChangeKind::EffortAutoCollapsed => {
                format!("Auto-collapsed effort: {id} ({})", self.cause)
            }
            ChangeKind::SummaryEvicted => format!("Evicted summary: {id} ({})", self.cause),
            ChangeKind::SummaryReturned => format!("Summary back in memory: {id} ({})", self.cause),
            ChangeKind::LeftOut => format!("Left out for now: {id} ({})", self.cause),
            ChangeKind::Shortened => format!("Shortened for now: {id} ({})", self.cause),
            ChangeKind::WholeAgain => format!("Whole again: {id} ({})", self.cause),
            ChangeKind::ScratchpadSaved => {
                format!("Saved to scratchpad: ref:{id} ({})", self.cause)
            }
            ChangeKind::NoteRemembered => format!("Remembered note: {id}"),
            ChangeKind::NoteEdited => format!("Edited note: {id} ({})", self.cause),
            ChangeKind::NotePinned => format!("Pinned note: {id}"),
            ChangeKind::NoteUnpinned => format!("Unpinned note: {id}"),
            ChangeKind::NoteArchived => format!("Archived note: {id} ({})", self.cause),
            ChangeKind::NoteRemoved => format!("Removed note: {id} ({})", self.cause),
            ChangeKind::NoteRestored => format!("Restored note: {id} ({})", self.cause),
        };
        format!("--- {text} ---")
    }
}
