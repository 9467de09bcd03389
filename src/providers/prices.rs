//! What the models of the table charge, relative to a token of plain input.

use super::Listed;
use super::table::{LISTED, LOCAL};
use crate::address::Address;
use crate::bill::{CacheKind, Kept, Prices};

impl Listed {
    fn prices_of(&self, model: &str) -> Option<Prices> {
        self.prices.iter().find(|row| row.fits(model)).map(|row| row.prices.clone())
    }
}

/// How the names of models begin that only their providers have. Servers on one's own machine like to call theirs by older
/// names.
const CLOSED: &[&str] = &["claude-", "gemini-", "gpt-5", "gpt-6", "gpt-7", "grok-"];

/// What a model charges, by the name of its provider or its server's address and its own; `None` where that is not
/// known.
pub fn prices(provider: &str, model: &str) -> Option<Prices> {
    let name = model.rsplit('/').next().unwrap_or(model);
    if is_here(provider) && !is_of_a_service(name) {
        return Some(LOCAL);
    }
    let own = Listed::named(provider).and_then(|listed| listed.prices_of(name));
    // A go-between charges what the model's own provider does.
    own.or_else(|| {
        let owner = LISTED.iter().find(|listed| listed.serves(name) && !listed.prices.is_empty());
        owner?.prices_of(name)
    })
}

/// Whether a model's server can be asked to keep a prompt for an hour, by the model's name.
pub fn keeps_hour(model: &str) -> bool {
    model.rsplit('/').next().is_some_and(|name| name.starts_with("claude-"))
}

/// What such a model charges where it is asked for that, or keeps what it has written for as long as it told; others charge
/// the same.
pub fn prices_by_the_hour(model: &str, prices: Prices, is_asked: bool, kept: Kept) -> Prices {
    if !keeps_hour(model) || prices.cache != CacheKind::Breakpoints {
        return prices;
    }
    let wished = if is_asked { Prices::WRITE_HOUR } else { prices.write };
    Prices { write: kept.price().unwrap_or(wished), ..prices }
}

fn is_here(provider: &str) -> bool {
    let host = Address::of(provider).host();
    ["built in", "localhost", "[::1]"].contains(&host) || host.starts_with("127.")
}

/// Whether only its provider has the model, so that what serves it here is a gateway.
fn is_of_a_service(model: &str) -> bool {
    CLOSED.iter().any(|family| model.starts_with(family))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_has_the_prices_of_its_provider() {
        for (provider, model, cached, write, output) in [
            ("OpenAI", "gpt-4.1-mini", 0.25, 1.0, 4.0),
            ("OpenAI", "gpt-4o", 0.5, 1.0, 4.0),
            ("OpenAI", "gpt-5-mini", 0.1, 1.0, 8.0),
            ("OpenAI", "gpt-5.6-luna", 0.1, 1.25, 6.0),
            ("OpenAI", "gpt-6-luna", 0.1, 1.25, 6.0),
            ("DeepSeek", "deepseek-flash", 0.02, 1.0, 2.0),
            ("Gemini", "gemini-3.8-flash", 0.1, 1.0, 6.0),
            ("Moonshot", "kimi-k2.6", 0.17, 1.0, 4.2),
            ("xAI", "grok-4.3", 0.16, 1.0, 2.0),
            ("Alibaba", "qwen3.8-flash", 0.2, 1.0, 3.1),
            ("Groq", "openai/gpt-oss-120b", 0.5, 1.0, 4.0),
            ("OpenRouter", "anthropic/claude-opus-5", 0.1, 1.25, 5.0),
            ("OpenRouter", "z-ai/glm-5.3", 0.19, 1.0, 3.1),
            ("gateway.example.com", "deepseek-flash", 0.02, 1.0, 2.0),
            ("Ollama", "qwen3:8b", 0.0, 1.0, 4.0),
            ("127.0.0.1:8080", "deepseek-r1", 0.0, 1.0, 4.0),
            ("127.0.0.1:8080", "gpt-4", 0.0, 1.0, 4.0),
            ("127.0.0.1:4000", "claude-opus-5", 0.1, 1.25, 5.0),
            ("localhost:4000", "openai/gpt-5.6-luna", 0.1, 1.25, 6.0),
            ("built in", "offline", 0.0, 1.0, 4.0),
        ] {
            let prices = prices(provider, model).expect(model);
            let told = (prices.cached, prices.write, prices.output);
            assert_eq!(told, (cached, write, output), "{provider} {model}");
            assert_eq!(prices.cache == CacheKind::Breakpoints, write > 1.0, "{model}");
        }
        assert_eq!(prices("example.com", "nobody-knows"), None);
        assert_eq!(prices("OpenRouter", "openrouter/auto"), None);
    }

    #[test]
    fn what_is_kept_for_an_hour_costs_more_to_write_where_one_may_ask_for_it() {
        for (provider, model, write) in [
            ("Anthropic", "claude-opus-5", 2.0),
            ("OpenRouter", "anthropic/claude-haiku-4-5", 2.0),
            ("OpenAI", "gpt-6-luna", 1.25),
            ("Gemini", "gemini-3.8-flash", 1.0),
        ] {
            let of = |is_asked, kept| {
                prices_by_the_hour(model, prices(provider, model).expect(model), is_asked, kept)
            };
            let is = |found: f64, expected: f64| (found - expected).abs() < f64::EPSILON;
            assert!(is(of(true, Kept::default()).write, write), "{model}");
            if keeps_hour(model) {
                // What the server says goes before what was asked for.
                assert!(is(of(true, Kept::told(100, 0)).write, 1.25), "{model}");
                assert!(is(of(false, Kept::told(100, 100)).write, 2.0), "{model}");
                assert!(is(of(true, Kept::told(300, 100)).write, 1.5), "{model}");
            } else {
                assert!(is(of(true, Kept::told(300, 100)).write, write), "{model}");
            }
        }
    }

    #[test]
    fn what_a_cache_keeps_at_least_is_known_of_those_that_say_so() {
        for (provider, model, least) in [
            ("Anthropic", "claude-haiku-4-5-20251001", 4_096),
            ("OpenRouter", "anthropic/claude-opus-4.7", 4_096),
            ("127.0.0.1:4000", "claude-opus-4-6", 4_096),
            ("Anthropic", "claude-opus-5", 512),
            ("Anthropic", "claude-opus-4-8", 1_024),
            ("Anthropic", "claude-sonnet-5-5", 1_024),
            ("Gemini", "gemini-3.8-flash", 4_096),
            ("Gemini", "gemini-2.5-pro", 2_048),
            ("OpenAI", "gpt-6-luna", 1_024),
            ("DeepSeek", "deepseek-flash", 0),
            ("Ollama", "qwen3:8b", 0),
        ] {
            assert_eq!(prices(provider, model).map(|it| it.least), Some(least), "{model}");
        }
    }

    #[test]
    fn the_usual_model_of_every_provider_has_prices() {
        for listed in LISTED.iter().filter(|listed| listed.name != "OpenRouter") {
            assert!(prices(listed.name, listed.model).is_some(), "{}", listed.name);
        }
    }
}
