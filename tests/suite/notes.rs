//! Notes through the driver and the built program: made, kept, checked, undone and found again.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use ebbtide::config::{Settings, Source};
use ebbtide::memory::{MemoryView, Usage};
use ebbtide::orchestrator::{NoteCommand, Notice, Op};
use ebbtide::tools::Call;
use serde_json::{Value, json};

use super::support::driver::{Bench, call, text};

fn remember(content: &str, tags: &[&str]) -> Op {
    let tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    Op::Run(Call::Remember { content: content.into(), tags, salience: None })
}

fn note(id: &str, command: NoteCommand) -> Op {
    Op::Note { id: id.into(), command }
}

fn with(values: &[(&str, &str)]) -> Settings {
    let mut settings = Settings::default();
    let values = values.iter().map(|(key, value)| ((*key).into(), (*value).into(), Source::Chat));
    settings.set_all(values).unwrap();
    settings
}

/// The next thing that memory does.
async fn next_banner(bench: &mut Bench) -> String {
    loop {
        if let Notice::Changed(change) = bench.notices.recv().await.unwrap() {
            return change.banner();
        }
    }
}

#[tokio::test]
async fn a_note_of_the_model_is_in_the_next_window_and_survives_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    let made = call(
        "remember",
        json!({"content": "The freeze is on Friday.", "tags": "decision", "salience": "★★★"}),
    );
    let report = bench.turn("note this", vec![made, text("noted")], "").await;
    assert_eq!(report.banners, ["--- Remembered note: n1 ---"]);
    assert_eq!(report.calls[0].result["id"], "n1");
    assert_eq!(report.memory.notes.stats.current, 1);
    let asked = vec![call("working_memory_stats", json!({})), text("one")];
    let report = bench.turn("how many notes", asked, "").await;
    let stats = &report.calls[0].result;
    assert_eq!((&stats["current"], &stats["status"]), (&json!(1), &json!("healthy")));
    bench.close().await;
    // Without the derived file, the journal brings the note back.
    for derived in [true, false] {
        if !derived {
            std::fs::remove_file(dir.path().join("notes.json")).unwrap();
        }
        let mut bench = Bench::open(dir.path());
        bench.handle.send(Op::ShowWindow);
        let window = loop {
            if let Notice::Window(window) = bench.notices.recv().await.unwrap() {
                break window;
            }
        };
        let block = window.block_text().unwrap();
        assert!(block.contains("- [n1 ★★★ decision] The freeze is on Friday."), "{block}");
        bench.close().await;
    }
}

#[tokio::test]
async fn a_person_steers_notes_and_undo_takes_back_what_left() {
    let dir = tempfile::tempdir().unwrap();
    let limits = [("working_memory_soft_limit", "3"), ("working_memory_hard_limit", "9")];
    let mut bench = Bench::with(dir.path(), with(&limits), None);
    for (content, tags) in [("the oldest fact", &["todo"][..]), ("a choice", &["decision"])] {
        assert!(bench.command(remember(content, tags)).await.0);
    }
    assert_eq!(
        bench.command(note("n1", NoteCommand::Pin)).await,
        (true, "Pinned note: n1.".into())
    );
    bench.command(remember("a passing remark", &[])).await;
    let archived = "--- Archived note: n3 (oldest, 3 notes at the soft limit of 3) ---";
    assert_eq!(next_banner(&mut bench).await, archived, "not only after a turn");
    bench.close().await;
    let mut bench = Bench::with(dir.path(), with(&limits), None);
    let undone = |what: &str| (true, format!("Undone: {what}."));
    let archived = "Archived note: n3 (oldest, 3 notes at the soft limit of 3)";
    assert_eq!(bench.command(Op::Undo).await, undone(archived));
    // The next one back is the making of n3; a note that was made is then removed.
    assert_eq!(bench.command(Op::Undo).await, undone("Remembered note: n3"));
    assert_eq!(bench.command(Op::Undo).await, undone("Pinned note: n1"));
    let (ok, why) = bench.command(note("n3", NoteCommand::Delete)).await;
    assert!(!ok && why.contains("n3"), "{why}");
    let (ok, why) = bench.command(remember("x", &["two words"])).await;
    assert!(!ok && why.contains("two words"), "{why}");
    bench.close().await;
}

