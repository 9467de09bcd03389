//! Logs of requests, each of which tells all that was said so far.

use serde_json::{Value, json};

use super::{line, lines, listing, told};
use crate::read::{Event, Reader};

/// A request of so many turns: the system's, and then the person's and the model's, by what each says.
fn request(said: &[&str]) -> Value {
    let turn = |(nth, said): (usize, &&str)| {
        let role = if nth % 2 == 0 { "user" } else { "assistant" };
        json!({ "role": role, "content": said })
    };
    let system = json!({ "role": "system", "content": "s" });
    let turns = [system].into_iter().chain(said.iter().enumerate().map(turn));
    json!({ "messages": turns.collect::<Value>() })
}

fn tally(file: &[u8]) -> String {
    told(file).unwrap().1.tally.to_string()
}

#[test]
fn a_log_of_requests_tells_what_was_said_once() {
    let requests = [request(&["q0"]), request(&["q0", "a0", "q1"]), request(&["other"])];
    for file in [lines(&requests), Value::from(requests.to_vec()).to_string().into_bytes()] {
        assert_eq!(
            listing(&file),
            ["== 1||", "person: q0", "model: a0", "person: q1", "== 2||", "person: other"]
        );
        assert!(tally(&file).contains("2 told in another record"), "{}", tally(&file));
    }
}

#[test]
fn talks_that_go_on_in_turn_are_conversations_of_their_own() {
    let a = ["a one", "a first", "a two", "a second"];
    let b = ["b one", "b first", "b two", "b second"];
    // The last one is sent once more, and what was sent first comes late.
    let file = lines(&[
        request(&a[..2]),
        request(&b[..2]),
        request(&a),
        request(&b),
        request(&b),
        request(&a[..1]),
    ]);
    let said = |talk: &str| {
        ["one", "first", "two", "second"].map(|what| match what {
            "one" | "two" => format!("person: {talk} {what}"),
            _ => format!("model: {talk} {what}"),
        })
    };
    let expected = [
        vec!["== 1||".to_owned()],
        said("a").to_vec(),
        vec!["== 2||".to_owned()],
        said("b").to_vec(),
    ];
    assert_eq!(listing(&file), expected.concat());
    let skipped = "skipped 15 (13 told in another record, 2 system)";
    assert!(tally(&file).ends_with(skipped), "{}", tally(&file));
}

#[test]
fn a_talk_that_goes_on_from_another_one_has_that_in_its_window() {
    let mut events = Vec::new();
    let file = lines(&[
        request(&["q0", "a0", "q1", "a1", "q2"]),
        // Another question, and another answer to the same one.
        request(&["q0", "a0", "q3"]),
        request(&["q0", "a0", "q1", "b1"]),
        request(&["q0", "b0"]),
        request(&["q0", "a0", "q3", "a3"]),
    ]);
    let mut hear = |event: Event| events.push(line(&event));
    Reader::of_one().read(&file, &mut hear).unwrap();
    let copied = ["copied false: q0", "copied false: a0"];
    let expected = [
        vec![
            "== 1||",
            "person: q0",
            "model: a0",
            "person: q1",
            "model: a1",
            "person: q2",
            "== 2||",
        ],
        copied.to_vec(),
        vec!["person: q1", "model: b1", "== 3||", "person: q0", "model: b0", "== 4||"],
        copied.to_vec(),
        vec!["person: q3", "model: a3"],
    ];
    assert_eq!(events, expected.concat());
}

#[test]
fn a_talk_is_found_among_so_many_that_are_under_way() {
    let names: Vec<String> = (0..100).map(|nth| format!("q{nth}")).collect();
    let first = names.iter().map(|name| request(&[name]));
    let again = names.iter().map(|name| request(&[name, "a", "more"]));
    let near: Vec<Value> = first.clone().zip(again.clone()).flat_map(|(a, b)| [a, b]).collect();
    assert_eq!(listing(&lines(&near)).len(), 400);
    // Behind a hundred others it is told anew.
    let far: Vec<Value> = first.chain(again).collect();
    assert_eq!(listing(&lines(&far)).len(), 600);
}
