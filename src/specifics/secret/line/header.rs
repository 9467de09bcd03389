//! Secrets in headers: `Authorization: Bearer abc`.

use std::ops::Range;

use super::{Line, SHORTEST_TOKEN, name_of};
use crate::chunk::beginning;
use crate::specifics::secret::value::{self, stands_for_one};
use crate::specifics::words::Words;

/// Names of headers that hold a secret.
static HEADERS: Words = Words::new("authorization cookie proxy-authorization set-cookie");

/// What stands in front of the secret in such a header.
static SCHEMES: Words = Words::new("apikey basic bearer digest token");

impl Line<'_> {
    /// Adds what a header holds: `Authorization: Bearer abc`, and a token that says so itself.
    pub(super) fn find_in_header(&self, nth: usize, found: &mut Vec<Range<usize>>) {
        let word = &self.text[self.words[nth].clone()];
        let name = name_of(word.trim_end_matches(':'));
        let is_header = word.ends_with(':') && HEADERS.hold_lower(name);
        let is_bearer = !is_header && name.eq_ignore_ascii_case("bearer");
        if !is_header && !is_bearer {
            return;
        }
        let has_scheme = self.word(nth + 1).is_some_and(|next| SCHEMES.hold_lower(next));
        let behind = nth + 1 + usize::from(is_header && has_scheme);
        let Some(next) = self.words.get(behind) else { return };
        let (mut place, _) = value::at(self.text, next.start..self.end, &[]);
        let is_cookie = is_header && name.to_ascii_lowercase().ends_with("cookie");
        if is_cookie {
            let rest = &self.text[place.start..self.end];
            let rest = beginning(rest, value::LONGEST);
            place.end = place.start + rest.find(['"', '\'']).unwrap_or(rest.len());
        }
        let value = &self.text[place.clone()];
        let is_long = value.len() >= SHORTEST_TOKEN && value::has_both(value);
        // In a command it stands in quotation marks, which end with it.
        let is_argument = word.starts_with(['"', '\'']) && !value.contains(' ');
        let is_argument = is_argument && self.text[place.end..].starts_with(['"', '\'']);
        let is_set = if is_cookie {
            value.split([';', ' ']).next().is_some_and(|first| first.contains('='))
        } else {
            is_long || is_header && (has_scheme || is_argument || value.contains('='))
        };
        if is_set && !stands_for_one(value) {
            found.push(place);
        }
    }
}
