//! What is written and not sent yet: handed out to be kept, and taken back.

use super::*;
use crate::orchestrator::{Changing, Draft, Drafts};

#[test]
fn what_is_written_is_handed_out_to_be_kept_once_for_each_change() {
    let mut app = opened();
    assert!(app.drafts_to_keep().is_none(), "nothing is written yet");
    write(&mut app, "first");
    let entered = |id: u64, text: &str| Draft { id: Some(id), ..text.into() };
    let line = |text: &str, waiting: &[Draft]| {
        let waiting = waiting.to_vec();
        Some(Drafts { line: text.into(), waiting, ..Drafts::default() })
    };
    assert_eq!(app.drafts_to_keep(), line("first", &[]));
    assert!(app.drafts_to_keep().is_none());
    press(&mut app, KeyCode::Enter);
    let sending = Some(entered(1, "first"));
    let sent = Some(Drafts { sending, ..Drafts::default() });
    assert_eq!(app.drafts_to_keep(), sent, "it is kept until it has begun");
    started(&mut app, 1, "first");
    assert_eq!(app.drafts_to_keep(), line("", &[]));
    say(&mut app, "second");
    write(&mut app, "third");
    let second = [entered(2, "second")];
    assert_eq!(app.drafts_to_keep(), line("third", &second));
    press(&mut app, KeyCode::Up);
    assert_eq!(app.drafts_to_keep(), line("third", &second), "a look at the history is no draft");
    press(&mut app, KeyCode::Down);
    ended(&mut app, 1, "first", "fine");
    started(&mut app, 2, "second");
    assert_eq!(app.drafts_to_keep(), line("third", &[]));
}

#[test]
fn what_waited_is_kept_while_something_else_is_written_in_its_place() {
    let mut app = opened();
    say(&mut app, "first");
    say(&mut app, "second");
    press(&mut app, KeyCode::Up);
    let kept = |line: &str, aside: &[Draft]| {
        let sending = Some(Draft { id: Some(1), ..Draft::from("first") });
        let changing = Changing { before: Draft::default(), queued: Some((0, "second".into())) };
        let changing = Some(Box::new(changing));
        let drafts = Drafts { line: line.into(), changing, sending, ..Drafts::default() };
        Some(Drafts { aside: aside.to_vec(), ..drafts })
    };
    assert_eq!(app.drafts_to_keep(), kept("second", &[]), "its words are those of the line");
    control(&mut app, 'u');
    write(&mut app, "other");
    assert_eq!(app.drafts_to_keep(), kept("other", &["second".into()]));
    press(&mut app, KeyCode::Enter);
    let drafts = app.drafts_to_keep().expect("it is kept");
    let waiting: Vec<&str> = drafts.waiting.iter().map(|draft| draft.text.as_str()).collect();
    assert_eq!((waiting, drafts.aside), (vec!["other"], Vec::new()), "the change was made");
    assert_eq!(drafts.changing, None);
    assert_eq!(app.hint, None, "what was said of Enter and Esc is over");
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "other", "a change does not walk into the history");
    press(&mut app, KeyCode::Esc);
    control(&mut app, 'r');
    write(&mut app, "secon");
    assert_eq!(app.input.text(), "second", "the history keeps it");
}

#[test]
fn a_cleared_draft_comes_back_with_up_before_what_waits() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    say(&mut app, "q1 waits");
    write(&mut app, "my draft");
    stopped(&mut app, "one", "", None);
    control(&mut app, 'c');
    assert!(app.hint.as_ref().is_some_and(|(hint, _)| hint.contains("Up brings it back")));
    press(&mut app, KeyCode::Up);
    assert_eq!((app.input.text().as_str(), app.editing.is_none()), ("my draft", true));
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Up);
    assert_eq!((app.input.text().as_str(), app.editing.is_some()), ("q1 waits", true));
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "q1 waits", "an edit does not walk into the history");
    press(&mut app, KeyCode::Esc);
    assert_eq!(app.queue.iter().map(Queued::text).collect::<Vec<_>>(), ["q1 waits"]);
}

#[test]
fn what_the_history_was_said_to_have_after_a_crash_comes_before_what_waits() {
    let mut app = opened();
    write(&mut app, "typed already");
    let waiting = vec!["q1".into()];
    let drafts = Drafts { line: "half a sen".into(), waiting, ..Drafts::default() };
    app.update(Msg::Notice(Notice::Drafts(drafts)));
    control(&mut app, 'u');
    press(&mut app, KeyCode::Up);
    assert_eq!((app.input.text().as_str(), app.editing.is_none()), ("half a sen", true));
}

#[test]
fn a_search_through_the_history_that_is_given_up_leaves_what_came_back_marked() {
    for looks in [false, true] {
        let mut app = opened();
        say(&mut app, "about rivers");
        started(&mut app, 1, "about rivers");
        stopped(&mut app, "about rivers", "", None);
        control(&mut app, 'r');
        if looks {
            write(&mut app, "riv");
        }
        press(&mut app, KeyCode::Esc);
        write(&mut app, "xy");
        assert_eq!(app.input.text(), "xy", "{looks}");
    }
}

