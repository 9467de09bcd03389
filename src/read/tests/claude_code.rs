//! Claude Code.

mod behind;
mod forks;

use serde_json::{Value, json};

use super::{kept_beside, line, lines, listing, sum, told, usage};
use crate::read::{Event, Reader};

/// A record of Claude Code behind another one.
pub(super) fn record(uuid: &str, parent: Option<&str>, more: &Value) -> Value {
    let mut record = json!({ "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "cwd": "/project", "timestamp": "2026-05-01T10:00:00Z" });
    let fields = more.as_object().unwrap().clone();
    record.as_object_mut().unwrap().extend(fields);
    record
}

pub(super) fn person(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    record(uuid, parent, &json!({ "type": "user", "message": { "role": "user", "content": text } }))
}

/// A line of a reply with one block.
pub(super) fn reply(uuid: &str, parent: &str, message: &str, block: &Value, output: u64) -> Value {
    let usage = json!({ "input_tokens": 5, "cache_read_input_tokens": 1_000, "cache_creation_input_tokens": 200, "output_tokens": output });
    let message = json!({ "role": "assistant", "id": message, "model": "claude", "content": [block], "usage": usage });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "assistant", "requestId": format!("req-{}", message["id"]), "message": message }),
    )
}

pub(super) fn words(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

pub(super) fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "ls" } })
}

pub(super) fn result(uuid: &str, parent: &str, id: &str, text: &str) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "user", "message": { "role": "user", "content": [block] }, "toolUseResult": { "stdout": "much more" } }),
    )
}

#[test]
fn what_the_program_notes_at_the_end_without_a_parent_is_not_where_the_talk_ended() {
    let talk = [person("u1", None, "Hello"), reply("a1", "u1", "m1", &words("Hi."), 8)];
    for kind in ["system", "attachment", "of-tomorrow"] {
        let note = record("n1", None, &json!({ "type": kind, "content": "x" }));
        let file = lines(&[&talk[..], &[note]].concat());
        assert_eq!(listing(&file)[1..], ["person: Hello", "model: Hi."], "{kind}");
    }
}

#[test]
fn a_reply_in_four_lines_is_one_message_and_counts_once() {
    let file = lines(&[
        person("u1", None, "Hello"),
        reply(
            "a1",
            "u1",
            "m1",
            &json!({ "type": "thinking", "thinking": "", "signature": "x" }),
            1,
        ),
        reply("a2", "a1", "m1", &words("First."), 3),
        reply("a3", "a2", "m1", &words("Second."), 8),
        reply("a4", "a3", "m1", &words("Third."), 20),
    ]);
    assert_eq!(
        listing(&file),
        ["== s1||/project", "person: Hello", "model: First.\n\nSecond.\n\nThird."]
    );
    assert_eq!(usage(&file), [1_000, 200, 5, 20]);
}

#[test]
fn calls_beside_each_other_keep_their_results() {
    let file = lines(&[
        person("u1", None, "Look"),
        reply("a1", "u1", "m1", &call("t1"), 5),
        reply("a2", "a1", "m1", &call("t2"), 9),
        result("r1", "a1", "t1", "one"),
        result("r2", "a2", "t2", "two"),
        reply("a3", "r2", "m2", &words("Done."), 4),
    ]);
    let expected = [
        "call t1: Bash {\"command\":\"ls\"}",
        "call t2: Bash {\"command\":\"ls\"}",
        "result t1: one",
        "result t2: two",
        "model: Done.",
    ];
    assert_eq!(listing(&file)[2..], expected);
}

#[test]
fn lines_of_a_reply_with_and_without_a_request_are_one() {
    let mut bare = reply("a2", "a1", "m1", &words("More."), 30);
    bare.as_object_mut().unwrap().remove("requestId");
    let file = lines(&[person("u1", None, "Hi"), reply("a1", "u1", "m1", &words("Hi."), 10), bare]);
    assert_eq!(usage(&file), [1_000, 200, 5, 30]);
}

