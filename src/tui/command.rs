//! Slash commands: one table of the app's own, plus every tool. Parses and suggests, runs nothing.

mod effort;
mod nearest;
mod note;
mod specifics;
mod table;

#[cfg(test)]
mod tests;

pub use nearest::nearest;

use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::orchestrator::{NoteCommand, Op};
use crate::tools::{self, Call, ToolSpec};

/// What a line that begins with a slash asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A memory command, run by the orchestrator.
    Run(Call),
    /// A setting to change.
    Set {
        /// Its key.
        key: String,
        /// Its new value.
        value: String,
    },
    /// Something done with a note.
    Note {
        /// Which one, as typed.
        id: String,
        /// What to do.
        command: NoteCommand,
    },
    /// Something done with an effort or a note by hand.
    Steer(Op),
    /// Takes the last change back.
    Undo,
    /// Repeats what was undone last.
    Redo,
    /// Lets go what waits at the soft line.
    LetLeave,
    /// Compresses the older part of an open effort.
    Compress(Option<String>),
    /// Keeps a file by reference.
    Attach(PathBuf),
    /// Writes a text that is held by reference into a new file.
    CopyOut {
        /// Which one.
        key: String,
        /// The file.
        path: PathBuf,
    },
    /// A setting to change and to keep in the config file.
    SetForGood {
        /// Its key.
        key: String,
        /// Its new value.
        value: String,
    },
    /// Opens the settings that hold a word; empty for all.
    Settings(String),
    /// Opens the list of the sessions that match; empty for all.
    Sessions(String),
    /// Begins a new session, of this name if it has one.
    New(Option<String>),
    /// Gives the session another name.
    Rename(String),
    /// Writes the session into a new file.
    Export(Option<PathBuf>),
    /// One of the app's own.
    App(AppCommand),
}

/// Commands that the app answers itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppCommand {
    /// Opens the help.
    Help,
    /// Quits.
    Quit,
    /// Shows what would be sent to the model now.
    Context,
    /// Lists all that memory did.
    Journal,
    /// Shows a turn as it was, or the last one.
    Past(Option<u64>),
    /// Shows numbers about memory.
    Stats,
    /// Shows or hides the memory panel.
    Panel,
    /// Says why nothing needs clearing.
    Clear,
    /// Says which model answers.
    Model,
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
    /// Something is missing or wrong.
    #[error("/{name} needs {needs}. Use it like this: {usage}")]
    Usage {
        /// The command.
        name: &'static str,
        /// What is missing.
        needs: String,
        /// What a good one looks like.
        usage: String,
    },
}

fn hint(nearest: Option<&'static str>) -> String {
    nearest.map(|name| format!(" Did you mean /{name}?")).unwrap_or_default()
}

/// What a command's argument names, for completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// Nothing that could be completed.
    None,
    /// An open effort.
    Open,
    /// A concluded effort that is not expanded.
    Concluded,
    /// An expanded effort.
    Expanded,
    /// A concluded effort, in whatever state.
    Kept,
    /// Any effort.
    Any,
    /// A setting.
    Setting,
}

/// One command as the completion and the help show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    pub subject: Subject,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Tool(&'static ToolSpec),
    App(AppCommand),
    Budget,
    Set,
    Note,
    Steer(effort::Steer),
    Specifics,
    Undo,
    Redo,
    LetLeave,
    Compress,
    Attach,
    CopyOut,
    Settings,
    Sessions,
    New,
    Rename,
    Export,
}

const fn own(
    name: &'static str,
    aliases: &'static [&'static str],
    arguments: &'static str,
    kind: Kind,
    help: &'static str,
) -> CommandSpec {
    CommandSpec { name, aliases, arguments, help, subject: Subject::None, kind }
}

/// All commands: the tools first, then the app's own.
pub fn specs() -> impl Iterator<Item = CommandSpec> {
    let own = effort::STEERING.iter().chain([&specifics::SPECIFICS]).chain(table::OWN).copied();
    tools::specs().iter().map(of_tool).chain(own)
}

fn of_tool(spec: &'static ToolSpec) -> CommandSpec {
    let (aliases, arguments, subject): (&[&str], _, _) = match spec.command {
        "open" => (&["effort"], "NAME", Subject::None),
        "close" => (&["compact", "summarize"], "[ID]", Subject::Open),
        "status" => (&["efforts"], "[ID] [page N]", Subject::Any),
        "expand" | "reopen" => (&[], "ID", Subject::Concluded),
        "collapse" => (&[], "ID", Subject::Expanded),
        "switch" => (&[], "ID", Subject::Open),
        "search" => (&["find"], "QUERY [page N]", Subject::None),
        "remember" => (&["memo"], "WORDS [#TAG ...] [***]", Subject::None),
        "memory-stats" => (&[], "", Subject::None),
        "pad-save" => (&[], "KEY TEXT", Subject::None),
        "pad-list" => (&["scratchpad"], "[page N]", Subject::None),
        "pad-read" => (&[], "KEY [chunk_index N]", Subject::None),
        "pad-search" => (&[], "QUERY", Subject::None),
        _ => (&[], "...", Subject::None),
    };
    CommandSpec {
        name: spec.command,
        aliases,
        arguments,
        help: spec.help,
        subject,
        kind: Kind::Tool(spec),
    }
}

