//! What somebody new is offered and told.

use super::*;
use crate::memory::Tokens;

#[test]
fn a_hint_is_given_once_and_names_the_keys_in_force() {
    let happened = |kind| Change {
        turn: Turn(3),
        kind,
        subject: crate::memory::Subject::Effort(EffortId::stored("tea")),
        cause: String::new(),
        before: Tokens(9),
        after: Tokens(1),
        note: None,
        was: None,
    };
    let mut app = opened();
    let shown = |app: &App| app.hint.as_ref().map(|(text, _)| text.clone()).unwrap_or_default();
    for (kind, words) in [
        (ChangeKind::EffortConcluded, "F2 shows both"),
        (ChangeKind::SummaryEvicted, "mention it, and it comes back"),
    ] {
        app.hint_at(&[happened(kind)]);
        assert!(shown(&app).contains(words), "{}", shown(&app));
        app.hint = None;
        app.hint_at(&[happened(kind)]);
        assert_eq!(shown(&app), "", "once");
    }
    let mut later = opened();
    later.skip_hints(&["summary_evicted".to_owned(), "no such thing".to_owned()]);
    later.hint_at(&[happened(ChangeKind::SummaryEvicted)]);
    assert_eq!((shown(&later), later.hinted()), (String::new(), Vec::new()));
    later.hint_at(&[happened(ChangeKind::EffortConcluded)]);
    assert_eq!(later.hinted(), ["effort_concluded"]);
    later.hint = None;
    later.start_over();
    for kind in [ChangeKind::SummaryEvicted, ChangeKind::EffortConcluded] {
        later.hint_at(&[happened(kind)]);
        assert_eq!(shown(&later), "", "once, whichever session is open");
    }
}

#[test]
fn a_first_try_can_be_asked_for_in_words() {
    let mut app = opened();
    app.input.set("/try");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["set summary_eviction_threshold 2"]);
    assert!(app.guide.is_some());
}

#[test]
fn an_empty_session_offers_a_first_try_that_leaves_the_settings_as_they_were() {
    let mut app = opened();
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["set summary_eviction_threshold 2"]);
    assert!(app.input.text().starts_with("Let's repair my bike"), "{}", app.input.text());
    assert!(draw(&mut app, 120, 36).contains("For this try a summary leaves"));
    assert_eq!(words(&app.begin_try()), ["set summary_eviction_threshold 20"]);
    assert!(app.caption.is_none() && app.guide.is_none());
    app.input.set("");
    started(&mut app, 1, "Hello");
    assert_eq!(words(&app.begin_try()), [""; 0], "never beside what is remembered");
    assert!(app.guide.is_none());
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), [""; 0]);
}
