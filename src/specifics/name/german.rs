//! Names in German, where every noun has a capital: those behind a title, first names with what follows, and places.

use std::ops::Range;

use super::given::is_given;
use super::{TITLES, Word, name};
use crate::specifics::scan::{after, word_before};
use crate::specifics::words::Words;

/// Words in front of a place; a common noun has an article behind them.
static BEFORE_PLACES: Words = Words::new("ab aus bei bis in nach von über");

/// What places end with.
const OF_PLACES: [&str; 28] = [
    "ach", "au", "bach", "berg", "born", "bronn", "brück", "brücken", "burg", "bühl", "dorf",
    "felde", "furt", "hafen", "hausen", "heim", "hofen", "ingen", "itz", "kirchen", "leben",
    "moos", "münde", "ow", "roda", "rode", "stadt", "stedt",
];

/// The same of what is a common noun more often.
const OF_NOUNS: [&str; 18] = [
    "altstadt",
    "bau",
    "dach",
    "einfach",
    "fach",
    "frau",
    "großstadt",
    "hausbau",
    "innenstadt",
    "kleinstadt",
    "krach",
    "küstenstadt",
    "neustadt",
    "pflegeheim",
    "schau",
    "stau",
    "studentenwohnheim",
    "wohnheim",
];

/// What streets end with.
const OF_STREETS: [&str; 9] =
    ["allee", "chaussee", "gasse", "platz", "ring", "strasse", "straße", "ufer", "weg"];

/// The name in a run of capitalised words.
pub(super) fn find(text: &str, run: &[Word]) -> Option<Range<usize>> {
    titled(text, run).or_else(|| with_given(text, run)).or_else(|| place(text, run))
}

/// What stands behind a title, with that.
fn titled(text: &str, run: &[Word]) -> Option<Range<usize>> {
    let is_title = |pair: &[Word]| TITLES.holds(&text[pair[0].place.range()]) && pair[1].capital;
    let from = run.windows(2).position(is_title)?;
    name(text, &run[from..], true)
}

/// A first name, and the last name behind it.
fn with_given(text: &str, run: &[Word]) -> Option<Range<usize>> {
    let first = run.iter().position(|word| is_given(&text[word.place.range()]))?;
    let last = run[first..].last()?;
    Some(run[first].place.start()..last.place.end())
}

/// A place behind a preposition, or a street with its number or with a hyphen in its name.
fn place(text: &str, run: &[Word]) -> Option<Range<usize>> {
    let is_it = |word: &&Word| {
        let said = text[word.place.range()].to_lowercase();
        let ends = |endings: &[&str]| {
            endings.iter().any(|end| said.ends_with(end) && said.len() > end.len() + 2)
        };
        let is_led = || BEFORE_PLACES.hold_lower(word_before(text, word.place.start()));
        let is_noun = || OF_NOUNS.iter().any(|noun| said.ends_with(noun));
        let is_place = ends(&OF_PLACES) && !word.first && !is_noun() && is_led();
        is_place || ends(&OF_STREETS) && (said.contains('-') || is_numbered(text, word))
    };
    let word = run.iter().find(is_it)?;
    let mut end = word.place.end();
    if ends_street(&text[word.place.range()]) && is_numbered(text, word) {
        let digits = text[end + 1..].find(|c: char| !c.is_ascii_digit());
        end = digits.map_or(text.len(), |digits| end + 1 + digits);
    }
    Some(word.place.start()..end)
}

fn ends_street(said: &str) -> bool {
    let said = said.to_lowercase();
    OF_STREETS.iter().any(|end| said.ends_with(end))
}

/// Whether the number of a house stands behind a word.
fn is_numbered(text: &str, word: &Word) -> bool {
    let end = word.place.end();
    text[end..].starts_with(' ') && after(text, end + 1).is_some_and(|sign| sign.is_ascii_digit())
}
