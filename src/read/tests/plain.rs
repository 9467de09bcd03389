//! Dialogues without a program's own ways: ShareGPT, fine-tuning files, logs, Markdown, Aider, SillyTavern.

use serde_json::{Value, json};

use super::{lines, listing, told};
use crate::read::value::list;
use crate::read::{Event, Reader, exported};

#[test]
fn sharegpt_openai_and_plain_logs_are_dialogues() {
    let sharegpt = json!({ "id": "x", "conversations": [{ "from": "system", "value": "s" }, { "from": "human", "value": "Hi" }, { "from": "gpt", "value": "Hello" }] });
    let call =
        json!([{ "id": "k", "type": "function", "function": { "name": "f", "arguments": "{}" } }]);
    let openai = json!({ "id": "x", "messages": [
        { "role": "user", "content": [{ "type": "text", "text": "Hi" }] },
        { "role": "assistant", "content": null, "tool_calls": call },
        { "role": "tool", "tool_call_id": "k", "content": "1" },
        { "role": "assistant", "content": "Hello" }] });
    let long = ["== x||", "person: Hi", "call k: f {}", "result k: 1", "model: Hello"];
    for (record, expected) in
        [(sharegpt, vec!["== x||", "person: Hi", "model: Hello"]), (openai, long.to_vec())]
    {
        for file in [
            lines(std::slice::from_ref(&record)),
            json!([record]).to_string().into_bytes(),
            serde_json::to_vec_pretty(&record).unwrap(),
        ] {
            assert_eq!(listing(&file), expected);
            let read = told(&file).unwrap().1.tally.read;
            assert_eq!(read as usize, list(&record, "messages").len().max(3), "its turns alone");
        }
    }
    let ours = [
        json!({ "role": "user", "content": "Hi", "ts": "2026-01-01T10:00:00" }),
        json!({ "role": "assistant", "content": "Hello" }),
    ];
    for file in [lines(&ours), Value::from(ours.to_vec()).to_string().into_bytes()] {
        assert_eq!(listing(&file), ["== 1||", "person: Hi", "model: Hello"]);
    }
}

#[test]
fn calls_are_read_in_whatever_way_they_are_written() {
    let asked = json!({ "role": "user", "content": "Which files?" });
    let replied = json!({ "role": "assistant", "content": "a.rs" });
    let block = |kind: &str, more: Value| {
        let mut block = json!({ "type": kind });
        block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        block
    };
    let words = |text: &str| block("text", json!({ "text": text }));
    let function = json!({ "name": "ls", "arguments": "{}" });
    let called = block("tool_use", json!({ "id": "k", "name": "ls", "input": {} }));
    let answered = block("tool_result", json!({ "tool_use_id": "k", "content": [words("a.rs")] }));
    let legacy = [
        json!({ "role": "assistant", "content": null, "function_call": function }),
        json!({ "role": "function", "name": "ls", "content": "a.rs" }),
    ];
    let blocks = [
        json!({ "role": "assistant", "content": [called] }),
        json!({ "role": "user", "content": [answered] }),
    ];
    let said = json!({ "from": "function_call", "value": function.to_string() });
    let spoken = [said, json!({ "from": "observation", "value": "a.rs" })];
    for (turns, id, arguments) in [
        (legacy, "", "{}".to_owned()),
        (blocks, "k", "{}".to_owned()),
        (spoken, "", function.to_string()),
    ] {
        let (first, last) = (std::slice::from_ref(&asked), std::slice::from_ref(&replied));
        let all = [first, &turns[..], last].concat();
        let file = lines(&[json!({ "messages": all })]);
        let expected = [
            "person: Which files?".to_owned(),
            format!("call {id}: ls {arguments}"),
            format!("result {id}: a.rs"),
            "model: a.rs".to_owned(),
        ];
        assert_eq!(listing(&file)[1..], expected);
        assert_eq!(told(&file).unwrap().1.tally.to_string(), "read 4, used 4, skipped 0");
    }
    let refused = json!({ "role": "assistant", "content": null, "refusal": "I cannot." });
    assert_eq!(listing(&lines(&[asked.clone(), refused]))[2], "model: I cannot.");
    let both = json!({ "role": "user", "content": [answered, words("And now?")] });
    assert_eq!(listing(&lines(&[both]))[1..], ["result k: a.rs", "person: And now?"]);
}

#[test]
fn a_role_is_read_in_any_letters_and_one_that_nobody_knows_is_told_by_its_name() {
    let said = |role: &str| json!({ "role": role, "content": "Hi" });
    let roles = ["User", "ASSISTANT", "Bot", "narrator", "System", ""];
    let file = lines(&roles.map(said));
    assert_eq!(listing(&file)[1..], ["person: Hi", "model: Hi", "model: Hi"]);
    let tally = told(&file).unwrap().1.tally;
    let expected = "read 6, used 3, skipped 3 (1 narrator, 1 system, 1 without a role)";
    assert_eq!(tally.to_string(), expected);
}

