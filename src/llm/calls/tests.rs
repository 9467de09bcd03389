use serde_json::{Value, json};

use super::super::Event;
use super::super::ids::Ids;
use super::Calls;

/// Feeds deltas; gives (id, name, arguments) of the calls and the names that were announced.
fn collect(deltas: &[Value]) -> (Vec<(String, String, String)>, Vec<String>) {
    let mut calls = Calls::default();
    let mut events = Vec::new();
    for delta in deltas {
        calls.push(delta.as_object().unwrap(), &mut events).unwrap();
    }
    calls.close(&mut events);
    let announced = events
        .into_iter()
        .map(|event| match event {
            Event::ToolCallStarted { name } => name,
            other => panic!("unexpected event {other:?}"),
        })
        .collect();
    let calls = calls.complete(&mut Ids::seeded(0)).into_iter();
    (calls.map(|call| (call.id, call.name, call.arguments)).collect(), announced)
}

fn calls(entries: &[Value]) -> Value {
    json!({"tool_calls": entries})
}

/// One entry of a delta's `tool_calls`; null stands for an absent field.
macro_rules! e {
    ($index:tt, $id:tt, $name:tt, $arguments:tt) => {{
        let mut entry = json!({
            "index": $index, "id": $id, "function": {"name": $name, "arguments": $arguments},
        });
        entry.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        entry["function"].as_object_mut().unwrap().retain(|_, value| !value.is_null());
        entry
    }};
}

const WHOLE: Call = ("a", "f", r#"{"x":1}"#);
const OTHER: Call = ("b", "g", r#"{"y":2}"#);
/// Stands for an id that we made.
const INVENTED: &str = "(nine letters and digits)";

/// Id, name and arguments.
type Call = (&'static str, &'static str, &'static str);

fn check(name: &str, deltas: &[Value], expected: &[Call]) {
    let (found, announced) = collect(deltas);
    let found: Vec<(&str, &str, &str)> = found
        .iter()
        .zip(expected)
        .map(|((id, name, arguments), want)| {
            let invented = want.0 == INVENTED && id.len() == 9;
            (if invented { INVENTED } else { id.as_str() }, name.as_str(), arguments.as_str())
        })
        .chain(found.iter().skip(expected.len()).map(|call| (call.0.as_str(), "", "")))
        .collect();
    assert_eq!(found, expected, "{name}");
    let names: Vec<&str> = expected.iter().map(|call| call.1).collect();
    assert_eq!(announced, names, "{name}");
}

#[test]
fn fragments_find_their_call_by_index_or_order() {
    check(
        "as documented",
        &[
            calls(&[e!(0, "a", "f", "")]),
            calls(&[e!(0, null, null, "{\"x\"")]),
            calls(&[e!(0, null, null, ":1}")]),
            calls(&[e!(1, "b", "g", "")]),
            calls(&[e!(1, null, null, "{\"y\":2}")]),
        ],
        &[WHOLE, OTHER],
    );
    check(
        "36 no index",
        &[
            calls(&[e!(null, "a", "f", "{\"x\"")]),
            calls(&[e!(null, null, null, ":1}")]),
            calls(&[e!(null, "b", "g", "{\"y\":2}")]),
        ],
        &[WHOLE, OTHER],
    );
    check(
        "37 all with index 0",
        &[
            calls(&[e!(0, "a", "f", "{\"x\":1}")]),
            calls(&[e!(0, "b", "g", "{\"y\"")]),
            calls(&[e!(0, null, null, ":2}")]),
        ],
        &[WHOLE, OTHER],
    );
    check(
        "38 index from 7, interleaved",
        &[
            calls(&[e!(7, "a", "f", "{\"x\"")]),
            calls(&[e!(9, "b", "g", "{\"y\"")]),
            calls(&[e!(7, null, null, ":1}")]),
            calls(&[e!(9, null, null, ":2}")]),
        ],
        &[WHOLE, OTHER],
    );
    check(
        "39 several in one chunk",
        &[calls(&[e!(0, "a", "f", "{\"x\":1}"), e!(1, "b", "g", "{\"y\":2}")])],
        &[WHOLE, OTHER],
    );
}

#[test]
fn fragments_find_their_call_by_id_however_it_is_sent() {
    check(
        "40 id empty later",
        &[calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "", "", ":1}")])],
        &[WHOLE],
    );
    check(
        "40 id repeated",
        &[calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "a", null, ":1}")])],
        &[WHOLE],
    );
    check(
        "40 id repeated without index, two calls",
        &[
            calls(&[e!(null, "a", "f", "{\"x\"")]),
            calls(&[e!(null, "b", "g", "{\"y\"")]),
            calls(&[e!(null, "a", "f", ":1}")]),
            calls(&[e!(null, "b", "g", ":2}")]),
        ],
        &[WHOLE, OTHER],
    );
    check(
        "40 id late",
        &[calls(&[e!(0, "", "f", "{\"x\"")]), calls(&[e!(0, "a", "", ":1}")])],
        &[WHOLE],
    );
    check(
        "40 another id in each chunk",
        &[calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "q", null, ":1}")])],
        &[WHOLE],
    );
}

