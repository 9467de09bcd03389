//! The built-in keys, by the part of the screen that has them: a row each.

use super::KeyAction::{self as Do, Show};
use super::Scope::{
    Chat, Demo, Dialog, Filter, Find, Global, Input, Journal, Overlay, Palette, Panel, Past, Queue,
};
use super::{Binding, View};

const fn bind(scope: super::Scope, keys: &'static str, action: Do, help: &'static str) -> Binding {
    Binding { scope, keys, also: "", shown: None, action, help, hint: None }
}

impl Binding {
    /// The same with more keys that do it, of which the help says nothing.
    const fn also(self, also: &'static str) -> Self {
        Self { also, ..self }
    }

    /// The same with other words for its keys.
    const fn shown(self, shown: &'static str) -> Self {
        Self { shown: Some(shown), ..self }
    }

    /// The same with two words for the hints below the message line.
    const fn hint(self, hint: &'static str) -> Self {
        Self { hint: Some(hint), ..self }
    }
}

pub(super) static BINDINGS: &[Binding] = &[
    bind(Input, "Enter", Do::Send, "send the message").hint("send"),
    bind(Input, "Shift+Enter, Alt+Enter, Ctrl+J", Do::Newline, "begin a new line")
        .shown("Shift+Enter, Alt+Enter, Ctrl+J, \\ Enter"),
    bind(Input, "?", Do::HelpIfEmpty, "this help, if nothing is written"),
    bind(Input, "Tab", Do::Complete, "complete a command; else move to the memory panel"),
    bind(Input, "Esc", Do::Cancel, "leave an edit as it was, close a list, or stop the reply"),
    bind(Input, "Ctrl+D", Do::QuitIfEmpty, "quit, if nothing is written"),
    bind(Input, "Up", Do::Up, "message before, from the first line; takes a queued one back"),
    bind(Input, "Down", Do::Down, "message after").also("Ctrl+N"),
    bind(
        Input,
        "Ctrl+R",
        Do::SearchHistory,
        "search your messages; again: an older one; {input.send}: take it",
    ),
    bind(Input, "Ctrl+G", Do::OpenEditor, "write in your own editor ($VISUAL, $EDITOR)"),
    bind(Input, "Ctrl+O", Do::OpenPaste, "open the large paste at the cursor"),
    bind(
        Input,
        "Home",
        Do::LineStart,
        "line start; start of the conversation if nothing is written",
    ),
    bind(Input, "End", Do::LineEnd, "line end; newest message if nothing is written"),
    bind(
        Input,
        "Ctrl+A, Ctrl+E, Ctrl+B, Alt+f, Alt+b",
        Do::Edit,
        "line start and end, word back and on",
    )
    .shown("Ctrl+A/E, Alt+B/F"),
    bind(
        Input,
        "Ctrl+K, Ctrl+W, Alt+d, Ctrl+H",
        Do::Edit,
        "delete to the line end, the word before, the word after",
    )
    .shown("Ctrl+K/W, Alt+D"),
    bind(Input, "Ctrl+U", Do::DeleteToStart, "delete to the line start"),
    bind(Input, "Ctrl+Y", Do::Yank, "put back what was deleted"),
    bind(Input, "Ctrl+_", Do::Undo, "take the last edit back").also("Ctrl+/, Ctrl+7"),
    bind(Input, "Alt+Up", Do::Queue, "to the messages that wait: edit, remove, reorder"),
    bind(Global, "F1", Show(View::Help), "this help").hint("help"),
    bind(Global, "F2, Ctrl+T", Do::TogglePanel, "show or hide the memory panel").hint("memory"),
    bind(Global, "F3", Show(View::Inspect), "exactly what would be sent now, item by item"),
    bind(Global, "F4", Show(View::Journal), "all that memory did, and why"),
    bind(Global, "F5", Show(View::Past), "the time machine: a turn as it was"),
    bind(Global, "Ctrl+C", Do::Interrupt, "stop the reply; else clear the draft; twice: quit")
        .hint("stop/quit"),
    bind(Global, "Ctrl+X", Do::LetLeave, "let go what waits at the soft line (budget_mode ask)"),
    bind(Global, "F6", Show(View::Sessions), "other sessions: find, open, begin"),
    bind(Global, "F7", Show(View::Settings), "the settings: see and change"),
    bind(Global, "F8", Show(View::Bill), "the bill: what the requests cost, and full history"),
    bind(Global, "PgUp", Do::PageUp, "scroll back (also the wheel)"),
    bind(Global, "PgDn", Do::PageDown, "scroll on"),
    bind(Global, "Ctrl+Home", Do::Top, "start of the conversation"),
    bind(Global, "Ctrl+End", Do::Bottom, "newest message"),
    bind(Global, "Ctrl+F", Show(View::Find), "find in the conversation"),
    bind(Global, "Shift+Tab", Do::Chat, "move to the conversation, to choose and copy messages"),
    bind(Global, "F9", Do::Mouse, "give the mouse to the terminal, or take it back"),
    bind(Global, "Ctrl+L", Do::Redraw, "draw the screen again"),
    bind(Global, "Ctrl+Z", Do::Suspend, "suspend; `fg` comes back"),
    bind(Global, "Ctrl+P", Show(View::Palette), "find a command or a key by a few letters"),
    bind(Chat, "Down, j", Do::Down, "next message"),
    bind(Chat, "Up, k", Do::Up, "message before"),
    bind(Chat, "g, Home", Do::Top, "first message"),
    bind(Chat, "G, End", Do::Bottom, "newest message"),
    bind(Chat, "y", Do::Copy, "copy the message").hint("copy"),
    bind(Chat, "c", Do::CopyCode, "copy its code block; again: the next one").hint("code"),
    bind(Chat, "Enter", Do::Open, "on a divider or a message: show its effort in full"),
    bind(Chat, "m", Do::Raw, "show Markdown as it came, or laid out"),
    bind(Chat, "/", Show(View::Find), "find in the conversation"),
    bind(Chat, "Tab, Esc", Do::Leave, "back to the message").also("Shift+Tab").hint("back"),
    bind(Chat, "?", Show(View::Help), "this help"),
    bind(Find, "Enter, Up, n", Do::Older, "older match; a letter once the words stand")
        .also("Ctrl+F")
        .hint("older"),
    bind(Find, "Shift+Enter, Down, N", Do::Newer, "newer match; a letter once the words stand")
        .hint("newer"),
    bind(Find, "Backspace", Do::Edit, "delete a character").also("Ctrl+H"),
    bind(Find, "Ctrl+U", Do::DeleteToStart, "delete all"),
    bind(Find, "Tab", Do::Chat, "choose the message, to copy it").also("Shift+Tab"),
    bind(Find, "Esc", Do::Cancel, "close; the place stays").hint("close"),
    bind(Panel, "Enter", Do::Open, "show the item in full"),
    bind(Panel, "e", Do::Expand, "expand: the raw log into the window"),
    bind(Panel, "c", Do::Collapse, "collapse it again; conclude an open effort"),
    bind(Panel, "p", Do::Pin, "pin: no countdown; again: let it go"),
    bind(Panel, "K", Do::Keep, "keep: the countdown begins anew"),
    bind(Panel, "x", Do::Evict, "send out of the window now; archive a note"),
    bind(Panel, "s", Do::Switch, "switch to an open effort"),
    bind(Panel, "o", Do::Reopen, "reopen a concluded effort"),
    bind(Panel, "E", Do::EditText, "edit the summary or the note"),
    bind(Panel, "R", Do::SummarizeAgain, "summarise again from the raw log"),
    bind(Panel, "u", Do::UndoChange, "undo what memory did last").hint("undo"),
    bind(Panel, "U, r", Do::RedoChange, "redo it"),
    bind(Panel, "/", Do::Filter, "list only what holds some words").hint("filter"),
    bind(Panel, "w", Do::Explain, "what the words of the selected item mean"),
    bind(Panel, "Down, j", Do::Down, "next item"),
    bind(Panel, "Up, k", Do::Up, "item before"),
    bind(Panel, "PgDn", Do::PageDown, "one page on"),
    bind(Panel, "PgUp", Do::PageUp, "one page back"),
    bind(Panel, "Left, h", Do::Earlier, "back along the chart, turn by turn"),
    bind(Panel, "g, Home", Do::Top, "first item"),
    bind(Panel, "G, End", Do::Bottom, "last item"),
    bind(Panel, "Tab, Esc", Do::Leave, "back to the message").also("Shift+Tab").hint("back"),
    bind(Panel, "?", Show(View::Help), "this help"),
    bind(Queue, "Enter", Do::Reword, "edit it").also("e").hint("edit"),
    bind(Queue, "d, Del", Do::Remove, "take it out; the history keeps it")
        .also("Backspace")
        .hint("remove"),
    bind(Queue, "K, Shift+Up", Do::SendEarlier, "move it earlier").hint("earlier"),
    bind(Queue, "J, Shift+Down", Do::SendLater, "move it later").hint("later"),
    bind(Queue, "Up, k", Do::Up, "entry before"),
    bind(Queue, "Down, j", Do::Down, "entry after"),
    bind(Queue, "Esc, Tab", Do::Leave, "back to the message").hint("back"),
    bind(Palette, "Enter", Do::Send, "run it, or write it out"),
    bind(Palette, "Down", Do::Down, "entry after").also("Ctrl+N"),
    bind(Palette, "Up", Do::Up, "entry before"),
    bind(Palette, "PgDn", Do::PageDown, "one page on"),
    bind(Palette, "PgUp", Do::PageUp, "one page back"),
    bind(Palette, "Esc", Do::Cancel, "close").also("Ctrl+C, Ctrl+P"),
    bind(Overlay, "Esc, q", Do::Cancel, "close").also("Enter, Ctrl+C"),
    bind(Overlay, "/", Do::Filter, "help: list only what holds some words"),
    bind(Overlay, "Down, j", Do::Down, "one line on"),
    bind(Overlay, "Up, k", Do::Up, "one line back"),
    bind(Overlay, "PgDn, Space", Do::PageDown, "one page on"),
    bind(Overlay, "PgUp", Do::PageUp, "one page back"),
    bind(Overlay, "Left", Do::Earlier, "turn before (inspector of the past)"),
    bind(Overlay, "Right", Do::Later, "next turn (inspector of the past)"),
    bind(Overlay, "m", Do::Raw, "all of each text, or its first lines (inspector)"),
    bind(Overlay, "n", Do::NextMark, "next change (inspector)"),
    bind(Overlay, "N", Do::LastMark, "change before (inspector)"),
    bind(Overlay, "Home, g", Do::Top, "beginning"),
    bind(Overlay, "End, G", Do::Bottom, "end"),
    bind(Filter, "Enter, Tab", Do::Accept, "keep the filter").hint("keep"),
    bind(Filter, "Esc", Do::Cancel, "clear it: list everything").also("Ctrl+C").hint("clear"),
    bind(Filter, "Ctrl+U", Do::DeleteToStart, "delete its words"),
    bind(Filter, "Down", Do::Down, "next entry"),
    bind(Filter, "Up", Do::Up, "entry before"),
    bind(Filter, "PgDn", Do::PageDown, "one page on"),
    bind(Filter, "PgUp", Do::PageUp, "one page back"),
    bind(Dialog, "Esc", Do::Cancel, "close, or leave the value as it was")
        .also("Ctrl+C")
        .hint("close"),
    bind(Dialog, "Enter", Do::Accept, "open the session; change the setting").hint("open/change"),
    bind(Dialog, "Down", Do::Down, "next entry").also("Ctrl+N"),
    bind(Dialog, "Up", Do::Up, "entry before").also("Ctrl+P"),
    bind(Dialog, "PgDn", Do::PageDown, "one page on"),
    bind(Dialog, "PgUp", Do::PageUp, "one page back"),
    bind(Dialog, "Home", Do::Top, "first entry"),
    bind(Dialog, "End", Do::Bottom, "last entry"),
    bind(Dialog, "/", Do::Filter, "settings: find, as any letter does"),
    bind(Dialog, "Left", Do::Previous, "settings: the value before"),
    bind(Dialog, "Right", Do::Next, "settings: the value after"),
    bind(Dialog, "Del", Do::Reset, "settings: back to the default"),
    bind(Dialog, "Ctrl+U", Do::DeleteToStart, "delete what is written"),
    bind(Dialog, "Ctrl+S", Do::Save, "settings: keep it in the config file"),
    bind(Journal, "Up, k", Do::Up, "change before"),
    bind(Journal, "Down, j", Do::Down, "next change"),
    bind(Journal, "PgUp", Do::PageUp, "one page back"),
    bind(Journal, "PgDn", Do::PageDown, "one page on"),
    bind(Journal, "Home, g", Do::Top, "first change"),
    bind(Journal, "End, G", Do::Bottom, "last change"),
    bind(Journal, "/", Do::Filter, "filter; {filter.accept} keeps it, {filter.cancel} clears it"),
    bind(Journal, "Enter", Do::Open, "that turn as it was"),
    bind(Journal, "u", Do::UndoChange, "undo the last change of memory"),
    bind(Journal, "U, r", Do::RedoChange, "redo it"),
    bind(Journal, "Esc, q", Do::Cancel, "close").also("F4, Ctrl+C"),
    bind(Journal, "?", Show(View::Help), "this help"),
    bind(Past, "Left, h", Do::Earlier, "a turn back"),
    bind(Past, "Right, l", Do::Later, "a turn on"),
    bind(Past, "PgUp", Do::PageUp, "ten turns back"),
    bind(Past, "PgDn", Do::PageDown, "ten turns on"),
    bind(Past, "Home, g", Do::Top, "the first turn"),
    bind(Past, "End, G", Do::Bottom, "the last turn"),
    bind(Past, "Up, k", Do::Up, "item before in the panel"),
    bind(Past, "Down, j", Do::Down, "next item in the panel"),
    bind(Past, "Enter, F3", Show(View::Inspect), "the window as it was, item by item"),
    bind(Past, "Esc, q", Do::Cancel, "back to now").also("F5, Ctrl+C"),
    bind(Past, "?", Show(View::Help), "this help"),
    bind(Demo, "Space", Do::DemoPause, "pause or go on").hint("pause"),
    bind(Demo, "Right", Do::DemoStep, "go on at once; one turn while stopped").hint("go on"),
    bind(Demo, "1, 2, 3, 4, 5", Do::DemoChapter, "to that chapter"),
    bind(Demo, "Esc", Do::Cancel, "end the demo and write yourself").hint("write"),
    bind(Demo, "+, =", Do::DemoFaster, "faster").hint("faster"),
    bind(Demo, "-", Do::DemoSlower, "slower").hint("slower"),
    bind(Demo, "Tab", Do::Complete, "move to the memory panel"),
    bind(Demo, "?", Show(View::Help), "this help"),
    bind(Demo, "q", Do::Quit, "quit").also("Ctrl+D").hint("quit"),
];
