//! A tool that a model called in a turn.

use crate::lines::one_line;
use crate::memory::EffortId;
use crate::orchestrator::{CallReport, NOT_MADE};

/// A tool that was called.
#[derive(Debug, Default)]
pub(super) struct Called {
    pub(super) name: String,
    /// It did what it says.
    pub(super) is_well: bool,
    /// The effort of which all messages were told.
    pub(super) read: Option<String>,
    /// Why it was refused, as the model was told.
    pub(super) error: Option<String>,
}

/// Characters of a reason that the table shows.
const SHOWN: usize = 120;

impl Called {
    /// As a report tells it.
    pub(super) fn of(call: &CallReport) -> Self {
        let text = |key: &str| call.result[key].as_str();
        let all = call.result["of"].as_u64().map(|count| format!("1-{count}"));
        let is_whole = all.is_some() && text("messages").map(str::to_owned) == all;
        let read = text("id").filter(|_| is_whole).map(str::to_owned);
        let error = text("error").map(one_line);
        Self { name: call.name.clone(), is_well: call.ok, read, error }
    }

    /// What it was, and why it was refused.
    pub(super) fn told(&self) -> String {
        let name = self.name.replace('_', " ");
        match &self.error {
            _ if self.is_well => name,
            Some(why) => format!("{name}, which was refused: {}", shortly(why)),
            None => format!("{name}, which was refused"),
        }
    }

    /// What the server said where it failed at the summary that concludes an effort.
    pub(super) fn unmade(&self, id: &EffortId) -> Option<&str> {
        let error = self.error.as_deref().filter(|_| !self.is_well)?;
        let at = error.find(NOT_MADE).filter(|_| error.contains(&format!("'{id}'")))?;
        Some(&error[at..])
    }
}

/// A reason, as far as the table shows it.
pub(super) fn shortly(why: &str) -> String {
    match why.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &why[..end]),
        None => why.to_owned(),
    }
}
