//! What is told of files that are damaged, and of what does not tell when it was said.

use std::fs;

use serde_json::{Value, json};

use super::Machine;

/// Runs a command that succeeds.
fn run(machine: &Machine, line: &[&str]) -> (String, String) {
    let (out, err, result) = machine.run(line);
    result.unwrap_or_else(|error| panic!("{error}: {err}"));
    (out, err)
}

fn written(machine: &Machine, name: &str, text: &str) -> String {
    let path = machine.home.path().join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn the_place_at_which_an_array_is_damaged_is_told_wherever_it_is_read() {
    let machine = Machine::new(&[]);
    let turn = |nth: usize| {
        json!({ "role": if nth.is_multiple_of(2) { "user" } else { "assistant" }, "content": format!("The pump leaks at seal {nth}.") }).to_string()
    };
    let mut turns: Vec<String> = (0..8).map(turn).collect();
    let at = 1 + turns[..3].iter().map(|one| one.len() + 1).sum::<usize>();
    turns[3].insert(20, '"');
    let file = written(&machine, "talk.json", &format!("[{}]", turns.join(",")));
    let (out, err) = run(&machine, &["replay", &file, "--json"]);
    assert!(err.contains("used 7, skipped 1 (1 no JSON record)"), "{err}");
    let told: Value = serde_json::from_str(&out).unwrap();
    let [place] = &told["read"]["damaged"].as_array().unwrap()[..] else { panic!("{told}") };
    assert_eq!((&place["file"], &place["from"]), (&json!("~/talk.json"), &json!(at)));
    assert_eq!(place["read_on"], true);
    let seen = &place["at"];
    assert!(seen.as_u64() > Some(at as u64 + 19), "{place}");
    assert!(err.contains(&format!("damaged at byte {seen}: bytes {at} to ")), "{err}");
    let (out, _) = run(&machine, &["replay", "--list", &file]);
    assert!(out.contains(&format!("(damaged at byte {seen}) The pump")), "{out}");
    let cut = written(&machine, "cut.json", &format!("[{},{}", turns[0], turns[1]));
    let (_, err) = run(&machine, &["replay", &cut]);
    assert!(err.contains("it breaks off at byte ") && err.contains("used 2"), "{err}");
}

#[test]
fn what_does_not_tell_when_it_was_said_gets_no_date() {
    let machine = Machine::new(&[]);
    let undated = "## User\n\nHow do I prune roses?\n\n## Assistant\n\nIn March.\n\n## User\n\nAnd apples?\n\n## Assistant\n\nIn winter.\n";
    let line = |role: &str, text: &str, at: Option<&str>| {
        json!({ "role": role, "content": text, "timestamp": at }).to_string()
    };
    let later = Some("2026-03-04T05:06:07Z");
    let partly = [
        line("user", "How do I prune roses?", None),
        line("assistant", "In March.", None),
        line("user", "And apples?", later),
        line("assistant", "In winter.", later),
        line("user", "And plums?", None),
        line("assistant", "In summer.", None),
    ];
    for (name, text, dated) in
        [("undated.md", undated.to_owned(), 0), ("partly.jsonl", partly.join("\n"), 2)]
    {
        let file = written(&machine, name, &text);
        let session = name.split('.').next().unwrap();
        run(&machine, &["replay", &file, "--keep", session]);
        let (out, _) = run(&machine, &["export", "-s", session]);
        // Before the first turn that tells nothing is known; what comes behind it came then.
        assert!(out.contains("### You · turn 1\n") && out.contains("roses"), "{out}");
        assert_eq!(out.matches(" · 2026-03-04T05:06:07Z\n").count(), dated, "{out}");
        assert!(!out.contains(&crate::clock::today()), "{out}");
    }
}

#[test]
fn a_conversation_in_which_nobody_says_anything_gives_no_title() {
    let machine = Machine::new(&[]);
    let talk = |name: &str, said: &[&str]| {
        let one = |text: &&str| json!({ "uuid": text, "sender": "human", "text": text });
        let messages: Vec<Value> = said.iter().map(one).collect();
        json!({ "uuid": name, "name": name, "chat_messages": messages })
    };
    let all = json!([talk("Lease review", &["Is it fair?"]), talk("Empty", &[])]);
    let file = written(&machine, "conversations.json", &all.to_string());
    let (out, _) = run(&machine, &["uncompact", &file]);
    assert!(out.contains("a Claude.ai export, Lease review"), "{out}");
}