#[tokio::test]
async fn undoing_a_check_brings_its_whole_batch_back() {
    let dir = tempfile::tempdir().unwrap();
    let limits = [("working_memory_soft_limit", "3"), ("working_memory_hard_limit", "4")];
    let mut bench = Bench::with(dir.path(), with(&limits), None);
    for content in ["one", "two", "three", "four"] {
        bench.command(remember(content, &["important"])).await;
    }
    let report = bench.turn("hello", vec![text("hi")], "").await;
    assert_eq!(report.memory.notes.stats.current, 0, "the hard limit spares no tag");
    let (ok, undone) = bench.command(Op::Undo).await;
    assert!(ok && undone.starts_with("Undone: Removed note: n4"), "{undone}");
    assert!(undone.ends_with("; and 1 more."), "{undone}");
    let (_, text) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(text.starts_with("Working memory: 4 notes"), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn an_archived_note_is_found_by_search_and_a_removed_one_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    bench.command(remember("The staging password rotates on Mondays.", &[])).await;
    bench.command(note("n1", NoteCommand::Archive)).await;
    let search =
        || Op::Run(Call::SearchEfforts { query: "staging password".into(), all: false, page: 1 });
    let (_, found) = bench.command(search()).await;
    assert!(found.starts_with("n1 (permanent): The staging password"), "{found}");
    bench.command(note("n1", NoteCommand::Delete)).await;
    let (_, found) = bench.command(search()).await;
    assert_eq!(found, "Nothing matches; try other words.");
    bench.close().await;
}

/// What the session tells of its notes when it is opened anew.
async fn reopened(dir: &Path) -> MemoryView {
    let mut bench = Bench::open(dir);
    let view = loop {
        if let Notice::Memory(view) = bench.notices.recv().await.unwrap() {
            break (*view).clone();
        }
    };
    bench.close().await;
    view
}

#[tokio::test]
async fn how_often_a_note_is_used_survives_a_restart_and_the_loss_of_the_derived_file() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    bench.command(remember("The staging password rotates on Mondays.", &[])).await;
    bench.command(remember("Tea is at four.", &[])).await;
    bench.command(note("n1", NoteCommand::Archive)).await;
    bench.turn("tell me about n2", vec![text("n2 it is")], "").await;
    let asked = vec![call("search_efforts", json!({"query": "staging password"})), text("ok")];
    bench.turn("look it up", asked, "").await;
    // Found between two turns, and no turn ends after it.
    let search =
        Op::Run(Call::SearchEfforts { query: "staging password".into(), all: false, page: 1 });
    bench.command(search).await;
    bench.close().await;
    for derived in [true, false] {
        if !derived {
            std::fs::remove_file(dir.path().join("notes.json")).unwrap();
        }
        let notes = reopened(dir.path()).await.notes;
        let last_found = Some(ebbtide::memory::Turn(2));
        let found = Usage { mentions: 0, finds: 2, last_found };
        assert_eq!(notes.permanent[0].note.usage, found, "{derived}");
        let mentioned = Usage { mentions: 1, ..Usage::default() };
        assert_eq!(notes.session[0].note.usage, mentioned, "{derived}");
    }
}

