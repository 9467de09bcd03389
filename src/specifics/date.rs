//! Dates and times: first the single parts (a weekday, a day of the month, a clock time), then neighbours
//! that belong together become one: `next Tuesday at 5pm`, `14 March to 17 March`.

pub(super) mod parts;
pub(super) mod spelled;

use std::ops::Range;

use super::Kind;
use super::calendar::is_weekday;
use super::identifier::is_product;
use super::name;
use super::number;
use super::pattern::{Pattern, either};
use super::scan::{self, Scan, after, before, word_before};
use super::unit;
use super::words::Words;

use parts::{
    CALENDAR, CLOCK, DAYPART, FIGURES, HOUR, LOOSE_MONTH, ORDINAL, RELATIVE, WEAK_DAY, WEEKDAY,
    YEAR,
};

/// What a part of a date says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// A day of the week, or a day as seen from today.
    Weekday,
    /// A day, month or year of the calendar.
    Calendar,
    /// A time of day.
    Clock,
    /// Morning or evening; no date by itself.
    Daypart,
    /// `today`: no date by itself.
    Today,
}

/// What may stand between two parts of one date.
static BETWEEN: Pattern = Pattern::new(|| {
    r"^(?:,?\x20|\x20\(|,?\x20?(?:at|um|on|the|den|der|à|a\x20las|by|around|about|for|before|after|until|till|between|from|ab|gegen|am|alle|shortly\x20before|shortly\x20after)\x20(?:the\x20|about\x20)?|T|\x20[@-]\x20|\x20of\x20)$".into()
});

/// What makes a range of two parts.
static RANGE: Pattern = Pattern::new(|| {
    r"^(?:\x20?[-–—]\x20?|\x20(?:to|until|till|through|bis|au|al|a)\x20(?:the\x20)?)$".into()
});

/// The second half of `between A and B`.
static AND: Pattern = Pattern::new(|| r"^\x20(?:and|und|et|y)\x20(?:the\x20)?$".into());

/// Hours behind a weekday, which stand for a time there only: `Friday at 5`, `Mon-Thu 8-12`.
static HOURS: Pattern = Pattern::new(|| {
    r"^(?:\x20(?:at|um)\x20\d{1,2}|,?\x20\d{1,2}\x20?[-–]\x20?\d{1,2}|\x20(?:matin|soir|après-midi)\x20\d{1,2}\x20?h\b|\x20\d{1,2}h\b)".into()
});

/// Takes the dates and times of a message.
pub(super) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    let mut parts = parts_of(scan);
    parts.retain(|(place, _)| {
        let long = is_length(text, place);
        if long {
            scan.claim(place.clone(), Kind::Number);
        }
        !long
    });
    parts.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
    let mut joined: Option<(Range<usize>, Vec<Says>)> = None;
    for (place, says) in parts {
        let Some((whole, said)) = &mut joined else {
            joined = Some((place, vec![says]));
            continue;
        };
        if place.start < whole.end {
            continue;
        }
        if belongs(text, whole, said, &place, says) {
            whole.end = place.end;
            said.push(says);
        } else {
            take(scan, joined.replace((place, vec![says])));
        }
    }
    take(scan, joined);
}

/// The patterns of single parts, and what each says.
const KINDS: [(&Pattern, Says); 10] = [
    (&HOUR, Says::Clock),
    (&FIGURES, Says::Calendar),
    (&CALENDAR, Says::Calendar),
    (&CLOCK, Says::Clock),
    (&RELATIVE, Says::Weekday),
    (&WEEKDAY, Says::Weekday),
    (&LOOSE_MONTH, Says::Calendar),
    (&YEAR, Says::Calendar),
    (&DAYPART, Says::Daypart),
    (&WEAK_DAY, Says::Today),
];

/// All of them, and ordinals.
pub(super) static PARTS: Pattern = Pattern::new(|| {
    let all: Vec<&Pattern> = KINDS.into_iter().map(|kind| kind.0).chain([&ORDINAL]).collect();
    either(&all)
});

/// No single part is longer, in bytes, but for the word behind an ordinal.
const LONGEST: usize = 96;

