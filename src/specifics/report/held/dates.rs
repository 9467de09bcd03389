//! Whether a summary holds when something is.

use super::super::day::Day;
use super::super::form::is_digits;
use super::super::text::holds_word;
use super::Held;
use crate::specifics::normal;
use crate::specifics::pattern::Pattern;
use crate::specifics::scan::word_before;

/// From which whole hour to which, where hardly anything else can be meant: `10–15`, `8:00 - 16:00`, `von 10 bis 15 Uhr`.
pub(in crate::specifics) static HOURS: Pattern = Pattern::new(|| {
    r"(?:^|[\s(])(\d{1,2})(?::00)?(?:\s?[-–—]\s?|\s(?:to|bis|à)\s)(\d{1,2})(?::00)?(?:\s?(?:h|uhr)\b|\s(?:utc|cet|cest)\b|[.,;)\n]|$)"
        .into()
});

/// The second of two times of which the first one is later, so that something is moved from one to the other.
fn later_of(date: &str) -> Option<&str> {
    let (old, new) = date.split_once(" to ")?;
    let minutes = |time: &str| -> Option<u32> {
        let (hour, minute) = time.split_once(':')?;
        Some(hour.parse::<u32>().ok()? * 60 + minute.parse::<u32>().ok()?)
    };
    (minutes(old)? > minutes(new)?).then_some(new)
}

/// Words that tell of hours, in small letters.
const OF_HOURS: [&str; 8] =
    ["heures", "horario", "hours", "open", "slot", "uhr", "window", "zeiten"];

/// Words in front of a month.
const LEADS: [&str; 7] = ["by", "early", "in", "late", "mid", "since", "until"];

/// Months that are other words in small letters.
const MONTHS: [(&str, &str); 2] = [("march", "March"), ("may", "May")];

/// Whether a text ends with a word that stands in front of a month.
fn leads(text: &str) -> bool {
    LEADS.contains(&&*word_before(text, text.len()).to_lowercase())
}

impl Held {
    /// A day or a time as it was said.
    pub(super) fn says_date(&self, said: &str) -> bool {
        match MONTHS.iter().find(|(month, _)| *month == said) {
            Some((_, month)) => {
                holds_word(&self.said, month, |_, _| true)
                    || holds_word(&self.text, said, |before, _| leads(before))
            }
            None => self.says(said),
        }
    }

    /// A day or a time, told in any way.
    pub(super) fn holds_date(&self, date: &str) -> bool {
        let whole = || self.days.iter().chain(&self.month_ends).cloned().collect::<Vec<_>>();
        let is_told = |day: &Day| {
            day.is_among(&self.days)
                || !day.has_year() && !self.month_ends.is_empty() && day.is_among(&whole())
        };
        Day::readings(date).iter().any(|days| !days.is_empty() && days.iter().all(is_told))
            || self.holds_short_month(date)
            || self.holds_quarter(date)
            || self.says_year_end(date)
            || self.holds_han(date)
            || later_of(date).is_some_and(|last| self.holds_date(last))
    }

    /// A month by its first letters, where these can be nothing else: `(Jan)`, `since Oct`.
    fn holds_short_month(&self, date: &str) -> bool {
        const SHORT: [(&str, &str); 12] = [
            ("january", "Jan"),
            ("february", "Feb"),
            ("march", "Mar"),
            ("april", "Apr"),
            ("june", "Jun"),
            ("july", "Jul"),
            ("august", "Aug"),
            ("september", "Sep"),
            ("september", "Sept"),
            ("october", "Oct"),
            ("november", "Nov"),
            ("december", "Dec"),
        ];
        let lower = date.to_lowercase();
        let mut short = SHORT.iter().filter(|(month, _)| *month == lower);
        short.any(|(_, short)| {
            self.said.match_indices(short).any(|(at, _)| {
                let ends = !self.said[at + short.len()..].starts_with(char::is_alphanumeric);
                let lead = &self.said[..at];
                ends && (lead.ends_with('(') || leads(lead))
            })
        })
    }