#[test]
fn what_is_entered_before_the_session_is_open_is_kept_too() {
    let mut app = app();
    say(&mut app, "early");
    let waiting = vec![Draft { id: Some(1), ..Draft::from("early") }];
    assert_eq!(app.drafts_to_keep(), Some(Drafts { waiting, ..Drafts::default() }));
}

#[test]
fn what_was_not_sent_comes_back_and_overwrites_nothing() {
    let waiting = vec!["one".into(), "/budget 8k".into(), "/no such command".into()];
    let drafts = Drafts { line: "half a sen".into(), waiting, ..Drafts::default() };
    let mut app = app();
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    app.update(Msg::Notice(Notice::Drafts(drafts.clone())));
    assert_eq!((app.input.text().as_str(), app.queue.len()), ("half a sen", 2));
    app.input.set("");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send one"]);

    let mut app = opened();
    write(&mut app, "typed already");
    app.update(Msg::Notice(Notice::Drafts(Drafts { waiting: Vec::new(), ..drafts })));
    assert_eq!(app.input.text(), "typed already");
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "half a sen");
}

#[test]
fn what_was_put_away_stays_in_the_session_in_which_it_was_written() {
    let mut app = opened();
    say(&mut app, "/nope");
    app.input.set("");
    write(&mut app, "of one");
    control(&mut app, 'c');
    write(&mut app, "half");
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    let drafts = app.drafts_to_keep().expect("the line goes along");
    assert_eq!((&*drafts.line.text, drafts.aside), ("half", Vec::new()));
    press(&mut app, KeyCode::Up);
    assert_ne!(app.input.text(), "of one");
    press(&mut app, KeyCode::Down);
    // Back in the first one it comes back.
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    let aside = vec!["of one".into()];
    app.update(Msg::Notice(Notice::Drafts(Drafts { aside, ..Drafts::default() })));
    app.input.set("");
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "of one");
}

#[test]
fn a_draft_written_since_ctrl_c_is_put_aside_by_the_next_one_and_not_lost() {
    let mut app = opened();
    let paste = |app: &mut App| drop(app.update(Msg::Terminal(Event::Paste("draft".into()))));
    for begin in [&(|app: &mut App| write(app, "draft")) as &dyn Fn(&mut App), &paste] {
        assert!(control(&mut app, 'c').is_empty());
        begin(&mut app);
        assert!(control(&mut app, 'c').is_empty(), "it clears the line");
        assert_eq!(app.input.text(), "");
        press(&mut app, KeyCode::Up);
        assert_eq!(app.input.text(), "draft");
        assert!(control(&mut app, 'c').is_empty());
    }
    assert!(control(&mut app, 'c').is_empty(), "the line is empty: once more quits");
    assert!(!control(&mut app, 'c').is_empty());
}

#[test]
fn what_came_back_marked_stays_unless_a_key_types_deletes_or_pastes() {
    let marked = || {
        let mut app = opened();
        say(&mut app, "about rivers");
        started(&mut app, 1, "about rivers");
        stopped(&mut app, "about rivers", "", None);
        assert_eq!(app.input.text(), "about rivers");
        app
    };
    let both = [
        (KeyCode::Esc, "about riversxy"),
        (KeyCode::End, "about riversxy"),
        (KeyCode::Left, "about riverxys"),
        (KeyCode::F(12), "about riversxy"),
        // Who looks at something else first types in its place still.
        (KeyCode::PageUp, "xy"),
        (KeyCode::F(2), "xy"),
    ];
    for (code, expected) in both {
        let mut app = marked();
        press(&mut app, code);
        write(&mut app, "xy");
        assert_eq!(app.input.text(), expected, "{code:?}");
    }
    let mut app = marked();
    press(&mut app, KeyCode::Tab);
    press(&mut app, KeyCode::Tab);
    control(&mut app, 'w');
    assert_eq!(app.input.text(), "", "so does who was in the panel");
    for view in [KeyCode::F(1), KeyCode::F(8)] {
        let mut app = marked();
        press(&mut app, view);
        press(&mut app, KeyCode::Down);
        press(&mut app, KeyCode::Esc);
        write(&mut app, "xy");
        assert_eq!(app.input.text(), "xy", "{view:?}");
    }
    let mut app = marked();
    let kind = crossterm::event::MouseEventKind::Down(crossterm::event::MouseButton::Left);
    let (column, row, modifiers) = (1, 1, KeyModifiers::NONE);
    let click = crossterm::event::MouseEvent { kind, column, row, modifiers };
    app.update(Msg::Terminal(Event::Mouse(click)));
    app.update(Msg::Terminal(Event::Paste("!".into())));
    assert_eq!(app.input.text(), "!", "and who clicked at the reply");
    for (letter, left) in [('w', ""), ('k', ""), ('u', ""), ('d', ""), ('l', "about rivers")] {
        let mut app = marked();
        control(&mut app, letter);
        assert_eq!(app.input.text(), left, "{letter}");
    }
    for typed in ["x", "?"] {
        let mut app = marked();
        write(&mut app, typed);
        assert_eq!(app.input.text(), typed);
    }
    assert_eq!(words(&press(&mut marked(), KeyCode::Enter)), ["send about rivers"]);
}
