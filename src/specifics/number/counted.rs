//! Figures that count something: `14 tests`, `3 large eggs`, `12 Wiederholungen`.

use std::ops::Range;

use super::words::{ADJECTIVES, LABELS, NO_NOUNS, PLURALS, TITLES, figure_word};
use crate::memory::stem;
use crate::specifics::automaton::Match;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::{Scan, near, word_before};
use crate::specifics::unit;
use crate::specifics::words::Words;

/// The noun that a number counts, perhaps with a describing word in front.
pub(super) static COUNTED: Pattern = Pattern::new(|| {
    r"^(\x20|\x{a0}|-)(\p{L}[\p{L}'’-]*)(?:\x20(\p{L}[\p{L}-]*)(?:\x20(\p{L}[\p{L}-]*))?)?".into()
});

/// The end of the noun that a figure counts.
pub(super) fn end(scan: &Scan<'_>, place: &Range<usize>) -> Option<usize> {
    let text = scan.text;
    let said = &text[place.clone()];
    let parts = COUNTED.parts(&text[place.end..])?;
    if is_year(said) && is_dated(text, place) || is_numbered(text, place) {
        return None;
    }
    let hyphen = parts.get(1)?.as_str() == "-";
    if let Some(some) = some_of(&text[place.end..], parts.whole().as_str()) {
        return Some(place.end + some);
    }
    let fits = |word: &str| {
        let plain = !NO_NOUNS.hold_lower(word);
        let noun = scan.german && word.starts_with(char::is_uppercase) && word.chars().count() > 2;
        plain && (is_plural(word) || noun || said == "1" && is_noun(word))
    };
    let words = [parts.get(2), parts.get(3), parts.get(4)];
    // What has a value is a name: `cost=0.00..48.10 rows=312`.
    let end = words.iter().flatten().last().map_or(0, Match::end);
    if text[place.end + end..].starts_with('=') {
        return None;
    }
    for (nth, word) in words.into_iter().flatten().enumerate() {
        let bare = word.as_str();
        let next = words.get(nth + 1).copied().flatten().map(|next| next.as_str());
        // Another amount begins: `between 3 and 4 six seconds`.
        if figure_word(bare).is_some() && next.is_some_and(unit::is_worded) {
            return None;
        }
        // What has an object is a verb: `!88 fixes it`.
        if matches!(next, Some("it" | "them" | "us")) {
            return None;
        }
        if !hyphen && fits(bare) {
            return Some(place.end + word.end());
        }
        // Of what had some end a noun behind it says what that is: `20 dead letters per hour`.
        let is_sort = || {
            let is_noun = |next| is_plural(next) && !NO_NOUNS.hold_lower(next);
            nth == 0 && OUTCOMES.holds(bare) && next.is_some_and(is_noun)
        };
        let describes = ADJECTIVES.hold_lower(bare)
            || nth == 0 && names_a_sort(text, place, words)
            || is_sort();
        if hyphen || !describes {
            break;
        }
    }
    // How many of them came to what: `143 passed, 2 failed`.
    let first = words[0].filter(|word| !hyphen && OUTCOMES.holds(word.as_str()));
    first.map(|word| place.end + word.end())
}

/// Where it ends that a figure counts some of what was named before: `311 of them`. What is "of these" may be named behind
/// it; `words` are those there.
fn some_of(rest: &str, words: &str) -> Option<usize> {
    const THEM: &str = " of them";
    // What a plan of changes counts: `1 to add, 3 to change`.
    const TO_DO: [&str; 4] = [" to add", " to change", " to destroy", " to import"];
    if TO_DO.contains(&words.trim_end_matches(char::is_whitespace)) {
        return Some(words.len());
    }
    let is_all = [THEM, " of these", " of those"].contains(&words);
    let is_followed = || rest.strip_prefix(THEM).is_some_and(|behind| behind.starts_with(' '));
    if is_all { Some(words.len()) } else { is_followed().then_some(THEM.len()) }
}

/// Words between a figure and what it counts, which say of which of them: `41 of the files`.
static OF: Words = Words::new("all more of other our the their these this those your its such");

/// What a figure counts that ends at a place, in the form for comparing, and before that the words which say of what
/// sort; that of one is no plural.
pub(super) fn things_behind(text: &str, at: usize, one: bool) -> Vec<String> {
    let rest = near(text, at);
    let word = |rest: &str| -> String {
        rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase()
    };
    if let Some(rest) = rest.strip_prefix('-') {
        return Some(word(rest))
            .filter(|word| word.len() > 2)
            .map(|word| stem(&word))
            .into_iter()
            .collect();
    }
    let clause =
        rest.split(['.', ',', ';', ':', '(', ')', '\n', '!', '?']).next().unwrap_or_default();
    let Some(clause) = clause.strip_prefix([' ', '\u{a0}']) else { return Vec::new() };
    if let Some((_, long)) = SHORT.iter().find(|(short, _)| *short == word(clause)) {
        return vec![stem(long)];
    }
    // What passed is a test: `19 passed`.
    if matches!(&*word(clause), "pass" | "passed") {
        return vec![stem("tests")];
    }
    let first = word(clause);
    // With a noun behind it, that is what is counted: `12 failed logins`.
    // Its letters may take other bytes in small ones.
    let behind = clause.trim_start_matches(char::is_alphabetic);
    let next = behind.strip_prefix(' ').map_or(String::new(), word);
    if next.is_empty() || !is_plural(&next) {
        // However one says that they failed.
        if matches!(&*first, "fail" | "fails" | "failed" | "failing" | "failure" | "failures") {
            return vec!["fail".to_owned()];
        }
        if OUTCOMES.holds(&first) {
            return vec![stem(&first)];
        }
    }
    let mut things = Vec::new();
    for said in clause.split(' ').take(MOST_BETWEEN) {
        let bare = said.trim_start_matches(['`', '*', '"']);
        let lower = word(bare);
        // How large each is: `six 50-minute lessons`.
        if bare.starts_with(|c: char| c.is_ascii_digit()) && bare.contains('-') {
            continue;
        }
        let noun = bare.get(..lower.len()).is_some_and(is_plural) || one && is_noun(&lower);
        if lower == "ones" {
            return Vec::new();
        }
        if noun && !NO_NOUNS.holds(&lower) {
            things.push(stem(&lower));
            return things;
        }
        if lower.is_empty() || NO_NOUNS.holds(&lower) && !OF.holds(&lower) {
            break;
        }
        if !OF.holds(&lower) && !ADJECTIVES.holds(&lower) {
            things.push(stem(&lower));
        }
    }
    Vec::new()
}

