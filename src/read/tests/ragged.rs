//! What real files hold beside what is expected of them: keys of other programs, damaged lines, words of a person in
//! unlikely places.

use serde_json::{Value, json};

use super::claude_code::{call, person, record, reply, result, words};
use super::{lines, listing, told};
use crate::read::Format;

/// Text that fills what is looked at of a file before its end.
fn long() -> String {
    "word ".repeat(20_000)
}

fn format(file: &[u8]) -> Format {
    told(file).unwrap().1.format
}

#[test]
fn a_key_of_another_program_deep_in_a_long_file_tells_no_format() {
    let claude = json!([{ "uuid": "c", "name": "x", "chat_messages": [
        { "uuid": "1", "sender": "human", "text": "Draw it" },
        { "uuid": "2", "sender": "assistant", "content": [
            { "type": "tool_use", "name": "chart", "input": { "mapping": { "x": "a" } } },
            { "type": "text", "text": long() }] }] }]);
    assert_eq!(format(claude.to_string().as_bytes()), Format::ClaudeAi);
    let part = json!({ "type": "tool", "state": { "input": { "mapping": 1, "versions": ["1"] } } });
    let opencode = json!({ "info": { "id": "s" }, "messages": [
        { "info": { "id": "m", "role": "user" }, "parts": [part, { "type": "text", "text": long() }] }] });
    assert_eq!(format(&serde_json::to_vec_pretty(&opencode).unwrap()), Format::Opencode);
    let dialogue = json!({ "history": [], "messages": [{ "role": "user", "content": long() }] });
    let dialogue = json!([{ "role": "user", "content": long() }, dialogue]);
    assert_eq!(format(dialogue.to_string().as_bytes()), Format::Dialogue);
}

#[test]
fn a_damaged_first_line_costs_no_more_than_itself() {
    let good = lines(&[person("u1", None, "Hello"), reply("a1", "u1", "m1", &words("Hi."), 3)]);
    for damaged in ["\0\0\0\0\n", "y\",\"message\":{}}\n", "zz\u{fffd}\n"] {
        let file = [damaged.as_bytes(), &good].concat();
        assert_eq!(listing(&file)[1..], ["person: Hello", "model: Hi."], "{damaged:?}");
        assert!(told(&file).unwrap().1.tally.to_string().contains("1 no JSON record"));
    }
}

#[test]
fn a_line_that_is_a_list_is_no_record() {
    let good = [person("u1", None, "Hello"), reply("a1", "u1", "m1", &words("Hi."), 3)];
    for list in
        [json!(["user", "x", "fake-uuid"]), json!(["user", null, "fake", "a1"]), json!([[]])]
    {
        for place in 1..=2 {
            let mut all = good.to_vec();
            all.insert(place, list.clone());
            let file = lines(&all);
            assert_eq!(listing(&file)[1..], ["person: Hello", "model: Hi."], "{list} {place}");
            assert_eq!(told(&file).unwrap().1.tally.skipped["no JSON record"], 1);
        }
    }
}

#[test]
fn what_was_typed_while_the_model_worked_is_said_once() {
    let queued = |mode: &str, prompt: Value| {
        let attachment = json!({ "type": "queued_command", "commandMode": mode, "prompt": prompt });
        record("q", Some("r1"), &json!({ "type": "attachment", "attachment": attachment }))
    };
    let talk = [
        person("u1", None, "Long job"),
        reply("a1", "u1", "m1", &call("t"), 3),
        result("r1", "a1", "t", "done"),
    ];
    let reminded =
        record("q", Some("r1"), &json!({ "type": "attachment", "attachment": ["queued_command"] }));
    let mut of_the_program = queued("prompt", json!("Add tests"));
    of_the_program["attachment"]["isMeta"] = json!(true);
    let answered = reply("a2", "q", "m2", &words("With tests."), 3);
    let blocks = json!([{ "type": "text", "text": "Add tests" }]);
    let told_by_a_task = json!("<task-notification>x</task-notification>");
    let (said, returned): (&[&str], &[&str]) = (&["person: Add tests"], &["result : x"]);
    for (attachment, expected) in [
        (queued("prompt", json!("Add tests")), said),
        (queued("prompt", blocks), said),
        (queued("task-notification", told_by_a_task.clone()), returned),
        (queued("prompt", told_by_a_task.clone()), returned),
        (queued("task-notification", json!("x")), &[]),
        (reminded, &[]),
        (of_the_program, &[]),
    ] {
        let file = lines(&[&talk[..], &[attachment.clone(), answered.clone()]].concat());
        assert_eq!(
            listing(&file)[4..],
            [expected, &["model: With tests."]].concat(),
            "{attachment}"
        );
        // It may be the last that there is.
        let file = lines(&[&talk[..], std::slice::from_ref(&attachment)].concat());
        assert_eq!(listing(&file)[4..], *expected, "{attachment}");
    }
    let typed = queued("prompt", json!("Add tests"));
    let again = [typed.clone(), answered.clone(), person("u2", Some("a2"), "Add tests")];
    let file = lines(&[&talk[..], &again].concat());
    assert_eq!(listing(&file)[4..], ["person: Add tests", "model: With tests."]);
    assert_eq!(told(&file).unwrap().1.tally.skipped["written again"], 1);
    let typed_by_a_task = queued("task-notification", told_by_a_task.clone());
    let again = [
        typed_by_a_task,
        answered.clone(),
        person("u2", Some("a2"), told_by_a_task.as_str().unwrap()),
    ];
    let file = lines(&[&talk[..], &again].concat());
    assert_eq!(listing(&file)[4..], ["result : x", "model: With tests."]);
    // Who asks for it later means it.
    let later =
        [typed, answered, person("u2", Some("a2"), "More"), person("u3", Some("u2"), "Add tests")];
    let said = listing(&lines(&[&talk[..], &later].concat()));
    assert_eq!(said[6..], ["person: More", "person: Add tests"]);
}

