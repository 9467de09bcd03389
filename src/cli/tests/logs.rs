//! Which of the files that other programs keep are taken, asked as a person does.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Machine;

/// Writes records as lines into a file below the home.
fn write(machine: &Machine, place: &str, records: &[Value]) {
    let path = machine.home.path().join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    fs::write(path, lines.concat()).unwrap();
}

fn rollout(id: &str, source: &Value, said: &str) -> [Value; 2] {
    let meta = json!({ "id": id, "cwd": "/project", "source": source });
    let said = json!({ "type": "user_message", "message": said });
    [
        json!({ "type": "session_meta", "payload": meta }),
        json!({ "type": "event_msg", "payload": said }),
    ]
}

fn chat(id: &str, kind: &str, said: &str) -> [Value; 2] {
    [
        json!({ "sessionId": id, "projectHash": "h", "kind": kind }),
        json!({ "id": "1", "type": "user", "content": said, "tokens": {} }),
    ]
}

#[test]
fn subagents_are_left_out_where_they_are_found_and_read_where_they_are_named() {
    let machine = Machine::new(&[]);
    let spawned = json!({ "subagent": { "thread_spawn": { "parent_thread_id": "a" } } });
    write(&machine, ".codex/sessions/2026/a.jsonl", &rollout("a", &json!("cli"), "Mend it."));
    write(&machine, ".codex/sessions/2026/b.jsonl", &rollout("b", &spawned, "Look around."));
    write(&machine, ".gemini/tmp/h/chats/g.jsonl", &chat("g", "main", "Explain it."));
    write(&machine, ".gemini/tmp/h/chats/g/s.jsonl", &chat("s", "subagent", "Look around."));
    let gemini = machine.home.path().join(".gemini");
    for line in [["--from", "codex"], ["--from", "gemini"], ["--", gemini.to_str().unwrap()]] {
        let (out, err, result) = machine.run(&[&["replay"][..], &line].concat());
        result.unwrap();
        assert!(out.contains("1 turn, 0 topics, ") && out.contains("0 compactions"), "{out}");
        assert!(err.contains("1 of 2 files: read 2"), "{err}");
        assert!(
            err.contains("1 file of a subagent is left out; what its requests cost is counted"),
            "{err}"
        );
    }
    for own in [".codex/sessions/2026/b.jsonl", ".gemini/tmp/h/chats/g/s.jsonl"] {
        let named = machine.home.path().join(own);
        let (_, err, result) = machine.run(&["replay", named.to_str().unwrap()]);
        result.unwrap();
        assert!(err.contains("1 of 1 file: read 2") && !err.contains("left out"), "{err}");
    }
}

#[test]
fn every_place_of_a_program_is_looked_into_and_a_project_is_that_project() {
    let said = |id: &str| {
        let message = json!({ "role": "user", "content": "Mend it." });
        [json!({ "type": "user", "uuid": id, "sessionId": id, "message": message })]
    };
    let machine = Machine::new(&[]);
    write(&machine, ".codex/archived_sessions/a.jsonl", &rollout("a", &json!("cli"), "Mend it."));
    write(&machine, ".claude/projects/-p/a.jsonl", &said("a"));
    write(&machine, ".claude/projects/-p/sessions-index.json", &[json!({ "entries": [] })]);
    write(&machine, ".config/claude/projects/-q/b.jsonl", &said("b"));
    write(&machine, ".gemini/tmp/h/chats/g.jsonl", &chat("g", "main", "Explain it."));
    fs::write(machine.home.path().join(".gemini/tmp/h/.project_root"), "/p\n").unwrap();
    // The SHA-256 of /hashed, as the name of the folder and within one that has another name.
    let hash = "4299b2f081de1b5c30cf6d436a68bab4fa445fc9655f47cd0212af983f8ebdb5";
    write(&machine, &format!(".gemini/tmp/{hash}/chats/i.jsonl"), &chat("i", "main", "Why?"));
    fs::write(machine.home.path().join(format!(".gemini/tmp/{hash}/chats/j.json")), "{}").unwrap();
    let mut named = chat("k", "main", "Why?");
    named[0]["projectHash"] = json!(hash);
    write(&machine, ".gemini/tmp/named/chats/k.jsonl", &named);
    for (line, found) in [
        (&["--from", "gemini", "--project", "/hashed"][..], &["i.jsonl", "j.json", "k.jsonl"][..]),
        (&["--from", "codex"][..], &["a.jsonl"][..]),
        (&["--from", "claude-code"], &["a.jsonl", "b.jsonl"]),
        (&["--from", "claude-code", "--project", "/q"], &["b.jsonl"]),
        (&["--from", "gemini", "--project", "/p"], &["g.jsonl"]),
    ] {
        let (out, _, result) = machine.run(&[&["replay", "--list"][..], line].concat());
        result.unwrap();
        let mut all: Vec<&str> = out.lines().map(|line| line.rsplit('/').next().unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, found, "{line:?}");
    }
    let (_, _, result) = machine.run(&["replay", "--from", "gemini", "--project", "/nope"]);
    let error = result.unwrap_err().to_string();
    assert!(error.starts_with("no conversation was found about /nope in "), "{error}");
    let long_ago = machine.home.path().join(".codex/archived_sessions/a.jsonl");
    let file = fs::File::options().append(true).open(long_ago).unwrap();
    file.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    let (_, _, result) = machine.run(&["replay", "--from", "codex", "--since", "1d"]);
    let error = result.unwrap_err().to_string();
    assert!(error.contains("in the last 1 day (--since), of 1 file in all"), "{error}");

    let several = format!("{0}/one, {0}/two", machine.home.path().display());
    let several = Machine::new(&[("CLAUDE_CONFIG_DIR", &several)]);
    write(&machine, "one/projects/-p/a.jsonl", &said("a"));
    write(&machine, "two/projects/-p/b.jsonl", &said("b"));
    let (out, _, _) = several.run(&["replay", "--list", "--from", "claude-code"]);
    assert_eq!(out.lines().count(), 2, "{out}");
}

