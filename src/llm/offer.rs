//! The models that can be had, to be chosen while chatting.

use std::pin::Pin;
use std::sync::Arc;

use serde_json::Value;

use tokio::sync::mpsc::UnboundedSender;

use super::facts::Facts;
use super::names::seems_to_chat;
use super::{Fetched, Model};
use crate::counted::grouped;

/// A model that can be had.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// Who serves it: `Anthropic`.
    pub provider: String,
    /// Its name there.
    pub name: String,
    /// Tokens that it takes, if told.
    pub context: Option<u64>,
    /// What a million tokens of its input and of its answers cost in dollars, if told.
    pub price: Option<(f64, f64)>,
}

/// The models that can be had, and why others cannot.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Offers {
    /// All of them, as far as their servers answer in a moment.
    pub all: Vec<Offer>,
    /// The servers that refuse to tell of theirs, with the reason, as sentences.
    pub refused: Vec<String>,
}

/// Something that takes a while.
pub type Later<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The models that can be had.
pub trait Shop: Send + Sync {
    /// All of them.
    fn offers(&self) -> Later<Offers>;

    /// One of them, by its provider and its name there; a sentence if it cannot be had.
    fn open(&self, provider: &str, name: &str) -> Later<Result<Arc<dyn Model>, String>>;

    /// Has a server fetch a model of this name, that of this provider if it is one that can, and tells how far it is;
    /// gives the server's name, or a sentence if it cannot be had.
    fn pull(
        &self,
        provider: &str,
        name: &str,
        tell: UnboundedSender<Fetched>,
    ) -> Later<Result<String, String>>;
}

impl Offer {
    /// Reads an entry of a provider's list; `None` for what does not chat.
    pub(super) fn of_entry(provider: &str, entry: &Value) -> Option<Self> {
        let named = ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str());
        let name = named.or(entry.as_str())?.trim_start_matches("models/").to_owned();
        let facts = Facts::of_entry(entry);
        let chats = facts.chats != Some(false) && seems_to_chat(&name);
        let (context, price) = (facts.context, price(entry));
        chats.then(|| Self { provider: provider.to_owned(), name, context, price })
    }

    /// What it is called where providers stand beside each other.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.provider, self.name)
    }

    /// Whether each of these words, in lower case, is in its name or its provider's.
    pub fn has(&self, words: &str) -> bool {
        let name = self.full_name().to_lowercase();
        words.split_whitespace().all(|word| name.contains(word))
    }

    /// A line about it.
    pub fn line(&self) -> String {
        let takes = self.context.map(|tokens| format!(" · takes {} tokens", grouped(tokens)));
        let costs = |(input, output)| format!(" · ${input} in, ${output} out a million");
        [Some(self.full_name()), takes, self.price.map(costs)].into_iter().flatten().collect()
    }
}

/// Prices as those tell them who tell them at all: dollars a token, as text.
fn price(entry: &Value) -> Option<(f64, f64)> {
    let at = |key: &str| {
        let price = entry.get("pricing")?.get(key)?;
        let price = price.as_f64().or_else(|| price.as_str()?.parse().ok())?;
        // Rounded, because a millionth is no whole binary number.
        (price >= 0.0).then(|| (price * 1e9).round() / 1e3)
    };
    Some((at("prompt")?, at("completion")?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Offer;

    #[test]
    fn an_entry_is_read_with_what_it_takes_and_costs() {
        let entry = json!({"id": "a/b", "context_length": 8192,
            "pricing": {"prompt": "0.0000006", "completion": "0.000003"}});
        let offer = Offer::of_entry("OpenRouter", &entry).unwrap();
        assert_eq!(offer.line(), "OpenRouter a/b · takes 8,192 tokens · $0.6 in, $3 out a million");
        assert!(offer.has("router a/") && !offer.has("router c"));
        let google = Offer::of_entry("Gemini", &json!({"name": "models/g"})).unwrap();
        assert_eq!(google.line(), "Gemini g");
        assert_eq!(Offer::of_entry("x", &json!({"id": "nomic-embed-text"})), None);
        let auto = json!({"id": "auto", "pricing": {"prompt": "-1", "completion": "-1"}});
        assert_eq!(Offer::of_entry("x", &auto).unwrap().price, None);
    }
}
