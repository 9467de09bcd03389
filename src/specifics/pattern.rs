//! Regular expressions that are compiled once, when they are first needed.

use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

/// A pattern with a lazily compiled form. One that did not compile would find nothing; a test compiles all.
pub(super) struct Pattern {
    source: fn() -> String,
    compiled: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern whose source is put together by a function, so that parts can be shared.
    pub(super) const fn new(source: fn() -> String) -> Self {
        Self { source, compiled: OnceLock::new() }
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| Regex::new(&(self.source)()).ok()).as_ref()
    }

    /// All matches, from left to right, none inside another.
    pub(super) fn all<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Match<'t>> + 't {
        self.regex().into_iter().flat_map(move |regex| regex.find_iter(text))
    }

    /// All matches with their groups.
    pub(super) fn groups<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + 't {
        self.regex().into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    /// The first match.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.regex()?.find(text)
    }

    /// The groups of the first match.
    pub(super) fn parts<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.regex()?.captures(text)
    }

    /// Whether there is a match.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.regex().is_some_and(|regex| regex.is_match(text))
    }

    /// Why it does not compile, if it does not.
    #[cfg(test)]
    pub(super) fn complaint(&self) -> Option<String> {
        Regex::new(&(self.source)()).err().map(|error| error.to_string())
    }
}
