//! What the kinds of tokens cost, relative to one token of plain input.

use super::Paid;

/// The day on which the ratios below were compared with the providers' own pages.
pub const CHECKED: &str = "2026-11-21";

/// How a server keeps the beginnings of prompts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheKind {
    /// Not at all.
    None,
    /// The longest beginning that equals an earlier one is read; keeping it is free.
    #[default]
    Prefix,
    /// Only up to marks in the prompt; what is kept for the first time costs extra.
    Breakpoints,
}

impl CacheKind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Prefix, Self::Breakpoints];

    /// The word for it in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Prefix => "prefix",
            Self::Breakpoints => "breakpoints",
        }
    }

    /// What a word of the settings means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The price of input in a currency.
#[derive(Debug, Clone, PartialEq)]
pub struct Money {
    /// For a million tokens of plain input.
    pub per_million: f64,
    /// The currency's name or sign, as the person wrote it.
    pub currency: String,
}

/// Prices relative to a token of plain input, which is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Prices {
    /// A token read from the cache.
    pub cached: f64,
    /// A token written to a cache with breakpoints.
    pub write: f64,
    /// A token of the answer.
    pub output: f64,
    /// How the server's cache works.
    pub cache: CacheKind,
    /// What input costs in a currency, if that is known.
    pub money: Option<Money>,
}

impl Default for Prices {
    /// What most providers charge.
    fn default() -> Self {
        prefix(0.1, 4.0)
    }
}

const fn prefix(cached: f64, output: f64) -> Prices {
    Prices { cached, write: 1.0, output, cache: CacheKind::Prefix, money: None }
}

const fn breakpoints(output: f64) -> Prices {
    Prices { cached: 0.1, write: 1.25, output, cache: CacheKind::Breakpoints, money: None }
}

/// The models of a provider that have the same ratios.
struct Known {
    provider: &'static str,
    /// How their names begin; empty for all others of the provider.
    families: &'static [&'static str],
    prices: Prices,
}

const fn known(provider: &'static str, families: &'static [&'static str], prices: Prices) -> Known {
    Known { provider, families, prices }
}

/// The first row that fits counts.
const KNOWN: &[Known] = &[
    known("OpenAI", &["gpt-5.6", "gpt-6", "gpt-7"], breakpoints(6.0)),
    known("OpenAI", &["gpt-5.4", "gpt-5.5"], prefix(0.1, 6.0)),
    known("OpenAI", &["gpt-5"], prefix(0.1, 8.0)),
    known("OpenAI", &["gpt-4.1", "o3", "o4"], prefix(0.25, 4.0)),
    known("OpenAI", &["gpt-4o", "o1", "chatgpt-"], prefix(0.5, 4.0)),
    known("Anthropic", &["claude-"], breakpoints(5.0)),
    known("DeepSeek", &["deepseek-"], prefix(0.02, 2.0)),
    known("Gemini", &["gemini-"], prefix(0.1, 6.0)),
    known("Moonshot", &["kimi-", "moonshot-"], prefix(0.25, 4.2)),
    known("xAI", &["grok-"], prefix(0.25, 4.0)),
    known("Groq", &[], prefix(0.5, 4.0)),
];

/// Servers on one's own machine: a beginning that is kept costs no waiting, writing an answer does.
const LOCAL: Prices = prefix(0.0, 4.0);

impl Prices {
    /// The ratios of a model, by the name of its provider or server and its own; `None` where they are not known.
    pub fn known(provider: &str, model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model);
        let own = |known: &&Known| known.provider == provider && known.fits(name);
        let by_name = |known: &&Known| !known.families.is_empty() && known.fits(name);
        if let Some(known) = KNOWN.iter().find(own) {
            return Some(known.prices.clone());
        }
        if is_local(provider) {
            return Some(LOCAL);
        }
        // A go-between charges what the model's own provider does.
        KNOWN.iter().find(by_name).map(|known| known.prices.clone())
    }

    /// What tokens cost together, in tokens of plain input.
    pub fn cost(&self, paid: &Paid) -> f64 {
        let Paid { read, written, uncached, output, .. } = *paid;
        read as f64 * self.cached
            + written as f64 * self.write
            + uncached as f64
            + output as f64 * self.output
    }

    /// What so many tokens of plain input cost in the currency, with its name.
    pub fn in_money(&self, cost: f64) -> Option<(f64, &str)> {
        let money = self.money.as_ref()?;
        Some((cost * money.per_million / 1e6, &money.currency))
    }
}

impl Known {
    fn fits(&self, model: &str) -> bool {
        self.families.is_empty() || self.families.iter().any(|family| model.starts_with(family))
    }
}

fn is_local(provider: &str) -> bool {
    let host = provider.rsplit_once(':').map_or(provider, |(host, _)| host);
    ["Ollama", "llama.cpp", "LM Studio", "vLLM", "built in", "localhost", "[::1]"].contains(&host)
        || host.starts_with("127.")
}
