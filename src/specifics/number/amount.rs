//! How much of what a text says, however it writes it: `4500 ms` is `4.5 s`, `$1.2M` is `1.2 million dollars`, and
//! `localhost:8080` has the number of `port 8080`.

mod compare;
mod figure;
mod lead;
mod side;

use std::borrow::Cow;

use figure::{CLOCK_DIGITS, begins, clock, digits, is_negative, values};
use lead::{About, Pace, is_line_sign, leads};

pub(in crate::specifics) use side::{Side, bound, bound_of};

use super::{
    CURRENCY, FIGURE, SIZE, SMALL_M, counted, is_dotted, spelled, unit_behind, whole_figure,
};
use crate::memory::stem;
use crate::specifics::automaton::{Groups, Match};
use crate::specifics::pattern::Pattern;
use crate::specifics::scan;
use crate::specifics::unit;
use crate::specifics::worth;

/// A figure as any text writes it, one in code too.
static FIGURES: Pattern = Pattern::new(|| format!(r"{FIGURE}(?:[eE][-+]?\d{{1,3}}\b)?"));

/// The currency right in front of a figure.
static FRONT: Pattern = Pattern::new(|| format!(r"(?:{CURRENCY})[\x20\x{{a0}}]?$"));

/// What makes one of two figures: a range, or parts of a list.
static JOINT: Pattern = Pattern::new(|| {
    r"^(?:\x20?(?:[-–—/→…]|\.\.\.?|->|=>)\x20?\+?|\x20(?:to|statt|anstatt|instead\x20of|rather\x20than|au\x20lieu\x20de|en\x20vez\x20de|to\x20(?:about|almost|around|below|just\x20(?:over|under)|less\x20than|nearly|roughly|under)|up\x20to|down\x20to|and|or|through|until|over|auf|bis|à|by)\x20)$"
        .into()
});

/// What stands behind a figure that is multiplied with the next one.
static FACTOR: Pattern = Pattern::new(|| r"^\x20?[x×*]\x20?\d".into());

/// A small letter for millions in front of a currency: `18.75m euros`.
static MILLIONS: Pattern = Pattern::new(|| {
    r"^\x20?(?:m|mln)\x20(euros?|EUR|dollars?|USD|pounds|GBP|CHF|francs?|yen|JPY)\b".into()
});

/// What stands between the figures of a product.
static TIMES: Pattern = Pattern::new(|| r"^\x20?[x×*]\x20?$|^\x20by\x20$".into());

/// Per which time something is counted.
static PER: Pattern = Pattern::new(|| {
    r"^(?:\x20\p{L}[\p{L}-]*){0,2}(?:\x20?/\x20?|\x20(?:per|an?|pro|par|por|im|al|je)\x20)(s|sec(?:ond)?s?|Sekunde|seconde|segundo|min(?:ute|uto)?s?|Minute|h|hr|hour|Stunde|heure|hora|day|Tag|jour|día|week|Woche|semaine|semana|month|Monat|mois|mes|year|Jahr|año)\b|^\x20(daily|täglich|weekly|wöchentlich|monthly|monatlich|mensuels?|yearly|annually|jährlich|p\.\x20?a\.)".into()
});

/// Sums that are made of one amount and those right in front of it: `6 days 1 h 45 min` says `1 h 45 min` as well.
const MOST_SUMS: usize = 3;

