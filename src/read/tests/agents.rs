//! Coding agents: Claude Code, Codex, opencode, Gemini.

use serde_json::{Value, json};

use super::{line, lines, listing, sum, told, usage};
use crate::read::{Event, Reader};

/// A record of Claude Code behind another one.
fn record(uuid: &str, parent: Option<&str>, more: &Value) -> Value {
    let mut record = json!({ "uuid": uuid, "parentUuid": parent, "sessionId": "s1", "cwd": "/project", "timestamp": "2026-05-01T10:00:00Z" });
    let fields = more.as_object().unwrap().clone();
    record.as_object_mut().unwrap().extend(fields);
    record
}

fn person(uuid: &str, parent: Option<&str>, text: &str) -> Value {
    record(uuid, parent, &json!({ "type": "user", "message": { "role": "user", "content": text } }))
}

/// A line of a reply with one block.
fn reply(uuid: &str, parent: &str, message: &str, block: &Value, output: u64) -> Value {
    let usage = json!({ "input_tokens": 5, "cache_read_input_tokens": 1_000, "cache_creation_input_tokens": 200, "output_tokens": output });
    let message = json!({ "role": "assistant", "id": message, "model": "claude", "content": [block], "usage": usage });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "assistant", "requestId": format!("req-{}", message["id"]), "message": message }),
    )
}

fn words(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Bash", "input": { "command": "ls" } })
}

fn result(uuid: &str, parent: &str, id: &str, text: &str) -> Value {
    let block = json!({ "type": "tool_result", "tool_use_id": id, "content": text });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "user", "message": { "role": "user", "content": [block] }, "toolUseResult": { "stdout": "much more" } }),
    )
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

fn boundary(uuid: &str, logical: &str) -> Value {
    let known = json!({ "trigger": "auto", "preTokens": 165_000, "postTokens": 4_000 });
    record(
        uuid,
        None,
        &json!({ "type": "system", "subtype": "compact_boundary", "logicalParentUuid": logical, "compactMetadata": known }),
    )
}

fn summary(uuid: &str, parent: &str) -> Value {
    let message = json!({ "role": "user", "content": "This session is being continued: we looked at the parser." });
    record(
        uuid,
        Some(parent),
        &json!({ "type": "user", "isCompactSummary": true, "message": message }),
    )
}

#[test]
fn a_compaction_is_stepped_over_and_its_summary_is_nobodys_words() {
    for logical in ["a1", "gone", "u2"] {
        let file = lines(&[
            person("u1", None, "Before"),
            reply("a1", "u1", "m1", &words("Yes."), 5),
            boundary("b", logical),
            summary("c", "b"),
            person("u2", Some("c"), "After"),
            reply("a2", "u2", "m2", &words("Still."), 5),
        ]);
        let expected = [
            "== s1||/project",
            "person: Before",
            "model: Yes.",
            "compacted auto Some(165000) Some(4000): Some(\"This session is being continued: we looked at the parser.\")",
            "person: After",
            "model: Still.",
        ];
        assert_eq!(listing(&file), expected, "logical parent: {logical}");
    }
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
        "A real question",
    ];
    let mut records = vec![person("u0", None, "Begin")];
    for (at, text) in texts.iter().enumerate() {
        records.push(person(&format!("u{}", at + 1), Some(&format!("u{at}")), text));
    }
    let meta = json!({ "type": "user", "isMeta": true, "message": { "role": "user", "content": "Caveat" } });
    records.push(record("m1", Some("u8"), &meta));
    let origin = json!({ "type": "user", "origin": { "kind": "task-notification" }, "message": { "role": "user", "content": "x" } });
    records.push(record("m2", Some("m1"), &origin));
    let companion = json!({ "type": "user", "turnCompanion": true, "message": { "role": "user", "content": "y" } });
    records.push(record("m3", Some("m2"), &companion));
    assert_eq!(
        listing(&lines(&records))[1..],
        ["person: Begin", "person: the parser", "person: A real question"]
    );
}

#[test]
fn copies_in_a_fork_and_beside_the_conversation_cost_nothing_more() {
    let original = vec![
        person("u1", None, "One"),
        reply("a1", "u1", "m1", &words("1"), 10),
        person("u2", Some("a1"), "Two"),
        reply("a2", "u2", "m2", &words("2"), 20),
    ];
    let mut fork = original.clone();
    fork.push(person("u3", Some("a2"), "Three"));
    fork.push(reply("a3", "u3", "m3", &words("3"), 30));
    let mut aside = reply("x1", "u1", "m1", &words("1"), 10);
    aside["isSidechain"] = json!(true);
    aside["requestId"] = json!("another");
    let mut reader = Reader::default();
    for file in [lines(&[aside]), lines(&original), lines(&fork)] {
        let _ = reader.read(&file, &mut |_| {});
    }
    assert_eq!(sum(&reader.ledger().requests()), [3_000, 600, 15, 60]);
}

