//! Secrets in addresses: the password of a user, and the keys among the parameters.

use std::ops::Range;

use super::known::is_key;
use super::name::guards;
use super::value::{self, is_random, stands_for_one};

/// Behind the scheme of an address.
const BEGINS: &str = "://";

/// Signs that end the value of a parameter.
const ENDS: [char; 7] = ['&', '#', '"', '\'', '>', ')', '|'];

/// Names of parameters whose values are secrets if they are as good as random.
const SIGNED: [&str; 6] =
    ["code", "key", "sig", "signature", "x-amz-signature", "x-goog-signature"];

/// Adds the secrets of the addresses in a word that begins somewhere; `false` if there is no address.
pub(super) fn find(word: &str, start: usize, found: &mut Vec<Range<usize>>) -> bool {
    let mut is_address = false;
    for (at, sign) in word.match_indices(BEGINS) {
        is_address = true;
        let at = at + sign.len();
        let rest = &word[at..];
        let rest = &rest[..rest.find(BEGINS).unwrap_or(rest.len())];
        let end = rest.find(['/', '?', '#', '"', '\'', '`']).unwrap_or(rest.len());
        if let Some(secret) = of_user(&rest[..end]) {
            found.push(start + at + secret.start..start + at + secret.end);
        }
        for secret in of_parameters(rest) {
            found.push(start + at + secret.start..start + at + secret.end);
        }
    }
    is_address
}

/// The password of a user: `user:password@host`.
fn of_user(authority: &str) -> Option<Range<usize>> {
    let user = &authority[..authority.rfind('@')?];
    let start = match user.find(':') {
        Some(at) => at + 1,
        None => is_key(user).then_some(0)?,
    };
    (!stands_for_one(&user[start..])).then_some(start..user.len())
}

/// The secrets among the parameters of an address.
fn of_parameters(address: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, _) in address.match_indices('=') {
        let Some(name) = name_before(address, at) else { continue };
        let (place, _) = value::at(address, at + 1..address.len(), &ENDS);
        let given = &address[place.clone()];
        let is_signed = || SIGNED.contains(&&*name.to_ascii_lowercase()) && is_random(given);
        let is_given = !stands_for_one(given) && !value::is_count(given);
        if is_given && (guards(name).is_some() || is_signed()) {
            found.push(place);
        }
    }
    found
}

/// The name of the parameter whose value begins behind a place.
fn name_before(address: &str, at: usize) -> Option<&str> {
    const LONGEST: usize = 64;
    let from = at.saturating_sub(LONGEST);
    let begins = |byte: &u8| matches!(byte, b'?' | b'&' | b'#' | b';');
    let sign = address.as_bytes()[from..at].iter().rposition(begins)?;
    Some(&address[from + sign + 1..at])
}
