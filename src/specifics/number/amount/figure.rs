//! A figure by itself: where it begins, what it says in each way to read it, and how finely.

use std::ops::Range;

use super::lead::is_line_sign;
use crate::specifics::scan;
use crate::specifics::words::Words;
use crate::specifics::worth;

/// The digits of a time with a colon: it is told to the last one, and finer than whatever rounds it.
pub(super) const CLOCK_DIGITS: f64 = 1e6;

/// Words that say how long something takes, in the same clause as two figures with a colon between them.
static LASTING: Words = Words::new(
    "average best dauert dauerte dura duration duró elapsed fastest lasted lasts long longest median pace ran run runs runtime \
     slowest time took take takes taking total within worst",
);

/// Words right in front of a time of day.
static AT: Words = Words::new(
    "a ab after alle at before bis by from gegen las opens since starts till to um until vers à",
);

/// Whether two figures with a colon between them tell how long something takes, and no time of day, ratio or place: all of
/// a text does, as nothing else of it is known.
fn lasts(text: &str, at: usize, rest: &str) -> bool {
    let sentence = scan::sentence_before(text, at, 48);
    let clause = sentence.rsplit([',', '(']).next().unwrap_or_default();
    let is_hour = ["am", "pm", "uhr", "h", "hrs", "o'clock"].iter().any(|hour| {
        let rest = rest.trim_start();
        let behind = rest.get(..hour.len()).is_some_and(|word| word.eq_ignore_ascii_case(hour));
        behind && !rest[hour.len()..].starts_with(char::is_alphanumeric)
    });
    let words = || clause.split(' ').filter(|word| !word.is_empty());
    at == 0
        || !is_hour
            && !words().next_back().is_some_and(|word| AT.hold_lower(word))
            && words().any(|word| LASTING.hold_lower(word))
}

/// Where two figures end that are joined by a colon, and how many seconds they tell: as minutes and seconds, or as hours
/// and minutes. `None` if they say nothing of how long something takes.
pub(super) fn clock(text: &str, first: &Range<usize>) -> Option<(usize, Vec<(&'static str, f64)>)> {
    const MINUTE: f64 = 60.0;
    let at = first.start;
    let is_digit = |c: char| c.is_ascii_digit();
    let rest = text[first.end..].strip_prefix(':')?;
    let (second, rest) = rest.split_at_checked(2)?;
    let is_whole = !rest.starts_with(is_digit)
        && !rest.strip_prefix(':').is_some_and(|rest| rest.starts_with(is_digit))
        && !text[..first.start].ends_with([':', '.', '/']);
    let (first, second): (u16, u16) = (text[first.clone()].parse().ok()?, second.parse().ok()?);
    let seconds = f64::from(first) * MINUTE + f64::from(second);
    (is_whole && second < 60 && lasts(text, at, rest))
        .then(|| (text.len() - rest.len(), vec![("s", seconds), ("s", seconds * MINUTE)]))
}

/// The digits of a figure as one number, and without any zeros at the end; 0 where it is a fraction or has an exponent.
/// Zeros at the end of what is said to be no exact one tell nothing, but three digits of a round one: `about 1,100` is told
/// by two, `about 1,000` by three.
pub(super) fn digits(figure: &str, about: bool) -> (f64, f64) {
    const TEN: f64 = 10.0;
    let plain = |c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}')
    };
    let all: String = figure.chars().filter(char::is_ascii_digit).collect();
    let mut digits = if figure.chars().all(plain) { all.parse().unwrap_or(0.0) } else { 0.0 };
    let mut zeros = 0;
    while about && digits >= TEN && digits % TEN == 0.0 {
        (digits, zeros) = (digits / TEN, zeros + 1);
    }
    (if digits < TEN { digits * TEN.powi(zeros.min(2)) } else { digits }, digits)
}

/// Whether a figure begins at a place, and not in a word, a version or a time.
pub(super) fn begins(text: &str, at: usize, last: usize) -> bool {
    let mut signs = text[..at].chars().rev();
    let (before, second) = (signs.next(), signs.next());
    let digit = second.is_some_and(|c| c.is_ascii_digit());
    match before {
        Some('x') if last == at - 1 => true,
        Some(c) if c.is_alphanumeric() => at == last || is_line_sign(text, at),
        Some('_') => false,
        Some('.' | ',') => !digit,
        // What stands between two figures is a time unless it has more than two digits.
        Some(':') => !digit || text[at..].bytes().take_while(u8::is_ascii_digit).count() > 2,
        _ => true,
    }
}

/// Whether a minus stands in front of a figure, and no hyphen.
pub(super) fn is_negative(text: &str, at: usize) -> bool {
    let lead = text[..at].strip_suffix(['-', '−']);
    lead.is_some_and(|lead| lead.is_empty() || lead.ends_with([' ', '(', '\n']))
}

/// The values of a figure, each in all ways to read it: `1.234` is more than a thousand or little more than one. Two
/// for a ratio such as `120/80` or `3/12 regions`.
pub(super) fn values(figure: &str, measured: bool) -> Vec<Vec<f64>> {
    if let Some((first, second)) = figure.split_once('/').filter(|(first, _)| !first.contains(' '))
    {
        let value = |part: &str| part.parse().unwrap_or(0.0);
        let (first, second): (f64, f64) = (value(first), value(second));
        let is_fraction = measured && first < second && second <= 16.0;
        return if is_fraction {
            vec![vec![first / second]]
        } else {
            vec![vec![first], vec![second]]
        };
    }
    if figure.contains(['e', 'E']) {
        return figure.parse().map(|value| vec![vec![value]]).unwrap_or_default();
    }
    let Some(value) = worth::of(figure) else {
        let parts = worth::vulgar(figure);
        let value = parts.split('+').filter_map(|part| match part.split_once('/') {
            Some((over, under)) => Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?),
            None => part.parse().ok(),
        });
        return vec![vec![value.sum()]];
    };
    let mut all = vec![value];
    // Nobody tells thousandths to the last one that is none: `2,000` is no two.
    let is_of_thousands = value >= 1_000.0 && figure.contains(',') && figure.ends_with('0');
    if !is_of_thousands
        && figure.matches(['.', ',']).count() == 1
        && let Ok(decimal) = figure.replace(',', ".").parse()
    {
        all.push(decimal);
    }
    vec![all]
}
