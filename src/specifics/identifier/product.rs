//! Products with their version, and what else has a number of its own: `Java 21`, `Raspberry Pi 4`, `QoS 1`, `gate B12`.

use std::ops::Range;

use crate::specifics::Kind;
use crate::specifics::name::{is_opener, is_ordinary};
use crate::specifics::number;
use crate::specifics::scan::Scan;
use crate::specifics::token::{DIGIT, Token};
use crate::specifics::unit;
use crate::specifics::words::Words;

/// Signs around a word that are none of it.
const MARKS: [char; 11] = ['`', '"', '\'', '(', ')', ',', ';', ':', '.', '*', '!'];

/// Products that people write in small letters, too.
static PRODUCTS: Words = Words::new(
    "android debian django fedora gcc ios java jdk kotlin mariadb mysql msrv node nodejs npm pandas php pip postgres \
     postgresql python pytorch react redis ruby rust semver torch typescript ubuntu",
);

/// Whether a word in small letters is the name of a product.
pub(in crate::specifics) fn is_product(word: &str) -> bool {
    PRODUCTS.holds(word)
}

/// Words behind which a figure is that of one of many: `Day 3`.
static NUMBERED: Words =
    Words::new("appendix day exhibit group level player round scenario stage team week");

/// Words behind which a figure is how many came to what: `Failed 0, Passed 93`.
static OUTCOMES: Words = Words::new("errors failed failures passed skipped success total warnings");

/// Places that have a letter and a number.
static SPOTS: Words = Words::new(
    "bay block colour color desk door garage gate hall locker pier pin rack room seat slot stand terminal track tube",
);

/// Words of a product's name at most.
const MOST_WORDS: usize = 3;

/// Takes the products of a message with their version or number.
pub(super) fn find(scan: &mut Scan<'_>) {
    let tokens = scan.tokens;
    for (nth, figure) in tokens.iter().enumerate().filter(|(_, token)| token.has(DIGIT)) {
        if let Some(spot) = spot(scan.text, &tokens[..=nth]) {
            scan.claim_free(spot, Kind::Identifier);
            continue;
        }
        if let Some(name) = joined(scan.text, &figure.place.range()) {
            scan.claim_free(name, Kind::Identifier);
            continue;
        }
        let Some(end) = figure_end(scan.text, &figure.place.range()) else { continue };
        let behind = tokens.get(nth + 1).map_or("", |next| &scan.text[next.place.range()]);
        let before =
            nth.checked_sub(1).map_or("", |before| &scan.text[tokens[before].place.range()]);
        if is_measured(behind) || is_counted(before, behind) {
            continue;
        }
        if let Some(start) = name_start(scan.text, &tokens[..=nth], scan.german) {
            let end = groups_end(scan.text, end);
            scan.claim_free(start..end, Kind::Identifier);
        }
    }
}

/// Where groups of digits end, two at least, that go on behind a figure: `FR 61 502 118 744`. The same place if there are none.
fn groups_end(text: &str, at: usize) -> usize {
    let (mut end, mut groups) = (at, 0);
    while let Some(rest) = text[end..].strip_prefix(' ') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if !(2..=4).contains(&digits) || rest[digits..].starts_with(char::is_alphanumeric) {
            break;
        }
        (end, groups) = (end + 1 + digits, groups + 1);
    }
    if groups > 1 { end } else { at }
}

/// A word with a number joined to it that is a library's or a shop's name: `memmap2`, `Kiste24`.
fn joined(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let word = text[place.clone()].trim_end_matches(MARKS);
    let bare = word.trim_start_matches(MARKS);
    let name = bare.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = bare.len() - name.len();
    let small = name.bytes().all(|b| b.is_ascii_lowercase());
    let is_brand = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    let lower = name.to_lowercase();
    let counts = PRODUCTS.holds(&lower) || NUMBERED.holds(&lower) || number::is_numbering(&lower);
    let fits = small && digits == 1 && (5..=12).contains(&name.len())
        || is_brand && digits == 2 && (4..=12).contains(&name.len());
    let start = place.start + word.len() - bare.len();
    (fits && !counts && !is_ordinary(&lower)).then_some(start..start + bare.len())
}

/// Whether the word behind a figure makes an amount of it: `Olivo 24 per head`.
fn is_measured(behind: &str) -> bool {
    let bare = behind.trim_end_matches(MARKS);
    matches!(bare, "per" | "pro" | "%") || bare.len() > 1 && !unit::measures(bare).is_empty()
}

/// Whether the word behind a figure is what it counts, and in front of it stands what was done: `Executed 204 tests`.
fn is_counted(before: &str, behind: &str) -> bool {
    const COUNTED: [&str; 7] = ["cases", "checks", "examples", "files", "items", "specs", "tests"];
    (before.ends_with("ed") || before == "Ran") && COUNTED.contains(&behind.trim_end_matches(MARKS))
}

