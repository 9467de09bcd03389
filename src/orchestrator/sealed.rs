//! What a server sent along to have it back: what of it can be read, and what is sealed.

use std::borrow::Cow;

use serde_json::Value;

use crate::memory::{CountTokens, Tokens};

/// Bytes of what is sealed for a token of what it holds. It is encrypted text in base64: four letters for three bytes,
/// and a token of plain text has about four bytes. Servers charge for the text, and a tokenizer that is
/// given the letters makes more than twice as many tokens of them.
const BYTES_OF_TOKEN: u64 = 5;

/// A text of so many bytes in which nothing is written that people read is sealed; shorter ones are ids.
const LEAST: usize = 64;

/// What can be read of a value, and what the rest costs, which only the server can open.
pub(super) fn split(value: &Value) -> (Cow<'_, str>, Tokens) {
    if let Value::String(text) = value {
        return (text.into(), Tokens(0));
    }
    let mut readable = value.clone();
    let sealed = take_sealed(&mut readable);
    (readable.to_string().into(), sealed)
}

/// What a value costs.
pub(super) fn cost(value: &Value, counter: &dyn CountTokens) -> Tokens {
    let (readable, sealed) = split(value);
    counter.count(&readable) + sealed
}

/// Empties what is sealed, and says what it costs.
fn take_sealed(value: &mut Value) -> Tokens {
    match value {
        Value::String(text) if is_sealed(text) => {
            Tokens((std::mem::take(text).len() as u64).div_ceil(BYTES_OF_TOKEN))
        }
        Value::Array(values) => values.iter_mut().map(take_sealed).sum(),
        Value::Object(fields) => fields.values_mut().map(take_sealed).sum(),
        _ => Tokens(0),
    }
}

fn is_sealed(text: &str) -> bool {
    text.len() >= LEAST && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::memory::tests::Words;

    #[test]
    fn what_is_sealed_counts_by_its_length_and_the_rest_by_its_words() {
        let seal = "Ab3/".repeat(250);
        let block = |seal: &str| json!({"of": "m", "parts": [{"sealed": {"thinking": "some words here", "signature": seal}}]});
        let bare = Words.count(&block("").to_string());
        assert_eq!(cost(&block(&seal), &Words), bare + Tokens(200));
        assert_eq!(split(&block("short")).1, Tokens(0));
        // Reasoning in plain text is no seal, whatever it looks like.
        assert_eq!(split(&json!(seal)), (seal.as_str().into(), Tokens(0)));
    }
}
