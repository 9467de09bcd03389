//! Whether a summary holds when something is.

use super::super::day::Day;
use super::super::text::holds_word;
use super::Held;

impl Held {
    /// A day or a time, told in any way.
    pub(super) fn holds_date(&self, date: &str) -> bool {
        let is_told = |day: &Day| {
            day.is_among(&self.days) || !day.has_year() && day.is_among(&self.month_ends)
        };
        Day::readings(date).iter().any(|days| !days.is_empty() && days.iter().all(is_told))
    }

    /// From which whole hour to which, as people write it: `10–15` for `10:00-15:00`.
    pub(super) fn holds_hours(&self, said: &str) -> bool {
        const DASHES: [char; 2] = ['–', '—'];
        let (day, hours) = said.rsplit_once(' ').unwrap_or(("", said));
        let hours = hours.replace(DASHES, "-");
        let whole = |hour: &str| hour.strip_suffix(":00").map(str::to_owned);
        let both = hours.split_once('-').and_then(|(from, to)| Some((whole(from)?, whole(to)?)));
        both.is_some_and(|(from, to)| {
            let text = self.text.replace(DASHES, "-");
            holds_word(&text, &format!("{from}-{to}"), |_, _| true)
                && (day.is_empty() || self.holds_date(day))
        })
    }
}
