//! Whether one way to say when is another one.

pub(super) mod hours;

use std::collections::BTreeSet;

use crate::specifics::automaton::{Groups, Match};
use crate::specifics::calendar::{MONTHS, is_weekday};
use crate::specifics::date::spelled;
use crate::specifics::normal;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::word_before;
use crate::specifics::words::Words;

/// A day and its month in figures that are hardly anything else: `4.11.`, `24/11`, `11/24`, `11-24`.
pub(super) static IN_FIGURES: Pattern = Pattern::new(|| {
    let month = r"(?:0?[1-9]|1[0-2])";
    format!(
        r"(?:^|[\s(:])((?:3[01]|[12]\d|0?[1-9])\.{month}\.|(?:1[3-9]|2\d|3[01])/{month}|{month}/(?:1[3-9]|2\d|3[01])|(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))(?:[\s,;:)]|\.?$|\.\s)"
    )
});

/// The first and the last of some days of a month, the month, and perhaps the year, in figures: `17.–20.7.`
pub(super) static RANGES: Pattern = Pattern::new(|| {
    let day = r"(?:3[01]|[12]\d|0?[1-9])";
    format!(
        r"(?:^|[\s(:*])({day})\.(?:\x20?[–-]\x20?|\x20bis\x20(?:zum\x20)?)({day})\.(0?[1-9]|1[0-2])\.((?:20)?\d\d\b)?(?:[\s,;:)*]|\.?$|\.\s)"
    )
});

/// A month and its day behind it, and perhaps the year: `mid-October (15th)`.
pub(super) static BRACKETED: Pattern = Pattern::new(|| {
    let months: Vec<&str> = MONTHS.iter().take(12).map(|(name, _)| *name).collect();
    let months = months.join("|");
    format!(
        r"(?i)\b({months})\x20\((?:the\x20)?(\d{{1,2}})(?:st|nd|rd|th)\)(?:,?\x20((?:20)\d\d)\b)?"
    )
});

/// Words whose numbers are no days: `chapters 3.–5.7.`
static NO_DAYS: Words = Words::new(
    "abschnitt chapter chapters kapitel page pages release section sections seite seiten stand v version versions",
);

/// Words in front of a time or a day.
static WHEN: Words = Words::new(
    "ab after at before between bis by entre from gegen las nach on since till to um until von vor zwischen",
);

/// Words between the two ends of a time.
const LINKS: [&str; 8] = [" to ", " bis ", " until ", " till ", " and ", "–", " - ", " au "];

/// Parts of the day, by its halves: they say nothing beside the hour, and may be left out.
static DAYTIMES: [Words; 2] = [
    Words::new("matin morgens morning vormittags"),
    Words::new("abends afternoon evening nachmittags nachts night noche soir tarde"),
];

/// This day, and others that are told by how far they are from it.
static DAYS: [Words; 2] = [
    Words::new("aujourd'hui heute hoy this today"),
    Words::new("ayer demain gestern hier mañana morgen tomorrow yesterday"),
];

/// A day, a time, or both, part by part.
#[derive(Debug, Clone)]
pub(super) struct Day(BTreeSet<String>);

impl Day {
    /// The days that a date names, in each way to read it: both ends if they are of different months.
    pub(super) fn readings(date: &str) -> Vec<Vec<Self>> {
        let mut readings = vec![Self::all_of(date, false)];
        if date.contains('/') {
            readings.push(Self::all_of(date, true));
        }
        // Behind a word for when, a figure alone is an hour of either half of the day: `antes de las 12`.
        if let Ok(hour) = date.parse::<u8>()
            && hour < 25
        {
            let hour = Self(BTreeSet::from([format!("t{hour}:00")]));
            readings.extend([vec![hour.later()], vec![hour]]);
        }
        if let Some(figures) = spelled::in_figures(date) {
            let days = Self::all_of(&figures, false);
            let tells_half = |day: &Self| DAYTIMES.iter().any(|half| day.has(half));
            // Where the words say in which half of the day it is, the hour means no other.
            if readings[0].iter().any(tells_half) {
                readings.clear();
            } else {
                readings.push(days.iter().map(Self::later).collect());
            }
            readings.push(days);
        }
        if let Some(there) =
            readings[0].first().filter(|_| readings[0].len() == 1).and_then(Self::elsewhere)
        {
            readings.push(vec![there]);
        }
        readings
    }

