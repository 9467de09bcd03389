//! The words that an index met lately, and the term of each: a text has the same ones again and again.

use super::code;

/// Places for words, each of which can stand in one only. A power of two.
const PLACES: usize = 1 << 14;

/// Longer words are not remembered, in bytes.
const LONGEST: usize = 26;

#[derive(Debug, Clone, Copy)]
struct One {
    bytes: [u8; LONGEST],
    length: u8,
    term: u32,
}

/// Words and the numbers of their terms.
#[derive(Debug, Default)]
pub(super) struct Met(Vec<One>);

impl Met {
    /// The place of a word.
    pub(super) fn place(word: &str) -> usize {
        code::hash(0, word.as_bytes()) as usize % PLACES
    }

    /// What was remembered of a word, if it was the last at its place.
    pub(super) fn get(&self, place: usize, word: &str) -> Option<u32> {
        let one = self.0.get(place)?;
        (one.bytes[..usize::from(one.length)] == *word.as_bytes()).then_some(one.term)
    }

    /// Remembers a word at its place.
    pub(super) fn put(&mut self, place: usize, word: &str, term: u32) {
        if word.is_empty() || word.len() > LONGEST {
            return;
        }
        if self.0.is_empty() {
            // What holds no word is never asked for.
            self.0 = vec![One { bytes: [0; LONGEST], length: 0, term }; PLACES];
        }
        let one = &mut self.0[place];
        one.bytes[..word.len()].copy_from_slice(word.as_bytes());
        (one.length, one.term) = (word.len() as u8, term);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_known_until_another_takes_its_place() {
        let mut met = Met::default();
        assert_eq!(met.get(7, "token"), None);
        met.put(7, "token", 3);
        assert_eq!((met.get(7, "token"), met.get(8, "token")), (Some(3), None));
        assert_eq!((met.get(7, "tokens"), met.get(7, "tok")), (None, None));
        met.put(7, "tokens", 4);
        assert_eq!((met.get(7, "token"), met.get(7, "tokens")), (None, Some(4)));
        met.put(9, &"x".repeat(LONGEST + 1), 5);
        assert_eq!(met.get(9, &"x".repeat(LONGEST + 1)), None);
    }
}