/// How much of something.
#[derive(Debug, Clone, Default)]
pub(in crate::specifics) struct Amount {
    /// The figure with its magnitude, in each way to read it.
    figures: Vec<f64>,
    /// The same in the base units of what it may measure.
    measures: Vec<(&'static str, f64)>,
    /// The same in the unit of a figure before it in its sentence: `280 ms in all, 80 of them for the network`.
    carried: Vec<(&'static str, f64)>,
    /// What it counts, and before that the words which say of what sort.
    things: Vec<String>,
    /// What stands behind it and its unit: `80 °C bed`, `three vegan`.
    behind: Vec<String>,
    /// The words in front of it, nearest first.
    leads: Vec<String>,
    /// The first of them is its label: `line 42`.
    labelled: bool,
    /// It stands right behind a colon: `usage.rs:42`.
    glued: bool,
    /// It says how often something happens.
    often: Pace,
    /// The time per which it is.
    per: Option<&'static str>,
    /// It is said as a part of a larger one: `1h` in `1h30m`.
    part: bool,
    /// How finely it is told.
    grain: Grain,
    /// It is told as the most or the least.
    side: Side,
}

/// How finely a figure is told.
#[derive(Debug, Clone, Copy, Default)]
struct Grain {
    /// Its digits as one number, those in front of a point and behind it.
    digits: f64,
    /// The same without the zeros at the end: `7` of `700`, `11` of `1,100`.
    round: f64,
    /// It has a magnitude in words or letters: `1.28 million`.
    sized: bool,
    /// Whether a word in front of it says that it is no exact one.
    about: About,
}

/// An amount while it is read.
struct Found<'t> {
    amount: Amount,
    start: usize,
    end: usize,
    size: f64,
    unit: Option<&'t str>,
    /// The unit of a figure before it.
    carried: Option<&'t str>,
    /// A minus stands in front of it.
    negative: bool,
}

impl Amount {
    /// All amounts of a text, those that are parts of others too.
    pub(in crate::specifics) fn all_of(text: &str) -> Vec<Self> {
        let text = &with_others(spelled::in_figures(text));
        let mut found = figures(text);
        for nth in 1..found.len() {
            // Both figures of a ratio stand in one place.
            let gap = text.get(found[nth - 1].end..found[nth].start).unwrap_or("/");
            let length = || found[nth].unit.is_some_and(unit::is_of_length) && TIMES.is_in(gap);
            // Of so much something is a part: `41 of 64 GB`. Of so many things some are: `3 of the 64 GB disks`.
            let part = || {
                let is_of = matches!(gap, " of " | " of the ")
                    && !begins_with_plural(&text[found[nth].end..]);
                is_of && found[nth].unit.is_some_and(|unit| !unit::measures(unit).is_empty())
            };
            if JOINT.is_in(gap) || length() || part() {
                share(&mut found, nth);
            }
        }
        share_along(text, &mut found);
        found.iter_mut().for_each(Found::measure);
        for nth in 1..found.len() {
            let gap = text.get(found[nth - 1].end..found[nth].start).unwrap_or_default();
            let is_time = || {
                let rest =
                    text[found[nth].start..].trim_start_matches(|c: char| c.is_ascii_digit());
                rest.strip_prefix(':')
                    .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            };
            if !gap.contains(". ") && !gap.contains('\n') && !is_time() {
                carry(&mut found, nth);
            }
        }
        let mut all: Vec<Self> = Vec::with_capacity(found.len());
        // Those to which a smaller one right behind is added, the largest first.
        let mut open: Vec<usize> = Vec::new();
        for nth in 0..found.len() {
            if !is_next(text, &found[..=nth]) {
                open.clear();
            }
            let amount = found[nth].amount.clone();
            let single = all.len();
            let sums: Vec<(usize, Self)> = open
                .iter()
                .filter_map(|whole| Some((*whole, all[*whole].with(&amount)?)))
                .take(MOST_SUMS)
                .collect();
            all.push(Self { part: !sums.is_empty(), ..amount });
            open.clear();
            for (rank, (whole, sum)) in sums.into_iter().enumerate() {
                all[whole].part = true;
                open.push(all.len());
                all.push(Self { part: rank > 0, ..sum });
            }
            open.push(single);
        }
        all
    }

