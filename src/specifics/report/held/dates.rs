//! Whether a summary holds when something is.

use super::super::day::Day;
use super::Held;
use crate::specifics::pattern::Pattern;

/// From which whole hour to which, where hardly anything else can be meant: `10–15`, `8:00 - 16:00`, `von 10 bis 15 Uhr`.
pub(in crate::specifics) static HOURS: Pattern = Pattern::new(|| {
    r"(?:^|[\s(])(\d{1,2})(?::00)?(?:\s?[-–—]\s?|\s(?:to|bis|à)\s)(\d{1,2})(?::00)?(?:\s?(?:h|uhr)\b|\s(?:utc|cet|cest)\b|[.,;)\n]|$)"
        .into()
});

/// Words that tell of hours, in small letters.
const OF_HOURS: [&str; 8] =
    ["heures", "horario", "hours", "open", "slot", "uhr", "window", "zeiten"];

impl Held {
    /// A day or a time, told in any way.
    pub(super) fn holds_date(&self, date: &str) -> bool {
        let whole = || self.days.iter().chain(&self.month_ends).cloned().collect::<Vec<_>>();
        let is_told = |day: &Day| {
            day.is_among(&self.days)
                || !day.has_year() && !self.month_ends.is_empty() && day.is_among(&whole())
        };
        Day::readings(date).iter().any(|days| !days.is_empty() && days.iter().all(is_told))
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
        let at = said.find(|c: char| c.is_ascii_digit()).unwrap_or_default();
        let (day, hours) = said.split_at(at);
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