#[test]
fn what_was_never_sent_costs_nothing() {
    let mut synthetic = reply("a1", "u1", "m1", &words("API Error"), 10);
    synthetic["message"]["model"] = json!("<synthetic>");
    synthetic["isApiErrorMessage"] = json!(true);
    let file = lines(&[person("u1", None, "Hi"), synthetic]);
    assert_eq!(listing(&file)[1..], ["person: Hi"]);
    assert_eq!(usage(&file), [0; 4]);
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

/// A line of Codex in its envelope.
fn enveloped(kind: &str, payload: &Value) -> Value {
    json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload })
}

fn codex_user(text: &str) -> [Value; 2] {
    let content = json!([{ "type": "input_text", "text": text }]);
    [
        enveloped(
            "response_item",
            &json!({ "type": "message", "role": "user", "content": content }),
        ),
        enveloped("event_msg", &json!({ "type": "user_message", "message": text })),
    ]
}

fn codex_model(text: &str) -> [Value; 2] {
    let content = json!([{ "type": "output_text", "text": text }]);
    [
        enveloped("event_msg", &json!({ "type": "agent_message", "message": text })),
        enveloped(
            "response_item",
            &json!({ "type": "message", "role": "assistant", "content": content }),
        ),
    ]
}

fn codex_tokens(total: u64, last: u64) -> Value {
    let usage = |tokens: u64| json!({ "input_tokens": tokens, "cached_input_tokens": tokens / 2, "output_tokens": 10, "total_tokens": tokens + 10 });
    let mut all = usage(total);
    all["total_tokens"] = json!(total);
    all["output_tokens"] = json!(total / 100);
    enveloped(
        "event_msg",
        &json!({ "type": "token_count", "info": { "total_token_usage": all, "last_token_usage": usage(last) } }),
    )
}

fn codex_head(id: &str, more: &Value) -> Value {
    let mut meta = json!({ "id": id, "cwd": "/project", "timestamp": "2026-05-01T10:00:00Z" });
    meta.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    enveloped("session_meta", &meta)
}

#[test]
fn a_rollout_says_each_thing_once() {
    let mut records = vec![codex_head("c1", &json!({}))];
    let injected = json!([{ "type": "input_text", "text": "<environment_context>linux</environment_context>" }]);
    records.push(enveloped(
        "response_item",
        &json!({ "type": "message", "role": "user", "content": injected }),
    ));
    records.extend(codex_user("Fix the test"));
    records.push(enveloped("response_item", &json!({ "type": "function_call", "name": "shell", "arguments": "{\"cmd\":\"ls\"}", "call_id": "k1" })));
    records.push(enveloped(
        "response_item",
        &json!({ "type": "function_call_output", "call_id": "k1", "output": "a.rs" }),
    ));
    records.extend(codex_model("Fixed."));
    records.push(codex_tokens(1_000, 1_000));
    records.push(codex_tokens(1_000, 1_000));
    records.push(enveloped("event_msg", &json!({ "type": "token_count", "info": null })));
    records.push(codex_tokens(3_000, 2_000));
    let file = lines(&records);
    let expected = [
        "== c1||/project",
        "person: Fix the test",
        "call k1: shell {\"cmd\":\"ls\"}",
        "result k1: a.rs",
        "model: Fixed.",
    ];
    assert_eq!(listing(&file), expected);
    assert_eq!(usage(&file), [1_500, 0, 1_500, 20]);
}

#[test]
fn bare_and_paginated_rollouts_are_read_too() {
    let bare = lines(&[
        json!({ "id": "c0", "timestamp": "2025-06-01T10:00:00Z", "instructions": null, "git": {} }),
        json!({ "record_type": "state" }),
        json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "<user_instructions>x</user_instructions>" }] }),
        json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Old words" }] }),
        json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Old reply" }] }),
    ]);
    assert_eq!(listing(&bare), ["== c0||", "person: Old words", "model: Old reply"]);
    let item = |kind: &str, text: &str| {
        let item =
            json!({ "type": kind, "id": "i", "content": [{ "type": "text", "text": text }] });
        enveloped("event_msg", &json!({ "type": "item_completed", "item": item }))
    };
    let mut records = vec![
        codex_head("c2", &json!({ "history_mode": "paginated" })),
        item("UserMessage", "New words"),
    ];
    records.push(codex_model("New reply")[1].clone());
    records.push(item("AgentMessage", "New reply"));
    assert_eq!(
        listing(&lines(&records)),
        ["== c2||/project", "person: New words", "model: New reply"]
    );
}

#[test]
fn turns_are_taken_back_over_a_compaction() {
    let mut records = vec![codex_head("c3", &json!({}))];
    for turn in 1..=3 {
        records.extend(codex_user(&format!("Turn {turn}")));
        records.extend(codex_model(&format!("Reply {turn}")));
        records.push(codex_tokens(turn * 1_000, 1_000));
        if turn == 2 {
            records.push(enveloped(
                "compacted",
                &json!({ "message": "We did two turns.", "replacement_history": [] }),
            ));
        }
    }
    records.push(enveloped("event_msg", &json!({ "type": "thread_rolled_back", "num_turns": 2 })));
    records.extend(codex_user("Turn 4"));
    records.push(enveloped("compacted", &json!({ "message": "", "replacement_history": [{ "type": "compaction", "encrypted_content": "x" }] })));
    let expected = [
        "== c3||/project",
        "person: Turn 1",
        "model: Reply 1",
        "compacted  Some(1000) None: Some(\"We did two turns.\")",
        "person: Turn 4",
        "compacted  Some(1000) None: None",
    ];
    assert_eq!(listing(&lines(&records)), expected);
}