#[test]
fn fields_of_another_form_cost_nothing_that_was_said() {
    let odd = json!({ "timestamp": 1_782_900_000_000_u64, "cwd": 7, "gitBranch": null, "isMeta": "no", "requestId": [] });
    let mut first = person("u1", None, "Hello");
    first.as_object_mut().unwrap().extend(odd.as_object().unwrap().clone());
    let file = lines(&[first, reply("a1", "u1", "m1", &words("Hi."), 3)]);
    assert_eq!(listing(&file)[1..], ["person: Hello", "model: Hi."]);
    let codex = |kind: &str, payload: Value| json!({ "timestamp": 1_782_900_000_000_u64, "type": kind, "payload": payload });
    let file = lines(&[
        codex("session_meta", json!({ "id": "s" })),
        codex("event_msg", json!({ "type": "user_message", "message": "Hello" })),
    ]);
    assert_eq!(listing(&file)[1..], ["person: Hello"]);
}

#[test]
fn reminders_around_what_was_typed_are_no_words_of_the_person() {
    for (text, typed) in [
        ("<system-reminder>As you know.</system-reminder>\nRename the crate", "Rename the crate"),
        ("Thanks\n<system-reminder>As you know.</system-reminder>\n", "Thanks"),
    ] {
        let file = lines(&[person("u1", None, text)]);
        assert_eq!(listing(&file)[1..], [format!("person: {typed}")]);
    }
    let alone = lines(&[
        person("u1", None, "<system-reminder>As you know.</system-reminder>"),
        person("u2", Some("u1"), "Hello"),
    ]);
    assert_eq!(listing(&alone)[1..], ["person: Hello"]);
}

#[test]
fn a_reason_for_a_refusal_and_answers_to_questions_are_said_by_the_person() {
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\nUse PROJ-1234";
    let answered = "User has answered your questions: \"Which one?\"=\"The left\". You can now continue with the user's answers in mind.";
    let otherwise = "Your questions have been answered: \"And now?\"=\"On\". You can now continue with these answers in mind.";
    let file = lines(&[
        person("u1", None, "Hello"),
        reply("a1", "u1", "m1", &call("k1"), 3),
        result("u2", "a1", "k1", refused),
        reply("a2", "u2", "m2", &call("k2"), 3),
        result("u3", "a2", "k2", answered),
        reply("a3", "u3", "m3", &call("k3"), 3),
        result("u4", "a3", "k3", otherwise),
        reply("a4", "u4", "m4", &words("Done."), 3),
    ]);
    let told = listing(&file);
    let said: Vec<&str> =
        told.iter().map(String::as_str).filter(|one| one.starts_with("person")).collect();
    assert_eq!(
        said,
        [
            "person: Hello",
            "person: Use PROJ-1234",
            "person: Which one? The left",
            "person: And now? On"
        ]
    );
    let plain = lines(&[
        person("u0", None, "Hello"),
        reply("a1", "u0", "m1", &call("k1"), 3),
        result("u2", "a1", "k1", "A test of what the user said: nothing"),
    ]);
    let said = listing(&plain).iter().filter(|one| one.starts_with("person")).count();
    assert_eq!(said, 1);
}

