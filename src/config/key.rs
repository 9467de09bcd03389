//! The settings: what each is called, what it may be, what it does.

mod asked;
mod table;

use super::Kind;
use table::TABLE;

/// A setting. The order is that of [`TABLE`] and of every list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "each key is documented by its row in the table below")]
pub enum Key {
    Model,
    Provider,
    BaseUrl,
    Protocol,
    ApiKeyEnv,
    Effort,
    SummaryModel,
    CompressionModel,
    JudgeModel,
    ContextWindow,
    Offline,
    DecayThreshold,
    SummaryEvictionThreshold,
    AmbientWindow,
    AmbientTide,
    MinKeywordOverlap,
    TokenBudget,
    SoftPercent,
    LowPercent,
    BudgetMode,
    CacheLifetime,
    Seeds,
    Slots,
    SpecificsInWindowTokens,
    SpecificsKinds,
    RecallTokens,
    EmbeddingModel,
    EmbeddingUrl,
    Compression,
    NotesEnabled,
    NotesPreset,
    NotesSoftLimit,
    NotesHardLimit,
    NotesLimits,
    NotesBatchSize,
    NotesEviction,
    NotesThreads,
    TagAware,
    ProtectedTags,
    ArchiveWithEffort,
    ReadAgentsMd,
    MaxToolRounds,
    InputLimitTokens,
    ToolOutputLimitTokens,
    PreviewTokens,
    ConnectTimeoutSeconds,
    FirstByteTimeoutSeconds,
    SilenceTimeoutSeconds,
    KeepaliveTimeoutSeconds,
    OfflinePaceMs,
    PriceInput,
    PriceCached,
    PriceWrite,
    PriceOutput,
    PriceCache,
    Currency,
    Theme,
    Markdown,
    Ascii,
    Animations,
    TerminalTitle,
    LogLevel,
    Durability,
    SessionsDir,
}

/// One row: the key as written, what it may be, what it does.
struct Row(Key, &'static str, Kind, &'static str);

/// The keys alone, so that a list of them need not be built.
const KEYS: [Key; TABLE.len()] = {
    let mut keys = [Key::Model; TABLE.len()];
    let mut at = 0;
    while at < TABLE.len() {
        keys[at] = TABLE[at].0;
        at += 1;
    }
    keys
};

impl Key {
    /// Every setting, in the order in which it is listed.
    pub fn all() -> &'static [Self] {
        &KEYS
    }

    /// The setting of a name; hyphens count as underscores.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().replace('-', "_");
        TABLE.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    /// The key as written in the config file.
    pub fn name(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// What the value may be.
    pub fn kind(self) -> &'static Kind {
        &TABLE[self as usize].2
    }

    /// What it does, in one sentence.
    pub fn doc(self) -> &'static str {
        TABLE[self as usize].3
    }

    /// The doc sentence with what the value may be.
    pub fn full_doc(self) -> String {
        format!("{} ({})", self.doc(), self.kind().expected())
    }

    /// The value without any setting, as it would stand in the config file without quotes.
    pub fn default_value(self) -> String {
        self.kind().default_value().shown()
    }

    /// The environment variable that sets it.
    pub fn variable(self) -> String {
        format!("EBBTIDE_{}", self.name().to_ascii_uppercase())
    }
}
