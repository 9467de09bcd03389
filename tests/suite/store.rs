//! The store seen from outside: what is on disk, and what opens.

mod damage;
mod entered;
mod foreign;
mod golden;
mod kills;

use std::fs;

use ebbtide::memory::{Exchange, Role, Status};
use ebbtide::store::{Error, Opened, SaidReader, Setup, SetupEffort, Store, create, sessions};
use tempfile::tempdir;

use crate::support::session::{Command, Session, answered, said, turn};

#[test]
fn a_session_is_the_same_after_it_was_closed_and_opened() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    assert_eq!(session.problems, []);
    session.turn("hi", "hello", &[]);
    session.turn("the auth bug", "let us look", &[Command::Open("auth-bug")]);
    session.turn("token expires", "refresh it", &[]);
    session.turn("done", "closed", &[Command::Close("auth-bug", "Tokens expired; refreshed.")]);
    session.turn("next", "guild", &[Command::Open("guild")]);
    let before = (session.memory.view(), session.memory.window());
    session.close();

    let session = Session::open(dir.path());
    assert_eq!(session.problems, []);
    let mut view = session.memory.view();
    assert_eq!(session.memory.window(), before.1);
    view.open.iter_mut().for_each(|item| item.cause = "opened".into());
    assert_eq!(view, before.0);
    assert_eq!(
        session.opened,
        [
            "hi",
            "hello",
            "the auth bug",
            "--- Started effort: auth-bug ---",
            "let us look",
            "token expires",
            "refresh it",
            "done",
            "--- Concluded effort: auth-bug ---",
            "Tokens expired; refreshed.",
            "closed",
            "next",
            "--- Started effort: guild ---",
            "guild",
        ]
    );
    assert_eq!(session.log("auth-bug").len(), 6);
    assert!(!dir.path().join("pending.json").exists());
    assert!(fs::read_to_string(dir.path().join("manifest.yaml")).unwrap().contains("entries: 2\n"));
}

#[test]
fn summaries_stand_in_one_order_before_and_after_a_session_is_opened_again() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("the trip", "ok", &[Command::Open("trip")]);
    session.turn("the errand", "ok", &[Command::Open("errand")]);
    session.turn("done", "ok", &[Command::Close("errand", "Fetched.")]);
    session.turn("done, too", "ok", &[Command::Close("trip", "Booked.")]);
    let before = session.memory.window();
    session.close();
    assert_eq!(Session::open(dir.path()).memory.window(), before);
}

#[test]
fn a_reopened_log_goes_on_after_a_marker_that_nobody_said() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("start", "ok", &[Command::Open("auth-bug")]);
    session.turn("end", "ok", &[Command::Close("auth-bug", "Fixed.")]);
    session.turn("again", "ok", &[Command::Reopen("auth-bug")]);
    assert_eq!(session.log("auth-bug"), ["start", "ok", "end", "ok", "again", "ok"]);
    let raw = fs::read_to_string(dir.path().join("efforts/auth-bug.jsonl")).unwrap();
    let marker = raw.lines().nth(4).unwrap();
    assert!(
        marker.starts_with(
            r#"{"role":"system","content":"--- Reopened effort: auth-bug ---","ts":""#
        )
    );
    session.close();
    let session = Session::open(dir.path());
    assert_eq!(session.memory.active().unwrap().raw().len(), 6);
}

#[test]
fn what_was_mentioned_evicted_and_counted_survives_without_a_goodbye() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("start", "ok", &[Command::Open("auth-bug")]);
    session.turn("end", "ok", &[Command::Close("auth-bug", "Fixed.")]);
    session.turn("look", "ok", &[Command::Expand("auth-bug")]);
    session.turn("more on auth-bug", "yes", &[]);
    for number in 0..25 {
        session.turn(&format!("filler {number}"), "ok", &[]);
    }
    let (before, metrics) = (session.memory.view(), *session.memory.metrics());
    assert_eq!((before.manifest.evicted, metrics.auto_collapses), (1, 1));
    drop(session);

    let session = Session::open(dir.path());
    assert_eq!(session.problems, []);
    let view = session.memory.view();
    assert_eq!((view.turn, view.manifest.evicted), (before.turn, 1));
    assert_eq!(view.full_history, before.full_history);
    assert_eq!(*session.memory.metrics(), metrics);
    let effort = &session.memory.efforts()[0];
    assert_eq!((effort.last_referenced.0, &*effort.cause), (4, "'auth bug'"));
}