    /// The sum with a smaller one that measures the same: `1 h 20 min`.
    fn with(&self, rest: &Self) -> Option<Self> {
        let pairs =
            self.measures.iter().flat_map(|one| rest.measures.iter().map(move |two| (one, two)));
        let measures: Vec<(&'static str, f64)> = pairs
            .filter(|(one, two)| one.0 == two.0 && two.1 < one.1)
            .map(|(one, two)| (one.0, one.1 + two.1))
            .collect();
        let (leads, behind) = (self.leads.clone(), rest.behind.clone());
        (!measures.is_empty()).then(|| Self { measures, behind, leads, ..Self::default() })
    }

    /// A figure with a label, as in `port 8080`.
    pub(in crate::specifics) fn labelled(label: &str, figure: f64) -> Self {
        let leads = vec![lead::label(&label.to_lowercase())];
        Self { figures: vec![figure], leads, labelled: true, ..Self::default() }
    }

    /// So many bytes.
    pub(in crate::specifics) fn in_bytes(bytes: f64) -> Self {
        Self { measures: vec![("byte", bytes)], ..Self::default() }
    }

    /// So many seconds.
    pub(in crate::specifics) fn lasting(seconds: f64) -> Self {
        Self { measures: vec![("s", seconds)], ..Self::default() }
    }
}

/// Whether the word behind a unit is what there are several of.
fn begins_with_plural(rest: &str) -> bool {
    const LONG: usize = 4;
    let word = rest.strip_prefix([' ', '-']).map(|rest| rest.split(|c: char| !c.is_alphabetic()));
    let word = word.and_then(|mut words| words.next()).unwrap_or_default();
    word.len() >= LONG
        && word.ends_with('s')
        && !matches!(word, "across" | "does" | "less" | "plus")
}

impl Found<'_> {
    /// Reads the figures as what the unit measures, or what it counts.
    fn measure(&mut self) {
        // What is written with a colon has its measures.
        let Some(unit) = self.unit.filter(|_| !self.amount.figures.is_empty()) else { return };
        let scales = unit::measures(unit);
        if scales.is_empty() {
            let thing =
                unit::canonical(unit).map_or(unit, |unit| if unit == "x" { "times" } else { unit });
            self.amount.things = vec![stem(thing)];
        }
        let figures = self.amount.figures.iter();
        self.amount.measures = figures
            .flat_map(|figure| scales.iter().map(move |(of, scale)| (*of, figure * scale)))
            .collect();
    }
}

/// How often in some time something happens, with what lies between: `twice a day` is `every 12 hours`.
static OFTEN: Pattern = Pattern::new(|| {
    r"(?:^|[^\d.,\w])(2|3|4|6|8|12)(?:\x20times|x)(?:\x20(?:an?|each|per|every)\x20(day|hour|year)|\x20(daily|hourly|yearly))\b"
        .into()
});

/// A time and its adverb, and how many of the next smaller one it has.
const PARTS: [(&str, &str, u32, &str); 3] = [
    ("day", "daily", 24, "hours"),
    ("hour", "hourly", 60, "minutes"),
    ("year", "yearly", 12, "months"),
];

/// A text in figures with what it tells in another way behind it.
fn with_others(text: String) -> String {
    let mut all = text;
    // Thousands of euros.
    for (short, long) in [("T€", " Tsd. €"), ("TEUR", " Tsd. €")] {
        if all.contains(short) {
            all = all.replace(&format!(" {short}"), long).replace(short, long);
        }
    }
    // In the words of an adverb: it lasts no such time.
    let between = |found: Groups<'_>| {
        let times: u32 = found.get(1)?.as_str().parse().ok()?;
        let time = found.get(2).or(found.get(3))?.as_str();
        let (_, adverb, parts, unit) =
            PARTS.iter().find(|(noun, adverb, ..)| [*noun, *adverb].contains(&time))?;
        let told = || format!(" {adverb} {} {unit}", parts / times);
        parts.is_multiple_of(times).then(|| (found.whole().end(), told()))
    };
    let is_told = all.contains(" times") || all.contains("x ");
    let found = is_told.then(|| OFTEN.groups(&all).filter_map(between)).into_iter().flatten();
    let found: Vec<(usize, String)> = found.collect();
    for (end, told) in found.into_iter().rev() {
        all.insert_str(end, &told);
    }
    all
}

