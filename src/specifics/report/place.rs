//! Whether a text names a path.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::text::is_letter;
use crate::specifics::scan::lead;

/// Whether a text names a path by an ending of it or as a `whole`: with no other directory in front of an ending, and
/// with no more of a name behind it. Both have forward slashes and small letters.
pub(super) fn is_named(text: &str, ending: &str, whole: bool) -> bool {
    let last = ending.rsplit('/').next().unwrap_or(ending);
    text.match_indices(ending).filter(|_| !ending.is_empty()).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let mut front = before.chars().rev().take_while(|c| is_letter(*c) || "-./~".contains(*c));
        // What is in front of the whole path is the way to where it begins.
        let longer = whole && !ending.starts_with('/') && before.ends_with('/');
        let mut rest = after.chars();
        let (next, second) = (rest.next(), rest.next());
        let goes_on = match next {
            Some('~') => true,
            Some('.') => second.is_some_and(is_letter),
            // What is behind the ending of a file's name is a word: `pool.rs-based`.
            Some('-') => !last.contains('.') && second.is_some_and(is_letter),
            next => next.is_some_and(is_letter),
        };
        (longer || !front.any(is_letter)) && !goes_on
    })
}

/// Whether a text names a path with the same ending as a `whole` one, in another directory.
pub(super) fn names_other(text: &str, whole: &str, ending: &str) -> bool {
    /// Bytes in front of an ending that are looked at.
    const LONGEST: usize = 100;
    fn directory(way: &str) -> Option<&str> {
        way.strip_suffix('/')?.rsplit('/').next().filter(|name| name.contains(is_letter))
    }
    let own = directory(whole.strip_suffix(ending).unwrap_or_default());
    let ends = |at: usize| !text[at + ending.len()..].starts_with(is_letter);
    text.match_indices(ending).filter(|(at, _)| ends(*at)).any(|(at, _)| {
        let lead = lead(text, at, LONGEST);
        let rest = lead.trim_end_matches(|c| is_letter(c) || "-./~".contains(c));
        let other = directory(&lead[rest.len()..]);
        own.is_some() && other.is_some() && own != other
    })
}

/// A text in which names that differ in their numbers are told one by one too: `edge-fra-01/02` is two, `AB-101 to AB-103`
/// three.
pub(super) fn with_numbers(text: &str) -> String {
    let mut all = text.to_owned();
    let words = text.split_whitespace();
    let words: Vec<&str> =
        words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    for word in &words {
        slashed(word, &mut all);
        if let Some((first, last)) = word.split_once(['-', '–']).filter(|_| word.contains('.')) {
            hosts(first, last, &mut all);
        }
        if let Some((first, last)) = word.split_once(['–', '…']).or_else(|| word.split_once(".."))
        {
            between(first, last.trim_start_matches('.'), &mut all);
        }
    }
    for three in words.windows(3) {
        // A dash by itself has no letters left.
        if matches!(three[1], "" | "à" | "a" | "bis" | "through" | "to" | "until") {
            between(three[0], three[2], &mut all);
        }
    }
    all
}

/// A name in front of its number, if that stands behind a hyphen.
fn head_of(name: &str) -> Option<(&str, &str)> {
    let head = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &name[head.len()..];
    (head.ends_with('-') && !number.is_empty()).then_some((head, number))
}

/// The other names of one with several numbers: `edge-fra-01/02`. Of one length and padded, as numbers of hosts are:
/// `build-3/7` is one of seven.
fn slashed(word: &str, all: &mut String) {
    let mut numbers = word.split('/');
    let Some((head, number)) = numbers.next().and_then(head_of) else { return };
    let is_number = |other: &str| {
        other.len() > 1
            && other.len() == number.len()
            && other.bytes().all(|byte| byte.is_ascii_digit())
    };
    for other in numbers.take_while(|other| is_number(other)) {
        all.extend([" ", head, other]);
    }
}

/// The most names of a row that are told by its first and its last one.
const MOST_OF_ROW: usize = 32;

/// The names between two of a row; of the last one the number is enough.
fn between(first: &str, last: &str, all: &mut String) {
    let Some((head, from)) = head_of(first) else { return };
    let upto = last.strip_prefix(head).unwrap_or(last);
    let (Ok(from), Ok(upto), width) = (from.parse::<u32>(), upto.parse::<u32>(), from.len()) else {
        return;
    };
    if head.contains(char::is_alphabetic) {
        for number in (from..=upto).take(MOST_OF_ROW) {
            let _ = write!(all, " {head}{number:0width$}");
        }
    }
}

/// The addresses of hosts up to one of which the last number is told: `10.0.0.1-5`.
fn hosts(first: &str, last: &str, all: &mut String) {
    let (Ok(_), Some((net, from))) = (first.parse::<Ipv4Addr>(), first.rsplit_once('.')) else {
        return;
    };
    if let (Ok(from), Ok(upto)) = (from.parse::<u8>(), last.parse::<u8>()) {
        for number in (from..=upto).take(MOST_OF_ROW) {
            let _ = write!(all, " {net}.{number}");
        }
    }
}

/// A directory as people speak of it: `legacy auth directory` of `src/auth/legacy/`.
pub(super) fn spoken(path: &str) -> Option<String> {
    const KINDS: [&str; 6] = ["apps", "components", "modules", "packages", "plugins", "services"];
    let mut names = path.strip_suffix('/')?.rsplit('/').filter(|name| !name.is_empty());
    let (name, around) = (names.next()?, names.next()?);
    // `services/ledger/` is the ledger service.
    Some(match around.strip_suffix('s').filter(|_| KINDS.contains(&around)) {
        Some(kind) => format!("{name} {kind}"),
        None => format!("{name} {around} directory"),
    })
}

/// A text with the paths behind it that it writes with braces: `src/{a,b}.rs` is two.
pub(super) fn unfolded(text: &str) -> String {
    let mut all = text.to_owned();
    for word in text.split_whitespace() {
        let Some((before, rest)) = word.split_once('{') else { continue };
        let Some((inner, behind)) = rest.split_once('}').filter(|(inner, _)| inner.contains(','))
        else {
            continue;
        };
        for name in inner.split(',') {
            all.extend([" ", before, name, behind]);
        }
    }
    all.extend(other_endings(text));
    all
}

/// The files of which a text tells only the ending, behind those that have another one: `plan.md and .docx`.
fn other_endings(text: &str) -> Vec<String> {
    const LINKS: [&str; 7] = ["and", "or", "und", "oder", "et", "y", "e"];
    const MOST: usize = 5;
    let bare = |word: &str| -> String {
        let word = word.trim_start_matches(|c: char| !is_letter(c) && !"./~".contains(c));
        word.trim_end_matches(|c: char| !is_letter(c)).to_owned()
    };
    let words: Vec<String> = text.split_whitespace().map(bare).collect();
    let is_ending = |word: &str| {
        let ending = word.strip_prefix('.').unwrap_or_default();
        (1..=MOST).contains(&ending.len()) && ending.chars().all(char::is_alphanumeric)
    };
    let told = |three: &[String]| {
        let (stem, _) = three[0].rsplit_once('.').filter(|(stem, _)| stem.len() > 1)?;
        (LINKS.contains(&three[1].as_str()) && is_ending(&three[2]))
            .then(|| format!(" {stem}{}", three[2]))
    };
    words.windows(3).filter_map(told).collect()
}
