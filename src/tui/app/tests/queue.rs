//! What is written during a turn waits, and what becomes of it.

use super::*;

#[test]
fn words_typed_during_a_turn_wait_in_order_and_are_sent_one_a_turn() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    assert!(say(&mut app, "two").is_empty());
    assert!(say(&mut app, "/budget 8k").is_empty());
    assert!(say(&mut app, "three").is_empty());
    assert_eq!(app.queue.len(), 3);
    assert_eq!(ended(&mut app, 1, "one", "fine"), ["send two"]);
    started(&mut app, 2, "two");
    assert_eq!(ended(&mut app, 2, "two", "ok"), ["set token_budget 8000", "send three"]);
}

#[test]
fn a_failed_turn_holds_the_queue_and_gives_the_message_back() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    assert!(say(&mut app, "two").is_empty());
    app.update(Msg::Notice(Notice::Text("half an ans".into())));
    stopped(&mut app, "one", "half an ans", Some("The server hung up"));
    assert_eq!(app.input.text(), "one");
    assert!(app.queue_held);
    let said = said(&app);
    assert_eq!(said[0], (BlockKind::Unanswered, "one".to_owned()));
    assert_eq!(said[1], (BlockKind::Partial, "half an ans".to_owned()));
    assert_eq!(said[2].0, BlockKind::Error);
    assert!(said[2].1.starts_with("The server hung up. Try again. Your message is back"));
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send one"]);
    started(&mut app, 1, "one");
    assert_eq!(ended(&mut app, 1, "one", "fine"), ["send two"]);
}

#[test]
fn a_draft_in_the_line_is_never_overwritten() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    write(&mut app, "draft");
    stopped(&mut app, "one", "", None);
    assert_eq!(app.input.text(), "draft");
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "one");
    press(&mut app, KeyCode::Down);
    assert_eq!(app.input.text(), "draft");
}

#[test]
fn a_held_queue_goes_on_with_enter_and_comes_back_with_up() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    say(&mut app, "two");
    say(&mut app, "three");
    stopped(&mut app, "one", "", None);
    app.input.set("");
    press(&mut app, KeyCode::Up);
    assert_eq!(app.input.text(), "three");
    app.input.set("");
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send two"]);
}

/// Three messages wait behind a turn that was stopped, and its own does not stand in the line any more.
fn held() -> App {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    for text in ["q1", "q2", "q3"] {
        say(&mut app, text);
    }
    stopped(&mut app, "one", "", None);
    control(&mut app, 'u');
    app
}

fn waiting(app: &App) -> Vec<&str> {
    app.queue.iter().map(Queued::text).collect()
}

#[test]
fn a_message_that_is_held_back_stays_in_its_place_when_it_was_changed() {
    let mut app = held();
    press(&mut app, KeyCode::Up);
    assert!(say(&mut app, "X").is_empty(), "the key keeps the change, and sends nothing");
    assert_eq!((waiting(&app), app.queue_held), (vec!["q1", "q2", "q3X"], true));
    assert!(app.hint.as_ref().is_some_and(|(hint, _)| hint.contains("not sent")));
    app.update(Msg::Terminal(Event::Key(KeyEvent::new(KeyCode::Up, KeyModifiers::ALT))));
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.input.text(), "q2");
    assert!(say(&mut app, "Y").is_empty());
    assert_eq!(waiting(&app), ["q1", "q2Y", "q3X"]);
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send q1"]);
    started(&mut app, 2, "q1");
    assert_eq!(ended(&mut app, 2, "q1", "fine"), ["send q2Y"]);
}

#[test]
fn the_only_message_that_is_held_back_stays_so_when_it_was_changed() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    say(&mut app, "two");
    stopped(&mut app, "one", "", None);
    control(&mut app, 'u');
    press(&mut app, KeyCode::Up);
    assert!(say(&mut app, "X").is_empty());
    assert_eq!((waiting(&app), app.queue_held), (vec!["twoX"], true));
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send twoX"]);
}

#[test]
fn what_was_changed_while_the_turn_before_it_ended_well_is_sent() {
    let mut app = opened();
    say(&mut app, "one");
    started(&mut app, 1, "one");
    say(&mut app, "two");
    press(&mut app, KeyCode::Up);
    ended(&mut app, 1, "one", "fine");
    assert_eq!(say(&mut app, "X"), ["send twoX"]);
}
