//! The list of sessions and the settings, on a screen of characters.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyModifiers};
use ebbtide::config::{Custom, Settings, Source};
use ebbtide::orchestrator::{Notice, Op, SessionList, SessionOp};
use ebbtide::store::{FoundSession, SessionSummary};
use ebbtide::tui::app::{Action, App, Msg};
use ebbtide::tui::keymap::Keymap;
use ebbtide::tui::look::Look;
use ebbtide::tui::theme::ThemeChoice;
use insta::assert_snapshot;
use ratatui::style::Color;

use super::support::screen::{self, Desk, model};

fn desk(width: u16, height: u16) -> Desk {
    dressed(Look { animations: false, ..Look::default() }, Keymap::default(), width, height)
}

fn dressed(look: Look, keymap: Keymap, width: u16, height: u16) -> Desk {
    let mut desk = Desk::of(App::dressed(look, keymap), width, height);
    desk.notice(opened("talk"));
    desk.notice(Notice::Settings(Arc::new(settings(&[]))));
    desk
}

/// Before its session is open.
fn unopened() -> Desk {
    Desk::of(App::dressed(Look::default(), Keymap::default()), 80, 24)
}

/// Actions as short words.
fn words(actions: &[Action]) -> Vec<String> {
    let word = |action: &Action| {
        Some(match action {
            Action::Send(Op::Session(SessionOp::Find(query))) => format!("find {query}"),
            Action::Send(Op::Session(SessionOp::Open(path))) => format!("open {}", path.display()),
            Action::Send(Op::Session(SessionOp::New(name))) => {
                format!("new {}", name.as_deref().unwrap_or("-"))
            }
            Action::Send(Op::Set { key, value }) => format!("set {key} {value}"),
            Action::Send(Op::SetForGood { key, value }) => format!("keep {key} {value}"),
            Action::Send(Op::Send(text)) => format!("send {text}"),
            Action::Send(Op::Shutdown) => "shutdown".to_owned(),
            Action::Send(op) => format!("{op:?}"),
            other => format!("{other:?}"),
        })
    };
    actions.iter().filter_map(word).collect()
}

fn opened(name: &str) -> Notice {
    screen::opened(name, model("test-model"), [])
}

fn settings(changes: &[(&str, &str, Source)]) -> Settings {
    let mut settings = Settings::default();
    for (key, value, source) in changes {
        settings.set(key, value, source.clone()).unwrap();
    }
    settings
}

fn found(number: usize, name: &str, title: &str, turns: u64, snippet: &str) -> FoundSession {
    let session = SessionSummary {
        name: name.into(),
        directory: PathBuf::from("/sessions").join(name),
        turns,
        updated: "2026-11-21T07:00:00Z".into(),
        title: title.into(),
        in_use: name != "東京-trip",
    };
    FoundSession { number: Some(number), session, snippet: snippet.into() }
}

fn list(query: &str) -> Notice {
    let found = vec![
        found(1, "talk", "Hello there, I am Ada", 4, ""),
        found(2, "auth-bug", "The login fails after an hour\u{1b}[2J", 1, ""),
        found(
            30,
            "東京-trip",
            "Let us plan the trip 🗼",
            12_345,
            "…and the *hotel* near the river…",
        ),
    ];
    let current = Some(PathBuf::from("/sessions/talk"));
    let new_name = Some(query.to_owned()).filter(|name| !name.is_empty() && !name.contains(' '));
    Notice::Sessions(Arc::new(SessionList { query: query.into(), found, current, new_name }))
}

#[test]
fn sessions_80x24() {
    let mut desk = desk(80, 24);
    assert_eq!(words(&desk.press(KeyCode::F(6))), ["find "]);
    desk.assert_shows("searching ...");
    desk.notice(list(""));
    assert_snapshot!(desk.screen());
}

#[test]
fn a_session_whose_number_is_the_name_of_another_has_none_in_the_list() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(6));
    let mut hidden = found(2, "trip", "Let us plan", 1, "");
    hidden.number = None;
    let found = vec![found(1, "2", "Hello there", 1, ""), hidden];
    let list = SessionList { query: String::new(), found, current: None, new_name: None };
    desk.notice(Notice::Sessions(Arc::new(list)));
    desk.assert_shows("   1  2 ");
    desk.assert_shows("      trip ");
    assert!(!desk.screen().contains("2  trip"), "{}", desk.screen());
}

#[test]
fn sessions_200x60() {
    let mut desk = desk(200, 60);
    desk.run("/sessions hotel");
    desk.notice(list("hotel"));
    assert_snapshot!(desk.screen());
}

#[test]
fn sessions_40x12() {
    let mut desk = desk(40, 12);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    assert_snapshot!(desk.screen());
}

