//! Sessions of Ebbtide's own, as its exports tell of them.

use serde_json::{Value, json};

use super::{listing, told, usage};

#[test]
fn ebbtides_own_export_is_read() {
    let file = json!({ "format": "ebbtide-session", "version": 1, "name": "work", "files": [
        { "path": "manifest.json", "json": {} },
        { "path": "efforts/auth.jsonl", "lines": [{ "role": "user", "content": "Hi", "ts": "2026-01-01T10:00:00Z" }, { "role": "assistant", "content": "Hello" }] }] });
    assert_eq!(
        listing(&serde_json::to_vec_pretty(&file).unwrap()),
        ["== work|work|", "topic auth", "person: Hi", "model: Hello"]
    );
}

/// A session of five turns, of which the second and third are about a topic and the fourth about another one.
fn session(with_turns: bool) -> Value {
    let exchange = |turn: u64| {
        let at = format!("2026-01-01T10:0{turn}:00Z");
        let mut lines = [
            json!({ "role": "user", "content": format!("Q{turn}"), "ts": at }),
            json!({ "role": "assistant", "content": format!("A{turn}"), "ts": at }),
        ];
        if with_turns {
            for line in &mut lines {
                line["turn"] = json!(turn);
            }
        }
        lines
    };
    let log = |turns: &[u64]| turns.iter().flat_map(|turn| exchange(*turn)).collect::<Value>();
    let marker = json!({ "role": "system", "content": "--- Reopened effort: auth ---" });
    let mut auth = log(&[2, 3]);
    auth.as_array_mut().unwrap().push(marker);
    let paid = |turn: u64, estimated: bool| json!({ "at": "2026-01-01T10:00:00Z", "turn": turn, "purpose": "chat", "read": 40, "written": 2, "uncached": 10, "output": turn, "estimated": estimated });
    // A line of another program, and a log that breaks off.
    let [first, second] = exchange(4).map(|line| line.to_string().replace("\":", "\": "));
    let torn = format!("{}\n{}\n{{\"role\":\"us", exchange(5)[0], exchange(5)[1]);
    json!({ "format": "ebbtide-session", "version": 1, "name": "work", "files": [
        { "path": "bill.jsonl", "lines": [paid(1, false), paid(2, true), { "turn": 1, "read": 7, "sums": [] }] },
        { "path": "efforts/auth.jsonl", "lines": auth },
        { "path": "efforts/rows.jsonl", "lines": [first, second] },
        { "path": "journal.jsonl", "lines": [{ "seq": 1, "kind": "turn" }] },
        { "path": "raw.jsonl", "lines": log(&[1]) },
        { "path": "rest.jsonl", "text": torn },
        { "path": "session_state.json", "json": { "title": "Mending" } },
    ] })
}

#[test]
fn ebbtides_own_export_is_one_conversation_in_the_order_of_its_turns() {
    for with_turns in [true, false] {
        let file = session(with_turns).to_string().into_bytes();
        let expected = [
            "== work|Mending|",
            "topic ",
            "person: Q1",
            "model: A1",
            "topic auth",
            "person: Q2",
            "model: A2",
            "person: Q3",
            "model: A3",
            "topic rows",
            "person: Q4",
            "model: A4",
            "topic ",
            "person: Q5",
            "model: A5",
        ];
        assert_eq!(listing(&file), expected);
        assert_eq!(
            told(&file).unwrap().1.tally.to_string(),
            "read 11, used 10, skipped 1 (1 system)"
        );
        assert_eq!(usage(&file), [40, 2, 10, 1], "what was estimated is no record");
    }
    let small_talk =
        json!([{ "path": "raw.jsonl", "lines": [{ "role": "user", "content": "Hi" }] }]);
    let mut alone = session(true);
    alone["files"] = small_talk;
    assert_eq!(listing(alone.to_string().as_bytes()), ["== work|work|", "person: Hi"]);
}