    /// The last day of a year as its end: `by the end of 2026`.
    fn says_year_end(&self, date: &str) -> bool {
        const ENDS: [&str; 7] =
            ["end of", "ende", "fin", "fin de", "finales de", "year end", "year-end"];
        const BEHIND: [&str; 4] = ["after", "après", "nach", "past"];
        let parts = normal::date_parts(date, false);
        let year = parts.iter().find_map(|part| part.strip_prefix('y')).unwrap_or_default();
        let is_last = parts.len() == 3 && parts.contains("31") && parts.contains("m12");
        let behind = |lead: &str| {
            let lead = lead.trim_end().trim_end_matches(" the");
            BEHIND.iter().any(|word| lead.ends_with(word))
        };
        let is_told = |end: &&str| {
            let end = format!("{end} {year}");
            holds_word(&self.text, &end, |lead, _| !behind(lead))
        };
        is_last && !year.is_empty() && ENDS.iter().any(is_told)
    }

    /// A day as Japanese and Chinese tell it, in figures that have the month first too: `9/1` for `9月1日`, perhaps with its time
    /// behind it.
    fn holds_han(&self, date: &str) -> bool {
        let (date, time) = date.split_once(' ').unwrap_or((date, ""));
        let day = date.strip_suffix('日').and_then(|day| day.split_once('月'));
        let Some((month, day)) = day.filter(|(month, _)| is_digits(month)) else { return false };
        // Where words are not set apart a letter may stand in front of it.
        let goes_on = |c: char| c.is_ascii_alphanumeric() || "/.-%".contains(c);
        let told = format!("{month}/{day} {time}");
        let told = told.trim_end();
        let is_apart = |at: usize| {
            let rest = self.text[at + told.len()..].trim_start_matches('.');
            !self.text[..at].ends_with(goes_on) && !rest.starts_with(goes_on)
        };
        is_digits(day) && self.text.match_indices(told).any(|(at, _)| is_apart(at))
    }

    /// A quarter in words: `the third quarter` for `Q3`.
    fn holds_quarter(&self, date: &str) -> bool {
        const NAMES: [(&str, [&str; 4]); 4] = [
            ("Q1", ["first quarter", "ersten quartal", "premier trimestre", "primer trimestre"]),
            (
                "Q2",
                ["second quarter", "zweiten quartal", "deuxième trimestre", "segundo trimestre"],
            ),
            ("Q3", ["third quarter", "dritten quartal", "troisième trimestre", "tercer trimestre"]),
            (
                "Q4",
                ["fourth quarter", "vierten quartal", "quatrième trimestre", "cuarto trimestre"],
            ),
        ];
        let names = NAMES.iter().find(|(quarter, _)| date.starts_with(quarter) && date.len() == 2);
        names.is_some_and(|(_, names)| names.iter().any(|name| self.says(name)))
    }

    /// From which whole hour to which, as people write it: `10–15` for `10:00-15:00`.
    pub(super) fn holds_hours(&self, said: &str) -> bool {
        let both = |text: &str| -> Option<(u32, u32)> {
            let found = HOURS.groups(text).next()?;
            let hour = |nth| found.get(nth)?.as_str().parse().ok();
            Some((hour(1)?, hour(2)?))
        };
        if said.matches(":00").count() < 2 {
            return false;
        }
        // The day may have a number in front of them.
        let clock = said.find(':').unwrap_or_default();
        let lead = said[..clock].trim_end_matches(|c: char| c.is_ascii_digit());
        let (day, hours) = said.split_at(lead.len());
        let meant = both(hours);
        let tells = |sentence: &str| {
            let is_of_hours = || OF_HOURS.iter().any(|word| sentence.contains(word));
            (!day.is_empty() || is_of_hours()) && both(sentence) == meant
        };
        meant.is_some()
            && (day.trim().is_empty() || self.holds_date(day.trim()))
            && self.text.split(". ").any(tells)
    }
}
