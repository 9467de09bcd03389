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
