//! Slash commands: one table of the app's own, plus every tool. Parses and suggests, runs nothing.

mod effort;
mod nearest;
mod note;
mod setting;
mod specifics;
mod table;

#[cfg(test)]
mod tests;

pub use nearest::nearest;

use serde_json::{Map, Value};

use crate::orchestrator::Op;
use crate::tools::{self, Call, ToolSpec};

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
    /// Opens the help.
    Help,
    /// Quits.
    Quit,
    /// Shows what would be sent to the model now.
    Context,
    /// Lists all that memory did.
    Journal,
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
        needs: &'static str,
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
    pub subject: Subject,
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
        read: Read::Tool(spec),
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
    match spec.read {
        Read::Own(read) => read(rest).map_err(|needs| usage(&spec, needs)),
        Read::Tool(tool) if tool.name == "remember" => note::remember(rest)
            .map(|call| Command::Ask(Op::Run(call)))
            .ok_or_else(|| usage(&spec, "something to remember")),
        Read::Tool(tool) => call(&spec, tool, rest).map(|call| Command::Ask(Op::Run(call))),
    }
}

fn usage(spec: &CommandSpec, needs: &'static str) -> Complaint {
    Complaint::Usage { name: spec.name, needs, usage: spec.usage() }
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
