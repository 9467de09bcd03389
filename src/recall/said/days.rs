//! Days: when something was said, and the days that a question speaks of.

use jiff::civil::Date;
use jiff::{Span, ToSpan};

/// A day as one number whose parts can be read off: `year * 512 + month * 32 + day`. 0 is no day. Later days
/// are larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(super) struct Day(pub(super) u32);

impl Day {
    pub(super) fn of(date: Option<Date>) -> Self {
        let number = |date: Date| {
            let year = u32::try_from(date.year()).unwrap_or(0);
            year * 512 + date.month() as u32 * 32 + date.day() as u32
        };
        Self(date.map_or(0, number))
    }

    pub(super) fn date(self) -> Option<Date> {
        Date::new(self.year() as i16, self.month() as i8, self.day() as i8).ok()
    }

    fn year(self) -> u32 {
        self.0 / 512
    }

    fn month(self) -> u32 {
        self.0 / 32 % 16
    }

    fn day(self) -> u32 {
        self.0 % 32
    }
}

/// One thing that a question says about when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    /// In this year.
    Year(u32),
    /// In this month of any year.
    Month(u32),
    /// On this day of any month.
    DayOfMonth(u32),
    /// All that is said of one date; the parts that are not said are 0.
    Date(Day),
    /// From the first day to the last.
    Between(Day, Day),
}

