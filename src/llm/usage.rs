//! Finds the token counts, wherever a server put them.

use serde_json::Value;

use super::Usage;
use super::limits::TOKENS;

/// Reads the usage of a chunk: from the chunk, its first choice, or Groq's own field.
pub(crate) fn usage_in(chunk: &Value) -> Option<Usage> {
    let places = ["/usage", "/choices/0/usage", "/x_groq/usage"];
    places.iter().find_map(|place| chunk.pointer(place).and_then(read))
}

/// Whether there is nothing in it.
pub(crate) fn is_zero(usage: Usage) -> bool {
    usage == Usage::default()
}

fn read(usage: &Value) -> Option<Usage> {
    let prompt = count(usage, &["/prompt_tokens", "/input_tokens"]);
    let completion = count(usage, &["/completion_tokens", "/output_tokens"]);
    if prompt.is_none() && completion.is_none() {
        return None;
    }
    let (prompt, completion) = (prompt.unwrap_or(0), completion.unwrap_or(0));
    let total = count(usage, &["/total_tokens"]).unwrap_or(0);
    let cached = count(
        usage,
        &[
            "/prompt_tokens_details/cached_tokens",
            "/prompt_cache_hit_tokens",
            "/cached_tokens",
            "/input_tokens_details/cached_tokens",
        ],
    );
    // Some servers count reasoning only into the total.
    let completion = completion.max(total.saturating_sub(prompt));
    Some(Usage { prompt, completion, cached: cached.unwrap_or(0).min(prompt) })
}

fn count(usage: &Value, places: &[&str]) -> Option<u64> {
    let number = places.iter().find_map(|place| usage.pointer(place).and_then(Value::as_f64))?;
    // Negative counts have been seen.
    Some(number.clamp(0.0, TOKENS) as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::usage_in;
    use crate::llm::Usage;

    #[test]
    fn usage_is_found_in_every_place() {
        let usage = json!({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10});
        let plain = Some(Usage { prompt: 7, completion: 3, cached: 0 });
        let cached = Some(Usage { prompt: 7, completion: 3, cached: 5 });
        let with = |key: &str, value: Value| {
            let mut usage = usage.clone();
            usage[key] = value;
            json!({"usage": usage})
        };
        let cases = [
            ("54 own chunk", json!({"choices": [], "usage": usage}), plain),
            ("56 beside choices", json!({"choices": [{"delta": {}}], "usage": usage}), plain),
            ("57 in the choice", json!({"choices": [{"usage": usage}]}), plain),
            ("55 Groq", json!({"choices": [], "x_groq": {"usage": usage}}), plain),
            ("59 null", json!({"choices": [], "usage": null}), None),
            ("59 empty", json!({"choices": [], "usage": {}}), None),
            (
                "61 reasoning only in the total",
                with("total_tokens", json!(50)),
                Some(Usage { prompt: 7, completion: 43, cached: 0 }),
            ),
            (
                "61 negative",
                json!({"usage": {"prompt_tokens": -1, "completion_tokens": 2}}),
                Some(Usage { prompt: 0, completion: 2, cached: 0 }),
            ),
            ("62 OpenAI", with("prompt_tokens_details", json!({"cached_tokens": 5})), cached),
            ("62 DeepSeek", with("prompt_cache_hit_tokens", json!(5)), cached),
            ("62 Moonshot", with("cached_tokens", json!(5)), cached),
        ];
        for (name, chunk, expected) in cases {
            assert_eq!(usage_in(&chunk), expected, "{name}");
        }
    }
}
