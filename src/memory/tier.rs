//! Where an effort is: the tiers between which memory moves it, and the one place that tells.

use super::{Effort, Memory, Status};

/// Where an effort is, from the dearest place to the cheapest. Its raw log is always on disk as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tier {
    /// Open, its raw log in the window, and the one that the conversation belongs to.
    Active,
    /// Open in the background, its raw log in the window.
    Open,
    /// Concluded, with its raw log in the window for a while.
    Expanded,
    /// Concluded, with its summary in the window.
    Warm,
    /// Concluded, only in the manifest.
    Evicted,
}

impl Tier {
    /// Every tier.
    pub const ALL: [Self; 5] =
        [Self::Active, Self::Open, Self::Expanded, Self::Warm, Self::Evicted];

    /// The word for it, as shown and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Open => "open",
            Self::Expanded => "expanded",
            Self::Warm => "warm",
            Self::Evicted => "evicted",
        }
    }

    /// Whether work on the effort goes on.
    pub fn is_open(self) -> bool {
        match self {
            Self::Active | Self::Open => true,
            Self::Expanded | Self::Warm | Self::Evicted => false,
        }
    }

    /// Whether the raw log is in the window.
    pub fn holds_log(self) -> bool {
        match self {
            Self::Active | Self::Open | Self::Expanded => true,
            Self::Warm | Self::Evicted => false,
        }
    }
}

impl Memory {
    /// Where an effort of this memory is now.
    pub fn tier(&self, effort: &Effort) -> Tier {
        match effort.status {
            Status::Open if self.active().is_some_and(|active| active.id == effort.id) => {
                Tier::Active
            }
            Status::Open => Tier::Open,
            Status::Concluded if effort.log.expanded_at.is_some() => Tier::Expanded,
            Status::Concluded if effort.warm => Tier::Warm,
            Status::Concluded => Tier::Evicted,
        }
    }

    pub(super) fn tier_at(&self, at: usize) -> Tier {
        self.tier(&self.efforts[at])
    }
}
