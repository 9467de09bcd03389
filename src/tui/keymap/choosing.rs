//! The keys of the queue, of a filter and of the command palette.

use crossterm::event::{KeyCode, KeyModifiers};

use super::KeyAction::{self as Do, Show};
use super::Scope::{Filter, Global, Input, Palette, Queue};
use super::{Binding, Chord, View, bind, ctrl, hinted, key, letter};

pub(super) static BINDINGS: &[Binding] = &[
    bind(
        Input,
        &[Chord(KeyModifiers::ALT, KeyCode::Up)],
        Do::Queue,
        "Alt+Up",
        "to the messages that wait: edit, remove, reorder",
    ),
    bind(
        Global,
        &[ctrl('p')],
        Show(View::Palette),
        "Ctrl+P",
        "find a command or a key by a few letters",
    ),
    hinted(
        "edit",
        bind(Queue, &[key(KeyCode::Enter), letter('e')], Do::Reword, "Enter", "edit it"),
    ),
    hinted(
        "remove",
        bind(
            Queue,
            &[letter('d'), key(KeyCode::Delete), key(KeyCode::Backspace)],
            Do::Remove,
            "d, Del",
            "take it out; the history keeps it",
        ),
    ),
    hinted(
        "earlier",
        bind(
            Queue,
            &[letter('K'), Chord(KeyModifiers::SHIFT, KeyCode::Up)],
            Do::SendEarlier,
            "K, Shift+Up",
            "move it earlier",
        ),
    ),
    hinted(
        "later",
        bind(
            Queue,
            &[letter('J'), Chord(KeyModifiers::SHIFT, KeyCode::Down)],
            Do::SendLater,
            "J, Shift+Down",
            "move it later",
        ),
    ),
    bind(Queue, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "entry before"),
    bind(Queue, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "entry after"),
    hinted(
        "back",
        bind(
            Queue,
            &[key(KeyCode::Esc), key(KeyCode::Tab)],
            Do::Leave,
            "Esc, Tab",
            "back to the message",
        ),
    ),
    hinted(
        "keep",
        bind(
            Filter,
            &[key(KeyCode::Enter), key(KeyCode::Tab)],
            Do::Accept,
            "Enter, Tab",
            "keep the filter",
        ),
    ),
    hinted(
        "clear",
        bind(
            Filter,
            &[key(KeyCode::Esc), ctrl('c')],
            Do::Cancel,
            "Esc",
            "clear it: list everything",
        ),
    ),
    bind(Filter, &[ctrl('u')], Do::DeleteToStart, "Ctrl+U", "delete its words"),
    bind(Filter, &[key(KeyCode::Down)], Do::Down, "Down", "next entry"),
    bind(Filter, &[key(KeyCode::Up)], Do::Up, "Up", "entry before"),
    bind(Filter, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "one page on"),
    bind(Filter, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "one page back"),
    bind(Palette, &[key(KeyCode::Enter)], Do::Send, "Enter", "run it, or write it out"),
    bind(Palette, &[key(KeyCode::Down), ctrl('n')], Do::Down, "Down", "entry after"),
    bind(Palette, &[key(KeyCode::Up)], Do::Up, "Up", "entry before"),
    bind(Palette, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "ten entries on"),
    bind(Palette, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "ten entries back"),
    bind(Palette, &[key(KeyCode::Esc), ctrl('c'), ctrl('p')], Do::Cancel, "Esc", "close"),
];