/// The single parts, in no order.
fn parts_of(scan: &Scan<'_>) -> Vec<(Range<usize>, Says)> {
    let text = scan.text;
    let mut parts = Vec::new();
    let near = scan.whole.near(&PARTS, LONGEST);
    for (pattern, says) in KINDS {
        for groups in near.groups(pattern) {
            let inner = (1..groups.len()).find_map(|nth| groups.get(nth));
            let Some(part) = inner.or_else(|| groups.get(0)) else { continue };
            let place = part.range();
            let digits = part.as_str().bytes().all(|b| b.is_ascii_digit() || b": h".contains(&b));
            let counts = digits && is_counted(text, place.end, says);
            let ratio = says == Says::Clock && is_ratio(text, place.start);
            let figure = digits && is_figure(text, &place, says)
                || says == Says::Calendar && (is_version(scan, &place) || is_decimal(scan, &place));
            let first_name = says == Says::Calendar && is_first_name(text, &place);
            let half = says == Says::Calendar && is_other_half(text, &place);
            let taken = counts || ratio || figure || first_name || half || is_no_day(text, &place);
            if scan.is_free(&place) && stands_apart(text, &place) && !taken {
                parts.push((place, says));
            }
        }
    }
    for groups in near.groups(&ORDINAL) {
        let (Some(day), Some(next)) = (groups.get(1), groups.get(2)) else { continue };
        if scan.is_free(&day.range()) && ends_phrase(next.as_str()) {
            parts.push((day.range(), Says::Calendar));
        }
    }
    parts
}

/// Whether what may be half of a year is one of something else, as no year and no word for when says otherwise: `hypothesis H2`.
fn is_other_half(text: &str, place: &Range<usize>) -> bool {
    static WHEN: Words = Words::new(
        "after am before bis by during early end ende for from im in into last late mid next of since this through till to until",
    );
    matches!(&text[place.clone()], "H1" | "H2") && !WHEN.hold_lower(word_before(text, place.start))
}

/// Whether a month is somebody's first name: `to Jan Kowalski`.
fn is_first_name(text: &str, place: &Range<usize>) -> bool {
    const NAMES: [&str; 5] = ["April", "August", "Jan", "June", "May"];
    let rest = text[place.end..].strip_prefix(' ').unwrap_or_default();
    NAMES.contains(&&text[place.clone()])
        && !name::tells_when(text, place.start)
        && name::begins(rest)
}

/// Whether what may be a day or a time is given to a call, counts names, or is a part of each day: `sleep(2000)`,
/// `web[01:08]`, `por la mañana`.
fn is_no_day(text: &str, place: &Range<usize>) -> bool {
    let lead = &text[..place.start];
    let opens =
        |sign| lead.strip_suffix(sign).is_some_and(|lead| lead.ends_with(char::is_alphanumeric));
    let is_letter_before = opens('(') && text[place.end..].starts_with(')') || opens('[');
    let is_morning =
        || lead.ends_with(" la ") && text[place.clone()].eq_ignore_ascii_case("mañana");
    is_letter_before || is_morning() || is_german_place(text, place)
}

/// Whether what looks like an hour in front of noon is a number and a German word behind it: `Kreis 4 am Verteiler`.
fn is_german_place(text: &str, place: &Range<usize>) -> bool {
    let next = text[place.end..].strip_prefix(' ').unwrap_or_default();
    let is_named = word_before(text, place.start).starts_with(char::is_uppercase);
    text[place.clone()].ends_with(" am") && is_named && next.starts_with(char::is_uppercase)
}

/// Whether the word behind a figure shows that it is an amount: `for 2000 words`, `1:40 mg/dL`.
fn is_counted(text: &str, end: usize, says: Says) -> bool {
    if says == Says::Clock {
        // `10 h heure japonaise` is told by the clock of a place.
        return !text[..end].ends_with('h') && number::is_measured(text, end);
    }
    let Some(rest) = text[end..].strip_prefix(' ') else { return false };
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let verb = matches!(
        word,
        "is" | "was" | "as" | "has" | "this" | "its" | "a" | "in" | "it" | "us" | "at"
    );
    !verb
        && (unit::canonical(word).is_some()
            || word.starts_with(char::is_lowercase) && word.ends_with('s'))
}

