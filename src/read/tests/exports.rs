//! What chat services export: trees of messages in one long array.

use serde_json::{Value, json};

use super::{listing, told, usage};
use crate::read::{Bytes, Event, Reader, Speaker};

fn node(id: &str, parent: Option<&str>, children: &[&str], message: &Value) -> Value {
    json!({ "id": id, "parent": parent, "children": children, "message": message })
}

fn message(role: &str, text: &str) -> Value {
    json!({ "author": { "role": role }, "create_time": 1_750_000_000.5, "content": { "content_type": "text", "parts": [text] }, "recipient": "all", "metadata": {} })
}

/// A conversation with three branches, of which the middle one was gone on with.
fn conversation() -> Value {
    json!({
        "id": "c1", "title": null, "create_time": 1_750_000_000.0, "current_node": "a2",
        "mapping": {
            "a2": node("a2", Some("u2"), &[], &message("assistant", "Second answer")),
            "root": node("root", None, &["u1", "u2", "u3"], &Value::Null),
            "u1": node("u1", Some("root"), &["a1"], &message("user", "First try")),
            "a1": node("a1", Some("u1"), &[], &message("assistant", "First answer")),
            "u2": node("u2", Some("root"), &["a2"], &message("user", "Second try")),
            "u3": node("u3", Some("root"), &[], &message("user", "Third try")),
        }
    })
}

#[test]
fn the_branch_that_was_gone_on_with_is_read() {
    let expected = ["== c1||", "person: Second try", "model: Second answer"];
    let one = conversation();
    let behind = json!({ "accounts": [{ "id": [1] }], "conversations": [one] });
    for file in [json!([one]), one.clone(), json!({ "conversations": [one] }), behind] {
        assert_eq!(listing(file.to_string().as_bytes()), expected);
        let marked = format!("\u{feff}{file}");
        assert_eq!(listing(marked.as_bytes()), expected, "behind a byte order mark");
        assert_eq!(listing(serde_json::to_string_pretty(&file).unwrap().as_bytes()), expected);
    }
    let (_, outcome, _) = told(json!([one]).to_string().as_bytes()).unwrap();
    assert_eq!(outcome.tally.skipped["on another branch"], 3);
}

#[test]
fn a_circle_ends_and_without_an_end_the_newest_leaf_is_taken() {
    let mut circle = conversation();
    circle["mapping"]["root"]["parent"] = json!("a2");
    assert_eq!(
        listing(json!([circle]).to_string().as_bytes())[1..],
        ["person: Second try", "model: Second answer"]
    );
    let mut open = conversation();
    open.as_object_mut().unwrap().remove("current_node");
    open["mapping"]["a1"]["message"]["create_time"] = json!(1_760_000_000.0);
    assert_eq!(
        listing(json!([open]).to_string().as_bytes())[1..],
        ["person: First try", "model: First answer"]
    );
}

#[test]
fn the_newest_leaf_may_have_no_moment_of_its_own() {
    let made = |role: &str, text: &str, at: Value| {
        let mut message = message(role, text);
        message["create_time"] = at;
        message
    };
    let asked = made("user", "Q", json!(1.0));
    let old = made("assistant", "Old", json!(2.0));
    let new = made("assistant", "New", json!(3.0));
    let last = made("user", "Last", Value::Null);
    let mapping = json!({
        "u": node("u", None, &["z", "a"], &asked),
        "z": node("z", Some("u"), &[], &old),
        "a": node("a", Some("u"), &["b"], &new),
        "b": node("b", Some("a"), &[], &last),
    });
    let told = listing(json!([{ "id": "c", "mapping": mapping }]).to_string().as_bytes());
    assert_eq!(told[1..], ["person: Q", "model: New", "person: Last"]);
}

#[test]
fn a_circle_without_an_end_is_read_as_far_as_it_goes() {
    let mapping = json!({
        "u": node("u", Some("a"), &["a"], &message("user", "Hi")),
        "a": node("a", Some("u"), &["u"], &message("assistant", "Hello")),
    });
    let mut circle = json!({ "id": "c", "mapping": mapping });
    circle["mapping"]["a"]["message"]["create_time"] = json!(1_760_000_000.0);
    let told = listing(json!([circle]).to_string().as_bytes());
    assert_eq!(told, ["== c||", "person: Hi", "model: Hello"]);
}

