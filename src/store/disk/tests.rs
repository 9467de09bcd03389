//! What is safe from a loss of power outside a turn that runs through.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Durability;
use super::power_cut::{Watch, watch};
use crate::memory::{CountTokens, Exchange, Tokens, Turn};
use crate::store::{Draft, Drafts, Opened, Store};

struct Words;

impl CountTokens for Words {
    fn count(&self, text: &str) -> Tokens {
        Tokens(text.split_whitespace().count() as u64)
    }
}

/// A watched directory with a session in it.
fn watched() -> (tempfile::TempDir, Arc<Watch>, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let (watch, session) = (watch(home.path()), home.path().join("session"));
    (home, watch, session)
}

/// Opens what each cut at this moment would leave.
fn each_left(watch: &Watch, mut look: impl FnMut(Opened, &str)) {
    for cut in watch.cut() {
        let dir = tempfile::tempdir().unwrap();
        cut.write(dir.path());
        look(Store::open(&dir.path().join("session")).unwrap(), cut.what);
    }
}

/// A store killed behind a write of its first turn, and what that left on the disk itself.
fn killed(session: &Path, answered: bool) -> Store {
    let mut store = Store::open(session).unwrap().store;
    store.set_durability(Durability::Process);
    store.begin_turn(Turn(1), "where is it?").unwrap();
    if answered {
        let exchange = Exchange { user: "where is it?".into(), assistant: "here".into() };
        store.log_exchange(Turn(1), None, &exchange).unwrap();
    }
    store
}

#[test]
fn a_draft_is_safe_once_it_is_kept() {
    let (_home, watch, session) = watched();
    let opened = Store::open(&session).unwrap();
    let drafts = Drafts {
        line: Draft::from("half a"),
        waiting: vec![Draft::from("waits")],
        ..Drafts::default()
    };
    opened.store.draft_file().keep(&drafts).unwrap();
    each_left(&watch, |opened, what| assert_eq!(opened.drafts, drafts, "{what}"));
}

#[test]
fn the_words_of_an_interrupted_turn_are_safe_once_the_session_is_open_again() {
    let (_home, watch, session) = watched();
    drop(killed(&session, false));
    let opened = Store::open(&session).unwrap();
    assert!(opened.interrupted.is_some());
    each_left(&watch, |left, what| {
        let shown = left.transcript.iter().any(|entry| &*entry.text == "where is it?");
        assert!(shown, "{what}");
    });
}

#[test]
fn a_turn_that_opening_completes_is_safe_then() {
    let (_home, watch, session) = watched();
    drop(killed(&session, true));
    let opened = Store::open(&session).unwrap();
    assert_eq!(opened.turn, Turn(1));
    each_left(&watch, |left, what| {
        let said: Vec<&str> = left.transcript.iter().map(|entry| &*entry.text).collect();
        assert_eq!((left.turn, &said[..]), (Turn(1), &["where is it?", "here"][..]), "{what}");
    });
}

#[test]
fn a_turn_that_the_next_one_completes_is_safe_before_that_begins() {
    let (_home, watch, session) = watched();
    let mut store = Store::open(&session).unwrap().store;
    store.begin_turn(Turn(1), "where is it?").unwrap();
    let exchange = Exchange { user: "where is it?".into(), assistant: "here".into() };
    store.log_exchange(Turn(1), None, &exchange).unwrap();
    store.begin_turn(Turn(2), "and now?").unwrap();
    each_left(&watch, |left, what| {
        let back = left.interrupted.map(|it| it.user.to_string());
        assert_eq!((left.turn, back.as_deref()), (Turn(1), Some("and now?")), "{what}");
    });
}

#[test]
fn a_text_that_is_held_by_reference_is_safe_once_it_is_kept() {
    let (_home, watch, session) = watched();
    let mut store = Store::open(&session).unwrap().store;
    let text = "a long text\n".repeat(1_000);
    store.scratchpad_mut().save("plan", "a text", "the text", text.as_bytes(), &Words).unwrap();
    each_left(&watch, |left, what| {
        assert!(left.store.scratchpad().whole("plan", 1 << 20).unwrap() == text, "{what}");
    });
}
