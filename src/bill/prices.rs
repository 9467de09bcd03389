//! What the kinds of tokens cost, relative to one token of plain input.

use std::ops::AddAssign;

use super::Paid;

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

    /// What it does, in words.
    pub fn does(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Prefix => "equal beginnings, by itself",
            Self::Breakpoints => "up to marks",
        }
    }

    /// What a word of the settings means.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Tokens written to caches by how long those keep them, as far as their servers say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Kept {
    /// For some minutes.
    pub minutes: u64,
    /// For an hour.
    pub hour: u64,
}

impl Kept {
    /// Of so many that were written so many are kept for an hour.
    pub fn told(written: u64, hour: u64) -> Self {
        let hour = hour.min(written);
        Self { minutes: written - hour, hour }
    }

    /// What a token of them costs, on the average; `None` where there is none.
    pub fn price(&self) -> Option<f64> {
        let Self { minutes, hour } = *self;
        let all = minutes.saturating_add(hour);
        let cost = minutes as f64 * Prices::WRITE + hour as f64 * Prices::WRITE_HOUR;
        (all > 0).then(|| cost / all as f64)
    }
}

impl AddAssign for Kept {
    fn add_assign(&mut self, other: Self) {
        self.minutes = self.minutes.saturating_add(other.minutes);
        self.hour = self.hour.saturating_add(other.hour);
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
    /// Tokens from which on it keeps the beginning of a prompt; 0 where nobody knows.
    pub least: u64,
    /// What input costs in a currency, if that is known.
    pub money: Option<Money>,
}

impl Default for Prices {
    /// What most providers charge.
    fn default() -> Self {
        Self::prefix(0.1, 4.0)
    }
}

impl Prices {
    /// What most charge for a token written to a cache with breakpoints.
    pub const WRITE: f64 = 1.25;

    /// What they charge for one that is kept for an hour.
    pub const WRITE_HOUR: f64 = 2.0;

    /// Prices of a cache that is kept for free and read at so many times the price of input, with answers at so
    /// many times.
    pub const fn prefix(cached: f64, output: f64) -> Self {
        Self { cached, write: 1.0, output, cache: CacheKind::Prefix, least: 0, money: None }
    }

    /// Prices of a cache with breakpoints, with answers at so many times the price of input.
    pub const fn breakpoints(output: f64) -> Self {
        let cache = CacheKind::Breakpoints;
        Self { cached: 0.1, write: Self::WRITE, output, cache, least: 0, money: None }
    }

    /// These prices of a cache that keeps the beginning of a prompt from so many tokens on.
    #[must_use]
    pub const fn from(mut self, least: u64) -> Self {
        self.least = least;
        self
    }

    /// What tokens cost together, in tokens of plain input.
    pub fn cost(&self, paid: &Paid) -> f64 {
        let Paid { read, written, uncached, output, .. } = *paid;
        read as f64 * self.cached
            + written as f64 * self.write
            + uncached as f64
            + output as f64 * self.output
    }

    /// What tokens cost beside those of input, as many times one of them: `from cache 0.1 times, output 4 times`.
    pub fn ratios(&self) -> String {
        let Self { cached, write, output, cache, .. } = self;
        let written = match cache {
            CacheKind::Breakpoints => {
                format!("written to it {} times, ", (write * 100.0).round() / 100.0)
            }
            CacheKind::None | CacheKind::Prefix => String::new(),
        };
        format!("from cache {cached} times, {written}output {output} times")
    }

    /// What so many tokens of plain input cost in the currency, with its name.
    pub fn in_money(&self, cost: f64) -> Option<(f64, &str)> {
        let money = self.money.as_ref()?;
        Some((cost * money.per_million / 1e6, &money.currency))
    }
}
