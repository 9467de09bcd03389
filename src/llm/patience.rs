//! How long to wait for the next bytes of an answer.
//!
//! Two clocks run: one that every byte sets back, and one that only content sets back, because some
//! servers send keep-alives for ever.

use std::time::Duration;

use tokio::time::Instant;

use super::Timeouts;

/// How long to read on after the answer is complete, for its usage.
const AFTER_FINISH: Duration = Duration::from_secs(2);

/// Decides how long to wait for the next bytes.
pub(crate) struct Patience {
    timeouts: Timeouts,
    first_byte: Instant,
    /// When the last payload came, once any byte came.
    content: Option<Instant>,
    /// When the answer was complete.
    finished: Option<Instant>,
    payloads: u64,
}

impl Patience {
    /// Patience that ends at `first_byte` unless a byte came by then.
    pub(crate) fn new(timeouts: Timeouts, first_byte: Instant) -> Self {
        Self { timeouts, first_byte, content: None, finished: None, payloads: 0 }
    }

    /// The next deadline, what is missing when it passes, and how long that will have been.
    pub(crate) fn next(&mut self, finished: bool) -> (Instant, &'static str, Duration) {
        let timeouts = &self.timeouts;
        if finished {
            let wait = AFTER_FINISH.min(timeouts.silence);
            // From the finish on, so that keep-alives do not hold the answer.
            let finished = *self.finished.get_or_insert_with(Instant::now);
            return (finished + wait, "no data", wait);
        }
        let Some(content) = self.content else {
            return (self.first_byte, "no answer", timeouts.first_byte);
        };
        let silent = Instant::now() + timeouts.silence;
        let alive = content + timeouts.keepalive_only;
        if alive < silent {
            (alive, "only keep-alives", timeouts.keepalive_only)
        } else {
            (silent, "no data", timeouts.silence)
        }
    }

    /// Notes that bytes came, and whether they held anything.
    pub(crate) fn heard(&mut self, payloads: u64) {
        if payloads > self.payloads || self.content.is_none() {
            self.payloads = payloads;
            self.content = Some(Instant::now());
        }
    }
}