/// What people write for what is counted.
const SHORT: [(&str, &str); 6] = [
    ("conn", "connections"),
    ("conns", "connections"),
    ("msg", "messages"),
    ("msgs", "messages"),
    ("req", "requests"),
    ("reqs", "requests"),
];

/// What a short form of what is counted stands for.
pub(super) fn in_full(short: &str) -> Option<&'static str> {
    SHORT.iter().find(|(one, _)| *one == short).map(|(_, long)| *long)
}

/// What becomes of what is counted.
static OUTCOMES: Words = Words::new(
    "bestanden dead errored failed fehlgeschlagen ignored injured passed skipped succeeded wounded übersprungen",
);

/// Words that are looked at for what a figure counts.
const MOST_BETWEEN: usize = 4;

/// Whether the word behind a figure is a noun that says which sort of the next noun is counted: `2 napa cabbages`.
fn names_a_sort(text: &str, place: &Range<usize>, words: [Option<Match<'_>>; 3]) -> bool {
    let [Some(first), Some(second), _] = words else { return false };
    let rest = &text[place.end + second.end()..];
    let next = rest.split_whitespace().next().unwrap_or_default();
    let signs = rest.starts_with(|c: char| !c.is_alphanumeric() && c != ' ');
    let ends = rest.is_empty() || signs || rest.starts_with(' ') && NO_NOUNS.hold_lower(next);
    let plain = |word: &str| !NO_NOUNS.hold_lower(word) && word.len() > 2;
    ends && plain(first.as_str()) && plain(second.as_str()) && is_plural(second.as_str())
}

/// Whether a word is the plural of what is counted.
pub(in crate::specifics) fn is_plural(word: &str) -> bool {
    let lower = word.chars().all(char::is_lowercase);
    let ending = word.ends_with('s')
        && !word.ends_with("ss")
        && !word.ends_with("us")
        && !word.ends_with("is");
    PLURALS.holds(word) || lower && ending && word.len() > 3 || is_plural_of_letters(word)
}

/// Whether a word is the plural of what is written in capitals: `16 URBs`.
fn is_plural_of_letters(word: &str) -> bool {
    let letters = word.strip_suffix('s').unwrap_or_default();
    letters.len() > 1 && letters.bytes().all(|letter| letter.is_ascii_uppercase())
}

fn is_noun(word: &str) -> bool {
    word.len() > 2
        && word.chars().all(char::is_lowercase)
        && !word.ends_with("ly")
        && !word.ends_with("ed")
}

fn is_year(said: &str) -> bool {
    said.len() == 4
        && (said.starts_with("19") || said.starts_with("20"))
        && said.bytes().all(|b| b.is_ascii_digit())
}

/// Whether the word before a year shows it to be one.
fn is_dated(text: &str, place: &Range<usize>) -> bool {
    const LEADS: &[&str] = &[
        "in", "since", "from", "of", "until", "by", "the", "year", "early", "late", "mid",
        "before", "after", "a", "my", "our",
    ];
    let lead = word_before(text, place.start);
    LEADS.contains(&lead.to_lowercase().as_str()) || lead.starts_with(char::is_uppercase)
}

/// Whether the figure belongs to the word before it: `Option 2`, `Windows 11`, `step 3`.
fn is_numbered(text: &str, place: &Range<usize>) -> bool {
    let label = word_before(text, place.start);
    let lower = label.to_lowercase();
    if TITLES.holds(&lower) || LABELS.holds(&lower) {
        return true;
    }
    let named = label.starts_with(char::is_uppercase) && label.len() > 1;
    let at = place.start.saturating_sub(label.len() + 1);
    let adjacent = text.get(at..place.start).is_some_and(|gap| gap.starts_with(label));
    named && adjacent && !begins_sentence(text, at)
}

/// Whether a word at a place is the first of its sentence or line.
pub(in crate::specifics) fn begins_sentence(text: &str, at: usize) -> bool {
    let lead = text[..at].trim_end_matches([' ', '"', '“', '*', '-', '(']);
    lead.is_empty() || lead.ends_with(['.', '!', '?', ':', '\n', ';'])
}
