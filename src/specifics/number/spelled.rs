//! Amounts in words as figures: `twenty-one files` is `21 files`, `an hour and a half` is `1.5 hour`, `one fifth of` is
//! `20 % of`.

mod cardinal;
mod half;
mod pace;
mod share;

pub(super) use pace::is_adverb;

use super::figure_word;
use crate::specifics::unit;

/// Words behind which "one" stands for something.
const POINTERS: [&str; 8] = ["another", "each", "every", "old", "new", "that", "this", "which"];

/// Words that stand for one where a unit is behind them.
const ARTICLES: [&str; 14] = [
    "a", "an", "d'un", "d'une", "d’un", "ein", "eine", "einem", "einen", "einer", "un", "una",
    "une", "uno",
];

/// Words behind which an article says how often, as a figure does: `$5 a month`, `twice a week`.
const OFTEN: [&str; 4] = ["once", "thrice", "times", "twice"];

/// A word with what stands behind it up to the next one.
pub(in crate::specifics) struct Piece<'t> {
    /// The word.
    pub(in crate::specifics) word: &'t str,
    /// The same in small letters.
    pub(in crate::specifics) lower: String,
    /// What stands behind it.
    pub(in crate::specifics) gap: &'t str,
}

/// What some words say in figures, and how many they are.
struct Said {
    text: String,
    taken: usize,
}

impl Said {
    fn of(value: f64, taken: usize) -> Self {
        Self { text: value.to_string(), taken }
    }
}

/// The words from one on, and the one before it.
#[derive(Clone, Copy)]
struct From<'a, 't> {
    before: &'a str,
    pieces: &'a [Piece<'t>],
}

impl<'a> From<'a, '_> {
    fn word(self, nth: usize) -> Option<&'a str> {
        self.pieces.get(nth).map(|piece| piece.lower.as_str())
    }

    /// Whether only a space or a hyphen stands behind a word.
    fn joined(self, nth: usize) -> bool {
        self.pieces.get(nth).is_some_and(|piece| matches!(piece.gap, " " | "-"))
    }

    /// Whether some words follow each other from one on, which itself follows the one before it.
    fn follow(self, from: usize, words: &[&str]) -> bool {
        let mut each = words.iter().enumerate();
        each.all(|(nth, word)| self.word(from + nth) == Some(*word))
            && (from.saturating_sub(1)..from + words.len() - 1).all(|nth| self.joined(nth))
    }

    fn is_article(self, nth: usize) -> bool {
        self.word(nth).is_some_and(|word| ARTICLES.contains(&word)) && self.joined(nth)
    }

    /// Whether a word is a unit that is told in words, and follows the one before it.
    fn is_unit(self, nth: usize) -> bool {
        nth > 0 && self.joined(nth - 1) && self.word(nth).is_some_and(unit::is_worded)
    }
}

/// A text with figures for its number words.
pub(in crate::specifics) fn in_figures(text: &str) -> String {
    let pieces: Vec<Piece<'_>> = pieces(text);
    let mut out = String::with_capacity(text.len());
    let mut nth = 0;
    while let Some(piece) = pieces.get(nth) {
        let before = nth.checked_sub(1).and_then(|last| pieces.get(last));
        let before = before.map_or("", |piece| piece.lower.as_str());
        if let Some(said) = read(From { before, pieces: &pieces[nth..] }) {
            out.push_str(&said.text);
            nth += said.taken;
            out.push_str(pieces[nth - 1].gap);
        } else {
            out.extend([piece.word, piece.gap]);
            nth += 1;
        }
    }
    out
}

/// The words of a text, with what stands behind each.
pub(in crate::specifics) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ',' | '\'' | '’');
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
        let word = rest[..end].trim_end_matches(|c: char| !c.is_alphanumeric());
        let next = rest[end..].find(inside).map_or(rest.len(), |at| end + at);
        found.push(Piece { word, lower: word.to_lowercase(), gap: &rest[word.len()..next] });
        rest = &rest[next..];
    }
    found
}

/// What the first words say in figures.
fn read(from: From<'_, '_>) -> Option<Said> {
    let first = from.word(0)?;
    // "That one" counts nothing.
    if first == "one" && POINTERS.contains(&from.before) {
        return None;
    }
    if first.starts_with(|c: char| c.is_ascii_digit()) {
        return pace::clocked(from).or_else(|| number(from));
    }
    share::read(from)
        .or_else(|| half::read(from))
        .or_else(|| pace::read(from))
        .or_else(|| number(from))
}

/// A number, perhaps with half of one more: `two and a half hours`, `an hour and a half`.
fn number(from: From<'_, '_>) -> Option<Said> {
    let (value, taken) = one(from).or_else(|| cardinal::read(from.pieces))?;
    // `a good hour` is a bit more.
    let about = if from.is_article(0) && from.word(1) == Some("good") { "a good " } else { "" };
    if let Some(more) = half::more(from, taken) {
        return Some(Said::of(value + 0.5, taken + more));
    }
    if from.is_unit(taken)
        && let Some(more) = half::more(from, taken + 1)
    {
        let text = format!("{about}{} {}", value + 0.5, from.pieces[taken].word);
        return Some(Said { text, taken: taken + 1 + more });
    }
    let spelled =
        from.pieces[..taken].iter().any(|piece| piece.word.starts_with(char::is_alphabetic));
    spelled.then(|| Said { text: format!("{about}{value}"), taken })
}

