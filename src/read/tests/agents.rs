//! Coding agents: Codex, opencode, Gemini.

use serde_json::{Value, json};

use super::{Event, kept_beside, lines, listing, sum, told, usage};
use crate::read::Reader;

/// A line of Codex in its envelope.
pub(super) fn enveloped(kind: &str, payload: &Value) -> Value {
    json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload })
}

pub(super) fn codex_user(text: &str) -> [Value; 2] {
    let content = json!([{ "type": "input_text", "text": text }]);
    [
        enveloped(
            "response_item",
            &json!({ "type": "message", "role": "user", "content": content }),
        ),
        enveloped("event_msg", &json!({ "type": "user_message", "message": text })),
    ]
}

pub(super) fn codex_model(text: &str) -> [Value; 2] {
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

pub(super) fn codex_head(id: &str, more: &Value) -> Value {
    let mut meta = json!({ "id": id, "cwd": "/project", "timestamp": "2026-05-01T10:00:00Z" });
    meta.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    enveloped("session_meta", &meta)
}

#[test]
fn a_history_that_replaces_the_one_before_is_left_in_the_window() {
    let said = |role: &str, text: &str| json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": text }] });
    let call =
        json!({ "type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}" });
    let history = json!([said("developer", "Rules"), said("user", "Keep 45 s."), said("assistant", "I do."), call, said("user", "It was summarised so:\n\nWe talked.\n"), { "type": "compaction" }]);
    let file = lines(&[
        enveloped("session_meta", &json!({ "id": "s1" })),
        codex_user("Keep 45 s.")[0].clone(),
        codex_user("Keep 45 s.")[1].clone(),
        enveloped("compacted", &json!({ "message": "We talked.", "replacement_history": history })),
    ]);
    assert_eq!(kept_beside(&file), ["person: Keep 45 s.", "model: I do.", "call c: shell {}"]);
}

#[test]
fn where_codex_does_not_tell_what_stays_it_is_what_the_person_said() {
    let head = enveloped("session_meta", &json!({ "id": "s1" }));
    let compacted = enveloped("compacted", &json!({ "message": "We talked." }));
    let said = [codex_user("Keep 45 s."), codex_model("I do."), codex_user("Port 7443.")];
    let file = lines(&[vec![head], said.concat(), vec![compacted]].concat());
    assert_eq!(kept_beside(&file), ["person: Keep 45 s.", "person: Port 7443."]);
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
    // Outside of a repository nothing is told of one.
    for head in [
        json!({ "id": "c0", "timestamp": "2025-06-01T10:00:00Z", "instructions": null, "git": {} }),
        json!({ "id": "c0", "timestamp": "2025-06-01T10:00:00Z", "instructions": null }),
    ] {
        let bare = lines(&[
            head,
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "<user_instructions>x</user_instructions>" }] }),
            json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "Old words" }] }),
            json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Old reply" }] }),
            json!({ "record_type": "state" }),
        ]);
        assert_eq!(listing(&bare), ["== c0||", "person: Old words", "model: Old reply"]);
    }
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
fn turns_are_taken_back_within_what_is_taken_back() {
    let mut records = vec![codex_head("c4", &json!({}))];
    let back = |turns: u64| {
        enveloped("event_msg", &json!({ "type": "thread_rolled_back", "num_turns": turns }))
    };
    for step in [1, 2, -1, 3, 4, -2, 5, -9, 6, 7, 8, -1, -1, 9_i64] {
        match u64::try_from(step) {
            Ok(turn) => records.extend(codex_user(&format!("Turn {turn}"))),
            Err(_) => records.push(back(step.unsigned_abs())),
        }
    }
    assert_eq!(listing(&lines(&records)), ["== c4||/project", "person: Turn 6", "person: Turn 9"]);
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
        assert_eq!(sum(&reader.ledger().requests().0), [2_000, 0, 2_000, 30]);
    }
}

