//! Slash commands: one table of the app's own, plus every tool. Parses and suggests, runs nothing.

mod effort;
mod note;
mod setting;
mod specifics;
mod table;

#[cfg(test)]
mod tests;

use crate::nearest;
use crate::orchestrator::Op;
use crate::tools::{self, Misuse, Names, ToolSpec};
use crate::tui::views::View;

/// What a line that begins with a slash asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Something for the orchestrator.
    Ask(Op),
    /// One of the app's own.
    App(AppCommand),
}

/// Commands that the app answers itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppCommand {
    /// Opens a view.
    Show(View),
    /// Opens the help, narrowed to some words; empty for all of it.
    Help(String),
    /// Quits.
    Quit,
    /// Opens the settings that hold a word; empty for all.
    Settings(String),
    /// Opens the list of the sessions that match; empty for all.
    Sessions(String),
    /// Shows a turn as it was, or the last one.
    Past(Option<u64>),
    /// Shows numbers about memory.
    Stats,
    /// Shows or hides the memory panel.
    Panel,
    /// Says why nothing needs clearing.
    Clear,
    /// Says where the session is.
    Session,
    /// Says how to take something back.
    Forget,
    /// Lists the notes.
    Notes,
    /// Copies the last reply.
    Copy,
    /// Opens the person's own editor.
    Editor,
    /// Plays the demo, then opens the chat again.
    Demo,
    /// Looks for a model, then opens the chat again.
    Connect,
    /// Writes the messages of a first try.
    Try,
}

/// A line that is no command.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Complaint {
    /// No command has that name.
    #[error("There is no command /{name}.{} /help lists all commands; to send the line as a \
             message, begin it with two slashes.", hint(*.nearest))]
    Unknown {
        /// The name, as typed.
        name: String,
        /// A command that it may have meant.
        nearest: Option<&'static str>,
    },
    /// No command has that name, and something else does what it is known for elsewhere.
    #[error("There is no command /{name}: {instead}.")]
    Elsewhere {
        /// The name.
        name: &'static str,
        /// What leads there.
        instead: &'static str,
    },
    /// Something is missing or wrong.
    #[error("/{name} needs {needs}. Use it like this: {usage}")]
    Usage {
        /// The command.
        name: &'static str,
        /// What is missing.
        needs: &'static str,
        /// What a good one looks like.
        usage: String,
    },
    /// It takes no words, and who writes some means something else by it.
    #[error("/{name} takes nothing behind it: {help}.")]
    Words {
        /// The command.
        name: &'static str,
        /// What it does, or what was meant.
        help: &'static str,
    },
    /// More words than it takes.
    #[error(
        "/{name} takes at most {longest} bytes there, not {length}. Shorten it, or keep the text in a \
             file: /attach FILE"
    )]
    TooLong {
        /// The command.
        name: &'static str,
        /// The length of what was written, in bytes.
        length: usize,
        /// What fits.
        longest: usize,
    },
}

fn hint(nearest: Option<&'static str>) -> String {
    nearest.map(|name| format!(" Did you mean /{name}?")).unwrap_or_default()
}

/// One command as the completion and the help show it.
#[derive(Debug, Clone, Copy)]
pub struct CommandSpec {
    /// Its name without the slash.
    pub name: &'static str,
    /// Other names that people type.
    pub aliases: &'static [&'static str],
    /// Its arguments, as in `NAME` or `[ID]`.
    pub arguments: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What its argument names.
    pub names: Names,
    read: Read,
}