#[test]
fn a_text_beside_what_a_tool_answers_is_typed_by_nobody() {
    let mut answered = result("u2", "a1", "k1", "a.rs");
    let content = answered["message"]["content"].as_array_mut().unwrap();
    content.push(words("Go on with the next file."));
    let file = lines(&[
        person("u1", None, "Hello"),
        reply("a1", "u1", "m1", &call("k1"), 3),
        answered,
        reply("a2", "u2", "m2", &words("Done."), 3),
    ]);
    let told = listing(&file);
    assert_eq!(told.iter().filter(|one| one.starts_with("person")).count(), 1, "{told:?}");
    assert_eq!(told[3..], ["result k1: a.rs", "model: Done."]);
}

#[test]
fn messages_of_claude_ai_without_names_are_all_told() {
    let message = |index: u64, sender: &str| json!({ "uuid": null, "index": index, "sender": sender, "text": format!("{sender} {index}") });
    let file = json!([{ "uuid": "c", "chat_messages": [message(0, "human"), message(1, "assistant"), message(2, "human")] }]);
    assert_eq!(
        listing(file.to_string().as_bytes())[1..],
        ["person: human 0", "model: assistant 1", "person: human 2"]
    );
}

#[test]
fn aiders_modes_carry_what_was_asked() {
    let history = "# aider chat started at 2026-07-01 10:00:00\n#### fix the login\nFixed.\n#### /ask why did it fail?\nThe cache.\n#### /ask\n#### /run ls\n";
    assert_eq!(
        listing(history.as_bytes())[1..],
        ["person: fix the login", "model: Fixed.", "person: why did it fail?", "model: The cache."]
    );
}

#[test]
fn a_person_may_speak_of_an_agents_file_in_codex() {
    let line = |kind: &str, payload: Value| json!({ "timestamp": "2026-05-01T10:00:00Z", "type": kind, "payload": payload });
    let user = |text: &str| line("event_msg", json!({ "type": "user_message", "message": text }));
    let file = lines(&[
        line("session_meta", json!({ "id": "s" })),
        user("# AGENTS.md instructions for /project\n\n<INSTRUCTIONS>\nBe brief.\n</INSTRUCTIONS>"),
        user("<environment_context>\n<cwd>/project</cwd>\n</environment_context>"),
        user("# AGENTS.md: what does it do?"),
        user("# AGENTS.md instructions are ignored by you. Why?"),
        user("<environment_context> is what?"),
    ]);
    let said = [
        "person: # AGENTS.md: what does it do?",
        "person: # AGENTS.md instructions are ignored by you. Why?",
        "person: <environment_context> is what?",
    ];
    assert_eq!(listing(&file)[1..], said);
    let item = |role: &str, text: &str| {
        let content = json!([{ "type": "input_text", "text": text }]);
        line("response_item", json!({ "type": "message", "role": role, "content": content }))
    };
    let paginated = lines(&[
        line("session_meta", json!({ "id": "s", "history_mode": "paginated" })),
        item("user", "Hello"),
        item("assistant", "Hi."),
    ]);
    assert_eq!(listing(&paginated)[1..], ["person: Hello", "model: Hi."]);
}

#[test]
fn markdown_keeps_to_one_way_to_name_speakers_and_leaves_code_alone() {
    let bold = "**You:** How?\n\n**AI:** So.\n\n**You** should try it.\n";
    assert_eq!(
        listing(bold.as_bytes())[1..],
        ["person: How?", "model: So.\n\n**You** should try it."]
    );
    let fenced = "## User\n\nShow it\n\n## Assistant\n\n```md\n## User\n\nHello\n```\nThat is all.\n\n## User\n\nThanks\n";
    let told = listing(fenced.as_bytes());
    assert_eq!((told.len(), told[3].as_str()), (4, "person: Thanks"), "{told:?}");
    let long = format!("## User\n\n{}\n\n## Assistant\n\nYes.\n", long());
    assert_eq!(listing(long.as_bytes()).len(), 3);
}

#[test]
fn code_that_never_ends_hides_no_speaker() {
    let cut =
        "## User\n\nWrite it\n\n## Assistant\n\nHere:\n```rust\nfn main() {\n\n## User\n\nGo on\n";
    let told = ["person: Write it", "model: Here:\n```rust\nfn main() {", "person: Go on"];
    assert_eq!(listing(cut.as_bytes())[1..], told);
    // Code behind it is code again.
    let with_code = format!("{cut}\n## Assistant\n\n```rust\nfn main() {{}}\n## User\n```\nSo.\n");
    let listed = listing(with_code.as_bytes());
    assert_eq!(listed[1..4], told);
    assert_eq!(listed[4], "model: ```rust\nfn main() {}\n## User\n```\nSo.");
    // Shown Markdown holds code of its own.
    let shown = "## User\n\nHi\n\n## Assistant\n\n```md\n## User\n\n```sh\nls\n```\nSo.\n\n## User\n\nBye\n";
    assert_eq!(listing(shown.as_bytes()).len(), 4);
    for code in
        ["```Markdown\n## User\n```sh\nls\n```", "- ```\n  ls\n  ```", "```\n    ```\n## User\n```"]
    {
        let text = format!("## User\n\nHi\n\n## Assistant\n\n{code}\n\n## User\n\n```\nls\n```\n");
        let told = ["person: Hi", &format!("model: {code}"), "person: ```\nls\n```"];
        assert_eq!(listing(text.as_bytes())[1..], told);
    }
}