#[test]
fn a_fork_tells_of_its_parent_nothing_again_in_whatever_order_they_are_read() {
    let turn = |asked: &str, id: &str, replied: &str| {
        let call =
            json!({ "type": "function_call", "name": "ls", "arguments": "{}", "call_id": id });
        let answer = json!({ "type": "function_call_output", "call_id": id, "output": "a.rs" });
        let tools = [call, answer].map(|item| enveloped("response_item", &item));
        [&codex_user(asked)[..], &tools, &codex_model(replied)].concat()
    };
    let parent = [turn("One", "k1", "First"), turn("Go on", "k2", "Second")].concat();
    let head = codex_head("p", &json!({}));
    let fork = |id: &str, own: Vec<Value>| {
        let again = parent.iter().map(|line| {
            let mut line = line.clone();
            line["timestamp"] = json!("2026-05-02T10:00:00Z");
            line
        });
        let fork = codex_head(id, &json!({ "forked_from_id": "p" }));
        lines(&[vec![fork, head.clone()], again.collect(), own].concat())
    };
    let parent_file =
        lines(&[vec![head.clone()], parent.clone(), turn("End", "k3", "Ended")].concat());
    // Another reply to what the parent's person said next is the fork's own, with what it replies to.
    let forks = [
        fork("f1", turn("Go on", "k4", "Done")),
        fork("f2", turn("End", "k5", "Otherwise")),
        fork("f3", Vec::new()),
    ];
    let of = |file: &[u8], reader: &mut Reader| {
        let mut told = Vec::new();
        let mut copied = String::new();
        let outcome = reader.read(&file.to_vec(), &mut |event| match event {
            Event::Copied(event) => copied += &super::line(&event),
            event => told.push(super::line(&event)),
        });
        // Its window holds them all the same.
        let is_copy = told.len() < 6 && !told.is_empty();
        assert!(!is_copy || copied.contains("Second") && copied.contains("One"), "{copied}");
        (told, outcome.unwrap().tally.skipped.get("said in another file already").copied())
    };
    let own = |id: &str, asked: &str, call: &str, replied: &str| {
        let (person, model) = (format!("person: {asked}"), format!("model: {replied}"));
        let (call, result) = (format!("call {call}: ls {{}}"), format!("result {call}: a.rs"));
        vec![format!("== {id}||/project"), person, call, result, model]
    };
    let mut reader = Reader::default();
    assert_eq!(of(&parent_file, &mut reader).0.len(), 13);
    assert_eq!(of(&forks[0], &mut reader), (own("f1", "Go on", "k4", "Done"), Some(8)));
    assert_eq!(of(&forks[1], &mut reader), (own("f2", "End", "k5", "Otherwise"), Some(8)));
    assert_eq!(of(&forks[2], &mut reader), (Vec::new(), Some(8)));
    let mut reader = Reader::default();
    assert_eq!(of(&forks[0], &mut reader).0.len(), 13);
    assert_eq!(of(&forks[1], &mut reader), (own("f2", "End", "k5", "Otherwise"), Some(8)));
    assert_eq!(of(&parent_file, &mut reader), (own("p", "End", "k3", "Ended"), Some(8)));
    // What another conversation says in the same words is no copy.
    let stranger = lines(&[vec![codex_head("s", &json!({}))], parent].concat());
    assert_eq!(of(&stranger, &mut reader).0.len(), 9);
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
        // The last request before it tells how much stood in the window.
        "compacted auto Some(130) None: Some(\"A summary\")",
    ];
    assert_eq!(listing(&file), expected);
    assert_eq!(usage(&file), [100, 20, 10, 7]);
}

#[test]
fn opencode_is_known_however_much_was_changed_for_its_first_message() {
    let diffs = json!([{ "file": "a.rs", "before": "x".repeat(100_000), "after": "y" }]);
    let info = json!({ "id": "m1", "role": "user", "summary": { "diffs": diffs } });
    let message = json!({ "info": info, "parts": [{ "type": "text", "text": "Go" }] });
    let export = json!({ "info": { "id": "s" }, "messages": [message] });
    assert_eq!(listing(export.to_string().as_bytes())[1..], ["person: Go"]);
}

