//! The password for a share of Windows: `net use Z: \\nas\share secret /user:joe`.

use std::ops::Range;

use super::Line;
use crate::specifics::secret::value::{self, has_both, stands_for_one};

/// Words between `net use` and the share, at most.
const MOST_BEFORE: usize = 2;

/// Words behind the share that are looked at.
const MOST_BEHIND: usize = 3;

/// What stands in front of a share.
pub(super) const SHARE: &str = r"\\";

impl Line<'_> {
    /// Adds what stands behind a share in front of its user, or behind that.
    pub(super) fn find_of_share(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let from = nth.saturating_sub(MOST_BEFORE + 1);
        let is = |at: usize, other: &str| {
            self.word(at).is_some_and(|word| word.trim_matches('`').eq_ignore_ascii_case(other))
        };
        if !(from..nth).any(|at| is(at, "use") && at > 0 && is(at - 1, "net")) {
            return;
        }
        let word = |at: usize| self.word(at).unwrap_or_default().to_ascii_lowercase();
        let behind = nth + 1..self.words.len().min(nth + 1 + MOST_BEHIND);
        let is_user = |at: &usize| ["/user:", "/u:"].iter().any(|user| word(*at).starts_with(user));
        let Some(user) = behind.clone().find(is_user) else { return };
        let is_value = |at: &usize| {
            let word = self.word(*at).unwrap_or_default();
            !word.starts_with(['/', '*']) && (*at < user || has_both(word))
        };
        if let Some(at) = behind.into_iter().find(is_value) {
            let (place, _) = value::at(self.text, self.words[at].start..self.end, &[]);
            if !stands_for_one(&self.text[place.clone()]) {
                found.push(place);
            }
        }
    }
}
