//! What all data sets hold: conversations whose questions cite sessions, and sessions with dates.

use crate::proof::recall::Set;

/// A conversation whose questions cite sessions.
#[derive(Debug)]
pub(super) struct Cited {
    pub(super) set: Set,
    /// Questions that cite nothing that can be looked for.
    pub(super) uncited: usize,
    /// Questions of a kind that has no answer.
    pub(super) unanswerable: usize,
    /// Citations of messages that there are not.
    pub(super) broken: usize,
}

/// The number of a month by its English name.
pub(super) fn month(name: &str) -> Option<usize> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let start = name.get(..3)?.to_lowercase();
    MONTHS.iter().position(|month| *month == start).map(|at| at + 1)
}
