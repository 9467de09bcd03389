//! Secrets that a sentence says: `the password for root is hunter2`.

pub(super) mod eastern;
pub(super) mod nearby;

use super::plain;
use super::reference::{is_called_like, is_variable};
use super::value::{has_both, is_mixed, is_of_code, is_random, is_type, stands_for_one};
use crate::specifics::words::Words;

/// What is a password in sentences.
static PASSWORDS: Words = Words::new(
    "contraseña kennwort passcode passphrase passwd password passwort pwd senha wachtwoord пароль パスワード 密码",
);

/// What is another secret, if its value is as good as random.
static OTHERS: Words = Words::new("apikey secret token");

/// Words between what it is and itself.
static LINKS: Words = Words::new("= : auf es est is ist lautet now to war was zu à");

/// Those of them that tell what it is.
static TELL: Words = Words::new("= : be es est is ist lautet war was");

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
    const BEGIN: [&[u8; 2]; 15] = [
        b"ac", b"ap", b"au", b"be", b"co", b"cr", b"ke", b"li", b"mo", b"pa", b"pi", b"pw", b"se",
        b"to", b"wa",
    ];
    let bytes = word.as_bytes();
    let start = bytes.iter().position(u8::is_ascii_alphanumeric).unwrap_or_default();
    let begins = |first: u8, second: u8| {
        let both = [first.to_ascii_lowercase(), second.to_ascii_lowercase()];
        BEGIN.contains(&&both)
    };
    match bytes[start..] {
        [first, second, ..] => {
            bytes.len() - start >= SHORTEST && (begins(first, second) || ends_in_password(word))
        }
        _ => false,
    }
}

/// Ends of words that say whose password it is: `WLAN-Passwort`.
const COMPOSED: [&str; 2] = ["passwort", "password"];

fn ends_in_password(word: &str) -> bool {
    let bare = bare(word).as_bytes();
    COMPOSED.iter().any(|end| {
        let lead = bare.len().saturating_sub(end.len());
        let is_of_name = |byte: &u8| byte.is_ascii_alphabetic() || b"-_.:".contains(byte);
        lead > 0
            && bare[lead..].eq_ignore_ascii_case(end.as_bytes())
            && bare[..lead].iter().all(is_of_name)
    })
}

/// How surely a word is what is said of a noun.
#[derive(Debug, Clone, Copy)]
struct Link {
    /// Whether something links it to the noun, and whether that tells what it is: `is`, and not `to`.
    is_any: bool,
    tells: bool,
    /// Whether a sentence or a clause ends with it.
    ends: bool,
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
    let is_any = linked || nth > 1;
    let tells = linked || is_any && word(nth - 1).is_some_and(|link| TELL.hold_lower(link));
    let ends = said.len() > value.len() || word(nth + 1).is_none();
    let is_quote = || noun == Noun::Password && tells && opens_quote(said);
    let is_one = is_value(noun, value, Link { is_any, tells, ends }) || is_quote();
    let lower = value.to_lowercase();
    // Types and variables in code are called like it.
    let is_one = is_one && !(noun == Noun::Other && is_called_like(bare(word(0)?), value));
    let is_how = HOW.iter().any(|how| lower.starts_with(how)) || lower.contains("-char");
    let is_other = is_how
        || said.starts_with(value) && is_variable(value)
        || is_of_code(value)
        || stands_for_one(value);
    (is_one && !is_other).then_some(last + nth)
}

/// Whether a word is the first one of several in quotation marks.
fn opens_quote(said: &str) -> bool {
    const QUOTES: [char; 6] = ['"', '\'', '`', '“', '‘', '«'];
    const CLOSE: [char; 6] = ['"', '\'', '`', '”', '’', '»'];
    said.starts_with(QUOTES) && said.len() > 1 && !said[1..].contains(CLOSE)
}

