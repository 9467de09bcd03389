//! Codex and Gemini: running totals, copies of a parent, and messages that grow and are taken back.

use serde_json::{Value, json};

use super::super::lines;
use super::{Twice, bill, costs_no_more};

fn enveloped(at: u64, kind: &str, payload: &Value) -> Value {
    let at = format!("2026-05-01T10:00:00.{at}Z");
    json!({ "timestamp": at, "type": kind, "payload": payload })
}

const PARENT: &str = "0199e96c-7d0d-7b3a-8c11-5d0f3c2ba917";
const CHILD: &str = "0199e9f3-11c2-7e54-a4b0-93f1d86e0c25";

/// What lines about tokens tell.
#[derive(Debug, Clone, Copy)]
struct Era {
    /// The sum of input and output.
    total: bool,
    /// What is cached of the input.
    cached: bool,
    /// What the last request took.
    last: bool,
}

const TODAY: Era = Era { total: true, cached: true, last: true };
const LEGACY: Era = Era { total: false, cached: false, last: true };
const TOTALS: Era = Era { total: true, cached: true, last: false };

fn said(at: u64) -> Value {
    enveloped(at, "event_msg", &json!({ "type": "user_message", "message": "Q" }))
}

/// Lines about tokens: what all requests took so far, and what the last one did.
fn tokens(at: u64, requests: &[[u64; 3]], era: Era) -> Value {
    let usage = |of: &[[u64; 3]]| {
        let sum = |at: usize| of.iter().map(|one| one[at]).sum::<u64>();
        let mut usage = json!({ "input_tokens": sum(0), "output_tokens": sum(2) });
        if era.cached {
            usage["cached_input_tokens"] = json!(sum(1));
        }
        if era.total {
            usage["total_tokens"] = json!(sum(0) + sum(2));
        }
        usage
    };
    let last = requests.last().map(std::slice::from_ref).unwrap_or_default();
    let mut info = json!({ "total_token_usage": usage(requests) });
    if era.last {
        info["last_token_usage"] = usage(last);
    }
    enveloped(at, "event_msg", &json!({ "type": "token_count", "info": info }))
}

fn head(id: &str, more: Value) -> Value {
    let mut meta = more;
    meta["id"] = json!(id);
    enveloped(100, "session_meta", &meta)
}

const SHARED: [[u64; 3]; 3] = [[23, 0, 4], [45, 21, 7], [45, 21, 7]];

/// A rollout: each request is told of again by the next line, as where nothing happened but a limit was asked for.
fn rollout(era: Era) -> Vec<Value> {
    let mut records = vec![head(PARENT, json!({})), said(111)];
    for at in 1..=2 {
        let told = tokens(120 + at as u64, &SHARED[..at], era);
        records.extend([told.clone(), told]);
    }
    records
}

#[test]
fn a_rollout() {
    for era in [TODAY, LEGACY, TOTALS] {
        costs_no_more(&format!("{era:?}"), &[lines(&rollout(era))], 2, Twice::All);
    }
}

/// Requests that are alike, and a total that begins anew.
#[test]
fn a_rollout_of_requests_that_are_alike() {
    for era in [TODAY, LEGACY, TOTALS] {
        let mut records = vec![head(PARENT, json!({})), said(111)];
        let alike = [[45, 21, 7]; 2];
        for (at, told) in
            [(121, &alike[..1]), (122, &alike[..1]), (123, &alike), (124, &SHARED[..1])]
        {
            records.push(tokens(at, told, era));
        }
        costs_no_more(&format!("{era:?}"), &[lines(&records)], 3, Twice::All);
    }
}

/// The parent goes on after the fork, as does the child.
fn family(era: Era, named: Value) -> [Vec<u8>; 2] {
    let mut parent = vec![head(PARENT, json!({})), said(111)];
    let mut child = vec![head(CHILD, named), parent[0].clone(), said(112)];
    for upto in 1..=SHARED.len() {
        parent.push(tokens(120 + upto as u64, &SHARED[..upto], era));
        child.push(tokens(130 + upto as u64, &SHARED[..upto], era));
    }
    let on = |own: [u64; 3]| [&SHARED[..], &[own]].concat();
    parent.push(tokens(141, &on([68, 45, 12]), era));
    child.push(tokens(142, &on([83, 45, 31]), era));
    [lines(&parent), lines(&child)]
}

