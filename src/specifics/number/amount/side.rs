//! Whether an amount is told as the most or the least of something: `at most 20`, `≥ 5`.

use crate::specifics::scan;
use crate::specifics::words::Words;

/// On which side of an amount something may be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::specifics) enum Side {
    /// Nothing is said of it.
    #[default]
    Either,
    /// `at most 20`
    Most,
    /// `at least 20`
    Least,
}

/// Words right in front of the most of something, in small letters.
const MOST: [&str; 20] = [
    "at most",
    "au maximum",
    "au plus",
    "below",
    "como máximo",
    "fewer than",
    "höchstens",
    "less than",
    "max",
    "max.",
    "maximal",
    "maximum",
    "menos de",
    "moins de",
    "under",
    "unter",
    "weniger als",
    "<",
    "<=",
    "≤",
];

/// The same of the least.
const LEAST: [&str; 21] = [
    "above",
    "al menos",
    "at least",
    "au minimum",
    "au moins",
    "como mínimo",
    "d'au moins",
    "exceed",
    "exceeds",
    "mehr als",
    "min.",
    "mindestens",
    "minimum",
    "more than",
    "más de",
    "over",
    "plus de",
    "über",
    ">",
    ">=",
    "≥",
];

/// Those that are only bounds, and no way to say that an amount is no exact one.
const BOUNDS: [&str; 19] = [
    "nicht mehr als",
    "no more than",
    "no más de",
    "nunca más de",
    "pas plus de",
    "at least",
    "at most",
    "au maximum",
    "au minimum",
    "au moins",
    "au plus",
    "como máximo",
    "como mínimo",
    "höchstens",
    "maximal",
    "maximum",
    "mindestens",
    "minimum",
    "below",
];

/// Words that turn what follows round.
static NOT: Words = Words::new("jamais kein keine ne never nicht no not nunca pas");

/// Words of what happens beyond a bound, where the other side is told: `alert above 2 %`.
static BEYOND: Words = Words::new(
    "alarm alarms alert alerts any anything ban banned block blocked cuando drop dropped drops everything error errors exclude excluded \
     excludes fail fails falls filter filtered if ignore ignored nothing otherwise page pages reject rejected rejects remove removed si \
     skip skipped sobald stop stops too unless until wait warn warns when wenn",
);

/// What ends a text in small letters, the longest of some.
fn last<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    let is_last = |word: &&&str| {
        let lead = text.strip_suffix(**word);
        let is_sign = !word.starts_with(char::is_alphabetic);
        lead.is_some_and(|lead| {
            is_sign || !lead.ends_with(|c: char| c.is_alphanumeric() || c == '-')
        })
    };
    words.iter().filter(is_last).max_by_key(|word| word.len()).copied()
}

impl Side {
    /// The side that the words right in front of a figure tell.
    pub(super) fn before(text: &str, at: usize) -> Self {
        const REACH: usize = 48;
        let lead = scan::sentence_before(text, at, REACH).to_lowercase();
        let lead = lead.trim_end_matches(['€', '$', '£', '¥', ' ', '\u{a0}']);
        let (most, least) = (last(lead, &MOST), last(lead, &LEAST));
        let (side, word) = match (most, least) {
            (Some(word), _) => (Self::Most, word),
            (None, Some(word)) => (Self::Least, word),
            (None, None) => return Self::Either,
        };
        let lead = &lead[..lead.len() - word.len()];
        if lead.split(|c: char| !c.is_alphanumeric()).any(|word| BEYOND.holds(word)) {
            return Self::Either;
        }
        let denies = |word: &str| NOT.holds(word) || word.ends_with("n't");
        let mut words = lead.trim_end().rsplit(' ');
        match words.next().map(denies) {
            Some(true) => side.other(),
            // What is denied further in front may be anything.
            _ if words.any(denies) => Self::Either,
            _ => side,
        }
    }

    fn other(self) -> Self {
        match self {
            Self::Either => Self::Either,
            Self::Most => Self::Least,
            Self::Least => Self::Most,
        }
    }

    /// Whether it is the other side of one.
    pub(in crate::specifics) fn opposes(self, other: Self) -> bool {
        self != Self::Either && self == other.other()
    }
}

/// The length of the words at the end of a text that bound what follows, with the space behind: `at most `.
pub(in crate::specifics) fn bound(lead: &str) -> usize {
    let Some(said) = lead.strip_suffix([' ', '\u{a0}']) else { return 0 };
    let end = scan::lead(said, said.len(), 16);
    let lower = end.to_lowercase();
    // Its letters may take other bytes in small ones.
    let word = last(&lower, &BOUNDS).filter(|_| lower.len() == end.len());
    let is_turned = |word: &str| {
        let before = said[..said.len() - word.len()].trim_end().rsplit(' ').next();
        before.is_some_and(|before| NOT.hold_lower(before))
    };
    word.filter(|word| !is_turned(word)).map_or(0, |word| word.len() + lead.len() - said.len())
}

/// How long the words are with which a number begins that bound it.
pub(in crate::specifics) fn bound_of(number: &str) -> usize {
    let figure = number.find(|c: char| c.is_ascii_digit()).unwrap_or(0);
    let length = bound(&number[..figure]);
    if length == figure { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_front_of_a_figure_tell_its_side() {
        for (text, side) in [
            ("at most 5", Side::Most),
            ("höchstens 5", Side::Most),
            ("no more than 5", Side::Most),
            ("LCP > 5", Side::Least),
            ("it is >= 5", Side::Least),
            ("not below 5", Side::Least),
            ("maximum €5", Side::Most),
            ("about 5", Side::Either),
            ("alert above 5", Side::Either),
            ("a climax 5", Side::Either),
        ] {
            assert_eq!(Side::before(text, text.len() - 1), side, "{text}");
        }
        assert_eq!(bound("it is at most "), "at most ".len());
        assert_eq!((bound("not below "), bound("İ "), bound_of("at most 5 MB")), (0, 0, 8));
    }
}