#[test]
fn the_title_that_all_sessions_of_opencode_begin_with_is_none() {
    for (title, told) in [
        ("New session - 2025-06-01T10:00:00.000Z", ""),
        ("Child session - 2025-06-01T10:00:00.000Z", ""),
        ("New session - with the lawyers", "New session - with the lawyers"),
    ] {
        let message =
            json!({ "info": { "role": "user" }, "parts": [{ "type": "text", "text": "Hi" }] });
        let file = json!({ "info": { "id": "s", "title": title }, "messages": [message] });
        assert_eq!(listing(file.to_string().as_bytes())[0], format!("== s|{told}|"));
    }
}

#[test]
fn messages_of_opencode_stand_in_the_order_in_which_they_were_made() {
    let message = |id: &str, role: &str, at: Option<i64>| {
        let time = at.map_or(json!({}), |at| json!({ "created": at }));
        json!({ "info": { "id": id, "role": role, "time": time }, "parts": [{ "type": "text", "text": id }] })
    };
    let said = |messages: Value| {
        let export = json!({ "info": { "id": "s" }, "messages": messages });
        listing(&export.to_string().into_bytes())[1..].concat()
    };
    let (first, then) = (1_767_225_600_000, 1_767_225_601_000);
    let late = |at| message("reply", "assistant", at);
    let early = message("question", "user", Some(first));
    assert_eq!(said(json!([late(Some(then)), early])), "person: questionmodel: reply");
    assert_eq!(said(json!([late(None), early])), "model: replyperson: question");
}

