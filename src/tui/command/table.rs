//! The app's own commands, beside the tools: a row each, with how its words are read.

use super::Command::{App, Ask};
use super::{AppCommand, Command, CommandSpec, Read, effort, note, setting, specifics};
use crate::orchestrator::{EffortCommand, NoteCommand, Op, SessionOp};
use crate::tools::Names;
use crate::tui::views::View;

type Reading = Result<Command, &'static str>;

/// What is missing where an effort is needed.
const AN_ID: &str = "the id of an effort and nothing behind it";

const fn own(
    name: &'static str,
    aliases: &'static [&'static str],
    arguments: &'static str,
    help: &'static str,
    read: fn(&str) -> Reading,
) -> CommandSpec {
    CommandSpec { name, aliases, arguments, help, names: Names::Nothing, read: Read::Own(read) }
}

impl CommandSpec {
    /// The same for a command whose argument names something.
    const fn of(self, names: Names) -> Self {
        Self { names, ..self }
    }
}

fn ask_if(op: Option<Op>, needs: &'static str) -> Reading {
    op.map(Ask).ok_or(needs)
}

/// What was written; `None` if nothing was. Quotes are not needed around what has spaces, and do not become
/// part of it.
fn some(rest: &str) -> Option<String> {
    let words = rest.trim_matches('"').trim();
    (!words.is_empty()).then(|| words.to_owned())
}

/// What the help is to be narrowed to: a command as it is written there, by any of its names, or words.
fn help_about(rest: &str) -> String {
    let command = super::find(rest.trim_start_matches('/'));
    command.map_or_else(|| rest.to_owned(), |spec| spec.usage())
}

const BILL_HELP: &str = "what the requests cost, beside what full history would have cost";

const VERSUS_HELP: &str =
    "ask with the window and with the full history, side by side, and judge without knowing which";

const BUDGET_HELP: &str =
    "the most that the window may cost: /budget 8000; or whether items leave by themselves";
const SET_HELP: &str = "change a setting: /set decay_threshold 5; with --save at the end, keep it in the config \
    file";
const SESSIONS_HELP: &str =
    "other sessions: find them by name, title or what was said, and open one";
const MODEL_HELP: &str = "the models that can be had; the name of one makes it answer at once";
const PULL_HELP: &str = "have Ollama fetch a model that it does not have; it answers then";
const EFFORT_HELP: &str = "how hard the model thinks before it answers";
const NOTE_NEEDS: &str = "a note's number and one of these behind it: pin, unpin, tag WORD, untag WORD, edit WORDS, \
    stars 1-3, archive, return, delete";
const NOTE_HELP: &str = "change a note: /note n3 pin, unpin, tag WORD, untag WORD, edit WORDS, stars 1-3, \
    archive, return, delete";

const ASK_AGAIN: &str =
    "the history of the message line has your last message, and sending it again asks again";

/// What people know as commands from elsewhere, and what leads there instead.
pub(super) static ELSEWHERE: [(&str, &str); 11] = [
    (
        "theme",
        "the colours are a setting. /set theme dark changes it (auto, light, dark or mono), /settings theme shows it",
    ),
    (
        "vim",
        "the message line has no vim keys. /editor opens your own editor ($VISUAL, $EDITOR), and [keys] in the config \
         file binds other keys",
    ),
    (
        "doctor",
        "`ebbtide doctor` in a shell checks files, terminal, tokenizer and model and says what to do",
    ),
    ("import", "`ebbtide import FILE` in a shell makes a session of an exported one"),
    (
        "replay",
        "`ebbtide replay PATH` in a shell plays past conversations of other programs under this memory",
    ),
    (
        "list",
        "/sessions lists the sessions, /status the efforts, /notes the notes, /pad-list the large texts",
    ),
    (
        "history",
        "/journal lists all that memory did, /past shows a turn as it was, /search finds what was said, and /sessions \
         lists other conversations",
    ),
    ("retry", ASK_AGAIN),
    ("regenerate", ASK_AGAIN),
    (
        "delete",
        "/note ID delete takes a note away, /evict ID sends an effort out of the window, and /sessions deletes a session",
    ),
    (
        "statusline",
        "what stands below the chat is not to be chosen. /stats, /bill and /context tell more than it has room for",
    ),
];

