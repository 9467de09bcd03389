//! Files that are torn, broken or gone: the session opens, says so, and nothing is lost.

mod lines;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ebbtide::store::{Store, look};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::session::{Command, Session, answered, said, turn};

/// Two concluded efforts, one open, two exchanges in ambient: eight turns.
fn played() -> TempDir {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("hi", "hello", &[]);
    session.turn("a1", "ok", &[Command::Open("auth-bug")]);
    session.turn("a2", "ok", &[Command::Close("auth-bug", "Fixed auth.")]);
    session.turn("p1", "ok", &[Command::Open("perf")]);
    session.turn("p2", "ok", &[Command::Close("perf", "Made fast.")]);
    session.turn("chat", "sure", &[]);
    session.turn("g1", "ok", &[Command::Open("guild")]);
    session.turn("g2", "ok", &[]);
    session.close();
    dir
}

fn states(session: &Session) -> Vec<(String, &'static str, Option<String>)> {
    let efforts = session.memory.efforts().iter();
    efforts
        .map(|e| (e.id.to_string(), e.status.as_str(), e.summary().as_deref().map(str::to_owned)))
        .collect()
}

#[test]
fn a_manifest_that_is_gone_or_cut_anywhere_is_rebuilt() {
    let whole = fs::read(played().path().join("manifest.yaml")).unwrap();
    let cuts: Vec<usize> = (0..whole.len() - 1).step_by(41).chain([whole.len() - 2]).collect();
    for cut in cuts {
        let dir = played();
        let path = dir.path().join("manifest.yaml");
        let expected = states(&Session::open(dir.path()));
        fs::write(&path, &whole[..cut]).unwrap();
        let session = Session::open(dir.path());
        assert_eq!(states(&session).len(), 3, "cut at {cut}");
        let mut found = states(&session);
        found.sort();
        let mut expected = expected;
        expected.sort();
        assert_eq!(found, expected, "cut at {cut}");
        assert!(!session.problems.is_empty(), "cut at {cut}");
        session.close();
        assert!(Session::open(dir.path()).problems.is_empty(), "it was repaired, cut at {cut}");
        let kept = fs::read(dir.path().join("manifest.yaml.broken-1"));
        assert_eq!(kept.unwrap(), whole[..cut], "the broken file is kept");
    }
    let dir = played();
    fs::remove_file(dir.path().join("manifest.yaml")).unwrap();
    let session = Session::open(dir.path());
    assert_eq!((states(&session).len(), session.problems.len()), (3, 1));
}

#[test]
fn without_manifest_and_journal_the_logs_alone_bring_the_efforts_back() {
    let dir = played();
    fs::remove_file(dir.path().join("journal.jsonl")).unwrap();
    fs::write(dir.path().join("manifest.yaml"), "efforts: [{id: auth-bug, stat").unwrap();
    let session = Session::open(dir.path());
    let mut found: Vec<String> = states(&session).into_iter().map(|(id, ..)| id).collect();
    found.sort();
    assert_eq!(found, ["auth-bug", "guild", "perf"]);
    assert_eq!(session.log("guild"), ["g1", "ok", "g2", "ok"]);
    assert_eq!(session.memory.turn(), turn(8));
    assert_eq!(session.problems.len(), 2, "{:?}", session.problems);
}

#[test]
fn a_broken_session_state_never_keeps_a_session_closed() {
    for broken in
        ["", "{\"turn_cou", "[]", "{\"turn_count\": -3}", "\0\0\0", "{\"turn_count\":\"x\"}"]
    {
        let dir = played();
        let path = dir.path().join("session_state.json");
        fs::write(&path, broken).unwrap();
        let mut session = Session::open(dir.path());
        assert_eq!(session.memory.turn(), turn(8), "{broken:?}");
        assert_eq!(session.problems.len(), 1, "{broken:?}");
        assert_eq!(
            fs::read_to_string(dir.path().join("session_state.json.broken-1")).unwrap(),
            broken
        );
        session.turn("on", "we go", &[]);
        drop(session);
        let session = Session::open(dir.path());
        assert_eq!((session.memory.turn(), session.problems.len()), (turn(9), 0));
    }
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("raw.jsonl"), said("a") + &answered("b")).unwrap();
    fs::write(dir.path().join("session_state.json"), "{").unwrap();
    assert_eq!(Session::open(dir.path()).memory.turn(), turn(1));
}

#[test]
fn a_broken_memory_state_costs_no_mention() {
    let dir = played();
    fs::write(dir.path().join("memory_state.json"), "{\"expanded\": [").unwrap();
    let session = Session::open(dir.path());
    assert_eq!(session.problems.len(), 1);
    let last: Vec<u64> = session.memory.warm_efforts().map(|e| e.last_referenced.0).collect();
    assert_eq!(last, [3, 5]);
}

