//! Where a value came from.

use std::fmt;
use std::path::PathBuf;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Nobody set it.
    Default,
    /// A line of the config file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag(&'static str),
    /// A scenario file, with the line if known.
    Scenario {
        /// The file, or the name of a built-in scenario.
        file: String,
        /// The line, from 1.
        line: Option<usize>,
    },
    /// The server, which told it.
    Server,
    /// What is known of the provider, where its server does not tell.
    Table,
    /// What the model takes, which a budget that nobody set leaves room in.
    Model,
    /// `/model`, which chose it for the session.
    Session,
    /// A command in the chat.
    Chat,
    /// What is to be written into the config file.
    Change,
}

impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("default"),
            Self::File { path, line } => write!(out, "{}:{line}", path.display()),
            Self::Environment(variable) => write!(out, "environment variable {variable}"),
            Self::Flag(flag) => write!(out, "flag {flag}"),
            Self::Scenario { file, line: Some(line) } => write!(out, "scenario {file}:{line}"),
            Self::Scenario { file, line: None } => write!(out, "scenario {file}"),
            Self::Server => out.write_str("told by the server"),
            Self::Model => out.write_str("from the model"),
            Self::Table => out.write_str("of the table of providers"),
            Self::Session => out.write_str("chosen in this session"),
            Self::Chat => out.write_str("set in the chat"),
            Self::Change => out.write_str("the value to be written"),
        }
    }
}
