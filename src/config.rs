//! The settings: what they are, where each value came from, and what is wrong with a bad one.
//!
//! A value is taken from a flag, else from the environment (`EBBTIDE_<KEY>`), else from
//! `config.toml`, else it is the default. Each knows its [`Source`]. One table ([`Key::all`]) holds
//! every key with its kind, range, default and doc sentence; reading, checking, listing and the
//! commented default file are all made from it.
//!
//! Reads no process environment: variables arrive in an [`Environment`].

mod conflicts;
mod custom;
mod doubt;
mod edit;
mod environment;
mod error;
mod file;
mod fit;
mod instructions;
mod key;
mod kind;
mod models;
mod no_place;
mod provider;
mod source;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::time::Duration;

use crate::memory::{BudgetMode, NoteLimits, NoteOrder, NotePreset, Rules, Tokens};

pub use custom::Custom;
pub use edit::{change_file, set_in_file, unset_in_file};
pub use environment::{Environment, Paths};
pub use error::Error;
pub use file::default_file;
pub use fit::{after_refusal, room_in};
pub use key::Key;
pub use kind::Kind;
pub use no_place::NoPlace;
pub use provider::{
    ApiKey, Beside, Candidate, Manner, Provider, all_candidates, candidates, check_deciding,
    models_beside, pointed_at, secrets,
};
pub use source::Source;

use kind::Value;

/// How the screen is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Asks the terminal.
    Auto,
    /// Dark signs on a light ground.
    Light,
    /// Light signs on a dark ground.
    Dark,
    /// No colour at all.
    Mono,
}

/// How long each part of a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands.
    pub connect: Duration,
    /// From the request to the first byte of the answer.
    pub first_byte: Duration,
    /// Between two bytes of an answer.
    pub silence: Duration,
    /// With nothing but keep-alive signs.
    pub keepalive: Duration,
}

/// One line of the settings list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingRow {
    /// For example `token_budget`.
    pub key: &'static str,
    /// The value in force, as it would stand in the config file without quotes; passwords in
    /// addresses are blotted out.
    pub value: String,
    /// Where it came from.
    pub source: Source,
    /// What it does and what it may be.
    pub doc: String,
}

/// A value given on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// The setting's key, as typed.
    pub key: String,
    /// Its value, as typed.
    pub value: String,
    /// The flag it came with: `--model`, `--set`.
    pub flag: &'static str,
}

/// What the command line says about settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// The config file to read instead of the usual one; it must exist.
    pub config_file: Option<PathBuf>,
    /// Single values; the last one of a key holds.
    pub values: Vec<Override>,
}

/// All settings with their sources. Always complete and consistent: a bad value is an error, and the
/// old value stays.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// One slot per key, in the order of [`Key::all`].
    slots: Vec<Slot>,
    /// Keys and colours, as the config file has them.
    tables: file::Tables,
    /// The person's own providers, and what changes for known ones.
    providers: Vec<provider::Own>,
    /// The config file that was read, or would have been.
    file: Option<PathBuf>,
    notes: Vec<String>,
    faults: Vec<String>,
    /// Where each of them stands.
    fault_sources: Vec<Source>,
    /// What says who answers and makes no sense: its key, if it has one, and a sentence.
    doubts: Vec<(Option<Key>, String, Source)>,
    /// Nobody compares texts by their meaning, because the line that names who does makes no sense.
    no_comparing: bool,
    /// Tokens from which on a cache keeps the beginning of a prompt, where it is that of a replay.
    cache_least: Option<u64>,
    /// The same of the model that answers, as we count, and what a token from there costs, in percent of another.
    cache_rules: (u64, u64),
    /// The provider and the model that a person chose in the session.
    chosen: Option<(String, String)>,
    instructions: Vec<(String, String)>,
}

/// What a preset sets, in the order of its pair.
const PRESET_LIMITS: [Key; 2] = [Key::NotesSoftLimit, Key::NotesHardLimit];

#[derive(Debug, Clone, PartialEq, Eq)]
struct Slot {
    value: Value,
    source: Source,
}

