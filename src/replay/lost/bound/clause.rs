//! Clauses of a text, with the values in them and the words that are nearest to each.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::quality::FixedState;

/// What ends a clause. What stands in brackets belongs to what is in front of them.
const ENDS: [&str; 15] = [
    ", ", ". ", ") ", "),", " – ", " — ", " and ", " but ", " et ", " mais ", " o ", " or ",
    " u. ", " und ", " y ",
];

/// Signs that end one too.
const SIGNS: [char; 6] = ['\n', '|', '!', '?', ';', '→'];

/// So many names are looked for without asking first whether their words are there.
const FEW: usize = 64;

/// Words that say of nothing what it is; shorter ones never do.
const PLAIN: [&str; 60] = [
    "about", "all", "also", "are", "auf", "aus", "avec", "can", "con", "dans", "das", "dem", "den",
    "der", "des", "die", "ein", "eine", "est", "for", "from", "für", "had", "has", "have", "into",
    "ist", "las", "les", "los", "mit", "not", "now", "nun", "nur", "one", "only", "para", "par",
    "per", "por", "pour", "que", "set", "sind", "son", "sont", "still", "sur", "than", "that",
    "the", "then", "this", "una", "une", "von", "was", "were", "with",
];

/// Letters that a word has at least which says something, and those of a unit right behind a figure at most.
const SHORTEST: usize = 3;

/// Values of one clause: what has more is a list, in which no word is of one of them.
const MOST: usize = 32;

/// Sorts of values.
const SORTS: usize = 4;

/// The hash of a word. That of another one is the same once in 2^64 times.
pub(super) type Word = u64;

/// Something that may be said of one thing or of another one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// A figure alone: `25`.
    Figure(String),
    /// A figure with the word or sign behind it: `25 s`.
    Measured(String),
    /// A name or an identifier.
    Name(String),
    /// A day or a time.
    Day(String),
}

impl Value {
    /// The figures of a text in small letters, each alone and with what stands behind it.
    pub(super) fn figures(lower: &str) -> Vec<Self> {
        figures(lower).into_iter().map(|(value, _)| value).collect()
    }

    /// Whether it is a figure with a unit, and not with a word of what it counts.
    pub(super) fn has_unit(&self) -> bool {
        let unit = |text: &str| text.split(' ').nth(1).map_or(0, |unit| unit.chars().count());
        matches!(self, Self::Measured(text) if unit(text) <= SHORTEST)
    }

    /// What it is called, if it is no figure.
    fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) | Self::Day(name) => Some(name),
            Self::Figure(_) | Self::Measured(_) => None,
        }
    }

    /// What it is compared with: a figure alone with those alone.
    pub(super) fn sort(&self) -> usize {
        match self {
            Self::Figure(_) => 0,
            Self::Measured(_) => 1,
            Self::Name(_) => 2,
            Self::Day(_) => 3,
        }
    }
}

/// A text in small letters, without marks and with plain spaces.
pub(super) fn plain(text: &str) -> String {
    let sign = |c: char| match c {
        '*' | '`' | '"' | '“' | '”' | '„' | '\u{a0}' => ' ',
        '’' => '\'',
        c => c,
    };
    text.to_lowercase().chars().filter(|c| *c != '\u{202f}').map(sign).collect()
}

/// The clauses of such a text, with the names and the days in them that are among these. No clause ends within one of
/// those, as behind the comma of `January 5, 2027`.
pub(super) fn clauses<'t>(plain: &'t str, names: &BTreeSet<Value>) -> Vec<Clause<'t>> {
    let places = all_places(plain, names);
    let mut clauses: Vec<Clause<'_>> = parts(plain, &places)
        .into_iter()
        .map(|(at, text)| Clause { at, text, names: Vec::new() })
        .collect();
    for (name, place) in places {
        let nth = clauses.partition_point(|clause| clause.at <= place.start);
        let clause = nth.checked_sub(1).and_then(|nth| clauses.get_mut(nth));
        if let Some(clause) = clause.filter(|clause| place.end <= clause.at + clause.text.len()) {
            clause.names.push((name.clone(), place.start - clause.at..place.end - clause.at));
        }
    }
    clauses
}