#[test]
fn side_files_and_subagents_are_no_newest_session() {
    let machine = Machine::new(&[]);
    let later = |place: &str, seconds| {
        let file = fs::File::options().append(true).open(machine.home.path().join(place)).unwrap();
        file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(seconds))
            .unwrap();
    };
    write(&machine, "logs/a.jsonl", &rollout("a", &json!("cli"), "Mend it."));
    let spawned = json!({ "subagent": "review" });
    write(&machine, "logs/b.jsonl", &rollout("b", &spawned, "Look around."));
    write(&machine, "logs/index.json", &[json!({ "entries": [] })]);
    write(&machine, "logs/talk.jsonl", &[json!({ "role": "user", "content": "Hello" })]);
    fs::write(machine.home.path().join("logs/notes.md"), "# Notes\n").unwrap();
    for (nth, place) in (1..).zip(["b.jsonl", "index.json", "talk.jsonl", "notes.md"]) {
        later(&format!("logs/{place}"), 60 * nth);
    }
    let folder = machine.home.path().join("logs");
    let (out, _, result) = machine.run(&["uncompact", folder.to_str().unwrap()]);
    result.unwrap();
    assert!(out.starts_with("~/logs/a.jsonl: a Codex rollout"), "{out}");
    fs::remove_file(folder.join("a.jsonl")).unwrap();
    let (_, _, result) = machine.run(&["uncompact", folder.to_str().unwrap()]);
    assert!(result.unwrap_err().to_string().contains("no conversation is in it"));
}

#[test]
fn it_is_said_what_was_read_and_what_to_name() {
    let machine = Machine::new(&[]);
    write(&machine, "logs/a.jsonl", &rollout("a", &json!("cli"), "Mend it.\nNow."));
    write(&machine, "logs/b.jsonl", &[json!({ "role": "user", "content": "Hello" })]);
    fs::write(machine.home.path().join("logs/notes.md"), "# Notes\n").unwrap();
    fs::write(machine.home.path().join("logs/todo.md"), "# To do\n").unwrap();
    let folder = machine.home.path().join("logs");
    let folder = folder.to_str().unwrap();
    let (out, err, result) = machine.run(&["replay", folder, "--json"]);
    result.unwrap();
    let forms = "; read as ShareGPT, OpenAI or role/content JSON (1), a Codex rollout (1)";
    assert!(err.contains(forms), "{err}");
    assert_eq!(
        (err.matches("left out").count(), err.matches("LM Studio").count()),
        (2, 1),
        "{err}"
    );
    let read: Value = serde_json::from_str(&out).unwrap();
    let read = &read["read"];
    assert_eq!((&read["files"], &read["of"], &read["used"]), (&json!(2), &json!(4), &json!(3)));
    let (out, _, _) = machine.run(&["replay", folder, "--list"]);
    let line = out.lines().find(|line| line.ends_with("/a.jsonl")).unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(2).collect();
    assert_eq!(words[..4], ["1", "KB", "Mend", "it."], "{out}");

    let project = ["replay", "--project", "/p"];
    for line in [&["replay"][..], &["replay", "--list"], &project] {
        let (_, _, result) = machine.run(line);
        let error = result.unwrap_err();
        assert!(error.exit_code() == 2 && error.to_string().contains("--from"), "{error}");
    }
    let twice = ["--set", "ambient_window=5,10", "--set", "ambient_window=20,30"];
    let (_, err, result) = machine.run(&[&["replay", folder][..], &twice].concat());
    let error = result.unwrap_err();
    assert!(error.exit_code() == 2 && !err.contains("files: read"), "{error}{err}");
    assert!(error.to_string().starts_with("ambient_window is to be tried twice"), "{error}");
    let kinds = ["replay", folder, "--set", "specifics_kinds=path,url"];
    let (out, _, result) = machine.run(&kinds);
    result.unwrap();
    assert!(out.contains("At the end:"), "{out}");
}