#[test]
fn enter_opens_the_chosen_session_and_the_last_row_begins_a_new_one() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["open /sessions/auth-bug"]);
    desk.assert_shows("opening the session");
    assert_eq!(words(&desk.run("what I typed meanwhile")), Vec::<String>::new());
    desk.assert_shows("next: what I typed meanwhile");
    let actions = desk.notice(opened("auth-bug"));
    assert_eq!(words(&actions), ["send what I typed meanwhile"]);
    desk.assert_shows("auth-bug");

    let mut desk = self::desk(80, 24);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    desk.press(KeyCode::End);
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["new -"]);
    desk.notice(Notice::CommandDone { ok: false, text: "The disk is full.".into() });
    desk.assert_shows("The disk is full.");
    assert_eq!(words(&desk.run("hello")), ["send hello"]);
}

#[test]
fn what_is_typed_is_looked_for_and_an_old_answer_does_not_count() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    assert_eq!(words(&desk.write("re d")), ["find r", "find re", "find re ", "find re d"]);
    desk.notice(list("re"));
    desk.assert_shows("searching ...");
    desk.notice(list("re d"));
    desk.assert_shows("3 found");
    assert_eq!(words(&desk.press(KeyCode::Backspace)), ["find re "]);
    desk.press(KeyCode::Esc);
    desk.assert_hides("3 found");
    assert_eq!(words(&desk.run("hello")), ["send hello"]);
}

#[test]
fn a_session_is_deleted_once_another_key_agrees() {
    let mut desk = desk(80, 24);
    let (none, del) = (Vec::<String>::new(), KeyCode::Delete);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    // The open session, one that is open elsewhere, and the row that begins a new one.
    for (key, told) in [
        (KeyCode::Home, "talk is open: open another one first"),
        (KeyCode::Down, "auth-bug is open in another Ebbtide: close it there first"),
        (KeyCode::End, "3 found"),
    ] {
        desk.press(key);
        assert_eq!(words(&desk.press(del)), none);
        desk.assert_shows(told);
        desk.assert_hides("for good?");
    }
    desk.press(KeyCode::Up);
    assert_eq!(words(&desk.press(del)), none);
    desk.assert_shows("Delete 東京-trip for good? Enter deletes it, any other key keeps it");
    assert_eq!(words(&desk.press(del)), none, "a key that is held down agrees to nothing");
    desk.assert_shows("for good?");
    for other in [KeyCode::Esc, KeyCode::Up, KeyCode::F(6)] {
        desk.press(del);
        assert_eq!(words(&desk.press(other)), none);
        desk.assert_hides("for good?");
        desk.assert_shows("東京-trip");
    }
    desk.press(del);
    assert_eq!(words(&desk.write("x")), ["find x"]);
    desk.assert_hides("for good?");
    desk.press(KeyCode::Backspace);
    desk.notice(list(""));
    desk.press(KeyCode::End);
    desk.press(KeyCode::Up);
    desk.press(del);
    let deleted = "Session(Delete(\"/sessions/東京-trip\"))";
    assert_eq!(words(&desk.press(KeyCode::Enter)), [deleted]);
    let answer = Notice::SessionDeleted { ok: true, text: "東京-trip is deleted.".into() };
    assert_eq!(words(&desk.notice(answer)), ["find "]);
    desk.notice(list(""));
    desk.assert_shows("東京-trip is deleted.");
    desk.press(KeyCode::Esc);
    let late = Notice::SessionDeleted { ok: false, text: "It could not be deleted.".into() };
    assert_eq!(words(&desk.notice(late)), none);
    desk.assert_shows("It could not be deleted.");
}

#[test]
fn a_new_session_gets_the_name_that_was_typed() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(6));
    desk.write("fresh");
    desk.notice(list("fresh"));
    desk.press(KeyCode::End);
    desk.assert_shows("+ new session fresh");
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["new fresh"]);
}

#[test]
fn no_session_is_left_during_a_turn() {
    let mut desk = desk(80, 24);
    desk.run("hello");
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    assert_eq!(words(&desk.press(KeyCode::Enter)), Vec::<String>::new());
    desk.assert_shows("Esc stops");
}

#[test]
fn another_session_begins_with_a_clean_screen_and_keeps_the_draft() {
    let mut desk = desk(120, 36);
    desk.notice(Notice::Info("something of the first session".into()));
    desk.write("a draft");
    desk.notice(opened("other"));
    desk.assert_hides("something of the first session");
    desk.assert_shows("a draft");
    desk.assert_shows("other");
}

#[test]
fn without_a_session_closing_the_list_quits() {
    let mut desk = unopened();
    assert_eq!(words(&desk.app.pick_session("")), ["find "]);
    desk.notice(list(""));
    desk.assert_shows("auth-bug");
    assert_eq!(words(&desk.press(KeyCode::Esc)), ["shutdown"]);
}