#[tokio::test]
async fn a_session_that_does_not_tell_how_often_notes_were_used_opens_as_before() {
    let dir = tempfile::tempdir().unwrap();
    let old = json!({
        "journal_bytes": 0, "last_note": 1, "mood": "calm",
        "notes": [{"id": "n1", "content": "Tea is at four.", "tags": [], "salience": 2,
            "created": 0, "entered": 0, "last_used": 0, "pinned": false, "state": "session", "colour": "red"}],
    });
    std::fs::write(dir.path().join("notes.json"), old.to_string()).unwrap();
    let line = r#"{"seq":1,"turn":3,"ts":"","kind":"turn","notes_used":["n1"]}"#;
    std::fs::write(dir.path().join("journal.jsonl"), format!("{line}\n")).unwrap();
    let note = reopened(dir.path()).await.notes.session[0].note.clone();
    assert_eq!((note.usage, note.last_used), (Usage::default(), ebbtide::memory::Turn(3)));
    let mut bench = Bench::open(dir.path());
    bench.command(self::note("n1", NoteCommand::Pin)).await;
    bench.close().await;
    let kept = std::fs::read_to_string(dir.path().join("notes.json")).unwrap();
    for unknown in ["\"mood\":\"calm\"", "\"colour\":\"red\""] {
        assert!(kept.contains(unknown), "{kept}");
    }
}

#[tokio::test]
async fn an_efforts_notes_leave_with_it_where_that_is_set() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("archive_notes_with_effort", "true")]);
    let mut bench = Bench::with(dir.path(), settings, None);
    let open = vec![call("open_effort", json!({"name": "bread"})), text("opened")];
    bench.turn("let's bake", open, "").await;
    bench.command(remember("Rye needs more water.", &[])).await;
    let long = "the dough was sticky ".repeat(40);
    bench.turn(&long, vec![text("add flour")], "").await;
    let close = vec![call("close_effort", json!({})), text("closed")];
    let report = bench.turn("done", close, "Baked rye bread.").await;
    assert_eq!(
        report.banners,
        ["--- Concluded effort: bread ---", "--- Archived note: n1 (with its effort bread) ---"]
    );
    bench.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_budget_is_checked_every_thirty_seconds_without_a_turn() {
    let dir = tempfile::tempdir().unwrap();
    let limits = [("working_memory_soft_limit", "3"), ("working_memory_hard_limit", "9")];
    let mut bench = Bench::with(dir.path(), with(&limits), Some(Duration::from_secs(30)));
    bench.command(remember("one", &[])).await;
    bench.command(remember("two", &[])).await;
    let lower = ("working_memory_soft_limit".into(), "2".into());
    assert!(bench.command(Op::Set { key: lower.0, value: lower.1 }).await.0);
    let archived = next_banner(&mut bench).await;
    assert!(archived.starts_with("--- Archived note: n1 (oldest, 2 notes"), "{archived}");
    bench.close().await;
}