#[test]
fn what_has_neither_words_nor_a_picture_is_counted() {
    let said = |content: Value| json!({ "role": "user", "content": content });
    let file = lines(&[said(json!("Hi")), said(json!("")), said(json!([{ "type": "odd" }]))]);
    assert_eq!(listing(&file)[1..], ["person: Hi"]);
    let tally = told(&file).unwrap().1.tally;
    assert_eq!(tally.to_string(), "read 3, used 1, skipped 2 (2 without words)");
}

#[test]
fn aider_sessions_are_told_apart() {
    let history = "\n# aider chat started at 2025-03-01 09:15:00\n\n> Model: x\n\n#### fix the parser  \n#### and the tests  \n\n# Plan\n\nFirst this.\n\nThen that.\n\n> Tokens: 12k sent\n\n#### /run ls\n#### !ls -la\n# aider chat started at 2025-03-02 10:00:00\n\n#### stop\n\n> ^C again to exit\n\n#### hello\n\nHi.\n";
    let expected = [
        "== ||",
        "person: fix the parser\nand the tests",
        "model: # Plan\n\nFirst this.\n\nThen that.",
        "== ||",
        "person: stop",
        "person: hello",
        "model: Hi.",
    ];
    assert_eq!(listing(history.as_bytes()), expected);
}

#[test]
fn what_aider_says_that_its_requests_took_is_counted_once() {
    let history = "# aider chat started at 2025-03-01 09:15:00\n\n> Model: x\n>  \n\n#### hello\n\nHi.\n\n> Tokens: 12k sent, 2k cache write, 3.5k cache hit, 1.2k received. Cost: $0.03 message, $0.10 session.\n> \n#### more\n\nYes.\n\n> Tokens: 900 sent, 20 received.\n> Tokens: 1,250 sent, 5 received.\n";
    let expected = ["== ||", "person: hello", "model: Hi.", "person: more", "model: Yes."];
    assert_eq!(listing(history.as_bytes()), expected);
    let mut reader = crate::read::Reader::default();
    for _ in 0..2 {
        let outcome = reader.read(&history.as_bytes().to_vec(), &mut |_| {}).unwrap();
        assert_eq!(outcome.tally.skipped["tool line"], 3);
    }
    let used = reader.ledger().requests().0;
    let counts = used.iter().map(|one| [one.read, one.written, one.uncached, one.output]);
    let expected = [[3_500, 2_000, 6_500, 1_200], [0, 0, 900, 20], [0, 0, 1_250, 5]];
    assert_eq!(counts.collect::<Vec<_>>(), expected);
}

#[test]
fn an_older_copy_of_an_aider_history_tells_and_takes_nothing_more() {
    let first = "# aider chat started at 2025-03-01 09:15:00\n\n#### hello\n\nHi.\n\n> Tokens: 900 sent, 20 received.\n";
    let whole = format!(
        "{first}\n#### more\n\nYes.\n\n> Tokens: 1,250 sent, 5 received.\n# aider chat started at 2025-03-01 09:15:00\n\n#### another at once\n\nWell.\n\n> Tokens: 70 sent, 7 received.\n"
    );
    // Some end in a line that tells only a part of what was taken.
    for copied in [first.len(), first.len() - 4, whole.len() - 4, first.len() + 25] {
        let mut reader = Reader::default();
        let mut said = 0;
        for text in [&whole[..], &whole[..copied]] {
            let mut count = |event: Event| said += u32::from(matches!(event, Event::Said { .. }));
            reader.read(&text.as_bytes().to_vec(), &mut count).unwrap();
        }
        let used = reader.ledger().requests().0;
        let counts: Vec<_> = used.iter().map(|one| (one.uncached, one.output)).collect();
        assert_eq!(said, 6, "{copied}");
        assert_eq!(counts, [(900, 20), (1_250, 5), (70, 7)], "{copied}");
    }
}

#[test]
fn silly_tavern_tells_the_chosen_reply() {
    let header = json!({ "user_name": "Me", "character_name": "Ada", "create_date": "2024-09-28@01h02m", "chat_metadata": {} });
    let message = |mes: Value, user: bool, date: &str| json!({ "name": "x", "is_user": user, "is_system": false, "mes": mes, "send_date": date, "swipes": ["a", "b"] });
    let nested = json!({ "message": "Nested" });
    let file = lines(&[
        header,
        message(json!("Hello"), true, "September 28, 2024 1:02am"),
        message(json!("Hi!"), false, "2024-09-28T01:03:00.000Z"),
        message(nested, false, "?"),
    ]);
    assert_eq!(listing(&file), ["== |Ada|", "person: Hello", "model: Hi!", "model: Nested"]);
    let (events, ..) = super::told(&file).unwrap();
    let at = |nth: usize| match &events[nth] {
        crate::read::Event::Said { at, .. } => *at,
        other => panic!("{other:?}"),
    };
    // What names no zone is of the person's own.
    let local = crate::clock::millis_of("2024-09-28T01:02:00");
    assert_eq!((at(1), at(2), at(3)), (local, Some(1_727_485_380_000), None));
    // Newer headers name nobody.
    let named = |name: &str, is_user: bool, is_system: bool| json!({ "name": name, "is_user": is_user, "is_system": is_system, "mes": "Hi" });
    let header = json!({ "user_name": "unused", "character_name": "unused", "chat_metadata": {} });
    let said = [named("Me", true, false), named("Note", false, true), named("Ada", false, false)];
    let new = lines(&[&[header], &said[..]].concat());
    assert_eq!(listing(&new), ["== |Ada|", "person: Hi", "model: Hi"]);
    assert_eq!(listing(&lines(&said))[0], "== |Ada|", "without a header");
}

