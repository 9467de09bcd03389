//! One table of keys: it decides what a key does and makes the hints and the help, so that neither
//! can promise what the other does not do. A person's own keys (`[keys]` in the config file) replace some
//! of it.

mod action;
mod bound;
mod chatting;
mod choosing;
mod chord;
mod custom;
mod looking;

#[cfg(test)]
mod tests;

use crossterm::event::{KeyCode, KeyModifiers};

use crate::tui::app::View;

/// Writes down the parts of the screen once: what each is, and its heading in the help, in whose order they
/// stand.
macro_rules! scopes {
    ($($(#[$doc:meta])* $scope:ident = $heading:literal,)*) => {
        /// The part of the screen that has the keys.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Scope {
            $($(#[$doc])* $scope,)*
        }

        impl Scope {
            /// Every part, in the order of the help.
            pub const ALL: [Self; [$($heading),*].len()] = [$(Self::$scope),*];

            /// The heading in the help.
            pub fn heading(self) -> &'static str {
                match self {
                    $(Self::$scope => $heading,)*
                }
            }
        }
    };
}

scopes! {
    /// The message line.
    Input = "Writing",
    /// Everywhere where the key has no other meaning, unless something lies over the chat that keeps it.
    Global = "Everywhere",
    /// The conversation.
    Chat = "Conversation",
    /// The line that words to be found are written in.
    Find = "Finding",
    /// The memory panel.
    Panel = "Memory panel",
    /// What waits behind the turn.
    Queue = "What waits",
    /// The command palette.
    Palette = "Command palette",
    /// Help and the window inspector.
    Overlay = "Help and listings",
    /// The filter of a list, while it is being written.
    Filter = "Filter of a list",
    /// The list of sessions and the settings.
    Dialog = "Sessions and settings",
    /// The journal.
    Journal = "Journal",
    /// A turn of the past.
    Past = "The past",
    /// A demo that plays.
    Demo = "Demo",
}

pub use action::KeyAction;
pub use bound::{Bound, Keymap};
pub use chord::Chord;

/// One line of the built-in table.
#[derive(Debug, Clone, Copy)]
struct Binding {
    scope: Scope,
    chords: &'static [Chord],
    action: KeyAction,
    label: &'static str,
    help: &'static str,
    hint: Option<&'static str>,
}

const fn key(code: KeyCode) -> Chord {
    Chord(KeyModifiers::NONE, code)
}

const fn ctrl(character: char) -> Chord {
    Chord(KeyModifiers::CONTROL, KeyCode::Char(character))
}

const fn alt(character: char) -> Chord {
    Chord(KeyModifiers::ALT, KeyCode::Char(character))
}

const fn letter(character: char) -> Chord {
    key(KeyCode::Char(character))
}

const fn bind(
    scope: Scope,
    chords: &'static [Chord],
    action: KeyAction,
    label: &'static str,
    help: &'static str,
) -> Binding {
    Binding { scope, chords, action, label, help, hint: None }
}

const fn hinted(hint: &'static str, binding: Binding) -> Binding {
    Binding { hint: Some(hint), ..binding }
}

use KeyAction as Do;
use KeyAction::Show;
use Scope::{Demo, Dialog, Global, Input, Panel};

static BINDINGS: &[Binding] = &[
    hinted("send", bind(Input, &[key(KeyCode::Enter)], Do::Send, "Enter", "send the message")),
    bind(
        Input,
        &[
            Chord(KeyModifiers::SHIFT, KeyCode::Enter),
            Chord(KeyModifiers::ALT, KeyCode::Enter),
            ctrl('j'),
        ],
        Do::Newline,
        "Shift+Enter, Alt+Enter, Ctrl+J, \\ Enter",
        "begin a new line",
    ),
    hinted("help", bind(Global, &[key(KeyCode::F(1))], Show(View::Help), "F1", "this help")),
    bind(Input, &[letter('?')], Do::HelpIfEmpty, "?", "this help, if nothing is written"),
    hinted(
        "memory",
        bind(
            Global,
            &[key(KeyCode::F(2)), ctrl('t')],
            Do::TogglePanel,
            "F2, Ctrl+T",
            "show or hide the memory panel",
        ),
    ),
    bind(
        Global,
        &[key(KeyCode::F(3))],
        Show(View::Inspect),
        "F3",
        "exactly what would be sent now, item by item",
    ),
    bind(Global, &[key(KeyCode::F(4))], Show(View::Journal), "F4", "all that memory did, and why"),
    bind(
        Global,
        &[key(KeyCode::F(5))],
        Show(View::Past),
        "F5",
        "the time machine: a turn as it was",
    ),
    bind(
        Input,
        &[key(KeyCode::Tab)],
        Do::Complete,
        "Tab",
        "complete a command; else move to the memory panel",
    ),
    bind(
        Input,
        &[key(KeyCode::Esc)],
        Do::Cancel,
        "Esc",
        "leave an edit as it was, close a list, or stop the reply",
    ),
    hinted(
        "stop/quit",
        bind(
            Global,
            &[ctrl('c')],
            Do::Interrupt,
            "Ctrl+C",
            "stop the reply; else clear the draft; twice: quit",
        ),
    ),
    bind(Input, &[ctrl('d')], Do::QuitIfEmpty, "Ctrl+D", "quit, if nothing is written"),
    bind(
        Input,
        &[key(KeyCode::Up)],
        Do::Up,
        "Up",
        "message before, from the first line; takes a queued one back",
    ),
    bind(Input, &[key(KeyCode::Down), ctrl('n')], Do::Down, "Down", "message after"),
    bind(
        Input,
        &[ctrl('r')],
        Do::SearchHistory,
        "Ctrl+R",
        "search your messages; again: an older one; {input.send}: take it",
    ),
    bind(
        Input,
        &[ctrl('g')],
        Do::OpenEditor,
        "Ctrl+G",
        "write in your own editor ($VISUAL, $EDITOR)",
    ),
    bind(Input, &[ctrl('o')], Do::OpenPaste, "Ctrl+O", "open the large paste at the cursor"),
    bind(
        Global,
        &[ctrl('x')],
        Do::LetLeave,
        "Ctrl+X",
        "let go what waits at the soft line (budget_mode ask)",
    ),
    bind(
        Global,
        &[key(KeyCode::F(6))],
        Show(View::Sessions),
        "F6",
        "other sessions: find, open, begin",
    ),
    bind(Global, &[key(KeyCode::F(7))], Show(View::Settings), "F7", "the settings: see and change"),
    bind(Global, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "scroll back (also the wheel)"),
    bind(Global, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "scroll on"),
    bind(
        Input,
        &[key(KeyCode::Home)],
        Do::LineStart,
        "Home",
        "line start; start of the conversation if nothing is written",
    ),
    bind(
        Input,
        &[key(KeyCode::End)],
        Do::LineEnd,
        "End",
        "line end; newest message if nothing is written",
    ),
    bind(
        Global,
        &[Chord(KeyModifiers::CONTROL, KeyCode::Home)],
        Do::Top,
        "Ctrl+Home",
        "start of the conversation",
    ),
    bind(
        Global,
        &[Chord(KeyModifiers::CONTROL, KeyCode::End)],
        Do::Bottom,
        "Ctrl+End",
        "newest message",
    ),
    bind(
        Input,
        &[ctrl('a'), ctrl('e'), ctrl('b'), alt('f'), alt('b')],
        Do::Edit,
        "Ctrl+A/E, Alt+B/F",
        "line start and end, word back and on",
    ),
    bind(
        Input,
        &[ctrl('k'), ctrl('w'), alt('d'), ctrl('h')],
        Do::Edit,
        "Ctrl+K/W, Alt+D",
        "delete to the line end, the word before, the word after",
    ),
    bind(Input, &[ctrl('u')], Do::DeleteToStart, "Ctrl+U", "delete to the line start"),
    bind(Input, &[ctrl('y')], Do::Yank, "Ctrl+Y", "put back what was deleted"),
    bind(Input, &[ctrl('_'), ctrl('/'), ctrl('7')], Do::Undo, "Ctrl+_", "take the last edit back"),
    bind(Global, &[ctrl('f')], Show(View::Find), "Ctrl+F", "find in the conversation"),
    bind(
        Global,
        &[key(KeyCode::BackTab)],
        Do::Chat,
        "Shift+Tab",
        "move to the conversation, to choose and copy messages",
    ),
    bind(
        Global,
        &[key(KeyCode::F(9))],
        Do::Mouse,
        "F9",
        "give the mouse to the terminal, or take it back",
    ),
    bind(Global, &[ctrl('l')], Do::Redraw, "Ctrl+L", "draw the screen again"),
    bind(Global, &[ctrl('z')], Do::Suspend, "Ctrl+Z", "suspend; `fg` comes back"),
    bind(Panel, &[key(KeyCode::Enter)], Do::Open, "Enter", "show the item in full"),
    bind(Panel, &[letter('e')], Do::Expand, "e", "expand: the raw log into the window"),
    bind(Panel, &[letter('c')], Do::Collapse, "c", "collapse it again; conclude an open effort"),
    bind(Panel, &[letter('p')], Do::Pin, "p", "pin: no countdown; again: let it go"),
    bind(Panel, &[letter('K')], Do::Keep, "K", "keep: the countdown begins anew"),
    bind(Panel, &[letter('x')], Do::Evict, "x", "send out of the window now; archive a note"),
    bind(Panel, &[letter('s')], Do::Switch, "s", "switch to an open effort"),
    bind(Panel, &[letter('o')], Do::Reopen, "o", "reopen a concluded effort"),
    bind(Panel, &[letter('E')], Do::EditText, "E", "edit the summary or the note"),
    bind(Panel, &[letter('R')], Do::SummarizeAgain, "R", "summarise again from the raw log"),
    hinted("undo", bind(Panel, &[letter('u')], Do::UndoChange, "u", "undo what memory did last")),
    bind(Panel, &[letter('U'), letter('r')], Do::RedoChange, "U, r", "redo it"),
    hinted(
        "filter",
        bind(Panel, &[letter('/')], Do::Filter, "/", "list only what holds some words"),
    ),
    bind(Panel, &[key(KeyCode::Down), letter('j')], Do::Down, "Down, j", "next item"),
    bind(Panel, &[key(KeyCode::Up), letter('k')], Do::Up, "Up, k", "item before"),
    bind(Panel, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "one page on"),
    bind(Panel, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "one page back"),
    bind(Panel, &[letter('g'), key(KeyCode::Home)], Do::Top, "g, Home", "first item"),
    bind(Panel, &[letter('G'), key(KeyCode::End)], Do::Bottom, "G, End", "last item"),
    hinted(
        "back",
        bind(
            Panel,
            &[key(KeyCode::Tab), key(KeyCode::BackTab), key(KeyCode::Esc)],
            Do::Leave,
            "Tab, Esc",
            "back to the message",
        ),
    ),
    bind(Panel, &[letter('?')], Show(View::Help), "?", "this help"),
    hinted(
        "close",
        bind(
            Dialog,
            &[key(KeyCode::Esc), key(KeyCode::F(6)), key(KeyCode::F(7)), ctrl('c')],
            Do::Cancel,
            "Esc",
            "close, or leave the value as it was",
        ),
    ),
    hinted(
        "open/change",
        bind(
            Dialog,
            &[key(KeyCode::Enter)],
            Do::Accept,
            "Enter",
            "open the session; change the setting",
        ),
    ),
    bind(Dialog, &[key(KeyCode::Down), ctrl('n')], Do::Down, "Down", "next entry"),
    bind(Dialog, &[key(KeyCode::Up), ctrl('p')], Do::Up, "Up", "entry before"),
    bind(Dialog, &[key(KeyCode::PageDown)], Do::PageDown, "PgDn", "one page on"),
    bind(Dialog, &[key(KeyCode::PageUp)], Do::PageUp, "PgUp", "one page back"),
    bind(Dialog, &[key(KeyCode::Home)], Do::Top, "Home", "first entry"),
    bind(Dialog, &[key(KeyCode::End)], Do::Bottom, "End", "last entry"),
    bind(Dialog, &[letter('/')], Do::Filter, "/", "settings: find, as any letter does"),
    bind(Dialog, &[key(KeyCode::Left)], Do::Previous, "Left", "settings: the value before"),
    bind(Dialog, &[key(KeyCode::Right)], Do::Next, "Right", "settings: the value after"),
    bind(Dialog, &[key(KeyCode::Delete)], Do::Reset, "Del", "settings: back to the default"),
    bind(Dialog, &[ctrl('u')], Do::DeleteToStart, "Ctrl+U", "delete what is written"),
    bind(Dialog, &[ctrl('s')], Do::Save, "Ctrl+S", "settings: keep it in the config file"),
    hinted("pause", bind(Demo, &[letter(' ')], Do::DemoPause, "Space", "pause or go on")),
    hinted("step", bind(Demo, &[key(KeyCode::Right)], Do::DemoStep, "Right", "play one turn")),
    hinted("faster", bind(Demo, &[letter('+'), letter('=')], Do::DemoFaster, "+, =", "faster")),
    hinted("slower", bind(Demo, &[letter('-')], Do::DemoSlower, "-", "slower")),
    bind(Demo, &[key(KeyCode::Tab)], Do::Complete, "Tab", "move to the memory panel"),
    bind(Demo, &[letter('?')], Show(View::Help), "?", "this help"),
    hinted("quit", bind(Demo, &[letter('q'), ctrl('d')], Do::Quit, "q", "quit")),
];