/// What is said of words behind a command that takes none, where they tell what was meant.
pub(super) static BEHIND: [(&str, &str); 2] = [
    ("context", "`ebbtide context` in a shell takes flags, such as --json and --turn N"),
    ("forget", "/note n1 delete takes a note away, /undo the last change of memory back"),
];

/// Their rows, those first that do something with an effort or a note by hand.
pub(super) static OWN: &[CommandSpec] = &[
    own("pin", &[], "ID", "keep an effort or a note in the window", |rest| {
        ask_if(effort::steer(rest, EffortCommand::Pin, Some(NoteCommand::Pin)), AN_ID)
    })
    .of(Names::Concluded),
    own("unpin", &[], "ID", "let it count down again", |rest| {
        ask_if(effort::steer(rest, EffortCommand::Unpin, Some(NoteCommand::Unpin)), AN_ID)
    })
    .of(Names::Concluded),
    own("keep", &["refresh"], "ID", "reset the countdown of an effort", |rest| {
        ask_if(effort::steer(rest, EffortCommand::Keep, None), AN_ID)
    })
    .of(Names::Concluded),
    own("evict", &["drop"], "ID", "send an effort out of the window", |rest| {
        ask_if(effort::steer(rest, EffortCommand::Evict, Some(NoteCommand::Archive)), AN_ID)
    })
    .of(Names::Concluded),
    own("edit", &[], "ID WORDS", "word the summary or the note anew", |rest| {
        let needs =
            if rest.is_empty() { "an id and the new words" } else { "the new words behind the id" };
        ask_if(effort::edit(rest), needs)
    })
    .of(Names::Concluded),
    own("resummarize", &["resummarise"], "ID", "make the summary again from the raw log", |rest| {
        ask_if(effort::steer(rest, EffortCommand::SummarizeAgain, None), AN_ID)
    })
    .of(Names::Concluded),
    own(
        "specifics",
        &["lost", "details"],
        "[ID] [add N | drop]",
        "what a summary lost; add 1 3, add all, drop",
        |rest| {
            ask_if(
                specifics::op(rest),
                "add with numbers or all behind the id, or drop, or nothing",
            )
        },
    )
    .of(Names::Concluded),
    own(
        "help",
        &["?", "h", "keys", "keymap", "keybindings"],
        "[WORD]",
        "keys and commands: all, or what holds a word or a command",
        |rest| Ok(App(AppCommand::Help(help_about(rest)))),
    ),
    own(
        "context",
        &["tokens", "window"],
        "",
        "what would be sent to the model now, item by item",
        |_| Ok(App(AppCommand::Show(View::Inspect))),
    ),
    own("journal", &["log", "changes"], "", "all that memory did, and why", |_| {
        Ok(App(AppCommand::Show(View::Journal)))
    }),
    own(
        "past",
        &["turn", "time-machine"],
        "[TURN]",
        "memory, gauge and window as they were after a turn",
        |rest| {
            let turn = some(rest).map(|turn| turn.parse().map_err(|_| "the number of a turn"));
            Ok(App(AppCommand::Past(turn.transpose()?)))
        },
    ),
    own("versus", &["compare"], "QUESTION", VERSUS_HELP, |rest| {
        ask_if(some(rest).map(Op::Versus), "a question")
    }),
    own("stats", &["usage"], "", "numbers about memory", |_| Ok(App(AppCommand::Stats))),
    own("bill", &["cost", "costs", "price"], "", BILL_HELP, |_| {
        Ok(App(AppCommand::Show(View::Bill)))
    }),
    own("budget", &[], "TOKENS | auto | ask | off", BUDGET_HELP, |rest| {
        let needs = "a number of tokens, such as 8000, or auto, ask or off";
        if rest.is_empty() {
            return Ok(App(AppCommand::Settings("budget".to_owned())));
        }
        ask_if(setting::kept(rest, setting::budget), needs)
    }),
    own("set", &[], "[KEY VALUE]", SET_HELP, |rest| Ok(setting::set(rest))).of(Names::Setting),
    own("settings", &["config"], "[WORD]", "the settings: see and change", |rest| {
        Ok(App(AppCommand::Settings(rest.to_owned())))
    })
    .of(Names::Setting),
    own(
        "attach",
        &["add", "file"],
        "FILE",
        "keep a file by reference; @FILE inside a message does the same",
        |rest| ask_if(some(rest).map(|path| Op::Attach(path.into())), "a file's path"),
    ),
    own(
        "save",
        &[],
        "ref:KEY FILE",
        "write a text that is held by reference into a new file",
        |rest| {
            let both = rest
                .split_once(char::is_whitespace)
                .map(|(key, path)| Op::CopyOut { key: key.to_owned(), path: path.trim().into() });
            ask_if(both, "a text's key and a file's path")
        },
    ),
    own("let-leave", &[], "", "let go what waits at the soft line (budget_mode ask)", |_| {
        Ok(Ask(Op::LetLeave))
    }),
    own("compress", &[], "[ID]", "compress the older part of an open effort now", |rest| {
        Ok(Ask(Op::Compress(some(rest))))
    })
    .of(Names::Open),
    own("panel", &["memory"], "", "show or hide the memory panel", |_| Ok(App(AppCommand::Panel))),
    own("model", &["models"], "[NAME | WORDS]", MODEL_HELP, |rest| Ok(Ask(Op::Model(some(rest))))),
    own("pull", &["fetch"], "[NAME]", PULL_HELP, |rest| Ok(Ask(Op::Pull(some(rest))))),
    own(
        "effort",
        &["think", "thinking"],
        "none | low | medium | high | auto",
        EFFORT_HELP,
        |rest| {
            let op = setting::kept(rest, setting::effort);
            ask_if(op, "none, low, medium, high or auto (to begin a topic: /open NAME)")
        },
    ),
    own("session", &[], "", "where this session is kept", |_| Ok(App(AppCommand::Session))),
    own("sessions", &["resume", "continue", "chat"], "[WORDS]", SESSIONS_HELP, |rest| {
        Ok(App(AppCommand::Sessions(rest.to_owned())))
    }),
    own("new", &[], "[NAME]", "begin a new session", |rest| {
        Ok(Ask(Op::Session(SessionOp::New(some(rest)))))
    }),
    own("rename", &[], "NAME", "give this session another name", |rest| {
        ask_if(some(rest).map(Op::Rename), "a name")
    }),
    own(
        "fork",
        &["branch"],
        "[NAME]",
        "copy this session under another name and go on in the copy",
        |rest| Ok(Ask(Op::Fork(some(rest)))),
    ),
    own(
        "export",
        &[],
        "[FILE | md | json]",
        "write this session into a new file: JSON for .json, else Markdown",
        |rest| Ok(Ask(Op::Export(some(rest).map(Into::into)))),
    ),
    own("clear", &["reset"], "", "why nothing needs to be cleared", |_| Ok(App(AppCommand::Clear))),
    own("note", &[], "ID ACTION", NOTE_HELP, |rest| ask_if(note::change(rest), NOTE_NEEDS)),
    own("notes", &[], "", "list the notes in the window", |_| Ok(App(AppCommand::Notes))),
    own("undo", &[], "", "take the last change of memory back; again: the one before", |_| {
        Ok(Ask(Op::Undo))
    }),
    own("redo", &[], "", "do again what was undone last", |_| Ok(Ask(Op::Redo))),
    own("copy", &["yank"], "", "copy the last reply", |_| Ok(App(AppCommand::Copy))),
    own("editor", &[], "", "write in your own editor ($VISUAL, $EDITOR)", |_| {
        Ok(App(AppCommand::Editor))
    }),
    own("try", &[], "", "a first try: five messages with small limits", |_| {
        Ok(App(AppCommand::Try))
    }),
    own("demo", &["tour"], "", "watch the demo, then come back", |_| Ok(App(AppCommand::Demo))),
    own("connect", &["login"], "", "find a model, test it and keep it", |_| {
        Ok(App(AppCommand::Connect))
    }),
    own("forget", &["rewind"], "", "how to take something back", |_| Ok(App(AppCommand::Forget))),
    own("quit", &["exit", "q"], "", "save and leave", |_| Ok(App(AppCommand::Quit))),
];
