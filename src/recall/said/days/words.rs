//! The words by which people say when, in English, German, Spanish and French.

use crate::recall::forms;

/// What is counted back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Year,
}

/// The names of each month, the English one first, of which the first three letters do as well.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner", "enero", "janvier"],
    &["february", "februar", "febrero", "février"],
    &["march", "märz", "marzo", "mars"],
    &["april", "abril", "avril"],
    &["may", "mai", "mayo"],
    &["june", "juni", "junio", "juin"],
    &["july", "juli", "julio", "juillet"],
    &["august", "agosto", "août"],
    &["september", "septiembre", "septembre"],
    &["october", "oktober", "octubre", "octobre"],
    &["november", "noviembre", "novembre"],
    &["december", "dezember", "diciembre", "décembre"],
];

/// Names of months that are words of their own.
const DOUBTFUL: &[&str] = &["may", "mai", "march", "mars"];

/// Words before a month: before a short name, which is a word of other languages, those of English only.
const LEADS_TO_SHORT: &[&str] =
    &["in", "of", "since", "last", "this", "during", "until", "early", "late", "mid"];
const LEADS: &[&str] = &[
    "in", "of", "since", "last", "this", "during", "until", "early", "late", "mid", "im", "seit",
    "anfang", "mitte", "ende", "en", "de", "del", "desde", "début", "fin", "depuis",
];

/// Words for a part of a month, with its days, give or take some.
const PARTS: &[(&[&str], (u32, u32))] = &[
    (&["beginning", "start", "early", "anfang", "principios", "comienzos", "début"], (1, 11)),
    (&["middle", "mid", "mitte", "mediados", "milieu"], (8, 22)),
    (&["end", "late", "ende", "finales", "fines", "fin"], (18, 31)),
];

/// Words for the weeks of a month, in their order.
const WEEKS: &[(&[&str], (u32, u32))] = &[
    (&["first", "erste", "ersten", "primera", "première"], (1, 9)),
    (&["second", "zweite", "zweiten", "segunda", "deuxième"], (6, 16)),
    (&["third", "dritte", "dritten", "tercera", "troisième"], (13, 23)),
    (&["fourth", "vierte", "vierten", "cuarta", "quatrième"], (20, 30)),
    (&["last", "letzte", "letzten", "última", "dernière"], (20, 31)),
];

const WEEKDAYS: [&[&str]; 7] = [
    &["monday", "montag", "lunes", "lundi"],
    &["tuesday", "dienstag", "martes", "mardi"],
    &["wednesday", "mittwoch", "miércoles", "mercredi"],
    &["thursday", "donnerstag", "jueves", "jeudi"],
    &["friday", "freitag", "viernes", "vendredi"],
    &["saturday", "samstag", "sábado", "samedi"],
    &["sunday", "sonntag", "domingo", "dimanche"],
];

/// Words for the past one of its kind, which stand before it or behind it.
const LAST: &[&str] = &["last", "letzte", "letzten", "letztes", "vergangene", "vergangenen"];
const LAST_BEHIND: &[&str] = &["pasado", "pasada", "dernier", "dernière"];

/// Words for the present one, before it.
const THIS: &[&str] = &["this", "diese", "diesen", "dieses", "este", "esta", "ce", "cette"];

/// Numbers of other languages, and words of English for some.
const NUMBERS: &[(&str, i64)] = &[
    ("a", 1),
    ("an", 1),
    ("couple", 2),
    ("few", 3),
    ("ein", 1),
    ("einem", 1),
    ("einer", 1),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("fünf", 5),
    ("sechs", 6),
    ("un", 1),
    ("una", 1),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("cinco", 5),
    ("seis", 6),
    ("une", 1),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("cinq", 5),
    ("six", 6),
];

/// The number of a month by its name, and the words of which one has to stand before it, or a number beside it, if the
/// name may be something else.
pub(super) fn month(word: &str) -> Option<(u32, Option<&'static [&'static str]>)> {
    let full = MONTHS.iter().position(|names| names.contains(&word));
    let is_short = |names: &&[&str]| word.len() == 3 && names[0].starts_with(word);
    let short = || MONTHS.iter().position(is_short);
    let (at, leads) = match full {
        Some(at) => (at, DOUBTFUL.contains(&word).then_some(LEADS)),
        None if word == "sept" => (8, Some(LEADS_TO_SHORT)),
        None => (short()?, Some(LEADS_TO_SHORT)),
    };
    Some((at as u32 + 1, leads))
}

/// The first and the last day of a part of a month, by the words before it.
pub(super) fn part_of_month(before: &[&str]) -> Option<(u32, u32)> {
    let is_of_weeks = before.iter().any(|word| unit(word) == Some(Unit::Week));
    let parts = if is_of_weeks { WEEKS } else { PARTS };
    let is_said = |(names, _): &&(&[&str], _)| before.iter().any(|word| names.contains(word));
    parts.iter().find(is_said).map(|(_, days)| *days)
}

fn unit(word: &str) -> Option<Unit> {
    match word {
        "day" | "days" | "tag" | "tage" | "tagen" | "día" | "días" | "jour" | "jours" => {
            Some(Unit::Day)
        }
        "week" | "weeks" | "woche" | "wochen" | "semana" | "semanas" | "semaine" | "semaines" => {
            Some(Unit::Week)
        }
        "month" | "months" | "monat" | "monate" | "monaten" | "mes" | "meses" | "mois" => {
            Some(Unit::Month)
        }
        "year" | "years" | "jahr" | "jahre" | "jahren" | "año" | "años" | "an" | "ans"
        | "année" => Some(Unit::Year),
        _ => None,
    }
}

fn number(word: &str) -> Option<i64> {
    let named = NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    named.or_else(|| forms::regular(word).unwrap_or(word).parse().ok())
}

/// How many days ago the day was that words begin with.
pub(super) fn days_back(words: &[&str]) -> Option<i64> {
    match words {
        ["today" | "heute" | "hoy", ..] | ["aujourd", "hui", ..] => Some(0),
        ["yesterday" | "gestern" | "ayer", ..] => Some(1),
        ["vorgestern" | "anteayer", ..] => Some(2),
        _ => None,
    }
}

/// How many of what words count back: `three weeks ago`, `vor drei Wochen`, `hace tres semanas`, `il y a trois semaines`.
pub(super) fn ago(words: &[&str]) -> Option<(i64, Unit)> {
    match words {
        [count, "of", of, "ago", ..]
        | [count, of, "ago", ..]
        | ["vor" | "hace", count, of, ..]
        | ["il", "y", "a", count, of, ..] => Some((number(count)?, unit(of)?)),
        _ => None,
    }
}

/// The weekday of the week before that words begin with, counted from Monday as 0.
pub(super) fn past_weekday(words: &[&str]) -> Option<i64> {
    let name = match words {
        [before, name, ..] if LAST.contains(before) || ["on", "am"].contains(before) => name,
        [name, behind, ..] if LAST_BEHIND.contains(behind) => name,
        _ => return None,
    };
    i64::try_from(WEEKDAYS.iter().position(|names| names.contains(name))?).ok()
}

/// Whether words begin with the last one of a unit, or with the present one.
pub(super) fn this_or_last(words: &[&str]) -> Option<(bool, Unit)> {
    match words {
        [before, of, ..] if LAST.contains(before) => Some((true, unit(of)?)),
        [before, of, ..] if THIS.contains(before) => Some((false, unit(of)?)),
        [of, behind, ..] if LAST_BEHIND.contains(behind) => Some((true, unit(of)?)),
        _ => None,
    }
}
