//! How often and how long in words and in the signs of a clock: `weekly`, `twice`, `10:40 minutes`, `3 h 30`.

use super::{From, Said};
use crate::specifics::unit;

/// Adverbs that say how often something happens, with what lies between.
const ADVERBS: &[(&str, &str)] = &[
    ("hourly", "hour"),
    ("daily", "day"),
    ("weekly", "week"),
    ("monthly", "month"),
    ("quarterly", "quarter"),
    ("yearly", "year"),
    ("annually", "year"),
    ("stündlich", "hour"),
    ("täglich", "day"),
    ("wöchentlich", "week"),
    ("monatlich", "month"),
    ("jährlich", "year"),
    ("diariamente", "day"),
    ("semanalmente", "week"),
    ("mensualmente", "month"),
    ("anualmente", "year"),
];

/// Words before which such a word is an adverb, and not one that describes what is behind it.
const FOLLOWERS: [&str; 18] = [
    "after", "and", "as", "at", "before", "by", "for", "from", "if", "in", "on", "or", "to", "um",
    "und", "until", "via", "with",
];

/// Words between `double` and what is doubled.
const DOUBLED: [&str; 6] = ["de", "its", "our", "that", "the", "their"];

/// What an adverb says; that stays in front of it, to tell a pace from a length.
pub(super) fn read(from: From<'_, '_>) -> Option<Said> {
    let word = from.word(0)?;
    let next = from.word(1).filter(|_| from.joined(0));
    match word {
        "twice" => return Some(Said { text: "2 times".into(), taken: 1 }),
        "thrice" => return Some(Said { text: "3 times".into(), taken: 1 }),
        "double" | "doubles" | "doubled" if next.is_some_and(|next| DOUBLED.contains(&next)) => {
            return Some(Said { text: "2x".into(), taken: 1 });
        }
        _ => {}
    }
    let (adverb, unit) = ADVERBS.iter().find(|(adverb, _)| *adverb == word)?;
    let told = next.is_none_or(|next| FOLLOWERS.contains(&next));
    told.then(|| Said { text: format!("{adverb} 1 {unit}"), taken: 1 })
}

/// Whether a word is such an adverb.
pub(in crate::specifics::number) fn is_adverb(word: &str) -> bool {
    ADVERBS.iter().any(|(adverb, _)| *adverb == word)
}

/// A length that is written like a time of day: `10:40 minutes`, `3 h 30`, `3h30`.
pub(super) fn clocked(from: From<'_, '_>) -> Option<Said> {
    let first = from.word(0)?;
    if let Some((hours, minutes)) = first.split_once('h').filter(|(_, rest)| is_sixtieth(rest)) {
        return is_figure(hours).then(|| length(hours, "h", minutes, "min", 1));
    }
    let (second, third) = (from.word(1)?, from.word(2)?);
    if !is_figure(first) {
        return None;
    }
    if from.pieces[0].gap == ":" && from.joined(1) && is_sixtieth(second) {
        return match unit::canonical(third)? {
            "min" => Some(length(first, "min", second, "s", 3)),
            "h" => Some(length(first, "h", second, "min", 3)),
            _ => None,
        };
    }
    let bare = second == "h" && is_sixtieth(third) && from.joined(0) && from.joined(1);
    let goes_on =
        from.joined(2) && from.word(3).is_some_and(|word| unit::canonical(word).is_some());
    (bare && !goes_on).then(|| length(first, "h", third, "min", 3))
}

fn length(first: &str, unit: &str, rest: &str, smaller: &str, taken: usize) -> Said {
    Said { text: format!("{first} {unit} {rest} {smaller}"), taken }
}

fn is_figure(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a word tells minutes or seconds as a clock does.
fn is_sixtieth(word: &str) -> bool {
    word.len() == 2 && is_figure(word) && word < "60"
}
