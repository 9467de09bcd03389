//! `-p` with a slash command: it is carried out and what it came to is printed. Commands that need the screen
//! say so.

use super::converse::converse;
use super::inspect::Form;
use super::{ContextArguments, Error, Job, Streams, context, inspect};
use crate::orchestrator::Op;
use crate::store;
use crate::tui::answer;
use crate::tui::app::View;
use crate::tui::command::{self, AppCommand, Command};
use crate::tui::text::clean;

/// Carries the command of a line out.
pub(super) fn run(job: &Job<'_>, line: &str, streams: &mut Streams<'_>) -> Result<(), Error> {
    let command = command::parse(line).map_err(|complaint| Error::Usage(complaint.to_string()))?;
    match command {
        Command::App(command) => look(job, &command, streams),
        Command::Ask(Op::Set { .. }) => Err(Error::Usage(
            "without the screen a setting is changed with --save at the end of the line, or with `ebbtide \
             config set KEY VALUE`"
                .to_owned(),
        )),
        Command::Ask(Op::NewSession(_)) => {
            on_screen("/new", "`ebbtide -s NAME -p TEXT` begins a session, too")
        }
        Command::Ask(Op::Versus(_)) => on_screen("/versus", START),
        Command::Ask(op) => super::converse::run(converse(job, op, streams)),
    }
}

/// The commands that only look.
fn look(job: &Job<'_>, command: &AppCommand, streams: &mut Streams<'_>) -> Result<(), Error> {
    let text = match command {
        AppCommand::Show(View::Help) => help(),
        AppCommand::Show(View::Inspect) => {
            return context::context(job, &ContextArguments::default(), streams);
        }
        AppCommand::Stats => return inspect::stats(job, Form::Text, streams),
        AppCommand::Show(View::Bill) => inspect::bill(job, streams)?,
        AppCommand::Notes => answer::notes(&inspect::open(job, streams)?.memory.view()),
        AppCommand::Clear => answer::CLEAR.to_owned(),
        AppCommand::Forget => answer::FORGET.to_owned(),
        AppCommand::Session => {
            let directory = job.session_directory()?;
            answer::session(&store::name_of(&directory), &directory)
        }
        AppCommand::Past(_) => {
            return on_screen("/past", "`ebbtide context --turn N` prints the window of a turn");
        }
        AppCommand::Settings(_) => return on_screen("/settings", "`ebbtide config` lists them"),
        AppCommand::Sessions(_) => return on_screen("/sessions", "`ebbtide sessions` lists them"),
        AppCommand::Show(view) => return on_screen(&format!("/{view:?}").to_lowercase(), START),
        AppCommand::Panel => return on_screen("/panel", START),
        AppCommand::Copy => return on_screen("/copy", START),
        AppCommand::Editor => return on_screen("/editor", START),
        AppCommand::Try => return on_screen("/try", START),
        AppCommand::Demo => return on_screen("/demo", "`ebbtide demo` plays it"),
        AppCommand::Connect => return on_screen("/connect", "`ebbtide connect` does the same"),
        AppCommand::Quit => return on_screen("/quit", START),
    };
    writeln!(streams.out, "{}", clean(&text))?;
    Ok(())
}

const START: &str = "`ebbtide` without -p opens it";

fn on_screen(name: &str, instead: &str) -> Result<(), Error> {
    Err(Error::Usage(format!("{name} needs the screen. {instead}")))
}

fn help() -> String {
    let line = |spec: command::CommandSpec| format!("{:<32}  {}", spec.usage(), spec.help);
    command::specs().map(line).collect::<Vec<_>>().join("\n")
}
