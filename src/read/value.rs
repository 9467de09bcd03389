//! Looking into JSON that may hold anything.

use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize as _, Deserializer};
use serde_json::Value;

use crate::clock;

/// Milliseconds since 1970; `None` where nobody wrote down when.
pub type Moment = Option<i64>;

/// The text behind a key; empty if there is none.
pub(super) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list behind a key; empty if there is none.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The count behind a key; 0 if there is none.
pub(super) fn count(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}

/// Whether a key says `true`.
pub(super) fn is(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// The moment behind a key: a text, or a number of seconds or milliseconds.
pub(super) fn moment(value: &Value, key: &str) -> Moment {
    moment_of(value.get(key)?)
}

/// Numbers from here on are milliseconds: as seconds they would lie three thousand years ahead.
const MILLISECONDS_FROM: f64 = 1e11;

fn moment_of(value: &Value) -> Moment {
    if let Some(text) = value.as_str() {
        return clock::millis_of(text);
    }
    let number = value.as_f64().filter(|number| number.is_finite() && *number > 0.0)?;
    Some(if number < MILLISECONDS_FROM { number * 1000.0 } else { number } as i64)
}

/// The texts of a message's content: a string, or blocks of which those with a text count. What is no text
/// leaves nothing behind: a picture is no words.
pub(super) fn words(content: &Value) -> String {
    let block = |block: &Value| match block {
        Value::String(text) => Some(text.clone()),
        block => {
            let is_text =
                matches!(text(block, "type"), "text" | "input_text" | "output_text" | "Text" | "");
            let text = text(block, "text");
            // Gemini marks its thinking so.
            (is_text && !text.is_empty() && !is(block, "thought")).then(|| text.to_owned())
        }
    };
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => blocks.iter().filter_map(block).collect::<Vec<_>>().join("\n\n"),
        _ => String::new(),
    }
}

/// What somebody says: the words, or where there are none what stands for a picture or a file that was sent alone.
pub(super) fn said(content: &Value) -> String {
    let words = words(content);
    if !words.trim().is_empty() {
        return words;
    }
    let sent = content.as_array().into_iter().flatten().find_map(stand_in);
    sent.unwrap_or_default().to_owned()
}

/// What stands for a picture, a recording or a file; `None` if it is something else.
pub(super) fn stand_in(block: &Value) -> Option<&'static str> {
    let inline = ["inlineData", "fileData"].iter().find_map(|key| block.get(key));
    let media = [text(inline.unwrap_or(block), "mimeType"), text(block, "mime")].concat();
    let kinds = ["type", "content_type", "fileType", "file_kind"].map(|key| text(block, key));
    let holds =
        |part: &str| media.starts_with(part) || kinds.iter().any(|kind| kind.contains(part));
    match () {
        () if kinds[0] == "text" || kinds[0].contains("tool") => None,
        () if holds("image") => Some("[image]"),
        () if holds("audio") && !holds("audio_transcription") => Some("[audio]"),
        () if inline.is_some() || holds("document") || holds("file") => Some("[file]"),
        () => None,
    }
}

/// What is not used of what is said or of what a tool returned, by kind: no words stand for what a model sees in a picture.
pub(super) fn without_words(content: &Value) -> Vec<&'static str> {
    let blocks = content.as_array().into_iter().flatten();
    let of = |block: &Value| {
        let kind = stand_in(block).map(kind_of);
        kind.into_iter().chain(without_words(&block["content"])).collect::<Vec<_>>()
    };
    blocks.flat_map(of).collect()
}

/// The kind of what such a sign stands for.
pub(super) fn kind_of(sign: &'static str) -> &'static str {
    sign.trim_matches(['[', ']'])
}

/// JSON as a text: what a string says, else its JSON.
pub(super) fn plain(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// A number that stands for a text.
pub(super) fn hash(text: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// A number that stands for the name of a reply; 0 if it has none.
pub(super) fn number_of(name: &str) -> u64 {
    if name.is_empty() { 0 } else { hash(name) }
}

/// A text of a record, whatever stands in its place: what is not looked for may have any form.
pub(super) fn loose_text<'de, D: Deserializer<'de>>(form: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(form)? {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// The same of a moment, as [`moment`] takes it.
pub(super) fn loose_moment<'de, D: Deserializer<'de>>(form: D) -> Result<Moment, D::Error> {
    Ok(moment_of(&Value::deserialize(form)?))
}

/// The same of what may be `true`.
pub(super) fn loose_flag<'de, D: Deserializer<'de>>(form: D) -> Result<bool, D::Error> {
    Ok(Value::deserialize(form)? == Value::Bool(true))
}
