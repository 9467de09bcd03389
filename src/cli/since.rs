//! From when on files are meant: `--since`.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::clock;
use crate::counted::counted;

const MICROS_OF_DAY: u64 = 86_400 * 1_000_000;

/// From when on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Since {
    /// So many times 24 hours.
    Days(u64),
    /// From the beginning of a day on, where the person is.
    Day {
        /// As it was written: `yesterday`, `2026-11-01`.
        written: String,
        /// Microseconds since 1970.
        begins: u64,
    },
}

impl Since {
    /// Reads `30d`, `30`, `2w`, `today`, `yesterday` or `2026-11-01`.
    ///
    /// # Errors
    /// It is none of them.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let weeks = |number: &str| number.parse::<u64>().ok()?.checked_mul(7);
        let days = match text.strip_suffix('w') {
            Some(number) => weeks(number),
            None => text.strip_suffix('d').unwrap_or(text).parse().ok(),
        };
        let day = || {
            let begins = clock::day_begins(text)?;
            Some(Self::Day { written: text.to_owned(), begins })
        };
        let expected =
            || "expected days, weeks or a day, such as 30d, 2w, yesterday or 2026-11-01".to_owned();
        days.map(Self::Days).or_else(day).ok_or_else(expected)
    }

    /// The moment.
    pub(super) fn begins(&self) -> SystemTime {
        let micros = match self {
            Self::Days(days) => clock::micros().saturating_sub(days.saturating_mul(MICROS_OF_DAY)),
            Self::Day { begins, .. } => *begins,
        };
        UNIX_EPOCH + Duration::from_micros(micros)
    }
}

impl fmt::Display for Since {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Days(days) => write!(out, "in the last {}", counted(*days, "day")),
            Self::Day { written, .. } => write!(out, "since {written}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_weeks_and_dates_are_read() {
        for (text, told) in [
            ("30d", "in the last 30 days"),
            ("1", "in the last 1 day"),
            ("2w", "in the last 14 days"),
            ("yesterday", "since yesterday"),
            ("2026-11-01", "since 2026-11-01"),
        ] {
            let since = Since::read(text).unwrap();
            assert_eq!(since.to_string(), told);
            assert!(since.begins() < SystemTime::now(), "{text}");
        }
        for text in ["soon", "", "w", "-1d", "2026-11-31", "99999999999999999999w"] {
            assert!(
                Since::read(text).unwrap_err().contains("30d, 2w, yesterday or 2026-11-01"),
                "{text}"
            );
        }
        let begins = Since::read("yesterday").unwrap().begins();
        let hours = SystemTime::now().duration_since(begins).unwrap().as_secs() / 3_600;
        assert!((22..=50).contains(&hours), "{hours}");
    }
}
