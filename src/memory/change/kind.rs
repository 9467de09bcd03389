//! The kinds of change: one row for each, which says all that is the same for every change of the kind.

use super::super::Tier;

/// What is fixed about a kind of change.
#[derive(Debug, Clone, Copy)]
pub struct KindRow {
    /// The name used in files and in JSON.
    pub name: &'static str,
    /// What such a change happens to.
    pub of: Of,
    /// What the banner says in front of what it happened to, and behind.
    pub banner: (&'static str, Tail),
    /// Where it leads an effort.
    pub leads: Leads,
    /// What takes it back; `None` where nothing has to: it is no loss.
    pub(in crate::memory) undone_by: Option<Opposite>,
    /// What of the effort's manifest entry is different after it.
    pub entry: EntryChange,
}

/// What the changes of a kind happen to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Efforts.
    Effort,
    /// Notes.
    Note,
    /// Texts on the scratchpad.
    Text,
    /// Any part of the window.
    Part,
}

/// What a banner says behind what a change happened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Nothing,
    /// The cause of the change.
    Cause,
    /// These words.
    Words(&'static str),
}

/// Where a change leads an effort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leads {
    /// It stays where it is, or the change is of something else.
    Nowhere,
    /// It begins, and is active.
    Begins,
    /// It is concluded: its summary takes the place of its log.
    Ends,
    /// It was concluded and goes on, and is active.
    GoesOn,
    /// Into a tier.
    To(Tier),
    /// Back into the window as a summary, if nothing of it is there.
    Back,
}

/// What a change makes of its effort's entry in the manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryChange {
    /// Nothing, or there is none.
    Nothing,
    /// Only whether its summary is in the window.
    Place,
    /// Anything.
    Whole,
}

/// The step of memory that takes a change back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::memory) enum Opposite {
    /// An evicted summary comes back.
    Return,
    /// A summary that came back leaves again.
    Evict,
    /// An expanded log collapses.
    Collapse,
    /// A collapsed log is expanded.
    Expand,
    /// A concluded effort is open again.
    Reopen,
    /// A reopened effort has its old summary again.
    Conclude,
    /// The effort before is active.
    Switch,
    /// The pin is taken away.
    Unpin,
    /// The pin is set.
    Pin,
    /// The countdown is as it was.
    CountAsBefore,
    /// The summary has its old words.
    Reword,
    /// The note is as it was.
    Note,
}

/// Makes the enum of the kinds and their rows from one table, so that no kind is without a row.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident {
        $name:literal, $of:ident $banner:literal $tail:expr, $leads:expr, $undone_by:expr, $entry:expr $(,)?
    })*) => {
        /// The kinds of change, named as in the journal and in `play --json`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum ChangeKind {
            $($(#[$doc])* $kind,)*
        }

        impl ChangeKind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind,)*];

            /// What is fixed about it.
            pub const fn row(self) -> KindRow {
                match self {
                    $(Self::$kind => KindRow {
                        name: $name,
                        of: Of::$of,
                        banner: ($banner, $tail),
                        leads: $leads,
                        undone_by: $undone_by,
                        entry: $entry,
                    },)*
                }
            }
        }
    };
}

use EntryChange::{Nothing as Same, Place, Whole};
use Leads::{Back, Begins, Ends, GoesOn, Nowhere, To};
use Opposite as By;
use Tail::{Cause, Nothing, Words};