/// Where in a text names stand that are among these.
fn all_places<'n>(plain: &str, names: &'n BTreeSet<Value>) -> Vec<(&'n Value, Place)> {
    // Most names of a long talk are in none of the clauses of its summary.
    let known: BTreeSet<&str> =
        if names.len() > FEW { bare_words(plain).collect() } else { BTreeSet::new() };
    let may_be_in = |name: &str| bare_words(name).all(|word| known.contains(word));
    let called = names.iter().filter_map(|name| Some((name, name.name()?)));
    called
        .filter(|(_, text)| names.len() <= FEW || may_be_in(text))
        .flat_map(|(name, text)| places_of(plain, text).into_iter().map(move |place| (name, place)))
        .collect()
}

/// The parts of a text where clauses end, but for those that end within one of some places.
fn parts<'t>(plain: &'t str, places: &[(&Value, Place)]) -> Vec<(usize, &'t str)> {
    let mut parts: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for part in plain.split_inclusive(SIGNS) {
        parts.push((at, part.trim_end_matches(SIGNS)));
        at += part.len();
    }
    for end in ENDS {
        parts = parts.into_iter().flat_map(|part| split(part, end)).collect();
    }
    // What begins within a place goes on with what is in front of it.
    let mut within: Vec<&Place> = places.iter().map(|(_, place)| place).collect();
    within.sort_by_key(|place| place.start);
    let mut open = within.into_iter().peekable();
    let mut end = 0;
    let mut whole: Vec<(usize, &str)> = Vec::with_capacity(parts.len());
    for (at, text) in parts {
        while let Some(place) = open.next_if(|place| place.start < at) {
            end = end.max(place.end);
        }
        match whole.last_mut() {
            Some((begin, last)) if end > at => *last = &plain[*begin..at + text.len()],
            _ => whole.push((at, text)),
        }
    }
    whole
}

/// A part with where it begins, split where some signs stand.
fn split<'t>((at, part): (usize, &'t str), end: &'t str) -> impl Iterator<Item = (usize, &'t str)> {
    let mut next = at;
    part.split(end).map(move |piece| {
        let begin = next;
        next += piece.len() + end.len();
        (begin, piece)
    })
}

/// Where a name stands by itself.
fn places_of(text: &str, name: &str) -> Vec<Place> {
    let is_apart = |at: &usize| {
        !text[..*at].ends_with(char::is_alphanumeric)
            && !text[at + name.len()..].starts_with(char::is_alphanumeric)
    };
    let places = text.match_indices(name).map(|(at, _)| at).filter(is_apart);
    places.map(|at| at..at + name.len()).collect()
}

/// The runs of letters and digits of a text.
fn bare_words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

/// A part of a sentence.
#[derive(Debug)]
pub(super) struct Clause<'t> {
    /// Where it begins in its text.
    at: usize,
    text: &'t str,
    names: Vec<(Value, Place)>,
}

/// Where something stands in a clause.
type Place = Range<usize>;

impl Clause<'_> {
    /// Its values, with the words that are nearest to each.
    pub(super) fn values(mut self) -> Vec<(Value, Vec<Word>)> {
        let mut all = figures(self.text);
        all.append(&mut self.names);
        if all.is_empty() || all.len() > MOST {
            return Vec::new();
        }
        let mut values: Vec<(Value, Vec<Word>)> =
            all.iter().map(|(value, _)| (value.clone(), Vec::new())).collect();
        for (word, place) in self.words() {
            for sort in 0..SORTS {
                let of_sort =
                    || all.iter().enumerate().filter(|(_, (value, _))| value.sort() == sort);
                let nearest = of_sort().map(|(_, (_, at))| distance(at, &place)).min();
                let nearest = nearest.filter(|distance| *distance > 0);
                let those = of_sort().filter(|(_, (_, at))| Some(distance(at, &place)) == nearest);
                those.for_each(|(nth, _)| values[nth].1.push(word));
            }
        }
        values
    }

    /// Its words that may say what something is.
    fn words(&self) -> Vec<(Word, Place)> {
        let is_sign = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\''));
        let mut at = 0;
        let mut words = Vec::new();
        for piece in self.text.split_inclusive(is_sign) {
            let word = piece.trim_matches(|c: char| !c.is_alphanumeric());
            if let Some(stem) = stem(word) {
                words.push((FixedState::default().hash_one(stem), at..at + word.len()));
            }
            at += piece.len();
        }
        words
    }
}