#[test]
fn another_branch_of_the_repository_is_told_before_what_the_person_says_in_it() {
    let branches = ["main", "main", "", "work", "HEAD", "work", "main"];
    let mut records = Vec::new();
    for (at, branch) in branches.into_iter().enumerate() {
        let (user, model) = (format!("u{at}"), format!("a{at}"));
        let before = at.checked_sub(1).map(|before| format!("a{before}"));
        let mut said = person(&user, before.as_deref(), &at.to_string());
        said["gitBranch"] = json!(branch);
        let mut replied = reply(&model, &user, &model, &words("Yes."), 1);
        // What the model does within a turn is no change of topic.
        replied["gitBranch"] = json!("elsewhere");
        records.extend([said, replied]);
    }
    let told = listing(&lines(&records));
    let told: Vec<&str> =
        told.iter().map(String::as_str).filter(|line| *line != "model: Yes.").collect();
    let expected = [
        "== s1||/project",
        "person: 0",
        "person: 1",
        "person: 2",
        "another branch",
        "person: 3",
        "person: 4",
        "person: 5",
        "another branch",
        "person: 6",
    ];
    assert_eq!(told, expected);
}

fn boundary(uuid: &str, logical: Option<&str>) -> Value {
    let known = json!({ "trigger": "auto", "preTokens": 165_000, "postTokens": 4_000 });
    record(
        uuid,
        None,
        &json!({ "type": "system", "subtype": "compact_boundary", "logicalParentUuid": logical, "compactMetadata": known }),
    )
}

fn summary(uuid: &str, parent: &str) -> Value {
    let message = json!({ "role": "user", "content": "This session is being continued from a previous conversation." });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "user", "isCompactSummary": true, "message": message }),
    )
}

#[test]
fn a_compaction_tells_which_messages_it_leaves_in_the_window() {
    for (known, expected) in [
        (
            json!({ "preservedMessages": { "anchorUuid": "a1", "uuids": ["u2"], "allUuids": ["u2", "a2"] } }),
            &["person: Last", "call t: Bash {\"command\":\"ls\"}"][..],
        ),
        (
            json!({ "preservedSegment": { "headUuid": "a1", "anchorUuid": "c", "tailUuid": "u2" } }),
            &["model: Yes.", "person: Last"],
        ),
        (json!({ "preservedSegment": { "headUuid": "gone", "tailUuid": "u2" } }), &[]),
        (json!({ "trigger": "auto" }), &[]),
    ] {
        let mut bound = boundary("b", Some("a2"));
        bound["compactMetadata"] = known.clone();
        let file = lines(&[
            person("u1", None, "Before"),
            reply("a1", "u1", "m1", &words("Yes."), 5),
            person("u2", Some("a1"), "Last"),
            reply("a2", "u2", "m2", &call("t"), 5),
            bound,
            summary("c", "b"),
        ]);
        assert_eq!(kept_beside(&file), expected, "{known}");
    }
}

#[test]
fn a_compaction_is_stepped_over_and_its_summary_is_nobodys_words() {
    for (logical, marked) in
        [(Some("a1"), true), (Some("gone"), true), (Some("u2"), true), (None, true), (None, false)]
    {
        let mut told = summary("c", "b");
        told["isCompactSummary"] = json!(marked);
        let file = lines(&[
            person("u1", None, "Before"),
            reply("a1", "u1", "m1", &words("Yes."), 5),
            boundary("b", logical),
            told,
            person("u2", Some("c"), "After"),
            reply("a2", "u2", "m2", &words("Still."), 5),
        ]);
        let expected = [
            "== s1||/project",
            "person: Before",
            "model: Yes.",
            "compacted auto Some(165000) Some(4000): Some(\"This session is being continued from a previous conversation.\")",
            "person: After",
            "model: Still.",
        ];
        assert_eq!(listing(&file), expected, "logical parent: {logical:?}");
    }
}

#[test]
fn the_summary_of_a_compaction_without_a_record_of_its_own_goes_on_from_what_stands_before_it() {
    let mut old = summary("c", "gone");
    old["parentUuid"] = Value::Null;
    let file = lines(&[
        person("u1", None, "Before"),
        reply("a1", "u1", "m1", &words("Yes."), 5),
        old,
        person("u2", Some("c"), "After"),
    ]);
    let told = listing(&file);
    assert_eq!(told[1..3], ["person: Before", "model: Yes."]);
    assert!(told[3].starts_with("compacted  None None: Some(\"This session"), "{told:?}");
    assert_eq!(told[4..], ["person: After"]);
}