/// The last two of some words, if they are a spot: `gate B12`.
fn spot(text: &str, words: &[Token]) -> Option<Range<usize>> {
    let [.., kind, last] = words else { return None };
    let (kind, last) = (kind.place.range(), last.place.range());
    let bare = text[last.clone()].trim_end_matches(MARKS);
    let (letter, digits) = bare.split_at_checked(1)?;
    let fits = letter.bytes().all(|byte| byte.is_ascii_uppercase())
        && (1..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    (fits && kind.end + 1 == last.start && SPOTS.hold_lower(&text[kind.clone()]))
        .then_some(kind.start..last.start + bare.len())
}

/// A version with the product in front of it: `Python 3.11.7`, `chrono-tz 0.8.6`; `None` if it is no version, or there is
/// none.
pub(super) fn with_name(text: &str, place: &Range<usize>, german: bool) -> Option<Range<usize>> {
    /// An address has more.
    const MOST_POINTS: usize = 2;
    let bare = text[place.clone()].strip_prefix('v').unwrap_or(&text[place.clone()]);
    let points = bare.matches('.').count();
    let is_version =
        bare.starts_with(|c: char| c.is_ascii_digit()) && (1..=MOST_POINTS).contains(&points);
    // From a figure on to another one: `CI 0.72-0.98`.
    let behind = text[place.end..].strip_prefix(['-', '–']).unwrap_or_default();
    if points == 1 && behind.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let lead = text[..place.start].strip_suffix(' ').filter(|_| is_version)?;
    let before = lead.trim_end_matches(|c: char| c.is_alphanumeric() || "+#-".contains(c));
    let name = &lead[before.len()..];
    let is_whole =
        before.chars().next_back().is_none_or(|c| c.is_whitespace() || "(`\"*_".contains(c));
    let is_kebab = || {
        let small = |part: &str| {
            part.len() > 1 && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
        };
        name.contains('-') && name.split('-').all(small)
    };
    let is_word = name.len() > 1 && name.chars().all(char::is_alphanumeric);
    let known = PRODUCTS.hold_lower(name)
        || is_kebab()
        || is_word && !VERSIONS.hold_lower(name) && is_name(text, before.len(), name, german);
    (is_whole && known).then_some(before.len()..place.end)
}

/// Whether a word in small letters is a product, or any other name that has a version behind it: no word for that, and none
/// that says nothing.
pub(in crate::specifics) fn is_versioned(word: &str) -> bool {
    let is_name = word.len() > 1 && word.starts_with(char::is_alphabetic);
    is_name
        && !VERSIONS.holds(word)
        && !is_ordinary(word)
        && !is_opener(word)
        && !word.ends_with("ed")
}

/// Words for a version, and what only stands in front of one.
static VERSIONS: Words = Words::new(
    "build chapter figure fig firmware pre-release release revision section sect since table to until upgraded version",
);

/// Where a short whole number ends that is all of a word.
fn figure_end(text: &str, place: &Range<usize>) -> Option<usize> {
    let word = &text[place.clone()];
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = word[digits..].trim_end_matches(MARKS);
    // `AIC 1502,6` has decimals.
    let behind = text[place.start + digits..].strip_prefix([',', '.']).unwrap_or_default();
    let goes_on = behind.starts_with(|c: char| c.is_ascii_digit());
    ((1..=4).contains(&digits) && rest.is_empty() && !goes_on).then_some(place.start + digits)
}

/// Where the name begins that the words in front of the last one are.
fn name_start(text: &str, words: &[Token], german: bool) -> Option<usize> {
    let mut start = None;
    for pair in words.windows(2).rev().take(MOST_WORDS) {
        let (name, next) = (pair[0].place.range(), pair[1].place.range());
        let word = text[name.clone()].trim_start_matches(MARKS);
        let at = name.end - word.len();
        let fits = name.end + 1 == next.start
            && !text[name.end..].starts_with('\n')
            && word.len() > 1
            && word.chars().all(char::is_alphabetic);
        let known = start.is_none() && PRODUCTS.hold_lower(word);
        if !fits || !(known || is_name(text, at, word, german)) {
            break;
        }
        start = Some(at);
        if at > name.start {
            break;
        }
    }
    start
}

/// Whether a word is a name by its capitals: one inside of it, or the first one but for that of a sentence.
fn is_name(text: &str, at: usize, word: &str, german: bool) -> bool {
    let lower = word.to_lowercase();
    let ordinary = is_ordinary(&lower) || is_opener(&lower);
    if ordinary || NUMBERED.holds(&lower) || OUTCOMES.holds(&lower) || number::is_numbering(&lower)
    {
        return false;
    }
    let mut letters = word.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    letters.any(char::is_uppercase) || first && !german && !number::begins_sentence(text, at)
}
