//! Whether one way to say when is another one.

use std::collections::BTreeSet;

use crate::specifics::normal;

/// Words between the two ends of a time.
const LINKS: [&str; 8] = [" to ", " bis ", " until ", " till ", " and ", "–", " - ", " au "];

/// A day, a time, or both, part by part.
#[derive(Debug)]
pub(super) struct Day(BTreeSet<String>);

impl Day {
    /// The days that a date names: both ends if they are of different months.
    pub(super) fn all_of(date: &str) -> Vec<Self> {
        let parts = normal::date_parts(date);
        let months = parts.iter().filter(|part| is(part, 'm')).count();
        let ends = LINKS.iter().find_map(|link| date.split_once(link)).filter(|_| months > 1);
        let days = match ends {
            Some((first, last)) => vec![normal::date_parts(first), normal::date_parts(last)],
            None => vec![parts],
        };
        days.into_iter().filter(|parts| !parts.is_empty()).map(Self).collect()
    }

    /// Whether one of several days is this one; its time may be told apart from it, and each day of a range for itself.
    pub(super) fn is_among(&self, days: &[Self]) -> bool {
        let (times, day): (Vec<&str>, Vec<&str>) =
            self.0.iter().map(String::as_str).partition(|part| is(part, 't'));
        let told = |day: &[&str]| day.is_empty() || days.iter().any(|one| one.fits(day));
        let is_told = |time: &&str| {
            days.iter().any(|one| {
                one.0.contains(*time) && (day.is_empty() || one.names_no_day() || one.fits(&day))
            })
        };
        let (numbers, rest): (Vec<&str>, Vec<&str>) = day.iter().partition(|part| is_number(part));
        let each = || numbers.iter().all(|number| told(&[&rest[..], &[number]].concat()));
        (told(&day) || numbers.len() > 1 && each()) && times.iter().all(is_told)
    }

    /// Whether it is a day of which so much is known. The year may be left out or added.
    fn fits(&self, day: &[&str]) -> bool {
        let only_year = day.iter().all(|part| is(part, 'y'));
        let any_year = !only_year && !self.0.iter().any(|part| is(part, 'y'));
        day.iter().all(|part| self.0.contains(*part) || any_year && is(part, 'y'))
    }

    fn names_no_day(&self) -> bool {
        !self.0.iter().any(|part| is_number(part) || is(part, 'm'))
    }
}

/// Whether a part is of the sort that a sign before its figures tells.
fn is(part: &str, sign: char) -> bool {
    part.strip_prefix(sign).is_some_and(is_number)
}

fn is_number(part: &str) -> bool {
    part.starts_with(|c: char| c.is_ascii_digit())
}
