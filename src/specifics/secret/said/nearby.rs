//! Secrets that what is said near them tells: `the creds are app/secret`, `SSID HomeNet, key secret`, `but now it's secret`.

use super::bare;
use crate::specifics::secret::value::{
    has_both, is_count, is_mixed, is_named, is_random, stands_for_one,
};
use crate::specifics::words::Words;

/// What a user is called together with a password.
static BOTH: Words = Words::new("credentials creds");

/// Names of wireless nets, in front of their keys.
static WIRELESS: Words = Words::new("ssid wi-fi wifi wlan wpa wpa2 wpa3");

/// Words within which such a name stands in front of a key.
const NEAR: usize = 8;

/// Where in a word some of a few words away a secret begins, if one does: `app/secret` behind `creds are`.
pub(in crate::specifics::secret) fn of_user<'t>(
    word: impl Fn(usize) -> Option<&'t str>,
) -> Option<(usize, usize)> {
    const SHORTEST: usize = 6;
    let noun = word(0)?;
    if !BOTH.hold_lower(bare(noun)) {
        return None;
    }
    let links = |word: &str| matches!(word, "are" | "is" | ":" | "=");
    let nth = 1 + usize::from(word(1).is_some_and(links));
    if nth == 1 && !noun.ends_with(':') {
        return None;
    }
    let user = bare(word(nth)?);
    let (nth, at, secret) = if word(nth + 1) == Some("/") {
        (nth + 2, 0, bare(word(nth + 2)?))
    } else {
        let (name, secret) = user.split_once(['/', ':'])?;
        (nth, name.len() + 1, secret)
    };
    let is_one = secret.len() >= SHORTEST
        && has_both(secret)
        && !secret.contains(['/', ':'])
        && !is_named(user)
        && !is_count(secret)
        && !stands_for_one(secret)
        && !stands_for_one(user);
    is_one.then_some((nth, at))
}

/// How many words behind the `key` of a wireless net that stands.
pub(in crate::specifics::secret) fn of_net<'t>(
    word: impl Fn(usize) -> Option<&'t str>,
    before: impl Fn(usize) -> Option<&'t str>,
) -> Option<usize> {
    /// No net takes a shorter one.
    const SHORTEST: usize = 8;
    let is_key = bare(word(0)?).eq_ignore_ascii_case("key");
    let is_of_net = |nth: usize| before(nth).is_some_and(|word| WIRELESS.hold_lower(bare(word)));
    if !is_key || !(1..=NEAR).any(is_of_net) {
        return None;
    }
    let is_linked = word(1).is_some_and(|word| matches!(word, "is" | ":" | "="));
    let nth = 1 + usize::from(is_linked);
    let value = bare(word(nth)?);
    // What only follows may be a word with a number: `key rotation2`.
    let is_told = is_linked || word(0)?.ends_with(':') || is_random(value);
    let is_one = value.len() >= SHORTEST && has_both(value) && is_told && !is_named(value);
    (is_one && !stands_for_one(value)).then_some(nth)
}

/// How many words behind a password another one stands that holds now: `but now it's hunter2`.
pub(in crate::specifics::secret) fn now<'t>(
    word: impl Fn(usize) -> Option<&'t str>,
) -> Option<usize> {
    let is = |nth: usize, these: &[&str]| word(nth).is_some_and(|word| these.contains(&word));
    let mut nth = 1 + usize::from(is(1, &["but", "and"]));
    if !is(nth, &["now"]) {
        return None;
    }
    nth += 1 + usize::from(is(nth + 1, &["it"]));
    if !is(nth, &["it's", "it’s", "is"]) {
        return None;
    }
    let value = bare(word(nth + 1)?);
    let is_one = value.len() > 3 && is_mixed(value) && !is_count(value) && !stands_for_one(value);
    is_one.then_some(nth + 1)
}