/// The figures of a text, each alone and with what stands behind it.
fn figures(text: &str) -> Vec<(Value, Place)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|next| at + next) {
        let end = start + figure_length(&text[start..]);
        at = end;
        if text[..start].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ',')) {
            continue;
        }
        let figure = without_thousands(&text[start..end]);
        let behind = text[end..].trim_start_matches(' ');
        let length = behind.find(|c: char| " ,;:()/=".contains(c)).unwrap_or(behind.len());
        let unit = behind[..length].trim_end_matches('.');
        if !unit.is_empty() {
            let end = text.len() - behind.len() + unit.len();
            found.push((Value::Measured(format!("{figure} {unit}")), start..end));
        }
        found.push((Value::Figure(figure), start..end));
    }
    found
}

/// Bytes between two places; none if one is within the other.
fn distance(one: &Place, other: &Place) -> usize {
    if one.start < other.end && other.start < one.end {
        return 0;
    }
    1 + one.start.max(other.start) - one.end.min(other.end)
}

/// A word without the ending of several or of whose it is, if it says something.
fn stem(word: &str) -> Option<&str> {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let has_digit = word.contains(|c: char| c.is_ascii_digit());
    let figure = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_measured = figure.len() < word.len() && figure.chars().count() <= SHORTEST;
    let says = word.chars().count() >= SHORTEST || has_digit;
    let stem = word.strip_suffix('s').filter(|stem| stem.len() > SHORTEST).unwrap_or(word);
    (says && !is_measured && !PLAIN.contains(&word)).then_some(stem)
}

/// How long the figure is with which a text begins: `1,240.5`.
fn figure_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let joins = |at: usize| matches!(bytes.get(at), Some(b'.' | b',')) && is_digit(at + 1);
    (0..bytes.len()).find(|&at| !is_digit(at) && !joins(at)).unwrap_or(text.len())
}

/// A figure without separators of thousands, and with a point for the decimals.
fn without_thousands(figure: &str) -> String {
    let mut parts = figure.split(['.', ',']);
    let head = parts.next().is_some_and(|head| head.len() <= 3);
    if head && parts.clone().next().is_some() && parts.all(|part| part.len() == 3) {
        return figure.replace(['.', ','], "");
    }
    figure.replace(',', ".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words_of(text: &str, names: &[&str]) -> Vec<(Value, Vec<Word>)> {
        let names = names.iter().map(|&name| Value::Name(name.to_owned())).collect();
        clauses(&plain(text), &names).into_iter().flat_map(Clause::values).collect()
    }

    #[test]
    fn each_word_is_of_the_value_that_is_nearest_to_it() {
        let hash = |words: &[&str]| -> Vec<Word> {
            words.iter().map(|word| FixedState::default().hash_one(word)).collect()
        };
        let figure = |text: &str| Value::Figure(text.to_owned());
        let found = words_of(
            "**Reads** took 1.240,5 in the morning of Dana (against 30 before)",
            &["dana"],
        );
        let of = |value: &Value| &found.iter().find(|(known, _)| known == value).unwrap().1;
        assert_eq!(*of(&figure("1.240.5")), hash(&["read", "took", "morning"]));
        assert_eq!(*of(&figure("30")), hash(&["dana", "against", "before"]));
        assert_eq!(of(&Value::Name("dana".to_owned())).len(), 5);
        assert!(words_of("no value here", &[]).is_empty());
    }

    #[test]
    fn figures_are_read_with_what_stands_behind_them() {
        for (text, figures) in [
            ("1,240 trees, 12,8 % and v2.3", &["1240 trees", "1240", "12.8 %", "12.8"][..]),
            ("3s", &["3 s", "3"]),
            ("from 5 to 1.5.", &["5 to", "5", "1.5"]),
            ("", &[]),
        ] {
            let found: Vec<String> = clauses(&plain(text), &BTreeSet::new())
                .iter()
                .flat_map(|clause| Value::figures(clause.text))
                .map(|value| match value {
                    Value::Figure(text)
                    | Value::Measured(text)
                    | Value::Name(text)
                    | Value::Day(text) => text,
                })
                .collect();
            assert_eq!(found, figures, "{text}");
        }
    }
}
