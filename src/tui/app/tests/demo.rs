//! The keys of a demo, and what they are once it is over.

use super::*;

#[test]
fn in_a_demo_the_keys_steer_it_and_write_nothing() {
    let mut app = App::new(Theme::detect(true, ThemeChoice::Auto, None)).in_demo();
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    assert_eq!(words(&press(&mut app, KeyCode::Char(' '))), ["demo(togglepause)"]);
    assert_eq!(words(&press(&mut app, KeyCode::Right)), ["demo(step)"]);
    assert_eq!(words(&press(&mut app, KeyCode::Char('+'))), ["demo(faster)"]);
    assert_eq!(words(&press(&mut app, KeyCode::Char('-'))), ["demo(slower)"]);
    assert_eq!(words(&press(&mut app, KeyCode::Char('3'))), ["demo(chapter(3))"]);
    assert_eq!(words(&press(&mut app, KeyCode::Esc)), ["demo(live)"]);
    write(&mut app, "abc");
    assert!(app.input.is_empty());
    app.update(Msg::Demo(DemoNotice::Typing("Let's wo".into())));
    assert_eq!(app.input.text(), "Let's wo");
    started(&mut app, 1, "Let's work");
    assert!(app.input.is_empty());
    app.update(Msg::Demo(DemoNotice::Finished { words: "The demo is over.".into(), again: 0 }));
    ended(&mut app, 1, "Let's work", "ok");
    assert_eq!(say(&mut app, "a b"), ["send a b"]);
}

#[test]
fn a_digit_after_the_end_of_a_demo_plays_a_chapter_again_and_later_it_is_a_letter() {
    let over = |again| {
        let mut app = opened();
        app.update(Msg::Demo(DemoNotice::Finished { words: "Over.".into(), again }));
        app
    };
    let mut app = over(5);
    assert_eq!(words(&press(&mut app, KeyCode::Char('3'))), ["demo(chapter(3))"]);
    assert_eq!(app.scope(), Scope::Demo);
    for (again, keys) in [(5, "a3"), (5, "7"), (0, "3")] {
        let mut app = over(again);
        write(&mut app, keys);
        assert_eq!(app.input.text(), keys);
    }
}

#[test]
fn also_after_its_end_a_demo_has_no_other_sessions_and_no_errands() {
    let mut app = App::new(Theme::detect(true, ThemeChoice::Auto, None)).in_demo();
    app.update(Msg::Notice(open_notice(Vec::new(), None)));
    for over in [false, true] {
        if over {
            app.update(Msg::Demo(DemoNotice::Finished { words: "Over.".into(), again: 0 }));
            assert!(say(&mut app, "/connect").is_empty());
            assert!(app.hint.take().is_some_and(|(hint, _)| hint.contains("not from a demo")));
        }
        assert!(press(&mut app, KeyCode::F(6)).is_empty());
        assert!(app.stack.top().is_none(), "a list that nobody fills");
        assert!(app.hint.take().is_some_and(|(hint, _)| hint.contains("not in a demo")));
    }
}
