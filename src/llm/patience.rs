//! How long to wait for the next bytes of an answer.
//!
//! Three clocks run: one that every byte sets back, one that only content sets back, because some servers
//! send keep-alives for ever, and one that nothing sets back.

use std::time::Duration;

use tokio::time::Instant;

use super::Timeouts;
use super::limits::{AFTER_FINISH, ANSWER_TIME};

/// Decides how long to wait for the next bytes.
pub(crate) struct Patience {
    timeouts: Timeouts,
    first_byte: Instant,
    /// When all must be over.
    end: Instant,
    /// When content last came, once any byte came.
    content: Option<Instant>,
    /// When the answer was complete.
    finished: Option<Instant>,
    progress: usize,
}

impl Patience {
    /// Patience that ends at `first_byte` unless a byte came by then.
    pub(crate) fn new(timeouts: Timeouts, first_byte: Instant) -> Self {
        let end = Instant::now() + ANSWER_TIME;
        Self { timeouts, first_byte, end, content: None, finished: None, progress: 0 }
    }

    /// The next deadline, what is missing when it passes, and how long that will have been.
    pub(crate) fn next(&mut self, finished: bool) -> (Instant, &'static str, Duration) {
        let timeouts = &self.timeouts;
        if finished {
            let wait = AFTER_FINISH.min(timeouts.silence);
            // From the finish on, or from words that came later, so that keep-alives do not hold the answer.
            let finished = *self.finished.get_or_insert_with(Instant::now);
            return ((finished + wait).min(self.end), "no data", wait);
        }
        let Some(content) = self.content else {
            return (self.first_byte, "no answer", timeouts.first_byte);
        };
        let silent = Instant::now() + timeouts.silence;
        let alive = content + timeouts.keepalive_only;
        if self.end < silent.min(alive) {
            (self.end, "an answer without end", ANSWER_TIME)
        } else if alive < silent {
            (alive, "only keep-alives", timeouts.keepalive_only)
        } else {
            (silent, "no data", timeouts.silence)
        }
    }

    /// Notes that bytes came, and how much of the answer is here now.
    pub(crate) fn heard(&mut self, progress: usize) {
        if progress > self.progress || self.content.is_none() {
            self.progress = progress;
            self.content = Some(Instant::now());
            self.finished = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn words_behind_the_finish_are_waited_for_and_keep_alives_are_not() {
        let mut patience = Patience::new(Timeouts::default(), Instant::now() + ANSWER_TIME);
        let mut deadline = None;
        for progress in [1, 2, 3, 3, 3] {
            patience.heard(progress);
            let next = patience.next(true).0;
            let is_words = deadline.is_none_or(|last| last != next);
            assert_eq!(is_words, next == Instant::now() + AFTER_FINISH, "{progress}");
            deadline = Some(next);
            tokio::time::advance(Duration::from_millis(700)).await;
        }
        assert!(deadline.unwrap() < Instant::now() + AFTER_FINISH - Duration::from_secs(1));
    }

    #[tokio::test(start_paused = true)]
    async fn steady_words_do_not_hold_a_request_for_ever() {
        let begun = Instant::now();
        let mut patience = Patience::new(Timeouts::default(), begun + ANSWER_TIME);
        for words in 1.. {
            patience.heard(words);
            let (deadline, missing, waited) = patience.next(false);
            let soon = Instant::now() + Duration::from_secs(60);
            if deadline < soon {
                assert_eq!((missing, waited), ("an answer without end", ANSWER_TIME));
                assert_eq!(deadline, begun + ANSWER_TIME);
                return;
            }
            tokio::time::advance(Duration::from_secs(60)).await;
        }
    }
}