#[test]
fn lines_that_stand_there_twice_are_repeated_and_on_no_other_branch() {
    let twice = [
        person("u1", None, "Plan A"),
        reply("a1", "u1", "m1", &words("A."), 5),
        person("u1", None, "Plan A"),
        reply("a1", "u1", "m1", &words("A."), 5),
        person("u2", Some("a1"), "And B"),
        reply("a2", "u2", "m2", &words("B."), 5),
    ];
    let skipped = told(&lines(&twice)).unwrap().1.tally.skipped;
    assert_eq!(skipped.get("repeated"), Some(&2), "{skipped:?}");
    assert!(!skipped.contains_key("on another branch"), "{skipped:?}");
}

#[test]
fn what_was_taken_back_is_on_another_branch() {
    let records = vec![
        person("u1", None, "Plan A"),
        reply("a1", "u1", "m1", &words("A."), 5),
        person("u2", Some("a1"), "Wrong way"),
        reply("a2", "u2", "m2", &words("Wrong."), 5),
        person("u3", Some("a1"), "Draft that was recalled"),
        person("u4", Some("a1"), "Right way"),
        reply("a4", "u4", "m4", &words("Right."), 5),
    ];
    let file = lines(&records);
    assert_eq!(
        listing(&file)[1..],
        ["person: Plan A", "model: A.", "person: Right way", "model: Right."]
    );
    assert_eq!(told(&file).unwrap().1.tally.skipped["on another branch"], 3);
    // What was taken back was paid for.
    assert_eq!(usage(&file)[0], 3_000);
    let older =
        [records, vec![json!({ "type": "last-prompt", "sessionId": "s1", "leafUuid": "a2" })]]
            .concat();
    assert_eq!(
        listing(&lines(&older))[1..],
        ["person: Plan A", "model: A.", "person: Wrong way", "model: Wrong."]
    );
}

/// A prompt tells the leaf from which it goes on, and nothing tells what came after it.
#[test]
fn what_goes_on_from_the_named_leaf_is_not_on_another_branch() {
    let leaf = |uuid: &str| json!({ "type": "last-prompt", "sessionId": "s1", "leafUuid": uuid });
    for logical in [Some("a1"), Some("gone"), Some("u3"), None] {
        let file = lines(&[
            person("u1", None, "Before"),
            reply("a1", "u1", "m1", &words("Yes."), 5),
            leaf("a1"),
            boundary("b", logical),
            summary("c", "b"),
            person("u2", Some("c"), "Draft that was recalled"),
            person("u3", Some("c"), "After"),
            reply("a3", "u3", "m3", &words("Still."), 5),
        ]);
        let told = listing(&file);
        assert_eq!(told[1..3], ["person: Before", "model: Yes."], "{logical:?}");
        assert!(told[3].starts_with("compacted auto"), "{logical:?}: {told:?}");
        assert_eq!(told[4..], ["person: After", "model: Still."], "{logical:?}");
    }
    let other = lines(&[
        person("u1", None, "Plan A"),
        reply("a1", "u1", "m1", &words("A."), 5),
        person("u2", Some("a1"), "Wrong way"),
        person("u3", Some("a1"), "Right way"),
        leaf("u3"),
        reply("a2", "u2", "m2", &words("Wrong."), 5),
        reply("a3", "u3", "m3", &words("Right."), 5),
        person("u4", Some("a2"), "Wrong again"),
    ]);
    let expected = ["person: Plan A", "model: A.", "person: Right way", "model: Right."];
    assert_eq!(listing(&other)[1..], expected);
}

