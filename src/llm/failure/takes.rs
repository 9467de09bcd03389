//! How many tokens a model takes, where a server says so because a request had more.

use serde_json::Value;

/// Fewer tokens than any model takes.
const LEAST: u64 = 256;

/// What stands before the number.
const BEFORE: [&str; 11] = [
    "maximum context length is ",
    "maximum context length of ",
    "maximum model length of ",
    "maximum prompt length is ",
    "model token limit: ",
    "maximum number of tokens allowed (",
    "range of input length should be [1, ",
    "context window of ",
    "context size (",
    "context length (",
    "context length of only ",
];

/// What stands behind it.
const BEHIND: [&str; 3] = [" maximum context length", " maximum", " token context"];

/// The number in an error, where it has a field of its own.
pub(super) fn in_value(value: &Value) -> Option<u64> {
    let places = ["/error/n_ctx", "/n_ctx"];
    let told = places.iter().find_map(|place| value.pointer(place)?.as_u64());
    told.filter(|tokens| *tokens >= LEAST)
}

/// The number in the words of an error.
pub(super) fn in_words(words: &str) -> Option<u64> {
    let words = words.to_lowercase();
    let after = |phrase: &str| {
        let (_, rest) = words.split_once(phrase)?;
        number(rest.split(|sign| !is_of_number(sign)).next()?)
    };
    let before = |phrase: &str| {
        let (rest, _) = words.split_once(phrase)?;
        number(rest.rsplit(|sign| !is_of_number(sign)).next()?)
    };
    // A sum that is more than what there may be, as in `198000 + 8000 > 200000`.
    let sum = || {
        after("context limit").or_else(|| after(" > ")).filter(|_| words.contains("context limit"))
    };
    let found = BEFORE.iter().find_map(|phrase| after(phrase));
    let found = found.or_else(|| BEHIND.iter().find_map(|phrase| before(phrase))).or_else(sum);
    found.filter(|tokens| *tokens >= LEAST)
}

fn is_of_number(sign: char) -> bool {
    sign.is_ascii_digit() || sign == ',' || sign == '_'
}

fn number(digits: &str) -> Option<u64> {
    digits.replace([',', '_'], "").parse().ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_number_is_found_in_the_words_of_every_provider() {
        for (words, takes) in [
            (
                "This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8001 in the \
                 messages, 1000 in the completion).",
                Some(8_192),
            ),
            ("prompt is too long: 3333404 tokens > 200000 maximum", Some(200_000)),
            (
                "input length and `max_tokens` exceed context limit: 198000 + 8000 > 200000, decrease input length",
                Some(200_000),
            ),
            (
                "The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).",
                Some(1_048_576),
            ),
            (
                "The decoder prompt (length 9000) is longer than the maximum model length of 8192",
                Some(8_192),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
                Some(131_072),
            ),
            (
                "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
                Some(32_768),
            ),
            ("Your request exceeded model token limit: 8192 (requested: 9000)", Some(8_192)),
            ("Range of input length should be [1, 30720]", Some(30_720)),
            ("Requested tokens (5000) exceed context window of 4096", Some(4_096)),
            (
                "request (9000 tokens) exceeds the available context size (4,096 tokens)",
                Some(4_096),
            ),
            ("Your input exceeds the context window of this model.", None),
            ("prompt too long; exceeded max context length by 12 tokens", None),
            ("the input length exceeds the context length", None),
            ("Please reduce the length of the messages.", None),
        ] {
            assert_eq!(in_words(words), takes, "{words}");
        }
    }

    #[test]
    fn a_field_of_its_own_goes_before_words() {
        let told =
            json!({"error": {"message": "too long", "n_prompt_tokens": 9000, "n_ctx": 4096}});
        assert_eq!(in_value(&told), Some(4_096));
        assert_eq!(in_value(&json!({"error": {"n_ctx": 0}})), None);
    }
}
