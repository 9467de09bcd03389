//! Finds the token counts, wherever a server put them and whatever it calls them.

use serde_json::{Map, Value};

use super::limits::TOKENS;

/// Tokens as the server measured them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the request, whatever they cost.
    pub prompt: u64,
    /// Tokens of the answer, reasoning included.
    pub completion: u64,
    /// Tokens of the request that came from the server's cache; `None` if it does not say.
    pub cached: Option<u64>,
    /// Tokens of the request that were written to a cache that charges for it.
    pub written: u64,
    /// Tokens of those that are kept for an hour and not for minutes; `None` if it does not say.
    pub hour: Option<u64>,
}

/// Names of the tokens of a prompt, those from the cache included.
const PROMPT: &[&str] =
    &["/prompt_tokens", "/promptTokenCount", "/prompt_eval_count", "/tokens_evaluated"];

/// A name that some servers use for all of them and some for those beside the cache.
const INPUT: &[&str] = &["/input_tokens"];

const COMPLETION: &[&str] = &[
    "/completion_tokens",
    "/output_tokens",
    "/candidatesTokenCount",
    "/eval_count",
    "/tokens_predicted",
];

const TOTAL: &[&str] = &["/total_tokens", "/totalTokenCount"];

const CACHED: &[&str] = &[
    "/prompt_tokens_details/cached_tokens",
    "/input_tokens_details/cached_tokens",
    "/prompt_cache_hit_tokens",
    "/cached_tokens",
    "/cachedContentTokenCount",
];

/// What a server's cache holds after the answer, which is no part of the prompt.
const HELD: &[&str] = &["/tokens_cached"];

/// What stands beside `input_tokens` where those are the rest.
const CACHED_BESIDE: &[&str] = &["/cache_read_input_tokens"];

const WRITTEN: &[&str] = &[
    "/cache_creation_input_tokens",
    "/input_tokens_details/cache_write_tokens",
    "/prompt_tokens_details/cache_write_tokens",
    "/prompt_tokens_details/cache_creation_tokens",
];

const HOUR: &[&str] = &[
    "/cache_creation/ephemeral_1h_input_tokens",
    "/prompt_tokens_details/cache_creation_token_details/ephemeral_1h_input_tokens",
];

/// Reads the usage of a chunk: from the chunk, its first choice, Groq's own field, or where native protocols
/// have it.
pub(crate) fn usage_in(chunk: &Value) -> Option<Usage> {
    let places = ["/usage", "/choices/0/usage", "/x_groq/usage", "/usageMetadata", ""];
    let found = places.iter().find_map(|place| chunk.pointer(place).and_then(read));
    let timed = chunk.pointer("/timings").and_then(timings);
    match (found, timed) {
        (Some(usage), Some(timed)) => Some(usage.or(timed)),
        (found, timed) => found.or(timed),
    }
}

/// Puts what a later event says of tokens in the place of what earlier ones did: those may be estimates. The counts of the
/// prompt go together, as do those of the answer: some events hold nothing but zeros for what others told.
pub(crate) fn keep_last(kept: &mut Map<String, Value>, more: &Map<String, Value>) {
    let is_output = |key: &str| key.starts_with("output") || key.starts_with("completion");
    for of_output in [false, true] {
        let told = || more.iter().filter(|(key, _)| is_output(key) == of_output);
        if told().any(|(_, value)| counts_any(value)) {
            let counts = told().filter(|(_, value)| value.is_number() || value.is_object());
            kept.extend(counts.map(|(key, value)| (key.clone(), value.clone())));
        }
    }
}

/// Whether a count is told that is not zero.
fn counts_any(value: &Value) -> bool {
    match value {
        Value::Object(counts) => counts.values().any(counts_any),
        value => value.as_f64().is_some_and(|count| count > 0.0),
    }
}

/// Whether there is nothing in it.
pub(crate) fn is_zero(usage: Usage) -> bool {
    usage.prompt == 0 && usage.completion == 0
}

impl Usage {
    /// The same, with what it does not say as an earlier or another count says.
    pub(crate) fn or(self, other: Self) -> Self {
        let cached = self.cached.or(other.cached).map(|cached| cached.min(self.prompt));
        Self { cached, ..self }
    }
}