    /// The days that a summary tells in figures without a word that shows them to be days.
    pub(super) fn in_figures(summary: &str) -> Vec<Self> {
        let all = IN_FIGURES.groups(summary).filter_map(|found| found.get(1));
        let on_its_day = |found: Match<'_>| {
            let weekday = weekday_before(summary, found.start()).unwrap_or_default();
            format!("{weekday} {}", found.as_str().replace('-', "/"))
        };
        let mut told: Vec<String> = all.map(on_its_day).collect();
        let of =
            |found: &Groups<'_>, nth| found.get(nth).map_or("", |part| part.as_str()).to_owned();
        let is_of_days = |found: &Groups<'_>| {
            let start = found.get(1).map_or(0, |first| first.start());
            !NO_DAYS.hold_lower(word_before(summary, start))
        };
        let ranges = RANGES.groups(summary).filter(is_of_days).flat_map(|found| {
            [1, 2].map(|nth| format!("{}.{}.{}", of(&found, nth), of(&found, 3), of(&found, 4)))
        });
        let bracketed = BRACKETED
            .groups(summary)
            .map(|found| format!("{} {} {}", of(&found, 2), of(&found, 1), of(&found, 3)));
        told.extend(ranges.chain(bracketed).chain(by_their_lead(summary)));
        told.extend(two_of_month(summary));
        told.extend(hours::told(summary));
        told.iter().flat_map(|date| Self::readings(date)).flatten().collect()
    }

    fn all_of(date: &str, month_first: bool) -> Vec<Self> {
        let parts = |date| normal::date_parts(date, month_first);
        let all = parts(date);
        let months = all.iter().filter(|part| is(part, 'm')).count();
        let ends = LINKS.iter().find_map(|link| date.split_once(link)).filter(|_| months > 1);
        let days = match ends {
            Some((first, last)) => vec![parts(first), parts(last)],
            None => vec![all],
        };
        let named = |parts: BTreeSet<String>| parts.into_iter().map(of_evening).collect();
        days.into_iter().filter(|parts| !parts.is_empty()).map(named).map(Self).collect()
    }

    fn has(&self, words: &Words) -> bool {
        self.0.iter().any(|part| words.holds(part))
    }

    /// Whether two are of other halves of the day, or of other days as seen from today.
    fn clashes(&self, other: &Self) -> bool {
        [&DAYTIMES, &DAYS]
            .into_iter()
            .any(|[one, two]| self.has(one) && other.has(two) || self.has(two) && other.has(one))
    }

    /// The days that words of a summary name, whose hours may be of both halves of the day: `at five`.
    pub(super) fn in_words(date: &str) -> Vec<Self> {
        let days: Vec<Self> = Self::readings(date).into_iter().flatten().collect();
        let lower = date.to_lowercase();
        let is_half = [" am", " pm"].iter().any(|half| lower.contains(half));
        let is_of_half = |day: &Self| DAYTIMES.iter().any(|half| day.has(half));
        let later: Vec<Self> = if is_half || days.iter().any(is_of_half) {
            Vec::new()
        } else {
            days.iter().map(Self::later).collect()
        };
        days.into_iter().chain(later).collect()
    }

    /// The same in the second half of the day, if its hour may be of that.
    fn later(&self) -> Self {
        let later = |part: &String| {
            let (hour, minute) = part.strip_prefix('t')?.split_once(':')?;
            let hour = hour.parse::<u32>().ok().filter(|hour| (1..12).contains(hour))?;
            Some(format!("t{}:{minute}", hour + 12))
        };
        Self(self.0.iter().map(|part| later(part).unwrap_or_else(|| part.clone())).collect())
    }

    /// The same time in the zone that all others are told by, where its own zone is another one.
    fn elsewhere(&self) -> Option<Self> {
        let zone: i32 = self.value("z")?.parse().ok().filter(|zone| *zone != 0)?;
        let (hour, minute) = self.value("t")?.split_once(':')?;
        let local = hour.parse::<i32>().ok()? * 60 + minute.parse::<i32>().ok()?;
        let (days, time) = ((local - zone).div_euclid(1_440), (local - zone).rem_euclid(1_440));
        let mut parts = self.0.clone();
        parts.retain(|part| !is(part, 't') && !part.starts_with('z'));
        parts.extend([format!("t{}:{:02}", time / 60, time % 60), "z0".to_owned()]);
        if days != 0
            && let Some(day) = self.0.iter().find(|part| is_number(part))
        {
            // Only within a month: the first and the last of one are told in too many ways.
            let other = day.parse::<i32>().ok()? + days;
            parts.remove(day);
            parts.insert((1..=28).contains(&other).then(|| other.to_string())?);
        }
        Some(Self(parts))
    }

    /// What stands behind the sign of the only part of its sort.
    fn value(&self, sign: &str) -> Option<&str> {
        let mut values = self.0.iter().filter_map(|part| part.strip_prefix(sign));
        let value = values
            .next()
            .filter(|value| value.starts_with(|c: char| c == '-' || c.is_ascii_digit()));
        value.filter(|_| values.next().is_none())
    }

    /// Whether one of several days is this one; its time may be told apart from it, and each day of a range for itself.
    pub(super) fn is_among(&self, days: &[Self]) -> bool {
        let zone = self.value("z");
        let own = self
            .0
            .iter()
            .map(String::as_str)
            .filter(|part| !part.starts_with('z') || zone.is_none());
        let (times, day): (Vec<&str>, Vec<&str>) = own.partition(|part| is(part, 't'));
        let is_beside = |part: &&str| {
            !times.is_empty()
                && [&DAYTIMES, &DAYS].iter().any(|all| all.iter().any(|one| one.holds(part)))
        };
        let day: Vec<&str> = day.into_iter().filter(|part| !is_beside(part)).collect();
        let told = |day: &[&str]| {
            day.is_empty() || days.iter().any(|one| one.fits(day) || one.follows(day, days))
        };
        let is_told = |time: &&str| {
            days.iter().any(|one| {
                let there = one.value("z").zip(zone).is_none_or(|(said, meant)| said == meant);
                one.0.contains(*time)
                    && there
                    && !self.clashes(one)
                    && (day.is_empty() || one.names_no_day() || one.fits(&day))
            })
        };
        let (numbers, rest): (Vec<&str>, Vec<&str>) = day.iter().partition(|part| is_number(part));
        let each = || numbers.iter().all(|number| told(&[&rest[..], &[number]].concat()));
        (told(&day) || numbers.len() > 1 && each()) && times.iter().all(is_told)
    }

    /// Whether it is a day of which so much is known. The year may be left out or added, and so may the weekday of a day
    /// of a month, even if only one of the two names the month.
    fn fits(&self, day: &[&str]) -> bool {
        let only_year = day.iter().all(|part| is(part, 'y'));
        let free = |sign: char| !self.0.iter().any(|part| is(part, sign));
        let any_year = !only_year && free('y');
        let has_month = || self.0.iter().any(|part| is(part, 'm'));
        let dated = day.iter().any(|part| is_number(part))
            && (day.iter().any(|part| is(part, 'm')) || has_month());
        let any_weekday = dated && free('w');
        day.iter().all(|part| {
            self.0.contains(*part) || any_year && is(part, 'y') || any_weekday && is(part, 'w')
        })
    }

    /// Whether it is a day of which so much is known, in a month that another one names: `in on 14 October, out on the 23rd`.
    fn follows(&self, day: &[&str], others: &[Self]) -> bool {
        let month = day.iter().find(|part| is(part, 'm'));
        let rest: Vec<&str> = day.iter().copied().filter(|part| !is(part, 'm')).collect();
        month.is_some_and(|month| {
            let is_bare = |part: &String| is_number(part) || is(part, 'w');
            self.0.iter().all(is_bare)
                && rest.iter().any(|part| is_number(part))
                && self.fits(&rest)
                && others.iter().any(|other| {
                    other.0.contains(*month) && other.0.iter().any(|part| is_number(part))
                })
        })
    }

    /// Whether it tells of which year it is.
    pub(super) fn has_year(&self) -> bool {
        self.0.iter().any(|part| is(part, 'y'))
    }

    fn names_no_day(&self) -> bool {
        !self.0.iter().any(|part| is_number(part) || is(part, 'm'))
    }
}