#[test]
fn a_parent_and_its_fork() {
    for era in [TODAY, LEGACY] {
        let [parent, child] = family(era, json!({ "forked_from_id": PARENT }));
        costs_no_more(&format!("{era:?}"), &[parent, child], 5, Twice::All);
    }
    // Of a line that is lost the next total tells, and so does the copy of it.
    let [parent, child] = family(TOTALS, json!({ "forked_from_id": PARENT }));
    let both = bill([&parent, &child]);
    assert_eq!((both.len(), &both), (5, &bill([&child, &parent])));
}

#[test]
fn a_subagent_and_its_parent() {
    let named =
        json!({ "source": { "subagent": { "thread_spawn": { "parent_thread_id": PARENT } } } });
    let [parent, child] = family(TODAY, named);
    costs_no_more("read first", &[child, parent], 5, Twice::All);
}

/// What differs is no copy, also where one of several figures is the same: children of one parent, with and without it.
#[test]
fn branches_that_differ_are_counted_each() {
    let [parent, child] = family(TODAY, json!({ "forked_from_id": PARENT }));
    let mut other =
        vec![head("0199f2c4-90ab-7c11-9d3e-1f6a52b7e840", json!({ "forked_from_id": PARENT }))];
    let requests = [&SHARED[..], &[[83, 45, 30]]].concat();
    other.extend((1..=4).map(|upto| tokens(151, &requests[..upto], TODAY)));
    let other = lines(&other);
    assert_eq!(bill([&parent, &child, &other]).len(), 6);
    assert_eq!(bill([&child, &other]).len(), 5);
    let unlike = [[23, 0, 5], [45, 21, 7], [45, 21, 7], [68, 45, 12]];
    let mut unlike: Vec<Value> = (1..=4).map(|upto| tokens(152, &unlike[..upto], TODAY)).collect();
    unlike.insert(0, head(CHILD, json!({ "forked_from_id": PARENT })));
    assert_eq!(bill([&parent, &lines(&unlike)]).len(), 8);
}

fn message(id: &str, at: u64, kind: &str, tokens: Option<[u64; 4]>, total: bool) -> Value {
    let mut message = json!({ "id": id, "type": kind, "content": "A", "timestamp": format!("2026-05-01T10:00:00.{at}Z") });
    if let Some([input, cached, output, thoughts]) = tokens {
        message["tokens"] =
            json!({ "input": input, "cached": cached, "output": output, "thoughts": thoughts });
        if total {
            message["tokens"]["tool"] = json!(4);
            message["tokens"]["total"] = json!(input + output + thoughts + 4);
        }
    }
    message
}

fn chat(total: bool) -> Vec<Value> {
    let model = |id: &str, at: u64, tokens| message(id, at, "gemini", tokens, total);
    let first = Some([54, 32, 6, 3]);
    vec![
        json!({ "sessionId": "g", "projectHash": "p" }),
        message("u-aa", 111, "user", None, total),
        model("g-bb", 122, None),
        model("g-bb", 122, first),
        model("g-bb", 122, first),
        model("g-cc", 133, Some([78, 54, 12, 0])),
    ]
}

#[test]
fn a_chat_of_gemini_that_is_taken_back() {
    for total in [true, false] {
        for back in ["g-bb", "g-cc", "gone"] {
            let mut records = chat(total);
            records.push(json!({ "$rewindTo": back }));
            records.push(message("g-dd", 155, "gemini", Some([65, 0, 9, 1]), total));
            let twice = if total { Twice::All } else { Twice::Nothing };
            costs_no_more(&format!("{total} {back}"), &[lines(&records)], 3, twice);
        }
    }
}

#[test]
fn a_chat_of_gemini_that_is_replaced_or_written_as_one() {
    let records = chat(false);
    let set = [records.clone(), vec![json!({ "$set": { "messages": records[4..] } })]].concat();
    costs_no_more("set", &[lines(&set)], 2, Twice::Nothing);
    let whole = json!({ "sessionId": "g", "projectHash": "p", "messages": chat(true)[3..] });
    costs_no_more("whole", &[whole.to_string().into_bytes()], 2, Twice::All);
}
