//! Folders of what may be conversations: in which order they are read, what in them is passed over, and how it is named.

use std::fs;
use std::path::PathBuf;

use clap::Parser as _;
use serde_json::{Value, json};

use super::Machine;
use crate::cli::Arguments;

fn write(machine: &Machine, place: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = machine.home.path().join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path
}

/// What is told of a replay, on both streams.
fn replayed(machine: &Machine, line: &[&str]) -> (String, String) {
    let (out, err, result) = machine.run(&[&["replay"][..], line].concat());
    result.unwrap();
    (out, err)
}

fn refused(machine: &Machine, line: &[&str]) -> String {
    machine.run(line).2.unwrap_err().to_string()
}

/// A conversation of ChatGPT of three turns that began at a moment.
fn conversation(title: &str, at: u64) -> Value {
    let mut mapping = serde_json::Map::new();
    for nth in 0..6_u64 {
        let role = if nth % 2 == 0 { "user" } else { "assistant" };
        let content = json!({ "content_type": "text", "parts": [format!("{title} {nth}")] });
        let message =
            json!({ "author": { "role": role }, "create_time": at + nth, "content": content });
        let parent = (nth > 0).then(|| (nth - 1).to_string());
        let children = if nth < 5 { vec![(nth + 1).to_string()] } else { Vec::new() };
        mapping.insert(
            nth.to_string(),
            json!({ "parent": parent, "children": children, "message": message }),
        );
    }
    json!({ "id": title, "title": title, "create_time": at, "current_node": "5", "mapping": mapping })
}

#[test]
fn conversations_stand_in_the_order_in_which_they_began_however_they_are_packed() {
    let machine = Machine::new(&[]);
    let talk = |nth: u64| {
        conversation(
            ["Apple", "Banana", "Cherry", "Date"][nth as usize],
            1_763_000_000 + 1_000 * nth,
        )
    };
    let shards = [json!([talk(0), talk(2)]), json!([talk(3), talk(1)])];
    for (nth, shard) in shards.iter().enumerate() {
        write(&machine, &format!("export/conversations-00{nth}.json"), shard.to_string());
    }
    let all = json!([talk(3), talk(0), talk(2), talk(1)]).to_string();
    let file = write(&machine, "conversations.json", all);
    let folder = machine.home.path().join("export");
    let (out, _) = replayed(&machine, &[folder.to_str().unwrap()]);
    let places = ["apple", "banana", "cherry", "date"].map(|topic| out.find(topic).unwrap());
    assert!(places.is_sorted(), "{out}");
    assert_eq!(replayed(&machine, &[file.to_str().unwrap()]).0, out);
}

