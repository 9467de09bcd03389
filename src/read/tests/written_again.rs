//! Lines of Claude Code that stand in a log more than once, and blocks of replies that are no words.

use serde_json::{Value, json};

use super::claude_code::{call, person, reply, result, words};
use super::{lines, listing, told, usage};
use crate::read::Reader;

#[test]
fn a_record_that_is_written_again_stays_where_it_was_and_one_that_is_changed_counts() {
    let all = [
        person("u1", None, "First?"),
        reply("a1", "u1", "m1", &words("One."), 3),
        person("u2", Some("a1"), "Second?"),
        reply("a2", "u2", "m2", &words("Two."), 3),
    ];
    let again = lines(&[&all[..], &all[1..2]].concat());
    assert_eq!(listing(&again), listing(&lines(&all)));
    let changed = reply("a2", "u2", "m2", &words("Three."), 3);
    let changed = listing(&lines(&[&all[..], &[changed]].concat())).concat();
    assert!(changed.contains("Three.") && !changed.contains("Two."), "{changed}");
}

#[test]
fn a_record_that_is_written_again_at_the_end_does_not_end_the_talk() {
    let all = [
        person("u1", None, "First?"),
        reply("a1", "u1", "m1", &words("One."), 3),
        person("u2", Some("a1"), "Second?"),
        reply("a2", "u2", "m2", &words("Two."), 3),
    ];
    let mut emptied = all[1].clone();
    emptied["message"]["usage"] = json!({ "input_tokens": 0, "output_tokens": 0 });
    let again = lines(&[&all[..], &[emptied]].concat());
    assert_eq!(listing(&again), listing(&lines(&all)));
    assert_eq!(usage(&again), usage(&lines(&all)));
    let skipped = told(&again).unwrap().1.tally.skipped;
    assert_eq!(skipped.into_iter().collect::<Vec<_>>(), [("written again".to_owned(), 1)]);
}

#[test]
fn what_is_no_word_of_a_reply_is_told_by_its_kind() {
    let block = |kind: &str| json!({ "type": kind, "text": "x" });
    let file = lines(&[
        person("u1", None, "Hello"),
        reply("a1", "u1", "m1", &block("redacted_thinking"), 1),
        reply("a2", "a1", "m1", &block("server_tool_use"), 2),
        reply("a3", "a2", "m1", &words("Hello!"), 3),
    ]);
    let skipped = Reader::default().read(&file, &mut |_| ()).unwrap().tally.skipped;
    assert_eq!((skipped["thinking"], skipped["server_tool_use"]), (1, 1), "{skipped:?}");
}

#[test]
fn a_reply_that_is_written_again_is_said_once() {
    let mut aside = reply("x2", "u1", "m1", &words("a"), 50);
    aside["isSidechain"] = json!(true);
    aside["requestId"] = json!("another");
    let mut other = aside.clone();
    other["uuid"] = json!("x3");
    other["message"]["content"] = json!([words("beside")]);
    let file = lines(&[
        person("u1", None, "u"),
        reply("a1", "u1", "m1", &words("a"), 50),
        reply("a2", "a1", "m1", &call("t1"), 50),
        reply("x1", "u1", "m1", &words("a"), 0),
        reply("x4", "x1", "m1", &call("t1"), 0),
        aside,
        other,
        result("r1", "a2", "t1", "one"),
        person("u2", Some("r1"), "v"),
        reply("a3", "u2", "m2", &words("a"), 60),
    ]);
    let expected = [
        "person: u",
        "model: a",
        "call t1: Bash {\"command\":\"ls\"}",
        "result t1: one",
        "person: v",
        "model: a",
    ];
    assert_eq!(listing(&file)[1..], expected);
    let skipped = told(&file).unwrap().1.tally.skipped;
    assert_eq!((skipped["written again"], skipped["of a subagent"]), (2, 2));
    assert_eq!(usage(&file), [2_000, 400, 10, 110]);
}

#[test]
fn replies_that_are_alike_are_two_and_one_that_is_written_again_costs_what_it_did() {
    let said = json!({ "type": "text", "text": "Yes." });
    let alike = [reply("a", "u", "m1", &said, 9), reply("b", "a", "m2", &said, 9)];
    let file = lines(&[&[person("u", None, "Why?")], &alike[..]].concat());
    assert_eq!(usage(&file), [2_000, 400, 10, 18]);
    let mut file = vec![person("u", None, "Why?")];
    let told = [("m1", 3), ("m1", 40), ("m1", 900), ("m2", 100), ("m1", 3), ("m1", 40)];
    for (nth, (message, output)) in told.into_iter().enumerate() {
        file.push(reply(&format!("a{nth}"), "u", message, &said, output));
    }
    assert_eq!(usage(&lines(&file)), [2_000, 400, 10, 1_000]);
    // Emptied, right behind itself.
    let mut emptied = reply("z", "b", "m2", &said, 1);
    for count in ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"] {
        emptied["message"]["usage"][count] = json!(0);
    }
    let file = lines(&[&[person("u", None, "Why?")], &alike[..], &[emptied]].concat());
    assert_eq!(usage(&file), [2_000, 400, 10, 18]);
}

#[test]
fn the_line_of_a_reply_that_was_written_last_tells_its_answer_wherever_it_stands() {
    let part = |second: u32, parent: &str, block: &Value, output: u64| {
        let mut part = reply(&format!("a{second}"), parent, "m1", block, output);
        part["timestamp"] = json!(format!("2026-05-01T10:00:0{second}.5Z"));
        part
    };
    let talk = [
        part(1, "u1", &words("One."), 9),
        part(2, "a1", &call("t1"), 30),
        part(3, "a2", &call("t2"), 30),
    ];
    for order in [[0, 1, 2], [1, 2, 0], [0, 2, 1], [2, 0, 1], [2, 1, 0]] {
        let parts = order.map(|nth| talk[nth].clone());
        let file = lines(&[&[person("u1", None, "Look")], &parts[..]].concat());
        assert_eq!(usage(&file), [1_000, 200, 5, 30], "{order:?}");
    }
    // A line before the last one that tells more is damaged.
    let mut damaged = talk.clone();
    damaged[0]["message"]["usage"]["output_tokens"] = json!(900);
    let file = lines(&[&[person("u1", None, "Look")], &damaged[..]].concat());
    assert_eq!(usage(&file), [1_000, 200, 5, 30]);
}

#[test]
fn a_result_that_stands_before_its_call_is_told_behind_it() {
    let file = |records: &[Value]| {
        let first = [person("u1", None, "Look")];
        listing(&lines(&[&first[..], records].concat()))[2..].to_vec()
    };
    let (one, two) =
        (reply("a1", "u1", "m1", &call("t1"), 5), reply("a2", "a1", "m1", &call("t2"), 9));
    let done = reply("a3", "r1", "m2", &words("Done."), 4);
    let early = [result("r1", "a1", "t1", "one"), two, one, done.clone()];
    let call = |id: &str| format!("call {id}: Bash {{\"command\":\"ls\"}}");
    let expected = [call("t2"), call("t1"), "result t1: one".to_owned(), "model: Done.".to_owned()];
    assert_eq!(file(&early), expected);
    // Where no call comes before somebody speaks, it stands where it was.
    let alone = [result("r1", "u1", "gone", "one"), done];
    assert_eq!(file(&alone), ["result gone: one", "model: Done."]);
    assert_eq!(file(&alone[..1]), ["result gone: one"]);
}
