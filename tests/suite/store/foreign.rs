//! Directories that another program wrote, as the slices describe them.

use std::fs;
use std::path::Path;

use tempfile::{TempDir, tempdir};

use crate::support::session::{Command, Session, answered, said, turn};

/// The directory of slice 1, with fields that nobody here knows.
fn slice_1() -> TempDir {
    let dir = tempdir().unwrap();
    write(dir.path(), "raw.jsonl", &(said("Hey, how's it going?") + &answered("Good!")));
    write(
        dir.path(),
        "manifest.yaml",
        "project: tidal\nefforts:\n  - id: auth-bug\n    status: concluded\n    summary: |\n      \
         Debugged 401 errors.\n      Fix: axios interceptor.\n    raw_file: efforts/auth-bug.jsonl\n    \
         owner: {name: \"Ann\", since: 3}\n\n  - id: 42\n    status: open\n    summary: null\n    \
         raw_file: efforts/42.jsonl\n",
    );
    let log = said("The token expires after 1hr") + &answered("That's too short.");
    write(dir.path(), "efforts/auth-bug.jsonl", &log);
    write(dir.path(), "efforts/42.jsonl", &(said("six times nine") + &answered("42")));
    dir
}

fn write(dir: &Path, name: &str, text: &str) {
    let path = dir.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(dir: &TempDir, name: &str) -> String {
    fs::read_to_string(dir.path().join(name)).unwrap()
}

#[test]
fn a_directory_of_slice_1_opens_unchanged() {
    let dir = slice_1();
    let before = read(&dir, "manifest.yaml");
    let session = Session::open(dir.path());
    assert_eq!(session.problems, []);
    let view = session.memory.view();
    assert_eq!((view.open[0].id.as_str(), view.warm[0].id.as_str()), ("42", "auth-bug"));
    assert_eq!(view.ambient_messages, 2);
    assert_eq!(session.log("auth-bug"), ["The token expires after 1hr", "That's too short."]);
    let mut shown = session.opened.clone();
    shown.sort();
    assert_eq!(shown, ["42", "Good!", "Hey, how's it going?", "six times nine"]);
    session.close();
    assert_eq!(read(&dir, "manifest.yaml"), before);
}

#[test]
fn fields_of_other_programs_survive_a_save() {
    let dir = slice_1();
    write(dir.path(), "session_state.json", r#"{"turn_count": 14, "updated": "x", "mood": [1]}"#);
    write(dir.path(), "memory_state.json", r#"{"expanded": [], "theme": {"a": null}}"#);
    let mut session = Session::open(dir.path());
    session.turn("done", "ok", &[Command::Close("42", "Life.")]);
    session.turn("new", "ok", &[Command::Open("1e5")]);
    session.close();
    let yaml: yaml_serde::Value = yaml_serde::from_str(&read(&dir, "manifest.yaml")).unwrap();
    assert_eq!(yaml["project"].as_str(), Some("tidal"));
    assert_eq!(yaml["efforts"][0]["owner"]["since"].as_u64(), Some(3));
    let summary = "Debugged 401 errors.\nFix: axios interceptor.\n";
    assert_eq!(yaml["efforts"][0]["summary"].as_str(), Some(summary));
    assert_eq!(yaml["efforts"][1]["id"].as_str(), Some("42"));
    assert_eq!(yaml["efforts"][1]["status"].as_str(), Some("concluded"));
    assert_eq!(yaml["efforts"][2]["id"].as_str(), Some("1e5"));
    let state: serde_json::Value = serde_json::from_str(&read(&dir, "session_state.json")).unwrap();
    assert_eq!((state["turn_count"].as_u64(), state["mood"][0].as_u64()), (Some(16), Some(1)));
    let state: serde_json::Value = serde_json::from_str(&read(&dir, "memory_state.json")).unwrap();
    assert!(state["theme"]["a"].is_null() && state["theme"].is_object());
}

#[test]
fn mentions_are_read_from_either_file_and_outlive_its_replacement() {
    let fields = r#"{"expanded": ["auth-bug"], "expanded_at": {"auth-bug": "2026-02-15T18:00:00"},
        "last_referenced_turn": {"auth-bug": 14},
        "summary_last_referenced_turn": {"auth-bug": 12, "cold": 3}}"#;
    for name in ["memory_state.json", "expanded.json"] {
        let dir = slice_1();
        let manifest = read(&dir, "manifest.yaml");
        let cold = "\n  - id: cold\n    status: concluded\n    summary: Old.\n";
        write(dir.path(), "manifest.yaml", &(manifest.trim_end().to_owned() + cold));
        write(dir.path(), name, fields);
        write(dir.path(), "session_state.json", r#"{"turn_count": 30}"#);
        let mut session = Session::open(dir.path());
        assert_eq!(session.memory.expanded_efforts().count(), 0, "expansions are transient");
        session.turn("hi", "ok", &[]);
        drop(session);
        let session = Session::open(dir.path());
        let last = |at: usize| session.memory.efforts()[at].last_referenced;
        assert_eq!((last(0), last(2)), (turn(14), turn(3)), "{name}");
    }
}

#[test]
fn a_log_outside_the_session_is_never_touched() {
    let dir = tempdir().unwrap();
    let inside = dir.path().join("session");
    write(dir.path(), "secret.jsonl", &said("secret"));
    let outside = dir.path().join("secret.jsonl");
    write(
        &inside,
        "manifest.yaml",
        &format!(
            "efforts:\n- {{id: a, status: open, raw_file: ../secret.jsonl}}\n- {{id: b, status: open, \
             raw_file: {}}}\n- {{id: ../../c, status: open}}\n- {{id: d, status: open, raw_file: \
             efforts/link.jsonl}}\n- {{id: e, status: open, raw_file: journal.jsonl}}\n",
            outside.display()
        ),
    );
    fs::create_dir_all(inside.join("efforts")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, inside.join("efforts/link.jsonl")).unwrap();
    let mut session = Session::open(&inside);
    assert!(session.problems.len() >= 3, "{:?}", session.problems);
    for id in ["a", "b", "../../c", "e"] {
        if session.memory.active().is_some_and(|effort| effort.id.as_str() != id) {
            session.run(&Command::Switch(id), None);
        }
        session.turn(&format!("to {id}"), "ok", &[]);
        assert_eq!(session.log(id), [format!("to {id}"), "ok".into()]);
    }
    session.run(&Command::Switch("d"), None);
    session.turn("to d", "ok", &[]);
    assert_eq!(session.log("d"), ["to d", "ok"]);
    session.close();
    assert_eq!(fs::read_to_string(outside).unwrap(), said("secret"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
}

#[test]
fn a_name_taken_twice_and_items_without_a_name_are_kept() {
    let dir = tempdir().unwrap();
    write(
        dir.path(),
        "manifest.yaml",
        "efforts:\n- {id: a, status: concluded, summary: one}\n- {id: a, status: open}\n- just text\n\
         - {status: open}\n",
    );
    let mut session = Session::open(dir.path());
    assert_eq!(session.problems.len(), 2, "{:?}", session.problems);
    assert_eq!(session.memory.efforts().len(), 1);
    session.turn("x", "y", &[Command::Open("b")]);
    session.close();
    let yaml: yaml_serde::Value = yaml_serde::from_str(&read(&dir, "manifest.yaml")).unwrap();
    assert_eq!(yaml["efforts"].as_sequence().unwrap().len(), 5);
    assert_eq!(yaml["entries"].as_u64(), Some(5));
}