#[test]
fn what_the_program_remembers_and_looks_up_is_counted_as_skipped() {
    let mut file = conversation();
    let mapping = file["mapping"].as_object_mut().unwrap();
    let mut parent = "a2".to_owned();
    for tool in ["bio", "web.run", "python"] {
        let mut call = message("assistant", "in");
        call["recipient"] = json!(tool);
        let mut answer = message("tool", "out");
        answer["author"]["name"] = json!(tool);
        for (kind, message) in [("call", call), ("answer", answer)] {
            let id = format!("{tool} {kind}");
            mapping.insert(id.clone(), node(&id, Some(&parent), &[], &message));
            parent = id;
        }
    }
    file["current_node"] = json!(parent);
    let (events, outcome, _) = told(json!([file]).to_string().as_bytes()).unwrap();
    let events: Vec<String> = events.iter().map(super::line).collect();
    assert_eq!(events[3..], ["call : python in", "result : out"]);
    assert_eq!((outcome.tally.skipped["bio"], outcome.tally.skipped["web.run"]), (2, 2));
}

#[test]
fn what_is_hidden_or_no_words_is_skipped() {
    let mut odd = conversation();
    let mapping = odd["mapping"].as_object_mut().unwrap();
    let mut hidden = message("user", "hidden");
    hidden["metadata"]["is_visually_hidden_from_conversation"] = json!(true);
    let mut bare = message("user", "no metadata");
    bare.as_object_mut().unwrap().remove("metadata");
    let mixed = json!({ "content_type": "multimodal_text", "parts": [{ "content_type": "image_asset_pointer", "asset_pointer": "sediment://x" }, "What is this?"] });
    let mut picture = message("user", "");
    picture["content"] = mixed;
    let mut code = message("assistant", "");
    code["content"] = json!({ "content_type": "code", "text": "print(1)" });
    code["recipient"] = json!("python");
    let mut thoughts = message("assistant", "");
    thoughts["content"] = json!({ "content_type": "thoughts", "thoughts": [] });
    let mut answer = message("tool", "1");
    answer["author"]["name"] = json!("python");
    answer["create_time"] = Value::Null;
    let chain = [
        ("h", hidden),
        ("b", bare),
        ("p", picture),
        ("c", code),
        ("o", thoughts),
        ("t", answer),
        ("e", message("assistant", "")),
    ];
    let mut parent = "a2".to_owned();
    for (id, message) in chain {
        mapping.insert(id.to_owned(), node(id, Some(&parent), &[], &message));
        id.clone_into(&mut parent);
    }
    odd["current_node"] = json!(parent);
    let expected =
        ["person: no metadata", "person: What is this?", "call : python print(1)", "result : 1"];
    assert_eq!(listing(json!([odd]).to_string().as_bytes())[3..], expected);
}

#[test]
fn many_conversations_on_one_line_are_read_one_at_a_time() {
    /// An array of so many conversations that is made while it is read.
    struct Long(usize);
    impl Bytes for Long {
        fn open(&self) -> std::io::Result<Box<dyn std::io::BufRead + '_>> {
            let item = conversation().to_string();
            let mut at = 0;
            let count = self.0;
            let pieces = std::iter::from_fn(move || {
                at += 1;
                (at <= count).then(|| format!("{}{item}", if at == 1 { "[" } else { "," }))
            });
            Ok(Box::new(std::io::BufReader::new(Pieces {
                pieces: Box::new(pieces.chain(["]".to_owned()])),
                rest: Vec::new(),
            })))
        }
    }
    struct Pieces<'a> {
        pieces: Box<dyn Iterator<Item = String> + 'a>,
        rest: Vec<u8>,
    }
    impl std::io::Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.rest.is_empty() {
                self.rest = self.pieces.next().unwrap_or_default().into_bytes();
            }
            let length = self.rest.len().min(buffer.len());
            buffer[..length].copy_from_slice(&self.rest[..length]);
            self.rest.drain(..length);
            Ok(length)
        }
    }
    let mut begun = 0;
    let mut take = |event| begun += u64::from(matches!(event, crate::read::Event::Begins { .. }));
    crate::read::Reader::default().read(&Long(2_000), &mut take).unwrap();
    assert_eq!(begun, 2_000);
}

