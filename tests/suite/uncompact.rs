//! What an agent's compaction lost, asked as a person does: from the folder that the agent worked in.

use std::fs;

use serde_json::{Value, json};

use crate::cli::Home;

/// A session of Claude Code with a compaction whose summary keeps one of two paths.
fn session(cwd: &str) -> String {
    let record = |uuid: &str, parent: Option<&str>, more: Value| {
        let mut record = json!({ "uuid": uuid, "parentUuid": parent, "sessionId": "s", "cwd": cwd, "timestamp": "2026-05-01T10:00:00Z" });
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record
    };
    let user =
        |text: &str| json!({ "type": "user", "message": { "role": "user", "content": text } });
    let boundary = json!({ "type": "system", "subtype": "compact_boundary", "logicalParentUuid": "a",
        "compactMetadata": { "trigger": "auto", "preTokens": 165_000, "postTokens": 4_000 } });
    let summary = json!({ "type": "user", "isCompactSummary": true,
        "message": { "role": "user", "content": "This session is being continued. We mend src/lines.rs." } });
    let reply = json!({ "type": "assistant", "message": { "role": "assistant", "id": "m", "content": [{ "type": "text", "text": "It takes 30 ms." }] } });
    let records = [
        record("u", None, user("Mend src/lines.rs and src/items.rs.")),
        record("a", Some("u"), reply),
        record("b", None, boundary),
        record("c", Some("b"), summary),
        record("v", Some("c"), user("Go on.")),
        json!({ "type": "custom-title", "sessionId": "s", "customTitle": "Reader\u{1b}[31m" }),
    ];
    records.map(|record| format!("{record}\n")).concat()
}

/// A home in which Claude Code has worked in a folder; the home itself.
fn home() -> Home {
    let home = Home::new();
    let folder = fs::canonicalize(home.path(".")).unwrap();
    let cwd = folder.to_str().unwrap();
    let slug: String =
        cwd.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let sessions = home.path(".claude/projects").join(slug);
    fs::create_dir_all(&sessions).unwrap();
    fs::write(sessions.join("s.jsonl"), session(cwd)).unwrap();
    home
}

#[test]
fn the_newest_session_of_the_folder_is_found_and_each_loss_told() {
    let home = home();
    let (out, err, code) = home.run(&["uncompact"], &[("TZ", "UTC")]);
    assert_eq!((err.as_str(), code), ("", 0));
    for line in [
        "read 6, used 5, skipped 1 (1 custom-title)",
        "Of what was said and of the calls of tools; what tools answered does not count.",
        "Compaction 1, 2026-05-01 10:00, auto: 165,000 → 4,000 tokens",
        "  kept 1 of 2 paths, 0 of 1 number",
        "  lost paths       src/items.rs",
        "To paste back:",
        "- paths: src/items.rs",
        "  lost numbers     It takes 30 ms",
        "- numbers: It takes 30 ms",
    ] {
        assert!(out.lines().any(|told| told.starts_with(line)), "{line}\n{out}");
    }
    assert!(!out.contains('\u{1b}'));
    let (block, notes, _) = home.run(&["uncompact", "--block"], &[]);
    assert!(block.starts_with("Details from earlier") && !block.contains("Compaction"), "{block}");
    assert!(notes.contains("a Claude Code session"), "{notes}");
}

#[test]
fn a_session_in_which_nothing_was_compacted_is_passed_over_from_any_folder_below() {
    let home = home();
    let folder = fs::canonicalize(home.path(".")).unwrap();
    let sessions = fs::read_dir(home.path(".claude/projects")).unwrap().next().unwrap().unwrap();
    let newer = session(folder.to_str().unwrap());
    let newer: Vec<&str> = newer.lines().take(2).collect();
    let path = sessions.path().join("t.jsonl");
    fs::write(&path, newer.join("\n").replace("\"s\"", "\"t\"") + "\n").unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::open(&path).unwrap().set_modified(later).unwrap();
    let (out, err, code) = home.run(&["uncompact"], &[]);
    assert!(code == 0 && out.contains("lost paths       src/items.rs"), "{out}");
    assert!(err.contains("nothing was compacted in 1 newer session"), "{err}");
    fs::create_dir_all(home.path("src/deep")).unwrap();
    let mut below = home.command(&["uncompact"], &[]);
    let below = below.current_dir(home.path("src/deep")).output().unwrap();
    let told = String::from_utf8_lossy(&below.stdout);
    assert!(told.contains("lost paths       src/items.rs"), "{told}");
    let (out, _, code) = home.run(&["uncompact", path.to_str().unwrap()], &[]);
    assert!(code == 0 && out.contains("Nothing was compacted in it."), "{out}");
}

#[test]
fn the_block_to_paste_back_tells_a_file_once_and_what_was_decided_first() {
    let home = home();
    let path = home.path("s.jsonl");
    let said = "Mend src/lines.rs and shop/src/totals.rs. Look at totals.rs and at shop/src/totals.rs:41. Never use floats in it.";
    let log = session("/shop").replace("Mend src/lines.rs and src/items.rs.", said);
    fs::write(&path, log).unwrap();
    let (block, _, _) = home.run(&["uncompact", "--block", path.to_str().unwrap()], &[]);
    let lines: Vec<&str> = block.lines().skip(1).collect();
    assert!(lines[0].starts_with("- decisions: Never use floats"), "{block}");
    assert_eq!(lines[1], "- paths: shop/src/totals.rs:41", "{block}");
}