/// The command of that name or alias.
pub fn find(name: &str) -> Option<CommandSpec> {
    let name = name.to_lowercase();
    specs().find(|spec| spec.name == name || spec.aliases.contains(&name.as_str()))
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

/// Whether a text is sent to the model. One that begins with a slash is a command, unless it begins with two,
/// which stand for one, or with a path: no command's name holds a slash.
pub fn is_message(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.strip_prefix('/').is_none_or(|name| name.contains('/'))
}

/// A message without the slash that kept it from being a command.
pub fn unescaped(message: &str) -> &str {
    message.strip_prefix("//").map_or(message, |_| &message[1..])
}

/// Parses a line that begins with a slash.
///
/// # Errors
/// The complaint says what to type instead.
pub fn parse(line: &str) -> Result<Command, Complaint> {
    let line = line.trim().strip_prefix('/').unwrap_or(line.trim());
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let Some(spec) = find(name) else {
        let short: String = name.chars().take(40).collect();
        return Err(Complaint::Unknown { nearest: nearest(&short), name: short });
    };
    match spec.kind {
        Kind::Tool(tool) if tool.name == "remember" => note::remember(rest)
            .map(Command::Run)
            .ok_or_else(|| usage(&spec, "something to remember")),
        Kind::Tool(tool) => call(&spec, tool, rest).map(Command::Run),
        Kind::Note => note::command(rest)
            .map(|(id, command)| Command::Note { id, command })
            .ok_or_else(|| usage(&spec, "a note's number and what to do with it")),
        Kind::Steer(steer) => effort::op(steer, rest)
            .map(Command::Steer)
            .ok_or_else(|| usage(&spec, "an effort's id")),
        Kind::Specifics => specifics::op(rest)
            .map(Command::Steer)
            .ok_or_else(|| usage(&spec, "an effort's id, then the numbers to add")),
        Kind::Undo => Ok(Command::Undo),
        Kind::Redo => Ok(Command::Redo),
        Kind::LetLeave => Ok(Command::LetLeave),
        Kind::Compress => Ok(Command::Compress((!rest.is_empty()).then(|| rest.to_owned()))),
        Kind::Attach if rest.is_empty() => Err(usage(&spec, "a file's path")),
        Kind::Attach => Ok(Command::Attach(rest.trim_matches('"').into())),
        Kind::CopyOut => match rest.split_once(char::is_whitespace) {
            Some((key, path)) => {
                Ok(Command::CopyOut { key: key.to_owned(), path: path.trim().into() })
            }
            None => Err(usage(&spec, "a text's key and a file's path")),
        },
        Kind::App(AppCommand::Past(_)) if !rest.is_empty() => match rest.parse() {
            Ok(turn) => Ok(Command::App(AppCommand::Past(Some(turn)))),
            Err(_) => Err(usage(&spec, "the number of a turn")),
        },
        Kind::App(command) => Ok(Command::App(command)),
        Kind::Budget => budget(&spec, rest),
        Kind::Set => Ok(set(rest)),
        Kind::Settings => Ok(Command::Settings(rest.to_owned())),
        Kind::Sessions => Ok(Command::Sessions(rest.to_owned())),
        Kind::New => Ok(Command::New(Some(unquoted(rest)).filter(|name| !name.is_empty()))),
        Kind::Rename if unquoted(rest).is_empty() => Err(usage(&spec, "a name")),
        Kind::Rename => Ok(Command::Rename(unquoted(rest))),
        Kind::Export => {
            let file = Some(rest.trim_matches('"')).filter(|file| !file.is_empty());
            Ok(Command::Export(file.map(PathBuf::from)))
        }
    }
}

/// Quotes are not needed around a name with spaces, and do not become part of it.
fn unquoted(name: &str) -> String {
    name.trim_matches('"').trim().to_owned()
}

impl Command {
    /// The operation that the orchestrator does for it; `None` if the app answers itself.
    pub fn into_op(self) -> Option<Op> {
        match self {
            Self::Run(call) => Some(Op::Run(call)),
            Self::Set { key, value } => Some(Op::Set { key, value }),
            Self::Note { id, command } => Some(Op::Note { id, command }),
            Self::Steer(op) => Some(op),
            Self::Undo => Some(Op::Undo),
            Self::Redo => Some(Op::Redo),
            Self::LetLeave => Some(Op::LetLeave),
            Self::Compress(id) => Some(Op::Compress(id)),
            Self::Attach(path) => Some(Op::Attach(path)),
            Self::CopyOut { key, path } => Some(Op::CopyOut { key, path }),
            Self::SetForGood { key, value } => Some(Op::SetForGood { key, value }),
            Self::New(name) => Some(Op::NewSession(name)),
            Self::Rename(name) => Some(Op::Rename(name)),
            Self::Export(path) => Some(Op::Export(path)),
            Self::App(_) | Self::Settings(_) | Self::Sessions(_) => None,
        }
    }
}

/// `decay_threshold 5` or `decay_threshold=5 --save`; without a value, the settings that match.
fn set(rest: &str) -> Command {
    let (rest, keep) = match rest.strip_suffix("--save") {
        Some(before) => (before.trim_end(), true),
        None => (rest, false),
    };
    match rest.split_once([' ', '=']) {
        Some((key, value)) if !value.trim().is_empty() => {
            let (key, value) = (key.to_owned(), value.trim().to_owned());
            if keep { Command::SetForGood { key, value } } else { Command::Set { key, value } }
        }
        _ => Command::Settings(rest.trim_end_matches('=').trim().to_owned()),
    }
}

fn usage(spec: &CommandSpec, needs: &str) -> Complaint {
    Complaint::Usage { name: spec.name, needs: needs.to_owned(), usage: spec.usage() }
}

/// Takes `8000`, `8_000`, `8,000` and `8k`, and the modes by name.
fn budget(spec: &CommandSpec, rest: &str) -> Result<Command, Complaint> {
    let mode = rest.to_lowercase();
    if matches!(mode.as_str(), "auto" | "ask" | "off") {
        return Ok(Command::Set { key: "budget_mode".to_owned(), value: mode });
    }
    let digits: String = rest.to_lowercase().chars().filter(|c| !"_, ".contains(*c)).collect();
    let (digits, factor) = match digits.strip_suffix('k') {
        Some(thousands) => (thousands, 1000),
        None => (digits.as_str(), 1),
    };
    let tokens = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(factor));
    match tokens {
        Some(tokens) => {
            Ok(Command::Set { key: "token_budget".to_owned(), value: tokens.to_string() })
        }
        None => Err(usage(spec, "a number of tokens, such as 8000, or auto, ask or off")),
    }
}

