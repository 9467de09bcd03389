//! Vectors of texts that were made lately, so that no text is sent twice: within bounds, those that were not asked for
//! longest leave first.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The most that they hold, in bytes: some ten thousand of 768 numbers.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Vectors of texts, all of one model.
#[derive(Debug, Default)]
pub struct Vectors {
    of: HashMap<u64, Kept>,
    bytes: usize,
    /// Counts the times that one was asked for.
    now: u64,
    /// How many numbers each has.
    length: usize,
}

#[derive(Debug)]
struct Kept {
    vector: Arc<[f32]>,
    asked: u64,
}

impl Vectors {
    /// The vector of a text, if it is known.
    pub fn of(&mut self, text: &str) -> Option<Arc<[f32]>> {
        self.now += 1;
        let kept = self.of.get_mut(&key(text))?;
        kept.asked = self.now;
        Some(Arc::clone(&kept.vector))
    }

    /// Whether the vector of a text is known.
    pub fn holds(&self, text: &str) -> bool {
        self.of.contains_key(&key(text))
    }

    /// Takes the vector of a text. Says no if it has another length than those that are known: then they are of
    /// another model, and are all forgotten.
    pub fn take(&mut self, text: &str, vector: Vec<f32>) -> bool {
        self.take_within(text, vector, MOST_BYTES)
    }

    fn take_within(&mut self, text: &str, vector: Vec<f32>, most: usize) -> bool {
        if self.length != vector.len() && !self.of.is_empty() {
            *self = Self::default();
            return false;
        }
        self.length = vector.len();
        self.now += 1;
        self.bytes += size_of_val(&*vector);
        let kept = Kept { vector: vector.into(), asked: self.now };
        if let Some(before) = self.of.insert(key(text), kept) {
            self.bytes -= size_of_val(&*before.vector);
        }
        if self.bytes > most {
            self.leave(most);
        }
        true
    }

    /// A quarter leaves at once, so that finding out which costs little.
    fn leave(&mut self, most: usize) {
        let mut all: Vec<(u64, u64)> =
            self.of.iter().map(|(key, kept)| (kept.asked, *key)).collect();
        all.sort_unstable();
        for (_, key) in all {
            if self.bytes <= most / 4 * 3 {
                break;
            }
            let gone = self.of.remove(&key);
            self.bytes -= gone.map_or(0, |kept| size_of_val(&*kept.vector));
        }
    }
}

fn key(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_that_are_asked_for_stay_within_the_bound() {
        let mut vectors = Vectors::default();
        for nth in 0..100 {
            assert!(vectors.take_within(&nth.to_string(), vec![1.0; 10], 400));
            assert!(vectors.of("0").is_some(), "{nth}");
            assert!(vectors.bytes <= 400);
        }
        assert!(vectors.holds("99") && !vectors.holds("50"));
        assert_eq!(vectors.bytes, vectors.of.len() * 40);
        assert!(vectors.take_within("99", vec![2.0; 10], 400));
        assert!(vectors.of("99").unwrap()[0] > 1.0);
        assert_eq!(vectors.bytes, vectors.of.len() * 40);
    }

    #[test]
    fn vectors_of_another_model_are_not_mixed_with_those_before() {
        let mut vectors = Vectors::default();
        assert!(vectors.take("a", vec![1.0; 3]));
        assert!(!vectors.take("b", vec![1.0; 4]));
        assert!(!vectors.holds("a") && !vectors.holds("b"));
        assert!(vectors.take("b", vec![1.0; 4]));
    }
}
