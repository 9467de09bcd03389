//! Secrets in statements for databases: `CREATE USER app IDENTIFIED BY 'secret'`.

use std::ops::Range;

use super::Line;
use crate::specifics::secret::said;
use crate::specifics::secret::value::{self, stands_for_one};
use crate::specifics::words::Words;

/// With what a statement begins that sets a password.
static BEGINS: Words = Words::new("alter create set");

/// Whose password that is, behind those.
static WHOSE: Words = Words::new("database login password role user");

/// What gives rights, and sets a password with them.
const GIVES: &str = "grant";

/// Words of a statement in front of a password that are looked at.
const MOST_WORDS: usize = 16;

/// Words between `IDENTIFIED` and `BY`, at most: `IDENTIFIED WITH caching_sha2_password BY`.
const MOST_BETWEEN: usize = 2;

impl Line<'_> {
    /// Adds what a statement sets as a password.
    pub(super) fn find_in_statement(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let word = self.word(nth).unwrap_or_default();
        let is = |word: Option<&str>, other: &str| {
            word.is_some_and(|word| word.eq_ignore_ascii_case(other))
        };
        let mut behind = nth + 1;
        if word.eq_ignore_ascii_case("by") {
            let from = nth.saturating_sub(MOST_BETWEEN + 1);
            if !(from..nth).any(|at| is(self.word(at), "identified")) {
                return;
            }
            behind += usize::from(is(self.word(behind), "password"));
        } else if !word.eq_ignore_ascii_case("password") {
            return;
        }
        let Some(next) = self.words.get(behind) else { return };
        let is_quoted = self.text[next.clone()].trim_start_matches('\\').starts_with(['\'', '"']);
        if !is_quoted || !self.is_statement(nth) {
            return;
        }
        let (place, _) = value::at(self.text, next.start..self.end, &[]);
        if !stands_for_one(&self.text[place.clone()]) {
            found.push(place);
        }
    }

    /// Adds what a statement sets as a password by a function: `SET PASSWORD FOR app = PASSWORD('secret')`.
    pub(super) fn find_in_function(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        const FUNCTION: &str = "password(";
        let place = self.words[nth].clone();
        let begin = self.text[place.clone()].get(..FUNCTION.len());
        if !begin.is_some_and(|begin| begin.eq_ignore_ascii_case(FUNCTION))
            || !self.is_statement(nth)
        {
            return;
        }
        let (place, quoted) = value::at(self.text, place.start + FUNCTION.len()..self.end, &[]);
        if quoted && !stands_for_one(&self.text[place.clone()]) {
            found.push(place);
        }
    }

    /// Whether the words in front of a word are those of a statement that sets a password.
    fn is_statement(&self, nth: usize) -> bool {
        let before = &self.words[nth.saturating_sub(MOST_WORDS)..=nth];
        let word = |place: &Range<usize>| said::bare(&self.text[place.clone()]);
        before.windows(2).any(|pair| {
            let [first, second] = [word(&pair[0]), word(&pair[1])];
            first.eq_ignore_ascii_case(GIVES)
                || BEGINS.hold_lower(first) && WHOSE.hold_lower(second)
        })
    }
}
