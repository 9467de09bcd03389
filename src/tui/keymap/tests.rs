use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::KeyAction::Show;
use super::Scope::{Global, Input, Panel};
use super::*;
use crate::config::{Custom, Source};

fn own(entries: &[(&str, &[&str])]) -> (Keymap, Vec<String>) {
    let customs: Vec<Custom> = entries
        .iter()
        .zip(1..)
        .map(|((name, keys), line)| Custom {
            name: (*name).to_owned(),
            values: keys.iter().map(|&key| key.to_owned()).collect(),
            is_words: true,
            source: Source::File { path: "config.toml".into(), line },
        })
        .collect();
    Keymap::with(&customs)
}

fn pressed(keymap: &Keymap, scope: Scope, key: &str) -> Option<KeyAction> {
    let Chord(modifiers, code) = Chord::parse(key).unwrap();
    keymap.lookup(scope, &KeyEvent::new(code, modifiers))
}

#[test]
fn every_built_in_key_is_one_that_a_terminal_sends() {
    for binding in table::BINDINGS {
        let also = binding.also.split(", ").filter(|key| !key.is_empty());
        let keys = binding.keys.split(", ").chain(also);
        assert_eq!(binding.chords().len(), keys.count(), "{}", binding.help);
    }
}

#[test]
fn no_key_does_two_things_in_one_place() {
    for scope in Scope::ALL {
        let mut seen: Vec<Chord> = Vec::new();
        for chord in Keymap::default().bindings(scope).flat_map(|bound| bound.chords.clone()) {
            assert!(!seen.contains(&chord), "{chord:?} is bound twice in {scope:?}");
            seen.push(chord);
        }
    }
}

#[test]
fn a_global_key_is_not_hidden_by_the_message_line() {
    let keymap = Keymap::default();
    for chord in keymap.bindings(Global).flat_map(|bound| bound.chords.clone()) {
        let event = KeyEvent::new(chord.1, chord.0);
        assert_eq!(keymap.lookup(Input, &event), None, "{chord:?}");
    }
}

#[test]
fn every_binding_that_can_change_has_a_name_of_its_own() {
    let keymap = Keymap::default();
    let changeable = keymap.bindings.iter().filter(|bound| bound.can_change());
    let mut names: Vec<&str> = changeable.map(Bound::name).collect();
    assert!(names.contains(&"global.toggle_panel"));
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

#[test]
fn shift_is_part_of_a_letter_and_modifiers_of_enter() {
    let keymap = Keymap::default();
    let shifted = KeyEvent::new(KeyCode::Char('?'), KeyModifiers::SHIFT);
    assert_eq!(keymap.lookup(Input, &shifted), Some(KeyAction::HelpIfEmpty));
    let enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::SHIFT);
    assert_eq!(keymap.lookup(Input, &enter), Some(KeyAction::Newline));
    let control = KeyEvent::new(KeyCode::Char('C'), KeyModifiers::CONTROL);
    assert_eq!(keymap.lookup(Global, &control), Some(KeyAction::Interrupt));
}

#[test]
fn keys_are_read_as_people_write_them_and_written_back() {
    for (text, label) in [
        ("ctrl+x", "Ctrl+X"),
        ("C-x", "Ctrl+X"),
        ("Ctrl-Alt-Down", "Ctrl+Alt+Down"),
        ("shift+tab", "Shift+Tab"),
        ("shift+g", "G"),
        ("f12", "F12"),
        ("f", "f"),
        ("+", "+"),
        ("ctrl++", "Ctrl++"),
        ("-", "-"),
        ("space", "Space"),
        ("pageup", "PgUp"),
    ] {
        let chord = Chord::parse(text).unwrap();
        assert_eq!(chord.label(), label, "{text}");
        assert_eq!(Chord::parse(label).unwrap(), chord, "{label}");
    }
    for text in ["", "ctrl+", "hyper+x", "F25", "two", "ctrl+i", "Ctrl+M", "\n"] {
        assert!(Chord::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_key_of_ones_own_replaces_the_built_in_ones() {
    let (keymap, faults) =
        own(&[("global.toggle-panel", &["F10"]), ("panel.down", &["n", "Down"])]);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(pressed(&keymap, Global, "F10"), Some(KeyAction::TogglePanel));
    assert_eq!(pressed(&keymap, Global, "F2"), None);
    assert_eq!(pressed(&keymap, Panel, "n"), Some(KeyAction::Down));
    assert!(keymap.hints(Input, true).contains(&("F10".to_owned(), "memory")));
}

#[test]
fn two_keys_may_be_swapped() {
    let (keymap, faults) = own(&[("panel.down", &["k"]), ("panel.up", &["j"])]);
    assert_eq!(faults, Vec::<String>::new());
    assert_eq!(pressed(&keymap, Panel, "j"), Some(KeyAction::Up));
}

#[test]
fn what_makes_no_sense_is_told_and_keeps_its_default() {
    let (keymap, faults) = own(&[
        ("panel.dwon", &["n"]),
        ("panel.down", &["Ctrl+Alt"]),
        ("input.send", &["x"]),
        ("global.redraw", &["F1"]),
        ("global.suspend", &["Ctrl+W"]),
        ("global.interrupt", &[]),
        ("input.edit", &["F8"]),
    ]);
    let expected = [
        "there is no key binding \"keys.panel.dwon\" (from: config.toml:1). Did you mean \
         keys.panel.down? The line has no effect.",
        "keys.panel.down: \"Ctrl+Alt\" is no key: write it like Ctrl+X, Alt+Enter, F5, PgUp or j (from: \
         config.toml:2). The default holds: Down, j.",
        "keys.input.send: \"x\" alone is a sign to write, not a key to obey (from: config.toml:3). The \
         default holds: Enter.",
        "keys.global.interrupt: without a key there would be no way to quit (from: config.toml:6). The \
         default holds: Ctrl+C.",
        "there is no key binding \"keys.input.edit\" (from: config.toml:7). `ebbtide config keys` lists \
         them all. The line has no effect.",
        "keys.global.suspend: Ctrl+W is a key of the message line that cannot be changed (delete to the \
         line end, the word before, the word after) (from: config.toml:5). The default holds: Ctrl+Z.",
        "keys.global.redraw: F1 is keys.global.help already (from: config.toml:4). The default holds: \
         Ctrl+L.",
    ];
    for (found, expected) in faults.iter().zip(expected) {
        assert_eq!(found, expected);
    }
    assert_eq!((faults.len(), keymap), (expected.len(), Keymap::default()));
}

#[test]
fn of_two_that_want_the_same_key_the_first_gets_it() {
    let (keymap, faults) = own(&[("global.help", &["F10"]), ("global.redraw", &["F10"])]);
    assert_eq!(pressed(&keymap, Global, "F10"), Some(Show(View::Help)));
    assert_eq!(pressed(&keymap, Global, "Ctrl+L"), Some(KeyAction::Redraw));
    assert_eq!(faults.len(), 1);
    // Where a default goes back to its key, who took it in the meantime gives way, too.
    let (keymap, faults) = own(&[("global.redraw", &["F2"]), ("global.toggle_panel", &["F6"])]);
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert_eq!(keymap, Keymap::default());
}
