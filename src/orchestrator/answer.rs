//! What came of a command, in the words of the model and in those of people: the one calls tools, the others type
//! commands.

use serde_json::Value;

use super::driver::Driver;
use super::notice::Notice;
use super::turn::Stop;
use crate::counted::counted;
use crate::memory::{Rejected, Tokens};
use crate::store::{self, PadError};

/// The result of a command that was carried out. The banner says what changed, so most need few words.
#[derive(Debug)]
pub(super) struct Answer {
    /// What the model gets.
    pub(super) for_model: Value,
    /// Lines for the transcript.
    pub(super) for_people: String,
}

/// Why a command was not carried out.
#[derive(Debug)]
pub(super) enum Refusal {
    /// It made no sense, or a file or the summariser failed; whoever asked is told and may go on.
    Reply {
        /// A sentence that names tools.
        for_model: String,
        /// A sentence that names slash commands.
        for_people: String,
    },
    /// The user cancelled: the turn ends.
    Stop(Stop),
}

impl Refusal {
    /// A refusal in words that serve both.
    pub(super) fn of(words: impl Into<String>) -> Self {
        let words = words.into();
        Self::Reply { for_model: words.clone(), for_people: words }
    }

    /// What the model is told.
    ///
    /// # Errors
    /// The turn ends, so that it is told nothing.
    pub(super) fn for_model(self) -> Result<String, Stop> {
        match self {
            Self::Reply { for_model, .. } => Ok(for_model),
            Self::Stop(stop) => Err(stop),
        }
    }

    /// What a person is told.
    pub(super) fn for_people(self) -> String {
        match self {
            Self::Reply { for_people, .. } => for_people,
            Self::Stop(Stop::Cancelled) => "stopped before it was done".to_owned(),
            Self::Stop(Stop::Failed { what, .. } | Stop::ScriptShort(what)) => what,
            Self::Stop(Stop::Request(error)) => error.to_string(),
        }
    }
}

impl From<Rejected> for Refusal {
    fn from(rejected: Rejected) -> Self {
        Self::Reply { for_model: rejected.to_string(), for_people: rejected.for_people() }
    }
}

impl From<PadError> for Refusal {
    fn from(error: PadError) -> Self {
        Self::Reply { for_model: error.to_string(), for_people: error.for_people() }
    }
}

impl From<store::Error> for Refusal {
    fn from(error: store::Error) -> Self {
        Self::of(error.to_string())
    }
}

impl From<&str> for Refusal {
    fn from(words: &str) -> Self {
        Self::of(words)
    }
}

impl Driver {
    /// Tells a person what came of a command.
    pub(super) fn answer(&self, done: Result<String, Refusal>) {
        let ok = done.is_ok();
        let text = done.unwrap_or_else(Refusal::for_people);
        self.notify(Notice::CommandDone { ok, text });
        self.show_memory();
    }
}

/// The lines of one page of a list, or what is said of an empty one.
pub(super) fn page(mut lines: Vec<String>, page: usize, pages: usize, empty: &str) -> String {
    if lines.is_empty() {
        return empty.to_owned();
    }
    if pages > 1 {
        let how = format!("; with \"page {}\" behind it the command shows the next one", page + 1);
        let how = if page < pages { &*how } else { "" };
        lines.push(format!("Page {page} of {pages}{how}."));
    }
    lines.join("\n")
}

/// Tokens that may not be counted yet.
pub(super) fn tokens(count: Option<Tokens>) -> String {
    count.map_or_else(|| "? tokens".to_owned(), |count| counted(count.0, "token"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_by_their_number() {
        let told = [None, Some(1), Some(16_000)].map(|count| tokens(count.map(Tokens)));
        assert_eq!(told, ["? tokens", "1 token", "16,000 tokens"]);
    }
}
