//! Whether a summary holds what was chosen in a few words.

use super::super::log::Log;
use super::Held;
use crate::specifics::{Kind, extract};

/// Words of a decision that settles little but the value that it names, at most.
const FEW: usize = 6;

impl Held {
    /// A release or a name with a number that a few words settle on, by that alone: `release as 2.11.0` for `let's ship as
    /// v2.11.0`.
    pub(super) fn holds_chosen(&self, decision: &str, log: &Log<'_>) -> bool {
        if decision.split(' ').count() > FEW {
            return false;
        }
        let denies = |word: &str| {
            matches!(word, "kein" | "keine" | "never" | "nicht" | "no" | "not" | "pas" | "without")
                || word.ends_with("n't")
        };
        if decision.to_lowercase().split(' ').any(denies) {
            return false;
        }
        let all = extract([decision]);
        let mut named = all.iter().filter(|one| one.kind != Kind::Decision);
        let (one, other) = (named.next(), named.next());
        let is_telling = |text: &str| text.matches(|c: char| c.is_ascii_digit()).count() > 2;
        one.filter(|one| one.kind == Kind::Identifier && is_telling(&one.text) && other.is_none())
            .is_some_and(|one| self.holds(one, log))
    }
}