#[test]
fn a_session_is_synced_once_it_is_whole_and_not_turn_by_turn() {
    let machine = Machine::new(&[]);
    let said = |turn: usize| {
        let by =
            |role: &str| json!({ "role": role, "content": format!("Step {turn} of the {role}") });
        [by("user"), by("assistant")]
    };
    write(&machine, "talk.jsonl", &(0..60).flat_map(said).collect::<Vec<_>>());
    let watch = crate::store::power_cut::watch(machine.home.path());
    let talk = machine.home.path().join("talk.jsonl");
    let kept = |name: &str, more: &[&str]| {
        let before = watch.syncs();
        let line = [&["replay", talk.to_str().unwrap(), "--keep", name], more].concat();
        machine.run(&line).2.unwrap();
        watch.syncs() - before
    };
    // The folder of the sessions is made with the first one.
    kept("first", &[]);
    watch.keep_all();
    let synced = kept("past", &[]);
    assert!((10..60).contains(&synced), "{synced}");
    let bill = Path::new(".local/share/ebbtide/sessions/past/bill.jsonl");
    let whole = fs::read(machine.home.path().join(bill)).unwrap();
    for cut in watch.cut() {
        assert!(cut.tree.get(bill) == Some(&whole), "{}", cut.what);
    }
    // Who does without gets none.
    assert!(kept("other", &["--set", "durability=process"]) < synced);
}

#[test]
fn folders_that_have_one_name_in_claude_code_are_told_apart() {
    let machine = Machine::new(&[]);
    let session = |id: &str, cwd: &str| {
        let record = |kind: &str, uuid: &str, parent: Option<&str>| json!({ "type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": id, "cwd": cwd, "message": { "role": kind, "content": format!("{id} {uuid}") } });
        [
            json!({ "type": "file-history-snapshot", "messageId": "m" }),
            record("user", &format!("{id}-u"), None),
            record("assistant", &format!("{id}-a"), Some(&format!("{id}-u"))),
        ]
    };
    let place = ".claude/projects/-gone-proj-sub";
    write(&machine, &format!("{place}/one.jsonl"), &session("one", "/gone/proj/sub"));
    write(&machine, &format!("{place}/two.jsonl"), &session("two", "/gone/proj-sub"));
    let (both, _, _) = machine.run(&["replay", "--from", "claude-code"]);
    assert!(both.contains("2 turns"), "{both}");
    for project in ["/gone/proj-sub", "/gone/proj-sub/"] {
        let (out, err, result) =
            machine.run(&["replay", "--from", "claude-code", "--project", project, "--list"]);
        result.unwrap();
        assert!(out.contains("two.jsonl") && !out.contains("one.jsonl"), "{out}{err}");
    }
}

#[test]
fn sessions_of_a_project_are_found_below_a_name_that_is_cut_or_another() {
    let machine = Machine::new(&[]);
    let long = format!("/gone{}", "/a-folder-with-a-long-name".repeat(9));
    let cut: String = long.replace('/', "-").chars().take(200).collect();
    for (folder, name, about) in [
        (format!("{cut}-1a2b3c"), "long.jsonl", long.as_str()),
        ("-gone-before".to_owned(), "renamed.jsonl", "/gone/now"),
        ("-gone-now".to_owned(), "now.jsonl", "/gone/now"),
        ("-gone-else".to_owned(), "else.jsonl", "/gone/else"),
    ] {
        let message = json!({ "role": "user", "content": "Mend it." });
        let record = json!({ "type": "user", "uuid": name, "sessionId": name, "cwd": about, "message": message });
        write(&machine, &format!(".claude/projects/{folder}/{name}"), &[record]);
    }
    for (project, expected) in
        [(long.as_str(), &["long.jsonl"][..]), ("/gone/now", &["now.jsonl", "renamed.jsonl"])]
    {
        let (out, err, result) =
            machine.run(&["replay", "--from", "claude-code", "--project", project, "--list"]);
        result.unwrap();
        for name in ["long.jsonl", "renamed.jsonl", "now.jsonl", "else.jsonl"] {
            assert_eq!(out.contains(name), expected.contains(&name), "{name} {out}{err}");
        }
    }
}