#[test]
fn a_second_program_is_told_who_has_the_session() {
    let dir = tempdir().unwrap();
    let first = Store::open(dir.path()).unwrap();
    let error = Store::open(dir.path()).unwrap_err();
    assert!(matches!(&error, Error::InUse { pid: Some(pid), .. } if *pid == std::process::id()));
    let text = error.to_string();
    assert!(text.contains(dir.path().to_str().unwrap()) && text.contains("-s NAME"), "{text}");
    drop(first);
    assert!(Store::open(dir.path()).is_ok());
}

#[test]
fn a_place_that_cannot_hold_a_session_is_an_error_that_names_it() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "mine").unwrap();
    for place in [file.clone(), file.join("below")] {
        let error = Store::open(&place).unwrap_err();
        assert!(matches!(&error, Error::NotADirectory(path) if *path == file), "{error}");
    }
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    #[cfg(target_os = "linux")]
    {
        let error = Store::open(std::path::Path::new("/proc/ebbtide")).unwrap_err();
        assert!(error.to_string().contains("/proc/ebbtide"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_the_turn_and_loses_nothing() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("first", "ok", &[]);
    session.close();
    let full = |name: &str| {
        fs::rename(dir.path().join(name), dir.path().join("kept")).unwrap();
        std::os::unix::fs::symlink("/dev/full", dir.path().join(name)).unwrap();
    };
    let Opened { mut store, .. } = Store::open(dir.path()).unwrap();
    // A session that has the link already is not opened.
    full("raw.jsonl");
    store.begin_turn(turn(2), "second", None).unwrap();
    let exchange = Exchange { user: "second".into(), assistant: "lost?".into() };
    let error = store.log_exchange(turn(2), None, &exchange).unwrap_err();
    assert!(error.to_string().contains("raw.jsonl") && error.to_string().contains("make room"));
    drop(store);
    fs::rename(dir.path().join("kept"), dir.path().join("raw.jsonl")).unwrap();

    let mut session = Session::open(dir.path());
    assert_eq!(session.interrupted.as_deref(), Some("second"));
    assert_eq!(session.memory.turn(), turn(1));
    session.turn("third", "ok", &[]);
    let said = session.store.reader().ambient_log().unwrap();
    let said: Vec<&str> = said.iter().map(|(_, text)| &**text).collect();
    assert_eq!(said, ["first", "ok", "third", "ok"]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_is_deleted_under_the_session_is_made_again() {
    type Deed = fn(&std::path::Path);
    let all: Deed = |dir| fs::remove_dir_all(dir).unwrap();
    let content: Deed = |dir| {
        for item in fs::read_dir(dir).unwrap().map(Result::unwrap) {
            let path = item.path();
            (if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }).unwrap();
        }
    };
    for delete in [all, content] {
        let home = tempdir().unwrap();
        let dir = home.path().join("session");
        let mut session = Session::open(&dir);
        session.turn("hi", "hello", &[]);
        session.turn("a1", "ok", &[Command::Open("auth-bug")]);
        delete(&dir);
        session.turn("a2", "ok", &[Command::Close("auth-bug", "Fixed auth.")]);
        let told = session.store.take_problems();
        assert!(
            told.len() == 1 && told[0].0.contains("were deleted while it was open"),
            "{told:?}"
        );
        session.turn("bye", "yes", &[]);
        delete(&dir);
        session.close();
        let session = Session::open(&dir);
        assert_eq!(session.memory.turn(), turn(4));
        assert_eq!(session.log("auth-bug"), ["a1", "ok", "a2", "ok"]);
        assert_eq!(session.memory.concluded_count().0, 1);
        let said = session.store.reader().ambient_log().unwrap();
        assert_eq!(
            said.iter().map(|(_, text)| &**text).collect::<Vec<_>>(),
            ["hi", "hello", "bye", "yes"]
        );
    }
}

#[cfg(unix)]
#[test]
fn a_directory_that_is_moved_or_replaced_under_the_session_is_told() {
    for replaced in [false, true] {
        let home = tempdir().unwrap();
        let dir = home.path().join("session");
        let mut session = Session::open(&dir);
        session.turn("hi", "hello", &[]);
        fs::rename(&dir, home.path().join("moved")).unwrap();
        if replaced {
            fs::create_dir(&dir).unwrap();
        }
        let error = session.store.begin_turn(turn(2), "second", None).unwrap_err();
        assert!(error.to_string().contains("session was moved or replaced while"), "{error}");
        let error = session.store.close().unwrap_err();
        assert!(matches!(error, Error::Moved(_)), "{error}");
        assert!(!dir.exists() || fs::read_dir(&dir).unwrap().next().is_none());
    }
}

/// What is told of a turn whose reply had arrived in some parts when the process was killed; `torn` is what it left half
/// written.
fn told_after_kill(parts: &[&str], torn: &str) -> Vec<String> {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.turn("first", "ok", &[]);
    session.store.begin_turn(turn(2), "second", None).unwrap();
    for part in parts {
        session.store.keep_arrived(part);
    }
    drop(session);
    let record = dir.path().join("pending.json");
    let left = fs::read_to_string(&record).unwrap() + torn;
    fs::write(&record, left).unwrap();
    let session = Session::open(dir.path());
    assert_eq!(session.interrupted.as_deref(), Some("second"));
    session.close();
    let again = Session::open(dir.path());
    assert_eq!(again.interrupted, None);
    again.opened
}

#[test]
fn what_had_arrived_of_a_reply_is_told_after_a_kill() {
    let arrived = |told: &[String], text: &str| told.iter().filter(|it| **it == text).count();
    let parts = ["Half of \"it\"\n", "and ", "more"];
    let told = told_after_kill(&parts, "{\"arrived\":\"to");
    assert_eq!(arrived(&told, "Half of \"it\"\nand more"), 1, "{told:?}");
    let without = told_after_kill(&[], "");
    assert_eq!(without.len() + 1, told.len(), "{without:?}");
}

#[test]
fn a_reply_that_a_kill_cut_off_is_told_as_the_models_that_wrote_it() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.store.answered_by("the-model");
    session.store.begin_turn(turn(1), "first", None).unwrap();
    session.store.keep_arrived("Half");
    drop(session);
    drop(Session::open(dir.path()));
    let journal = fs::read_to_string(dir.path().join("journal.jsonl")).unwrap();
    let stopped = journal.lines().find(|line| line.contains("\"Half\"")).unwrap();
    assert!(stopped.contains("\"model\":\"the-model\""), "{stopped}");
}

#[test]
fn of_a_whole_reply_nothing_is_told_twice() {
    let dir = tempdir().unwrap();
    let mut session = Session::open(dir.path());
    session.store.begin_turn(turn(1), "first", None).unwrap();
    session.store.keep_arrived("all of it");
    let exchange = Exchange { user: "first".into(), assistant: "all of it".into() };
    session.store.log_exchange(turn(1), None, &exchange).unwrap();
    drop(session);
    let session = Session::open(dir.path());
    assert_eq!((session.interrupted, session.memory.turn()), (None, turn(1)));
    let told = session.opened.iter().filter(|text| *text == "all of it").count();
    assert_eq!(told, 1, "{:?}", session.opened);
}

#[test]
fn what_was_logged_is_told_as_it_is_read_from_the_log() {
    let dir = tempdir().unwrap();
    let mut store = Session::open(dir.path()).store;
    let mut told = Vec::new();
    for (number, typed) in [(1, "\u{1F980} \"as\ttyped\"\n"), (2, "a long text")] {
        store.begin_turn(turn(number), typed, None).unwrap();
        let user = if number == 1 { typed } else { "[ref:text]" };
        let exchange = Exchange { user: user.into(), assistant: "".into() };
        told.extend(store.log_exchange(turn(number), None, &exchange).unwrap());
    }
    let read = SaidReader::new(store.reader()).messages(None, 0..9).unwrap();
    assert_eq!((told.len(), &*told[2].text), (4, "[ref:text]"));
    assert_eq!(told, read);
}

#[test]
fn the_transcript_scrolls_back_to_the_first_word() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join("raw.jsonl"), said("long ago") + &answered("yes")).unwrap();
    let mut session = Session::open(dir.path());
    for number in 0..150 {
        session.turn(&format!("q{number}"), &format!("a{number}"), &[]);
    }
    session.store.begin_turn(turn(151), "too slow", None).unwrap();
    session.store.abandon_turn(turn(151), "too slow", "par", "cancelled").unwrap();
    let reader = session.store.reader();
    let mut all: Vec<String> = Vec::new();
    let mut cursor = None;
    loop {
        let page = reader.transcript_before(cursor.as_ref(), 40).unwrap();
        assert!(page.entries.len() <= 45);
        let said = page.entries.iter().map(|entry| entry.text.to_string());
        all.splice(0..0, said.filter(|text| !text.starts_with("--- Ebbed: ambient")));
        cursor = page.earlier;
        if cursor.is_none() {
            break;
        }
    }
    let mut expected = vec!["long ago".to_owned(), "yes".into()];
    expected.extend((0..150).flat_map(|n| [format!("q{n}"), format!("a{n}")]));
    expected.extend(["too slow", "par", "cancelled"].map(str::to_owned));
    assert_eq!(all, expected);
}

