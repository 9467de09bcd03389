//! Commands that failed and keys that nobody could see the effect of.

use super::*;
use crate::tui::transcript::Home;

fn done(ok: bool) -> Msg {
    Msg::Notice(Notice::CommandDone { ok, text: "That is no name.".into() })
}

#[test]
fn a_command_that_failed_stays_in_the_message_line_until_something_else_is_typed() {
    let set = |ok| Msg::Notice(Notice::SettingDone { ok, text: "12 is too small.".into() });
    let no_past = |_| Msg::Notice(Notice::NoPast("There is no turn 900.".into()));
    let answers: [(&str, &dyn Fn(bool) -> Msg); 3] =
        [("/rename a/b", &done), ("/set token_budget 12", &set), ("/past 900", &no_past)];
    for (line, answer) in answers {
        let mut app = opened();
        say(&mut app, line);
        assert_eq!(app.input.text(), "", "it is under way");
        app.update(answer(false));
        assert_eq!(app.input.text(), line);
        write(&mut app, "x");
        assert_eq!(app.input.text(), "x", "what is typed takes its place");
    }
    for (line, answer) in &answers[..2] {
        let mut app = opened();
        say(&mut app, line);
        app.update(answer(true));
        assert_eq!(app.input.text(), "");
        app.update(answer(false));
        assert_eq!(app.input.text(), "", "another failure is not its own");
    }
}

#[test]
fn what_is_written_and_what_came_from_a_key_is_left_alone_by_a_failure() {
    let mut app = opened();
    say(&mut app, "/rename a/b");
    write(&mut app, "half a mess");
    app.update(done(false));
    assert_eq!(app.input.text(), "half a mess");
    let mut app = opened();
    control(&mut app, 'x');
    app.update(done(false));
    assert_eq!(app.input.text(), "");
}

#[test]
fn where_nothing_is_drawn_nothing_is_sent_chosen_or_changed() {
    let mut app = opened();
    draw(&mut app, 39, 24);
    assert!(say(&mut app, "hello").is_empty());
    assert_eq!(app.input.text(), "hello", "who writes goes on");
    for code in [KeyCode::Tab, KeyCode::F(6), KeyCode::F(7)] {
        assert!(press(&mut app, code).is_empty());
    }
    assert!(control(&mut app, 'x').is_empty());
    assert_eq!(app.scope(), Scope::Input);
    draw(&mut app, 80, 24);
    assert_eq!(words(&press(&mut app, KeyCode::Enter)), ["send hello"]);
    draw(&mut app, 80, 11);
    assert_eq!(words(&control(&mut app, 'c')), ["cancel"]);
    for opens in [KeyCode::F(1), KeyCode::F(6)] {
        draw(&mut app, 80, 24);
        press(&mut app, opens);
        draw(&mut app, 80, 11);
        assert!(press(&mut app, KeyCode::Delete).is_empty());
        control(&mut app, 'c');
        assert_eq!(app.scope(), Scope::Input, "what lies over the chat can be left");
    }
}

#[test]
fn the_copy_of_a_session_is_opened_and_says_so_there() {
    let mut app = opened();
    say(&mut app, "/fork");
    assert!(say(&mut app, "go on").is_empty(), "it waits for the copy");
    let text = "work is copied to work-2.".to_owned();
    let forked = Notice::Forked { directory: "sessions/work-2".into(), text };
    assert_eq!(words(&app.update(Msg::Notice(forked))), ["session(open(\"sessions/work-2\"))"]);
    let Notice::Opened { mut session, transcript, draft } = open_notice(Vec::new(), None) else {
        panic!("it opens")
    };
    session.name = "work-2".into();
    let opened = Notice::Opened { session, transcript, draft };
    assert_eq!(words(&app.update(Msg::Notice(opened))), ["send go on"]);
    let last = said(&app).pop().unwrap();
    assert_eq!(
        last.1,
        "work is copied to work-2. This is work-2 now; work stays as it is, and /sessions work opens it."
    );
}

#[test]
fn the_help_is_about_the_command_that_is_named() {
    let mut app = opened();
    say(&mut app, "/help pin");
    let screen = draw(&mut app, 80, 24);
    assert!(screen.contains("keep an effort or a note in the window"), "{screen}");
    assert!(!screen.contains("let it count down again"), "{screen}");
    press(&mut app, KeyCode::Esc);
    assert!(draw(&mut app, 80, 24).contains("Just write."), "the first Esc shows all");
}

