//! The tools: what the model may call and what a slash command does. Describes them, reads their
//! arguments, executes nothing.
//!
//! A tool is a row of `table.rs`, which says how it is called, and a [`Call`]; what it does is the
//! orchestrator's affair, and when to use it stands in the system prompt.

mod arguments;
mod call;
mod parameter;
mod parse;
mod spec;
mod table;
mod words;

pub use arguments::{Arguments, Misuse};
pub use call::Call;
pub use parameter::{Kind, Parameter};
pub use parse::parse;
pub use spec::{Gives, Names, ToolSpec};
pub use table::{definitions, find, specs};
pub use words::read;
