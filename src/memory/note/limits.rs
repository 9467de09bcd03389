//! The limits that notes live under, with the seed's presets and names.

use super::{Note, new_tag};

/// Tags that keep a note from being archived at the soft limit, unless configured otherwise.
const PROTECTED: [&str; 6] =
    ["insight", "permanent", "personal", "decision", "architecture", "important"];

/// Pairs of limits that suit a way of working.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NotePreset {
    /// Room for active work: 35 and 50.
    #[default]
    Interactive,
    /// A tighter budget for long runs: 25 and 40.
    Production,
    /// More room for exploration: 50 and 75.
    Research,
}

impl NotePreset {
    /// All presets.
    pub const ALL: [Self; 3] = [Self::Interactive, Self::Production, Self::Research];

    /// The name used in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Production => "production",
            Self::Research => "research",
        }
    }

    /// The preset of that name.
    ///
    /// # Errors
    /// There is none; the text names those that exist.
    pub fn from_name(name: &str) -> Result<Self, BadLimits> {
        let found = Self::ALL.into_iter().find(|preset| preset.as_str() == name);
        found.ok_or_else(|| BadLimits::UnknownPreset { name: name.chars().take(40).collect() })
    }

    /// Its soft and hard limit, in notes.
    pub fn limits(self) -> (usize, usize) {
        match self {
            Self::Interactive => (35, 50),
            Self::Production => (25, 40),
            Self::Research => (50, 75),
        }
    }
}

/// Which notes leave first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NoteOrder {
    /// The notes that entered the session first.
    #[default]
    Oldest,
    /// The notes that nobody mentioned, found or edited for longest.
    LeastRecentlyUsed,
    /// The notes of the least salience that were mentioned and found least often: [`Note::importance`].
    Importance,
}

impl NoteOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Oldest, Self::LeastRecentlyUsed, Self::Importance];

    /// The name used in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Oldest => "oldest",
            Self::LeastRecentlyUsed => "lru",
            Self::Importance => "importance",
        }
    }

    /// The order of that name.
    ///
    /// # Errors
    /// There is none; the text names those that exist.
    pub fn from_name(name: &str) -> Result<Self, BadLimits> {
        let found = Self::ALL.into_iter().find(|order| order.as_str() == name);
        found.ok_or_else(|| BadLimits::UnknownOrder { name: name.chars().take(40).collect() })
    }
}

/// What a check of the notes goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own among the settings")]
pub struct NoteLimits {
    /// Whether checks do anything.
    pub enabled: bool,
    /// Notes in the session from which on the oldest are archived.
    pub soft_limit: usize,
    /// Notes in the session from which on the oldest are removed.
    pub hard_limit: usize,
    /// Whether the limits adapt to how notes are used; the set ones are where they begin.
    pub adaptive: bool,
    /// Notes that one check looks at.
    pub batch_size: usize,
    /// Whether protected tags keep a note from being archived at the soft limit.
    pub tag_aware: bool,
    /// Which notes leave first.
    pub order: NoteOrder,
    /// Whether notes that belong together leave and return together.
    pub threads: bool,
    /// Whether an effort's notes are archived together when the effort is concluded.
    pub archive_with_effort: bool,
    /// The tags that protect; compared one by one, upper and lower case being different.
    pub protected_tags: Vec<String>,
}

impl Default for NoteLimits {
    fn default() -> Self {
        let (soft_limit, hard_limit) = NotePreset::default().limits();
        Self {
            enabled: true,
            soft_limit,
            hard_limit,
            adaptive: false,
            batch_size: 10,
            tag_aware: true,
            order: NoteOrder::Oldest,
            threads: false,
            archive_with_effort: false,
            protected_tags: PROTECTED.map(str::to_owned).to_vec(),
        }
    }
}

impl NoteLimits {
    /// The defaults with a preset's soft and hard limit.
    pub fn preset(preset: NotePreset) -> Self {
        let (soft_limit, hard_limit) = preset.limits();
        Self { soft_limit, hard_limit, ..Self::default() }
    }

    /// Whether the limits make sense together.
    ///
    /// # Errors
    /// The first contradiction, by the name of its setting.
    pub fn check(&self) -> Result<(), BadLimits> {
        let (soft, hard) = (self.soft_limit, self.hard_limit);
        if soft == 0 {
            return Err(BadLimits::ZeroSoft);
        }
        if soft >= hard {
            return Err(BadLimits::SoftNotBelowHard { soft, hard });
        }
        if self.batch_size == 0 {
            return Err(BadLimits::ZeroBatch);
        }
        // A tag that no note can carry would protect nothing, without anybody noticing.
        let impossible = |tag: &&String| new_tag(tag).as_ref() != Ok(*tag);
        match self.protected_tags.iter().find(impossible) {
            Some(tag) => Err(BadLimits::ImpossibleTag { tag: tag.chars().take(40).collect() }),
            None => Ok(()),
        }
    }

    /// Whether one of the note's tags is a protected one.
    pub fn protects(&self, note: &Note) -> bool {
        self.tag_aware && note.tags.iter().any(|tag| self.protected_tags.contains(tag))
    }
}

/// Limits that make no sense. The old ones stay in force.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadLimits {
    /// The soft limit is nothing.
    #[error("working_memory_soft_limit is 0, but notes need room: set it to at least 1")]
    ZeroSoft,
    /// The soft limit would never be reached first.
    #[error(
        "working_memory_soft_limit is {soft}, which is not below working_memory_hard_limit, {hard}: \
         lower the first or raise the second"
    )]
    SoftNotBelowHard {
        /// The soft limit.
        soft: usize,
        /// The hard limit.
        hard: usize,
    },
    /// A batch of nothing.
    #[error(
        "working_memory_batch_size is 0, so that no note could ever leave: set it to at least 1"
    )]
    ZeroBatch,
    /// No preset has that name.
    #[error("working_memory_preset must be interactive, production or research, not '{name}'")]
    UnknownPreset {
        /// The name, shortened.
        name: String,
    },
    /// No order has that name.
    #[error("working_memory_eviction must be oldest, lru or importance, not '{name}'")]
    UnknownOrder {
        /// The name, shortened.
        name: String,
    },
    /// A protected tag that no note can carry.
    #[error(
        "protected_tags holds '{tag}', which no note can carry: a tag is one word of at most 32 \
         characters without commas or brackets"
    )]
    ImpossibleTag {
        /// The tag, shortened.
        tag: String,
    },
}
