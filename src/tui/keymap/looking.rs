//! The keys of what is only looked at: help and inspector, the journal, the past.

use crossterm::event::KeyCode;

use super::KeyAction::{self as Do, Show};
use super::Scope::{Journal, Overlay, Past};
use super::{Binding, View, bind, ctrl, key, letter};

pub(super) static BINDINGS: &[Binding] = &[
    bind(
        Overlay,
        &[key(KeyCode::Esc), letter('q'), key(KeyCode::F(1)), key(KeyCode::Enter), ctrl('c')],
        Do::Cancel,
        "Esc, q",
        "close",
    ),
    bind(Overlay, &[letter('/')], Do::Filter, "/", "help: list only what holds some words"),
    bind(Overlay, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "one line on"),
    bind(Overlay, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "one line back"),
    bind(
        Overlay,
        &[key(KeyCode::PageDown), letter(' ')],
        Do::PageDown,
        "PgDn, Space",
        "one page on",
    ),
    bind(Overlay, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "one page back"),
    bind(
        Overlay,
        &[key(KeyCode::Left)],
        Do::Earlier,
        "Left",
        "turn before (inspector of the past)",
    ),
    bind(Overlay, &[key(KeyCode::Right)], Do::Later, "Right", "next turn (inspector of the past)"),
    bind(Overlay, &[letter('n')], Do::NextMark, "n", "next change (inspector)"),
    bind(Overlay, &[letter('N')], Do::LastMark, "N", "change before (inspector)"),
    bind(Overlay, &[key(KeyCode::Home), letter('g')], Do::Top, "Home, g", "beginning"),
    bind(Overlay, &[key(KeyCode::End), letter('G')], Do::Bottom, "End, G", "end"),
    bind(Past, &[key(KeyCode::Left), letter('h')], Do::Earlier, "Left, h", "a turn back"),
    bind(Past, &[key(KeyCode::Right), letter('l')], Do::Later, "Right, l", "a turn on"),
    bind(Past, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "ten turns back"),
    bind(Past, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "ten turns on"),
    bind(Past, &[key(KeyCode::Home), letter('g')], Do::Top, "Home, g", "the first turn"),
    bind(Past, &[key(KeyCode::End), letter('G')], Do::Bottom, "End, G", "the last turn"),
    bind(Past, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "item before in the panel"),
    bind(Past, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "next item in the panel"),
    bind(
        Past,
        &[key(KeyCode::Enter), key(KeyCode::F(3))],
        Show(View::Inspect),
        "Enter, F3",
        "the window as it was, item by item",
    ),
    bind(
        Past,
        &[key(KeyCode::Esc), letter('q'), key(KeyCode::F(5)), ctrl('c')],
        Do::Cancel,
        "Esc, q",
        "back to now",
    ),
    bind(Past, &[letter('?')], Show(View::Help), "?", "this help"),
    bind(Journal, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "change before"),
    bind(Journal, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "next change"),
    bind(Journal, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "one page back"),
    bind(Journal, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "one page on"),
    bind(Journal, &[key(KeyCode::Home), letter('g')], Do::Top, "Home, g", "first change"),
    bind(Journal, &[key(KeyCode::End), letter('G')], Do::Bottom, "End, G", "last change"),
    bind(
        Journal,
        &[letter('/')],
        Do::Filter,
        "/",
        "filter; {filter.accept} keeps it, {filter.cancel} clears it",
    ),
    bind(Journal, &[key(KeyCode::Enter)], Do::Open, "Enter", "that turn as it was"),
    bind(Journal, &[letter('u')], Do::UndoChange, "u", "undo the last change of memory"),
    bind(Journal, &[letter('U'), letter('r')], Do::RedoChange, "U, r", "redo it"),
    bind(
        Journal,
        &[key(KeyCode::Esc), letter('q'), key(KeyCode::F(4)), ctrl('c')],
        Do::Cancel,
        "Esc, q",
        "close",
    ),
    bind(Journal, &[letter('?')], Show(View::Help), "?", "this help"),
];