#[test]
fn the_block_tells_as_many_of_each_kind_as_are_asked_for_and_no_secret() {
    let home = home();
    let path = home.path("s.jsonl");
    let said = "See src/a.rs and src/b.rs.\\n$ PGPASSWORD=hunter42x psql -h db app\\nThe password is hunter42x.";
    let log = session("/shop").replace("Mend src/lines.rs and src/items.rs.", said);
    fs::write(&path, log).unwrap();
    let path = path.to_str().unwrap();
    let (block, _, code) = home.run(&["uncompact", "--block", "--most", "1", path], &[]);
    assert_eq!(code, 0);
    assert!(block.contains("\n- paths: src/b.rs\n"), "{block}");
    assert!(block.ends_with("- left out here: 1 path\n"), "{block}");
    assert!(block.contains("\n- commands: PGPASSWORD=… psql -h db app\n"), "{block}");
    for line in [&["uncompact", path][..], &["uncompact", "--json", path]] {
        let (out, _, _) = home.run(line, &[]);
        assert!(out.contains("PGPASSWORD=… psql") && !out.contains("hunter42x"), "{out}");
    }
    let (out, _, _) = home.run(&["uncompact", "--json", "--most", "1", path], &[]);
    let told: Value = serde_json::from_str(&out).unwrap();
    for list in [&told["lost_now"], &told["compactions"][0]["lost"]] {
        let is_path = |one: &&Value| one["kind"] == "path";
        let paths: Vec<&Value> = list.as_array().unwrap().iter().filter(is_path).collect();
        assert_eq!(paths, [&json!({ "kind": "path", "text": "src/b.rs" })], "{out}");
    }
}

#[test]
fn without_signs_there_are_none_but_in_what_is_pasted_back() {
    let home = home();
    let path = home.path("s.jsonl");
    let log = session("/shop").replace("src/items.rs.", "src/items.rs. We decided: 5 → 6 ms.");
    fs::write(&path, log).unwrap();
    let path = path.to_str().unwrap();
    for (line, variables) in
        [(&["uncompact", path][..], &[("LANG", "C")][..]), (&["uncompact", path, "--ascii"], &[])]
    {
        let (out, _, code) = home.run(line, variables);
        let (told, block) = out.split_once("To paste back:").unwrap();
        assert!(code == 0 && told.is_ascii() && told.contains("165,000 > 4,000"), "{out}");
        assert!(block.contains("5 → 6"), "{out}");
    }
}

#[test]
fn the_same_as_json_names_what_was_kept_and_lost() {
    let (out, _, code) = home().run(&["uncompact", ".claude", "--json"], &[]);
    let told: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, 0);
    assert_eq!(told["compactions"][0]["kept"], json!([{ "kind": "path", "text": "src/lines.rs" }]));
    assert_eq!(told["compactions"][0]["before"], 165_000);
    let number = json!({ "kind": "number", "text": "30 ms", "said": "It takes 30 ms" });
    let path = json!({ "kind": "path", "text": "src/items.rs" });
    let lost = told["lost_now"].as_array().unwrap();
    assert!(lost.len() == 2 && lost.contains(&number) && lost.contains(&path), "{out}");
}

#[test]
fn what_cannot_be_read_is_named_with_what_to_do() {
    let home = Home::new();
    fs::write(home.path("data.db"), b"SQLite format 3\0").unwrap();
    fs::write(home.path("empty.jsonl"), b"").unwrap();
    fs::write(home.path("notes.txt"), b"nothing of the kind").unwrap();
    fs::create_dir(home.path("folder")).unwrap();
    for (path, expected, status) in [
        ("data.db", "SQLite database", 1),
        ("empty.jsonl", "it is empty", 1),
        ("notes.txt", "Known are: a Claude Code session", 1),
        ("folder", "no conversation is in it", 2),
        ("missing.jsonl", "cannot be read", 2),
    ] {
        let (out, err, code) = home.run(&["uncompact", path], &[]);
        assert_eq!((out.as_str(), code), ("", status), "{path}");
        assert!(err.contains(expected) && err.contains(path), "{err}");
    }
    let (_, err, code) = home.run(&["uncompact"], &[]);
    assert!(code == 2 && err.contains("ebbtide uncompact PATH"), "{err}");
}

#[test]
fn a_session_that_cannot_be_read_hides_no_other() {
    let home = Home::new();
    let plain = |text: &str| {
        let message = json!({ "role": "user", "content": text });
        let line = json!({ "type": "user", "uuid": "u", "parentUuid": null, "sessionId": "s", "timestamp": "2026-05-01T10:00:00Z", "message": message });
        format!("{line}\n")
    };
    let folder = home.path("logs");
    fs::create_dir_all(&folder).unwrap();
    let old = folder.join("old.jsonl");
    fs::write(&old, plain("Hello")).unwrap();
    let at = std::time::SystemTime::now() - std::time::Duration::from_secs(9_000);
    fs::File::options().append(true).open(&old).unwrap().set_modified(at).unwrap();
    fs::write(folder.join("begun.jsonl"), "").unwrap();
    let (out, err, code) = home.run(&["uncompact", "logs"], &[]);
    assert!(code == 0 && out.contains("Nothing was compacted in it"), "{out}{err}");
}

#[test]
fn what_was_compacted_behind_the_last_turn_is_told_of_that() {
    let home = Home::new();
    let log = session("/home/ann/p");
    let log: Vec<&str> = log.lines().take(4).collect();
    fs::write(home.path("s.jsonl"), log.join("\n") + "\n").unwrap();
    let (told, err, _) = home.run(&["replay", "s.jsonl", "--json"], &[]);
    let told: Value = serde_json::from_str(&told).expect(&err);
    let turns = told["turns"].as_array().unwrap().len();
    assert_eq!((turns, &told["compactions"][0]["turn"]), (1, &json!(1)));
}
