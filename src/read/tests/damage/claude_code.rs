//! Claude Code: several lines of a reply, with and without the ids that tie them, in copies and beside the
//! conversation.

use serde_json::{Value, json};

use super::super::lines;
use super::{Twice, costs_no_more};

/// Which of its ids a reply tells.
#[derive(Debug, Clone, Copy)]
struct Ids {
    message: bool,
    request: bool,
}

const BOTH: Ids = Ids { message: true, request: true };
const MESSAGE: Ids = Ids { message: true, request: false };
const REQUEST: Ids = Ids { message: false, request: true };
const NEITHER: Ids = Ids { message: false, request: false };

fn record(uuid: &str, parent: &str, at: u64, kind: &str, message: &Value) -> Value {
    let at = format!("2026-05-01T10:00:00.{at}Z");
    json!({ "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "s", "timestamp": at, "message": message })
}

fn person(uuid: &str, parent: &str, at: u64) -> Value {
    record(uuid, parent, at, "user", &json!({ "content": "Q" }))
}

fn result(uuid: &str, parent: &str, at: u64) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": "t", "content": "ok" });
    record(uuid, parent, at, "user", &json!({ "content": [block] }))
}

/// A line of a reply: its name stands in its ids, its prompt and output are told.
fn reply(line: (&str, &str, u64), name: &str, prompt: [u64; 2], output: u64, ids: Ids) -> Value {
    let (uuid, parent, at) = line;
    let usage = json!({ "input_tokens": prompt[1], "cache_read_input_tokens": prompt[0], "output_tokens": output });
    let mut message = json!({ "content": [{ "type": "text", "text": "A" }], "usage": usage });
    if ids.message {
        message["id"] = json!(format!("m-{name}"));
    }
    let mut record = record(uuid, parent, at, "assistant", &message);
    if ids.request {
        record["requestId"] = json!(format!("r-{name}"));
    }
    record
}

/// A question, a reply of three lines, and one that calls two tools, one of which answers before the other is called.
fn session(ids: Ids) -> Vec<Value> {
    vec![
        person("u-aa", "none", 101),
        reply(("a-bb", "u-aa", 112), "xx", [31, 4], 3, ids),
        reply(("a-cc", "a-bb", 123), "xx", [31, 4], 3, ids),
        reply(("a-dd", "a-cc", 134), "xx", [31, 4], 42, ids),
        person("u-ee", "a-dd", 145),
        reply(("a-ff", "u-ee", 156), "yy", [53, 6], 15, ids),
        result("r-gg", "a-ff", 167),
        reply(("a-hh", "a-ff", 178), "yy", [53, 6], 21, ids),
    ]
}

#[test]
fn a_session() {
    for ids in [BOTH, MESSAGE, REQUEST] {
        costs_no_more(&format!("{ids:?}"), &[lines(&session(ids))], 2, Twice::Prompts);
    }
    // Nothing but its place ties a line to the one before.
    let mut plain = session(NEITHER);
    plain.remove(6);
    costs_no_more("neither", &[lines(&plain)], 2, Twice::Prompts);
}

#[test]
fn a_session_that_is_copied() {
    for ids in [BOTH, MESSAGE, REQUEST, NEITHER] {
        let whole = lines(&session(ids)[..4]);
        let files = [whole.clone(), whole];
        costs_no_more(&format!("{ids:?}"), &files, 1, Twice::All);
    }
}

#[test]
fn a_fork_and_what_is_asked_beside() {
    for ids in [BOTH, MESSAGE] {
        let mut original = session(ids)[..3].to_vec();
        let mut fork = original.clone();
        fork.extend([
            person("u-kk", "a-cc", 189),
            reply(("a-ll", "u-kk", 190), "zz", [77, 8], 24, ids),
        ]);
        let mut aside = original[1].clone();
        aside["isSidechain"] = json!(true);
        aside["uuid"] = json!("x-mm");
        if ids.request {
            aside["requestId"] = json!("r-qq");
        }
        original.push(aside);
        costs_no_more(&format!("{ids:?}"), &[lines(&original), lines(&fork)], 2, Twice::Nothing);
    }
}

/// What nobody was asked for, and what is written again with nothing in it.
#[test]
fn what_was_never_sent() {
    let mut records = session(BOTH)[..3].to_vec();
    let mut again = reply(("a-nn", "a-cc", 156), "xx", [0, 0], 0, BOTH);
    again["message"]["content"] = json!([]);
    let mut never = reply(("a-oo", "a-cc", 167), "vv", [12, 3], 4, BOTH);
    never["message"]["model"] = json!("<synthetic>");
    never["isApiErrorMessage"] = json!(true);
    records.extend([again, never]);
    costs_no_more("never sent", &[lines(&records)], 1, Twice::Prompts);
}
