//! What memory did, as the chart marks it: each thing once, and not what was undone.

use crate::memory::{ChangeKind, Leads, Tier, Turn};
use crate::orchestrator::Happening;

/// What memory did in a turn, as far as a chart can mark it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Marks {
    /// A log gave way to its summary.
    pub concluded: bool,
    /// Something left the window.
    pub left: bool,
    /// Something came back into it.
    pub returned: bool,
}

/// How often something happened in a turn that a chart marks.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    concluded: u64,
    left: u64,
    returned: u64,
}

impl Counts {
    /// The count of one thing that memory did, if a chart marks it.
    pub(super) fn of(&mut self, kind: ChangeKind) -> Option<&mut u64> {
        match (kind, kind.row().leads) {
            (_, Leads::Ends) => Some(&mut self.concluded),
            (ChangeKind::SummaryReturned, _) | (_, Leads::To(Tier::Expanded) | Leads::GoesOn) => {
                Some(&mut self.returned)
            }
            (ChangeKind::Tide | ChangeKind::LeftOut | ChangeKind::NoteArchived, _)
            | (_, Leads::To(Tier::Evicted | Tier::Warm)) => Some(&mut self.left),
            _ => None,
        }
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            concluded: self.concluded + other.concluded,
            left: self.left + other.left,
            returned: self.returned + other.returned,
        }
    }

    pub(super) fn marks(self) -> Marks {
        let Self { concluded, left, returned } = self;
        Marks { concluded: concluded > 0, left: left > 0, returned: returned > 0 }
    }
}

/// One thing that memory did.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) happened: Happening,
    /// From this turn on it is as if it had not been: it was undone, or undid something.
    pub(super) gone_in: Option<Turn>,
}

impl Told {
    /// Whether it stands and is what an undoing may take back of the same thing.
    pub(super) fn is_before(&self, undoing: &Happening) -> bool {
        let Self { happened, gone_in } = self;
        let (kind, switched) = (happened.kind, ChangeKind::EffortSwitched);
        // Another effort is active again than the one that was switched to.
        let is_of_it = if undoing.kind == switched {
            kind == switched
        } else {
            happened.id == undoing.id && kind.row().of == undoing.kind.row().of
        };
        gone_in.is_none() && is_of_it && kind.can_be_undone()
    }
}
