use serde_json::{Value, json};

use super::super::Event;
use super::super::ids::Ids;
use super::Calls;

/// Feeds deltas; gives (id, name, arguments) of the calls and the names that were announced.
fn collect(deltas: &[Value]) -> (Vec<(String, String, String)>, Vec<String>) {
    let mut calls = Calls::default();
    let mut events = Vec::new();
    for delta in deltas {
        calls.push(delta.as_object().unwrap(), &mut events);
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

/// One entry; null stands for an absent field.
fn entry(index: Value, id: Value, name: Value, arguments: Value) -> Value {
    let mut entry =
        json!({"index": index, "id": id, "function": {"name": name, "arguments": arguments}});
    entry.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    entry["function"].as_object_mut().unwrap().retain(|_, value| !value.is_null());
    entry
}

macro_rules! e {
    ($index:tt, $id:tt, $name:tt, $arguments:tt) => {
        entry(json!($index), json!($id), json!($name), json!($arguments))
    };
}

#[test]
fn fragments_find_their_call() {
    let whole = ("a", "f", r#"{"x":1}"#);
    let other = ("b", "g", r#"{"y":2}"#);
    let cases: Vec<(&str, Vec<Value>, Vec<(&str, &str, &str)>)> = vec![
        (
            "as documented",
            vec![
                calls(&[e!(0, "a", "f", "")]),
                calls(&[e!(0, null, null, "{\"x\"")]),
                calls(&[e!(0, null, null, ":1}")]),
                calls(&[e!(1, "b", "g", "")]),
                calls(&[e!(1, null, null, "{\"y\":2}")]),
            ],
            vec![whole, other],
        ),
        (
            "36 no index",
            vec![
                calls(&[e!(null, "a", "f", "{\"x\"")]),
                calls(&[e!(null, null, null, ":1}")]),
                calls(&[e!(null, "b", "g", "{\"y\":2}")]),
            ],
            vec![whole, other],
        ),
        (
            "37 all with index 0",
            vec![
                calls(&[e!(0, "a", "f", "{\"x\":1}")]),
                calls(&[e!(0, "b", "g", "{\"y\"")]),
                calls(&[e!(0, null, null, ":2}")]),
            ],
            vec![whole, other],
        ),
        (
            "38 index from 7, interleaved",
            vec![
                calls(&[e!(7, "a", "f", "{\"x\"")]),
                calls(&[e!(9, "b", "g", "{\"y\"")]),
                calls(&[e!(7, null, null, ":1}")]),
                calls(&[e!(9, null, null, ":2}")]),
            ],
            vec![whole, other],
        ),
        (
            "39 several in one chunk",
            vec![calls(&[e!(0, "a", "f", "{\"x\":1}"), e!(1, "b", "g", "{\"y\":2}")])],
            vec![whole, other],
        ),
        (
            "40 id empty later",
            vec![calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "", "", ":1}")])],
            vec![whole],
        ),
        (
            "40 id repeated",
            vec![calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "a", null, ":1}")])],
            vec![whole],
        ),
        (
            "40 id repeated without index, two calls",
            vec![
                calls(&[e!(null, "a", "f", "{\"x\"")]),
                calls(&[e!(null, "b", "g", "{\"y\"")]),
                calls(&[e!(null, "a", "f", ":1}")]),
                calls(&[e!(null, "b", "g", ":2}")]),
            ],
            vec![whole, other],
        ),
        (
            "40 id late",
            vec![calls(&[e!(0, "", "f", "{\"x\"")]), calls(&[e!(0, "a", "", ":1}")])],
            vec![whole],
        ),
        (
            "40 another id in each chunk",
            vec![calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "q", null, ":1}")])],
            vec![whole],
        ),
        (
            "41 name repeated",
            vec![calls(&[e!(0, "a", "f", "{\"x\"")]), calls(&[e!(0, "a", "f", ":1}")])],
            vec![whole],
        ),
        (
            "41 name after the arguments",
            vec![calls(&[e!(0, "a", null, "{\"x\"")]), calls(&[e!(0, null, "f", ":1}")])],
            vec![whole],
        ),
        (
            "41 name split",
            vec![
                calls(&[e!(0, "a", "open_", "")]),
                calls(&[e!(0, null, "effort", "")]),
                calls(&[e!(0, null, null, "{}")]),
            ],
            vec![("a", "open_effort", "{}")],
        ),
        (
            "33 leaked tokens",
            vec![
                calls(&[e!(0, "a", "functions.f<|channel|>commentary", "{}")]),
                calls(&[e!(1, "b", "<|constrain|>json", "{}")]),
            ],
            vec![("a", "f", "{}"), ("b", "unnamed", "{}")],
        ),
        (
            "43 arguments that mean none",
            vec![
                calls(&[e!(0, "a", "f", ""), e!(1, "b", "f", "null"), e!(2, "c", "f", " \n")]),
                calls(&[e!(3, "d", "f", null)]),
            ],
            vec![("a", "f", "{}"), ("b", "f", "{}"), ("c", "f", "{}"), ("d", "f", "{}")],
        ),
        ("44 arguments as object", vec![calls(&[e!(0, "a", "f", { "x": 1 })])], vec![whole]),
        (
            "45 broken arguments stay",
            vec![calls(&[e!(0, "a", "f", "{\"x\": \"1\n"), e!(1, "b", "f", "{}{}")])],
            vec![("a", "f", "{\"x\": \"1"), ("b", "f", "{}{}")],
        ),
        (
            "49 same call said again as a whole",
            vec![calls(&[e!(0, "a", "f", "{\"x\":1}")]), calls(&[e!(0, "a", "f", "{\"x\":1}")])],
            vec![whole],
        ),
        (
            "same id for two calls",
            vec![calls(&[e!(0, "a", "f", "{\"x\":1}")]), calls(&[e!(1, "a", "g", "{\"y\":2}")])],
            vec![whole, ("INVENTED", "g", r#"{"y":2}"#)],
        ),
        (
            "50 both forms",
            vec![json!({
                "function_call": {"name": "f", "arguments": "{\"x\":1}"},
                "tool_calls": [e!(0, "a", "f", "{\"x\":1}")],
            })],
            vec![whole],
        ),
        (
            "50 old form alone",
            vec![
                json!({"function_call": {"name": "f", "arguments": "{\"x\""}}),
                json!({"function_call": {"arguments": ":1}"}}),
            ],
            vec![("INVENTED", "f", r#"{"x":1}"#)],
        ),
        ("nothing at all", vec![calls(&[json!({"index": 0}), json!(null)])], vec![]),
        ("null list", vec![json!({"tool_calls": null, "function_call": null})], vec![]),
    ];
    for (name, deltas, expected) in cases {
        let (found, announced) = collect(&deltas);
        assert_eq!(found.len(), expected.len(), "{name}: {found:?}");
        for (call, want) in found.iter().zip(&expected) {
            if want.0 == "INVENTED" {
                assert_eq!(call.0.len(), 9, "{name}");
            } else {
                assert_eq!(call.0, want.0, "{name}");
            }
            assert_eq!((call.1.as_str(), call.2.as_str()), (want.1, want.2), "{name}");
        }
        let names: Vec<&str> = expected.iter().map(|call| call.1).collect();
        assert_eq!(announced, names, "{name}");
    }
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
fn unknown_fields_of_a_call_are_kept() {
    let mut calls = Calls::default();
    let google = json!({"google": {"thought_signature": "s"}});
    let first = json!({"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{}"}}]});
    let second = json!({"tool_calls": [{"index": 0, "extra_content": google, "other": null}]});
    for delta in [first, second] {
        calls.push(delta.as_object().unwrap(), &mut Vec::new());
    }
    let calls = calls.complete(&mut Ids::seeded(0));
    assert_eq!(calls.len(), 1);
    assert_eq!(Value::Object(calls[0].extra.clone()), json!({"extra_content": google}));
}
