//! Lines that were read lately, and what their sentences say: what is summarised is compressed as well, in other parts.

use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard};

use foldhash::quality::FixedState;

use super::sentences::{Sentence, sentences};

use crate::lock::locked;

/// Sentences that are kept before those of the lines that nobody asked for since are forgotten.
const MOST: usize = 1 << 15;

/// Shorter lines are read as quickly as they are found again, in bytes.
const SHORT: usize = 24;

/// A sentence of a line, and what its signs say for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    start: u32,
    end: u32,
    asks: bool,
    pub(super) signs: i32,
}

/// Lines that were read lately. A line is told by its hash: that of another one is the same once in 2^64 times.
#[derive(Debug, Default)]
pub(super) struct Lines(Mutex<Held>);

#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
type ByHash = std::collections::HashMap<u64, Arc<[Place]>, foldhash::fast::FixedState>;

/// Those that came up since others were forgotten, and those that came up before.
#[derive(Debug, Default)]
struct Held {
    later: ByHash,
    earlier: ByHash,
    /// Sentences of the later ones.
    sentences: usize,
}

impl Lines {
    /// The sentences of a line; `signs` tells what theirs say, if the line did not come up lately.
    pub(super) fn of(&self, line: &str, signs: impl Fn(&Sentence<'_>) -> i32) -> Arc<[Place]> {
        let read = || {
            let sentences = sentences(line);
            sentences.iter().map(|one| Place::new(line, one, signs(one))).collect()
        };
        if line.len() < SHORT {
            return read();
        }
        let hash = FixedState::default().hash_one(line);
        if let Some(known) = self.held().find(hash) {
            return known;
        }
        let places: Arc<[Place]> = read();
        self.held().keep(hash, Arc::clone(&places));
        places
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        locked(&self.0)
    }
}

impl Held {
    fn find(&mut self, hash: u64) -> Option<Arc<[Place]>> {
        if let Some(known) = self.later.get(&hash) {
            return Some(Arc::clone(known));
        }
        let known = self.earlier.remove(&hash)?;
        self.keep(hash, Arc::clone(&known));
        Some(known)
    }

    fn keep(&mut self, hash: u64, places: Arc<[Place]>) {
        if self.sentences >= MOST {
            self.earlier = std::mem::take(&mut self.later);
            self.sentences = 0;
        }
        self.sentences += places.len() + 1;
        self.later.insert(hash, places);
    }
}

impl Place {
    /// Of a sentence of a line. Of what lies behind the first 4 GB of one nothing is kept.
    fn new(line: &str, sentence: &Sentence<'_>, signs: i32) -> Self {
        let start = sentence.text.as_ptr() as usize - line.as_ptr() as usize;
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let (start, end) = (place(start), place(start + sentence.text.len()));
        Self { start, end, asks: sentence.asks, signs }
    }

    /// The sentence there.
    pub(super) fn sentence<'a>(&self, line: &'a str) -> Sentence<'a> {
        let text = line.get(self.start as usize..self.end as usize).unwrap_or_default();
        Sentence { text, asks: self.asks }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(sentence: &Sentence<'_>) -> i32 {
        i32::try_from(sentence.text.len()).unwrap()
    }

    fn no_signs(sentence: &Sentence<'_>) -> i32 {
        panic!("{} is read again", sentence.text)
    }

    #[test]
    fn a_line_is_read_once_and_says_the_same_again() {
        let lines = Lines::default();
        let line = "  The pump leaks. Which seal does it need? Über 40 °C fails.";
        let first = lines.of(line, signs);
        assert_eq!(lines.of(line, no_signs), first);
        let all: Vec<_> = first.iter().map(|place| place.sentence(line)).collect();
        assert_eq!(all, sentences(line));
        assert!(first.iter().zip(&all).all(|(place, one)| place.signs == signs(one)));
    }

    #[test]
    fn lines_that_nobody_asks_for_are_forgotten_and_no_others() {
        let lines = Lines::default();
        let kept = "This line is asked for again and again.";
        lines.of(kept, signs);
        for nth in 0..3 * MOST {
            lines.of(&format!("This line is asked for once: {nth}."), signs);
            lines.of(kept, no_signs);
        }
        let held = lines.held();
        assert!(held.later.len() + held.earlier.len() <= MOST, "{}", held.later.len());
    }
}