fn claude_ai(leaf: Option<&str>) -> Value {
    let message = |uuid: &str, parent: &str, sender: &str, text: &str| json!({ "uuid": uuid, "parent_message_uuid": parent, "sender": sender, "created_at": "2026-01-01T10:00:00Z", "text": text, "content": [] });
    let mut answer =
        message("2", "1", "assistant", "```\nThis block is not shown.\n```\nFrom  the blocks");
    answer["content"] = json!([
        { "type": "thinking", "thinking": "hm" },
        { "type": "tool_use", "name": "web_search", "input": { "query": "x" } },
        { "type": "tool_result", "content": [{ "type": "text", "text": "found" }] },
        { "type": "text", "text": "From the blocks" }
    ]);
    let mut asked = message("1", "00000000-0000-4000-8000-000000000000", "human", "Read this");
    asked["attachments"] =
        json!([{ "file_name": "a.txt", "extracted_content": "x".repeat(200_000) }]);
    let other = message("3", "1", "assistant", "Another branch");
    let mut conversation = json!({ "uuid": "c", "name": "Talk", "created_at": "2026-01-01T10:00:00Z", "chat_messages": [asked, answer, other] });
    if let Some(leaf) = leaf {
        conversation["current_leaf_message_uuid"] = json!(leaf);
    }
    json!([conversation])
}

#[test]
fn claude_ai_tells_attachments_with_their_message_and_blocks_before_the_flat_text() {
    let head = ["== c|Talk|", "person: Read this", "file a.txt: 200000"];
    let answer =
        ["call : web_search {\"query\":\"x\"}", "result : found", "model: From the blocks"];
    let told = listing(claude_ai(Some("2")).to_string().as_bytes());
    assert_eq!(told, [&head[..], &answer[..]].concat());
    let told = listing(claude_ai(None).to_string().as_bytes());
    // Of answers that are as old as each other the last one counts.
    assert_eq!(told, [&head[..], &["model: Another branch"][..]].concat());
    let mut older = claude_ai(None);
    older[0]["chat_messages"][2]["created_at"] = json!("2026-01-01T09:59:59Z");
    let told = listing(older.to_string().as_bytes());
    assert_eq!(told, [&head[..], &answer[..]].concat());
    // Without branches all stands in its order, and nothing is left out where messages are missing.
    for parent in ["2", "gone"] {
        let mut plain = claude_ai(None);
        plain[0]["chat_messages"][2]["parent_message_uuid"] = json!(parent);
        let told = listing(plain.to_string().as_bytes());
        assert_eq!(told, [&head[..], &answer[..], &["model: Another branch"][..]].concat());
    }
    let mut wordless = claude_ai(Some("2"));
    wordless[0]["chat_messages"][0]["text"] = json!("");
    let told = listing(wordless.to_string().as_bytes());
    assert_eq!(told[1..3], ["person: [a.txt]", "file a.txt: 200000"]);
}

#[test]
fn claude_ai_tells_the_flat_text_where_no_block_holds_its_words() {
    let told = |flat: &str, content: Value| {
        let message =
            json!({ "uuid": "1", "sender": "assistant", "text": flat, "content": content });
        listing(json!([{ "uuid": "c", "chat_messages": [message] }]).to_string().as_bytes())
            .split_off(1)
    };
    let block = |kind: &str, words: &str| json!({ "type": kind, kind: words, "text": words });
    let two = || json!([block("text", "The tide turns at noon."), block("text", "Then we sail.")]);
    let both = ["model: The tide turns at noon.", "model: Then we sail."];
    for flat in [
        "The tide turns at noon.\n\nThen  we sail.",
        "<antArtifact>x</antArtifact> The tide turns at noon",
        "noon. Then we",
        "Then we sail. And more.",
        " ",
    ] {
        assert_eq!(told(flat, two()), both, "{flat}");
    }
    let other = "The keys hang behind the door.";
    assert_eq!(told(other, two()), [&both[..], &[&*format!("model: {other}")]].concat());
    let thought = json!([block("thinking", "Where do the keys hang?"), block("text", "Look:")]);
    assert_eq!(told("Where do the keys hang?", thought), ["model: Look:"]);
    let spoken = json!([block("voice_note", "The tide turns at noon.")]);
    assert_eq!(told("The tide turns at noon.", spoken), [both[0]], "it is told once");
}