/// The figures of a text with what stands around each.
fn figures(text: &str) -> Vec<Found<'_>> {
    let mut found: Vec<Found<'_>> = Vec::new();
    let Some(form) = FIGURES.whole() else { return found };
    let mut at = 0;
    while let Some(place) = form.find_at(text, at) {
        let place = whole_figure(text, place.range());
        let place = place.start..place.end.max(place.start + 1);
        at = place.end;
        let figure = &text[place.clone()];
        let last = found.last().map_or(usize::MAX, |last| last.end);
        if !begins(text, place.start, last) {
            // Only the first group is a part of the word: `p95 840`.
            if let Some(group) = figure.find([' ', '\u{a0}', '\u{202f}']) {
                at = place.start + group;
            }
            continue;
        }
        if let Some((end, measures)) = clock(text, &place) {
            let (leads, labelled) = leads(text, place.start);
            let about = About::before(text, place.start);
            let grain = Grain { digits: CLOCK_DIGITS, about, ..Grain::default() };
            let amount = Amount { measures, leads, labelled, grain, ..Amount::default() };
            let start = place.start;
            let (size, negative) = (1.0, false);
            found.push(Found { amount, start, end, size, unit: None, carried: None, negative });
            at = end;
            continue;
        }
        let Some((size, unit, end)) = rest_of(text, place.start, place.end) else { continue };
        let behind = lead::behind(text, end);
        let about = About::before(text, place.start);
        let (digits, round) = digits(figure, about != About::Exact);
        let grain = Grain { digits, round, sized: size > 1.0, about };
        let things = match unit {
            None => counted::things_behind(text, end, figure == "1"),
            Some(_) => Vec::new(),
        };
        let (leads, labelled) = leads(text, place.start);
        let glued = text[..place.start].ends_with(':') || is_line_sign(text, place.start);
        let figure = &*if is_dotted(text, place.start) {
            format!("0.{figure}").into()
        } else {
            Cow::Borrowed(figure)
        };
        for values in values(figure, unit.is_some()) {
            let negative = is_negative(text, place.start);
            let size = if unit.is_some() && negative { -size } else { size };
            let figures = values.into_iter().map(|value| value * size).collect();
            let (leads, things, behind) = (leads.clone(), things.clone(), behind.clone());
            let often = Pace::before(text, place.start);
            let per =
                PER.parts(&text[end..]).and_then(|parts| match (parts.get(1), parts.get(2)) {
                    (Some(time), _) => unit::canonical(time.as_str()),
                    (_, adverb) => time_of(adverb?.as_str()),
                });
            let bound = Side::before(text, place.start);
            let rest = Amount { behind, often, per, grain, side: bound, ..Amount::default() };
            let amount = Amount { figures, things, leads, labelled, glued, ..rest };
            let start = place.start;
            found.push(Found { amount, start, end, size, unit, carried: None, negative });
        }
        at = end;
    }
    found
}

/// The time of which an adverb tells that something is per each: `monthly`.
fn time_of(adverb: &str) -> Option<&'static str> {
    const TIMES: [(&str, &str); 5] =
        [("da", "day"), ("tä", "day"), ("w", "week"), ("m", "month"), ("", "year")];
    let (_, time) = TIMES.iter().find(|(start, _)| adverb.starts_with(start))?;
    unit::canonical(time)
}

/// What stands behind a figure: its magnitude, its unit, and where that ends. `None` if the figure is a part of
/// something else.
fn rest_of(text: &str, start: usize, end: usize) -> Option<(f64, Option<&str>, usize)> {
    let front = FRONT.first(scan::lead(text, start, 8)).map(|currency| currency.as_str().trim());
    let size = SIZE
        .first(&text[end..])
        .or_else(|| SMALL_M.first(&text[end..]).filter(|_| front.is_some()));
    let sized = |size: Match<'_>| {
        worth::magnitude(size.as_str().trim().trim_start_matches('-'), front.is_some())
    };
    let letter = |at: usize| text[at..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if FACTOR.is_in(&text[end..]) {
        return Some((1.0, front, end));
    }
    if let Some(size) = many(&text[end..]) {
        return Some((size, front, end + 1));
    }
    if let Some(parts) =
        MILLIONS.is_in(&text[end..]).then(|| MILLIONS.parts(&text[end..])).flatten()
        && let Some(currency) = parts.get(1)
    {
        return Some((1e6, Some(currency.as_str()), end + currency.end()));
    }
    if front.is_none()
        && let Some((magnitude, unit, end)) = unit_behind(text, end)
    {
        let size = magnitude.and_then(|word| worth::magnitude(word, true)).unwrap_or(1.0);
        return Some((size, Some(unit), end));
    }
    if let Some(size) = size.filter(|size| !letter(end + size.end()))
        && let Some(factor) = sized(size)
    {
        return Some((factor, front, end + size.end()));
    }
    let mut rest = text[end..].chars();
    let next = rest.next();
    let goes_on =
        matches!(next, Some('.' | ',')) && rest.next().is_some_and(|c| c.is_ascii_digit());
    (!goes_on && (front.is_some() || !letter(end))).then_some((1.0, front, end))
}