impl Default for Settings {
    fn default() -> Self {
        let slot = |key: &Key| Slot { value: key.kind().default_value(), source: Source::Default };
        Self {
            slots: Key::all().iter().map(slot).collect(),
            tables: file::Tables::default(),
            providers: Vec::new(),
            file: None,
            notes: Vec::new(),
            faults: Vec::new(),
            fault_sources: Vec::new(),
            doubts: Vec::new(),
            no_comparing: false,
            cache_least: None,
            cache_rules: (0, 0),
            chosen: None,
            instructions: Vec::new(),
        }
    }
}

impl Settings {
    /// Reads the config file, the environment and the flags, in this order, and checks the result. A line
    /// of the file or a variable that makes no sense is passed over and told by [`Settings::faults`]; where it says
    /// who answers, nobody is asked (see [`candidates`]).
    ///
    /// # Errors
    /// A flag that makes no sense; a config file that cannot be read or is not TOML; no home directory to keep files in,
    /// where that is not told otherwise.
    pub fn load(environment: &Environment, overrides: &Overrides) -> Result<Self, Error> {
        let paths = Paths::of(environment);
        let mut settings = Self::defaults_in(&paths);
        let (file, is_asked_for) = match &overrides.config_file {
            Some(file) => (file.clone(), true),
            None => (paths.config_file()?, false),
        };
        let (entries, tables) = file::read(&file, is_asked_for)?;
        let (own, odd_tables) = provider::Own::read(&tables.providers);
        settings.providers = own;
        settings.tables = tables;
        settings.file = Some(file);
        for line in entries {
            settings.take_line(line);
        }
        for key in Key::all() {
            let variable = key.variable();
            if let Some(value) = environment.var(&variable) {
                settings.assign_or_tell(key.name(), value, Source::Environment(variable));
            }
        }
        for Override { key, value, flag } in &overrides.values {
            settings.assign(key, value, Source::Flag(flag))?;
        }
        settings.follow_preset();
        settings.follow_context();
        settings.settle();
        if let Some(path) = settings.text(Key::SessionsDir) {
            let path = environment::expand_home(path, environment).display().to_string();
            settings.slot_mut(Key::SessionsDir).value = Value::Text(path);
        }
        settings.take_odd_tables(odd_tables);
        if settings.offline() {
            settings.doubts_are_faults();
        }
        settings.notes = environment.oddities();
        Ok(settings)
    }