/// Whether some digits are an amount that only looks like a year or an hour: `images of 2048`, `à 18,50 €`.
fn is_figure(text: &str, place: &Range<usize>, says: Says) -> bool {
    /// Words behind which a number is a year, however far away.
    const SURE: [&str; 12] = [
        "during", "early", "en", "in", "jahr", "late", "mid", "seit", "since", "till", "until",
        "year",
    ];
    if says == Says::Clock {
        let rest = text[place.end..].strip_prefix(',');
        let decimal = rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        return decimal && !text[place.clone()].contains(':');
    }
    let year = text[place.clone()].parse().unwrap_or(2000);
    let sure = || SURE.contains(&word_before(text, place.start).to_lowercase().as_str());
    !(1950..2040).contains(&year) && !sure() || number::is_set(text, place)
}

/// Words in front of a day in figures.
const LEADS: [&str; 17] = [
    "ab", "al", "am", "bis", "by", "dal", "dated", "dem", "den", "du", "from", "le", "on", "seit",
    "since", "until", "vom",
];

/// Whether a word stands in front of a place that shows a day in figures to be one.
fn is_led(text: &str, start: usize) -> bool {
    let lead = text[..start].trim_end_matches([' ', ',', ':']);
    let lead = word_before(lead, lead.len()).to_lowercase();
    let is_label = matches!(&*lead, "before" | "date" | "deadline" | "due" | "till" | "zum");
    is_label || LEADS.contains(&lead.as_str()) || is_weekday(&lead)
}

/// Words that show a figure with a point behind them to be an amount of money or a version.
static DECIMAL: Words = Words::new("cost costs price priced v version");

/// Words with which something goes to another version.
static UPGRADES: Words = Words::new("downgrade downgraded upgrade upgraded upgrades upgrading");

/// Whether what looks like a day and a month stands behind the name of a product, or a word for money or a version.
fn is_told_as_decimal(text: &str, start: usize) -> bool {
    const LINKS: [&str; 7] = ["about", "at", "is", "now", "of", "only", "was"];
    const PLACES: [&str; 5] = ["at", "from", "in", "to", "with"];
    let sentence = scan::sentence_before(text, start, 80);
    let mut words: Vec<&str> = sentence.split(' ').filter(|word| !word.is_empty()).collect();
    let goes_to = words.pop_if(|last| *last == "to").is_some();
    if goes_to && words.iter().any(|word| UPGRADES.hold_lower(word)) {
        return true;
    }
    let is_plain = |word: &&str| word.chars().all(char::is_alphanumeric);
    let is_named = words.last().filter(|last| is_plain(last)).is_some_and(|last| {
        // With a capital somebody may be called, or the beginning of a sentence.
        let before = words.len().checked_sub(2).map(|before| words[before]);
        is_product(&last.to_lowercase())
            || last.starts_with(|c: char| c.is_ascii_uppercase())
                && before.is_some_and(|before| !PLACES.contains(&before))
    });
    let behind_link = words.iter().rev().find(|word| !LINKS.contains(word));
    is_named || !goes_to && behind_link.is_some_and(|word| DECIMAL.hold_lower(word))
}

/// Whether what looks like a day and a month is a figure or a version at the end of a sentence: `Ubuntu 24.04. The`. In
/// German it is a day, and so it is where nothing shows it to be one of those.
fn is_decimal(scan: &Scan<'_>, place: &Range<usize>) -> bool {
    let said = &scan.text[place.clone()];
    let is_short = said.len() == "24.04.".len()
        && said.ends_with('.')
        && said.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let ends = || {
        let rest = scan.text[place.end..].trim_start_matches([')', '"', '”', '*', '_', '`']);
        let next = rest.trim_start_matches(' ').chars().next();
        next.is_none_or(|next| next == '\n' || next.is_uppercase())
    };
    is_short
        && !scan.german
        && ends()
        && !is_led(scan.text, place.start)
        && is_told_as_decimal(scan.text, place.start)
}

/// Whether three figures with a dot between each are a version, and no day of a year in two digits: `Kotlin 1.9.22`.
fn is_version(scan: &Scan<'_>, place: &Range<usize>) -> bool {
    let said = &scan.text[place.clone()];
    let dotted = said.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // Two digits each are those of a day, a month and a year.
    let short = dotted && said.len() < 8 && !said.ends_with('.') && said.matches('.').count() == 2;
    let lead = word_before(scan.text, place.start).to_lowercase();
    let day = LEADS.contains(&lead.as_str()) || is_weekday(&lead);
    short && !day && (!scan.german || matches!(lead.as_str(), "version" | "v"))
}