#[test]
fn a_line_that_is_no_command_gives_way_to_what_is_typed_and_one_that_lacks_something_is_written_on()
{
    for line in ["/theme light", "/opne x", "/budget lots", "/undo 3", "/zzzz"] {
        let mut app = opened();
        assert!(say(&mut app, line).is_empty());
        assert_eq!(app.input.text(), line);
        write(&mut app, "!");
        assert_eq!(app.input.text(), "!", "{line}");
        app.input.set("");
        press(&mut app, KeyCode::Up);
        assert_eq!(app.input.text(), line, "the history has it");
    }
    let mut app = opened();
    say(&mut app, "/rename ");
    write(&mut app, " x");
    assert_eq!(app.input.text(), "/rename  x");
}

#[test]
fn a_word_that_is_meant_for_the_program_is_not_sent_unless_a_space_leads_it_in() {
    for (word, told) in
        [("exit", "/quit leaves"), ("Quit", "Ctrl+D"), (":q", "/quit leaves"), ("help", "/help")]
    {
        let mut app = opened();
        assert!(say(&mut app, word).is_empty(), "{word}");
        let hint = app.hint.clone().unwrap().0;
        assert!(hint.contains(told) && hint.contains("a space before it sends it"), "{hint}");
        write(&mut app, "hello");
        assert_eq!(app.input.text(), "hello", "what is typed takes its place");
        let mut app = opened();
        assert_eq!(say(&mut app, &format!(" {word}")), [format!("send {word}")]);
    }
    let mut app = opened();
    assert_eq!(say(&mut app, "help me"), ["send help me"]);
}

#[test]
fn a_command_by_another_of_its_names_stays_as_it_was_written_if_it_fails() {
    let mut app = opened();
    assert_eq!(say(&mut app, "/compact"), ["run close"]);
    app.update(done(false));
    assert_eq!(app.input.text(), "/compact");
    let mut app = opened();
    assert_eq!(say(&mut app, "/clos"), ["run close"], "a name that is begun is completed");
}

#[test]
fn what_is_known_elsewhere_and_what_lacks_everything_is_told_what_to_write() {
    for (line, told) in [
        ("/regenerate", "sending it again asks again"),
        ("/edit", "/edit needs an id and the new words. Use it like this: /edit ID WORDS"),
        ("/edit n1", "/edit needs the new words behind the id"),
    ] {
        let mut app = opened();
        say(&mut app, line);
        let error = said(&app).pop().unwrap().1;
        assert!(error.contains(told), "{error}");
    }
}

#[test]
fn a_click_into_the_message_moves_the_cursor_there() {
    let mut app = opened();
    write(&mut app, &"word ".repeat(30));
    draw(&mut app, 80, 24);
    let area = app.chat.written;
    assert_eq!(area.height, 2, "it is broken into two rows");
    app.focus = Focus::Panel;
    let click = |app: &mut App, column, row| {
        let kind = crossterm::event::MouseEventKind::Down(crossterm::event::MouseButton::Left);
        let (column, row) = (area.x + column, area.y + row);
        let event =
            crossterm::event::MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
        app.update(Msg::Terminal(Event::Mouse(event)));
    };
    click(&mut app, 5, 0);
    write(&mut app, "HERE ");
    assert!(app.input.text().starts_with("word HERE word "), "{}", app.input.text());
    draw(&mut app, 80, 24);
    click(&mut app, 60, 1);
    write(&mut app, "END");
    assert!(app.input.text().ends_with(" END"), "behind the text is its end");
}

#[test]
fn opening_is_offered_only_where_a_message_can_be_opened() {
    let mut app = opened();
    app.note("It is in no effort.");
    draw(&mut app, 80, 24);
    app.enter_chat();
    let screen = draw(&mut app, 80, 24);
    assert!(screen.contains("y copy") && !screen.contains("Enter open"), "{screen}");
    let home = Home::Effort(crate::memory::EffortId::stored("roof"));
    app.transcript.push_of(BlockKind::Summary, "All of it.", home);
    draw(&mut app, 80, 24);
    app.enter_chat();
    assert!(draw(&mut app, 80, 24).contains("Enter open"));
}
