//! Days and times in words as figures: `at ten` is `at 10:00`, `half past three` is `3:30`, `8:30 de la tarde` is `20:30`,
//! `end of October 2024` is `31 October 2024`. What is ambiguous is read as a date, for that is what a summary is asked for.

use std::fmt::Write;

use crate::specifics::calendar::{MONTHS, WEEKDAYS};
use crate::specifics::number::{Piece, figure_word, pieces};

/// Words in front of an hour in words.
const AT: [&str; 10] = ["alle", "around", "at", "from", "gegen", "las", "um", "until", "vers", "à"];

/// Words in front of an hour that show it to be one, and to count nothing.
const SURELY_AT: [&str; 1] = ["um"];

/// What an hour is called behind its figure.
const HOURS: [&str; 6] = ["h", "heure", "heures", "horas", "o'clock", "uhr"];

/// Days of a month in words, from the first on.
const ORDINALS: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// Parts of the day that are one word with it in German.
const DAYPARTS: [&str; 6] = ["abend", "früh", "mittag", "morgen", "nachmittag", "vormittag"];

/// Days that have a name.
const NAMED_DAYS: [(&[&str], &str); 7] = [
    (&["new", "year's", "day"], "1 January"),
    (&["new", "year's", "eve"], "31 December"),
    (&["christmas", "eve"], "24 December"),
    (&["christmas", "day"], "25 December"),
    (&["heiligabend"], "24. Dezember"),
    (&["silvester"], "31. Dezember"),
    (&["neujahr"], "1. Januar"),
];

/// Words behind an hour in words that show it to be one, and to count nothing.
const BEHIND: [&str; 14] = [
    "and", "because", "but", "for", "if", "in", "o'clock", "on", "or", "so", "then", "uhr", "und",
    "with",
];

/// Midday, in other languages than English.
const NOONS: [&str; 4] = ["mediodía", "mezzogiorno", "midi", "mittags"];

/// What is added to an hour in words, and how many minutes that are.
const MORE: [(&[&str], u32); 7] = [
    (&["et", "demie"], 30),
    (&["et", "quart"], 15),
    (&["y", "media"], 30),
    (&["y", "cuarto"], 15),
    (&["e", "mezza"], 30),
    (&["e", "mezzo"], 30),
    (&["e", "un", "quarto"], 15),
];

/// What makes an hour one of the second half of the day, behind it.
const LATE: [&[&str]; 15] = [
    &["pm"],
    &["in", "the", "afternoon"],
    &["in", "the", "evening"],
    &["at", "night"],
    &["nachmittags"],
    &["abends"],
    &["am", "nachmittag"],
    &["am", "abend"],
    &["de", "la", "tarde"],
    &["de", "la", "noche"],
    &["de", "l'après-midi"],
    &["de", "l'après", "midi"],
    &["du", "soir"],
    &["di", "sera"],
    &["del", "pomeriggio"],
];

/// The same of the first half.
const EARLY: [&[&str]; 9] = [
    &["am"],
    &["in", "the", "morning"],
    &["morgens"],
    &["früh"],
    &["vormittags"],
    &["de", "la", "mañana"],
    &["du", "matin"],
    &["di", "mattina"],
    &["del", "mattino"],
];

/// Parts of a day in front of an hour that make it one of its second half.
const LATE_BEFORE: [&str; 9] =
    ["abend", "afternoon", "evening", "nachmittag", "noche", "soir", "tarde", "tonight", "sera"];

/// How the last day of a month is told.
const ENDS: [&[&str]; 6] = [
    &["end", "of"],
    &["ende"],
    &["fin", "de"],
    &["finales", "de"],
    &["fine"],
    &["last", "day", "of"],
];

/// Words in front of an end that what comes is behind.
const BEHIND_END: [&str; 4] = ["after", "après", "nach", "past"];

/// A time of day that some words tell.
struct Time {
    hour: u32,
    minute: u32,
    taken: usize,
    /// It can be nothing but a time.
    sure: bool,
}

/// A text with figures for its days and times in words; `None` if it has none.
pub(in crate::specifics) fn in_figures(text: &str) -> Option<String> {
    let pieces = pieces(text);
    let mut out = String::with_capacity(text.len());
    let (mut nth, mut changed) = (0, false);
    while nth < pieces.len() {
        let taken = read(&pieces, nth, &mut out).unwrap_or(0);
        changed |= taken > 0;
        match pieces.get(nth + taken.max(1) - 1) {
            Some(last) if taken > 0 => out.push_str(last.gap),
            Some(piece) => out.extend([piece.word, piece.gap]),
            None => {}
        }
        nth += taken.max(1);
    }
    changed.then_some(out)
}

