//! The table of settings.

mod asked;

use super::Kind;

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

/// Every setting. A number is given with its default, its least and its greatest value.
const TABLE: &[Row] = &[
    Row(
        Key::Model,
        "model",
        Kind::Name,
        "The model that answers; empty for the provider's usual one.",
    ),
    Row(
        Key::Provider,
        "provider",
        Kind::Name,
        "The provider to ask, by its name or that of its table; empty for the first whose key is there.",
    ),
    Row(
        Key::BaseUrl,
        "base_url",
        Kind::Url,
        "The server to ask, often ending in /v1; empty to look for keys and for servers that run here.",
    ),
    Row(
        Key::Protocol,
        "protocol",
        Kind::Choice(&["auto", "chat", "responses", "messages", "ollama"]),
        "What the server at base_url speaks; auto for what its address says, or else Chat Completions.",
    ),
    Row(
        Key::ApiKeyEnv,
        "api_key_env",
        Kind::Name,
        "The name of the environment variable that holds the key; empty for the usual ones.",
    ),
    Row(
        Key::Effort,
        "effort",
        Kind::Choice(&["auto", "none", "low", "medium", "high"]),
        "How hard the model thinks before it answers; auto for what it does by itself.",
    ),
    Row(
        Key::SummaryModel,
        "summary_model",
        Kind::Name,
        "The model that writes summaries; empty for the one that answers.",
    ),
    Row(
        Key::CompressionModel,
        "compression_model",
        Kind::Name,
        "The model that compresses open logs; empty for the one that answers.",
    ),
    Row(
        Key::ContextWindow,
        "context_window",
        Kind::Number(0, 0, 100_000_000),
        "The tokens that the model takes; 0 if not known.",
    ),
    Row(
        Key::Offline,
        "offline",
        Kind::Choice(&["false", "true"]),
        "Whether to use the built-in model whatever keys and servers there are.",
    ),
    Row(
        Key::DecayThreshold,
        "decay_threshold",
        Kind::Number(3, 1, 1_000_000),
        "Turns without a mention after which an expanded effort collapses.",
    ),
    Row(
        Key::SummaryEvictionThreshold,
        "summary_eviction_threshold",
        Kind::Number(20, 1, 1_000_000),
        "Turns without a mention after which a summary leaves the window.",
    ),
    Row(
        Key::AmbientWindow,
        "ambient_window",
        Kind::Number(10, 0, 100_000),
        "Exchanges outside any effort that stay in the window.",
    ),
    Row(
        Key::AmbientTide,
        "ambient_tide",
        Kind::Number(12, 0, 100_000),
        "Exchanges that gather beyond these and then leave together, for the model's cache; 0 for one by one.",
    ),
    Row(
        Key::MinKeywordOverlap,
        "min_keyword_overlap",
        Kind::Number(2, 1, 100),
        "Words that a message must share with a summary to mention it.",
    ),
    Row(
        Key::TokenBudget,
        "token_budget",
        Kind::Number(16_000, 1_000, 100_000_000),
        "The most that the window may cost, in tokens.",
    ),
    Row(
        Key::SoftPercent,
        "soft_percent",
        Kind::Number(70, 1, 100),
        "The share of the budget, in percent, above which the least salient items leave.",
    ),
    Row(
        Key::LowPercent,
        "low_percent",
        Kind::Number(50, 1, 100),
        "The share of the budget, in percent, down to which they leave then, in one go.",
    ),
    Row(
        Key::BudgetMode,
        "budget_mode",
        Kind::Choice(&["auto", "ask", "off"]),
        "Whether items leave by themselves, after your consent, or only at the model's own limit.",
    ),
    Row(
        Key::CacheLifetime,
        "cache_lifetime",
        Kind::Number(300, 0, 31_536_000),
        "Seconds without a request after which the model's cache is taken for cold; 0 if it keeps none.",
    ),
    Row(
        Key::Seeds,
        "seeds",
        Kind::Choice(&["false", "true"]),
        "Whether memory follows its first rules to the letter: no tides, any two shared words are a mention.",
    ),
    Row(
        Key::Slots,
        "slots",
        Kind::Number(0, 0, 1_000),
        "The most summaries and expanded efforts in the window, such as 4 or 7; 0 for no limit.",
    ),
    Row(
        Key::SpecificsInWindowTokens,
        "specifics_in_window_tokens",
        Kind::Number(0, 0, 10_000),
        "The most that details lost by summaries may cost in the window, in tokens; 0 for none there.",
    ),
    Row(
        Key::SpecificsKinds,
        "specifics_kinds",
        Kind::Subset(
            &[
                "path",
                "url",
                "command",
                "error",
                "number",
                "date",
                "identifier",
                "decision",
                "name",
            ],
            &["path", "url", "command", "error", "number", "date", "decision"],
        ),
        "The kinds of detail that a summary is compared with its log for.",
    ),
    Row(
        Key::RecallTokens,
        "recall_tokens",
        Kind::Number(1_000, 0, 1_000_000),
        "The most that what is recalled for a message may cost, in tokens; 0 for none.",
    ),
    Row(
        Key::Compression,
        "compression",
        Kind::Choice(&["true", "false"]),
        "Whether the older part of an open effort is compressed above the soft line.",
    ),
    Row(
        Key::NotesEnabled,
        "working_memory_enabled",
        Kind::Choice(&["true", "false"]),
        "Whether notes leave by themselves at the limits of the working memory.",
    ),
    Row(
        Key::NotesPreset,
        "working_memory_preset",
        Kind::Choice(&["interactive", "production", "research"]),
        "A pair of limits: interactive 35 and 50, production 25 and 40, research 50 and 75.",
    ),
    Row(
        Key::NotesSoftLimit,
        "working_memory_soft_limit",
        Kind::Number(35, 1, 100_000),
        "Notes from which on the oldest are archived; by default as the preset says.",
    ),
    Row(
        Key::NotesHardLimit,
        "working_memory_hard_limit",
        Kind::Number(50, 2, 100_000),
        "Notes from which on the oldest are removed; by default as the preset says.",
    ),
    Row(
        Key::NotesLimits,
        "working_memory_limits",
        Kind::Choice(&["fixed", "adaptive"]),
        "Whether the two limits stay as set, or rise when notes are found often and fall when they \
         lie idle.",
    ),
    Row(
        Key::NotesBatchSize,
        "working_memory_batch_size",
        Kind::Number(10, 1, 100_000),
        "Notes that one check archives or removes.",
    ),
    Row(
        Key::NotesEviction,
        "working_memory_eviction",
        Kind::Choice(&["oldest", "lru", "importance"]),
        "Which notes leave first: the oldest, the least recently used, or the least important.",
    ),
    Row(
        Key::NotesThreads,
        "working_memory_threads",
        Kind::Choice(&["false", "true"]),
        "Whether notes of one effort, or that share tags or words, leave and return together.",
    ),
    Row(
        Key::TagAware,
        "tag_aware_archival",
        Kind::Choice(&["true", "false"]),
        "Whether protected tags keep a note from being archived at the soft limit.",
    ),
    Row(
        Key::ProtectedTags,
        "protected_tags",
        Kind::Tags(&["insight", "permanent", "personal", "decision", "architecture", "important"]),
        "The tags that protect a note at the soft limit.",
    ),
    Row(
        Key::ArchiveWithEffort,
        "archive_notes_with_effort",
        Kind::Choice(&["false", "true"]),
        "Whether the notes of an effort are archived together when it is concluded.",
    ),
    Row(
        Key::MaxToolRounds,
        "max_tool_rounds",
        Kind::Number(8, 1, 100),
        "Rounds of tool calls in one turn before it must end in words.",
    ),
    Row(
        Key::InputLimitTokens,
        "input_limit_tokens",
        Kind::Number(2_000, 100, 10_000_000),
        "Input longer than this, in tokens, is kept on the scratchpad and shown as a preview.",
    ),
    Row(
        Key::ToolOutputLimitTokens,
        "tool_output_limit_tokens",
        Kind::Number(1_000, 100, 10_000_000),
        "A tool result longer than this, in tokens, is kept on the scratchpad.",
    ),
    Row(
        Key::PreviewTokens,
        "preview_tokens",
        Kind::Number(300, 30, 1_000_000),
        "The most that a preview may cost, in tokens.",
    ),
    Row(
        Key::ConnectTimeoutSeconds,
        "connect_timeout_seconds",
        Kind::Number(10, 1, 86_400),
        "Seconds until a connection must stand.",
    ),
    Row(
        Key::FirstByteTimeoutSeconds,
        "first_byte_timeout_seconds",
        Kind::Number(600, 1, 86_400),
        "Seconds until a server must begin to answer; local servers queue and load first.",
    ),
    Row(
        Key::SilenceTimeoutSeconds,
        "silence_timeout_seconds",
        Kind::Number(120, 1, 86_400),
        "Seconds that a begun answer may pause.",
    ),
    Row(
        Key::KeepaliveTimeoutSeconds,
        "keepalive_timeout_seconds",
        Kind::Number(600, 1, 86_400),
        "Seconds that a server may send nothing but signs of life.",
    ),
    Row(
        Key::OfflinePaceMs,
        "offline_pace_ms",
        Kind::Number(15, 0, 10_000),
        "Milliseconds between two words of the built-in model.",
    ),
    Row(
        Key::PriceInput,
        "price_input",
        Kind::Price,
        "What a million tokens of input cost in the currency; empty to count in tokens only.",
    ),
    Row(
        Key::PriceCached,
        "price_cached",
        Kind::Price,
        "A token read from the server's cache, relative to one of input; empty for the provider's usual \
         price.",
    ),
    Row(
        Key::PriceWrite,
        "price_write",
        Kind::Price,
        "A token written to a cache with breakpoints, relative to one of input; empty for the usual price.",
    ),
    Row(
        Key::PriceOutput,
        "price_output",
        Kind::Price,
        "A token of the answer, relative to one of input; empty for the provider's usual price.",
    ),
    Row(
        Key::PriceCache,
        "price_cache",
        Kind::Choice(&["auto", "none", "prefix", "breakpoints"]),
        "How the server's cache works, where it does not tell what it read; auto for the provider's usual \
         one.",
    ),
    Row(Key::Currency, "currency", Kind::Label, "The currency of price_input; empty for $."),
    Row(
        Key::Theme,
        "theme",
        Kind::Choice(&["auto", "light", "dark", "mono"]),
        "The colours of the screen.",
    ),
    Row(
        Key::Markdown,
        "markdown",
        Kind::Choice(&["true", "false"]),
        "Whether replies are laid out as Markdown or shown as they came.",
    ),
    Row(
        Key::Ascii,
        "ascii",
        Kind::Choice(&["false", "true"]),
        "Whether the screen does without lines, arrows and emoji, for terminals that lack them.",
    ),
    Row(
        Key::Animations,
        "animations",
        Kind::Choice(&["true", "false"]),
        "Whether anything on the screen moves by itself.",
    ),
    Row(
        Key::TerminalTitle,
        "terminal_title",
        Kind::Choice(&["true", "false"]),
        "Whether the terminal's title names the session while the program runs.",
    ),
    Row(
        Key::LogLevel,
        "log_level",
        Kind::Choice(&["info", "error", "warn", "debug", "trace"]),
        "How much goes to the log file.",
    ),
    Row(
        Key::Durability,
        "durability",
        Kind::Choice(&["power", "process"]),
        "What \"on disk\" is safe against: a loss of power as well, or only the end of the program.",
    ),
    Row(
        Key::SessionsDir,
        "sessions_dir",
        Kind::Path,
        "The directory of the sessions; by default in the data directory.",
    ),
];

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
