//! The store seen from outside: what is on disk, and what opens.

use std::fs;

use tempfile::tempdir;

use crate::support::session::{Command, Session};

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
            "--- Concluded effort: auth-bug (14 tokens in the window, was 20) ---",
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