/// Writes what the words from one on say in figures; how many words that are.
fn read(pieces: &[Piece<'_>], nth: usize, out: &mut String) -> Option<usize> {
    const OF_MONTH: [&str; 3] = ["of", "the", "month"];
    if let Some((day, taken)) = month_end(&pieces[nth..]) {
        write!(out, "{day}").ok()?;
        return Some(taken);
    }
    let is_ordinal = nth > 0 && pieces[nth - 1].lower == "the" && is(pieces, nth + 1, "of");
    if let Some(day) = ORDINALS.iter().position(|word| is_ordinal && pieces[nth].lower == *word) {
        let ending = ["st", "nd", "rd"].get(day).unwrap_or(&"th");
        write!(out, "{}{ending}", day + 1).ok()?;
        let says_month = follow(&pieces[nth + 1..], 0, &OF_MONTH);
        return Some(if says_month { 1 + OF_MONTH.len() } else { 1 });
    }
    // `Montagvormittag`
    let is_weekday = |day: &&str| WEEKDAYS.iter().any(|(name, _)| name == day);
    let parts = DAYPARTS.iter().filter_map(|part| pieces[nth].lower.strip_suffix(part));
    if let Some(day) = parts.into_iter().find(is_weekday) {
        out.push_str(&pieces[nth].word[..day.len()]);
        return Some(1);
    }
    let named = NAMED_DAYS.iter().find(|(words, _)| follow(&pieces[nth..], 0, words));
    if let Some((words, day)) = named {
        out.push_str(day);
        return Some(words.len());
    }
    if is_figures(pieces, nth) {
        write!(out, "on {}/{}", pieces[nth].word, pieces[nth + 1].word).ok()?;
        return Some(2);
    }
    let time = time(&pieces[nth..])?;
    let before = |back: usize| nth.checked_sub(back).map_or("", |at| pieces[at].lower.as_str());
    // `December 9 in the morning` is a day.
    let is_day = is_digits(pieces[nth].word) && MONTHS.iter().any(|(name, _)| *name == before(1));
    if is_day && time.taken == 1 {
        return None;
    }
    let led = AT.contains(&before(1));
    let spelled = pieces[nth].word.starts_with(char::is_alphabetic);
    let (late, taken) = daypart(&pieces[nth..], time.taken, spelled);
    let late = late.or_else(|| LATE_BEFORE.contains(&before(1 + usize::from(led))).then_some(true));
    let ends = pieces[nth + taken - 1].gap != " ";
    let next = pieces.get(nth + taken).map_or("", |next| next.lower.as_str());
    let is_named = time.taken == 1 && HOURS.iter().any(|hour| is(pieces, nth + 1, hour));
    let surely = SURELY_AT.contains(&before(1));
    let stands = led && (surely || ends || next.is_empty() || BEHIND.contains(&next));
    let is_oclock = spelled && is_named;
    if !(time.sure || late.is_some() || stands || is_oclock) {
        return None;
    }
    let hour = if late == Some(true) && time.hour < 12 { time.hour + 12 } else { time.hour };
    // By itself the figure of an hour may be of either half of the day.
    let half = if late == Some(false) { " am" } else { "" };
    write!(out, "{hour}:{:02}{half}", time.minute).ok()?;
    Some(taken)
}

/// The last days of the months of which a text names the end without their year. Any of the last days may be meant there:
/// that stands for the very last, as people round a day, but not for one of which the year is told.
pub(in crate::specifics) fn month_ends(text: &str) -> Vec<String> {
    let pieces = pieces(text);
    let of = |nth: usize| {
        let (day, taken, year) = last_day(&pieces[nth..])?;
        let mut before = pieces[..nth].iter().rev().map(|piece| piece.lower.as_str());
        let is_behind = before.next().is_some_and(|word| {
            BEHIND_END.contains(&word)
                || word == "the" && before.next().is_some_and(|word| BEHIND_END.contains(&word))
        });
        // In Italian alone `fine` is an end, and in English what is well.
        let is_end = year.is_none() && !is_behind && pieces[nth].lower != "fine";
        is_end.then(|| format!("{day} {}", pieces[nth + taken].word))
    };
    (0..pieces.len()).filter_map(of).collect()
}

/// The last day of the month of a year that the first words name, and how many words there are in front of that.
fn month_end(pieces: &[Piece<'_>]) -> Option<(u32, usize)> {
    last_day(pieces).filter(|(.., year)| year.is_some()).map(|(day, taken, _)| (day, taken))
}

/// Digits of a year.
const YEAR: usize = 4;

/// The same with the year, if it is named.
fn last_day(pieces: &[Piece<'_>]) -> Option<(u32, usize, Option<u32>)> {
    let taken = ENDS.iter().find(|words| follow(pieces, 0, words))?.len();
    let month = MONTHS.iter().find(|(name, _)| is(pieces, taken, name))?.1;
    let year = pieces.get(taken + 1).filter(|next| next.word.len() == YEAR);
    let year = year.and_then(|next| next.word.parse::<u32>().ok());
    let is_leap = |year: u32| year.is_multiple_of(4) && !year.is_multiple_of(100);
    let day = match month {
        2 => 28 + u32::from(year.is_some_and(is_leap)),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    Some((day, taken, year))
}

/// Whether two figures between a slash may be a day and its month: `12/06`, `jueves 12/6`.
fn is_figures(pieces: &[Piece<'_>], nth: usize) -> bool {
    let (Some(first), Some(second)) = (pieces.get(nth), pieces.get(nth + 1)) else { return false };
    let value = |piece: &Piece<'_>| piece.word.parse::<u32>().ok().filter(|_| piece.word.len() < 3);
    let (Some(one), Some(two)) = (value(first), value(second)) else { return false };
    let before = nth.checked_sub(1).and_then(|at| pieces.get(at));
    let apart = before.is_none_or(|before| !before.gap.ends_with('/'));
    let weekday = before.is_some_and(|before| WEEKDAYS.iter().any(|(day, _)| *day == before.lower));
    let padded = first.word.starts_with('0') || second.word.starts_with('0');
    let fits = (1..=31).contains(&one) && (1..=31).contains(&two) && one.min(two) <= 12;
    first.gap == "/" && apart && second.gap != "/" && fits && (weekday || padded)
}

/// The time that the first words tell.
fn time(pieces: &[Piece<'_>]) -> Option<Time> {
    const HALF: [&[&str]; 2] = [&["half", "past"], &["halb"]];
    const LATER: [&[&str]; 2] = [&["quarter", "past"], &["viertel", "nach"]];
    const SOONER: [&[&str]; 3] = [&["quarter", "to"], &["quarter", "before"], &["viertel", "vor"]];
    let led = |all: &[&'static [&'static str]]| -> Option<(usize, u32)> {
        let lead = all.iter().find(|words| follow(pieces, 0, words))?.len();
        Some((lead + 1, hour(pieces.get(lead)?)?))
    };
    let before = |hour: u32| if hour == 1 { 12 } else { hour - 1 };
    if let Some((taken, hour)) = led(&HALF) {
        // Half four is half past three in German.
        let hour = if is(pieces, 0, "halb") { before(hour) } else { hour };
        return Some(Time { hour, minute: 30, taken, sure: true });
    }
    if let Some((taken, hour)) = led(&LATER) {
        return Some(Time { hour, minute: 15, taken, sure: true });
    }
    if let Some((taken, hour)) = led(&SOONER) {
        return Some(Time { hour: before(hour), minute: 45, taken, sure: true });
    }
    let first = pieces.first()?;
    let link = pieces.get(1).map_or("", |link| link.lower.as_str());
    let minutes = || figure_word(&first.lower).filter(|minute| *minute < 60 && minute % 5 == 0);
    if matches!(link, "past" | "nach")
        && let (Some(minute), Some(hour)) = (minutes(), pieces.get(2).and_then(hour))
    {
        return Some(Time { hour, minute, taken: 3, sure: true });
    }
    // `ten to four` may be so many of something, too.
    if matches!(link, "to" | "vor")
        && let (Some(minute), Some(hour)) = (minutes(), pieces.get(2).and_then(hour))
    {
        return Some(Time { hour: before(hour), minute: 60 - minute, taken: 3, sure: false });
    }
    if let Some(noon) = NOONS.iter().find(|noon| **noon == first.lower) {
        let is_late = pieces.get(1).is_some_and(|e| e.lower == "e")
            && pieces.get(2).is_some_and(|half| half.lower == "mezzo");
        let (minute, taken) = if is_late && *noon == "mezzogiorno" { (30, 3) } else { (0, 1) };
        return Some(Time { hour: 12, minute, taken, sure: true });
    }
    let hour = hour(first)?;
    let minutes = pieces.get(1).filter(|minutes| first.gap == ":" && minutes.word.len() == 2);
    if let Some(minute) = minutes.and_then(|minutes| minutes.word.parse().ok()) {
        return Some(Time { hour, minute, taken: 2, sure: false });
    }
    // `17 h moins le quart`
    let behind = 1 + usize::from(HOURS.iter().any(|name| is(pieces, 1, name)));
    if follow(pieces, behind, &["moins", "le", "quart"]) {
        return Some(Time { hour: before(hour), minute: 45, taken: behind + 3, sure: true });
    }
    let spelled = first.word.starts_with(char::is_alphabetic);
    let named = usize::from(pieces.get(1).is_some_and(|word| word.lower == "heures"));
    let more = MORE.iter().find(|(words, _)| spelled && follow(pieces, 1 + named, words));
    if let Some((words, minute)) = more {
        return Some(Time { hour, minute: *minute, taken: 1 + named + words.len(), sure: false });
    }
    Some(Time { hour, minute: 0, taken: 1, sure: false })
}

fn is_digits(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The hour that a word or a figure is.
fn hour(piece: &Piece<'_>) -> Option<u32> {
    let figure = piece.word.parse().ok().filter(|_| piece.word.len() < 3);
    figure.or_else(|| figure_word(&piece.lower)).filter(|hour| (1..=24).contains(hour))
}

/// Whether the words behind a time make it one of the second half of the day, and how many words there are up to them.
/// What has its figures is read by its letters.
fn daypart(pieces: &[Piece<'_>], at: usize, spelled: bool) -> (Option<bool>, usize) {
    let at = at + usize::from(HOURS.iter().any(|hour| is(pieces, at, hour)));
    let length = |all: &[&[&str]]| {
        let mut all = all.iter().filter(|words| spelled || !matches!(words, ["am" | "pm"]));
        all.find(|words| follow(pieces, at, words)).map(|words| words.len())
    };
    match (length(&LATE), length(&EARLY)) {
        (Some(length), _) => (Some(true), at + length),
        (_, Some(length)) => (Some(false), at + length),
        _ => (None, at),
    }
}

fn is(pieces: &[Piece<'_>], nth: usize, word: &str) -> bool {
    pieces.get(nth).is_some_and(|piece| piece.lower == word)
}

/// Whether some words follow each other from one on, with spaces between.
fn follow(pieces: &[Piece<'_>], from: usize, words: &[&str]) -> bool {
    let mut each = words.iter().enumerate();
    each.all(|(nth, word)| is(pieces, from + nth, word))
        && (from.saturating_sub(1)..from + words.len() - 1)
            .all(|nth| matches!(pieces[nth].gap, " " | "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_in_words_are_figures() {
        for (text, expected) in [
            ("train until end of October 2024", "train until 31 October 2024"),
            ("Ende Februar 2028", "29 Februar 2028"),
            ("Friday morning at ten; mix", "Friday morning at 10:00; mix"),
            ("at ten in the evening", "at 22:00"),
            ("tonight at eight", "tonight at 20:00"),
            ("half past three in the afternoon", "15:30"),
            ("Sonntag, halb vier nachmittags", "Sonntag, 15:30"),
            ("quarter to one", "12:45"),
            ("a las 8:30 de la tarde", "a las 20:30"),
            ("once de la noche", "23:00"),
            ("à huit heures, 9 du matin", "à 8:00, 9:00 am"),
            ("le 4 mars à huit heures du matin", "le 4 mars à 8:00 am"),
            ("ten past two in the afternoon", "14:10"),
            ("at ten to eight in the morning", "at 7:50 am"),
            ("alle sette e un quarto.", "alle 7:15."),
            ("à sept heures et quart, a mediodía", "à 7:15, a 12:00"),
            ("Montagvormittag um zehn bei ihr", "Montag um 10:00 bei ihr"),
            ("from New Year's Day", "from 1 January"),
            ("12/06, 23:00", "on 12/06, 23:00"),
            ("jueves 12/6", "jueves on 12/6"),
        ] {
            assert_eq!(in_figures(text).as_deref(), Some(expected));
        }
        for text in [
            "at ten people",
            "at ten to four people",
            "on December 9 in the morning",
            "end of the month",
            "end of May",
            "3/12 regions",
            "",
            "6/11/24",
        ] {
            assert_eq!(in_figures(text), None, "{text}");
        }
    }
}