/// The day of the week that stands in front of a day in figures: `Dienstag, 9.12.`
fn weekday_before(summary: &str, at: usize) -> Option<&str> {
    const BETWEEN: [&str; 8] = ["am", "dem", "den", "der", "el", "le", "on", "the"];
    let mut lead = &summary[..at];
    for _ in 0..2 {
        lead = lead.trim_end_matches([' ', ',', '.']);
        let word = word_before(lead, lead.len());
        if !lead.ends_with(word) || word.is_empty() {
            return None;
        }
        let lower = word.to_lowercase();
        if is_weekday(&lower) {
            return Some(word);
        }
        if !BETWEEN.contains(&&*lower) {
            return None;
        }
        lead = &lead[..lead.len() - word.len()];
    }
    None
}

/// Times and days that only the word in front shows to be ones: `by 7.45`, `Do 16:00`, `from 2 to 4:30`, `Saturday 26th`.
fn by_their_lead(summary: &str) -> Vec<String> {
    const SHORT: [(&str, &str); 7] = [
        ("Mo", "Montag"),
        ("Di", "Dienstag"),
        ("Mi", "Mittwoch"),
        ("Do", "Donnerstag"),
        ("Fr", "Freitag"),
        ("Sa", "Samstag"),
        ("So", "Sonntag"),
    ];
    const ORDINAL: [&str; 4] = ["st", "nd", "rd", "th"];
    let words: Vec<&str> =
        summary.split([' ', '\n', '(']).filter(|word| !word.is_empty()).collect();
    let told = words.windows(2).enumerate().filter_map(|(nth, pair)| {
        let said = pair[1].trim_end_matches([',', ';', ')', '.', ':', '!', '?']);
        if !said.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let lead = pair[0].trim_end_matches(['.', ',']);
        if let Some((_, weekday)) = SHORT.iter().find(|(short, _)| *short == lead) {
            return Some(format!("{weekday} {said}"));
        }
        let is_when = WHEN.hold_lower(lead);
        if let Some(day) = ORDINAL.iter().find_map(|end| said.strip_suffix(end)) {
            let is_of_day = is_when || is_weekday(&lead.to_lowercase());
            let weekday = if is_when { "" } else { lead };
            return (is_of_day && is_hour_or_day(day, 31)).then(|| format!("{weekday} the {said}"));
        }
        let (hour, minute) = said.split_once('.').unwrap_or((said, "00"));
        let is_dotted = said.contains('.') && minute.len() == 2 && is_hour_or_day(minute, 59);
        // The hour of the other end has its minutes.
        let ends = || {
            const LINKS: [&str; 6] = ["to", "bis", "and", "und", "y", "et"];
            let link = words.get(nth + 2).is_some_and(|link| LINKS.contains(link));
            let article = usize::from(words.get(nth + 3).is_some_and(|word| *word == "las"));
            link && words.get(nth + 3 + article).is_some_and(|end| end.contains(':'))
        };
        (is_when && is_hour_or_day(hour, 24) && (is_dotted || !said.contains('.') && ends()))
            .then(|| format!("{hour}:{minute}"))
    });
    told.collect()
}