    /// The defaults, with the sessions in their usual directory, where that is known.
    pub fn defaults_in(paths: &Paths) -> Self {
        let mut settings = Self::default();
        if let Ok(sessions) = paths.sessions() {
            let sessions = sessions.display().to_string();
            settings.slot_mut(Key::SessionsDir).value = Value::Text(sessions);
        }
        settings
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// The key is unknown, the value is not of its kind, or it contradicts another setting. The old
    /// value stays.
    pub fn set(&mut self, key: &str, value: &str, source: Source) -> Result<(), Error> {
        self.set_all([(key.to_owned(), value.to_owned(), source)])
    }

    /// Changes several settings that make sense together only.
    ///
    /// # Errors
    /// As for [`Settings::set`]; then none is changed.
    pub fn set_all(
        &mut self,
        values: impl IntoIterator<Item = (String, String, Source)>,
    ) -> Result<(), Error> {
        let mut changed = self.clone();
        let mut named = Vec::new();
        for (key, value, source) in values {
            named.extend(Key::named(&key));
            changed.assign(&key, &value, source)?;
        }
        if named.contains(&Key::NotesPreset) {
            // A preset that is chosen now goes before single limits that were set earlier.
            for key in PRESET_LIMITS.into_iter().filter(|key| !named.contains(key)) {
                changed.slot_mut(key).source = Source::Default;
            }
        }
        changed.follow_preset();
        changed.follow_context();
        changed.check()?;
        if matches!(changed.source(Key::Provider), Source::Chat | Source::Change) {
            provider::check_name(&changed)?;
        }
        *self = changed;
        Ok(())
    }

    /// Every setting in the order of the table.
    pub fn list(&self) -> Vec<SettingRow> {
        let row = |(&key, slot): (&Key, &Slot)| SettingRow {
            key: key.name(),
            value: self.chosen_here(key).map_or_else(|| slot.value.shown(), str::to_owned),
            source: self.shown_source(key),
            doc: key.full_doc(),
        };
        Key::all().iter().zip(&self.slots).map(row).collect()
    }

    /// What is odd but harmless, as sentences: variables that look like settings and are none.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// What in the config file makes no sense and was passed over, as sentences with file, line and key.
    pub fn faults(&self) -> &[String] {
        &self.faults
    }

    /// The config file that was read, or would have been if it existed; `None` without one.
    pub fn config_file(&self) -> Option<&std::path::Path> {
        self.file.as_deref()
    }

    /// The keys that the config file binds: `[keys]`.
    pub fn keys(&self) -> &[Custom] {
        &self.tables.keys
    }

    /// What the config file says of providers: `[providers.NAME]`.
    fn own_providers(&self) -> &[provider::Own] {
        &self.providers
    }

    /// The colours that the config file gives to roles: `[theme]`.
    pub fn colours(&self) -> &[Custom] {
        &self.tables.theme
    }

    /// Where a value came from.
    pub fn source(&self, key: Key) -> &Source {
        &self.slot(key).source
    }

    /// The rules of memory.
    pub fn rules(&self) -> Rules {
        Rules {
            decay_threshold: self.number(Key::DecayThreshold),
            summary_eviction_threshold: self.number(Key::SummaryEvictionThreshold),
            ambient_window: self.number(Key::AmbientWindow) as usize,
            ambient_tide: match self.number(Key::CacheLifetime) {
                0 => 0,
                _ => self.number(Key::AmbientTide) as usize,
            },
            min_keyword_overlap: self.number(Key::MinKeywordOverlap) as usize,
            token_budget: Tokens(self.number(Key::TokenBudget)),
            soft_percent: self.number(Key::SoftPercent),
            low_percent: self.number(Key::LowPercent),
            budget_mode: self.text(Key::BudgetMode).and_then(BudgetMode::named).unwrap_or_default(),
            slots: Some(self.number(Key::Slots) as usize).filter(|&slots| slots > 0),
            context_window: self.context_window().map(Tokens),
            specifics_in_window: Tokens(self.number(Key::SpecificsInWindowTokens)),
            recall_tokens: Tokens(self.number(Key::RecallTokens)),
            cache_least: Tokens(self.cache_rules.0),
            cached_percent: self.cache_rules.1,
            seeds: self.text(Key::Seeds) == Some("true"),
        }
    }

    /// The words for the kinds of detail that a summary is compared with its log for.
    pub fn specifics_kinds(&self) -> impl Iterator<Item = &str> {
        let words = self.text(Key::SpecificsKinds).unwrap_or_default();
        words.split(", ").filter(|word| !word.is_empty())
    }

    /// The limits of the notes.
    pub fn note_limits(&self) -> NoteLimits {
        let is_on = |key| self.text(key) == Some("true");
        let tags = self.text(Key::ProtectedTags).unwrap_or_default();
        NoteLimits {
            enabled: is_on(Key::NotesEnabled),
            soft_limit: self.number(Key::NotesSoftLimit) as usize,
            hard_limit: self.number(Key::NotesHardLimit) as usize,
            adaptive: self.text(Key::NotesLimits) == Some("adaptive"),
            batch_size: self.number(Key::NotesBatchSize) as usize,
            tag_aware: is_on(Key::TagAware),
            order: match self.text(Key::NotesEviction) {
                Some("lru") => NoteOrder::LeastRecentlyUsed,
                Some("importance") => NoteOrder::Importance,
                _ => NoteOrder::Oldest,
            },
            threads: is_on(Key::NotesThreads),
            archive_with_effort: is_on(Key::ArchiveWithEffort),
            protected_tags: tags
                .split(", ")
                .filter(|tag| !tag.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }

    /// Tool rounds of one turn before it must end in words.
    pub fn max_tool_rounds(&self) -> u32 {
        self.number(Key::MaxToolRounds) as u32
    }

    /// Input longer than this goes to the scratchpad.
    pub fn input_limit(&self) -> Tokens {
        Tokens(self.number(Key::InputLimitTokens))
    }

    /// A tool result longer than this goes to the scratchpad.
    pub fn tool_output_limit(&self) -> Tokens {
        Tokens(self.number(Key::ToolOutputLimitTokens))
    }

    /// The most that a preview may cost.
    pub fn preview(&self) -> Tokens {
        Tokens(self.number(Key::PreviewTokens))
    }

    /// The built-in model's pause between two words.
    pub fn offline_pace(&self) -> Duration {
        Duration::from_millis(self.number(Key::OfflinePaceMs))
    }

    /// How the screen is coloured.
    pub fn theme(&self) -> Theme {
        match self.text(Key::Theme) {
            Some("light") => Theme::Light,
            Some("dark") => Theme::Dark,
            Some("mono") => Theme::Mono,
            _ => Theme::Auto,
        }
    }

    /// Whether replies are laid out as Markdown.
    pub fn markdown(&self) -> bool {
        self.text(Key::Markdown) != Some("false")
    }

    /// Whether the screen does without lines, arrows and emoji.
    pub fn ascii(&self) -> bool {
        self.text(Key::Ascii) == Some("true")
    }

    /// Whether anything on the screen may move by itself.
    pub fn animations(&self) -> bool {
        self.text(Key::Animations) == Some("true")
    }

    /// Whether the terminal's title names the session.
    pub fn terminal_title(&self) -> bool {
        self.text(Key::TerminalTitle) == Some("true")
    }

    /// The least important lines that the log file takes.
    pub fn log_level(&self) -> tracing::Level {
        match self.text(Key::LogLevel) {
            Some("error") => tracing::Level::ERROR,
            Some("warn") => tracing::Level::WARN,
            Some("debug") => tracing::Level::DEBUG,
            Some("trace") => tracing::Level::TRACE,
            _ => tracing::Level::INFO,
        }
    }

    /// Whether what is on disk must survive a loss of power, not only the end of the program.
    pub fn survives_power_loss(&self) -> bool {
        self.text(Key::Durability) != Some("process")
    }

    /// The directory that holds the sessions, one directory each.
    pub fn sessions_dir(&self) -> PathBuf {
        PathBuf::from(self.text(Key::SessionsDir).unwrap_or("sessions"))
    }

    /// Whether something says where the sessions are.
    pub fn has_sessions_dir(&self) -> bool {
        self.text(Key::SessionsDir).is_some()
    }

    fn assign(&mut self, name: &str, text: &str, source: Source) -> Result<(), Error> {
        let Some(key) = Key::named(name) else {
            return Err(Error::unknown(name, source));
        };
        let value = key.kind().parse(text).ok_or_else(|| Error::bad(key, text, source.clone()))?;
        *self.slot_mut(key) = Slot { value, source };
        Ok(())
    }

    /// Limits that nobody set are those of the preset.
    fn follow_preset(&mut self) {
        let preset = self.text(Key::NotesPreset).unwrap_or_default();
        let (soft, hard) = NotePreset::from_name(preset).unwrap_or_default().limits();
        for (key, limit) in PRESET_LIMITS.into_iter().zip([soft, hard]) {
            if *self.source(key) == Source::Default {
                self.slot_mut(key).value = Value::Number(limit as u64);
            }
        }
    }

    fn number(&self, key: Key) -> u64 {
        match &self.slot(key).value {
            Value::Number(number) => *number,
            Value::Text(_) => 0,
        }
    }

    fn text(&self, key: Key) -> Option<&str> {
        match &self.slot(key).value {
            Value::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    fn slot(&self, key: Key) -> &Slot {
        &self.slots[key as usize]
    }

    fn slot_mut(&mut self, key: Key) -> &mut Slot {
        &mut self.slots[key as usize]
    }
}
