//! The providers that are known by name, as data: where they are, which key is theirs, what they charge for
//! what, and until when their models are there.
//!
//! The facts are those of the providers' own pages on 2026-11-22; a server that tells its models and
//! their sizes goes before the table.

mod prices;
mod shutdown;
mod table;

use crate::address::Address;
use crate::bill::Prices;
pub use prices::{keeps_hour, prices, prices_by_the_hour};
pub use shutdown::{Shutdown, shutdown_of};
pub use table::LISTED;

/// The name of the built-in model, which asks nobody and costs nothing: in the settings, and in the bills that are stored.
pub const BUILT_IN: &str = "offline";

/// What a server speaks.
///
/// Gemini has a protocol of its own as well; over Chat Completions its thought signatures come and go back with the
/// calls and its cache needs no word, so that one serves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Protocol {
    /// OpenAI Chat Completions.
    #[default]
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Anthropic Messages; over Chat Completions there is no prompt cache and no thinking.
    Messages,
    /// Ollama's `/api/chat`; over Chat Completions its context cannot be set.
    Ollama,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chat, Self::Responses, Self::Messages, Self::Ollama];

    /// The word for it in the settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Messages => "messages",
            Self::Ollama => "ollama",
        }
    }

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chat => "OpenAI Chat Completions",
            Self::Responses => "OpenAI Responses",
            Self::Messages => "Anthropic Messages",
            Self::Ollama => "Ollama's own protocol",
        }
    }

    /// The protocol of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.as_str() == word)
    }

    /// How the address of its requests ends.
    pub fn path(self) -> &'static str {
        match self {
            Self::Chat => "chat/completions",
            Self::Responses => "responses",
            Self::Messages => "messages",
            Self::Ollama => "api/chat",
        }
    }
}

/// How hard a model shall think before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// Not at all.
    None,
    /// As little as it can.
    Low,
    /// As usual.
    Medium,
    /// As much as it can.
    High,
}

impl Thinking {
    /// All of them, from least to most.
    pub const ALL: [Self; 4] = [Self::None, Self::Low, Self::Medium, Self::High];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }

    /// What a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == word)
    }
}

/// Where a server tells what its models take and can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// In the entries of its list of models, under one of the many names for it.
    List,
    /// Nowhere but in the table: its list has names alone.
    Nowhere,
    /// Anthropic's own list.
    Anthropic,
    /// Google's own list.
    Gemini,
    /// Ollama's `/api/show` and `/api/ps`.
    Ollama,
    /// `/props` of llama.cpp.
    LlamaCpp,
    /// LM Studio's own list.
    LmStudio,
}

/// A provider that is known by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// For the screen: `DeepSeek`.
    pub name: &'static str,
    /// The variables that its key is looked for in; empty for servers on one's own machine.
    pub variables: &'static [&'static str],
    /// The address that `/chat/completions` is appended to; no slash at its end.
    pub base_url: &'static str,
    /// What it speaks best.
    pub protocol: Protocol,
    /// Its usual model; empty where only the server knows what it has.
    pub model: &'static str,
    /// Tokens that the usual model takes.
    pub context_window: Option<u64>,
    /// How the names of its models begin; empty if it has those of others, with a slash in their names.
    pub families: &'static [&'static str],
    /// What its models charge: the first row that fits counts, and the last one is that of its usual model. Empty
    /// for a go-between, which charges what the model's own provider does.
    pub prices: &'static [Priced],
    /// Where it tells what its models take and can do.
    pub told: Told,
}

/// Models of a provider that charge the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Priced {
    /// How their names begin; empty for all others of the provider.
    pub families: &'static [&'static str],
    /// What they charge.
    pub prices: Prices,
}

impl Priced {
    /// Whether a model is one of them.
    fn fits(&self, model: &str) -> bool {
        self.families.is_empty() || self.families.iter().any(|family| model.starts_with(family))
    }
}

impl Listed {
    /// The provider of a name, however it is written: `LM Studio`, `lm-studio`, `lmstudio`.
    pub fn named(name: &str) -> Option<&'static Self> {
        LISTED.iter().find(|listed| plain(listed.name).eq(plain(name)))
    }

    /// Whether it runs on one's own machine and is found by asking.
    pub fn is_local(&self) -> bool {
        self.variables.is_empty()
    }

    /// Its host, which its key is for.
    pub fn host(&self) -> &'static str {
        Address::of(self.base_url).host()
    }

    /// Whether a model's name looks like one of its own.
    pub fn serves(&self, model: &str) -> bool {
        let of_others = self.families.is_empty() && !self.is_local() && model.contains('/');
        of_others || self.families.iter().any(|family| model.starts_with(family))
    }
}

/// A name without what people write differently in it.
fn plain(name: &str) -> impl Iterator<Item = char> {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The day on which the table was looked through.
    const CHECKED: &str = "2026-11-22";

    // A release that nobody changes stays as right as it was: the day of the table counts, not that of the test.
    #[test]
    fn no_usual_model_had_been_shut_down_when_the_table_was_checked() {
        let head = format!("own pages on {CHECKED};");
        assert!(include_str!("providers.rs").contains(&head), "the day at the head of the file");
        for listed in LISTED {
            let end = shutdown_of(listed.name, listed.model);
            let over = end.filter(|end| end.date <= CHECKED);
            assert!(over.is_none(), "{}: {over:?}; choose another in the table", listed.name);
        }
    }

    #[test]
    fn a_shutdown_is_known_by_its_model_and_the_snapshots_of_it() {
        let end = shutdown_of("OpenAI", "gpt-4.1-mini").unwrap();
        assert_eq!((end.date, end.instead), ("2027-01-14", "gpt-6-luna"));
        assert_eq!(shutdown_of("OpenAI", "gpt-4.1-mini-2025-04-14"), Some(end));
        assert_eq!(shutdown_of("OpenRouter", "gpt-4.1-mini"), None);
        assert_eq!(shutdown_of("OpenAI", "gpt-5.5"), None);
        assert_eq!(shutdown_of("DeepSeek", "deepseek-chat").unwrap().instead, "deepseek-flash");
    }

    #[test]
    fn every_row_can_be_used_as_it_stands() {
        for (at, listed) in LISTED.iter().enumerate() {
            let name = listed.name;
            assert_eq!(Listed::named(name), Some(listed), "{name} is there twice");
            assert!(!listed.base_url.ends_with('/') && !listed.host().is_empty(), "{name}");
            let scheme = if listed.is_local() { "http://127.0.0.1:" } else { "https://" };
            assert!(listed.base_url.starts_with(scheme), "{name}: its key would go in the clear");
            assert_eq!(listed.model.is_empty(), listed.is_local(), "{name}");
            let earlier = &LISTED[..at];
            let twice = listed
                .variables
                .iter()
                .find(|variable| earlier.iter().any(|other| other.variables.contains(variable)));
            assert_eq!(twice, None, "{name}: one key for two hosts");
            let fair = |row: &Priced| row.prices.cached <= 1.0 && row.prices.write >= 1.0;
            assert!(listed.prices.iter().all(fair), "{name}");
            let open = listed.prices.iter().position(|row| row.families.is_empty());
            assert_eq!(open, listed.prices.len().checked_sub(1), "{name}: a row that never counts");
        }
        assert_eq!(Listed::named("lm-studio").map(|listed| listed.name), Some("LM Studio"));
        assert_eq!(Listed::named("llamacpp").map(Listed::host), Some("127.0.0.1"));
    }
}
