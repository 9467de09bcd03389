//! What a server may send that is broken, or means harm: one reply each, made while it is sent.

use std::time::Duration;

use serde_json::{Value, json};

use super::reply::Framing;
use super::{Reply, chunk, content};

/// At once, again and again.
const FLOOD: Duration = Duration::ZERO;

impl Reply {
    /// An answer without end, all on one line.
    pub(crate) fn endless_text() -> Self {
        Self::flood(&content(&"and on it goes ".repeat(2_000)))
    }

    /// Reasoning without end, in this field of a delta.
    pub(crate) fn endless_reasoning(field: &str) -> Self {
        let text = "but then again ".repeat(2_000);
        let value = match field {
            "reasoning_details" => json!([{"type": "reasoning.encrypted", "data": text}]),
            _ => json!(text),
        };
        let mut delta = json!({});
        delta[field] = value;
        Self::flood(&chunk(delta))
    }

    /// White space before an answer that never begins.
    pub(crate) fn endless_space() -> Self {
        Self::flood(&content(&" ".repeat(30_000)))
    }

    /// One line of the stream without end.
    pub(crate) fn endless_line() -> Self {
        let text = "x".repeat(60_000);
        Self::raw("data: {\"choices\":[{\"delta\":{\"content\":\"").forever(&text, FLOOD)
    }

    /// A whole completion without end.
    pub(crate) fn endless_document() -> Self {
        let text = "x".repeat(60_000);
        Self::raw("{\"choices\":[{\"message\":{\"content\":\"").forever(&text, FLOOD)
    }

    /// One event of empty lines without end.
    pub(crate) fn endless_event() -> Self {
        let line = format!("data: {}\n", " ".repeat(200));
        Self::raw("").forever(&line.repeat(300), FLOOD)
    }

    /// The arguments of one call without end.
    pub(crate) fn endless_arguments(tool: &str) -> Self {
        let begins = json!({"index": 0, "id": "a", "function": {
            "name": tool, "arguments": "{\"content\":\"",
        }});
        let goes_on = json!({"index": 0, "function": {"arguments": "word ".repeat(6_000)}});
        Self::chunks([calling(&[begins])]).forever(&event(&calling(&[goes_on])), FLOOD)
    }

    /// A tool's name without end, a letter at a time.
    pub(crate) fn endless_name() -> Self {
        let pieces = ["na", "me"].map(|name| json!({"index": 0, "function": {"name": name}}));
        Self::flood(&calling(&pieces))
    }

    /// Pieces of a call that say nothing.
    pub(crate) fn endless_fragments() -> Self {
        let nothing = json!({"index": 0, "function": {"arguments": ""}});
        Self::flood(&calling(&vec![nothing; 1_000]))
    }

    /// This many calls, all in one chunk.
    pub(crate) fn many_calls(count: usize) -> Self {
        let call = |index: usize| format!("{{\"id\":\"{index}\",\"function\":{{\"name\":\"f\"}}}}");
        let calls = (0..count).map(call).collect::<Vec<_>>().join(",");
        let delta = format!("{{\"choices\":[{{\"delta\":{{\"tool_calls\":[{calls}]}}}}]}}");
        Self::raw(format!("data: {delta}\n\n")).then_all(Self::answer(Vec::new(), "tool_calls"))
    }

    /// One call whose pieces each look like the beginning of another.
    pub(crate) fn calls_that_begin_for_ever() -> Self {
        let begins = json!({"index": 0, "function": {"name": "n", "arguments": "{\"a\":\""}});
        let object = format!("{{\"b\":\"{}\"}}", "x".repeat(150));
        let again = json!({"index": 0, "function": {"name": "n", "arguments": object}});
        Self::chunks([calling(&[begins])]).forever(&event(&calling(&vec![again; 300])), FLOOD)
    }

    /// An answer among this many others.
    pub(crate) fn many_choices(count: usize) -> Self {
        let choice =
            |index: usize| format!("{{\"index\":{index},\"delta\":{{\"content\":\"x\"}}}}");
        let choices = (0..count).map(choice).collect::<Vec<_>>().join(",");
        Self::raw(format!("data: {{\"choices\":[{choices}]}}\n\n"))
            .then_all(Self::answer(Vec::new(), "stop"))
    }

    /// A chunk of lists within lists.
    pub(crate) fn deep_nesting() -> Self {
        let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
        Self::raw(format!("data: {{\"choices\":{open}{close}}}\n\n"))
    }

    /// Half a character under another key each time.
    pub(crate) fn endless_halves() -> Self {
        let half = |key| format!("data: {{\"k{key}\":\"\\ud83d\"}}\n\n");
        let halves = (0..2_000).map(half).collect::<Vec<_>>().concat();
        Self::raw("").forever(&halves, FLOOD)
    }

    /// Headers without end.
    pub(crate) fn endless_head() -> Self {
        Self { framing: Framing::EndlessHead, ..Self::raw("") }
    }

    /// A failure whose text never ends, a letter at a time.
    pub(crate) fn trickling_failure(status: u16) -> Self {
        Self::status(status, "busy").forever("x", Duration::from_millis(5))
    }

    /// Events that say nothing, for ever.
    pub(crate) fn endless_nothing(event: &str) -> Self {
        Self::raw("").forever(event, Duration::from_millis(1))
    }

    fn flood(chunk: &Value) -> Self {
        Self::raw("").forever(&event(chunk), FLOOD)
    }
}

fn calling(entries: &[Value]) -> Value {
    chunk(json!({"tool_calls": entries}))
}

fn event(chunk: &Value) -> String {
    format!("data: {chunk}\n\n")
}
