//! Names in German, where every noun has a capital: those behind a title, first names with what follows, and places.

use std::ops::Range;

use super::given::is_given;
use super::{TITLES, Word, name};
use crate::specifics::scan::word_before;
use crate::specifics::words::Words;

/// Words in front of a place; a common noun has an article behind them.
static BEFORE_PLACES: Words = Words::new("ab aus bei bis in nach über");

/// Places that end as no other does.
static CITIES: Words = Words::new(
    "Aachen Basel Berlin Bern Bielefeld Bochum Bonn Bremen Dortmund Dresden Genf Graz Hannover Jena Kassel Kiel Köln Leipzig Linz \
     Luzern Mainz Mannheim München Potsdam Rostock Stuttgart Trier Ulm Wien Wuppertal Zürich",
);

/// What places end with.
const OF_PLACES: [&str; 25] = [
    "au", "bach", "berg", "born", "bronn", "brück", "brücken", "burg", "bühl", "dorf", "felde",
    "furt", "hausen", "heim", "hofen", "ingen", "itz", "kirchen", "moos", "münde", "ow", "roda",
    "rode", "stadt", "stedt",
];

/// The same of what is a common noun more often.
const OF_NOUNS: [&str; 33] = [
    "altersheim",
    "altstadt",
    "bau",
    "besitz",
    "blau",
    "blitz",
    "daheim",
    "flow",
    "frau",
    "geheim",
    "grau",
    "großstadt",
    "innenstadt",
    "kinderheim",
    "kitz",
    "kleinstadt",
    "lakritz",
    "lingen",
    "neustadt",
    "pfau",
    "pflegeheim",
    "sau",
    "schau",
    "schlitz",
    "show",
    "sitz",
    "stau",
    "tau",
    "tierheim",
    "window",
    "witz",
    "wohnheim",
    "zuhau",
];

/// What streets end with; the last two are also what else has a number.
const OF_STREETS: [&str; 7] = ["allee", "chaussee", "gasse", "strasse", "straße", "platz", "weg"];
const SURE_STREETS: usize = 5;

/// Words with which no street begins that ends with one of the last two.
const NO_STREETS: [&str; 14] = [
    "arbeits", "aus", "heim", "liege", "lösungs", "park", "rechen", "schlaf", "sitz", "spiel",
    "steh", "stell", "um", "zahlungs",
];

/// What stands behind a name often and is none: `Stefan Bescheid geben`.
static THINGS: Words = Words::new(
    "Angst Antworten Arbeit Aufgaben Belege Bescheid Bilder Blumen Brot Bücher Daten Dokumente Eis Essen Fieber Fotos Geld Getränke \
     Hilfe Hunger Kaffee Karten Kisten Kuchen Papiere Post Probleme Rechnungen Recht Tabletten Termin Termine Unterlagen Urlaub \
     Wasser Zeit Zugriff Ärger",
);

/// What firms end with that are called by a name behind it.
const OF_FIRMS: [&str; 6] = ["büro", "kanzlei", "praxis", "spedition", "werkstatt", "agentur"];

/// What common nouns end with.
const OF_THINGS: [&str; 6] = ["heit", "keit", "schaft", "tag", "ung", "zeit"];

/// The name in a run of capitalised words.
pub(super) fn find(text: &str, run: &[Word]) -> Option<Range<usize>> {
    titled(text, run).or_else(|| with_given(text, run)).or_else(|| place(text, run))
}

/// What stands behind a title, with that.
fn titled(text: &str, run: &[Word]) -> Option<Range<usize>> {
    let said = |word: &Word| &text[word.place.range()];
    let is_title = |pair: &[Word]| {
        let is_firm = || OF_FIRMS.iter().any(|end| said(&pair[0]).ends_with(end));
        let is_noun = || OF_THINGS.iter().any(|end| said(&pair[1]).ends_with(end));
        let leads = TITLES.holds(said(&pair[0])) || is_firm() && !is_noun();
        leads && pair[1].capital && !THINGS.holds(said(&pair[1]))
    };
    let from = run.windows(2).position(is_title)?;
    let titled = &run[from..];
    let place = name(text, titled, true);
    let whole = || Some(titled.first()?.place.start()..titled.get(1)?.place.end());
    place.or_else(|| whole().filter(|_| !TITLES.holds(said(&titled[0]))))
}

/// A first name, and the last name behind it, if something stands behind that which ends a name.
fn with_given(text: &str, run: &[Word]) -> Option<Range<usize>> {
    let said = |word: &Word| &text[word.place.range()];
    let first = run.iter().position(|word| is_given(said(word)))?;
    let start = run[first].place.start();
    let last = run.get(first + 1).filter(|last| {
        let is_noun = OF_THINGS.iter().any(|end| said(last).ends_with(end));
        last.closed && last.capital && !is_noun && !THINGS.holds(said(last))
    });
    Some(start..last.unwrap_or(&run[first]).place.end())
}

/// A place behind a preposition, or a street with its number or with a hyphen in its name.
fn place(text: &str, run: &[Word]) -> Option<Range<usize>> {
    run.iter().find_map(|word| {
        street(text, word).or_else(|| is_place(text, word).then(|| word.place.range()))
    })
}

fn is_place(text: &str, word: &Word) -> bool {
    let said = &text[word.place.range()];
    let lower = said.to_lowercase();
    let is_it = || {
        let ends = |end: &str| lower.ends_with(end) && lower.len() > end.len() + 2;
        OF_PLACES.iter().any(|end| ends(end)) && !OF_NOUNS.iter().any(|noun| lower.ends_with(noun))
    };
    if is_part_of_city(said) {
        return true;
    }
    !word.first
        && BEFORE_PLACES.hold_lower(word_before(text, word.place.start()))
        && (CITIES.holds(said) || is_it())
}

/// Whether a word is a city and a part of it: `Kassel-Wilhelmshöhe`.
fn is_part_of_city(word: &str) -> bool {
    static NONE: Words = Words::new(
        "aufenthalt ausflug besuch büro derby fahrer fahrt fan fans flug karte kurs lauf marathon messe plan projekt reise \
         reisen spiel stadtplan start team termin ticket tickets tour trip umzug urlaub wochenende zug",
    );
    word.split_once('-').is_some_and(|(city, part)| {
        let is_name = part.starts_with(char::is_uppercase) && part.len() > 3;
        CITIES.holds(city)
            && is_name
            && part.chars().all(char::is_alphabetic)
            && !NONE.hold_lower(part)
    })
}

/// A street, with the number of a house behind it.
fn street(text: &str, word: &Word) -> Option<Range<usize>> {
    let said = text[word.place.range()].to_lowercase();
    let sort =
        OF_STREETS.iter().position(|end| said.ends_with(end) && said.len() > end.len() + 2)?;
    let (start, end) = (word.place.start(), word.place.end());
    let digits = text[end..]
        .strip_prefix(' ')
        .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let is_sure = sort < SURE_STREETS || !NO_STREETS.iter().any(|lead| said.starts_with(lead));
    // What the figure counts may stand behind it.
    let mut behind = text[end..].chars().skip(digits + 1);
    let counts = behind.next() == Some(' ') && behind.next().is_some_and(char::is_uppercase);
    if digits > 0 && is_sure && !counts {
        return Some(start..end + 1 + digits);
    }
    (sort < SURE_STREETS && said.contains('-')).then_some(start..end)
}
