//! Schedules as `cron` reads them (`30 2 * * *`) and the versions that a package may have (`~> 5.40`).

use std::ops::Range;

use crate::specifics::Kind;
use crate::specifics::scan::Scan;
use crate::specifics::token::Token;

/// The fields of a schedule: minute, hour, day, month, weekday.
const FIELDS: usize = 5;

/// Signs around a schedule that are none of it.
const MARKS: [char; 9] = ['`', '"', '\'', '(', ')', ',', '.', ';', ':'];

/// Takes the schedules of a message; comes before the numbers, whose figures would be theirs.
pub(in crate::specifics) fn find(scan: &mut Scan<'_>) {
    let text = scan.text;
    // The last two fields of most schedules, and of few other texts.
    if text.contains("* *") {
        for fields in scan.tokens.windows(FIELDS) {
            if let Some(place) = schedule(text, fields) {
                scan.claim_free(place, Kind::Identifier);
            }
        }
    }
    for (at, sign) in text.match_indices("~>") {
        let rest = &text[at + sign.len()..];
        let version = rest.trim_start_matches(' ');
        let gap = rest.len() - version.len();
        let length = version.bytes().take_while(|b| b.is_ascii_digit() || *b == b'.').count();
        let version = version[..length].trim_end_matches('.');
        if version.contains('.') && gap < 2 {
            let end = at + sign.len() + gap + version.len();
            scan.claim_free(at..end, Kind::Identifier);
        }
    }
}

/// The place of a schedule that some words are.
fn schedule(text: &str, fields: &[Token]) -> Option<Range<usize>> {
    let (first, last) = (fields.first()?.place.range(), fields.last()?.place.range());
    let start = first.start + marks_before(&text[first]);
    let end = last.end - (text[last.clone()].len() - text[last].trim_end_matches(MARKS).len());
    let place = text.get(start..end)?;
    let fields: Vec<&str> = place.split(' ').collect();
    let figure = |field: &&str| field.bytes().any(|byte| byte.is_ascii_digit());
    let any = |pair: &[&str]| pair == ["*", "*"];
    let told = fields.len() == FIELDS
        && fields.iter().all(|field| is_field(field))
        && fields.iter().any(figure)
        && fields.windows(2).any(any);
    told.then_some(start..end)
}

/// The time of a schedule that is kept every day: `15 1 * * *` is 1:15.
pub(in crate::specifics) fn time(schedule: &str) -> Option<String> {
    let (minute, rest) = schedule.split_once(' ')?;
    let hour: u32 = rest.strip_suffix(" * * *")?.parse().ok()?;
    let minute: u32 = minute.parse().ok()?;
    (hour < 24 && minute < 60).then(|| format!("{hour}:{minute:02}"))
}

fn marks_before(word: &str) -> usize {
    word.len() - word.trim_start_matches(MARKS).len()
}

/// Whether a word may be a field: figures, stars, ranges, steps.
fn is_field(field: &str) -> bool {
    !field.is_empty()
        && field.starts_with(|c: char| c.is_ascii_digit() || c == '*')
        && field.bytes().all(|byte| byte.is_ascii_digit() || b"*/,-".contains(&byte))
}

/// The version in what a package may have; `None` for any other text.
pub(in crate::specifics) fn version(constraint: &str) -> Option<&str> {
    constraint.strip_prefix("~>").map(str::trim)
}
