//! Regular expressions that are compiled once, when they are first needed.

use std::sync::OnceLock;

use regex::{Captures, Match, Regex};

/// The source of a pattern that matches where any of some does.
pub(super) fn either(patterns: &[&Pattern]) -> String {
    let sources: Vec<String> =
        patterns.iter().map(|pattern| format!("(?:{})", (pattern.source)())).collect();
    sources.join("|")
}

/// A pattern with lazily compiled forms. One that did not compile would find nothing; a test compiles all.
pub(super) struct Pattern {
    source: fn() -> String,
    whole: OnceLock<Option<Regex>>,
    plain: OnceLock<Option<Regex>>,
    loose: OnceLock<Option<Regex>>,
}

impl Pattern {
    /// A pattern whose source is put together by a function, so that parts can be shared.
    pub(super) const fn new(source: fn() -> String) -> Self {
        Self { source, whole: OnceLock::new(), plain: OnceLock::new(), loose: OnceLock::new() }
    }

    /// The pattern as it is written. It is slow wherever it meets a sign beyond ASCII, because it has to ask
    /// whether that is a letter.
    pub(super) fn whole(&self) -> Option<&Regex> {
        self.whole.get_or_init(|| Regex::new(&(self.source)()).ok()).as_ref()
    }

    /// The same for a text all of whose letters and digits are those of ASCII.
    pub(super) fn plain(&self) -> Option<&Regex> {
        self.plain.get_or_init(|| Regex::new(&plain(&(self.source)())).ok()).as_ref()
    }

    /// A form that matches wherever the pattern does, and beside letters beyond ASCII too; never slow.
    pub(super) fn loose(&self) -> Option<&Regex> {
        self.loose.get_or_init(|| Regex::new(&loose(&(self.source)())).ok()).as_ref()
    }

    /// The first match.
    pub(super) fn first<'t>(&self, text: &'t str) -> Option<Match<'t>> {
        self.whole()?.find(text)
    }

    /// The groups of the first match.
    pub(super) fn parts<'t>(&self, text: &'t str) -> Option<Captures<'t>> {
        self.whole()?.captures(text)
    }

    /// All matches with their groups, from left to right, none inside another.
    pub(super) fn groups<'t>(&'t self, text: &'t str) -> impl Iterator<Item = Captures<'t>> + 't {
        self.whole().into_iter().flat_map(move |regex| regex.captures_iter(text))
    }

    /// Whether there is a match.
    pub(super) fn is_in(&self, text: &str) -> bool {
        self.whole().is_some_and(|regex| regex.is_match(text))
    }

    /// Why one of its forms cannot be used: it does not compile, or it matches without a sign, so that whoever goes from
    /// match to match would stay where he is.
    #[cfg(test)]
    pub(super) fn complaint(&self) -> Option<String> {
        let source = (self.source)();
        let forms = [plain(&source), loose(&source), source];
        forms.iter().find_map(|form| match Regex::new(form) {
            Err(error) => Some(error.to_string()),
            Ok(regex) => ["", "a", " a b", "1 a.\n", "é"]
                .iter()
                .find(|text| regex.find_iter(text).any(|found| found.is_empty()))
                .map(|text| format!("{form} matches nothing in {text:?}")),
        })
    }
}

fn plain(source: &str) -> String {
    let classes = source.replace(r"\w", "[0-9A-Za-z_]").replace(r"\d", "[0-9]");
    classes.replace(r"\p{L}", "[A-Za-z]").replace(r"\b", r"(?-u:\b)")
}

/// A word's border becomes one between words of ASCII, which is wherever the other is: only the side outside of the
/// pattern is looked at.
fn loose(source: &str) -> String {
    // What begins with a bracket begins at a border behind a word.
    let source = source.replace(r"\b(?:\[", r"(?:\[");
    let mut parts = source.split(r"\b");
    let mut loose = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let opens = loose.is_empty() || loose.ends_with(['|', '(', ':', ' ', '\n']);
        loose.push_str(if opens { r"(?-u:\b{start-half})" } else { r"(?-u:\b{end-half})" });
        loose.push_str(part);
    }
    loose
}
