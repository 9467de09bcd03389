//! How far something has come that takes longer than a second.

use std::time::Duration;

use crate::clock::Stopwatch;

/// Between two words about it.
pub(super) const EVERY: Duration = Duration::from_secs(1);

/// Follows something from its beginning.
pub(super) struct Progress {
    began: Stopwatch,
    told: Duration,
}

impl Progress {
    /// It begins now.
    pub(super) fn start() -> Self {
        Self { began: Stopwatch::start(), told: Duration::ZERO }
    }

    /// The seconds that are left when so much is done, if it is time for a word about it: once a second.
    pub(super) fn left(&mut self, done: u64, of: u64) -> Option<f64> {
        let passed = self.began.elapsed();
        if passed < self.told + EVERY || done == 0 {
            return None;
        }
        self.told = passed;
        Some(passed.as_secs_f64() / done as f64 * of.saturating_sub(done) as f64)
    }
}