fn changed() -> Settings {
    let file = Source::File { path: "/home/ada/.config/ebbtide/config.toml".into(), line: 3 };
    settings(&[
        ("token_budget", "8000", file),
        ("decay_threshold", "5", Source::Chat),
        ("slots", "4", Source::Environment("EBBTIDE_SLOTS".into())),
        ("model", "gpt-東京", Source::Flag("--model")),
    ])
}

#[test]
fn settings_80x24() {
    let mut desk = desk(80, 24);
    desk.notice(Notice::Settings(Arc::new(changed())));
    desk.press(KeyCode::F(7));
    for _ in 0..11 {
        desk.press(KeyCode::Down);
    }
    assert_snapshot!(desk.screen());
}

#[test]
fn settings_120x36_in_ascii() {
    let look = Look { ascii: true, animations: false, ..Look::default() };
    let mut desk = dressed(look, Keymap::default(), 120, 36);
    desk.notice(Notice::Settings(Arc::new({
        let mut settings = changed();
        settings.set("ascii", "true", Source::Flag("--ascii")).unwrap();
        settings
    })));
    desk.run("/settings");
    let screen = desk.screen();
    let signs: String = screen.chars().filter(|c| !c.is_ascii() && !c.is_alphabetic()).collect();
    assert_eq!(signs, "");
    assert_snapshot!(screen);
}

#[test]
fn a_value_is_changed_kept_and_put_back_on_the_spot() {
    let mut desk = desk(80, 24);
    assert_eq!(words(&desk.run("/set decay")), Vec::<String>::new());
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Backspace);
    desk.write("7");
    desk.assert_shows("decay_threshold             7");
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["set decay_threshold 7"]);
    desk.notice(Notice::SettingDone { ok: false, text: "That is too many.".into() });
    desk.assert_shows("That is too many.");
    desk.assert_shows("decay_threshold             7");
    desk.notice(Notice::SettingDone { ok: true, text: "Changed.".into() });
    let seven = settings(&[("decay_threshold", "7", Source::Chat)]);
    desk.notice(Notice::Settings(Arc::new(seven)));
    desk.assert_shows("set in the chat");
    assert_eq!(words(&desk.control('s')), ["keep decay_threshold 7"]);
    assert_eq!(words(&desk.press(KeyCode::Delete)), ["set decay_threshold 3"]);
    desk.press(KeyCode::Enter);
    desk.write("9");
    desk.press(KeyCode::Esc);
    desk.assert_hides("79");
    desk.assert_shows("Settings");
    desk.press(KeyCode::Esc);
    desk.assert_hides("Settings");
}

#[test]
fn choices_are_stepped_through_and_found_by_what_they_do() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(7));
    desk.write("colours of");
    desk.assert_shows("theme");
    assert_eq!(words(&desk.press(KeyCode::Right)), ["set theme light"]);
    assert_eq!(words(&desk.press(KeyCode::Left)), ["set theme mono"]);
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["set theme light"]);
    desk.write("zzz");
    desk.assert_shows("nothing matches");
    assert_eq!(words(&desk.press(KeyCode::Enter)), Vec::<String>::new());
}

#[test]
fn a_theme_set_in_the_chat_is_on_the_next_frame() {
    let mut desk = desk(80, 24);
    let colours = |desk: &mut Desk| -> Vec<Color> {
        desk.screen();
        desk.terminal.backend().buffer().content.iter().map(|cell| cell.fg).collect()
    };
    assert!(colours(&mut desk).iter().any(|&colour| colour != Color::Reset));
    let mono = settings(&[("theme", "mono", Source::Chat)]);
    desk.notice(Notice::Settings(Arc::new(mono)));
    assert!(colours(&mut desk).iter().all(|&colour| colour == Color::Reset));
}

#[test]
fn own_keys_and_colours_reach_the_screen() {
    let custom = |name: &str, value: &str| {
        let source = Source::File { path: "config.toml".into(), line: 1 };
        vec![Custom { name: name.into(), values: vec![value.into()], is_words: true, source }]
    };
    let (keymap, faults) = Keymap::with(&custom("global.help", "F10"));
    assert!(faults.is_empty(), "{faults:?}");
    let look = Look {
        choice: ThemeChoice::Dark,
        colours: custom("border_focused", "#010203"),
        ..Look::default()
    };
    let mut desk = dressed(look, keymap, 80, 24);
    desk.assert_shows("F10 shows keys and commands");
    desk.assert_shows("F10 help");
    desk.press(KeyCode::F(10));
    desk.assert_shows("Alt+Enter");
    desk.press(KeyCode::Esc);
    desk.press(KeyCode::F(1));
    desk.assert_hides("Alt+Enter");
}

