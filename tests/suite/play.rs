//! `play` through the built program: the contract that other programs read.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use super::support::driver::{Bench, text};

const SCENARIO: &str = r#"
name: contract
config: {decay_threshold: 2}
setup:
  turn: 4
  ambient: [{user: "Hi", assistant: "Hello"}]
  efforts:
    - id: auth-bug
      summary: "Fixed the 401 with a refresh interceptor."
      last_referenced_turn: 4
      messages: [{role: user, content: "It answers 401", ts: "2026-01-01T10:00:00"}]
turns:
  - user: "Show me auth-bug"
    model:
      - calls: [{name: expand_effort, arguments: {id: auth-bug}}]
      - text: "Here."
  - {repeat: 2, user: "filler {n}", model: [{text: "ok {n}"}]}
"#;

fn run(home: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ebbtide"));
    command.env_clear().env("HOME", home).current_dir(home).args(args);
    command.stdin(std::process::Stdio::null()).output().expect("the program runs")
}

fn objects(output: &Output) -> Vec<Value> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn each_turn_is_an_object_with_the_agreed_names_and_the_metrics_come_last() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("s.yaml"), SCENARIO).unwrap();
    let turns = objects(&run(home.path(), &["play", "s.yaml", "--json", "--messages"]));
    assert_eq!(turns.len(), 4);
    let first = &turns[0];
    for key in [
        "turn",
        "user",
        "reply",
        "banners",
        "calls",
        "requests",
        "bill",
        "overhead_us",
        "sent",
        "given",
        "most",
        "window",
        "full_history",
        "changes",
        "messages",
    ] {
        assert!(!first[key].is_null(), "{key}");
    }
    for layer in
        ["system", "tools", "summaries", "notes", "scratchpad", "ambient", "expanded", "open"]
    {
        assert!(
            first["sent"]["layers"][layer].is_u64() && first["window"]["layers"][layer].is_u64()
        );
    }
    assert_eq!((first["turn"].as_u64(), first["requests"].as_u64()), (Some(5), Some(2)));
    let total = |key: &str| first[key]["total"].as_u64().unwrap();
    // The second request carries the call and its result.
    assert_eq!(total("most"), total("answered"));
    assert!(total("most") > total("sent") && first["sent_in_all"] == total("sent") + total("most"));
    assert_eq!(first["window"]["expanded"][0]["id"], "auth-bug");
    assert_eq!(first["window"]["expanded"][0]["turns_left"], 2);
    assert_eq!(first["banners"][0], "--- Expanded effort: auth-bug ---");
    assert_eq!(turns[1]["user"], "filler 6");
    assert_eq!(turns[2]["changes"][0]["kind"], "effort_auto_collapsed");
    assert_eq!(turns[2]["window"]["summaries"][0]["id"], "auth-bug");
    assert_eq!(turns[3]["metrics"]["auto_collapses"], 1);
}

#[test]
fn a_played_session_can_be_looked_at_and_searched() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("s.yaml"), SCENARIO).unwrap();
    std::fs::write(home.path().join("q.txt"), "interceptor\nnothing of that\n").unwrap();
    objects(&run(home.path(), &["play", "s.yaml", "--json", "--session", "kept"]));
    let stats = objects(&run(home.path(), &["stats", "--json", "--session", "kept"]));
    assert_eq!(
        (stats[0]["turn"].as_u64(), stats[0]["efforts"]["warm"].as_u64()),
        (Some(7), Some(1))
    );
    let args = ["search", "--queries", "q.txt", "-k", "2", "--json", "--session", "kept"];
    let found = objects(&run(home.path(), &args));
    assert_eq!(found[0]["results"][0]["id"], "auth-bug");
    assert_eq!(found[1]["results"].as_array().map(Vec::len), Some(0));
}

