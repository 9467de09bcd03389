//! Secrets that a sentence says: `the password for root is hunter2`.

use super::value::{has_both, is_mixed, is_random, is_type, stands_for_one};
use crate::specifics::words::Words;

/// What is a password in sentences.
static PASSWORDS: Words =
    Words::new("contraseña kennwort passcode passphrase passwd password passwort pwd wachtwoord");

/// What is another secret, if its value is as good as random.
static OTHERS: Words = Words::new("apikey secret token");

/// Words between what it is and itself.
static LINKS: Words = Words::new("= : auf es est is ist lautet now to war was zu à");

/// Words behind which it is said of whom it is.
static OF: Words = Words::new("de del for für of on pour vom von zum");

/// Words that say of whom it is, at most.
const MOST_OF: usize = 4;

/// Beginnings of what is said of a password and is none: how it is kept.
const HOW: [&str; 10] =
    ["2fa", "aes", "argon", "base64", "bcrypt", "md5", "oauth", "pbkdf", "sha", "utf"];

/// What a sentence may say, and how surely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noun {
    Password,
    Pin,
    Other,
}

/// Whether a word may be what a secret is called, or what stands in front of one in a header, by its first letters.
pub(super) fn may_be_noun(word: &str) -> bool {
    const SHORTEST: usize = 3;
    const BEGIN: [&[u8; 2]; 13] =
        [b"ac", b"ap", b"au", b"be", b"co", b"ke", b"li", b"pa", b"pi", b"pw", b"se", b"to", b"wa"];
    let bytes = word.as_bytes();
    let start = bytes.iter().position(u8::is_ascii_alphanumeric).unwrap_or_default();
    let begins = |first: u8, second: u8| {
        let both = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
        BEGIN.contains(&&both)
    };
    match bytes[start..] {
        [first, second, ..] => bytes.len() - start >= SHORTEST && begins(first, second),
        _ => false,
    }
}

/// Which of some words, of which the first one may be a password, says what that is.
pub(super) fn value_of<'t>(word: impl Fn(usize) -> Option<&'t str>) -> Option<usize> {
    let (noun, last) = noun(&word)?;
    let word = |nth: usize| word(last + nth);
    // A colon at its end links it: `Passwort: hunter2`.
    let linked = word(0)?.ends_with([':', '=']);
    let nth = if linked { 1 } else { behind_link(&word).unwrap_or(1) };
    let said = word(nth)?;
    let value = bare(said);
    let ends = said.len() > value.len() || word(nth + 1).is_none();
    let is_one = is_value(noun, value, linked || nth > 1, ends);
    let lower = value.to_lowercase();
    let is_how = HOW.iter().any(|how| lower.starts_with(how)) || lower.contains("-char");
    (is_one && !is_how && !stands_for_one(value)).then_some(last + nth)
}

/// Whether a value may be that of a noun, perhaps linked to it, at whose end a sentence or a clause ends or not.
fn is_value(noun: Noun, value: &str, is_linked: bool, ends: bool) -> bool {
    const PINS: std::ops::RangeInclusive<usize> = 4..=8;
    match noun {
        Noun::Pin => is_linked && PINS.contains(&value.len()) && is_digits(value),
        Noun::Password if is_digits(value) => is_linked && value.len() >= *PINS.start() && ends,
        Noun::Password if is_linked => is_mixed(value) && value.len() > 3 && !is_type(value),
        Noun::Password => {
            has_both(value) && value.len() > 5 && !value.contains(['.', '/', '-', '_', ':'])
        }
        Noun::Other => is_linked && is_random(value),
    }
}

/// What the first word is, and the last one of it: `API key` are two.
fn noun<'t>(word: &impl Fn(usize) -> Option<&'t str>) -> Option<(Noun, usize)> {
    const OF_KEYS: [&str; 5] = ["access", "api", "auth", "license", "secret"];
    let first = bare(word(0)?);
    if first == "PIN" {
        return Some((Noun::Pin, 0));
    }
    if PASSWORDS.hold_lower(first) {
        return Some((Noun::Password, 0));
    }
    let is_key = |word: &str| bare(word).eq_ignore_ascii_case("key");
    if OF_KEYS.iter().any(|of| first.eq_ignore_ascii_case(of)) && word(1).is_some_and(is_key) {
        return Some((Noun::Other, 1));
    }
    OTHERS.hold_lower(first).then_some((Noun::Other, 0))
}

/// The place of the word behind the one that links it: `is` of `for root is hunter2`.
fn behind_link<'t>(word: &impl Fn(usize) -> Option<&'t str>) -> Option<usize> {
    let links = |nth: usize| word(nth).is_some_and(|word| LINKS.hold_lower(word));
    let first = if OF.hold_lower(word(1)?) { 1..=MOST_OF } else { 1..=1 };
    let link = first.into_iter().find(|nth| links(*nth))?;
    Some(link + 1 + usize::from(links(link + 1)))
}

/// A word without the signs around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_start_matches(['(', '"', '\'', '`', '*', '“', '„', '['])
        .trim_end_matches(['.', ',', ';', ':', '?', ')', '"', '\'', '`', '*', '”', '“', ']', '='])
}

fn is_digits(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}