#[test]
fn only_what_was_typed_is_a_persons() {
    let texts = [
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "<local-command-stdout>ok</local-command-stdout>",
        "<command-name>/clear</command-name><command-args></command-args>",
        "<command-message>review</command-message><command-args>the parser</command-args>",
        "<task-notification>done</task-notification>",
        "<teammate-message from=\"x\">hi</teammate-message>",
        "<ide_opened_file>The user opened a.rs in the IDE.</ide_opened_file>",
        "<ide_selection>The user selected lines 1 to 3</ide_selection>\n<new-diagnostics>x</new-diagnostics> ",
        "<user-prompt-submit-hook>context</user-prompt-submit-hook>",
        "<ide_selection>breaks off",
        "<ide_selection>fn a()</ide_selection>\n\nWhat does it do?",
        "<ide_selections> is a word",
        "A real question",
    ];
    let mut records = vec![person("u0", None, "Begin")];
    for (at, text) in texts.iter().enumerate() {
        records.push(person(&format!("u{}", at + 1), Some(&format!("u{at}")), text));
    }
    let meta = json!({ "type": "user", "isMeta": true, "message": { "role": "user", "content": "Caveat" } });
    records.push(record("m1", Some(&format!("u{}", texts.len())), &meta));
    let origin = json!({ "type": "user", "origin": { "kind": "task-notification" }, "message": { "role": "user", "content": "x" } });
    records.push(record("m2", Some("m1"), &origin));
    let companion = json!({ "type": "user", "turnCompanion": true, "message": { "role": "user", "content": "y" } });
    records.push(record("m3", Some("m2"), &companion));
    for (at, source) in ["system", "typed", "sdk"].into_iter().enumerate() {
        let mut one = person(&format!("m{}", at + 4), Some(&format!("m{}", at + 3)), source);
        one["promptSource"] = json!(source);
        records.push(one);
    }
    let expected = [
        "person: Begin",
        "person: the parser",
        "result : done",
        "person: What does it do?",
        "person: <ide_selections> is a word",
        "person: A real question",
        "person: typed",
        "person: sdk",
    ];
    assert_eq!(listing(&lines(&records))[1..], expected);
}

#[test]
fn what_a_task_beside_the_talk_returns_is_a_result() {
    let told = "<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n<result>\nThe clock is late.\n</result>\n</task-notification>";
    let mut task = person("u2", Some("a1"), told);
    task["origin"] = json!({ "kind": "task-notification" });
    let records = [
        person("u1", None, "Look around."),
        reply("a1", "u1", "m1", &words("It runs."), 5),
        task,
        reply("a2", "u2", "m2", &words("It is the clock."), 5),
        person("u3", Some("a2"), "What is a <task-notification>?"),
    ];
    let expected = [
        "person: Look around.",
        "model: It runs.",
        "result : The clock is late.",
        "model: It is the clock.",
        "person: What is a <task-notification>?",
    ];
    assert_eq!(listing(&lines(&records))[1..], expected);
}

#[test]
fn what_was_never_sent_costs_nothing() {
    let mut synthetic = reply("a1", "u1", "m1", &words("API Error"), 10);
    synthetic["message"]["model"] = json!("<synthetic>");
    synthetic["isApiErrorMessage"] = json!(true);
    let file = lines(&[person("u1", None, "Hi"), synthetic]);
    assert_eq!(listing(&file)[1..], ["person: Hi"]);
    assert_eq!(usage(&file), [0; 4]);
    let mut nothing = reply("a1", "u1", "m1", &words("No response requested."), 0);
    nothing["message"]["model"] = json!("<synthetic>");
    let file = lines(&[person("u1", None, "Hi"), nothing]);
    assert_eq!(listing(&file)[1..], ["person: Hi"]);
    assert_eq!(told(&file).unwrap().1.tally.skipped["harness text"], 1);
}

#[test]
fn pictures_are_no_words_and_pointers_count_as_they_stand() {
    let picture =
        json!({ "type": "image", "source": { "type": "base64", "data": "A".repeat(1 << 20) } });
    let pointer = "<persisted-output>Output too large. Preview: abc</persisted-output>";
    let block = json!({ "type": "tool_result", "tool_use_id": "t1", "content": [{ "type": "text", "text": pointer }, picture] });
    let file = lines(&[
        person("u1", None, "Look"),
        reply("a1", "u1", "m1", &call("t1"), 5),
        record(
            "r1",
            Some("a1"),
            &json!({ "type": "user", "message": { "role": "user", "content": [block, picture] } }),
        ),
    ]);
    assert_eq!(listing(&file)[3..], [format!("result t1: {pointer}")]);
}