#[tokio::test]
async fn limits_that_make_no_sense_are_refused_by_name_and_the_old_ones_hold() {
    let dir = tempfile::tempdir().unwrap();
    let mut bench = Bench::open(dir.path());
    for (key, value, words) in [
        ("working_memory_soft_limit", "60", "not below working_memory_hard_limit, 50"),
        ("working_memory_batch_size", "0", "working_memory_batch_size must be a whole number"),
        ("working_memory_preset", "huge", "one of interactive, production, research"),
        ("working_memory_threads", "maybe", "one of false, true"),
        ("working_memory_limits", "elastic", "one of fixed, adaptive"),
        ("working_memory_eviction", "newest", "one of oldest, lru"),
        ("protected_tags", "two words", "protected_tags must be words"),
        ("token_budget", "1000", "token_budget"),
    ] {
        let op = Op::Set { key: key.into(), value: value.into() };
        let (ok, text) = bench.command(op).await;
        assert!(!ok && text.contains(words), "{text}");
    }
    let op = Op::Run(Call::WorkingMemoryStats);
    let (_, text) = bench.command(op).await;
    assert!(text.contains("soft limit 35, hard limit 50, batch 10"), "{text}");
    let op = Op::Set { key: "working_memory_preset".into(), value: "research".into() };
    assert!(bench.command(op).await.0);
    let (_, text) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(text.contains("soft limit 50, hard limit 75"), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn adaptive_limits_are_told_with_their_reason_and_are_the_same_after_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let settings = || with(&[("working_memory_limits", "adaptive")]);
    let mut bench = Bench::with(dir.path(), settings(), None);
    bench.command(remember("The staging password rotates on Mondays.", &[])).await;
    let search =
        Op::Run(Call::SearchEfforts { query: "staging password".into(), all: false, page: 1 });
    bench.command(search).await;
    let why = "36/51: notes are found often (1 in 20 turns, 0 idle)";
    let asked = vec![call("working_memory_stats", json!({})), text("one")];
    let report = bench.turn("how many notes", asked, "").await;
    assert_eq!(report.calls[0].result["why"], why);
    bench.close().await;
    let mut bench = Bench::with(dir.path(), settings(), None);
    let (_, text) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(text.contains("soft limit 36, hard limit 51"), "{text}");
    assert!(text.ends_with(&format!("Limits adaptive, {why}.")), "{text}");
    let op = Op::Set { key: "working_memory_limits".into(), value: "fixed".into() };
    assert!(bench.command(op).await.0);
    let (_, text) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(text.ends_with("Limits fixed, 35/50: as set."), "{text}");
    bench.close().await;
}

#[tokio::test]
async fn a_thread_leaves_and_returns_in_one_step_each_that_undo_takes_back() {
    let dir = tempfile::tempdir().unwrap();
    let limits = || {
        with(&[
            ("working_memory_threads", "true"),
            ("working_memory_soft_limit", "4"),
            ("working_memory_batch_size", "1"),
        ])
    };
    let mut bench = Bench::with(dir.path(), limits(), None);
    bench.command(remember("The staging password rotates on Mondays.", &["ops"])).await;
    bench.command(remember("Backups run at four.", &["ops"])).await;
    bench.command(remember("Rye needs more water.", &[])).await;
    bench.command(remember("Tea is green.", &[])).await;
    // #ops is the only thread and so the one in use: the others leave first, one at a check.
    let (_, stats) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(stats.starts_with("Working memory: 3 notes"), "{stats}");
    bench.command(remember("The bakery opens at six.", &["trip"])).await;
    assert!(
        next_banner(&mut bench).await.starts_with("--- Archived note: n4 (oldest but for #ops")
    );
    bench.command(remember("The trip begins on Friday.", &["trip"])).await;
    let why = "oldest thread #ops, 4 notes at the soft limit of 4";
    for id in ["n1", "n2"] {
        assert_eq!(next_banner(&mut bench).await, format!("--- Archived note: {id} ({why}) ---"));
    }
    bench.close().await;

    let mut bench = Bench::with(dir.path(), limits(), None);
    let (_, undone) = bench.command(Op::Undo).await;
    assert!(undone.contains("note: n1") && undone.contains("note: n2"), "one step: {undone}");
    bench.command(Op::Redo).await;
    bench.close().await;

    let mut settings = limits();
    settings.set("working_memory_soft_limit", "9", Source::Chat).unwrap();
    let mut bench = Bench::with(dir.path(), settings, None);
    let asked = vec![call("search_efforts", json!({"query": "staging password"})), text("ok")];
    let report = bench.turn("look it up", asked, "").await;
    assert_eq!(
        report.banners,
        [
            "--- Restored note: n1 (found by search) ---",
            "--- Restored note: n2 (with n1 of its thread) ---"
        ]
    );
    let threads: Vec<(String, String)> = report
        .memory
        .notes
        .session
        .iter()
        .filter_map(|view| Some((view.note.id.to_string(), view.thread.clone()?)))
        .collect();
    let of = |id: &str, name: &str| (id.to_owned(), name.to_owned());
    assert_eq!(threads[..2], [of("n5", "#trip"), of("n6", "#trip")]);
    assert_eq!(threads[2..], [of("n1", "#ops"), of("n2", "#ops")]);
    let (_, undone) = bench.command(Op::Undo).await;
    assert!(undone.contains("note: n1") && undone.contains("note: n2"), "one step: {undone}");
    let (_, stats) = bench.command(Op::Run(Call::WorkingMemoryStats)).await;
    assert!(
        stats.starts_with("Working memory: 2 notes") && stats.contains("4 permanent"),
        "{stats}"
    );
    let (_, back) = bench.command(note("n2", NoteCommand::Return)).await;
    assert_eq!(back, "Restored note: n2 (back on request), and 1 more of its thread.");
    bench.close().await;
}

#[tokio::test]
async fn in_mode_ask_what_would_leave_waits_for_consent() {
    let dir = tempfile::tempdir().unwrap();
    let settings = with(&[("budget_mode", "ask"), ("soft_percent", "15")]);
    let mut bench = Bench::with(dir.path(), settings, None);
    for name in ["bread", "tax", "trip"] {
        let open = vec![call("open_effort", json!({ "name": name })), text("opened")];
        bench.turn("let's start", open, "").await;
        let long = format!("{name} talk ").repeat(200);
        bench.turn(&long, vec![text("hm")], "").await;
        let close = vec![call("close_effort", json!({})), text("closed")];
        bench.turn("done", close, &format!("Settled {name} {}.", "well ".repeat(60))).await;
    }
    let filler = "unrelated words about nothing ".repeat(350);
    let report = bench.turn(&filler, vec![text("ok")], "").await;
    let waiting = report.memory.waiting.len();
    assert!(waiting > 0 && report.memory.warm.len() == 3, "nothing left by itself");
    let warned = bench.notices.recv().await;
    assert!(matches!(warned, Some(Notice::Info(text)) if text.contains("wait for your consent")));
    let (ok, said) = bench.command(Op::LetLeave).await;
    assert!(ok && said.starts_with("The window has"), "{said}");
    let (ok, said) = bench.command(Op::LetLeave).await;
    assert_eq!((ok, said.as_str()), (false, "Nothing waits to leave the window."));
    let report = bench.turn("hm", vec![text("ok")], "").await;
    assert_eq!(report.memory.manifest.evicted, waiting);
    bench.close().await;
}

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).current_dir(home).args(args);
    command.stdin(std::process::Stdio::null()).output().expect("the program runs")
}