/// The magnitude that a capital letter tells of what models are made of and fed with: `60B tokens`, `2.1T tokens`.
fn many(rest: &str) -> Option<f64> {
    const COUNTED: [&str; 5] = ["parameters", "params", "rows", "tokens", "weights"];
    let (letter, behind) = rest.split_at_checked(1)?;
    let noun = behind.strip_prefix([' ', '-'])?.split(|c: char| !c.is_alphabetic()).next()?;
    let size = match letter {
        "B" => 1e9,
        "T" => 1e12,
        _ => return None,
    };
    COUNTED.contains(&noun).then_some(size)
}

/// Gives the unit at the end of a list to all figures in front of it: `10, 22 and 47 Ω`.
fn share_along(text: &str, found: &mut [Found<'_>]) {
    let gap = |found: &[Found<'_>], nth: usize| {
        text.get(found[nth - 1].end..found[nth].start).map(|gap| (gap == ", ", JOINT.is_in(gap)))
    };
    for nth in (1..found.len().saturating_sub(1)).rev() {
        let (Some((comma, joint)), Some((_, ends))) = (gap(found, nth), gap(found, nth + 1)) else {
            continue;
        };
        let is_open = found[nth - 1].unit.is_none() && found[nth - 1].amount.things.is_empty();
        let is_shared = found[nth].unit.is_some() && found[nth].unit == found[nth + 1].unit;
        if (comma || joint) && (ends || nth + 2 < found.len()) && is_open && is_shared {
            share(found, nth);
        }
    }
}

/// Gives what one of two joined figures lacks: `10-20 ms`, `$5 to 10`, `lines 3 and 7`.
fn share(found: &mut [Found<'_>], nth: usize) {
    let (before, rest) = found.split_at_mut(nth);
    let (Some(one), Some(other)) = (before.last_mut(), rest.first_mut()) else { return };
    if one.unit.is_none() && one.amount.things.is_empty() && !one.amount.labelled {
        one.unit = other.unit;
        one.amount.things.clone_from(&other.amount.things);
        // A minus counts only in front of what is measured: `-40 to 85 °C`.
        if one.negative && one.unit.is_some() {
            one.amount.figures.iter_mut().for_each(|figure| *figure = -*figure);
        }
        if one.size < other.size {
            let sized: Vec<f64> =
                one.amount.figures.iter().map(|figure| figure * other.size).collect();
            one.amount.figures.extend(sized);
        }
    } else if other.unit.is_none() && other.amount.things.is_empty() {
        other.unit = one.unit;
        other.amount.labelled = one.amount.labelled;
        if one.amount.labelled {
            other.amount.leads.clone_from(&one.amount.leads);
        }
    }
}

/// Lets a figure that stands for itself be one in the unit of the one before it.
fn carry(found: &mut [Found<'_>], nth: usize) {
    let (before, rest) = found.split_at_mut(nth);
    let (Some(one), Some(other)) = (before.last(), rest.first_mut()) else { return };
    if other.unit.is_some() || !other.amount.things.is_empty() || other.amount.labelled {
        return;
    }
    let Some(unit) = one.unit.or(one.carried) else { return };
    other.carried = Some(unit);
    let scales = unit::measures(unit);
    let figures = other.amount.figures.iter();
    other.amount.carried = figures
        .flat_map(|figure| scales.iter().map(move |(of, scale)| (*of, figure * scale)))
        .collect();
}

/// Whether the last of some stands right behind the one before it, in another unit.
fn is_next(text: &str, found: &[Found<'_>]) -> bool {
    let [.., before, last] = found else { return false };
    let gap = text.get(before.end..last.start);
    matches!(gap, Some("" | " " | " and " | " et " | " und " | " y ")) && before.unit != last.unit
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(in crate::specifics) const PATTERNS: &[&Pattern] =
    &[&FIGURES, &FRONT, &JOINT, &FACTOR, &OFTEN, &TIMES, &PER, &MILLIONS];