#[test]
fn markdown_speaks_by_headings_bold_words_or_names() {
    for file in [
        "# Talk\n\n## User\n\nHi\n\nthere\n\n## Assistant\n\nHello\n",
        "**You:** Hi\n\nthere\n\n**ChatGPT:** Hello\n",
        "Human: Hi\n\nthere\n\nAssistant: Hello\n",
        "_**User**_\n\nHi\n\nthere\n\n_**Assistant**_\n\nHello\n",
        "## \u{1f464} User\n\nHi\n\nthere\n\n## \u{1f916} Assistant\n\nHello\n",
    ] {
        assert_eq!(
            listing(file.as_bytes()),
            ["== ||", "person: Hi\n\nthere", "model: Hello"],
            "{file}"
        );
    }
}

#[test]
fn a_rule_between_messages_is_no_word_of_theirs() {
    let text = "# User:\n\nWhy?\n\n---\n\n# DeepSeek:\n\nOne\n---\n\n***\n\nTwo\n\n---\n\n## Me\n\n---\n\n## Grok\n\nSo.\n\n***\n";
    let told = ["person: Why?", "model: One\n---\n\n***\n\nTwo", "model: So."];
    assert_eq!(listing(text.as_bytes())[1..], told);
}

#[test]
fn of_an_own_export_in_markdown_what_was_said_is_read() {
    let file = "# Boats\n\nSession `a`, 2 turns.\n\n## Conversation\n\n### You · turn 1 · 2026-11-29T15:33:22Z\n\nHi\n\n\
                > quoted\n\n> --- Started effort: boats ---\n\n### Reply\n\n## Notes\n\nHello\n\n### You · turn 2 · not \
                answered · 2026-11-29T15:33:23Z\n\nMore\n\n### Reply, cut off\n\nWell\n\n## Efforts\n\n### boats (open)\n\nA boat.\n";
    let file = file.replace("## Notes\n\nHello", "Hello\n\n### Notes");
    let expected = [
        "== ||",
        "person: Hi\n\n> quoted",
        "model: Hello\n\n### Notes",
        "person: More",
        "model: Well",
    ];
    assert_eq!(listing(file.as_bytes()), expected);
}

#[test]
fn what_was_said_comes_back_from_an_own_export_whatever_its_lines_look_like() {
    let said = [
        "### You · turn 3\n\nnot really",
        "### Reply",
        "## Notes\n\n# User\n\n## Assistant\n\n### Boats",
        "\\### You\n\\\\# two\n\\no mark",
        "> --- Started effort: x ---\n\n> quoted",
        "```\n### You · turn 9\n# comment\n\\# kept\n```\n\nand on",
        "**You:** bold\n\nUser: plain",
    ];
    let mut file = "# T\n\nSession `a`, 2 turns.\n\n## Conversation\n\n".to_owned();
    for text in said {
        let text = exported(text);
        file.extend(["### You · turn 1\n\n", &text, "\n\n### Reply\n\n", &text, "\n\n"]);
    }
    file += "## Efforts\n\n### boats (open)\n";
    let both = |text: &&str| [format!("person: {text}"), format!("model: {text}")];
    let expected: Vec<String> = said.iter().flat_map(both).collect();
    assert_eq!(listing(file.as_bytes())[1..], expected);
    // Code that was left open ends with its message.
    assert_eq!(exported("see\n````rust\nfn"), "see\n````rust\nfn\n````");
    assert_eq!(exported("~~~\n```\na"), "~~~\n```\na\n~~~");
    assert_eq!(exported("- ```\n  a\n  ```"), "- ```\n  a\n  ```");
}

#[test]
fn code_may_begin_right_behind_the_name() {
    let code = "User: show code\n\nAssistant: ```python\nprint(1)\n```\n\nUser: thanks\n\nAssistant: ```ls``` it is\n\nUser: bye\n";
    let expected = [
        "== ||",
        "person: show code",
        "model: ```python\nprint(1)\n```",
        "person: thanks",
        "model: ```ls``` it is",
        "person: bye",
    ];
    assert_eq!(listing(code.as_bytes()), expected);
}

#[test]
fn a_heading_about_something_is_nobody() {
    let file = "## User (10:31)\n\nHi\n\n## Claude 4.5 Sonnet said:\n\nHello\n## User authentication\n## Model choice\n## ChatGPT wrote\n\nMore\n";
    let reply = "model: Hello\n## User authentication\n## Model choice";
    assert_eq!(listing(file.as_bytes()), ["== ||", "person: Hi", reply, "model: More"]);
    let prose =
        b"# Design\n\n## User authentication\n\nBy key.\n\n## Model choice\n\nThe small one.\n";
    assert!(told(prose).is_err());
}
