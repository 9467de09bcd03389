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
    /// Questions of which it is not known of what kind they are.
    pub(super) unknown: usize,
    /// Citations of messages that there are not.
    pub(super) broken: usize,
    /// Citations of numbers that several messages have.
    pub(super) ambiguous: usize,
}

/// What is left out of all conversations, and the citations that lead nowhere, in words. What hardly any data set has is
/// told where it is.
pub(super) fn left_out(sets: &[Cited]) -> String {
    told(sets, 4)
}

/// The same as far as there is any, where nothing else is to be told.
pub(super) fn only_left_out(sets: &[Cited]) -> Option<String> {
    Some(told(sets, 0)).filter(|told| !told.is_empty())
}

/// The first ones always, the others where there are any.
fn told(sets: &[Cited], always: usize) -> String {
    let sum = |of: fn(&Cited) -> usize| sets.iter().map(of).sum::<usize>();
    let all = [
        (sum(|one| one.uncited), "left out, as they cite nothing that can be looked for"),
        (sum(|one| one.unanswerable), "left out, as they are of a kind that has no answer"),
        (sum(|one| one.blank), "left out, as they ask nothing"),
        (sum(|one| one.broken), "citations that name no message of their conversation"),
        (sum(|one| one.unknown), "left out, as their category is missing or unknown"),
        (sum(|one| one.ambiguous), "citations that name several messages of the same number"),
    ];
    let all = all.into_iter().enumerate();
    let some = all.filter(|(nth, (count, _))| *nth < always || *count > 0);
    some.map(|(_, (count, what))| format!("{what}: {count}")).collect::<Vec<_>>().join("; ")
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