#[test]
fn a_session_that_another_one_of_opencode_began_is_a_subagents() {
    let machine = Machine::new(&[]);
    let export = |id: &str, more: &Value, said: &str| {
        let mut info = json!({ "id": id, "directory": "/project" });
        info.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let message = |role: &str| json!({ "info": { "id": role, "role": role, "parentID": "p" }, "parts": [{ "type": "text", "text": said }] });
        [json!({ "info": info, "messages": [message("user"), message("assistant")] })]
    };
    write(&machine, "oc/main.json", &export("a", &json!({ "parentID": null }), "Mend it."));
    write(&machine, "oc/child.json", &export("b", &json!({ "parentID": "a" }), "Look around."));
    let folder = machine.home.path().join("oc");
    let (out, err, result) = machine.run(&["replay", folder.to_str().unwrap()]);
    result.unwrap();
    assert!(out.contains("1 turn,") && err.contains("1 file of a subagent is left out"), "{err}");
    // Who writes them anew may put the messages first.
    let [child] = export("b", &json!({ "parentID": "a" }), "Look around.");
    let turned = format!("{{ \"messages\": {}, \"info\": {} }}", child["messages"], child["info"]);
    fs::write(folder.join("child.json"), turned).unwrap();
    let (out, err, result) = machine.run(&["replay", folder.to_str().unwrap()]);
    result.unwrap();
    assert!(out.contains("1 turn,") && err.contains("1 file of a subagent is left out"), "{err}");
    let child = folder.join("child.json");
    let (_, err, _) = machine.run(&["replay", child.to_str().unwrap()]);
    assert!(err.contains("1 of 1 file") && !err.contains("left out"), "{err}");
}

#[test]
fn what_a_fork_goes_on_from_is_replayed_before_it() {
    let machine = Machine::new(&[]);
    let at = |second: u64| format!("2026-05-01T10:00:{second:02}Z");
    let turn = |said: &str, second: u64| {
        let line = |kind: &str, role: &str, text: &str| json!({ "timestamp": at(second), "type": "event_msg", "payload": { "type": kind, "message": format!("{text} {role}") } });
        [line("user_message", "asked", said), line("agent_message", "answered", said)]
    };
    let meta = |id: &str, second: u64, more: &Value| {
        let mut meta = json!({ "id": id, "cwd": "/project", "timestamp": at(second) });
        meta.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({ "timestamp": at(second), "type": "session_meta", "payload": meta })
    };
    let none = json!({});
    let parent = [
        vec![meta("p", 0, &none)],
        ["apple", "banana", "cherry"]
            .iter()
            .zip(1..)
            .flat_map(|(said, at)| turn(said, at))
            .collect(),
    ];
    let fork = [
        vec![meta("f", 10, &json!({ "forked_from_id": "p" })), meta("p", 10, &none)],
        ["apple", "banana"].iter().flat_map(|said| turn(said, 10)).collect(),
        turn(&"dates ".repeat(300), 11).to_vec(),
    ];
    // A fork of the fork holds all of it, and more.
    let grandchild = [
        vec![meta("g", 20, &json!({ "forked_from_id": "f" }))],
        fork.concat(),
        turn("elder", 21).to_vec(),
    ];
    write(&machine, ".codex/sessions/2026/f.jsonl", &fork.concat());
    write(&machine, ".codex/sessions/2026/g.jsonl", &grandchild.concat());
    write(&machine, ".codex/sessions/2026/p.jsonl", &parent.concat());
    let (_, err, result) = machine.run(&["replay", "--from", "codex", "--keep", "kept"]);
    result.unwrap();
    let log = machine.home.path().join(".local/share/ebbtide/sessions/kept/raw.jsonl");
    let log = fs::read_to_string(log).unwrap_or_else(|_| panic!("{err}"));
    let said = ["apple asked", "banana asked", "cherry asked", "dates  asked", "elder asked"];
    let places = said.map(|said| log.find(said).unwrap_or_else(|| panic!("{said}: {log}")));
    assert!(places.is_sorted() && said.iter().all(|said| log.matches(said).count() == 1), "{log}");
}
