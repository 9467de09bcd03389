//! Word lists, written as plain text and searched as sets.

use std::collections::BTreeSet;
use std::sync::OnceLock;

/// A set of words.
pub(super) struct Words {
    list: &'static str,
    set: OnceLock<BTreeSet<&'static str>>,
}

impl Words {
    /// The words of a text, separated by white space.
    pub(super) const fn new(list: &'static str) -> Self {
        Self { list, set: OnceLock::new() }
    }

    /// Whether a word is one of them, letter by letter.
    pub(super) fn holds(&self, word: &str) -> bool {
        self.set.get_or_init(|| self.list.split_whitespace().collect()).contains(word)
    }

    /// Whether a word in small letters is one of them.
    pub(super) fn hold_lower(&self, word: &str) -> bool {
        self.holds(&word.to_lowercase())
    }
}
