//! Export, import, rename, and looking at a session that is open elsewhere.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use ebbtide::config::Settings;
use ebbtide::orchestrator::{ExportFormat, export, export_to_file, inspect};
use ebbtide::store::{Archive, SessionSummary, Store, look, rename, sessions};

use crate::support::session::{Command, Session, Words, write_large};

/// Every file of a directory with its bytes.
fn tree(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for item in fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            found.extend(
                tree(&path).into_iter().map(|(below, bytes)| (name.clone() + "/" + &below, bytes)),
            );
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// A session in which something of each kind has happened.
fn lived(dir: &Path) -> Session {
    let mut session = Session::open(dir);
    session.turn("Hello there,\nI am Ada", "Hello, Ada.", &[]);
    session.turn("Let us fix the auth bug", "Gladly.", &[Command::Open("auth-bug")]);
    session.turn("It is done", "Fine.", &[Command::Close("auth-bug", "Fixed the token check.")]);
    session.turn("Now the *trip* to 東京", "# Plan\n\n- fly", &[Command::Open("trip")]);
    session
}

fn json(dir: &Path) -> String {
    let mut out = Vec::new();
    export(dir, ExportFormat::Json, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn an_exported_session_is_imported_as_it_was() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("one/talk");
    lived(&dir).close();
    let text = json(&dir);
    let copy = root.path().join("two/talk");
    Archive::from_json(text.as_bytes()).unwrap().unpack(&copy).unwrap();
    assert_eq!(json(&copy), text);
    let mut all = tree(&dir);
    all.remove("lock");
    assert_eq!(tree(&copy), all);

    let (first, second) = (Session::open(&dir), Session::open(&copy));
    assert_eq!(second.opened, first.opened);
    assert_eq!(second.memory.view(), first.memory.view());
    assert_eq!(
        second.log("auth-bug"),
        ["Let us fix the auth bug", "Gladly.", "It is done", "Fine."]
    );
    assert!(second.problems.is_empty(), "{:?}", second.problems);
}

#[test]
fn the_json_of_a_log_can_be_read_line_by_line() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("talk");
    lived(&dir).close();
    let value: serde_json::Value = serde_json::from_str(&json(&dir)).unwrap();
    let files = value["files"].as_array().unwrap();
    let log = files.iter().find(|file| file["path"] == "efforts/auth-bug.jsonl").unwrap();
    assert_eq!(log["lines"][0]["content"], "Let us fix the auth bug");
}

#[test]
fn markdown_holds_what_was_said_and_what_became_of_it() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("talk");
    lived(&dir).close();
    let file = root.path().join("talk.md");
    export_to_file(&dir, ExportFormat::Markdown, &file).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# Hello there, I am Ada\n\nSession `talk`, 4 turns.\n\n"), "{text}");
    for part in [
        "\n\nHello there,\nI am Ada\n\n### Reply\n\nHello, Ada.\n\n",
        "\n\n# Plan\n\n- fly\n\n",
        "> --- Started effort: auth-bug ---",
        "### auth-bug (concluded)\n\nFixed the token check.\n\n### trip (open)",
    ] {
        assert!(text.contains(part), "{part:?} is not in {text}");
    }
    let again = export_to_file(&dir, ExportFormat::Markdown, &file).unwrap_err().to_string();
    assert!(again.contains("exists already") && fs::read_to_string(&file).unwrap() == text);
}