#[test]
fn a_message_of_opencode_that_cannot_be_read_is_skipped_alone() {
    let message = |role: &str, part: &str| {
        format!(r#"{{ "info": {{ "role": "{role}" }}, "parts": [{{ "type": "text", {part} }}] }}"#)
    };
    let [hi, no, yes] = [
        message("user", r#""text": "Hi""#),
        message("assistant", r#""text": "No", "score": 1e999"#),
        message("assistant", r#""text": "Yes \ud83d""#),
    ];
    let once = r#""info": { "id": "s" }"#;
    // What is told twice is told last.
    let twice = r#""info": { "id": "r" }, "info": { "id": "s" }"#;
    for (info, messages) in [(once, [&hi, &no, &yes].as_slice()), (twice, &[&hi, &yes])] {
        let messages: Vec<&str> = messages.iter().map(|one| one.as_str()).collect();
        let file = format!("{{ {info}, \"messages\": [{}] }}", messages.join(","));
        assert_eq!(listing(file.as_bytes()), ["== s||", "person: Hi", "model: Yes \u{fffd}"]);
    }
}

#[test]
fn opencode_keeps_the_last_messages_beside_its_summary() {
    let said = |id: &str, role: &str, part: Value| json!({ "info": { "id": id, "role": role }, "parts": [part] });
    let words = |text: &str| json!({ "type": "text", "text": text });
    for (tail, expected) in [
        (json!("m2"), &["model: Yes.", "person: Last"][..]),
        (json!("gone"), &[]),
        (Value::Null, &[]),
    ] {
        let mut summary = said("m5", "assistant", words("A summary"));
        summary["info"]["summary"] = json!(true);
        let messages = [
            said("m1", "user", words("First")),
            said("m2", "assistant", words("Yes.")),
            said("m3", "user", words("Last")),
            said(
                "m4",
                "user",
                json!({ "type": "compaction", "auto": true, "tail_start_id": tail }),
            ),
            summary,
        ];
        let file = json!({ "info": { "id": "s" }, "messages": messages }).to_string();
        assert_eq!(kept_beside(file.as_bytes()), expected, "{tail}");
    }
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
    let (_, outcome, requests) = told(&lines(&back("2"))).unwrap();
    // What was taken back was paid for, and is not used.
    assert_eq!(requests.len(), told(&lines(&grown)).unwrap().2.len() + 1);
    assert_eq!(outcome.tally.used(), 2, "{}", outcome.tally);
    assert_eq!(listing(&lines(&back("unknown"))), ["== g||", "person: Else"]);
    let set = [
        grown.to_vec(),
        vec![json!({ "$set": { "messages": [message("9", "user", "All new")] } })],
    ]
    .concat();
    assert_eq!(listing(&lines(&set)), ["== g||", "person: All new"]);
    let named =
        json!({ "$set": { "summary": "A greeting", "lastUpdated": "2026-05-01T10:01:00Z" } });
    let titled = [&grown[..], &[named]].concat();
    assert_eq!(listing(&lines(&titled)), ["== g|A greeting|", "person: Hi", "model: Hello"]);
    let headless = lines(&[&grown[1..], &[json!({ "$of-tomorrow": 1 })]].concat());
    assert_eq!(listing(&headless), ["== ||", "person: Hi", "model: Hello"]);
    assert_eq!(told(&headless).unwrap().1.tally.skipped.get("metadata"), None);
    let mut thinking = message("2", "gemini", "");
    thinking["content"] = json!([{ "text": "Hm.", "thought": true }, { "text": "Hello" }]);
    let whole = json!({ "sessionId": "g", "projectHash": "p", "messages": [message("1", "user", "Hi"), thinking] });
    let whole = whole.to_string().into_bytes();
    assert_eq!(listing(&whole), ["== g||", "person: Hi", "model: Hello"]);
    assert_eq!(usage(&whole), [120, 0, 80, 20]);
    let mut thought = grown.to_vec();
    thought[3]["thoughts"] = json!([{ "subject": "a" }, { "subject": "b" }]);
    assert_eq!(told(&lines(&thought)).unwrap().1.tally.skipped["thinking"], 2);
}

#[test]
fn running_totals_of_codex_that_begin_anew_tell_each_request_whole() {
    let tokens = |[input, cached, output, all]: [u64; 4]| json!({ "input_tokens": input, "cached_input_tokens": cached, "output_tokens": output, "total_tokens": all });
    let line = |total, last| {
        let info = json!({ "total_token_usage": tokens(total), "last_token_usage": tokens(last) });
        enveloped("event_msg", &json!({ "type": "token_count", "info": info }))
    };
    let first = [9_000, 8_000, 100, 9_100];
    for between in [
        None,
        // The window overflowed: the total is filled up.
        Some(line([0, 0, 0, 258_400], [0, 0, 0, 249_300])),
    ] {
        let second = [9_600, 8_960, 120, 9_720];
        let mut records = vec![codex_head("c1", &json!({}))];
        records.extend(codex_user("Go on."));
        records.push(line(first, first));
        records.extend(between);
        records.extend([line(second, second), line(second, second)]);
        records.push(line([19_700, 17_960, 220, 19_920], [10_100, 9_000, 100, 10_200]));
        assert_eq!(usage(&lines(&records)), [25_960, 0, 2_740, 320]);
    }
}

#[test]
fn two_sessions_that_are_called_alike_and_took_as_much_are_two() {
    let at = |mut record: Value, at: &str| {
        record["timestamp"] = json!(at);
        record
    };
    let session = |id: &str, day: &str| {
        let mut records = vec![codex_head(id, &json!({}))];
        records.extend(codex_user("Run the checks."));
        records.extend([codex_tokens(1_000, 1_000), codex_tokens(3_000, 2_000)]);
        lines(&records.into_iter().map(|record| at(record, day)).collect::<Vec<_>>())
    };
    let [one, other] = ["1", "2"].map(|nth| format!("01990000-0000-7000-8000-00000000000{nth}"));
    let cost = |files: &[Vec<u8>]| {
        let mut reader = Reader::default();
        for file in files {
            reader.read(file, &mut |_| {}).unwrap();
        }
        reader.ledger().requests().0.len()
    };
    let (monday, tuesday) = ("2026-05-04T10:00:00Z", "2026-05-05T10:00:00Z");
    assert_eq!(cost(&[session(&one, monday), session(&other, tuesday)]), 4);
    assert_eq!(cost(&[session(&one, monday), session(&one, tuesday)]), 2, "a copy of it");
    assert_eq!(cost(&[session(&one, monday), session(&other, monday)]), 2, "its name is damaged");
}
