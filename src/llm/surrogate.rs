//! Repairs halves of UTF-16 surrogate pairs in raw JSON, which a JSON parser refuses.
//!
//! Servers that slice strings by UTF-16 unit send `"\ud83d"` in one chunk and `"\ude42"` in the
//! next. A half at the end of a string waits for the next string under the same key; a half that
//! finds no partner becomes U+FFFD.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::limits::HALVES;

/// Keeps the waiting halves from one chunk to the next.
#[derive(Debug, Default)]
pub(crate) struct SurrogateRepair {
    /// The high half that ended the last string under a key.
    waiting: BTreeMap<String, u16>,
}

impl SurrogateRepair {
    /// Gives the JSON text of one chunk with every half joined or replaced.
    pub(crate) fn repair<'a>(&mut self, raw: &'a str) -> Cow<'a, str> {
        let escapes = raw.contains("\\ud") || raw.contains("\\uD");
        if !escapes && self.waiting.is_empty() {
            return Cow::Borrowed(raw);
        }
        let mut out = String::with_capacity(raw.len() + 8);
        let mut key = "";
        let mut rest = raw;
        while let Some(quote) = rest.find('"') {
            out.push_str(&rest[..=quote]);
            rest = &rest[quote + 1..];
            let end = string_end(rest);
            let string = &rest[..end];
            rest = &rest[end..];
            if rest.get(1..).is_some_and(|after| after.trim_start().starts_with(':')) {
                key = string;
                out.push_str(string);
            } else {
                self.repair_string(key, string, &mut out);
            }
            if let Some(after) = rest.strip_prefix('"') {
                out.push('"');
                rest = after;
            }
        }
        out.push_str(rest);
        Cow::Owned(out)
    }

    /// Whether a half under this key never found its partner.
    pub(crate) fn is_waiting(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    fn repair_string(&mut self, key: &str, string: &str, out: &mut String) {
        // An empty string says nothing about what follows the half.
        let mut high = if string.is_empty() { None } else { self.waiting.remove(key) };
        let mut rest = string;
        while !rest.is_empty() {
            let (unit, length) = next_unit(rest);
            match (high.take(), unit) {
                (Some(high), Some(low @ 0xdc00..=0xdfff)) => push_pair(high, low, out),
                (before, unit) => {
                    if before.is_some() {
                        out.push('\u{fffd}');
                    }
                    match unit {
                        Some(unit @ 0xd800..=0xdbff) => high = Some(unit),
                        Some(0xdc00..=0xdfff) => out.push('\u{fffd}'),
                        _ => out.push_str(&rest[..length]),
                    }
                }
            }
            rest = &rest[length..];
        }
        match high {
            Some(high) if self.waiting.len() < HALVES && key.len() <= HALVES => {
                self.waiting.insert(key.to_owned(), high);
            }
            Some(_) => out.push('\u{fffd}'),
            None => {}
        }
    }
}

/// Writes a pair as the escapes it came from; the JSON parser joins it.
fn push_pair(high: u16, low: u16, out: &mut String) {
    use std::fmt::Write;
    // Writing to a string cannot fail.
    let _ = write!(out, "\\u{high:04x}\\u{low:04x}");
}

/// Where the string that `text` is inside of ends: at its closing quote, or with the text.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    text.bytes()
        .position(|byte| {
            let ends = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            ends
        })
        .unwrap_or(text.len())
}

/// The next `\uXXXX` as its unit, or `None` for anything else, and its length in bytes.
fn next_unit(text: &str) -> (Option<u16>, usize) {
    let Some(escape) = text.strip_prefix('\\') else {
        // A run of ordinary characters goes in one piece.
        return (None, text.find('\\').unwrap_or(text.len()));
    };
    let hex = escape.strip_prefix('u').and_then(|hex| hex.get(..4));
    match hex.and_then(|hex| u16::from_str_radix(hex, 16).ok()) {
        Some(unit) => (Some(unit), 6),
        None => (None, 1 + escape.chars().next().map_or(0, char::len_utf8)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::SurrogateRepair;

    fn contents(chunks: &[&str]) -> Vec<String> {
        let mut repair = SurrogateRepair::default();
        chunks
            .iter()
            .map(|chunk| {
                let value: Value = serde_json::from_str(&repair.repair(chunk)).unwrap();
                value["content"].as_str().unwrap().to_owned()
            })
            .collect()
    }

    #[test]
    fn a_pair_over_two_chunks_is_joined() {
        let chunks = [r#"{"content":"a\ud83d"}"#, r#"{"content":"\ude42b"}"#];
        assert_eq!(contents(&chunks), ["a", "🙂b"]);
    }

    #[test]
    fn halves_without_partner_are_replaced() {
        let cases: &[(&[&str], &[&str])] = &[
            (&[r#"{"content":"\ud83dx"}"#], &["\u{fffd}x"]),
            (&[r#"{"content":"\ude42x"}"#], &["\u{fffd}x"]),
            (&[r#"{"content":"\ud83d\ud83d\ude42"}"#], &["\u{fffd}🙂"]),
            (&[r#"{"content":"\uD83D"}"#, r#"{"content":"x"}"#], &["", "\u{fffd}x"]),
            (&[r#"{"content":"\ud83d\n"}"#], &["\u{fffd}\n"]),
        ];
        for (chunks, expected) in cases {
            assert_eq!(contents(chunks), *expected, "{chunks:?}");
        }
    }

    #[test]
    fn halves_of_different_keys_do_not_meet() {
        let chunks = [r#"{"content":"\ud83d"}"#, r#"{"other":"\ude42","content":"\ude42"}"#];
        assert_eq!(contents(&chunks), ["", "🙂"]);
    }

    #[test]
    fn an_empty_string_between_the_halves_keeps_them_waiting() {
        let chunks = [r#"{"content":"\ud83d"}"#, r#"{"content":""}"#, r#"{"content":"\ude42"}"#];
        assert_eq!(contents(&chunks), ["", "", "🙂"]);
    }

    #[test]
    fn escaped_backslashes_and_whole_pairs_stay() {
        let text = r#"{"content":"\\ud83d \" \ud83d\ude42 \u0041"}"#;
        assert_eq!(contents(&[text]), ["\\ud83d \" 🙂 A"]);
    }

    #[test]
    fn a_half_at_the_very_end_is_known() {
        let mut repair = SurrogateRepair::default();
        repair.repair(r#"{"content":"\ud83d"}"#);
        assert!(repair.is_waiting("content"));
        assert!(!repair.is_waiting("arguments"));
    }

    #[test]
    fn broken_json_passes_through_without_panic() {
        for text in [r#"{"content":"\ud83"#, r#""\u"#, r#""\"#, "\"\\é"] {
            assert_eq!(SurrogateRepair::default().repair(text), text);
        }
        // What ends with a half waits for the other one.
        let mut repair = SurrogateRepair::default();
        assert_eq!(repair.repair(r#"{"a\ud83d"#), r#"{"a"#);
        assert!(repair.is_waiting(""));
    }
}