/// Whether what is written like a time of day is how long something takes: `pendant 3 h 30`.
fn is_length(text: &str, place: &Range<usize>) -> bool {
    const LEADS: [&str; 18] = [
        "dauert", "dura", "durant", "durante", "dure", "durent", "environ", "for", "lasted",
        "lasts", "mette", "pendant", "rund", "takes", "tarda", "took", "während", "within",
    ];
    let said = text[place.clone()].bytes();
    let hours = said.clone().all(|byte| byte.is_ascii_digit() || b"h ".contains(&byte));
    hours
        && said.filter(|&byte| byte == b'h').count() == 1
        && LEADS.contains(&word_before(text, place.start).to_lowercase().as_str())
}

/// Whether the word before shows two figures to be a ratio: `ratio 1:15`.
fn is_ratio(text: &str, start: usize) -> bool {
    let lead = word_before(text, start).to_lowercase();
    text[..start].ends_with("ratio of ")
        || matches!(
            &*lead,
            "ratio" | "scale" | "score" | "odds" | "won" | "lost" | "verse" | "maßstab"
        )
}

/// Whether neither side makes it a part of something else, such as a version or a ratio.
fn stands_apart(text: &str, place: &Range<usize>) -> bool {
    let word = |c: char| c.is_alphanumeric() || "_/$€£".contains(c);
    let left = before(text, place.start);
    // Where words are not set apart: `締め切りは10月5日です`.
    if text[place.clone()].ends_with('日') {
        return !left.is_some_and(|c| c.is_ascii_digit());
    }
    let digits = text[place.clone()].starts_with(|c: char| c.is_ascii_digit());
    if left.is_some_and(word) || digits && left.is_some_and(|c| ".:".contains(c)) {
        return false;
    }
    let mut rest = text[place.end..].chars();
    match rest.next() {
        Some(c) if c.is_alphanumeric() || "_%°€".contains(c) => c == 'T',
        Some('.' | ':' | '/') => !rest.next().is_some_and(|c| c.is_ascii_digit()),
        _ => true,
    }
}

/// Whether what follows an ordinal shows that it is a day and counts nothing: `the 12th.`, `the 3rd and`.
fn ends_phrase(next: &str) -> bool {
    const GO_ON: &[&str] = &[
        "at", "and", "is", "to", "until", "or", "in", "if", "we", "i", "for", "because", "as",
        "but", "so", "then", "works", "with", "from", "through",
    ];
    let word = next.trim_start();
    let signs = next.is_empty() || next.starts_with(|c: char| !c.is_alphanumeric() && c != ' ');
    signs || GO_ON.contains(&word)
}

/// Whether a part continues the date before it.
fn belongs(
    text: &str,
    whole: &Range<usize>,
    said: &[Says],
    place: &Range<usize>,
    says: Says,
) -> bool {
    let Some(gap) = text.get(whole.end..place.start).filter(|gap| gap.len() < 24) else {
        return false;
    };
    let last = said.last().copied().unwrap_or(says);
    let a_range = RANGE.is_in(gap) || AND.is_in(gap) && is_between(text, whole, said);
    if a_range {
        let days = |one: Says| matches!(one, Says::Weekday | Says::Calendar);
        return last == says || days(last) && days(says);
    }
    if !BETWEEN.is_in(gap) {
        return false;
    }
    match (last, says) {
        (Says::Clock, Says::Weekday | Says::Calendar | Says::Today) => {
            !gap.contains(',') && !said[..said.len() - 1].iter().any(|&s| s != Says::Clock)
        }
        (Says::Weekday, Says::Calendar) | (Says::Calendar, Says::Weekday) => true,
        (Says::Weekday, Says::Weekday) => {
            text[place.clone()].starts_with("next") || text[place.clone()].contains("week")
        }
        (Says::Daypart, Says::Weekday | Says::Calendar) => [" of ", " ", " ("].contains(&gap),
        (_, Says::Daypart) => last != Says::Daypart,
        (_, Says::Clock) => last != Says::Clock,
        _ => false,
    }
}

/// Whether the date so far stands behind "between", or holds it.
fn is_between(text: &str, whole: &Range<usize>, said: &[Says]) -> bool {
    let lead = text[..whole.start].trim_end();
    let inner = said.len() > 1 && text[whole.clone()].contains("between");
    inner || lead.ends_with("between") || lead.ends_with("zwischen") || lead.ends_with("entre")
}

