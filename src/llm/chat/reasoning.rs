//! Reasoning in all its fields: what to show of it, and what must go back to the server.

use serde_json::{Map, Value};

use crate::llm::limits::{DETAIL_ENTRIES, REASONING, weight};

/// The fields of an answer that go back as they came.
pub(super) const REPLAYED: [&str; 3] = [REASONING_CONTENT, "reasoning", DETAILS];

/// The fields that carry reasoning as text; at most one of them is read in a stream.
const TEXT_FIELDS: [&str; 2] = [REASONING_CONTENT, "reasoning"];
/// The field that some servers want in each answer with calls, if only empty.
pub(super) const REASONING_CONTENT: &str = "reasoning_content";
const DETAILS: &str = "reasoning_details";

/// The reasoning of one answer while it arrives.
#[derive(Debug, Default)]
pub(crate) struct Reasoning {
    /// The field that the shown text comes from.
    source: Option<&'static str>,
    /// `reasoning_content` was there, if only as null: its server may want it back.
    wanted_back: bool,
    text: String,
    details: Vec<Value>,
    /// What the details take, in bytes.
    detail_bytes: usize,
}

impl Reasoning {
    /// Takes a delta and gives the text to show, if it brought any.
    pub(crate) fn push(&mut self, delta: &Map<String, Value>) -> Option<String> {
        let mut shown = None;
        for field in TEXT_FIELDS {
            let Some(value) = delta.get(field) else { continue };
            self.wanted_back |= field == REASONING_CONTENT;
            if let Some(text) = value.as_str().filter(|text| !text.is_empty())
                && *self.source.get_or_insert(field) == field
            {
                self.text.push_str(text);
                shown = Some(text.to_owned());
            }
        }
        let entries = delta.get(DETAILS).and_then(Value::as_array);
        for entry in entries.into_iter().flatten().filter_map(Value::as_object) {
            if let Some(text) = detail_text(entry)
                && *self.source.get_or_insert(DETAILS) == DETAILS
            {
                shown.get_or_insert_default().push_str(text);
            }
            self.merge_detail(entry);
        }
        shown
    }

    /// How much is kept to be sent back, in bytes; more than [`REASONING`] when more came than fits.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.detail_bytes
    }

    /// The fields that later requests of the turn send back.
    pub(crate) fn replay(self) -> Map<String, Value> {
        let mut replay = Map::new();
        let wanted_back = self.wanted_back.then_some(REASONING_CONTENT);
        if let Some(field) = self.source.filter(|field| *field != DETAILS).or(wanted_back) {
            replay.insert(field.to_owned(), Value::String(self.text));
        }
        if !self.details.is_empty() {
            replay.insert(DETAILS.to_owned(), Value::Array(self.details));
        }
        replay
    }

    /// Joins a fragment to the entry that it continues; entries keep their order.
    fn merge_detail(&mut self, entry: &Map<String, Value>) {
        self.detail_bytes +=
            entry.iter().map(|(key, value)| key.len() + weight(value)).sum::<usize>();
        if self.bytes() > REASONING || self.details.len() > DETAIL_ENTRIES {
            self.detail_bytes = self.detail_bytes.max(REASONING + 1);
            return;
        }
        let same = |other: &Value, key: &str| other.get(key) == entry.get(key);
        let numbered = entry.get("index").is_some_and(|index| !index.is_null());
        let found = if numbered {
            self.details.iter_mut().rev().find(|other| same(other, "index") && same(other, "type"))
        } else {
            // Without a number only running text continues the entry before it.
            self.details
                .last_mut()
                .filter(|other| same(other, "type") && detail_text(entry).is_some())
        };
        let Some(Value::Object(found)) = found.filter(|other| !has_other_id(other, entry)) else {
            self.details.push(Value::Object(entry.clone()));
            return;
        };
        for (key, value) in entry {
            match (found.get_mut(key), value) {
                (_, Value::Null) => {}
                (Some(Value::String(old)), Value::String(new))
                    if matches!(key.as_str(), "text" | "summary" | "data") =>
                {
                    old.push_str(new);
                }
                (Some(old), new) => *old = new.clone(),
                (None, new) => {
                    found.insert(key.clone(), new.clone());
                }
            }
        }
    }
}

fn has_other_id(found: &Value, entry: &Map<String, Value>) -> bool {
    match (found.get("id").and_then(Value::as_str), entry.get("id").and_then(Value::as_str)) {
        (Some(old), Some(new)) => old != new,
        _ => false,
    }
}

fn detail_text(entry: &Map<String, Value>) -> Option<&str> {
    let field = |key| entry.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    field("text").or_else(|| field("summary"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Reasoning;

    fn collect(deltas: &[Value]) -> (String, Value) {
        let mut reasoning = Reasoning::default();
        let shown: String =
            deltas.iter().filter_map(|delta| reasoning.push(delta.as_object().unwrap())).collect();
        (shown, Value::Object(reasoning.replay()))
    }

    #[test]
    fn reasoning_is_shown_once_and_replayed_under_its_name() {
        let text = |text: &str, index: u32| json!({"type": "reasoning.text", "index": index, "text": text});
        let cases: Vec<(&str, Vec<Value>, &str, Value)> = vec![
            (
                "29 reasoning_content",
                vec![
                    json!({"reasoning_content": "a"}),
                    json!({"reasoning_content": "b", "content": null}),
                    json!({"reasoning_content": null, "content": "x"}),
                ],
                "ab",
                json!({"reasoning_content": "ab"}),
            ),
            ("29 reasoning", vec![json!({"reasoning": "a"})], "a", json!({"reasoning": "a"})),
            (
                "30 both fields",
                vec![json!({"reasoning": "a", "reasoning_content": "a"})],
                "a",
                json!({"reasoning_content": "a"}),
            ),
            (
                "30 one field after the other",
                vec![json!({"reasoning": "a"}), json!({"reasoning_content": "a"})],
                "a",
                json!({"reasoning": "a"}),
            ),
            (
                "30 text and details",
                vec![
                    json!({"reasoning": "a", "reasoning_details": [text("a", 0)]}),
                    json!({"reasoning": "b", "reasoning_details": [text("b", 0)]}),
                ],
                "ab",
                json!({"reasoning": "ab", "reasoning_details": [text("ab", 0)]}),
            ),
            (
                "35 details alone, signed later",
                vec![
                    json!({"reasoning_details": [text("a", 0)]}),
                    json!({"reasoning_details": [text("b", 0), text("c", 1)]}),
                    json!({"reasoning_details": [{"type": "reasoning.text", "index": 0, "signature": "s"}]}),
                ],
                "abc",
                json!({"reasoning_details": [
                    {"type": "reasoning.text", "index": 0, "text": "ab", "signature": "s"}, text("c", 1),
                ]}),
            ),
            (
                "35 encrypted entries stay apart",
                vec![
                    json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]}),
                    json!({"reasoning_details": [{"type": "reasoning.encrypted", "data": "y"}]}),
                ],
                "",
                json!({"reasoning_details": [
                    {"type": "reasoning.encrypted", "data": "x"},
                    {"type": "reasoning.encrypted", "data": "y"},
                ]}),
            ),
            (
                "34 the field was there without text",
                vec![json!({"reasoning_content": null})],
                "",
                json!({"reasoning_content": ""}),
            ),
            ("none", vec![json!({"content": "x"})], "", json!({})),
        ];
        for (name, deltas, shown, replay) in cases {
            assert_eq!(collect(&deltas), (shown.to_owned(), replay), "{name}");
        }
    }
}
