//! The app's own commands, beside the tools and the steering by hand.

use super::{AppCommand, CommandSpec, Kind, Subject, own};

const fn app(
    name: &'static str,
    aliases: &'static [&'static str],
    command: AppCommand,
    help: &'static str,
) -> CommandSpec {
    CommandSpec {
        name,
        aliases,
        arguments: "",
        help,
        subject: Subject::None,
        kind: Kind::App(command),
    }
}

pub(super) static OWN: &[CommandSpec] = &[
    app(
        "help",
        &["?", "h", "keys", "keymap", "keybindings"],
        AppCommand::Help,
        "keys and commands",
    ),
    app(
        "context",
        &["tokens", "window"],
        AppCommand::Context,
        "what would be sent to the model now, item by item",
    ),
    app("journal", &["log", "changes"], AppCommand::Journal, "all that memory did, and why"),
    CommandSpec {
        name: "past",
        aliases: &["turn", "time-machine"],
        arguments: "[TURN]",
        help: "memory, gauge and window as they were after a turn",
        subject: Subject::None,
        kind: Kind::App(AppCommand::Past(None)),
    },
    app("stats", &["usage", "cost"], AppCommand::Stats, "numbers about memory"),
    CommandSpec {
        name: "budget",
        aliases: &[],
        arguments: "TOKENS | auto | ask | off",
        help: "the most that the window may cost: /budget 8000; or whether items leave by themselves",
        subject: Subject::None,
        kind: Kind::Budget,
    },
    CommandSpec {
        subject: Subject::Setting,
        ..own(
            "set",
            &[],
            "[KEY VALUE]",
            Kind::Set,
            "change a setting: /set decay_threshold 5; with --save at the end, keep it in the config file",
        )
    },
    CommandSpec {
        subject: Subject::Setting,
        ..own("settings", &["config"], "[WORD]", Kind::Settings, "the settings: see and change")
    },
    CommandSpec {
        name: "attach",
        aliases: &["add", "file"],
        arguments: "FILE",
        help: "keep a file by reference; @FILE inside a message does the same",
        subject: Subject::None,
        kind: Kind::Attach,
    },
    CommandSpec {
        name: "save",
        aliases: &[],
        arguments: "ref:KEY FILE",
        help: "write a text that is held by reference into a new file",
        subject: Subject::None,
        kind: Kind::CopyOut,
    },
    CommandSpec {
        name: "let-leave",
        aliases: &[],
        arguments: "",
        help: "let go what waits at the soft line (budget_mode ask)",
        subject: Subject::None,
        kind: Kind::LetLeave,
    },
    CommandSpec {
        name: "compress",
        aliases: &[],
        arguments: "[ID]",
        help: "compress the older part of an open effort now",
        subject: Subject::Open,
        kind: Kind::Compress,
    },
    app("panel", &["memory"], AppCommand::Panel, "show or hide the memory panel"),
    app("model", &["models"], AppCommand::Model, "which model answers"),
    app("session", &[], AppCommand::Session, "where this session is kept"),
    own(
        "sessions",
        &["resume", "continue", "chat"],
        "[WORDS]",
        Kind::Sessions,
        "other sessions: find them by name, title or what was said, and open one",
    ),
    own("new", &[], "[NAME]", Kind::New, "begin a new session"),
    own("rename", &[], "NAME", Kind::Rename, "give this session another name"),
    own(
        "export",
        &[],
        "[FILE | md | json]",
        Kind::Export,
        "write this session into a new file: JSON for .json, else Markdown",
    ),
    app("clear", &["reset"], AppCommand::Clear, "why nothing needs to be cleared"),
    CommandSpec {
        name: "note",
        aliases: &[],
        arguments: "ID ACTION",
        help: "change a note: /note n3 pin, unpin, tag WORD, untag WORD, edit WORDS, stars 1-3, \
               archive, return, delete",
        subject: Subject::None,
        kind: Kind::Note,
    },
    app("notes", &[], AppCommand::Notes, "list the notes in the window"),
    CommandSpec {
        name: "undo",
        aliases: &[],
        arguments: "",
        help: "take the last change of memory back; again: the one before",
        subject: Subject::None,
        kind: Kind::Undo,
    },
    CommandSpec {
        name: "redo",
        aliases: &[],
        arguments: "",
        help: "do again what was undone last",
        subject: Subject::None,
        kind: Kind::Redo,
    },
    app("copy", &["yank"], AppCommand::Copy, "copy the last reply"),
    app("editor", &[], AppCommand::Editor, "write in your own editor ($VISUAL, $EDITOR)"),
    app("forget", &["rewind"], AppCommand::Forget, "how to take something back"),
    app("quit", &["exit", "q"], AppCommand::Quit, "save and leave"),
];
