//! What all data sets hold: conversations whose questions cite sessions, and sessions with dates.

use crate::proof::recall::Set;

/// A conversation whose questions cite sessions.
#[derive(Debug)]
pub(super) struct Cited {
    pub(super) set: Set,
    /// Items that ask nothing: without the words of a question.
    pub(super) blank: usize,
    /// Questions that cite nothing that can be looked for.
    pub(super) uncited: usize,
    /// Questions of a kind that has no answer.
    pub(super) unanswerable: usize,
    /// Citations of messages that there are not.
    pub(super) broken: usize,
}

impl Cited {
    /// Whether another one is the same conversation with the same questions, however it is called.
    pub(super) fn is_copy_of(&self, other: &Self) -> bool {
        let (own, others) = (&self.set, &other.set);
        let said = own.sessions.iter().map(|session| &session.messages);
        let asked = own.questions.iter().map(|question| &question.text);
        said.eq(others.sessions.iter().map(|session| &session.messages))
            && asked.eq(others.questions.iter().map(|question| &question.text))
    }
}

/// The words of a question, if there are any.
pub(super) fn question(item: &serde_json::Value) -> Option<&str> {
    item["question"].as_str().filter(|text| !text.trim().is_empty())
}

/// The number of a month by its English name.
pub(super) fn month(name: &str) -> Option<usize> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = name.get(..3)?.to_lowercase();
    MONTHS.iter().position(|month| *month == start).map(|at| at + 1)
}