fn read(usage: &Value) -> Option<Usage> {
    let (whole, rest) = (count(usage, PROMPT), count(usage, INPUT));
    let completion = count(usage, COMPLETION);
    if whole.is_none() && rest.is_none() && completion.is_none() {
        return None;
    }
    let beside = count(usage, CACHED_BESIDE);
    let within = count(usage, CACHED);
    let cached = within.or_else(|| count(usage, HELD)).or(beside);
    let written = count(usage, WRITTEN).unwrap_or(0);
    let extra = beside.unwrap_or(0) + written;
    let prompt = match (whole, rest) {
        // A go-between gives the rest the other name; the whole is never less than its parts.
        (Some(whole), _) if beside.is_some() && whole < extra => whole + extra,
        // More from the cache than there is: another go-between leaves the cache out of the whole.
        (Some(whole), _) if within.is_some_and(|within| within > whole) => {
            whole + within.unwrap_or(0) + written
        }
        (Some(whole), _) => whole,
        // Without the one field of those who count the rest alone, it is the whole.
        (None, rest) if beside.is_some() => rest.unwrap_or(0) + extra,
        (None, rest) => rest.unwrap_or(0),
    };
    // Some servers count reasoning apart, others only into the total.
    let thoughts = count(usage, &["/thoughtsTokenCount"]).unwrap_or(0);
    let total = count(usage, TOTAL).unwrap_or(0);
    let completion = (completion.unwrap_or(0) + thoughts).max(total.saturating_sub(prompt));
    let cached = cached.map(|cached| cached.min(prompt));
    let written = written.min(prompt - cached.unwrap_or(0));
    let hour = count(usage, HOUR).map(|hour| hour.min(written));
    Some(Usage { prompt, completion, cached, written, hour })
}

/// llama.cpp tells beside the usage, or in its place, what its cache held.
fn timings(timings: &Value) -> Option<Usage> {
    let cached = count(timings, &["/cache_n"])?;
    let prompt = cached + count(timings, &["/prompt_n"]).unwrap_or(0);
    let completion = count(timings, &["/predicted_n"]).unwrap_or(0);
    Some(Usage { prompt, completion, cached: Some(cached), written: 0, hour: None })
}

