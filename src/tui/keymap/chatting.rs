//! The keys of the conversation: choosing, copying and finding.

use crossterm::event::{KeyCode, KeyModifiers};

use super::KeyAction::{self as Do, Show};
use super::Scope::{Chat, Find};
use super::{Binding, Chord, View, bind, ctrl, hinted, key, letter};

pub(super) static BINDINGS: &[Binding] = &[
    bind(Chat, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "next message"),
    bind(Chat, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "message before"),
    bind(Chat, &[letter('g'), key(KeyCode::Home)], Do::Top, "g, Home", "first message"),
    bind(Chat, &[letter('G'), key(KeyCode::End)], Do::Bottom, "G, End", "newest message"),
    hinted("copy", bind(Chat, &[letter('y')], Do::Copy, "y", "copy the message")),
    hinted(
        "code",
        bind(Chat, &[letter('c')], Do::CopyCode, "c", "copy its code block; again: the next one"),
    ),
    bind(
        Chat,
        &[key(KeyCode::Enter)],
        Do::Open,
        "Enter",
        "on a divider or a message: show its effort in full",
    ),
    bind(Chat, &[letter('m')], Do::Raw, "m", "show Markdown as it came, or laid out"),
    bind(Chat, &[letter('/')], Show(View::Find), "/", "find in the conversation"),
    hinted(
        "back",
        bind(
            Chat,
            &[key(KeyCode::Tab), key(KeyCode::BackTab), key(KeyCode::Esc)],
            Do::Leave,
            "Tab, Esc",
            "back to the message",
        ),
    ),
    bind(Chat, &[letter('?')], Show(View::Help), "?", "this help"),
    hinted(
        "older",
        bind(
            Find,
            &[key(KeyCode::Enter), key(KeyCode::Up), ctrl('f'), letter('n')],
            Do::Older,
            "Enter, Up, n",
            "older match; a letter once the words stand",
        ),
    ),
    hinted(
        "newer",
        bind(
            Find,
            &[Chord(KeyModifiers::SHIFT, KeyCode::Enter), key(KeyCode::Down), letter('N')],
            Do::Newer,
            "Shift+Enter, Down, N",
            "newer match; a letter once the words stand",
        ),
    ),
    bind(Find, &[key(KeyCode::Backspace), ctrl('h')], Do::Edit, "Backspace", "delete a character"),
    bind(Find, &[ctrl('u')], Do::DeleteToStart, "Ctrl+U", "delete all"),
    bind(
        Find,
        &[key(KeyCode::Tab), key(KeyCode::BackTab)],
        Do::Chat,
        "Tab",
        "choose the message, to copy it",
    ),
    hinted("close", bind(Find, &[key(KeyCode::Esc)], Do::Cancel, "Esc", "close; the place stays")),
];
