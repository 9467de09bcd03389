//! Keys, tokens and passwords: what is found in a text is told without them, for it is copied to where they must not go.
//!
//! A secret is known by its own shape, by the name of what it is given to (`PGPASSWORD=`, `--token`, `X-Api-Key:`), by
//! the program whose flag it stands behind (`mysql -p`), as what stands behind the user of an address, or by a sentence
//! that says it: `the password is`, or by a word for one in the clause of what is as good as random. What only stands for
//! one is none: `$TOKEN`, `<your password>`, the path of a file.

mod flag;
mod known;
mod line;
mod name;
mod pem;
mod plain;
mod random;
mod reference;
mod said;
mod url;
mod value;

use std::borrow::Cow;
use std::ops::Range;

use super::command::length_of_lines;
pub(super) use known::is_secret;
use line::Line;

/// Stands where a secret stood.
pub(super) const MASK: &str = "…";

/// A text with a sign in the place of each of its secrets.
pub fn without_secrets(text: &str) -> Cow<'_, str> {
    let all = 0..text.len();
    blanked(text, all.clone(), &places(text, &[all]))
}

/// Whether what has a name is a secret: `password`, `apiKey`.
pub fn names_a_secret(name: &str) -> bool {
    name::guards(name).is_some()
}

/// What stands at a place of a text, with a sign in the place of each secret.
pub(super) fn blanked<'t>(
    text: &'t str,
    place: Range<usize>,
    secrets: &[Range<usize>],
) -> Cow<'t, str> {
    let within = within(&place, secrets);
    if within.is_empty() {
        return Cow::Borrowed(&text[place]);
    }
    let (mut told, mut at) = (String::with_capacity(place.len()), place.start);
    for secret in within {
        told.push_str(&text[at..secret.start.max(at)]);
        told.push_str(MASK);
        at = secret.end.min(place.end);
    }
    told.push_str(&text[at..place.end]);
    Cow::Owned(told)
}

/// Whether a place holds a part of a secret.
pub(super) fn touches(place: &Range<usize>, secrets: &[Range<usize>]) -> bool {
    !within(place, secrets).is_empty()
}

/// The secrets of which a part is at a place.
fn within<'s>(place: &Range<usize>, secrets: &'s [Range<usize>]) -> &'s [Range<usize>] {
    let first = secrets.partition_point(|secret| secret.end <= place.start);
    let count = secrets[first..].partition_point(|secret| secret.start < place.end);
    &secrets[first..first + count]
}

/// The places of a text's secrets in their order, none of which touches another one, in the lines in which some things
/// stand; these come in their order, too.
pub(super) fn places(text: &str, things: &[Range<usize>]) -> Vec<Range<usize>> {
    if things.is_empty() {
        return Vec::new();
    }
    let (mut found, mut at, mut things) = (Vec::new(), 0, things.iter().peekable());
    while at < text.len() {
        let place = at..at + length_of_lines(&text[at..]);
        at = place.end;
        while things.next_if(|thing| thing.end <= place.start).is_some() {}
        let line = &text[place.clone()];
        if things.peek().is_some_and(|thing| thing.start < at) && may_hold(line) {
            Line::of(text, place).look(&mut found);
        }
    }
    found.extend(pem::bodies(text));
    found.sort_by_key(|place: &Range<usize>| (place.start, place.end));
    found.dedup_by(|next, last| {
        let touch = next.start < last.end;
        if touch {
            last.end = last.end.max(next.end);
        }
        touch
    });
    found
}

/// Whether a line has more than words, or tells a password: each line with a secret does.
fn may_hold(line: &str) -> bool {
    let is_of_words =
        |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'.' | b',' | b'\n');
    !line.bytes().all(is_of_words) || TOLD.iter().any(|told| line.contains(told))
}

/// What a line of nothing but words has that tells a password.
const TOLD: [&str; 4] = ["assword", "asswort", "assphrase", "ennwort"];

#[cfg(test)]
mod tests;