#[test]
fn a_journal_that_was_lost_takes_no_change_with_it() {
    let dir = played();
    fs::remove_file(dir.path().join("journal.jsonl")).unwrap();
    let mut session = Session::open(dir.path());
    assert_eq!(session.problems.len(), 1);
    session.turn("bye", "ok", &[Command::Close("guild", "Founded.")]);
    drop(session);
    let session = Session::open(dir.path());
    assert_eq!(session.problems, []);
    assert_eq!(session.memory.concluded_count().0, 3);
    assert_eq!(session.memory.turn(), turn(9));
}

/// Every file below a directory, and every directory.
fn content(dir: &Path) -> BTreeMap<String, Option<Vec<u8>>> {
    let mut all = BTreeMap::new();
    for item in fs::read_dir(dir).unwrap() {
        let path = item.unwrap().path();
        if path.is_dir() {
            all.extend(content(&path));
        }
        all.insert(path.display().to_string(), fs::read(&path).ok());
    }
    all
}

#[test]
fn a_manifest_of_lists_within_lists_is_set_aside_at_once() {
    for open in ["[", "{", "[{a: ", "[\n", "[ \"]\", ", "{? "] {
        let dir = played();
        let path = dir.path().join("manifest.yaml");
        let nested = format!("efforts:\n  - id: perf\n    note: {}", open.repeat(100_000));
        fs::write(&path, &nested).unwrap();
        let before = content(dir.path());
        assert_eq!(look(dir.path(), 10).unwrap().restored.efforts.len(), 3, "{open:?}");
        assert_eq!(content(dir.path()), before, "who only looks changes nothing");
        let session = Session::open(dir.path());
        assert_eq!((states(&session).len(), session.problems.len()), (3, 1), "{open:?}");
        let kept = fs::read_to_string(dir.path().join("manifest.yaml.broken-1")).unwrap();
        assert!(kept == nested, "{open:?}");
    }
}

#[test]
fn brackets_in_the_words_of_a_manifest_are_no_lists() {
    let dir = tempdir().unwrap();
    let entry = |nth: u32| {
        format!("- id: e{nth}\n  status: concluded\n  summary: see [{nth} and don't {{\n")
    };
    let entries: String = (0..300).map(entry).collect();
    fs::write(dir.path().join("manifest.yaml"), format!("efforts:\n{entries}")).unwrap();
    let session = Session::open(dir.path());
    assert_eq!((states(&session).len(), session.problems.len()), (300, 0));
}

#[test]
fn a_manifest_that_cannot_be_kept_as_it_is_is_kept_as_a_copy() {
    let entry = "efforts:\n- id: perf\n  status: concluded\n  summary: Made fast.\n  theirs: ";
    for strange in [&b"\xff\xfe"[..], b"!ours [1]", b".inf", b"{1: a, '1': b}"] {
        let dir = tempdir().unwrap();
        let path = dir.path().join("manifest.yaml");
        let whole = [entry.as_bytes(), strange, b"\n"].concat();
        fs::write(&path, &whole).unwrap();
        let mut session = Session::open(dir.path());
        assert_eq!(session.problems.len(), 1, "{strange:?}: {:?}", session.problems);
        assert!(session.problems[0].0.contains("manifest.yaml.broken-1"), "{:?}", session.problems);
        assert_eq!(states(&session)[0].2.as_deref(), Some("Made fast."));
        session.turn("on", "we go", &[Command::Open("more")]);
        session.close();
        assert_eq!(fs::read(dir.path().join("manifest.yaml.broken-1")).unwrap(), whole);
        assert_eq!(Session::open(dir.path()).problems, []);
    }
}

#[test]
fn numbers_beyond_all_reason_neither_hang_nor_count() {
    let most = u64::MAX;
    for (file, line) in [
        (
            "journal.jsonl",
            format!(
                "{{\"seq\":{most},\"turn\":{most},\"ts\":\"\",\"kind\":\"turn\",\"log\":null}}\n"
            ),
        ),
        (
            "journal.jsonl",
            format!("{{\"seq\":{most},\"turn\":1,\"ts\":\"\",\"kind\":\"opened\"}}\n"),
        ),
        (
            "journal.jsonl",
            format!(
                "{{\"seq\":99,\"turn\":9,\"ts\":\"\",\"kind\":\"turn\",\"log\":null,\"file\":\"raw.jsonl\",\"offset\":{most},\"bytes\":{most}}}\n"
            ),
        ),
        (
            "journal.jsonl",
            format!(
                "{{\"seq\":99,\"turn\":{},\"ts\":\"\",\"kind\":\"turn\",\"log\":null}}\n",
                (1_u64 << 40) - 9
            ),
        ),
        ("session_state.json", format!("{{\"turn_count\":{most}}}")),
        (
            "session_state.json",
            format!(
                "{{\"turn_count\":8,\"frame_at\":{most},\"metrics\":{{\"expansion_turns\":{most}}}}}"
            ),
        ),
        ("memory_state.json", format!("{{\"last_referenced_turn\":{{\"perf\":{most}}}}}")),
        (
            "notes.json",
            format!(
                "{{\"last_note\":{most},\"journal_bytes\":{most},\"notes\":[{{\"id\":\"n{most}\",\"content\":\"x\"}}]}}"
            ),
        ),
        (
            "pending.json",
            format!("{{\"turn\":{most},\"user\":\"words\",\"ts\":\"\",\"reply\":null}}"),
        ),
    ] {
        let dir = played();
        let path = dir.path().join(file);
        let before = if file == "journal.jsonl" {
            fs::read_to_string(&path).unwrap()
        } else {
            String::new()
        };
        fs::write(&path, before + &line).unwrap();
        look(dir.path(), 10).unwrap();
        let mut session = Session::open(dir.path());
        let reader = session.store.reader();
        if let Some((_, last)) = reader.span().unwrap() {
            reader.moment(last, &[]).unwrap();
        }
        let ended = session.turn("on", "we go", &[Command::Expand("perf")]);
        assert!(ended.turn.0 < 1 << 50, "{line}");
        session.close();
        let session = Session::open(dir.path());
        assert_eq!((session.memory.turn(), states(&session).len()), (ended.turn, 3), "{line}");
    }
}