impl When {
    pub(super) fn holds(self, day: Day) -> bool {
        day.0 != 0
            && match self {
                Self::Year(year) => day.year() == year,
                Self::Month(month) => day.month() == month,
                Self::DayOfMonth(of_month) => day.day() == of_month,
                Self::Date(date) => {
                    let agree = |part: fn(Day) -> u32| [0, part(day)].contains(&part(date));
                    agree(Day::year) && agree(Day::month) && agree(Day::day)
                }
                Self::Between(first, last) => (first..=last).contains(&day),
            }
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// What a question says about when. Words like "yesterday" and "last week" count from `now`, if that is known.
pub(super) fn mentioned(question: &str, now: Option<Date>) -> Vec<When> {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut found = Vec::new();
    for at in 0..words.len() {
        found.extend(year(words[at]).map(When::Year));
        found.extend(iso(&words[at..]).into_iter().flatten());
        if let Some(month) = month(&words, at) {
            found.push(When::Month(month));
            let around = [at.checked_sub(1), Some(at + 1), at.checked_sub(2)];
            let near = around.into_iter().flatten().filter_map(|at| words.get(at));
            found.extend(near.into_iter().find_map(|word| of_month(word)).map(When::DayOfMonth));
        }
        found.extend(now.and_then(|now| counted(&words[at..], now)));
    }
    found.dedup();
    found.extend(one_date(&found));
    found
}

/// The date that several parts make, if they make one: one of each kind at most.
fn one_date(parts: &[When]) -> Option<When> {
    let mut date = [0; 3];
    for part in parts {
        let (at, number) = match part {
            When::Year(year) => (0, *year),
            When::Month(month) => (1, *month),
            When::DayOfMonth(day) => (2, *day),
            _ => return None,
        };
        (std::mem::replace(&mut date[at], number) == 0).then_some(())?;
    }
    let [year, month, day] = date;
    (parts.len() > 1).then_some(When::Date(Day(year * 512 + month * 32 + day)))
}

fn year(word: &str) -> Option<u32> {
    let number = (word.len() == 4).then(|| word.parse().ok())??;
    (1900..2100).contains(&number).then_some(number)
}

/// The number of a month by its name. "may", "march" and short names need a number or a word like "in" beside
/// them.
fn month(words: &[&str], at: usize) -> Option<u32> {
    let word = words[at];
    let is_short = |name: &&str| word.len() == 3 && name.starts_with(word) || word == "sept";
    let full = MONTHS.iter().position(|name| *name == word);
    let number = full.or_else(|| MONTHS.iter().position(is_short))?;
    let number = if word == "sept" { 8 } else { number };
    let clear = full.is_some() && !matches!(word, "may" | "march");
    let before = at.checked_sub(1).map_or("", |before| words[before]);
    let after = words.get(at + 1).copied().unwrap_or("");
    let is_number = |word: &str| of_month(word).is_some() || year(word).is_some();
    let leads = ["in", "of", "since", "last", "this", "during", "until", "early", "late", "mid"];
    let placed = is_number(before) || is_number(after) || leads.contains(&before);
    (clear || placed).then_some(number as u32 + 1)
}

/// `8` and `8th`.
fn of_month(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let ending = &word[digits.len()..];
    let number = digits.parse().ok()?;
    let fits = ["", "st", "nd", "rd", "th"].contains(&ending);
    (fits && (1..=31).contains(&number)).then_some(number)
}

/// `2023-05-08`, with any sign between.
fn iso(words: &[&str]) -> Option<[When; 2]> {
    let [first, month, day, ..] = words else { return None };
    year(first)?;
    let part = |word: &str, most: u32| -> Option<u32> {
        let number = (word.len() == 2).then(|| word.parse().ok())??;
        (1..=most).contains(&number).then_some(number)
    };
    Some([When::Month(part(month, 12)?), When::DayOfMonth(part(day, 31)?)])
}

/// Days that are counted back from today.
fn counted(words: &[&str], now: Date) -> Option<When> {
    let back = |span: Span| now.checked_sub(span).ok();
    let between =
        |first: Date, last: Date| Some(When::Between(Day::of(Some(first)), Day::of(Some(last))));
    match words {
        ["yesterday", ..] => between(back(1.days())?, back(1.days())?),
        ["today", ..] => between(now, now),
        ["this", "week", ..] => between(back(6.days())?, now),
        ["last", "week", ..] => between(back(13.days())?, back(4.days())?),
        ["this", "month", ..] => between(now.first_of_month(), now),
        ["last", "month", ..] => {
            let then = back(1.months())?;
            between(then.first_of_month(), then.last_of_month())
        }
        ["this", "year", ..] => Some(When::Year(u32::try_from(now.year()).ok()?)),
        ["last", "year", ..] => Some(When::Year(u32::try_from(now.year() - 1).ok()?)),
        ["last" | "on", day, ..] => {
            let weekday = i64::try_from(WEEKDAYS.iter().position(|name| name == day)?).ok()?;
            let today = i64::from(now.weekday().to_monday_zero_offset());
            let days = (today - weekday).rem_euclid(7);
            let then = back((if days == 0 { 7 } else { days }).days())?;
            between(then, then)
        }
        [count, unit, "ago", ..] => ago(count, unit, now),
        _ => None,
    }
}

/// `three weeks ago`, give or take what people mean by it.
fn ago(count: &str, unit: &str, now: Date) -> Option<When> {
    let count: i64 = match count {
        "a" | "an" => 1,
        word => super::forms::regular(word).unwrap_or(word).parse().ok()?,
    };
    let (days, around) = match unit.trim_end_matches('s') {
        "day" => (count, 0),
        "week" => (count.checked_mul(7)?, 3),
        "month" => (count.checked_mul(30)?, 15),
        "year" => (count.checked_mul(365)?, 183),
        _ => return None,
    };
    let at = |days: i64| now.checked_sub(Span::new().try_days(days).ok()?).ok();
    let (first, last) = (at(days.checked_add(around)?)?, at(days - around)?);
    Some(When::Between(Day::of(Some(first)), Day::of(Some(last))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn day(year: i16, month: i8, day: i8) -> Day {
        Day::of(Some(date(year, month, day)))
    }

    #[test]
    fn a_day_comes_back_and_days_are_in_order() {
        assert_eq!(day(2023, 5, 8).date(), Some(date(2023, 5, 8)));
        assert_eq!(Day::default().date(), None);
        assert!(day(2023, 12, 31) < day(2024, 1, 1));
    }

    #[test]
    fn dates_in_questions_are_understood() {
        let all = [When::Month(5), When::DayOfMonth(8), When::Year(2023)];
        for question in ["on 8 May 2023?", "May 8th, 2023", "on the 8th of May, 2023", "2023-05-08"]
        {
            let found = mentioned(question, None);
            assert_eq!(found.len(), 4, "{question}: {found:?}");
            assert_eq!(found[3], When::Date(day(2023, 5, 8)), "{question}");
            assert!(all.iter().all(|one| found.contains(one)), "{question}: {found:?}");
        }
        assert_eq!(mentioned("what did we do in sept?", None), [When::Month(9)]);
    }

    #[test]
    fn words_that_are_no_dates_say_nothing_about_when() {
        for question in
            ["may I march on?", "the second one", "401 errors", "port 8080", "sun and mar"]
        {
            assert_eq!(mentioned(question, Some(date(2023, 5, 8))), [], "{question}");
        }
    }

    #[test]
    fn days_are_counted_back_from_now() {
        let now = Some(date(2025, 3, 12));
        let holds =
            |question: &str, then: Day| mentioned(question, now).iter().any(|w| w.holds(then));
        assert!(holds("what did I say yesterday?", day(2025, 3, 11)));
        assert!(!holds("what did I say yesterday?", day(2025, 3, 12)));
        assert!(holds("last month", day(2025, 2, 1)) && !holds("last month", day(2025, 3, 1)));
        assert!(
            holds("two weeks ago", day(2025, 2, 26)) && !holds("two weeks ago", day(2025, 2, 5))
        );
        assert!(holds("last Friday", day(2025, 3, 7)) && !holds("last Friday", day(2025, 2, 28)));
        assert_eq!(mentioned("999999999999 years ago", now), []);
        assert_eq!(mentioned("9223372036854775807 days ago", now), []);
    }
}