#[test]
fn what_was_wrong_with_the_settings_is_told_at_the_start() {
    let mut desk = unopened();
    desk.app.remark(vec!["keys.x.y makes no sense (from: config.toml:3).".to_owned()]);
    desk.notice(opened("talk"));
    desk.app.update(Msg::Tick(Duration::from_secs(1)));
    desk.assert_shows("config.toml:3");
    desk.assert_shows("Welcome to Ebbtide");
}

#[test]
fn no_strip_of_the_chat_is_left_beside_what_opens_over_it() {
    for width in [80, 91, 100, 111, 112, 116, 120, 129, 131, 149, 150, 200] {
        let mut desk = desk(width, 30);
        desk.notice(opened("talk"));
        for (modifiers, key) in [
            (KeyModifiers::NONE, KeyCode::F(1)),
            (KeyModifiers::NONE, KeyCode::F(6)),
            (KeyModifiers::NONE, KeyCode::F(7)),
            (KeyModifiers::CONTROL, KeyCode::Char('p')),
        ] {
            desk.chord(modifiers, key);
            desk.screen();
            let buffer = desk.terminal.backend().buffer();
            // The row in the middle crosses the box, whatever its height.
            let sides: Vec<u16> = (0..width).filter(|x| buffer[(*x, 10)].symbol() == "│").collect();
            let (left, right) = (sides[0], width - 1 - sides[sides.len() - 1]);
            let whole = (left, right) == (0, 0);
            assert!(whole || left.min(right) >= 20, "{key:?} at {width}: {left} and {right}");
            desk.press(KeyCode::Esc);
        }
    }
}

#[test]
fn the_help_is_narrowed_to_what_holds_some_words() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(1));
    desk.write("/");
    desk.write("countdown");
    desk.assert_shows("Help: countdown▏");
    desk.assert_shows("keep: the countdown begins anew");
    desk.assert_shows("/keep ID");
    desk.assert_hides("Just write.");
    desk.assert_hides("Ctrl+R");
    desk.press(KeyCode::Enter);
    desk.assert_shows("Esc clears it");
    desk.press(KeyCode::Esc);
    desk.assert_shows("Just write.");
    // A key is found by its name, and a letter that is one is no part of words.
    for (key, what) in
        [("Ctrl+_", "take the last edit back"), ("ctrl+/", "take the last edit back")]
    {
        desk.write("/");
        desk.write(key);
        desk.assert_shows(what);
        desk.press(KeyCode::Esc);
    }
    desk.write("/");
    desk.write("U");
    desk.assert_shows("U, r                  redo it");
    desk.assert_hides("Ctrl+U");
    desk.assert_hides("undo what memory did last");
    desk.press(KeyCode::Esc);
    desk.write("/");
    desk.write("no such thing q");
    desk.assert_shows("nothing matches");
    desk.press(KeyCode::Esc);
    desk.press(KeyCode::Esc);
    desk.assert_hides("Help");
}

#[test]
fn a_value_is_written_anywhere_in_it_and_stays_when_it_is_refused() {
    let mut desk = desk(80, 24);
    desk.run("/set token_budget");
    desk.press(KeyCode::Enter);
    desk.press(KeyCode::Home);
    desk.write("x");
    desk.press(KeyCode::End);
    desk.press(KeyCode::Left);
    desk.write("y");
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["set token_budget x1600y0"]);
    desk.notice(Notice::SettingDone { ok: false, text: "That is no number.".into() });
    desk.assert_shows("x1600y0");
    desk.control('w');
    desk.press(KeyCode::Right);
    desk.press(KeyCode::Backspace);
    desk.write("8000");
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["set token_budget 8000"]);
}

#[test]
fn the_key_of_another_view_opens_it_and_the_same_key_closes() {
    let mut desk = desk(80, 24);
    for (key, sign) in [(6, "Sessions"), (7, "Settings"), (1, "Just write."), (6, "Sessions")] {
        desk.press(KeyCode::F(key));
        desk.assert_shows(sign);
    }
    desk.press(KeyCode::F(6));
    desk.assert_shows("Write a message");
    desk.press(KeyCode::F(7));
    desk.press(KeyCode::F(6));
    desk.press(KeyCode::Esc);
    desk.assert_shows("Write a message");
}

#[test]
fn a_click_chooses_a_row() {
    let mut desk = desk(80, 24);
    desk.press(KeyCode::F(6));
    desk.notice(list(""));
    desk.click("東京-trip");
    assert_eq!(words(&desk.press(KeyCode::Enter)), ["open /sessions/東京-trip"]);
    desk.press(KeyCode::F(7));
    desk.click("decay_threshold");
    assert_eq!(words(&desk.press(KeyCode::Delete)), ["set decay_threshold 3"]);
    desk.press(KeyCode::Esc);
    desk.control('p');
    desk.click("/collapse");
    desk.press(KeyCode::Enter);
    desk.assert_shows("│ /collapse");
}
