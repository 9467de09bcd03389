//! The tools: what the model may call and what a slash command does. Describes them, reads their
//! arguments, executes nothing.
//!
//! A tool is a row of `table.rs`, which says how it is called, and a [`Call`]; what it does is the
//! orchestrator's affair, and when to use it stands in the system prompt.

mod call;
mod parse;
mod spec;
mod table;
mod words;

pub use call::Call;
pub use parse::{Arguments, Misuse, parse};
pub use spec::{Kind, Names, Parameter, ToolSpec, definitions, find, specs};
pub use words::read;
