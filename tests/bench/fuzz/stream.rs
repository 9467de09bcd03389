//! What a server streams is read alike in whatever pieces it comes; cut or damaged, it never passes for whole.

use ebbtide::llm::{self, Completion, Ended, Error, Event};
use serde_json::{Value, json};

use super::random::Random;

/// Words of an answer, with tags, halves of characters and whatever else may be cut in the wrong place.
const WORDS: &[&str] = &[
    "so ",
    "it",
    " is",
    ".",
    "\n",
    "\n\n",
    "<think>",
    "</think>",
    "<thi",
    "nk>",
    "</thinking>",
    "[THINK]",
    "[/THINK]",
    "```",
    "data: ",
    "[DONE]",
    "{\"a\":",
    "}",
    "\u{fffd}",
    "🙂",
];

/// Places to damage a body with what stands in bodies.
const SHARDS: &[&str] = &[
    "\n",
    "\r",
    "\n\n",
    "data:",
    "data: ",
    ":",
    "event: error\n",
    "error: ",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    "\\ud83d",
    "\\ude42",
    "null",
    "\"finish_reason\":\"stop\"",
    "\"error\":{\"message\":\"x\"}",
    "[DONE]",
    "data: [DONE]\n\n",
    "\u{feff}",
    "\"index\":1",
    "\"tool_calls\":[]",
    "9e999",
    "-1",
];

/// A body that a server would send, and where it first says that the answer is complete.
struct Body {
    bytes: Vec<u8>,
    complete: usize,
}

/// Makes a body, reads it whole, in pieces, cut, and damaged.
pub(crate) fn case(random: &mut Random) {
    let body = if random.once_in(5) { document(random) } else { stream(random) };
    let (_, whole) = read(random, &body.bytes, Ended::InOrder);
    assert!(whole.is_ok(), "{whole:?} of {:?}", shown(&body.bytes));
    let cut = random.below(body.complete);
    let ended = if random.once_in(2) { Ended::InOrder } else { Ended::Broken };
    let (_, result) = read(random, &body.bytes[..cut], ended);
    assert!(result.is_err(), "{result:?} of {:?}", shown(&body.bytes[..cut]));
    let mut damaged = body.bytes;
    for _ in 0..=random.below(6) {
        damage(random, &mut damaged);
    }
    let _ = read(random, &damaged, ended);
}

/// Reads a body at once and in pieces: the shown texts and the result are the same.
fn read(random: &mut Random, body: &[u8], ended: Ended) -> (Shown, Result<Completion, Error>) {
    let (events, result) = llm::replay([body], ended);
    let at_once = (texts(events), result);
    let pieces = random.split(body);
    let (events, result) = llm::replay(pieces, ended);
    assert_eq!((texts(events), result), at_once, "{:?}", shown(body));
    at_once
}

/// The text, the reasoning and the calls that were shown.
type Shown = (String, String, Vec<String>);

fn texts(events: Vec<Event>) -> Shown {
    let mut shown = Shown::default();
    for event in events {
        match event {
            Event::Text(text) => shown.0.push_str(&text),
            Event::Reasoning(text) => shown.1.push_str(&text),
            Event::ToolCallStarted { name } => shown.2.push(name),
            _ => {}
        }
    }
    shown
}

fn shown(body: &[u8]) -> String {
    String::from_utf8_lossy(body).into_owned()
}

/// An answer as a stream of events.
fn stream(random: &mut Random) -> Body {
    let end = random.one(&["\n\n", "\r\n\r\n", "\r\r", "\n"]);
    let mut bytes = Vec::new();
    if random.once_in(10) {
        bytes.extend_from_slice("\u{feff}".as_bytes());
    }
    // What says nothing is no answer, so each says something.
    event(&mut bytes, end, &delta(&json!({"content": "So: "})));
    for _ in 0..random.below(8) {
        let chunk = match random.below(8) {
            0 => json!({"choices": [], "usage": {"prompt_tokens": random.below(9)}}),
            1 => delta(&json!({"reasoning_content": random.text_of(WORDS, 4)})),
            2 => delta(&json!({"reasoning_details": [{"type": "reasoning.text", "text": "t"}]})),
            3 | 4 => delta(&json!({"tool_calls": [call(random)]})),
            _ => delta(&json!({"content": random.text_of(WORDS, 6)})),
        };
        event(&mut bytes, end, &chunk);
        if random.once_in(6) {
            bytes.extend_from_slice(b": still here\n\n");
        }
    }
    let reason = random.one(&["stop", "length", "tool_calls", "content_filter", "load"]);
    event(&mut bytes, "", &json!({"choices": [{"delta": {}, "finish_reason": reason}]}));
    let complete = bytes.len();
    bytes.extend_from_slice(end.as_bytes());
    if random.once_in(2) {
        bytes.extend_from_slice(b"data: [DONE]\n\n");
    }
    Body { bytes, complete }
}

/// The same as one JSON text.
fn document(random: &mut Random) -> Body {
    let calls: Vec<Value> = (0..random.below(3)).map(|_| call(random)).collect();
    let content = format!("So: {}", random.text_of(WORDS, 12));
    let message = json!({"content": content, "tool_calls": calls});
    let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]}).to_string();
    Body { complete: body.len(), bytes: body.into_bytes() }
}

fn call(random: &mut Random) -> Value {
    let arguments =
        random.one(&["", "{}", "{\"na", "me\":\"x\"}", "null", "\"", "}", "{\"a\":\"}\"}"]);
    let mut call = json!({"function": {"arguments": arguments}});
    if random.once_in(2) {
        call["id"] = random.one(&["", "a", "b"]).into();
    }
    if random.once_in(2) {
        call["index"] = random.below(3).into();
    }
    if random.once_in(2) {
        call["function"]["name"] = random.one(&["", "open_", "open_effort", "functions.x"]).into();
    }
    call
}

fn delta(delta: &Value) -> Value {
    json!({"choices": [{"index": 0, "delta": delta}]})
}

/// Writes an event, now and then with its characters escaped, so that pairs can be cut in two.
fn event(bytes: &mut Vec<u8>, end: &str, chunk: &Value) {
    let text = chunk.to_string().replace('🙂', "\\ud83d\\ude42");
    bytes.extend_from_slice(format!("data: {text}{end}").as_bytes());
}

fn damage(random: &mut Random, body: &mut Vec<u8>) {
    let at = random.below(body.len() + 1);
    let upto = (at + random.below(20)).min(body.len());
    match random.below(5) {
        0 => body.truncate(at),
        1 => drop(body.drain(at..upto)),
        2 => body.insert(at, random.byte()),
        3 => {
            let shard = random.one(SHARDS);
            body.splice(at..upto.min(at + random.below(2)), shard.bytes());
        }
        _ => {
            let again: Vec<u8> = body[at..upto].to_vec();
            let place = random.below(body.len() + 1);
            body.splice(place..place, again);
        }
    }
}
