//! The app's own commands, beside the tools: a row each, with how its words are read.

use super::Command::{App, Ask};
use super::{AppCommand, Command, CommandSpec, Read, effort, note, setting, specifics};
use crate::orchestrator::{EffortCommand, NoteCommand, Op};
use crate::tools::Names;
use crate::tui::app::View;

type Reading = Result<Command, &'static str>;

/// What is missing where an effort is needed.
const AN_ID: &str = "an effort's id";

const fn own(
    name: &'static str,
    aliases: &'static [&'static str],
    arguments: &'static str,
    read: fn(&str) -> Reading,
    help: &'static str,
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

/// Their rows, those first that do something with an effort or a note by hand.
pub(super) static OWN: &[CommandSpec] = &[
    own(
        "pin",
        &[],
        "ID",
        |rest| ask_if(effort::steer(rest, EffortCommand::Pin, Some(NoteCommand::Pin)), AN_ID),
        "keep an effort or a note in the window",
    )
    .of(Names::Concluded),
    own(
        "unpin",
        &[],
        "ID",
        |rest| ask_if(effort::steer(rest, EffortCommand::Unpin, Some(NoteCommand::Unpin)), AN_ID),
        "let it count down again",
    )
    .of(Names::Concluded),
    own(
        "keep",
        &["refresh"],
        "ID",
        |rest| ask_if(effort::steer(rest, EffortCommand::Keep, None), AN_ID),
        "reset the countdown of an effort",
    )
    .of(Names::Concluded),
    own(
        "evict",
        &["drop"],
        "ID",
        |rest| ask_if(effort::steer(rest, EffortCommand::Evict, Some(NoteCommand::Archive)), AN_ID),
        "send an effort out of the window",
    )
    .of(Names::Concluded),
    own(
        "edit",
        &[],
        "ID WORDS",
        |rest| ask_if(effort::edit(rest), AN_ID),
        "word the summary or the note anew",
    )
    .of(Names::Concluded),
    own(
        "resummarize",
        &["resummarise"],
        "ID",
        |rest| ask_if(effort::steer(rest, EffortCommand::SummarizeAgain, None), AN_ID),
        "make the summary again from the raw log",
    )
    .of(Names::Concluded),
    own(
        "specifics",
        &["lost", "details"],
        "[ID] [add N]",
        |rest| ask_if(specifics::op(rest), "an effort's id, then the numbers to add"),
        "what a summary lost; add 1 3, add all, drop",
    )
    .of(Names::Concluded),
    own(
        "help",
        &["?", "h", "keys", "keymap", "keybindings"],
        "",
        |_| Ok(App(AppCommand::Show(View::Help))),
        "keys and commands",
    ),
    own(
        "context",
        &["tokens", "window"],
        "",
        |_| Ok(App(AppCommand::Show(View::Inspect))),
        "what would be sent to the model now, item by item",
    ),
    own(
        "journal",
        &["log", "changes"],
        "",
        |_| Ok(App(AppCommand::Show(View::Journal))),
        "all that memory did, and why",
    ),
    own(
        "past",
        &["turn", "time-machine"],
        "[TURN]",
        |rest| {
            let turn = some(rest).map(|turn| turn.parse().map_err(|_| "the number of a turn"));
            Ok(App(AppCommand::Past(turn.transpose()?)))
        },
        "memory, gauge and window as they were after a turn",
    ),
    own("stats", &["usage", "cost"], "", |_| Ok(App(AppCommand::Stats)), "numbers about memory"),
    own(
        "budget",
        &[],
        "TOKENS | auto | ask | off",
        |rest| {
            let needs = "a number of tokens, such as 8000, or auto, ask or off";
            ask_if(setting::budget(rest), needs)
        },
        "the most that the window may cost: /budget 8000; or whether items leave by themselves",
    ),
    own(
        "set",
        &[],
        "[KEY VALUE]",
        |rest| Ok(setting::set(rest)),
        "change a setting: /set decay_threshold 5; with --save at the end, keep it in the config file",
    )
    .of(Names::Setting),
    own(
        "settings",
        &["config"],
        "[WORD]",
        |rest| Ok(App(AppCommand::Settings(rest.to_owned()))),
        "the settings: see and change",
    )
    .of(Names::Setting),
    own(
        "attach",
        &["add", "file"],
        "FILE",
        |rest| ask_if(some(rest).map(|path| Op::Attach(path.into())), "a file's path"),
        "keep a file by reference; @FILE inside a message does the same",
    ),
    own(
        "save",
        &[],
        "ref:KEY FILE",
        |rest| {
            let both = rest.split_once(char::is_whitespace).map(|(key, path)| Op::CopyOut {
                key: key.to_owned(),
                path: path.trim().into(),
            });
            ask_if(both, "a text's key and a file's path")
        },
        "write a text that is held by reference into a new file",
    ),
    own(
        "let-leave",
        &[],
        "",
        |_| Ok(Ask(Op::LetLeave)),
        "let go what waits at the soft line (budget_mode ask)",
    ),
    own(
        "compress",
        &[],
        "[ID]",
        |rest| Ok(Ask(Op::Compress(some(rest)))),
        "compress the older part of an open effort now",
    )
    .of(Names::Open),
    own("panel", &["memory"], "", |_| Ok(App(AppCommand::Panel)), "show or hide the memory panel"),
    own("model", &["models"], "", |_| Ok(App(AppCommand::Model)), "which model answers"),
    own("session", &[], "", |_| Ok(App(AppCommand::Session)), "where this session is kept"),
    own(
        "sessions",
        &["resume", "continue", "chat"],
        "[WORDS]",
        |rest| Ok(App(AppCommand::Sessions(rest.to_owned()))),
        "other sessions: find them by name, title or what was said, and open one",
    ),
    own("new", &[], "[NAME]", |rest| Ok(Ask(Op::NewSession(some(rest)))), "begin a new session"),
    own(
        "rename",
        &[],
        "NAME",
        |rest| ask_if(some(rest).map(Op::Rename), "a name"),
        "give this session another name",
    ),
    own(
        "export",
        &[],
        "[FILE | md | json]",
        |rest| Ok(Ask(Op::Export(some(rest).map(Into::into)))),
        "write this session into a new file: JSON for .json, else Markdown",
    ),
    own(
        "clear",
        &["reset"],
        "",
        |_| Ok(App(AppCommand::Clear)),
        "why nothing needs to be cleared",
    ),
    own(
        "note",
        &[],
        "ID ACTION",
        |rest| ask_if(note::change(rest), "a note's number and what to do with it"),
        "change a note: /note n3 pin, unpin, tag WORD, untag WORD, edit WORDS, stars 1-3, archive, return, \
         delete",
    ),
    own("notes", &[], "", |_| Ok(App(AppCommand::Notes)), "list the notes in the window"),
    own(
        "undo",
        &[],
        "",
        |_| Ok(Ask(Op::Undo)),
        "take the last change of memory back; again: the one before",
    ),
    own("redo", &[], "", |_| Ok(Ask(Op::Redo)), "do again what was undone last"),
    own("copy", &["yank"], "", |_| Ok(App(AppCommand::Copy)), "copy the last reply"),
    own(
        "editor",
        &[],
        "",
        |_| Ok(App(AppCommand::Editor)),
        "write in your own editor ($VISUAL, $EDITOR)",
    ),
    own("forget", &["rewind"], "", |_| Ok(App(AppCommand::Forget)), "how to take something back"),
    own("quit", &["exit", "q"], "", |_| Ok(App(AppCommand::Quit)), "save and leave"),
];