#[test]
fn a_fork_that_tells_its_parent_again_costs_only_its_own() {
    let parent =
        [codex_user("One").to_vec(), vec![codex_tokens(1_000, 1_000), codex_tokens(3_000, 2_000)]]
            .concat();
    let own = [codex_user("Two").to_vec(), vec![codex_tokens(4_000, 1_000)]].concat();
    let head = codex_head("p", &json!({}));
    let spawned =
        json!({ "source": { "subagent": { "thread_spawn": { "parent_thread_id": "p" } } } });
    for child in [codex_head("k", &json!({ "forked_from_id": "p" })), codex_head("k", &spawned)] {
        let files = [
            lines(&[vec![child, head.clone()], parent.clone(), own.clone()].concat()),
            lines(&[vec![head.clone()], parent.clone()].concat()),
        ];
        let mut reader = Reader::default();
        for file in &files {
            reader.read(file, &mut |_| {}).unwrap();
        }
        assert_eq!(sum(&reader.ledger().requests()), [2_000, 0, 2_000, 30]);
    }
}

#[test]
fn opencode_tells_calls_with_results_and_its_summaries() {
    let export = json!({
        "info": { "id": "ses_1", "title": "Parser", "directory": "/project" },
        "messages": [
            { "info": { "id": "m1", "role": "user", "time": { "created": 1_767_225_600_000_i64 } },
              "parts": [{ "type": "text", "text": "Go" }, { "type": "text", "text": "note", "synthetic": true }] },
            { "info": { "id": "m2", "role": "assistant", "modelID": "m", "tokens": { "input": 10, "output": 5, "reasoning": 2, "cache": { "read": 100, "write": 20 } } },
              "parts": [
                { "type": "tool", "callID": "k", "tool": "read", "state": { "status": "completed", "input": { "path": "a" }, "output": "text", "time": { "start": 1, "end": 2, "compacted": 3 } } },
                { "type": "step-finish" },
                { "type": "text", "text": "Done" }] },
            { "info": { "id": "m3", "role": "user" }, "parts": [{ "type": "compaction", "auto": true }] },
            { "info": { "id": "m4", "role": "assistant", "summary": true }, "parts": [{ "type": "text", "text": "A summary" }] }
        ]
    });
    let file = export.to_string().into_bytes();
    let expected = [
        "== ses_1|Parser|/project",
        "person: Go",
        "call k: read {\"path\":\"a\"}",
        "result k: text",
        "model: Done",
        "compacted  None None: Some(\"A summary\")",
    ];
    assert_eq!(listing(&file), expected);
    assert_eq!(usage(&file), [100, 20, 10, 7]);
}

#[test]
fn gemini_messages_grow_and_are_taken_back() {
    let message = |id: &str, kind: &str, text: &str| json!({ "id": id, "type": kind, "content": text, "timestamp": "2026-05-01T10:00:00Z", "tokens": { "input": 100, "cached": 60, "output": 7, "thoughts": 3 } });
    let head = json!({ "sessionId": "g", "projectHash": "p", "startTime": "2026-05-01T10:00:00Z" });
    let grown = [
        head.clone(),
        message("1", "user", "Hi"),
        message("2", "gemini", "He"),
        message("2", "gemini", "Hello"),
        message("3", "info", "note"),
    ];
    assert_eq!(listing(&lines(&grown)), ["== g||", "person: Hi", "model: Hello"]);
    let back = |id: &str| {
        [grown.to_vec(), vec![json!({ "$rewindTo": id }), message("4", "user", "Else")]].concat()
    };
    assert_eq!(listing(&lines(&back("2"))), ["== g||", "person: Hi", "person: Else"]);
    assert_eq!(listing(&lines(&back("unknown"))), ["== g||", "person: Else"]);
    let set = [
        grown.to_vec(),
        vec![json!({ "$set": { "messages": [message("9", "user", "All new")] } })],
    ]
    .concat();
    assert_eq!(listing(&lines(&set)), ["== g||", "person: All new"]);
    let whole = json!({ "sessionId": "g", "projectHash": "p", "messages": [message("1", "user", "Hi"), message("2", "gemini", "Hello")] });
    let whole = whole.to_string().into_bytes();
    assert_eq!(listing(&whole), ["== g||", "person: Hi", "model: Hello"]);
    assert_eq!(usage(&whole), [120, 0, 80, 20]);
}

#[test]
fn a_usage_only_reading_needs_no_words() {
    let mut aside = reply("x1", "x0", "m9", &call("t"), 10);
    aside["isSidechain"] = json!(true);
    let mut reader = Reader::default();
    reader.read_usage(&lines(&[aside])).unwrap();
    assert_eq!(sum(&reader.ledger().requests()), [1_000, 200, 5, 10]);
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