// Name, what it is of with its banner, where it leads, what takes it back, what it changes in the manifest.
kinds! {
    /// A new effort began.
    EffortOpened { "effort_opened", Effort "Started effort:" Nothing, Begins, None, Whole }
    /// A raw log gave way to its summary.
    EffortConcluded { "effort_concluded", Effort "Concluded effort:" Nothing, Ends, Some(By::Reopen), Whole }
    /// Another open effort became the active one.
    EffortSwitched {
        "effort_switched", Effort "Switched to effort:" Nothing, To(Tier::Active), Some(By::Switch), Whole
    }
    /// A concluded effort is being worked on again.
    EffortReopened { "effort_reopened", Effort "Reopened effort:" Nothing, GoesOn, Some(By::Conclude), Whole }
    /// A summary stands for a part of an open log from now on; the raw messages are archived.
    EffortCompressed { "effort_compressed", Effort "Compressed effort:" Cause, Nowhere, None, Whole }
    /// The middle of a log is left out from now on, until there is a better form or the effort is concluded.
    EffortShortened { "effort_shortened", Effort "Shortened effort:" Cause, Nowhere, None, Whole }
    /// Somebody pinned a concluded effort: it has no countdown any more.
    EffortPinned { "effort_pinned", Effort "Pinned effort:" Nothing, Back, Some(By::Unpin), Whole }
    /// A pinned effort counts down again.
    EffortUnpinned { "effort_unpinned", Effort "Unpinned effort:" Nothing, Nowhere, Some(By::Pin), Whole }
    /// Somebody reset the countdown of an effort by hand.
    EffortKept { "effort_kept", Effort "Kept effort:" Nothing, Nowhere, Some(By::CountAsBefore), Whole }
    /// A summary was worded anew; the journal keeps the old one.
    SummaryEdited { "summary_edited", Effort "New summary:" Cause, Nowhere, Some(By::Reword), Whole }
    /// A raw log entered the window for a while.
    EffortExpanded {
        "effort_expanded", Effort "Expanded effort:" Nothing, To(Tier::Expanded), Some(By::Collapse), Place
    }
    /// Somebody sent an expanded raw log out again.
    EffortCollapsed {
        "effort_collapsed", Effort "Collapsed effort:" Words("back to summary"), To(Tier::Warm),
        Some(By::Expand), Same
    }
    /// Decay sent an expanded raw log out again (slice 3).
    EffortAutoCollapsed {
        "effort_auto_collapsed", Effort "Auto-collapsed effort:" Cause, To(Tier::Warm), Some(By::Expand), Same
    }
    /// A summary left the window; the manifest still holds it (slice 4).
    SummaryEvicted {
        "summary_evicted", Effort "Evicted summary:" Cause, To(Tier::Evicted), Some(By::Return), Place
    }
    /// A mention, search or expansion brought an evicted summary back.
    SummaryReturned {
        "summary_returned", Effort "Summary back in memory:" Cause, To(Tier::Warm), Some(By::Evict), Place
    }
    /// Exchanges outside any effort left the window together; their log holds them.
    Tide { "tide", Part "Ebbed:" Cause, Nowhere, None, Same }
    /// Something is not sent because there is no room for it; memory holds it as before.
    LeftOut { "left_out", Part "Left out for now:" Cause, Nowhere, None, Same }
    /// A log or a message is sent in a shorter form, with a pointer to the whole.
    Shortened { "shortened", Part "Shortened for now:" Cause, Nowhere, None, Same }
    /// What was left out or shortened is sent whole again.
    WholeAgain { "whole_again", Part "Whole again:" Cause, Nowhere, None, Whole }
    /// A large text was stored by reference.
    ScratchpadSaved { "scratchpad_saved", Text "Saved to scratchpad:" Cause, Nowhere, None, Same }
    /// A note was made.
    NoteRemembered { "note_remembered", Note "Remembered note:" Nothing, Nowhere, Some(By::Note), Same }
    /// A note's words, tags or salience are different.
    NoteEdited { "note_edited", Note "Edited note:" Cause, Nowhere, Some(By::Note), Same }
    /// A note no longer leaves by itself.
    NotePinned { "note_pinned", Note "Pinned note:" Nothing, Nowhere, Some(By::Note), Same }
    /// A note may leave by itself again.
    NoteUnpinned { "note_unpinned", Note "Unpinned note:" Nothing, Nowhere, Some(By::Note), Same }
    /// A note left the window for good; a search still finds it.
    NoteArchived { "note_archived", Note "Archived note:" Cause, Nowhere, Some(By::Note), Same }
    /// A note left the window and the search; the change still holds it.
    NoteRemoved { "note_removed", Note "Removed note:" Cause, Nowhere, Some(By::Note), Same }
    /// A note that was archived, removed or changed is as it was before.
    NoteRestored { "note_restored", Note "Restored note:" Cause, Nowhere, Some(By::Note), Same }
}

impl ChangeKind {
    /// The name used in files and in JSON.
    pub fn as_str(self) -> &'static str {
        self.row().name
    }

    /// The kind of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.as_str() == name)
    }

    /// Whether an effort begins, ends or goes on here: what a reader takes for a chapter's border.
    pub fn divides(self) -> bool {
        match self.row().leads {
            Leads::Begins | Leads::Ends | Leads::GoesOn => true,
            Leads::Nowhere | Leads::To(_) | Leads::Back => false,
        }
    }

    /// Whether a change of this kind may be undone.
    pub fn can_be_undone(self) -> bool {
        self.row().undone_by.is_some()
    }

    /// Whether undoing a change of another kind makes one of this kind.
    pub fn takes_back(self, other: Self) -> bool {
        let Some(by) = other.row().undone_by else { return false };
        match by {
            Opposite::Return => self == Self::SummaryReturned,
            Opposite::Evict => self == Self::SummaryEvicted,
            Opposite::Collapse => self == Self::EffortCollapsed,
            Opposite::Expand => self == Self::EffortExpanded,
            Opposite::Reopen => self == Self::EffortReopened,
            Opposite::Conclude => self == Self::EffortConcluded,
            Opposite::Switch => self == Self::EffortSwitched,
            Opposite::Unpin => self == Self::EffortUnpinned,
            Opposite::Pin => self == Self::EffortPinned,
            Opposite::CountAsBefore => self == Self::EffortKept,
            Opposite::Reword => self == Self::SummaryEdited,
            Opposite::Note => self.row().of == Of::Note,
        }
    }

    /// Whether the effort has another summary from now on.
    pub fn gives_summary(self) -> bool {
        self.row().leads == Leads::Ends || self.row().undone_by == Some(Opposite::Reword)
    }
}

impl Leads {
    /// The tier in which the effort is afterwards; `None` if it stays where it is.
    pub fn tier(self) -> Option<Tier> {
        match self {
            Self::Nowhere => None,
            Self::Begins | Self::GoesOn => Some(Tier::Active),
            Self::Ends | Self::Back => Some(Tier::Warm),
            Self::To(tier) => Some(tier),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for &kind in ChangeKind::ALL {
            assert_eq!(ChangeKind::named(kind.as_str()), Some(kind), "no two share a name");
        }
        assert_eq!(ChangeKind::named("turn"), None);
    }
}
