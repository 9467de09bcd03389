//! Days: when something was said, and the days that a question speaks of.

mod words;

use jiff::civil::Date;
use jiff::{Span, ToSpan};

use words::Unit;

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
        // The library takes long to say why that is none.
        if self == Self::default() {
            return None;
        }
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
    /// From the one day of this month to the other, of any year.
    PartOfMonth(u32, u32, u32),
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
                Self::PartOfMonth(month, first, last) => {
                    day.month() == month && (first..=last).contains(&day.day())
                }
                Self::DayOfMonth(of_month) => day.day() == of_month,
                Self::Date(date) => {
                    let agree = |part: fn(Day) -> u32| [0, part(day)].contains(&part(date));
                    agree(Day::year) && agree(Day::month) && agree(Day::day)
                }
                Self::Between(first, last) => (first..=last).contains(&day),
            }
    }
}

/// So many words before a month may say which part of it is meant: "the second week of March".
const PART_BEFORE: usize = 4;

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
            let part = words::part_of_month(&words[at.saturating_sub(PART_BEFORE)..at]);
            found.extend(part.map(|(first, last)| When::PartOfMonth(month, first, last)));
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

/// The number of a month by its name. Names that are words of their own, and short ones, need a number or a word like
/// "in" beside them.
fn month(words: &[&str], at: usize) -> Option<u32> {
    let (number, leads) = words::month(words[at])?;
    let before = at.checked_sub(1).map_or("", |before| words[before]);
    let after = words.get(at + 1).copied().unwrap_or("");
    let is_number = |word: &str| of_month(word).is_some() || year(word).is_some();
    let is_placed =
        |leads: &[&str]| is_number(before) || is_number(after) || leads.contains(&before);
    leads.is_none_or(is_placed).then_some(number)
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

/// Days that are counted back from today, in the languages of [`words`].
fn counted(words: &[&str], now: Date) -> Option<When> {
    let back = |days: i64| now.checked_sub(Span::new().try_days(days).ok()?).ok();
    let between =
        |first: Date, last: Date| Some(When::Between(Day::of(Some(first)), Day::of(Some(last))));
    let on = |days: i64| between(back(days)?, back(days)?);
    if let Some(days) = words::days_back(words) {
        return on(days);
    }
    if let Some((count, unit)) = words::ago(words) {
        return ago(count, unit, now);
    }
    if let Some(weekday) = words::past_weekday(words) {
        let days = (i64::from(now.weekday().to_monday_zero_offset()) - weekday).rem_euclid(7);
        return on(if days == 0 { 7 } else { days });
    }
    let (is_last, unit) = words::this_or_last(words)?;
    match (is_last, unit) {
        (_, Unit::Day) => None,
        (false, Unit::Week) => between(back(6)?, now),
        (true, Unit::Week) => between(back(13)?, back(4)?),
        (false, Unit::Month) => between(now.first_of_month(), now),
        (true, Unit::Month) => {
            let then = now.checked_sub(1.months()).ok()?;
            between(then.first_of_month(), then.last_of_month())
        }
        (_, Unit::Year) => Some(When::Year(u32::try_from(now.year() - i16::from(is_last)).ok()?)),
    }
}

/// `three weeks ago`, give or take what people mean by it.
fn ago(count: i64, unit: Unit, now: Date) -> Option<When> {
    let (days, around) = match unit {
        Unit::Day => (count, 0),
        Unit::Week => (count.checked_mul(7)?, 3),
        Unit::Month => (count.checked_mul(30)?, 15),
        Unit::Year => (count.checked_mul(365)?, 183),
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

    #[test]
    fn a_part_of_a_month_is_told_from_the_rest() {
        let of = |question: &str, then: Day| {
            let found = mentioned(question, None);
            found.iter().filter(|when| when.holds(then)).count()
        };
        for (question, within, without) in [
            ("What did I buy in the second week of March?", (3, 10), (3, 25)),
            ("What was it in the middle of January?", (1, 15), (1, 30)),
            ("Was ist mir Mitte Februar passiert?", (2, 14), (2, 27)),
            ("Was war Ende Mai?", (5, 30), (5, 3)),
            ("¿Qué decidimos a principios de marzo?", (3, 2), (3, 20)),
            ("Qu'avons-nous dit début août ?", (8, 3), (8, 29)),
        ] {
            let [within, without] = [within, without].map(|(month, at)| day(2025, month, at));
            assert_eq!((of(question, within), of(question, without)), (2, 1), "{question}");
        }
    }

    #[test]
    fn days_are_counted_back_in_other_languages() {
        let now = Some(date(2025, 3, 12));
        for (question, first, last) in [
            ("Was habe ich gestern gesagt?", (3, 11), (3, 11)),
            ("Was sagte ich vor vier Wochen?", (2, 9), (2, 15)),
            ("Was war letzten Monat?", (2, 1), (2, 28)),
            ("Was war letzten Freitag?", (3, 7), (3, 7)),
            ("¿Qué hicimos hace tres semanas?", (2, 16), (2, 22)),
            ("¿Qué pasó la semana pasada?", (2, 27), (3, 8)),
            ("¿Qué dije ayer?", (3, 11), (3, 11)),
            ("Qu'est-ce que j'ai dit il y a deux semaines ?", (2, 23), (3, 1)),
            ("Qu'avons-nous fait le mois dernier ?", (2, 1), (2, 28)),
            ("What did we say a couple of weeks ago?", (2, 23), (3, 1)),
        ] {
            let at = |(month, at): (i8, i8)| day(2025, month, at);
            assert_eq!(
                mentioned(question, now),
                [When::Between(at(first), at(last))],
                "{question}"
            );
        }
        for question in ["Was geht vor?", "Wer kommt am Mars an?", "mai più", "hace frío"] {
            assert_eq!(mentioned(question, now), [], "{question}");
        }
    }
}