#[test]
fn names_are_put_together_and_cleaned() {
    check(
        "41 name repeated",
        &[calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "a", "f", ":1}")])],
        &[WHOLE],
    );
    check(
        "41 name after the arguments",
        &[calls(&[e!(0, "a", null, "{\"x\"")]), calls(&[e!(0, null, "f", ":1}")])],
        &[WHOLE],
    );
    check(
        "41 name split",
        &[
            calls(&[e!(0, "a", "open_", "")]),
            calls(&[e!(0, null, "effort", "")]),
            calls(&[e!(0, null, null, "{}")]),
        ],
        &[("a", "open_effort", "{}")],
    );
    check(
        "33 leaked tokens",
        &[
            calls(&[e!(0, "a", "functions.f<|channel|>commentary", "{}")]),
            calls(&[e!(1, "b", "<|constrain|>json", "{}")]),
        ],
        &[("a", "f", "{}"), ("b", "unnamed", "{}")],
    );
}

#[test]
fn arguments_are_kept_but_for_the_forms_of_none() {
    check(
        "43 arguments that mean none",
        &[
            calls(&[e!(0, "a", "f", ""), e!(1, "b", "f", "null"), e!(2, "c", "f", " \n")]),
            calls(&[e!(3, "d", "f", null)]),
        ],
        &[("a", "f", "{}"), ("b", "f", "{}"), ("c", "f", "{}"), ("d", "f", "{}")],
    );
    check("44 arguments as object", &[calls(&[e!(0, "a", "f", { "x": 1 })])], &[WHOLE]);
    check(
        "45 broken arguments stay",
        &[calls(&[e!(0, "a", "f", "{\"x\": \"1\n"), e!(1, "b", "f", "{}{}")])],
        &[("a", "f", "{\"x\": \"1"), ("b", "f", "{}{}")],
    );
}

#[test]
fn repeats_and_old_forms_make_no_second_call() {
    check(
        "49 same call said again as a whole",
        &[calls(&[e!(0, "a", "f", "{\"x\":1}")]), calls(&[e!(0, "a", "f", "{\"x\":1}")])],
        &[WHOLE],
    );
    check(
        "same id for two calls",
        &[calls(&[e!(0, "a", "f", "{\"x\":1}")]), calls(&[e!(1, "a", "g", "{\"y\":2}")])],
        &[WHOLE, (INVENTED, "g", r#"{"y":2}"#)],
    );
    check(
        "same id for two calls in fragments",
        &[
            calls(&[e!(0, "a", "f", "")]),
            calls(&[e!(1, "a", "g", "")]),
            calls(&[e!(0, "a", null, "{\"x\""), e!(1, "a", null, "{\"y\"")]),
            calls(&[e!(0, null, null, ":1}"), e!(1, null, null, ":2}")]),
        ],
        &[WHOLE, (INVENTED, "g", r#"{"y":2}"#)],
    );
    check(
        "index counts the fragments",
        &[calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(1, "a", "f", ":1}")])],
        &[WHOLE],
    );
    check(
        "50 both forms",
        &[json!({
            "function_call": {"name": "f", "arguments": "{\"x\":1}"},
            "tool_calls": [e!(0, "a", "f", "{\"x\":1}")],
        })],
        &[WHOLE],
    );
    check(
        "50 old form alone",
        &[
            json!({"function_call": {"name": "f", "arguments": "{\"x\""}}),
            json!({"function_call": {"arguments": ":1}"}}),
        ],
        &[(INVENTED, "f", r#"{"x":1}"#)],
    );
    check("nothing at all", &[calls(&[json!({"index": 0}), json!(null)])], &[]);
    check("null list", &[json!({"tool_calls": null, "function_call": null})], &[]);
}

#[test]
fn calls_without_any_id_are_kept_apart() {
    let (found, _) = collect(&[
        calls(&[e!(null, null, "f", "{\"x\":1}"), e!(null, "", "g", "{\"y\":2}")]),
        calls(&[e!(null, null, "h", "{}")]),
    ]);
    let names: Vec<&str> = found.iter().map(|call| call.1.as_str()).collect();
    assert_eq!(names, ["f", "g", "h"]);
    assert!(found[0].0 != found[1].0 && found.iter().all(|call| call.0.len() == 9));
}

#[test]
fn calls_in_fragments_without_any_mark_are_told_apart_by_name() {
    let (found, announced) = collect(&[
        calls(&[e!(null, null, "f", "")]),
        calls(&[e!(null, null, null, "{\"x\":1}")]),
        calls(&[e!(null, null, "g", "")]),
        calls(&[e!(null, null, null, "{\"y\":2}")]),
    ]);
    let found: Vec<(&str, &str)> =
        found.iter().map(|call| (call.1.as_str(), call.2.as_str())).collect();
    assert_eq!(found, [("f", "{\"x\":1}"), ("g", "{\"y\":2}")]);
    assert_eq!(announced, ["f", "g"]);
}

#[test]
fn unknown_fields_of_a_call_are_kept() {
    let mut calls = Calls::default();
    let google = json!({"google": {"thought_signature": "s"}});
    let first = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]});
    let second = json!({"tool_calls": [{"index": 0, "extra_content": google, "other": null}]});
    for delta in [first, second] {
        calls.push(delta.as_object().unwrap(), &mut Vec::new()).unwrap();
    }
    let calls = calls.complete(&mut Ids::seeded(0));
    assert_eq!(calls.len(), 1);
    assert_eq!(Value::Object(calls[0].extra.clone()), json!({"extra_content": google}));
}