#[test]
fn what_claude_ai_thought_is_counted_and_no_word_of_its_reply() {
    let of = |sender: &str, text: &str, content: Value| {
        let message = json!({ "uuid": "1", "sender": sender, "text": text, "content": content });
        let (events, outcome, _) =
            told(json!([{ "uuid": "c", "chat_messages": [message] }]).to_string().as_bytes())
                .unwrap();
        (super::line(&events[1]), outcome.tally.skipped.get("thinking").copied())
    };
    let old = "<antThinking>Hm.</antThinking>Here: <antArtifact>x</antArtifact> <antThinking>So.</antThinking> Done.";
    let left = "model: Here: <antArtifact>x</antArtifact>  Done.".to_owned();
    assert_eq!(of("assistant", old, json!([])), (left.clone(), Some(2)));
    assert_eq!(of("assistant", "", json!([{ "type": "text", "text": old }])), (left, Some(2)));
    assert_eq!(of("human", old, json!([])), (format!("person: {old}"), None));
    let open = "<antThinking>has no end";
    assert_eq!(of("assistant", open, json!([])), (format!("model: {open}"), None));
    let blocks =
        json!([{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "So." }]);
    assert_eq!(of("assistant", "", blocks), ("model: So.".to_owned(), Some(1)));
}

#[test]
fn open_webui_is_read_with_and_without_its_wrapper() {
    let history = json!({ "currentId": "3", "messages": {
        "1": { "id": "1", "parentId": null, "role": "user", "content": "Hi", "timestamp": 1_750_000_000 },
        "2": { "id": "2", "parentId": "1", "role": "assistant", "content": "Not this", "timestamp": 1_750_000_001, "usage": { "prompt_tokens": 9, "completion_tokens": 2 } },
        "3": { "id": "3", "parentId": "1", "role": "assistant", "content": "<details type=\"reasoning\" done>hm</details>This", "timestamp": 1_750_000_002 },
    }});
    let wrapped =
        json!([{ "id": "w", "title": "T", "chat": { "title": "T", "history": history } }]);
    let legacy = json!([{ "id": "w", "title": "T", "history": history }]);
    for file in [wrapped, legacy] {
        assert_eq!(listing(file.to_string().as_bytes()), ["== w|T|", "person: Hi", "model: This"]);
        assert_eq!(
            usage(file.to_string().as_bytes()),
            [0, 0, 9, 2],
            "what was rejected was paid for"
        );
    }
}

#[test]
fn open_webui_is_read_where_some_chats_have_the_wrapper_and_some_have_not() {
    let history = |said: &str| {
        json!({ "currentId": "1", "messages": {
            "1": { "id": "1", "parentId": null, "role": "user", "content": said },
        }})
    };
    let wrapped = |id: &str| json!({ "id": id, "chat": { "title": id, "history": history(id) } });
    let legacy = |id: &str| json!({ "id": id, "title": id, "history": history(id) });
    let beside = json!({ "id": "c", "title": "c", "chat": null, "history": history("c") });
    let (events, outcome, _) = told(
        json!([legacy("a"), wrapped("b"), beside, { "id": "d" }, legacy("e")])
            .to_string()
            .as_bytes(),
    )
    .unwrap();
    let listed: Vec<String> = events.iter().map(super::line).collect();
    let of = |id: &str| [format!("== {id}|{id}|"), format!("person: {id}")];
    assert_eq!(listed, ["a", "b", "c", "e"].map(of).concat());
    assert_eq!((outcome.tally.read, outcome.tally.used()), (5, 4));
}

#[test]
fn what_open_webui_folds_is_left_out_of_replies_and_nothing_else_is() {
    let of = |role: &str, content: &str| {
        let history = json!({ "currentId": "2", "messages": {
            "1": { "id": "1", "parentId": null, "role": "user", "content": "Hi" },
            "2": { "id": "2", "parentId": "1", "role": role, "content": content },
        }});
        let (events, outcome, _) =
            told(json!([{ "id": "w", "chat": { "history": history } }]).to_string().as_bytes())
                .unwrap();
        let said = events[2..].iter().map(super::line).collect::<String>();
        (said, outcome.tally.skipped.into_iter().collect::<Vec<_>>())
    };
    let skipped = |kind: &str, count: u64| (kind.to_owned(), count);
    let folded = "<details type=\"reasoning\" done=\"true\">\n<summary>x</summary>\n> hm\n</details>\nSo:\n<details type=\"tool_calls\" id=\"c\">\n</details>\n<details type=\"tool_calls\" id=\"d\">\n</details>\nDone.";
    let kinds = vec![skipped("thinking", 1), skipped("tool_calls", 2)];
    assert_eq!(of("assistant", folded), ("model: So:\nDone.".to_owned(), kinds));
    assert_eq!(of("user", folded), (format!("person: {folded}"), Vec::new()));
    let called = "I look.\n<details type=\"tool_calls\" name=\"search\" arguments=\"&quot;{}&quot;\" result=\"&quot;42 hits&quot;\">\n</details>\nThere are 42.";
    let told = "model: I look.call : search {}result : 42 hitsmodel: There are 42.";
    assert_eq!(of("assistant", called), (told.to_owned(), Vec::new()));
    for words in [
        "Write <details type=\"reasoning\"> so.</details> There.",
        "<details type=\"reasoning\"> has no end here.",
        "<details type=\"open\">\nx\n</details>",
        "<details>\nx\n</details>",
    ] {
        assert_eq!(of("assistant", words), (format!("model: {words}"), Vec::new()));
    }
}

