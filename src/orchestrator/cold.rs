//! When the model's cache is taken for cold: then a tide costs nothing, so it comes early.

use std::time::Duration;

use super::driver::Driver;
use super::loading::Inspected;
use super::turn::Progress;
use crate::clock;
use crate::config::Settings;
use crate::memory::MemoryView;
use crate::store::LogReader;

impl Driver {
    /// Before the first request of a turn: what the next tide would take leaves now, if the cache is cold.
    pub(super) fn ebb_if_cold(&mut self, progress: &mut Progress) {
        if self.is_cache_cold() {
            let changes = self.memory.leave_while_cold();
            self.apply(changes, progress);
        }
    }

    /// How long it is until the cache goes cold, where somebody looks on and has not been shown that yet.
    pub(super) fn until_cold(&self) -> Option<Duration> {
        let lifetime = self.settings.cache_lifetime();
        if !self.is_watched || lifetime.is_zero() {
            return None;
        }
        let asked_at = self.last_asked()?;
        if self.requests.shown_cold == Some(asked_at) {
            return None;
        }
        let passed = Duration::from_micros(clock::micros().saturating_sub(asked_at));
        Some(lifetime.saturating_sub(passed))
    }

    /// Shows memory now that the cache is cold.
    pub(super) fn show_cold(&mut self) {
        self.requests.shown_cold = self.last_asked();
        self.show_memory();
    }

    /// Memory between two turns, with what leaves before the next request if the cache is cold.
    pub(super) fn view_at_rest(&self) -> MemoryView {
        self.memory.view_at_rest(self.is_cache_cold())
    }

    /// When the last request went out, of this run or of one before, in microseconds since 1970.
    fn last_asked(&self) -> Option<u64> {
        self.requests.asked_at.or_else(|| asked_at(&self.store.reader()))
    }

    /// Whether what the model has read of the chat is forgotten by now.
    pub(super) fn is_cache_cold(&self) -> bool {
        let is_forgotten =
            is_cold(self.last_asked(), clock::micros(), self.settings.cache_lifetime());
        is_forgotten || self.meter.is_new(&self.model.info().name)
    }
}

impl Inspected {
    /// Memory as the screen shows it, with what leaves before the next request if the cache of the model that answers it is
    /// cold.
    pub fn view(&self, settings: &Settings, model: Option<&str>) -> MemoryView {
        self.memory.view_at_rest(self.is_cache_cold(settings, model))
    }

    /// What leaves before the next request does so now, if the cache of the model that answers it is taken for cold: so the
    /// window is what would be sent.
    pub fn ebb_if_cold(&mut self, settings: &Settings, model: Option<&str>) {
        if self.is_cache_cold(settings, model) {
            self.memory.leave_while_cold();
        }
    }

    fn is_cache_cold(&self, settings: &Settings, model: Option<&str>) -> bool {
        let is_new = model.zip(self.bill.model.as_deref()).is_some_and(|(new, last)| new != last);
        is_new || is_cold(asked_at(&self.reader), clock::micros(), settings.cache_lifetime())
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