#[test]
fn parts_of_opencode_stand_in_the_order_in_which_they_were_made() {
    let part = |id: &str, words: &str| json!({ "id": id, "type": "text", "text": words });
    let file = |parts: Value| {
        let message = json!({ "info": { "id": "m", "role": "user" }, "parts": parts });
        json!({ "info": { "id": "s" }, "messages": [message] }).to_string()
    };
    let told = |parts: Value| listing(file(parts).as_bytes())[1..].to_vec();
    let both = ["person: first", "person: second"];
    assert_eq!(told(json!([part("p2", "second"), part("p1", "first")])), both);
    // Where one has no name, as they stand.
    assert_eq!(told(json!([part("p2", "first"), part("", "second")])), both);
}

#[test]
fn a_message_that_cannot_be_read_costs_no_more_than_itself() {
    // The head of a file tells its form.
    let said = [long(), "X".to_owned(), "b".to_owned()];
    let opencode = said.each_ref().map(
        |text| json!({ "info": { "role": "user" }, "parts": [{ "type": "text", "text": text }] }),
    );
    let gemini = said.each_ref().map(|text| json!({ "id": text, "type": "user", "content": text }));
    let lm_studio = said.each_ref().map(|text| {
        let content = [json!({ "type": "text", "text": text })];
        json!({ "currentlySelected": 0, "versions": [{ "role": "user", "content": content }] })
    });
    let files = [
        json!({ "info": { "id": "s" }, "messages": opencode }),
        json!({ "sessionId": "s", "projectHash": "p", "messages": gemini }),
        json!({ "name": "s", "messages": lm_studio }),
    ];
    for file in files.map(|file| file.to_string()) {
        // No number is so large.
        let damaged = file.replacen("\"X\"", "1e999", 2);
        let listed = listing(damaged.as_bytes());
        assert_eq!((listed.len(), listed[2].as_str()), (3, "person: b"));
        let tally = told(damaged.as_bytes()).unwrap().1.tally.to_string();
        assert!(tally.ends_with("(1 damaged message)"), "{tally}");
        // A list of another kind is none.
        let none = format!("{}{{}}}}", &file[..file.find('[').unwrap()]);
        assert!(told(none.as_bytes()).is_err(), "{none}");
    }
}

#[test]
fn code_in_code_without_end_is_read_in_a_moment() {
    let opens = |signs: usize| ["`", "~"].map(|sign| sign.repeat(signs) + "\n## User\n").concat();
    let code: String = (3..1_500).rev().map(opens).collect();
    let text = format!("## User\n\nHi\n\n## Assistant\n\nHello\n\n{code}");
    assert!(listing(text.as_bytes()).len() > 3);
}

#[test]
fn code_in_a_line_begins_none_and_every_reply_that_breaks_off_ends() {
    let inline = "## User\n\nq\n\n## Assistant\n\nRun this:\n```npm install```\n\n## User\n\nIt fails with:\n```\nerror\n```\n\n## Assistant\n\nSo.\n";
    let told = listing(inline.as_bytes());
    assert_eq!(told[3], "person: It fails with:\n```\nerror\n```", "{told:?}");
    let broken =
        |nth: usize| format!("## User\n\nask {nth}\n\n## Assistant\n\n```rust\nfn f() {{\n\n");
    let all: String = (0..9).map(broken).collect();
    assert_eq!(listing(all.as_bytes()).len(), 1 + 2 * 9);
}

#[test]
fn a_line_of_claude_code_whose_ties_are_of_another_form_is_told() {
    let mut odd = person("u1", None, "Is it there?");
    odd["isSidechain"] = Value::Null;
    odd["aiTitle"] = json!({});
    let file = lines(&[odd, reply("a1", "u1", "m1", &words("It is."), 9)]);
    assert_eq!(listing(&file)[1..], ["person: Is it there?", "model: It is."]);
}

#[test]
fn a_lone_end_of_a_reminder_is_a_word_of_the_person() {
    let said = "Why does it end with </system-reminder>";
    let file = lines(&[person("u1", None, said), reply("a1", "u1", "m1", &words("So."), 9)]);
    assert_eq!(listing(&file)[1], format!("person: {said}"));
}