/// Takes what is a date: words like "morning" alone are none.
fn take(scan: &mut Scan<'_>, joined: Option<(Range<usize>, Vec<Says>)>) {
    let Some((mut place, said)) = joined else { return };
    let weak = |says: &Says| matches!(says, Says::Daypart | Says::Today);
    let strong = said.iter().any(|says| !weak(says));
    let spoken = said.contains(&Says::Today) && said.contains(&Says::Daypart);
    if !strong && !spoken {
        return;
    }
    let dayish = matches!(said.last(), Some(Says::Weekday | Says::Calendar));
    if dayish && let Some(hours) = HOURS.first(&scan.text[place.end..]) {
        let end = place.end + hours.end();
        let measured = after(scan.text, end).is_some_and(|c| {
            c.is_alphanumeric()
                || ":.%°".contains(c)
                    && !scan.text[end..].starts_with(". ")
                    && end + 1 < scan.text.len()
        });
        let counts = scan.text[end..].starts_with(' ')
            && scan.text[end..].trim_start().starts_with(char::is_lowercase)
            && !hours.as_str().contains("at ");
        if !measured && !counts {
            place.end = end;
        }
    }
    // A full stop behind a word may be the sentence's.
    let said = scan.text[place.clone()].strip_suffix('.');
    let is_word = said.is_some_and(|said| said.ends_with(char::is_alphabetic));
    place.end -= usize::from(is_word);
    if is_of_log(scan.text, &place) {
        scan.block(place, Kind::Date);
    } else if !is_part_of_name(scan.text, &place) {
        scan.claim_free(place, Kind::Date);
    }
}

/// Whether a time is that of a line of a log: the level of that stands behind it.
fn is_of_log(text: &str, place: &Range<usize>) -> bool {
    const LEVELS: [&str; 7] = ["DEBUG", "ERROR", "FATAL", "INFO", "TRACE", "WARN", "WARNING"];
    let rest = text[place.end..].trim_start_matches([' ', '[', ':', '|', '-']);
    let word = rest.split(|c: char| !c.is_ascii_uppercase()).next().unwrap_or_default();
    text[place.clone()].matches(':').count() > 1 && LEVELS.contains(&word)
}

/// Whether figures that look like a day are a part of a name: `DR-2026-02`, `2025-09-30.clover`.
fn is_part_of_name(text: &str, place: &Range<usize>) -> bool {
    let has_figures_alone = !text[place.clone()].contains(char::is_alphabetic);
    let lead = text[..place.start].strip_suffix('-');
    let rest = text[place.end..].strip_prefix('.');
    has_figures_alone
        && (lead.is_some_and(|lead| lead.ends_with(char::is_alphabetic))
            || rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())))
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(super) const PATTERNS: &[&Pattern] = &[
    &BETWEEN,
    &RANGE,
    &AND,
    &HOURS,
    &CALENDAR,
    &CLOCK,
    &DAYPART,
    &LOOSE_MONTH,
    &ORDINAL,
    &RELATIVE,
    &WEAK_DAY,
    &WEEKDAY,
    &YEAR,
    &FIGURES,
    &HOUR,
    &PARTS,
];

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::specifics::stretch::Stretches;

    /// Parts of dates, what may stand between them, and what keeps them apart.
    const SAID: &str = "(the |on |in |bis zum |half past |early |last |at )?(3rd|23rd to 24th of September|Sept\\. the 4th - 5th, 2024|Wed - Fri|Tuesdays|next spring|\
        2024-03-04T10:20:30\\.123456789Z|31\\.12\\.|10/10 to 12/10|14:05:06\\.789 Uhr\\+02:00|noon|morning|gestern|Müller|\
        über|word|[a-z]{1,12}|[a-z]{90,100}|20\\d\\d|\\d{1,3})[,.;)]?( |  |\n|\u{a0}|,|\")";

    proptest! {
        #[test]
        fn each_part_is_found_near_the_end_of_one(said in prop::collection::vec(SAID, 0..60)) {
            let text = said.concat();
            let whole = Stretches::of(&text);
            let near = whole.near(&PARTS, LONGEST);
            for pattern in KINDS.into_iter().map(|kind| kind.0).chain([&ORDINAL]) {
                let places = |stretches: &Stretches<'_>| -> Vec<_> {
                    stretches.groups(pattern).iter().map(|one| one.whole().range()).collect()
                };
                prop_assert_eq!(places(&near), places(&whole));
            }
        }
    }
}