fn count(usage: &Value, places: &[&str]) -> Option<u64> {
    let number = places.iter().find_map(|place| usage.pointer(place).and_then(Value::as_f64))?;
    // Negative counts have been seen.
    Some(number.clamp(0.0, TOKENS) as u64)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{keep_last, usage_in};
    use crate::llm::Usage;

    fn usage(prompt: u64, completion: u64, cached: Option<u64>, written: u64) -> Usage {
        Usage { prompt, completion, cached, written, hour: None }
    }

    #[test]
    fn usage_is_found_in_every_place() {
        let counts = json!({"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10});
        let plain = Some(usage(7, 3, None, 0));
        let cached = Some(usage(7, 3, Some(5), 0));
        let with = |key: &str, value: Value| {
            let mut usage = counts.clone();
            usage[key] = value;
            json!({"usage": usage})
        };
        let cases = [
            ("54 own chunk", json!({"choices": [], "usage": counts}), plain),
            ("56 beside choices", json!({"choices": [{"delta": {}}], "usage": counts}), plain),
            ("57 in the choice", json!({"choices": [{"usage": counts}]}), plain),
            ("55 Groq", json!({"choices": [], "x_groq": {"usage": counts}}), plain),
            ("59 null", json!({"choices": [], "usage": null}), None),
            ("59 empty", json!({"choices": [], "usage": {}}), None),
            (
                "61 reasoning only in the total",
                with("total_tokens", json!(50)),
                Some(usage(7, 43, None, 0)),
            ),
            (
                "61 negative",
                json!({"usage": {"prompt_tokens": -1, "completion_tokens": 2}}),
                Some(usage(0, 2, None, 0)),
            ),
            ("62 OpenAI", with("prompt_tokens_details", json!({"cached_tokens": 5})), cached),
            ("62 DeepSeek", with("prompt_cache_hit_tokens", json!(5)), cached),
            ("62 Moonshot", with("cached_tokens", json!(5)), cached),
            (
                "more cached than sent, which is beside it",
                with("cached_tokens", json!(90)),
                Some(usage(97, 3, Some(90), 0)),
            ),
            (
                "more held than sent",
                with("tokens_cached", json!(90)),
                Some(usage(7, 3, Some(7), 0)),
            ),
            ("llama.cpp", with("tokens_cached", json!(5)), cached),
        ];
        for (name, chunk, expected) in cases {
            assert_eq!(usage_in(&chunk), expected, "{name}");
        }
    }

    #[test]
    fn what_is_told_last_counts_unless_it_is_nothing() {
        let start = json!({"input_tokens": 1600, "cache_read_input_tokens": 0, "output_tokens": 1});
        let cases = [
            ("the answer alone", json!({"output_tokens": 9}), usage(1_600, 9, Some(0), 0)),
            (
                "the rest beside the cache",
                json!({"input_tokens": 100, "cache_read_input_tokens": 1500, "output_tokens": 9}),
                usage(1_600, 9, Some(1_500), 0),
            ),
            (
                "an estimate that was too high",
                json!({"input_tokens": 1200, "output_tokens": 9}),
                usage(1_200, 9, Some(0), 0),
            ),
            (
                "zeros of a proxy",
                json!({"input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 9}),
                usage(1_600, 9, Some(0), 0),
            ),
            (
                "nothing",
                json!({"output_tokens": 0, "input_tokens": null}),
                usage(1_600, 1, Some(0), 0),
            ),
        ];
        for (name, last, expected) in cases {
            let mut kept = start.as_object().unwrap().clone();
            keep_last(&mut kept, last.as_object().unwrap());
            assert_eq!(usage_in(&json!({ "usage": kept })), Some(expected), "{name}");
        }
    }

    #[test]
    fn what_is_written_for_an_hour_is_told_from_what_is_written_for_minutes() {
        let of = |minutes: u64, hour: u64| {
            json!({"usage": {"input_tokens": 3, "cache_read_input_tokens": 0,
                "cache_creation_input_tokens": minutes + hour, "output_tokens": 9,
                "cache_creation": {"ephemeral_5m_input_tokens": minutes, "ephemeral_1h_input_tokens": hour}}})
        };
        for (minutes, hour) in [(20, 0), (0, 20), (15, 5)] {
            let told = usage_in(&of(minutes, hour)).unwrap();
            assert_eq!((told.written, told.hour), (20, Some(hour)));
        }
    }

    #[test]
    fn the_parts_of_a_prompt_are_told_apart_whatever_they_are_called() {
        let cases = [
            (
                "Messages: the rest beside the cache",
                json!({"usage": {"input_tokens": 3, "cache_read_input_tokens": 5343,
                    "cache_creation_input_tokens": 20, "output_tokens": 9}}),
                usage(5_366, 9, Some(5_343), 20),
            ),
            (
                "the same through a go-between that renames it",
                json!({"usage": {"prompt_tokens": 3, "completion_tokens": 9,
                    "cache_read_input_tokens": 5343, "cache_creation_input_tokens": 0}}),
                usage(5_346, 9, Some(5_343), 0),
            ),
            (
                "the same through one that adds it up",
                json!({"usage": {"prompt_tokens": 5346, "completion_tokens": 9,
                    "cache_read_input_tokens": 5343, "cache_creation_input_tokens": 3}}),
                usage(5_346, 9, Some(5_343), 3),
            ),
            (
                "Responses",
                json!({"usage": {"input_tokens": 4100, "output_tokens": 9,
                    "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 4012}}}),
                usage(4_100, 9, Some(60), 4_012),
            ),
            (
                "OpenRouter",
                json!({"usage": {"prompt_tokens": 4100, "completion_tokens": 9,
                    "prompt_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 4012}}}),
                usage(4_100, 9, Some(0), 4_012),
            ),
            (
                "Gemini",
                json!({"usageMetadata": {"promptTokenCount": 100, "cachedContentTokenCount": 64,
                    "candidatesTokenCount": 5, "thoughtsTokenCount": 30, "totalTokenCount": 135}}),
                usage(100, 35, Some(64), 0),
            ),
            (
                "Ollama",
                json!({"done": true, "prompt_eval_count": 80, "eval_count": 12}),
                usage(80, 12, None, 0),
            ),
            (
                "llama.cpp beside the usage",
                json!({"usage": {"prompt_tokens": 80, "completion_tokens": 12},
                    "timings": {"cache_n": 70, "prompt_n": 10, "predicted_n": 12}}),
                usage(80, 12, Some(70), 0),
            ),
            (
                "llama.cpp alone",
                json!({"timings": {"cache_n": 70, "prompt_n": 10, "predicted_n": 12}}),
                usage(80, 12, Some(70), 0),
            ),
        ];
        for (name, chunk, expected) in cases {
            assert_eq!(usage_in(&chunk), Some(expected), "{name}");
        }
    }
}
