//! What a row of the table of tools says: to the model, to a person, and to whoever reads a call.

use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use super::table::TOOLS;
use super::{Arguments, Call, Misuse};

/// What an argument holds; how it is written is told in [`super::parse`] for a model and in [`super::read`]
/// for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text of at most so many bytes.
    Text(usize),
    /// A number from 1, which is meant if none is given.
    Number,
    /// Two numbers from 1 as `3-9`, or one.
    Range,
    /// A list of words of at most so many bytes each.
    Words(usize),
    /// One to three stars.
    Stars,
}

/// One argument of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// What it means, for the model.
    pub description: &'static str,
    /// What a person is asked for who left it out or wrote it in another way.
    pub wanted: &'static str,
    /// What one looks like.
    pub sample: &'static str,
    /// Whether the call makes no sense without it.
    pub required: bool,
}

/// What the argument of a command names, for completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// Nothing that could be completed.
    Nothing,
    /// An open effort.
    Open,
    /// A concluded effort that is not expanded.
    Folded,
    /// An expanded effort.
    Expanded,
    /// A concluded effort, in whatever state.
    Concluded,
    /// Any effort.
    Any,
    /// A setting.
    Setting,
}

/// One tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// Its name for the model: `open_effort`.
    pub name: &'static str,
    /// The slash command that does the same, without the slash: `open`.
    pub command: &'static str,
    /// Other names of the command.
    pub aliases: &'static [&'static str],
    /// What is written behind the command: `NAME` or `[ID]`.
    pub usage: &'static str,
    /// What that names.
    pub names: Names,
    /// What it does and when to call it, for the model.
    pub description: &'static str,
    /// What it does, for the help screen.
    pub help: &'static str,
    /// Its arguments, in the order in which the slash command takes them.
    pub parameters: &'static [Parameter],
    /// The call of those arguments.
    pub call: fn(&Arguments) -> Result<Call, Misuse>,
}

impl ToolSpec {
    /// Its argument of that name.
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

/// All tools, in the order in which they are offered.
pub fn specs() -> &'static [ToolSpec] {
    TOOLS
}

/// The tool of that name.
pub fn find(name: &str) -> Option<&'static ToolSpec> {
    TOOLS.iter().find(|spec| spec.name == name)
}

/// The definitions in the protocol's form, made once.
pub fn definitions() -> Arc<Value> {
    static DEFINITIONS: OnceLock<Arc<Value>> = OnceLock::new();
    Arc::clone(DEFINITIONS.get_or_init(|| Arc::new(TOOLS.iter().map(definition).collect())))
}

fn definition(spec: &ToolSpec) -> Value {
    let describe = |parameter: &Parameter| {
        let kind = match parameter.kind {
            Kind::Text(_) | Kind::Range => "string",
            Kind::Number | Kind::Stars => "integer",
            Kind::Words(_) => "array",
        };
        let mut schema = json!({ "type": kind, "description": parameter.description });
        if matches!(parameter.kind, Kind::Words(_)) {
            schema["items"] = json!({ "type": "string" });
        }
        (parameter.name.to_owned(), schema)
    };
    let properties: serde_json::Map<String, Value> = spec.parameters.iter().map(describe).collect();
    let required: Vec<&str> =
        spec.parameters.iter().filter(|parameter| parameter.required).map(|p| p.name).collect();
    json!({
        "type": "function",
        "function": {
            "name": spec.name,
            "description": spec.description,
            "parameters": { "type": "object", "properties": properties, "required": required },
        },
    })
}