#[test]
fn a_note_that_is_made_without_a_chat_is_held_to_the_limits_at_once() {
    let home = tempfile::tempdir().unwrap();
    let config = home.path().join(".config/ebbtide");
    std::fs::create_dir_all(&config).unwrap();
    let limits = "working_memory_soft_limit = 2\nworking_memory_hard_limit = 3\n";
    std::fs::write(config.join("config.toml"), limits).unwrap();
    let told = |args: &[&str]| {
        let output = run(home.path(), args);
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(!told(&["-p", "/remember one #decision"]).contains("n1 ("));
    assert!(told(&["-p", "/remember two"]).contains("Archived note: n2 (oldest, 2 notes"));
    told(&["-p", "/remember three #decision"]);
    let removed = told(&["-p", "/remember four #decision"]);
    assert!(removed.contains("Removed note: n1 (oldest, 3 notes at the hard limit"), "{removed}");
}

/// Notes after each of two turns, and the kinds of what left in them.
fn played(home: &Path, config: &str, count: usize, tags: &str) -> Vec<(u64, usize, usize)> {
    let notes: Vec<String> =
        (0..count).map(|n| format!("{{content: \"fact {n}\", tags: [{tags}]}}")).collect();
    let scenario = format!(
        "name: notes\nconfig: {{{config}}}\nsetup: {{notes: [{}]}}\n\
         turns:\n  - {{repeat: 2, user: hm, model: [{{text: ok}}]}}\n",
        notes.join(", ")
    );
    std::fs::write(home.join("s.yaml"), scenario).unwrap();
    let output = run(home, &["play", "s.yaml", "--json"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let turns = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    turns
        .filter(|turn| !turn["turn"].is_null())
        .map(|turn| {
            let changes = turn["changes"].as_array().unwrap();
            let of = |kind: &str| changes.iter().filter(|change| change["kind"] == kind).count();
            (turn["window"]["notes"].as_u64().unwrap(), of("note_archived"), of("note_removed"))
        })
        .collect()
}

#[test]
fn a_played_session_keeps_to_the_limits_of_each_preset() {
    let home = tempfile::tempdir().unwrap();
    let play = |config: &str, count, tags: &str| played(home.path(), config, count, tags);
    assert_eq!(play("", 34, "todo"), [(34, 0, 0), (34, 0, 0)]);
    assert_eq!(play("", 35, "todo"), [(25, 10, 0), (25, 0, 0)]);
    assert_eq!(play("", 35, "todo, insight"), [(35, 0, 0), (35, 0, 0)]);
    assert_eq!(play("", 49, "todo"), [(39, 10, 0), (29, 10, 0)]);
    assert_eq!(play("", 50, "insight"), [(40, 0, 10), (40, 0, 0)]);
    assert_eq!(play("", 60, "insight"), [(50, 0, 10), (40, 0, 10)]);
    assert_eq!(play("tag_aware_archival: false", 35, "insight"), [(25, 10, 0), (25, 0, 0)]);
    assert_eq!(play("protected_tags: [todo]", 35, "todo"), [(35, 0, 0), (35, 0, 0)]);
    assert_eq!(play("working_memory_preset: production", 39, "x"), [(29, 10, 0), (19, 10, 0)]);
    assert_eq!(play("working_memory_preset: production", 40, "x"), [(30, 0, 10), (20, 10, 0)]);
    assert_eq!(play("working_memory_preset: research", 49, "x"), [(49, 0, 0), (49, 0, 0)]);
    assert_eq!(play("working_memory_preset: research", 75, "x"), [(65, 0, 10), (55, 10, 0)]);
    assert_eq!(play("working_memory_enabled: false", 60, "x"), [(60, 0, 0), (60, 0, 0)]);
}

#[test]
fn statistics_are_printed_for_people_and_programs() {
    let home = tempfile::tempdir().unwrap();
    let setup = "setup: {notes: [{content: a fact}]}\nturns: [{user: hm, model: [{text: ok}]}]\n";
    std::fs::write(home.path().join("s.yaml"), format!("name: s\n{setup}")).unwrap();
    run(home.path(), &["play", "s.yaml", "--session", "kept"]);
    let output = run(home.path(), &["stats", "--session", "kept", "--json"]);
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    let expected = json!({
        "current": 1, "soft_limit": 35, "hard_limit": 50, "batch_size": 10, "enabled": true,
        "utilization": 100.0 / 35.0, "status": "healthy", "permanent": 0, "limits": "fixed",
        "why": "35/50: as set",
    });
    assert_eq!(stats["notes"], expected);
    let output = run(home.path(), &["stats", "--session", "kept"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("1 (soft 35, hard 50, batch 10, enabled yes, 2.9 %"), "{text}");
}

#[test]
#[cfg(unix)]
fn a_note_that_the_disk_refuses_is_not_told_as_done() {
    let home = tempfile::tempdir().unwrap();
    let remember = |limit: &str| {
        // No file grows beyond a few hundred bytes: as on a full disk, appending fails.
        let shell = format!("{limit} exec \"$0\" --offline -p '/remember valve 9 leaks'");
        std::process::Command::new("sh")
            .args(["-c", &shell, env!("CARGO_BIN_EXE_ebbtide")])
            .env_clear()
            .env("HOME", home.path())
            .output()
            .unwrap()
    };
    assert_eq!(remember("").status.code(), Some(0));
    let refused = remember("ulimit -f 1; trap '' XFSZ;");
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(told.contains("Noted as n2. It is in memory only"), "{told}");
    assert!(told.contains("what memory did last is lost, 1 change"), "{told}");
    assert_eq!(refused.status.code(), Some(1), "{told}");
}
