//! With every key bound anew, nothing on the screen names a key that no longer does anything.

use std::sync::Arc;
use std::time::Duration;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ebbtide::config::{Custom, Settings, Source};
use ebbtide::memory::{EffortId, MemoryView, Tier, Tokens, Turn};
use ebbtide::orchestrator::{Notice, Stopped, TranscriptKind, Unanswered};
use ebbtide::tui::app::{App, Msg};
use ebbtide::tui::keymap::{Keymap, Scope};
use ebbtide::tui::look::Look;

use super::past_screen::in_the_past;
use super::support::screen::{Desk, entry, item, model, opened};

/// A letter that no keyboard has, for the binding of that number in its part of the screen.
fn letter(nth: usize) -> char {
    char::from_u32(0x16a0 + nth as u32).unwrap()
}

/// The new key of each binding that can change, by its name.
fn new_keys() -> Vec<(String, KeyModifiers, char)> {
    let default = Keymap::default();
    let of_scope = |scope: Scope| {
        let modifiers = match scope {
            Scope::Global => KeyModifiers::ALT,
            _ => KeyModifiers::ALT | KeyModifiers::CONTROL,
        };
        let changeable = default.bindings(scope).filter(|bound| bound.can_change());
        changeable
            .enumerate()
            .map(move |(nth, bound)| (bound.name().to_owned(), modifiers, letter(nth)))
            .collect::<Vec<_>>()
    };
    Scope::ALL.into_iter().flat_map(of_scope).collect()
}

fn bound_anew() -> Keymap {
    let customs: Vec<Custom> = new_keys()
        .into_iter()
        .map(|(name, modifiers, letter)| {
            let control = if modifiers.contains(KeyModifiers::CONTROL) { "Ctrl+" } else { "" };
            let values = vec![format!("{control}Alt+{letter}")];
            Custom {
                name,
                values,
                is_words: true,
                source: Source::File { path: "config.toml".into(), line: 1 },
            }
        })
        .collect();
    let (keymap, faults) = Keymap::with(&customs);
    assert_eq!(faults, Vec::<String>::new());
    keymap
}

fn desk(demo: bool) -> Desk {
    let look = Look { animations: false, ..Look::default() };
    let app = App::dressed(look, bound_anew());
    let mut desk = Desk::of(if demo { app.in_demo() } else { app }, 160, 60);
    desk.notice(Notice::Settings(Arc::new(Settings::default())));
    desk.notice(opened("work", model("test-model"), []));
    desk
}

impl Desk {
    /// Presses the new key of a binding.
    fn act(&mut self, name: &str) {
        let keys = new_keys();
        let (_, modifiers, letter) = keys.iter().find(|(bound, ..)| bound == name).expect(name);
        self.chord(*modifiers, KeyCode::Char(*letter));
    }

    /// Looks for keys that were bound to something before, and for all of the new ones that belong here.
    #[track_caller]
    fn check(&mut self, names: &[&str]) {
        let screen = self.screen();
        let mut text = screen.clone();
        let default = Keymap::default();
        let all = || Scope::ALL.into_iter().flat_map(|scope| default.bindings(scope));
        for fixed in all().filter(|bound| !bound.can_change()) {
            text = text.replace(&fixed.label, "");
        }
        let labels = all().flat_map(|bound| bound.label.split(", "));
        let old: Vec<&str> = labels.filter(|label| label.len() > 1).collect();
        let is_old = |word: &&str| old.contains(&word.trim_matches([',', '.', ':', ';', '"']));
        let found = text.split([' ', '/', '\n']).find(is_old);
        assert_eq!(found, None, "an old key is on\n{screen}");
        for name in names {
            let keys = new_keys();
            let (.., letter) = keys.iter().find(|(bound, ..)| bound == name).expect(name);
            assert!(screen.contains(&format!("Alt+{letter}")), "{name} is not on\n{screen}");
        }
    }
}

fn waiting_to_leave() -> Notice {
    let view = MemoryView {
        budget: Tokens(16_000),
        waiting: vec![EffortId::stored("tea")],
        warm: vec![item("tea", Tier::Warm, None)],
        ..MemoryView::default()
    };
    Notice::Memory(Arc::new(view))
}

fn started(user: &str) -> Notice {
    Notice::TurnStarted { turn: Turn(1), user: user.into() }
}

#[test]
fn the_message_line_and_what_stands_above_it_name_the_keys_in_force() {
    let mut desk = desk(false);
    desk.check(&["global.help", "global.toggle_panel", "input.send", "global.interrupt"]);
    desk.write("Hello");
    desk.act("global.interrupt");
    desk.check(&["input.up"]);
    desk.act("global.interrupt");
    desk.check(&["global.interrupt"]);
    desk.act("input.search_history");
    desk.check(&["input.search_history", "input.send", "input.cancel"]);
    desk.act("input.cancel");
    desk.write("/");
    desk.check(&["input.complete", "input.cancel"]);
    desk.act("input.delete_to_start");
    desk.app.update(Msg::Burst(vec![KeyEvent::new(KeyCode::Char('x'), KeyModifiers::NONE); 9]));
    desk.check(&["input.send"]);
    desk.act("global.mouse");
    desk.app.update(Msg::Tick(Duration::from_secs(60)));
    desk.check(&["global.mouse"]);
    desk.act("global.find");
    desk.check(&["find.older", "find.newer", "find.cancel"]);
}