/// Hands the words to the tool's own parser. Every text that is needed takes one word, the last one the
/// rest; a number is named: `page 2`.
fn call(spec: &CommandSpec, tool: &'static ToolSpec, rest: &str) -> Result<Call, Complaint> {
    let mut values = Map::new();
    let mut rest = rest;
    for number in tool.parameters.iter().filter(|parameter| parameter.kind == "integer") {
        if let Some((before, value)) = named_number(rest, number.name) {
            values.insert(number.name.to_owned(), Value::from(value));
            rest = before;
        }
    }
    let mut texts: Vec<_> = tool.parameters.iter().filter(|one| one.kind == "string").collect();
    if texts.iter().any(|text| text.required) {
        texts.retain(|text| text.required);
    }
    for (nth, text) in texts.iter().enumerate() {
        let last = nth + 1 == texts.len();
        let cut = if last { None } else { rest.split_once(char::is_whitespace) };
        let (word, others) = cut.unwrap_or((rest, ""));
        if !word.is_empty() {
            values.insert(text.name.to_owned(), Value::from(word));
        }
        rest = others.trim_start();
    }
    tools::parse(tool.name, &Value::Object(values).to_string()).map_err(|_| {
        let missing = tool.parameters.iter().find(|parameter| parameter.required);
        let needs = match missing.map(|parameter| parameter.name) {
            Some("id") => "an effort's id",
            Some("name") => "a name",
            Some("query") => "something to look for",
            Some("key") => "a text's key",
            _ => "a page number from 1",
        };
        usage(spec, needs)
    })
}

/// Splits `words page 2` into `words` and 2.
fn named_number<'a>(text: &'a str, name: &str) -> Option<(&'a str, u64)> {
    let (before, number) = text.rsplit_once(char::is_whitespace)?;
    let number = number.parse().ok()?;
    let before = before.trim_end().strip_suffix(name)?;
    let ends_word = before.is_empty() || before.ends_with(char::is_whitespace);
    ends_word.then(|| (before.trim_end(), number))
}