/// What a search prints that has to succeed.
fn search(home: &Path, session: &Path) -> String {
    let session = session.to_str().unwrap();
    let output = run(home, &["search", "who set a leeway?", "--session", session]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_search_of_a_session_that_nobody_opened_keeps_its_index_where_it_can() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("made");
    super::recall::session(&directory);
    let found = search(home.path(), &directory);
    assert!(found.starts_with("auth-bug"), "{found}");
    let log = directory.join("index/said.log");
    let kept = std::fs::read(&log).unwrap();
    assert_eq!(search(home.path(), &directory), found);
    assert_eq!(std::fs::read(&log).unwrap(), kept, "nothing was indexed again");
    std::fs::remove_dir_all(directory.join("index")).unwrap();
    std::fs::write(directory.join("index"), "in the way").unwrap();
    assert_eq!(search(home.path(), &directory), found);
    assert_eq!(std::fs::read(directory.join("index")).unwrap(), b"in the way");
    let session = directory.to_str().unwrap();
    let output = run(home.path(), &["--offline", "-p", "hello", "--session", session]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(std::fs::read(directory.join("index")).unwrap(), b"in the way");
}

#[cfg(unix)]
#[test]
fn a_session_that_can_only_be_read_is_searched_and_a_chat_in_it_says_what_to_do() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("made");
    super::recall::session(&directory);
    let permit = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&directory, permissions).unwrap();
    };
    permit(0o555);
    // Whoever may write everywhere has nothing that can only be read.
    let is_kept_out = std::fs::write(directory.join("probe"), "").is_err();
    assert!(search(home.path(), &directory).starts_with("auth-bug"));
    let session = directory.to_str().unwrap();
    let output = run(home.path(), &["--offline", "-p", "hello", "--session", session]);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    permit(0o755);
    assert_eq!(output.status.success(), !is_kept_out, "{error}");
    if is_kept_out {
        assert!(error.contains("check its permissions"), "{error}");
        assert!(!directory.join("journal.jsonl").exists() && !directory.join("index").exists());
    }
}

#[tokio::test]
async fn a_session_that_is_open_is_searched_by_another_process_and_left_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join("made");
    super::recall::session(&directory);
    let mut open = Bench::open(&directory);
    open.turn = 30;
    open.turn("The ladder leans on the shed.", vec![text("I see.")], "").await;
    let log = directory.join("index/said.log");
    let (index, journal) = (std::fs::read(&log).unwrap(), directory.join("journal.jsonl"));
    let told = std::fs::read(&journal).unwrap();
    assert!(search(home.path(), &directory).starts_with("auth-bug"));
    let session = directory.to_str().unwrap();
    let found = run(home.path(), &["search", "ladder", "--json", "--session", session]);
    assert_eq!(objects(&found)[0]["results"][0]["id"], "ambient", "what was said a moment ago");
    let refused = run(home.path(), &["--offline", "-p", "hello", "--session", session]);
    let error = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && error.contains("already open"), "{error}");
    assert_eq!((std::fs::read(&log).unwrap(), std::fs::read(&journal).unwrap()), (index, told));
    let after = open.turn("Was the ladder on the shed?", vec![text("It was.")], "").await;
    assert_eq!(after.turn.0, 32, "who has it open goes on");
    open.close().await;
    assert!(search(home.path(), &directory).starts_with("auth-bug"));
}

#[test]
fn a_script_that_does_not_fit_names_the_turn_or_the_line() {
    let home = tempfile::tempdir().unwrap();
    for (text, code, words) in [
        ("turns: [{user: a, model: []}]", 1, "turn 1"),
        ("turns: [{user: a, model: [{text: b}, {text: c}]}]", 1, "turn 1"),
        ("turns:\n  - usr: a\n", 1, "s.yaml:2: turns[0]: unknown field"),
        ("config: {decay: 3}\nturns: []\n", 2, "decay"),
    ] {
        std::fs::write(home.path().join("s.yaml"), text).unwrap();
        let output = run(home.path(), &["play", "s.yaml"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{text}: {error}");
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_setting_that_is_refused_is_named_with_the_file_and_nothing_is_played() {
    let home = tempfile::tempdir().unwrap();
    let turns = "turns: [{user: a, model: [{text: b}]}]";
    for (config, words) in [
        ("decay_treshold: 3", r#"no setting "decay_treshold""#),
        ("decay_threshold: many", "decay_threshold must be"),
        ("protected_tags: [a b]", "protected_tags must be"),
        ("token_budget: 1000", "token_budget of 1,000 is too small"),
        ("context_window: 1200, token_budget: 1200", "token_budget of 1,200 is too small"),
    ] {
        let text = format!("name: x\nconfig: {{{config}}}\n{turns}\n");
        std::fs::write(home.path().join("s.yaml"), text).unwrap();
        let output = run(home.path(), &["play", "s.yaml", "--session", "kept"]);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{config}: {error}");
        assert!(error.contains(words) && error.contains("(from: scenario s.yaml:2)"), "{error}");
        assert!(output.stdout.is_empty() && !home.path().join("kept").exists(), "{config}");
    }
}