#[test]
fn a_turn_and_what_waits_behind_it_name_the_keys_in_force() {
    let mut desk = desk(false);
    desk.write("Hello");
    desk.act("input.send");
    desk.notice(started("Hello"));
    desk.check(&["input.cancel"]);
    desk.notice(Notice::CallStarted { name: "remember".into() });
    desk.check(&["input.cancel"]);
    let reason = "busy".to_owned();
    desk.notice(Notice::Retrying { wait: Duration::from_secs(9), attempt: 2, reason });
    desk.check(&["input.cancel"]);
    desk.write("And then?");
    desk.act("input.send");
    desk.act("input.queue");
    desk.check(&["queue.reword", "queue.remove", "queue.send_earlier", "queue.send_later"]);
    desk.act("queue.leave");
    let stopped = Stopped {
        user: "Hello".into(),
        partial: "".into(),
        error: Some("It broke".into()),
        advice: "Try again.".into(),
        message: Unanswered::Kept,
    };
    desk.write("a draft");
    desk.notice(Notice::TurnStopped(stopped));
    desk.check(&["input.send", "input.up"]);
}

#[test]
fn the_panel_names_the_keys_in_force() {
    let mut desk = desk(false);
    desk.notice(waiting_to_leave());
    desk.act("global.toggle_panel");
    desk.act("global.toggle_panel");
    desk.check(&["global.let_leave"]);
    desk.act("input.complete");
    desk.check(&["panel.open", "panel.expand", "panel.pin"]);
    desk.act("panel.edit_text");
    desk.check(&["input.send", "input.cancel"]);
    desk.act("input.cancel");
    desk.act("panel.filter");
    desk.write("tea");
    desk.check(&["filter.accept", "filter.cancel"]);
    desk.act("filter.accept");
    desk.check(&["panel.leave"]);
}

#[test]
fn everything_that_opens_over_the_chat_names_the_keys_in_force() {
    let mut desk = desk(false);
    desk.act("global.palette");
    desk.check(&["palette.send", "palette.cancel"]);
    desk.act("palette.cancel");
    desk.act("global.sessions");
    desk.check(&["dialog.accept", "dialog.cancel"]);
    desk.act("dialog.cancel");
    desk.act("global.settings");
    desk.check(&["dialog.accept", "dialog.reset", "dialog.save", "dialog.cancel"]);
    desk.act("dialog.cancel");
    desk.act("global.journal");
    desk.notice(Notice::Journal(Arc::default()));
    let keys = ["journal.redo_change", "journal.filter", "journal.open", "journal.undo_change"];
    desk.check(&keys);
    desk.act("journal.filter");
    desk.check(&["filter.accept", "filter.cancel"]);
    desk.act("filter.cancel");
    desk.act("journal.cancel");
    desk.act("global.past");
    desk.check(&["past.cancel", "past.earlier", "past.page_up", "past.inspect", "global.journal"]);
}

#[test]
fn the_help_names_the_keys_in_force() {
    let mut desk = desk(false);
    desk.resize(160, 400);
    desk.act("global.help");
    let names: Vec<String> = new_keys().into_iter().map(|(name, ..)| name).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    desk.check(&names);
}

#[test]
fn a_demo_and_a_long_chat_name_the_keys_in_force() {
    let mut demo = desk(true);
    demo.check(&["demo.demo_pause", "demo.demo_faster", "demo.demo_slower", "demo.quit"]);
    let mut desk = desk(false);
    let said = |nth| entry(TranscriptKind::User, nth, None, &format!("message {nth}"));
    desk.notice(opened("work", model("test-model"), (1..100).map(said).collect::<Vec<_>>()));
    desk.screen();
    desk.act("global.page_up");
    desk.check(&["global.bottom"]);
}

#[test]
fn a_hint_whose_action_has_no_key_is_left_out() {
    let source = Source::File { path: "config.toml".into(), line: 1 };
    let custom = Custom { name: "palette.send".into(), values: Vec::new(), is_words: true, source };
    let (keymap, faults) = Keymap::with(&[custom]);
    assert_eq!(faults, Vec::<String>::new());
    let filled = keymap.fill("1 of 2 · {palette.send} runs · {palette.cancel} closes");
    assert_eq!(filled, "1 of 2 · Esc closes");
    assert_eq!(keymap.fill("{palette.send} runs"), "no key runs");
    assert_eq!(keymap.fill("somebody's {braces} · {"), "somebody's {braces} · {");
}

#[test]
fn letters_in_the_past_are_told_the_way_back_until_that_is_gone() {
    for typed in ["w", "n", "N"] {
        let mut desk = in_the_past(100, 30, 12);
        desk.write(typed);
        let screen = desk.screen();
        assert!(screen.contains("nothing is written in the past · Esc goes back"), "{screen}");
        assert!(!screen.contains("no compaction"), "{screen}");
        desk.press(KeyCode::Esc);
        assert!(!desk.screen().contains("nothing is written"), "{typed}");
    }
}