/// How many words in front of one that may be a password it is: `use hunter2 as the password`.
pub(super) fn value_before<'t>(
    behind: impl Fn(usize) -> Option<&'t str>,
    before: impl Fn(usize) -> Option<&'t str>,
) -> Option<usize> {
    static ITS: Words = Words::new("a das its le my new our root the");
    static AS: Words = Words::new("als as comme");
    let is = |nth: usize, words: &Words| before(nth).is_some_and(|word| words.hold_lower(word));
    let nth = if is(1, &AS) { 2 } else { 3 };
    let is_as = nth == 2 || is(1, &ITS) && is(2, &AS);
    if !is_as || !matches!(noun(&behind), Some((Noun::Password, _))) {
        return None;
    }
    let value = bare(before(nth)?);
    let link = Link { is_any: false, tells: false, ends: false };
    (is_value(Noun::Password, value, link) && !stands_for_one(value)).then_some(nth)
}

/// Whether a value may be that of a noun.
fn is_value(noun: Noun, value: &str, link: Link) -> bool {
    /// Of one that is just named: `use the token 3f9a8b7c6d5e4f30a1b2`.
    const SHORTEST_KEY: usize = 20;
    const PINS: std::ops::RangeInclusive<usize> = 4..=8;
    match noun {
        Noun::Pin => link.is_any && PINS.contains(&value.len()) && is_digits(value),
        Noun::Password if is_digits(value) => {
            link.is_any && value.len() >= *PINS.start() && link.ends
        }
        Noun::Password if link.is_any => {
            is_mixed(value) && value.len() > 3 && !is_type(value)
                || link.tells && link.ends && plain::is_password(value, true)
        }
        Noun::Password => {
            has_both(value) && value.len() > 5 && !value.contains(['.', '/', '-', '_', ':'])
        }
        Noun::Other => is_random(value) && (link.is_any || value.len() >= SHORTEST_KEY),
    }
}

/// What the first word is, and the last one of it: `API key` are two.
fn noun<'t>(word: &impl Fn(usize) -> Option<&'t str>) -> Option<(Noun, usize)> {
    const OF_KEYS: [&str; 5] = ["access", "api", "auth", "license", "secret"];
    let first = bare(word(0)?);
    if first == "PIN" {
        return Some((Noun::Pin, 0));
    }
    if PASSWORDS.hold_lower(first) || ends_in_password(first) {
        return Some((Noun::Password, 0));
    }
    if first.eq_ignore_ascii_case("mot") {
        let rest = [1, 2].map(|nth| word(nth).map(bare));
        return (rest == [Some("de"), Some("passe")]).then_some((Noun::Password, 2));
    }
    let is_key = |word: &str| bare(word).eq_ignore_ascii_case("key");
    if OF_KEYS.iter().any(|of| first.eq_ignore_ascii_case(of)) && word(1).is_some_and(is_key) {
        return Some((Noun::Other, 1));
    }
    OTHERS.hold_lower(first).then_some((Noun::Other, 0))
}

/// The place of the word behind the one that links it: `is` of `for root is hunter2`.
fn behind_link<'t>(word: &impl Fn(usize) -> Option<&'t str>) -> Option<usize> {
    // `The password used to be hunter2`
    if ["used", "to", "be"].iter().zip(1..).all(|(link, nth)| word(nth) == Some(link)) {
        return Some(4);
    }
    let links = |nth: usize| word(nth).is_some_and(|word| LINKS.hold_lower(word));
    let first = if OF.hold_lower(word(1)?) { 1..=MOST_OF } else { 1..=1 };
    let link = first.into_iter().find(|nth| links(*nth))?;
    Some(link + 1 + usize::from(links(link + 1)))
}

/// A word without the signs around it.
pub(super) fn bare(word: &str) -> &str {
    word.trim_start_matches(['(', '"', '\'', '`', '*', '“', '„', '[', '‘', '«']).trim_end_matches([
        '.', ',', ';', ':', '?', ')', '"', '\'', '`', '*', '”', '“', ']', '=', '’', '»',
    ])
}

fn is_digits(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit())
}
