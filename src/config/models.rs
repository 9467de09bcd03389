//! What is set about models and servers.

use std::time::Duration;

use super::{Error, Key, Settings, Source, Timeouts};
use crate::bill::{CacheKind, Money, Prices};
use crate::providers::{Protocol, Thinking};

/// What servers with caches of several lifetimes keep a prompt for at most.
const HOUR: Duration = Duration::from_secs(3_600);

impl Settings {
    /// The model asked for; `None` for the provider's usual one.
    pub fn model(&self) -> Option<&str> {
        self.text(Key::Model)
    }

    /// The server asked for; `None` to look for one.
    pub fn base_url(&self) -> Option<&str> {
        self.text(Key::BaseUrl)
    }

    /// The provider asked for by name; `None` to take the first whose key is there.
    pub fn provider(&self) -> Option<&str> {
        self.text(Key::Provider)
    }

    /// What is spoken at [`Settings::base_url`]; `None` for what it is known for.
    pub fn protocol(&self) -> Option<Protocol> {
        self.text(Key::Protocol).and_then(Protocol::from_word)
    }

    /// How hard models shall think; `None` for what the provider's table says, or for what they do by themselves.
    pub fn effort(&self) -> Option<Thinking> {
        self.text(Key::Effort).and_then(Thinking::from_word)
    }

    /// The variable that holds the key; `None` for the usual ones.
    pub fn api_key_env(&self) -> Option<&str> {
        self.text(Key::ApiKeyEnv)
    }

    /// The model that summarises; `None` for the one that chats.
    pub fn summary_model(&self) -> Option<&str> {
        self.text(Key::SummaryModel)
    }

    /// The model that compresses open logs; `None` for the one that chats.
    pub fn compression_model(&self) -> Option<&str> {
        self.text(Key::CompressionModel)
    }

    /// The model that judges answers in `proof quality`; `None` for the one that answers.
    pub fn judge_model(&self) -> Option<&str> {
        self.text(Key::JudgeModel)
    }

    /// The model that turns texts into vectors; `None` for none.
    pub fn embedding_model(&self) -> Option<&str> {
        let is_lost = self.no_comparing && *self.source(Key::EmbeddingUrl) == Source::Default;
        self.text(Key::EmbeddingModel).filter(|_| !is_lost)
    }

    /// The server of [`Settings::embedding_model`]; `None` for the one that chats.
    pub fn embedding_url(&self) -> Option<&str> {
        self.text(Key::EmbeddingUrl)
    }

    /// Whether open logs are compressed above the soft line.
    pub fn compression(&self) -> bool {
        self.text(Key::Compression) == Some("true")
    }

    /// Whether the built-in model is to be used whatever else there is.
    pub fn offline(&self) -> bool {
        self.text(Key::Offline) == Some("true")
    }

    /// Tokens that the model takes; `None` if not told.
    pub fn context_window(&self) -> Option<u64> {
        Some(self.number(Key::ContextWindow)).filter(|&tokens| tokens > 0)
    }

    /// How long the model's cache keeps a prompt that is not sent again.
    pub fn cache_lifetime(&self) -> Duration {
        Duration::from_secs(self.number(Key::CacheLifetime))
    }

    /// Whether the person wants a cache that keeps a prompt for an hour and more.
    pub fn keeps_hour(&self) -> bool {
        self.cache_lifetime() >= HOUR
    }

    /// Prices as they are set; those that are not stay as they are. A model that keeps nothing has no cache.
    pub fn prices(&self, usual: Prices) -> Prices {
        let price = |key| self.text(key).and_then(|text| text.parse().ok());
        let kind = self.text(Key::PriceCache).and_then(CacheKind::from_word);
        let kind = if self.cache_lifetime().is_zero() { Some(CacheKind::None) } else { kind };
        let currency = self.text(Key::Currency).unwrap_or("$").to_owned();
        let money = price(Key::PriceInput).map(|per_million| Money { per_million, currency });
        let cache = kind.unwrap_or(usual.cache);
        // Whose cache is of another kind has no price for writing to it.
        let has_write = cache != CacheKind::Breakpoints || usual.cache == cache;
        let write = if has_write { usual.write } else { Prices::WRITE };
        Prices {
            cached: price(Key::PriceCached).unwrap_or(usual.cached),
            write: price(Key::PriceWrite).unwrap_or(write),
            output: price(Key::PriceOutput).unwrap_or(usual.output),
            cache,
            least: self.cache_least.unwrap_or(usual.least),
            money: money.or(usual.money),
        }
    }

    /// Sets the prices of tokens and how the cache works, from how many tokens on too, whoever answers.
    ///
    /// # Errors
    /// One of them is no price.
    pub fn set_prices(&mut self, prices: &Prices, source: &Source) -> Result<(), Error> {
        let Prices { cached, write, output, cache, .. } = prices;
        let values = [
            (Key::PriceCached, cached.to_string()),
            (Key::PriceWrite, write.to_string()),
            (Key::PriceOutput, output.to_string()),
            (Key::PriceCache, cache.as_str().to_owned()),
        ];
        self.cache_least = Some(prices.least);
        let set = |(key, value): (Key, String)| (key.name().to_owned(), value, source.clone());
        self.set_all(values.map(set))
    }

    /// How long each part of a request may take.
    pub fn timeouts(&self) -> Timeouts {
        let seconds = |key| Duration::from_secs(self.number(key));
        Timeouts {
            connect: seconds(Key::ConnectTimeoutSeconds),
            first_byte: seconds(Key::FirstByteTimeoutSeconds),
            silence: seconds(Key::SilenceTimeoutSeconds),
            keepalive: seconds(Key::KeepaliveTimeoutSeconds),
        }
    }
}