#[test]
fn markdown_of_another_programs_session_holds_the_logs_of_its_efforts() {
    let root = tempfile::tempdir().unwrap();
    write_large(root.path(), 2, 1);
    let mut out = Vec::new();
    export(root.path(), ExportFormat::Markdown, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    for part in
        ["\n\nsmall talk 0\n", "indeed 0", "### topic-1 (concluded)", "#### You\n\nwhat about 1?"]
    {
        assert_eq!(text.matches(part).count(), 1, "{part:?} in {text}");
    }
}

#[test]
fn a_session_that_is_open_is_looked_at_and_not_touched() {
    let root = tempfile::tempdir().unwrap();
    let open = lived(root.path());
    let before = tree(root.path());
    let settings = Settings::default();
    let inspected = inspect(root.path(), &settings, Arc::new(Words)).unwrap();
    assert_eq!(inspected.memory.turn(), open.memory.turn());
    assert_eq!(
        inspected.memory.active().map(|effort| &effort.id),
        open.memory.active().map(|effort| &effort.id)
    );
    assert_eq!(inspected.search("token check", 5).len(), 1);
    assert!(inspected.problems.is_empty(), "{:?}", inspected.problems);
    assert_eq!(tree(root.path()), before);
}

#[test]
fn what_is_broken_is_read_as_well_as_it_can_be_and_left_as_it_is() {
    let root = tempfile::tempdir().unwrap();
    lived(root.path()).close();
    let break_file =
        |name: &str, content: &str| fs::write(root.path().join(name), content).unwrap();
    break_file("manifest.yaml", "journal_bytes: [\n");
    break_file("session_state.json", "{");
    break_file("memory_state.json", "nothing");
    break_file("notes.json", "[]");
    break_file("pending.json", "?");
    let journal = fs::read_to_string(root.path().join("journal.jsonl")).unwrap();
    break_file("journal.jsonl", &(journal + "{\"seq\":99,\"tu"));
    fs::remove_file(root.path().join("lock")).unwrap();
    let before = tree(root.path());

    let looked = look(root.path(), 10).unwrap();
    assert_eq!(tree(root.path()), before);
    let mut opened = Session::open(root.path());
    assert_eq!(looked.restored.turn, opened.memory.turn());
    let ids = |session: &Session| -> Vec<String> {
        session.memory.efforts().iter().map(|effort| effort.id.to_string()).collect()
    };
    let looked_ids: Vec<String> =
        looked.restored.efforts.iter().map(|effort| effort.id.to_string()).collect();
    assert_eq!(looked_ids, ids(&opened));
    assert!(looked.problems.iter().any(|problem| problem.0.contains("it is left as it is")));
    opened.turn("and on", "it goes", &[]);
}

#[test]
fn a_turn_whose_reply_was_complete_counts_for_who_looks() {
    let root = tempfile::tempdir().unwrap();
    let mut session = lived(root.path());
    let turn = session.memory.begin_turn();
    let log = session.memory.log_of_turn().cloned();
    session.store.begin_turn(turn, "the last words", log.as_ref()).unwrap();
    let exchange =
        ebbtide::memory::Exchange { user: "the last words".into(), assistant: "heard".into() };
    let log = session.memory.log_of_turn().cloned();
    session.store.log_exchange(turn, log.as_ref(), &exchange).unwrap();
    drop(session);
    let looked = look(root.path(), 10).unwrap();
    let trip = looked.restored.efforts.iter().find(|effort| effort.id.as_str() == "trip").unwrap();
    let said: Vec<&str> = trip.raw.iter().map(|(_, text)| &**text).collect();
    assert_eq!((looked.restored.turn, &said[2..]), (turn, &["the last words", "heard"][..]));

    // The kill came before the log was written.
    let path = root.path().join("efforts/trip.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    let cut: String = whole.split_inclusive('\n').take(2).collect();
    fs::write(&path, cut).unwrap();
    let looked = look(root.path(), 10).unwrap();
    let trip = looked.restored.efforts.iter().find(|effort| effort.id.as_str() == "trip").unwrap();
    assert_eq!(trip.raw.iter().map(|(_, text)| &**text).collect::<Vec<_>>(), said);
}

fn summary(root: &Path, name: &str) -> SessionSummary {
    sessions(root).into_iter().find(|session| session.name == name).unwrap()
}

#[test]
fn the_title_is_the_first_message_and_is_stored() {
    let root = tempfile::tempdir().unwrap();
    let dir = root.path().join("talk");
    lived(&dir).close();
    assert_eq!(summary(root.path(), "talk").title, "Hello there, I am Ada");
    let state = fs::read_to_string(dir.join("session_state.json")).unwrap();
    assert!(state.contains("\"title\":\"Hello there, I am Ada\""), "{state}");
    fs::remove_file(dir.join("raw.jsonl")).unwrap();
    assert_eq!(summary(root.path(), "talk").title, "Hello there, I am Ada");
}

#[test]
fn a_session_is_renamed_whole_or_not_at_all() {
    let root = tempfile::tempdir().unwrap();
    let (old, new) = (root.path().join("old"), root.path().join("new"));
    lived(&old).close();
    let before = tree(&old);
    fs::create_dir(&new).unwrap();
    assert!(rename(&old, &new).unwrap_err().to_string().contains("choose another name"));
    fs::remove_dir(&new).unwrap();
    let held = Store::open(&old).unwrap();
    assert!(rename(&old, &new).unwrap_err().to_string().contains("already open"));
    drop(held);
    rename(&old, &new).unwrap();
    assert_eq!(Session::open(&new).memory.turn().0, 4);
    assert!(!old.exists());
    let after = tree(&new);
    for file in ["raw.jsonl", "journal.jsonl", "efforts/auth-bug.jsonl"] {
        assert_eq!(after[file], before[file], "{file}");
    }
}

/// Runs something that must not wait for anybody; a failed test is better than one without end.
#[cfg(unix)]
fn at_once<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(run()));
    told.recv_timeout(std::time::Duration::from_secs(20)).expect("it waits for a pipe")
}