/// How the words behind a command are read.
#[derive(Debug, Clone, Copy)]
enum Read {
    /// As the arguments of a tool.
    Tool(&'static ToolSpec),
    /// In its own way; the error names what is missing.
    Own(fn(&str) -> Result<Command, &'static str>),
}

/// All commands: the tools first, then the app's own.
pub fn specs() -> impl Iterator<Item = CommandSpec> {
    tools::specs().iter().map(of_tool).chain(table::OWN.iter().copied())
}

fn of_tool(spec: &'static ToolSpec) -> CommandSpec {
    CommandSpec {
        name: spec.command,
        aliases: spec.aliases,
        arguments: spec.usage,
        help: spec.help,
        names: spec.names,
        read: Read::Tool(spec),
    }
}

/// The command of that name or alias.
pub fn find(name: &str) -> Option<CommandSpec> {
    let name = name.to_lowercase();
    specs().find(|spec| spec.name == name || spec.aliases.contains(&name.as_str()))
}

/// The command whose name or alias is closest to what was typed, if any is close.
pub fn nearest(typed: &str) -> Option<&'static str> {
    let names =
        specs().flat_map(|spec| std::iter::once(spec.name).chain(spec.aliases.iter().copied()));
    let words = names.filter(|name| name.len() > 1);
    let found = nearest::nearest(&typed.to_lowercase(), words)?;
    find(found).map(|spec| spec.name)
}

impl CommandSpec {
    /// Whether it makes no sense without an argument.
    pub fn needs_argument(&self) -> bool {
        !self.arguments.is_empty() && !self.arguments.starts_with('[')
    }

    /// What a whole line looks like.
    pub fn usage(&self) -> String {
        format!("/{} {}", self.name, self.arguments).trim_end().to_owned()
    }
}

/// A slash as input methods for Chinese and Japanese write it.
const WIDE_SLASH: char = '／';

/// Whether a text is sent to the model. One that begins with a slash is a command, unless it begins with two,
/// which stand for one, or with a path: no command's name holds a slash. A slash in full width, as an input method writes
/// it, counts before the name of a command.
pub fn is_message(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_wide = |first: &str| first.strip_prefix(WIDE_SLASH).and_then(find).is_some();
    first.strip_prefix('/').map_or_else(|| !is_wide(first), |name| name.contains('/'))
}

/// A message without the slash that kept it from being a command: code that begins with a comment keeps both.
pub fn unescaped(message: &str) -> &str {
    let is_name = |rest: &str| rest.starts_with(char::is_alphanumeric) && !rest.contains('\n');
    let escaped = message.strip_prefix("//").is_some_and(is_name);
    if escaped { &message[1..] } else { message }
}

/// What leads to what is known elsewhere as the command of a name.
pub fn elsewhere(name: &str) -> Option<Complaint> {
    let is_named = |(known, _): &&(&str, &str)| name.eq_ignore_ascii_case(known);
    let &(name, instead) = table::ELSEWHERE.iter().find(is_named)?;
    Some(Complaint::Elsewhere { name, instead })
}

/// Parses a line that begins with a slash.
///
/// # Errors
/// The complaint says what to type instead.
pub fn parse(line: &str) -> Result<Command, Complaint> {
    let line = line.trim().strip_prefix(['/', WIDE_SLASH]).unwrap_or(line.trim());
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let Some(spec) = find(name) else {
        if let Some(complaint) = elsewhere(name) {
            return Err(complaint);
        }
        let short: String = name.chars().take(40).collect();
        return Err(Complaint::Unknown { nearest: nearest(&short), name: short });
    };
    match spec.read {
        Read::Own(_) if spec.arguments.is_empty() && !rest.is_empty() => {
            let meant = table::BEHIND.iter().find(|(name, _)| *name == spec.name);
            let help = meant.map_or(spec.help, |(_, instead)| instead);
            Err(Complaint::Words { name: spec.name, help })
        }
        Read::Own(read) => read(rest).map_err(|needs| usage(&spec, needs)),
        Read::Tool(tool) => match tools::read(tool, rest) {
            Ok(call) => Ok(Command::Ask(Op::Run(call))),
            Err(Misuse::BadArgument { wanted, .. }) => Err(usage(&spec, wanted)),
            Err(Misuse::TooLong { length, longest, .. }) => {
                Err(Complaint::TooLong { name: spec.name, length, longest })
            }
            // Words are no JSON, and the tool is known.
            Err(
                Misuse::UnknownTool { .. } | Misuse::BrokenJson { .. } | Misuse::NoObject { .. },
            ) => Err(usage(&spec, "other words")),
        },
    }
}

fn usage(spec: &CommandSpec, needs: &'static str) -> Complaint {
    Complaint::Usage { name: spec.name, needs, usage: spec.usage() }
}
