//! Figures that stand for themselves: `AUC 0.871`, `the seed 77120`, `4.20 each`.

use std::ops::Range;

use super::ends_here;
use crate::specifics::Kind;
use crate::specifics::automaton::Match;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::{Scan, word_before};
use crate::specifics::words::Words;

/// A figure that means something though nothing beside it says what: it has decimals, or many digits.
pub(super) static BARE: Pattern = Pattern::new(|| {
    r"\b(?:\d{1,3}\.\d{1,4}[-–]\d{1,3}\.\d{1,4}|\d{1,9}(?:\.\d{1,9})?[eE][-+]?\d{1,3}|\d{1,3}\^\d{1,3}(?:\x20?[-+−]\x20?\d{1,3})?|\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,3}(?:\.\d{3})+,\d{1,2}|\d{1,3}(?:['’]\d{3})+(?:\.\d{1,2})?|\d{1,3}(?:[\x20\u{a0}\u{202f}]\d{3})+,\d{1,2}|\d{1,9}[.,]\d{1,9}(?::\d{1,2})?|(?:2[5-9]|[3-9]\d):[0-5]\d|\d{4,12})\b".into()
});

/// Decimals of what says where something is on a map, at least: `52.2297, 21.0122`.
const FINE: usize = 4;

/// A message with more of them holds a log or a table.
const MOST_BARE: usize = 12;

/// Takes the figures that stand for themselves behind a word: `AUC 0.871`, `the seed 77120`. Comes after the identifiers,
/// which versions are.
pub(in crate::specifics) fn find_bare(scan: &mut Scan<'_>) {
    let text = scan.text;
    let bare = scan.figures.all(&BARE);
    // Where the last one ends: what stands behind a comma there is one too.
    let mut last = usize::MAX;
    let places = bare.iter().map(Match::range).map(|place| signed(text, place));
    let places = places.filter(|place| {
        let lead = text[..place.start].strip_suffix(' ').unwrap_or_default();
        // Of many decimals it is none of a list, but a place on a map.
        let decimals =
            text[place.clone()].split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let is_next = decimals == 0 || decimals >= FINE;
        let goes_on = is_next && lead.strip_suffix(',').is_some_and(|lead| lead.len() == last);
        let behind_word =
            goes_on || lead.ends_with(|c: char| c.is_alphabetic() || ":<>≤≥".contains(c));
        let comma = text[place.clone()].split_once(',');
        let listed = comma.is_some_and(|(whole, rest)| {
            rest.len() != 3 && !whole.contains('.') && !rest.contains('.')
        });
        let listed = listed && !scan.german && !is_decimal(text, place);
        let begins = lead.is_empty() && text[place.clone()].starts_with(['0', '-', '−']);
        let is_one = (behind_word || begins || is_priced_each(text, place))
            && !listed
            && !is_like_a_year(&text[place.clone()])
            && ends_here(text, place.end)
            && scan.is_free(place);
        last = if is_one { place.end } else { last };
        is_one
    });
    let places: Vec<Range<usize>> = places.take(MOST_BARE + 1).collect();
    if places.len() <= MOST_BARE {
        for place in places {
            scan.claim(place, Kind::Number);
        }
    }
}

/// Whether a comma in a figure stands in front of its decimals, as in most languages but English, and parts no list: nothing
/// comes before it, or many digits do, or a word of such a language stands in front.
fn is_decimal(text: &str, place: &Range<usize>) -> bool {
    static LEADS: Words = Words::new(
        "a avg de des di du es est igual là média somme soit sono total vale vaut à è era été são",
    );
    const MANY: usize = 3;
    const MOST: usize = 2;
    let Some((whole, rest)) = text[place.clone()].split_once(',') else { return false };
    let is_sure = whole.trim_start_matches(['-', '−']) == "0"
        || whole.len() >= MANY && rest.len() <= MOST
        || LEADS.hold_lower(word_before(text, place.start));
    is_sure && !rest.contains(',')
}

/// Whether the words behind a figure with decimals say that it is a price: `4.20 each`, `64,80 pro`.
fn is_priced_each(text: &str, place: &Range<usize>) -> bool {
    static EACH: Words = Words::new("apiece chacun each je jeweils per pièce pro stuk stück");
    let cents = text[place.clone()].rsplit(['.', ',']).next().map_or(0, str::len);
    let next = text[place.end..].strip_prefix(' ').unwrap_or_default();
    let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    // `0,68 le kilo`
    let is_measure = || {
        const ARTICLES: [&str; 5] = ["al", "el", "il", "la", "le"];
        const OF: [&str; 8] = ["chilo", "heure", "kg", "kilo", "litre", "litro", "mètre", "pièce"];
        let behind = next.split(' ').nth(1).unwrap_or_default();
        ARTICLES.contains(&word)
            && OF.iter().any(|of| behind.trim_end_matches([',', '.', ';']) == *of)
    };
    cents == 2 && (EACH.hold_lower(word) || is_measure())
}

/// A figure with the minus in front of it, if a space is in front of that: `to -0.027`.
fn signed(text: &str, place: Range<usize>) -> Range<usize> {
    let lead = &text[..place.start];
    let sign = ["-", "−"]
        .into_iter()
        .find(|sign| lead.strip_suffix(sign).is_some_and(|lead| lead.ends_with([' ', '(', '['])));
    place.start - sign.map_or(0, str::len)..place.end
}

/// Whether a figure of four digits may be a year, or is a round one: by itself it says little.
fn is_like_a_year(figure: &str) -> bool {
    let number = Some(figure).filter(|figure| figure.len() == 4).and_then(|one| one.parse().ok());
    number.is_some_and(|number: u32| (1_900..2_100).contains(&number) || number.is_multiple_of(100))
}
