//! When the model's cache is taken for cold: then a tide costs nothing, so it comes early.

use std::time::Duration;

use super::driver::Driver;
use super::loading::Inspected;
use super::turn::Progress;
use crate::clock;
use crate::config::Settings;
use crate::store::LogReader;

impl Driver {
    /// Before the first request of a turn: what the next tide would take leaves now, if the cache is cold.
    pub(super) fn ebb_if_cold(&mut self, progress: &mut Progress) {
        if self.is_cache_cold() {
            let changes = self.memory.leave_while_cold();
            self.apply(changes, progress);
        }
    }

    /// Whether what the model has read of the chat is forgotten by now.
    pub(super) fn is_cache_cold(&self) -> bool {
        let last = self.requests.asked_at.or_else(|| asked_at(&self.store.reader()));
        let is_forgotten = is_cold(last, clock::micros(), self.settings.cache_lifetime());
        is_forgotten || self.meter.is_new(&self.model.info().name)
    }
}

impl Inspected {
    /// What leaves before the next request does so now, if the cache of the model that answers it is taken for cold: so the
    /// window is what would be sent.
    pub fn ebb_if_cold(&mut self, settings: &Settings, model: Option<&str>) {
        let is_new = model.zip(self.bill.model.as_deref()).is_some_and(|(new, last)| new != last);
        if is_new || is_cold(asked_at(&self.reader), clock::micros(), settings.cache_lifetime()) {
            self.memory.leave_while_cold();
        }
    }
}

/// When the last request of a session went out, in microseconds since 1970.
fn asked_at(reader: &LogReader) -> Option<u64> {
    clock::micros_of(&reader.last_asked()?)
}

/// Whether no request went out for the lifetime of the cache. Times are in microseconds since 1970; a clock that was
/// set back makes nothing cold.
fn is_cold(last: Option<u64>, now: u64, lifetime: Duration) -> bool {
    last.is_none_or(|last| Duration::from_micros(now.saturating_sub(last)) >= lifetime)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_is_cold_after_its_lifetime() {
        let cold = |last, now| is_cold(last, now, Duration::from_secs(300));
        assert!(cold(None, 5), "nothing was ever sent");
        assert!(!cold(Some(7_000_000), 306_999_999));
        assert!(cold(Some(7_000_000), 307_000_000));
        assert!(!cold(Some(7_000_000), 3), "the clock was set back");
    }
}
