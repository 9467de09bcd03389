//! What a row of the table of tools says: to the model, to a person, and to whoever reads a call.

use serde_json::{Map, Value, json};

use super::Call;
use super::arguments::{Arguments, Misuse};
use super::parameter::{Kind, Parameter};

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

/// What the result of a tool is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// An answer of whatever size.
    Answer,
    /// An answer that is bounded already: it goes whole to the model.
    Bounded,
    /// A bounded answer in the words of a kept text, which nobody said.
    Text,
}

/// One tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// Its name for the model: `open_effort`.
    pub name: &'static str,
    /// Whether it changes what is kept.
    pub changes: bool,
    /// What its result is.
    pub gives: Gives,
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
    /// Its call with these arguments.
    pub(super) fn call_with(&self, values: Map<String, Value>) -> Result<Call, Misuse> {
        (self.call)(&Arguments::new(self.name, self.parameters, values))
    }

    /// Its definition in the protocol's form.
    pub(super) fn definition(&self) -> Value {
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
        let properties: Map<String, Value> = self.parameters.iter().map(describe).collect();
        let required: Vec<&str> =
            self.parameters.iter().filter(|parameter| parameter.required).map(|p| p.name).collect();
        json!({
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": { "type": "object", "properties": properties, "required": required },
            },
        })
    }
}