#[test]
fn blocks_of_many_messages_cost_no_more_than_the_log_has() {
    let dir = tempdir().unwrap();
    let ranges = "[1, 9999999], ".repeat(20_000);
    let manifest = format!(
        "efforts:\n- id: a\n  compressed: [{{messages: [{ranges}], source: s, text: t}}]\n"
    );
    fs::write(dir.path().join("manifest.yaml"), manifest).unwrap();
    assert_eq!(states(&Session::open(dir.path())).len(), 1);
}

#[test]
fn a_session_that_cannot_be_opened_is_left_as_it_is() {
    for name in [
        "manifest.yaml",
        "journal.jsonl",
        "notes.json",
        "memory_state.json",
        "raw.jsonl",
        "history",
    ] {
        let dir = played();
        fs::write(dir.path().join("session_state.json"), "{\"torn").unwrap();
        let mut journal = fs::read(dir.path().join("journal.jsonl")).unwrap();
        journal.extend(b"{\"seq\": torn");
        fs::write(dir.path().join("journal.jsonl"), journal).unwrap();
        let path = dir.path().join(name);
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        match name {
            "history" => fs::write(&path, "in the way").unwrap(),
            _ => fs::create_dir(&path).unwrap(),
        }
        let before = content(dir.path());
        let refused = Store::open(dir.path()).expect_err(name).to_string();
        assert!(refused.contains(name) && refused.contains("Nothing was changed"), "{refused}");
        assert_eq!(content(dir.path()), before, "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_goes_in_a_circle_is_named_before_anything_changes() {
    let index = "scratchpad/index.jsonl";
    for name in ["memory_state.json", "notes.json", "raw.jsonl", "draft.json", "history", index] {
        let dir = played();
        fs::create_dir_all(dir.path().join("scratchpad")).unwrap();
        fs::write(dir.path().join("session_state.json"), "{\"torn").unwrap();
        let path = dir.path().join(name);
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        std::os::unix::fs::symlink(&path, &path).unwrap();
        let names = || {
            let names = fs::read_dir(dir.path()).unwrap().map(|item| item.unwrap().file_name());
            names.filter(|name| name != "lock").collect::<std::collections::BTreeSet<_>>()
        };
        let before = names();
        let refused = Store::open(dir.path()).expect_err(name).to_string();
        assert!(refused.contains(name) && refused.contains("Nothing was changed"), "{refused}");
        assert_eq!(names(), before, "{name}");
        let state = fs::read_to_string(dir.path().join("session_state.json")).unwrap();
        assert_eq!(state, "{\"torn", "{name}");
    }
}

#[cfg(unix)]
#[test]
fn no_link_and_no_pipe_leads_a_session_to_what_is_not_its_own() {
    let names =
        ["raw.jsonl", "journal.jsonl", "lock", "pending.json", "bill.jsonl", "efforts", "index"];
    for (name, is_there) in names.into_iter().flat_map(|name| [(name, true), (name, false)]) {
        let (dir, outside) = (played(), tempdir().unwrap());
        let (path, foreign) = (dir.path().join(name), outside.path().join("foreign"));
        let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path));
        if is_there {
            fs::write(&foreign, "mine\n").unwrap();
        }
        std::os::unix::fs::symlink(&foreign, &path).unwrap();
        for refused in [Store::open(dir.path()).map(drop), look(dir.path(), 10).map(drop)] {
            let told = refused.expect_err(name).to_string();
            assert!(told.contains(name) && told.ends_with("Nothing was changed"), "{told}");
        }
        let now = fs::read_to_string(&foreign).ok();
        assert_eq!(now.as_deref(), is_there.then_some("mine\n"), "{name}");
    }
    let home = tempdir().unwrap();
    let dir = home.path().join("one");
    fs::rename(played().path(), &dir).unwrap();
    let lock = dir.join("lock");
    fs::remove_file(&lock).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
    assert!(!ebbtide::store::sessions(home.path()).is_empty());
    let told = Store::open(&dir).unwrap_err().to_string();
    assert!(told.contains("lock is no file"), "{told}");
}