#[cfg(unix)]
fn put_in_the_way(path: &Path, pipe: bool) {
    let _ = fs::remove_file(path);
    if pipe {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    } else {
        fs::create_dir(path).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_or_a_directory_in_the_place_of_a_file_is_named_and_never_waited_for() {
    let needed = [
        "manifest.yaml",
        "raw.jsonl",
        "pending.json",
        "journal.jsonl",
        "notes.json",
        "session_state.json",
        "memory_state.json",
    ];
    let done_without =
        ["draft.json", "counts.json", "efforts/auth-bug.jsonl", "efforts/trip.jsonl"];
    let whole = tempfile::tempdir().unwrap();
    lived(whole.path()).close();
    for (name, pipe) in
        needed.iter().chain(&done_without).flat_map(|name| [(name, true), (name, false)])
    {
        let root = tempfile::tempdir().unwrap();
        let (good, bad) = (root.path().join("good"), root.path().join("bad"));
        for dir in [&good, &bad] {
            Archive::from_json(json(whole.path()).as_bytes()).unwrap().unpack(dir).unwrap();
        }
        put_in_the_way(&bad.join(name), pipe);
        let dir = bad.clone();
        let looked = at_once(move || look(&dir, 20).map(|looked| looked.problems));
        let dir = bad.clone();
        let opened =
            at_once(move || Store::open(&dir).map(drop).map_err(|error| error.to_string()));
        let dir = root.path().to_owned();
        let listed = at_once(move || sessions(&dir));
        assert_eq!(listed.len(), 2, "{name}");
        let title = &listed.iter().find(|session| session.name == "bad").unwrap().title;
        if needed.contains(name) {
            let why = looked.unwrap_err().to_string();
            assert!(why.contains(name) && why.contains("move it away"), "{why}");
            assert!(!why.contains("permissions"), "{why}");
            assert!(opened.unwrap_err().contains("move it away"), "{name}");
            assert!(title.contains(name), "{title}");
        } else {
            let told = looked.unwrap().iter().map(ToString::to_string).collect::<String>();
            assert!(told.contains(name) || *name != "efforts/trip.jsonl", "{name}: {told}");
        }
    }
}