#[test]
fn a_usage_only_reading_needs_no_words() {
    let mut aside = reply("x1", "x0", "m9", &call("t"), 10);
    aside["isSidechain"] = json!(true);
    let mut reader = Reader::default();
    reader.read_usage(&lines(&[aside])).unwrap();
    assert_eq!(sum(&reader.ledger().requests().0), [1_000, 200, 5, 10]);
}

#[test]
fn a_log_of_events_beside_subagents_is_none_of_theirs() {
    let event = |kind: &str| json!({ "type": kind, "sessionId": "s1", "timestamp": "2026-05-01T10:00:00Z" });
    let journal = lines(&[event("started"), event("result")]);
    let error = Reader::default().read_usage(&journal).unwrap_err().to_string();
    assert!(error.contains("nobody says anything in it (read 2, used 0"), "{error}");
}

#[test]
fn moments_and_titles_come_with_the_events() {
    let file = lines(&[
        person("u1", None, "Hello"),
        json!({ "type": "custom-title", "sessionId": "s1", "customTitle": "Parser" }),
    ]);
    let (events, outcome, _) = told(&file).unwrap();
    assert_eq!(line(&events[0]), "== s1|Parser|/project");
    let Event::Said { at, .. } = events[1] else { panic!("{events:?}") };
    assert_eq!(at, Some(1_777_629_600_000));
    assert_eq!(outcome.tally.to_string(), "read 2, used 1, skipped 1 (1 custom-title)");
}

/// A conversation of three turns, the last one with a call.
fn three_turns() -> Vec<Value> {
    vec![
        person("u1", None, "One"),
        reply("a1", "u1", "m1", &words("1"), 10),
        person("u2", Some("a1"), "Two"),
        reply("a2", "u2", "m2", &words("2"), 20),
        person("u3", Some("a2"), "Three"),
        reply("a3", "u3", "m3", &words("Look."), 5),
        reply("a4", "a3", "m3", &call("t1"), 900),
        result("r1", "a4", "t1", "one"),
        reply("a5", "r1", "m4", &words("3"), 30),
    ]
}

#[test]
fn what_several_files_say_is_told_once_and_nothing_is_lost() {
    let original = three_turns();
    let mut fork = original[..4].to_vec();
    fork.push(person("f1", Some("a2"), "Else"));
    fork.push(reply("f2", "f1", "m9", &words("e"), 40));
    for record in &mut fork {
        record["sessionId"] = json!("s2");
    }
    let files = [lines(&original), lines(&fork), lines(&original[..6]), lines(&original)];
    let all = ["One", "1", "Two", "2", "Three", "Look.", "3", "Else", "e"];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 2, 0, 3], [2, 1, 3, 0]] {
        let (mut reader, mut said, mut calls, mut again) = (Reader::default(), Vec::new(), 0, 0);
        for at in order {
            // What is read beside the conversation says nothing.
            reader.read_usage(&files[at]).unwrap();
            let outcome = reader.read(&files[at], &mut |event| match event {
                Event::Said { text, .. } => said.push(text),
                Event::Called { .. } | Event::Returned { .. } => calls += 1,
                _ => {}
            });
            let tally = outcome.unwrap().tally;
            again += tally.skipped.get("said in another file already").copied().unwrap_or(0);
        }
        said.sort_by_key(|text| all.iter().position(|known| known == text));
        assert_eq!((&said[..], calls), (&all.map(str::to_owned)[..], 2), "{order:?}");
        assert_eq!(again, 9 + 6 + 6 + 9 - 11, "{order:?}");
        assert_eq!(sum(&reader.ledger().requests().0), [5_000, 1_000, 25, 1_000], "{order:?}");
    }
}

#[test]
fn a_copy_that_breaks_off_changes_no_cost() {
    let whole = lines(&three_turns());
    let expected = usage(&whole);
    for end in 0..whole.len() {
        for files in [[&whole[..end], &whole], [&whole, &whole[..end]]] {
            let mut reader = Reader::default();
            for file in files {
                let _ = reader.read(&file.to_vec(), &mut |_| {});
            }
            assert_eq!(sum(&reader.ledger().requests().0), expected, "{end}");
        }
    }
}