/// Two days of a month with a stroke between, and hours that a word behind them shows: `August 17/18`, `14 heures`.
fn two_of_month(summary: &str) -> Vec<String> {
    const HOURS: [&str; 5] = ["heures", "horas", "ore", "uhr", "uur"];
    let words: Vec<&str> =
        summary.split([' ', '\n', '(']).filter(|word| !word.is_empty()).collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let mut told = Vec::new();
    for (nth, word) in words.iter().enumerate() {
        if !word.starts_with(|c: char| c.is_ascii_digit()) {
            continue;
        }
        let behind = words.get(nth + 1).map_or(String::new(), |next| bare(next));
        if is_hour_or_day(word, 24) && HOURS.contains(&&*behind) {
            told.push(format!("{word}:00"));
        }
        let Some((first, last)) = word.trim_end_matches([',', ';', ')', '.']).split_once('/')
        else {
            continue;
        };
        let before = nth.checked_sub(1).map_or(String::new(), |at| bare(words[at]));
        let month = [behind, before].into_iter().find(|word| is_month(word));
        if let Some(month) =
            month.filter(|_| [first, last].iter().all(|day| is_hour_or_day(day, 31)))
        {
            told.extend([first, last].map(|day| format!("{day} {month}")));
        }
    }
    told
}

fn is_month(word: &str) -> bool {
    MONTHS.iter().any(|(name, _)| *name == word)
}

/// Whether some digits are a number of at most two of them, and no more than so much.
fn is_hour_or_day(digits: &str, most: u8) -> bool {
    digits.len() <= 2 && digits.parse::<u8>().is_ok_and(|number| number <= most)
}

/// A part of a day: what some call the evening others call the night.
fn of_evening(part: String) -> String {
    if part == "night" { "evening".to_owned() } else { part }
}

/// Whether a part is of the sort that a sign before its figures tells.
fn is(part: &str, sign: char) -> bool {
    part.strip_prefix(sign).is_some_and(is_number)
}

fn is_number(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
}