#[test]
fn a_starting_state_opens_and_never_replaces_a_session() {
    let dir = tempdir().unwrap();
    let place = dir.path().join("s");
    let effort = |id: &str, status, summary: Option<&str>| SetupEffort {
        id: id.into(),
        status,
        summary: summary.map(str::to_owned),
        tags: vec!["t".into()],
        last_referenced_turn: Some(turn(7)),
        messages: vec![(Role::User, format!("about {id}"), "2026-01-01T10:00:00".into())],
    };
    let setup = Setup {
        notes: Vec::new(),
        turn: turn(9),
        ambient: vec![("Hi".into(), "Hello".into())],
        efforts: vec![
            effort("auth-bug", Status::Concluded, Some("Fixed: \"it\"")),
            effort("42", Status::Open, None),
            effort("../../x", Status::Open, None),
        ],
    };
    create(&place, &setup).unwrap();
    assert!(matches!(create(&place, &setup), Err(Error::NotEmpty(_))));
    let session = Session::open(&place);
    assert_eq!(session.problems, []);
    let view = session.memory.view();
    assert_eq!((view.turn, view.open.len(), view.warm.len()), (turn(9), 2, 1));
    assert_eq!(view.warm[0].last_referenced, turn(7));
    assert_eq!(session.log("../../x"), ["about ../../x"]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    let list = sessions(dir.path());
    assert_eq!((list[0].name.as_str(), list[0].turns, list[0].title.as_str()), ("s", 9, "Hi"));
}

#[test]
fn a_session_whose_first_message_was_not_answered_is_listed_by_when_it_was_written() {
    let root = tempdir().unwrap();
    for name in ["answered", "unanswered"] {
        create(&root.path().join(name), &Setup::default()).unwrap();
    }
    let state = root.path().join("answered").join("session_state.json");
    fs::write(state, r#"{"turn_count":3,"updated":"2001-01-01T10:00:00Z"}"#).unwrap();
    fs::remove_file(root.path().join("unanswered").join("session_state.json")).ok();
    let list = sessions(root.path());
    let listed: Vec<(&str, bool)> =
        list.iter().map(|one| (one.name.as_str(), one.updated.as_str() > "2001-01-02")).collect();
    assert_eq!(listed, [("unanswered", true), ("answered", false)]);
}
