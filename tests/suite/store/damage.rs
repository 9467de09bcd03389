//! Files that are torn, broken or gone: the session opens, says so, and nothing is lost.

use std::fs;

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
        .map(|e| (e.id.to_string(), e.status.as_str(), e.summary.as_deref().map(str::to_owned)))
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
fn a_torn_log_line_swallows_nothing() {
    for name in ["raw.jsonl", "efforts/guild.jsonl", "journal.jsonl"] {
        let dir = played();
        let path = dir.path().join(name);
        let mut text = fs::read_to_string(&path).unwrap();
        text.push_str("{\"role\":\"user\",\"content\":\"ha");
        fs::write(&path, &text).unwrap();
        let mut session = Session::open(dir.path());
        assert_eq!(session.problems.len(), 1, "{name}: {:?}", session.problems);
        assert!(session.problems[0].0.contains(name.rsplit('/').next().unwrap()));
        session.turn("next", "message", &[]);
        drop(session);
        let session = Session::open(dir.path());
        assert_eq!(session.problems, [], "{name}");
        assert_eq!(session.log("guild"), ["g1", "ok", "g2", "ok", "next", "message"]);
        let torn = dir.path().join(format!("{name}.torn-1"));
        assert_eq!(fs::read_to_string(torn).unwrap(), "{\"role\":\"user\",\"content\":\"ha");
    }
}

#[test]
fn an_unreadable_line_in_the_middle_is_skipped_reported_and_kept() {
    let dir = played();
    for name in ["raw.jsonl", "efforts/guild.jsonl"] {
        let path = dir.path().join(name);
        let text = fs::read(&path).unwrap();
        let end = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        let bad = b"{\"role\":\"user\",\"content\":\"\xff\xfe\n";
        fs::write(&path, [&text[..end], bad, &text[end..]].concat()).unwrap();
    }
    let mut session = Session::open(dir.path());
    assert_eq!(session.problems.len(), 2, "{:?}", session.problems);
    session.turn("g3", "ok", &[]);
    assert_eq!(session.log("guild"), ["g1", "ok", "g2", "ok", "g3", "ok"]);
    let text = fs::read(dir.path().join("efforts/guild.jsonl")).unwrap();
    assert!(text.windows(2).any(|pair| pair == b"\xff\xfe"));
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