/// The logs of a session of five turns, of which the third is small talk between two efforts of two turns each.
fn logs() -> [(&'static str, String); 3] {
    let turns = |turns: &[u64], topic: &str| {
        let line = |turn: &u64| {
            let at = format!("2026-01-01T10:0{turn}:00Z");
            let said = |role: &str, text: String| json!({ "role": role, "content": text, "ts": at, "turn": turn });
            let asked = said("user", format!("How does the {topic} go on in step {turn}?"));
            format!("{asked}\n{}\n", said("assistant", format!("The {topic} takes step {turn}.")))
        };
        turns.iter().map(line).collect::<String>()
    };
    [
        ("efforts/harbour.jsonl", turns(&[4, 5], "harbour")),
        ("efforts/parser.jsonl", turns(&[1, 2], "parser")),
        ("raw.jsonl", turns(&[3], "weather")),
    ]
}

#[test]
fn a_session_of_ebbtides_own_is_read_like_its_export() {
    let machine = Machine::new(&[]);
    let state = json!({ "turn_count": 5, "title": "Ships and parsers" });
    let mut files = Vec::new();
    for (path, text) in logs() {
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        files.push(json!({ "path": path, "lines": lines }));
        write(&machine, &format!("sessions/talk/{path}"), text);
    }
    files.push(json!({ "path": "session_state.json", "json": state }));
    write(&machine, "sessions/talk/session_state.json", format!("{state}\n"));
    write(&machine, "sessions/talk/journal.jsonl", "");
    write(&machine, "sessions/talk/notes.json", "{}");
    let export =
        json!({ "format": "ebbtide-session", "version": 1, "name": "work", "files": files });
    let export = write(&machine, "work.json", export.to_string());
    let (out, err) = replayed(&machine, &[export.to_str().unwrap()]);
    let rows: Vec<&str> = out.lines().skip(1).take(2).collect();
    assert!(rows[0].starts_with("parser ") && rows[0].contains(" 1-2 "), "{out}");
    assert!(rows[1].starts_with("harbour ") && rows[1].contains(" 4-5 "), "{out}");
    assert!(out.contains("5 turns, 2 topics") && !out.contains("conversations"), "{out}");
    assert!(
        err.contains("1 of 1 file: read 10, used 10, skipped 0; read as an Ebbtide export"),
        "{err}"
    );
    for folder in ["sessions/talk", "sessions"] {
        let folder = machine.home.path().join(folder);
        assert_eq!(replayed(&machine, &[folder.to_str().unwrap()]), (out.clone(), err.clone()));
        let (listed, _) = replayed(&machine, &["--list", folder.to_str().unwrap()]);
        assert!(listed.contains("Ships and parsers") && listed.lines().count() == 1, "{listed}");
    }
}

#[test]
fn what_a_folder_holds_and_is_not_read_is_told_with_what_to_do() {
    let machine = Machine::new(&[]);
    write(&machine, "db/opencode.db", "SQLite format 3\0");
    write(&machine, "gz/x.jsonl.gz", b"\x1f\x8b\x08");
    write(&machine, "txt/history.txt", "## User\n\nHi\n\n## Assistant\n\nHello\n");
    for part in ["session/p", "message/s", "part/m"] {
        write(&machine, &format!("old/storage/{part}/a.json"), "{}");
    }
    write(&machine, "empty/readme.rst", "Nothing.");
    for (folder, expected) in [
        ("db", "/db/opencode.db: it is an SQLite database"),
        ("gz", "unpack it first: `gunzip FILE`"),
        ("txt", "/txt/history.txt: it holds Markdown with speakers; name it itself"),
        ("old", "`opencode export ID > FILE`"),
        ("old/storage", "`opencode export ID > FILE`"),
    ] {
        let folder = machine.home.path().join(folder);
        let error = refused(&machine, &["replay", folder.to_str().unwrap()]);
        assert!(
            error.starts_with("no conversation was found in ") && error.contains(expected),
            "{error}"
        );
    }
    for (folder, expected) in [
        ("db", Some("it is an SQLite database")),
        ("old", Some("let `opencode export ID > FILE` write each as one file, and name those")),
        ("old/storage", Some("`opencode export ID > FILE`")),
        ("txt", None),
    ] {
        let folder = machine.home.path().join(folder);
        let error = refused(&machine, &["uncompact", folder.to_str().unwrap()]);
        let why = error.split_once("Claude Code, Codex or opencode; ").map(|(_, why)| why);
        assert_eq!(why.is_some(), expected.is_some(), "{error}");
        assert!(why.is_none_or(|why| why.contains(expected.unwrap())), "{error}");
    }
    let folder = machine.home.path().join("empty");
    let folder = folder.to_str().unwrap();
    let error = refused(&machine, &["replay", folder]);
    assert_eq!(error, format!("no conversation was found in {folder}"));
}

#[test]
fn the_files_of_a_subagent_are_all_accounted_for() {
    let machine = Machine::new(&[]);
    let said = |id: &str| {
        let message = json!({ "role": "user", "content": "Mend it." });
        json!({ "type": "user", "uuid": id, "sessionId": "s", "message": message }).to_string()
    };
    write(&machine, "p/s.jsonl", said("a"));
    write(&machine, "p/s/subagents/agent-1.jsonl", said("b"));
    write(&machine, "p/s/subagents/agent-1.meta.json", r#"{"agentType":"review"}"#);
    let folder = machine.home.path().join("p");
    let (_, err) = replayed(&machine, &[folder.to_str().unwrap()]);
    assert!(err.contains("1 of 2 files: read 1") && err.contains("1 file of a subagent"), "{err}");
    write(&machine, "p/s/subagents/journal.jsonl", r#"{"event":"started"}"#);
    let (_, err) = replayed(&machine, &[folder.to_str().unwrap()]);
    assert!(err.contains("1 of 2 files") && err.contains("1 file of a subagent"), "{err}");
    assert!(!err.contains("journal.jsonl"), "it is no conversation: {err}");
}

#[test]
fn only_what_is_claude_codes_is_a_subagents_by_its_place_and_what_is_named_alone_is_read() {
    let machine = Machine::new(&[]);
    let message = json!({ "role": "user", "content": "Mend it." });
    let said = json!({ "type": "user", "uuid": "a", "sessionId": "s", "isSidechain": true, "agentId": "1", "message": message });
    let agent = write(&machine, "p/s/subagents/agent-1.jsonl", said.to_string());
    let (out, err) = replayed(&machine, &[agent.to_str().unwrap()]);
    assert!(out.contains("1 turn,") && !err.contains("left out"), "{out}{err}");
    let plain = json!({ "role": "user", "content": "Mend it." }).to_string();
    write(&machine, "q/subagents/agent-chats.jsonl", plain);
    let (_, err) = replayed(&machine, &[machine.home.path().join("q").to_str().unwrap()]);
    assert!(err.contains("1 of 1 file: read 1") && !err.contains("subagent is"), "{err}");
}

#[test]
fn what_claude_code_keeps_beside_its_sessions_is_no_conversation() {
    let machine = Machine::new(&[]);
    let message = json!({ "role": "user", "content": "Mend it." });
    let said = json!({ "type": "user", "uuid": "a", "sessionId": "s", "message": message });
    let plain = json!({ "role": "user", "content": "Else." }).to_string();
    write(&machine, "p/s.jsonl", said.to_string());
    write(&machine, "p/s/tool-results/t.json", &plain);
    write(&machine, "p/gone/tool-results/t.json", plain.replace("Else", "More"));
    write(&machine, "p/memory/MEMORY.md", "## User\n\nLikes tea.\n\n## Assistant\n\nNoted.\n");
    let (_, err) = replayed(&machine, &[machine.home.path().join("p").to_str().unwrap()]);
    assert!(err.contains("1 of 1 file: read 1"), "{err}");
    // Elsewhere a folder may be called so.
    write(&machine, "q/memory/t.jsonl", &plain);
    write(&machine, "q/tool-results/t.jsonl", plain.replace("Else", "More"));
    let (_, err) = replayed(&machine, &[machine.home.path().join("q").to_str().unwrap()]);
    assert!(err.contains("2 of 2 files: read 2"), "{err}");
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_followed_once() {
    use std::os::unix::fs::symlink;
    let machine = Machine::new(&[]);
    let said = |text: &str| json!({ "role": "user", "content": text }).to_string();
    write(&machine, "p/a.jsonl", said("One."));
    write(&machine, "elsewhere/b.jsonl", said("Two."));
    let home = machine.home.path();
    for (to, link) in [
        ("elsewhere", "p/b"),
        ("elsewhere", "p/again"),
        ("p", "p/circle"),
        ("p", "elsewhere/circle"),
        ("gone", "p/gone"),
    ] {
        symlink(home.join(to), home.join(link)).unwrap();
    }
    let (out, err) = replayed(&machine, &[home.join("p").to_str().unwrap()]);
    assert!(out.contains("2 turns,") && err.contains("2 of 2 files: read 2"), "{out}{err}");
}

#[test]
fn of_many_sessions_without_a_message_only_some_are_named() {
    let machine = Machine::new(&[]);
    write(&machine, "p/a.jsonl", json!({ "role": "user", "content": "One." }).to_string());
    for nth in 0..8 {
        let summary = json!({ "type": "summary", "summary": format!("{nth}"), "leafUuid": "x" });
        write(&machine, &format!("p/{nth}.jsonl"), summary.to_string());
    }
    let (_, err) = replayed(&machine, &[machine.home.path().join("p").to_str().unwrap()]);
    assert_eq!(err.lines().filter(|line| line.starts_with("left out ")).count(), 6, "{err}");
    assert!(err.contains("left out 3 more files that cannot be replayed"), "{err}");
}

#[cfg(unix)]
#[test]
fn a_name_that_a_terminal_would_obey_is_told_without_that() {
    let machine = Machine::new(&[]);
    write(&machine, "odd/x\u{1b}[2Jy\nz.json", "{}");
    write(&machine, "odd/talk\u{1b}[31m.jsonl", r#"{"role":"user","content":"Hi"}"#);
    let folder = machine.home.path().join("odd");
    let folder = folder.to_str().unwrap();
    let (_, err) = replayed(&machine, &[folder]);
    assert!(err.contains("left out ~/odd/xy z.json: its form is not known"), "{err:?}");
    let (out, _) = replayed(&machine, &["--list", folder]);
    assert!(out.contains("/odd/talk.jsonl\n") && out.lines().count() == 2, "{out:?}");
    assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "{out:?} {err:?}");
    for line in [["replay", "--phases"], ["import", "--name"]] {
        let odd = "no\u{1b}[2J\nsuch";
        let rest = if line[0] == "replay" { [odd, folder] } else { ["x", odd] };
        let error = refused(&machine, &[&line[..], &rest].concat());
        assert!(error.contains("no such") && !error.contains('\u{1b}'), "{error:?}");
    }
}

#[test]
fn a_file_that_is_not_there_is_told_with_what_to_do() {
    let machine = Machine::new(&[]);
    let talk = write(&machine, "talk.jsonl", r#"{"role":"user","content":"Hi"}"#);
    let phases = refused(&machine, &["replay", talk.to_str().unwrap(), "--phases", "nofile"]);
    assert!(
        phases.contains("nofile cannot be read") && phases.contains("FROM-TO NAME"),
        "{phases}"
    );
    let log = refused(&machine, &["replay", "nosuch"]);
    assert!(
        log.contains("check the name") && log.contains("`ebbtide replay --from NAME --list`"),
        "{log}"
    );
    let session = refused(&machine, &["import", "nosuch"]);
    assert!(
        session.contains("check the name") && session.contains("`ebbtide export`"),
        "{session}"
    );
}

#[test]
fn what_a_program_does_not_tell_is_not_called_nothing() {
    let machine = Machine::new(&[]);
    let file =
        write(&machine, "talk.json", json!([conversation("Apple", 1_763_000_000)]).to_string());
    let (out, _, result) = machine.run(&["uncompact", file.to_str().unwrap()]);
    result.unwrap();
    assert!(out.contains("No compactions are told of in a ChatGPT export"), "{out}");
}

#[test]
fn a_list_says_what_is_no_conversation_and_how_many_a_file_holds() {
    let machine = Machine::new(&[]);
    write(&machine, "l/empty.jsonl", "");
    write(&machine, "l/random.jsonl", "q8 w\u{7}x\n\u{1}\n");
    write(&machine, "l/quiet.jsonl", r#"{"type":"user","uuid":"a","sessionId":"s","message":{}}"#);
    let many: Vec<_> = ["Apple", "Pear", "Plum"].map(|name| conversation(name, 1)).into();
    let many = json!(many).to_string();
    write(&machine, "l/many.json", &many);
    write(&machine, "l/torn.json", &many[..90]);
    let long = "Talk on and on. ".repeat(10_000);
    let long = json!([conversation("A", 1), conversation("B", 1), conversation(&long, 1)]);
    write(&machine, "l/long.json", long.to_string());
    let rows = |name: &str| {
        let path = machine.home.path().join("l").join(name);
        replayed(&machine, &["--list", path.to_str().unwrap()]).0
    };
    for (name, told) in [
        ("empty.jsonl", " (empty) "),
        ("random.jsonl", " (not known) "),
        ("quiet.jsonl", " (nothing said) "),
        ("many.json", "  3 conversations: Apple "),
        ("torn.json", " (damaged) "),
        ("long.json", "  2 or more conversations: A "),
        ("nosuch", " (cannot be read) "),
    ] {
        assert!(rows(name).contains(told), "{name}: {}", rows(name));
    }
    #[cfg(unix)]
    {
        let _socket =
            std::os::unix::net::UnixListener::bind(machine.home.path().join("l/s")).unwrap();
        assert!(rows("s").contains(" (no plain file) "), "{}", rows("s"));
    }
}

#[test]
fn a_list_tells_the_title_of_a_conversation_that_is_longer_than_what_is_looked_at() {
    let machine = Machine::new(&[]);
    // As the program writes it, the title stands in front.
    let talk = conversation("Short", 1_763_000_000).to_string();
    let talk =
        talk.replace("Short 1", &"long ".repeat(40_000)).replace("\"title\":\"Short\"", "\"x\":1");
    let export = talk.replacen('{', "{\"title\":\"The \\\"tides\\\"\",", 1);
    write(&machine, "export/conversations.json", format!("[{export}]"));
    let export = machine.home.path().join("export/conversations.json");
    let (listed, _) = replayed(&machine, &["--list", export.to_str().unwrap()]);
    assert!(listed.contains("  The \"tides\" "), "{listed}");
    // Claude Code writes what it calls a session at the end, where the person's name for it comes first.
    let said = |uuid: &str, parent: Option<&str>, text: &str| json!({ "type": "user", "uuid": uuid, "parentUuid": parent, "sessionId": "s", "message": { "content": text } });
    let long = "On and on. ".repeat(20_000);
    let said = format!("{}\n{}", said("a", None, "Hello"), said("b", Some("a"), &long));
    let ai = json!({ "type": "ai-title", "sessionId": "s", "aiTitle": "Login bug" });
    let own = json!({ "type": "custom-title", "sessionId": "s", "customTitle": "Mine" });
    for (titles, told) in
        [(format!("{ai}\n"), "  Login bug "), (format!("{own}\n{ai}\n"), "  Mine ")]
    {
        let file = write(&machine, "s.jsonl", format!("{said}\n{titles}"));
        let (listed, _) = replayed(&machine, &["--list", file.to_str().unwrap()]);
        assert!(listed.contains(told), "{listed}");
    }
}

#[test]
fn a_list_without_signs_has_none_but_in_names_of_files() {
    let machine = Machine::new(&[("LANG", "C")]);
    let long = "On and on – and on and on and on and on and on and on.";
    let file =
        write(&machine, "tal→k.jsonl", json!({ "role": "user", "content": long }).to_string());
    let (out, _) = replayed(&machine, &["--list", file.to_str().unwrap()]);
    assert!(out.contains(" On and on - and on") && out.contains(" and.  "), "{out}");
    assert!(out.ends_with("/tal→k.jsonl\n"), "{out}");
}

#[test]
fn a_list_is_nothing_else() {
    for beside in [&["--json"][..], &["--csv"], &["--svg", "a.svg"], &["--keep", "a"]] {
        let line = [&["ebbtide", "replay", "--list", "a.json"], beside].concat();
        assert!(Arguments::try_parse_from(line).is_err(), "{beside:?}");
    }
}

#[test]
fn topics_are_read_from_plain_files_alone() {
    let machine = Machine::new(&[]);
    let log = write(&machine, "a.jsonl", json!({ "role": "user", "content": "Hi" }).to_string());
    for (phases, why) in
        [("/dev/zero", "no plain file"), (".", "it is a folder"), ("-", "- cannot be read")]
    {
        let told = refused(&machine, &["replay", "--phases", phases, log.to_str().unwrap()]);
        assert!(told.contains(why) && told.contains("1-12 auth bug"), "{told}");
    }
}
