//! Figures that mean something by what stands around them: the time per which they are, or whose blood pressure.

use std::ops::{Range, RangeInclusive};

use super::ends_here;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::{lead, word_before};
use crate::specifics::words::Words;

/// Whether a figure is somebody's blood pressure: `148/86`.
pub(super) fn is_pressure(text: &str, place: &Range<usize>) -> bool {
    /// Bytes in front of it in which a word says so.
    const REACH: usize = 48;
    let within = |part: &str, range: RangeInclusive<u32>| {
        part.parse().is_ok_and(|number| range.contains(&number))
    };
    let both = text[place.clone()].split_once('/');
    both.is_some_and(|(upper, lower)| within(upper, 100..=240) && within(lower, 40..=99))
        && ends_here(text, place.end)
        && PRESSURE.is_in(lead(text, place.start, REACH))
}

/// Words in front of a blood pressure.
static PRESSURE: Pattern = Pattern::new(|| {
    r"(?i)(?:pressure|\bbp|\brr|blutdruck|tensión|tension|presión)\b[^.;]*$".into()
});

/// What a figure is per, behind it: `600/min`, `1342 img/s`, `74 a month`, `68.50 per head`.
static PACE: Pattern = Pattern::new(|| {
    r"^(?:(?:\x20[a-z]{2,12})?/(?:day|h|hour|hr|min|month|s|sec|week)|\x20(?:a|per|pro|im|par|al)\x20(?:day|hour|minute|month|night|second|week|year|Jahr|Monat|Nacht|Tag|Woche|an|jour|mois|semaine|año|día|mes|semana)|\x20per\x20(?:adult|child|copy|desk|guest|head|item|participant|person|piece|seat|user))\b".into()
});

/// Words that may stand behind the time per which a figure is: with a noun there it is another thing, as in `phase 2 a day
/// later`.
static BEHIND: Words =
    Words::new("and but each for from in incl including on or plus to with without");

/// Words in front of a number that is none of how many.
static COUNTED_ON: Words =
    Words::new("age day group item level phase platz seite stage step turned version");

/// A figure with the time per which it is.
pub(super) fn paced(text: &str, place: &Range<usize>) -> Option<Range<usize>> {
    let plain = text[place.clone()]
        .bytes()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'.'));
    let per = PACE.first(&text[place.end..]).filter(|_| plain)?;
    let end = place.end + per.end();
    let is_one = per.as_str().contains('/')
        || may_follow(&text[end..]) && !COUNTED_ON.hold_lower(word_before(text, place.start));
    is_one.then_some(place.start..end)
}

/// Whether what follows says nothing else of the time in front of it.
fn may_follow(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix(' ') else { return true };
    let word = rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    word.is_empty() || BEHIND.holds(word)
}

/// Every pattern here, for the test that compiles them.
#[cfg(test)]
pub(in crate::specifics) const PATTERNS: &[&Pattern] = &[&PRESSURE, &PACE];
