//! `-p`: one turn, or a slash command, which is carried out and what it came to is printed. Commands that need the screen
//! say so.

use super::converse::converse;
use super::inspect::Form;
use super::runtime;
use super::{ContextArguments, Error, Job, Streams, context, input, inspect};
use crate::config::{Error as Fault, Key};
use crate::orchestrator::{Op, SessionOp};
use crate::store;
use crate::text::clean;
use crate::tools::Call;
use crate::tui::answer;
use crate::tui::command::{self, AppCommand, Command, CommandSpec, is_message, unescaped};
use crate::tui::views::View;

/// `-p`: one turn, or a command. The reply goes to the output as it arrives, everything else beside it.
pub(super) fn print_turn(
    job: &Job<'_>,
    text: &str,
    streams: &mut Streams<'_>,
) -> Result<(), Error> {
    if !is_message(text) {
        return run(job, text, streams);
    }
    let message = input::with_piped(unescaped(text.trim()), streams)?;
    if message.trim().is_empty() {
        return Err(Error::Usage("-p needs a message that is not empty".to_owned()));
    }
    runtime::run(converse(job, Op::Send(message), streams))
}

/// Carries the command of a line out.
fn run(job: &Job<'_>, line: &str, streams: &mut Streams<'_>) -> Result<(), Error> {
    let command = command::parse(line).map_err(|complaint| Error::Usage(complaint.to_string()))?;
    if let Some(why) = refused(&command, line) {
        return Err(Error::Usage(why));
    }
    match command {
        Command::App(command) => look(job, &command, streams),
        Command::Ask(op) => {
            let expands = matches!(op, Op::Run(Call::ExpandEffort { messages: None, .. }));
            runtime::run(converse(job, op, streams))?;
            if expands {
                streams.tell(EXPANDED);
            }
            Ok(())
        }
    }
}

/// What is said where an effort was expanded in a session that is closed at once.
const EXPANDED: &str = "An expansion ends when its session is closed, as it is now: the summary stands for it again. \
                        Expand it in the chat, where it stays while you talk about it.";

/// Why a command is not carried out without the screen.
fn refused(command: &Command, line: &str) -> Option<String> {
    if let Command::Ask(Op::Set { key, .. }) = command {
        if Key::named(key).is_none() {
            return Some(Fault::no_setting(key));
        }
        let instead = "without the screen a setting is changed with --save at the end of the line, or with `ebbtide \
                       config set KEY VALUE`";
        return Some(instead.to_owned());
    }
    let typed = line.split_whitespace().next().unwrap_or_default();
    on_screen(command).map(|instead| format!("{typed} needs the screen. {instead}"))
}

/// What there is instead of a command that needs the screen.
fn on_screen(command: &Command) -> Option<&'static str> {
    Some(match command {
        Command::Ask(Op::Session(SessionOp::New(_))) => {
            "`ebbtide -s NAME -p TEXT` begins a session, too"
        }
        Command::Ask(Op::Versus(_)) => START,
        Command::Ask(_) => return None,
        Command::App(command) => match command {
            AppCommand::Show(View::Help | View::Inspect | View::Bill)
            | AppCommand::Help(_)
            | AppCommand::Stats
            | AppCommand::Notes
            | AppCommand::Clear
            | AppCommand::Forget
            | AppCommand::Session => return None,
            AppCommand::Past(_) => "`ebbtide context --turn N` prints the window of a turn",
            AppCommand::Settings(_) => {
                "`ebbtide config` lists the settings, `ebbtide config set KEY VALUE` changes one"
            }
            AppCommand::Sessions(_) => "`ebbtide sessions` lists them",
            AppCommand::Demo => "`ebbtide demo` plays it",
            AppCommand::Connect => "`ebbtide connect` does the same",
            AppCommand::Show(_)
            | AppCommand::Panel
            | AppCommand::Copy
            | AppCommand::Editor
            | AppCommand::Try
            | AppCommand::Quit => START,
        },
    })
}

/// The commands that only look.
fn look(job: &Job<'_>, command: &AppCommand, streams: &mut Streams<'_>) -> Result<(), Error> {
    let text = match command {
        AppCommand::Show(View::Help) => help("")?,
        AppCommand::Help(about) => help(about)?,
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
        // The others need the screen.
        _ => return Ok(()),
    };
    writeln!(streams.out, "{}", clean(&text))?;
    Ok(())
}

const START: &str = "`ebbtide` without -p opens it";

/// The commands that need no screen, or those that hold some words; of others it says that they are on the screen.
fn help(about: &str) -> Result<String, Error> {
    let serves = |spec: &CommandSpec| {
        // What an argument is called serves as one, or it may be left out.
        let arguments =
            spec.arguments.split('|').flat_map(|one| [one.to_owned(), format!("{one} --save")]);
        let lines = arguments.chain([String::new()]).map(|one| format!("/{} {one}", spec.name));
        let mut commands = lines.filter_map(|line| command::parse(&line).ok()).peekable();
        commands.peek().is_none() || commands.any(|command| refused(&command, "").is_none())
    };
    let words = about.to_lowercase();
    let line = |spec: CommandSpec| format!("{:<32}  {}", spec.usage(), spec.help);
    let is_meant = |spec: &CommandSpec| line(*spec).to_lowercase().contains(&words);
    let (here, there): (Vec<_>, Vec<_>) = command::specs().filter(is_meant).partition(serves);
    let mut lines: Vec<String> = here.into_iter().map(line).collect();
    if !about.is_empty() && lines.is_empty() {
        if let Some(complaint) = command::elsewhere(about.trim_start_matches('/')) {
            return Err(Error::Usage(complaint.to_string()));
        }
        if there.is_empty() {
            return Err(Error::Usage(format!(
                "no command has to do with {about:?}. `ebbtide -p /help` lists those that need no screen, `/help` in the chat \
                 all commands and keys"
            )));
        }
        lines.push("On the screen, which `ebbtide` without -p opens:".to_owned());
        lines.extend(there.into_iter().map(line));
        return Ok(lines.join("\n"));
    }
    lines.push("More commands are on the screen, which `ebbtide` without -p opens.".to_owned());
    Ok(lines.join("\n"))
}