/// An article that stands for one, and what it is one of if that is a number.
fn one(from: From<'_, '_>) -> Option<(f64, usize)> {
    let next = from.word(1).filter(|_| from.is_article(0))?;
    if matches!(from.word(0), Some("a" | "an"))
        && let Some(size) = cardinal::size(next)
    {
        return Some((size, 2));
    }
    let per = from.before.starts_with(|c: char| c.is_ascii_digit())
        || OFTEN.contains(&from.before)
        || unit::canonical(from.before).is_some();
    let is_whole = matches!(next, "full" | "whole") || next == "good" && is_a_bit_more(from);
    if is_whole && from.is_unit(2) {
        return Some((1.0, 2));
    }
    (from.is_unit(1) && !per).then_some((1.0, 1))
}

/// Whether `a good` and a unit tell how long something takes, and not how it was: `it took a good hour`.
fn is_a_bit_more(from: From<'_, '_>) -> bool {
    const TAKES: [&str; 12] = [
        "after", "for", "last", "lasted", "needs", "spent", "take", "takes", "taking", "took",
        "waited", "within",
    ];
    const UNITS: [&str; 5] = ["hour", "mile", "minute", "month", "week"];
    TAKES.contains(&from.before) && from.word(2).is_some_and(|unit| UNITS.contains(&unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_words_are_figures_and_other_words_stay() {
        for (text, expected) in [
            ("twelve errors, twenty-one files.", "12 errors, 21 files."),
            ("two hundred and fifty of them", "250 of them"),
            ("one and a half hours", "1.5 hours"),
            ("3 and a half hours", "3.5 hours"),
            ("half an hour, half a kilo", "0.5 hour, 0.5 kilo"),
            ("a quarter of an hour", "0.25 hour"),
            ("a dozen eggs, two dozen", "12 eggs, 24"),
            ("three thousand five hundred", "3500"),
            ("two, three and four", "2, 3 and 4"),
            ("after a week, in a file", "after 1 week, in a file"),
            ("rest it a full day, a whole file", "rest it 1 day, a whole file"),
            ("due on Monday at 10.5", "due on Monday at 10.5"),
            ("Three. Two", "3. 2"),
            ("one", "1"),
            ("half", "half"),
            ("", ""),
        ] {
            assert_eq!(in_figures(text), expected);
        }
    }

    #[test]
    fn number_words_of_other_languages_are_figures_where_they_are_no_other_words() {
        for (text, expected) in [
            ("diecinueve pruebas, treinta y cinco", "19 pruebas, 35"),
            ("vingt-quatre oignons, vingt et un", "24 oignons, 21"),
            ("fünfzehn Dateien, vierundzwanzig", "15 Dateien, 24"),
            ("veinticuatro, soixante-dix", "24, 70"),
            ("douze mille euros, mil euros", "12000 euros, 1000 euros"),
            ("dreihundert Euro, zweitausendfünfhundert", "300 Euro, 2500"),
            ("hundertzwanzig, einhundertfünf, Jahrhundert", "120, 105, Jahrhundert"),
            ("drei tausend Euro, Mille is a name", "3000 Euro, Mille is a name"),
            ("sept jours, due ore", "7 jours, 2 ore"),
            ("once a day, 3 sept, it is due", "once a day, 3 sept, it is due"),
            ("und dann", "und dann"),
        ] {
            assert_eq!(in_figures(text), expected);
        }
    }

    #[test]
    fn a_word_without_end_is_no_number() {
        let word = "hundert".repeat(20_000);
        assert_eq!(in_figures(&word), word);
    }

    #[test]
    fn halves_shares_and_paces_are_figures() {
        for (text, expected) in [
            ("a year and a half ahead", "1.5 year ahead"),
            ("two hours and a half", "2.5 hours"),
            ("trois heures et demie, una hora y media", "3.5 heures, 1.5 hora"),
            ("eine halbe Stunde, media hora, une demi-heure", "0.5 Stunde, 0.5 hora, 0.5-heure"),
            ("anderthalb Stunden, zweieinhalb Tage", "1.5 Stunden, 2.5 Tage"),
            ("eine Dreiviertelstunde, each half second", "eine 0.75 Stunden, each 0.5 second"),
            ("a half second look", "a half second look"),
            ("a media query, half of it", "a media query, 50 % of it"),
            ("one fifth of users, under a quarter", "20 % of users, under 25 %"),
            ("520 guests, three fifths vegan", "520 guests, 60 % vegan"),
            ("three fifths, above a twentieth", "60 %, above 5 %"),
            ("one in forty, one in ten days", "2.5 %, 1 in 10 days"),
            ("one in three, one in two thousand nineteen", "33 %, 1 in 2019"),
            ("two thirds of all, die Hälfte der", "67 % of all, 50 % der"),
            ("a third party, in a quarter", "a third party, in a quarter"),
            ("refreshed weekly, a weekly report", "refreshed weekly 1 week, a weekly report"),
            ("crits double the damage, twice", "crits 2x the damage, 2 times"),
            ("double quotes, double room", "double quotes, double room"),
            ("over half an hour, over half of it", "over 0.5 hour, over 50 % of it"),
            ("it took a good hour and a half", "it took a good 1.5 hour"),
            ("have a good day, a good hour to call", "have a good day, a good hour to call"),
            ("a good idea, a group of one fifth", "a good idea, a group of 20 %"),
            ("every quarter of a minute, a quarter second", "every 0.25 minute, 0.25 second"),
            ("10:40 minutes, at 10:40", "10 min 40 s, at 10:40"),
            ("3 h 30, 3h30, 3 h 30 min", "3 h 30 min, 3 h 30 min, 3 h 30 min"),
            ("$5 a month, twice a week", "$5 a month, 2 times a week"),
        ] {
            assert_eq!(in_figures(text), expected);
        }
    }
}
