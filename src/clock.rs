//! The only place that reads the wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

/// How a moment is written into logs.
const WRITTEN: &str = "%Y-%m-%dT%H:%M:%SZ";

/// The present moment as it is written into logs: `2026-01-01T10:00:00Z`.
pub fn timestamp() -> String {
    moment_of(SystemTime::now()).strftime(WRITTEN).to_string()
}

/// The day where the person is: `2026-01-01`.
pub fn today() -> String {
    here(moment_of(SystemTime::now())).strftime("%Y-%m-%d").to_string()
}

/// A moment of the system's clock; the nearest one that a calendar has, where the clock is set to none.
fn moment_of(clock: SystemTime) -> jiff::Timestamp {
    let (first, last) = (jiff::Timestamp::MIN, jiff::Timestamp::MAX);
    let nearest = if clock < UNIX_EPOCH { first } else { last };
    jiff::Timestamp::try_from(clock).unwrap_or(nearest)
}

fn here(moment: jiff::Timestamp) -> jiff::Zoned {
    moment.to_zoned(jiff::tz::TimeZone::system())
}

/// The moment, in microseconds since 1970, in which a day began where the person is: `2026-01-01`, `today` or `yesterday`.
/// `None` if it is no day.
pub fn day_begins(day: &str) -> Option<u64> {
    let today = here(moment_of(SystemTime::now())).date();
    let day = match day {
        "today" => today,
        "yesterday" => today.yesterday().ok()?,
        day => day.parse::<jiff::civil::Date>().ok()?,
    };
    let begins = day.to_zoned(jiff::tz::TimeZone::system()).ok()?;
    u64::try_from(begins.timestamp().as_microsecond()).ok()
}

/// Whether the system knows which time zone the person is in. Without it days are those of UTC.
pub fn knows_zone() -> bool {
    jiff::tz::TimeZone::try_system().is_ok()
}

/// The day of a moment that was written into a log, where the person is; one without a zone is the person's own.
pub fn day_of(written: &str) -> Option<jiff::civil::Date> {
    match written.parse::<jiff::Timestamp>() {
        Ok(moment) => Some(moment.to_zoned(jiff::tz::TimeZone::system()).date()),
        Err(_) => written.get(.."2026-01-01".len())?.parse().ok(),
    }
}

/// Microseconds since 1970: a number that no earlier run had.
pub fn micros() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_micros()).unwrap_or(0))
}

/// Microseconds since 1970 of a moment that was written into a log; `None` if it is none.
pub fn micros_of(timestamp: &str) -> Option<u64> {
    let moment: jiff::Timestamp = timestamp.parse().ok()?;
    u64::try_from(moment.as_microsecond()).ok()
}

/// A moment in milliseconds since 1970 as it is written into logs; `None` if no calendar has it.
pub fn timestamp_of(millis: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(millis).ok()?;
    Some(moment.strftime(WRITTEN).to_string())
}

/// Seconds since 1970.
pub fn seconds() -> u64 {
    micros() / 1_000_000
}

/// Ticks at equal intervals, the first time after one of them. A tick that comes late puts the next ones
/// off.
pub fn ticks(every: std::time::Duration) -> tokio::time::Interval {
    let mut interval = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
    interval.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    interval
}

/// Measures how long something takes.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(std::time::Instant);

impl Stopwatch {
    /// Starts measuring.
    pub fn start() -> Self {
        Self(std::time::Instant::now())
    }

    /// The time since the start.
    pub fn elapsed(self) -> std::time::Duration {
        self.0.elapsed()
    }
}

/// Milliseconds since 1970 of a moment that another program wrote: ISO 8601 with or without a zone, or the
/// English local form of `September 28, 2024 1:02am`. Without a zone it is one where the person is.
pub fn millis_of(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(moment.as_millisecond());
    }
    let english = || jiff::civil::DateTime::strptime("%B %d, %Y %I:%M%p", text).ok();
    let local = text.parse::<jiff::civil::DateTime>().ok().or_else(english)?;
    Some(local.to_zoned(jiff::tz::TimeZone::system()).ok()?.timestamp().as_millisecond())
}

/// A moment in milliseconds since 1970 as people read it, where the person is: `2026-01-01 10:00`.
pub fn minute_of(millis: i64) -> Option<String> {
    let moment = jiff::Timestamp::from_millisecond(millis).ok()?;
    Some(here(moment).strftime("%Y-%m-%d %H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_that_is_set_to_no_year_of_a_calendar_is_read_all_the_same() {
        let far = moment_of(UNIX_EPOCH + Duration::from_secs(300_000_000_000));
        assert!(far.strftime(WRITTEN).to_string().starts_with("9999-12-"), "{far}");
        assert!(here(far).year() >= 9999);
    }

    #[test]
    fn days_begin_at_midnight() {
        let [today, yesterday] = ["today", "yesterday"].map(|day| day_begins(day).unwrap());
        let hours = (today - yesterday) / 3_600_000_000;
        assert!((22..=26).contains(&hours), "{hours}");
        assert!(day_begins("2026-11-01").unwrap() < today || today < micros());
        assert_eq!(["2026-13-01", "soon", ""].map(day_begins), [None; 3]);
    }
}