#[test]
fn lm_studio_tells_the_version_that_is_selected() {
    let version = |text: &str| json!({ "type": "singleStep", "role": "user", "content": [{ "type": "text", "text": text }] });
    let thinking = json!({ "type": "contentBlock", "style": { "type": "thinking" }, "content": [{ "type": "text", "text": "Hm." }] });
    let answer =
        json!({ "type": "contentBlock", "content": [{ "type": "text", "text": "Answer" }] });
    let steps = [thinking, answer];
    let file = json!({ "name": "Talk", "messages": [
        { "versions": [version("one"), version("two"), version("three")], "currentlySelected": 1 },
        { "versions": [{ "type": "multiStep", "role": "assistant", "steps": steps }], "currentlySelected": 0 },
        { "versions": [{ "type": "singleStep", "role": "system", "content": [{ "type": "text", "text": "s" }] }], "currentlySelected": 0 },
        { "versions": [version("")], "currentlySelected": 0 },
    ]});
    let file = file.to_string().into_bytes();
    assert_eq!(listing(&file), ["== |Talk|", "person: two", "model: Answer"]);
    let expected = "read 5, used 2, skipped 3 (1 system, 1 thinking, 1 without words)";
    assert_eq!(told(&file).unwrap().1.tally.to_string(), expected);
}

#[test]
fn what_a_second_export_holds_again_is_told_once_and_what_is_alike_in_one_file_is_told() {
    let named = |id: &str, first: &str| {
        let mut one = conversation();
        one["id"] = json!(id);
        one["mapping"]["u2"] = node("u2", Some("root"), &["a2"], &message("user", first));
        one
    };
    let (a, b, c) = (named("a", "About a"), named("b", "About b"), named("c", "About c"));
    let mut reader = Reader::default();
    let mut of = |file: Value| {
        let mut said = Vec::new();
        let outcome = reader.read(&file.to_string().into_bytes(), &mut |event| {
            if let Event::Said { by: Speaker::Person, text, .. } = event {
                said.push(text);
            }
        });
        let tally = outcome.unwrap().tally;
        (said.join(", "), tally.skipped.get("said in another file already").copied())
    };
    assert_eq!(of(json!([a, b, a])), ("About a, About b, About a".to_owned(), None));
    assert_eq!(of(json!([b, c, a])), ("About c".to_owned(), Some(4)));
    assert_eq!(of(json!([a])), (String::new(), Some(2)), "that is no error");
    assert_eq!(of(json!([named("a", "Otherwise")])).0, "Otherwise");
}

#[test]
fn of_a_conversation_that_is_left_out_no_record_is_used() {
    let tools = json!([
        { "type": "tool_use", "id": "k", "name": "search", "input": {} },
        { "type": "tool_result", "tool_use_id": "k", "content": [{ "type": "text", "text": "found" }] },
        { "type": "text", "text": "There." },
    ]);
    let claude_ai = json!([{ "uuid": "c", "created_at": "2026-01-01T10:00:00Z", "chat_messages": [
        { "uuid": "1", "sender": "human", "text": "Where?" },
        { "uuid": "2", "sender": "assistant", "content": tools },
        { "uuid": "3", "sender": "human", "text": "" },
    ] }]);
    let tool = json!({ "type": "tool", "callID": "k", "tool": "ls", "state": { "input": {}, "output": "a" } });
    let said = json!({ "type": "text", "text": "Hi" });
    let opencode = json!({ "info": { "id": "s", "time": { "created": 1_767_225_600_123_u64 } }, "messages": [
        { "info": { "role": "user" }, "parts": [said] },
        { "info": { "role": "assistant" }, "parts": [tool, said] },
    ] });
    for (file, read, used) in [(claude_ai, 3, 2), (opencode, 3, 3)] {
        let file = file.to_string().into_bytes();
        let mut reader = Reader::default();
        let mut tally = || reader.read(&file, &mut |_| {}).unwrap().tally;
        let both = [tally(), tally()].map(|tally| (tally.read, tally.used()));
        assert_eq!(both, [(read, used), (read, 0)]);
    }
}
