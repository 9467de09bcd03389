//! Word lists, written as plain text and searched as sets.

use std::sync::OnceLock;

/// Buckets of a set; few hold more than two words.
const BUCKETS: usize = 256;

/// No word of a list is longer, in bytes.
const LONGEST: usize = 32;

/// A set of words.
pub(super) struct Words {
    list: &'static str,
    set: OnceLock<Set>,
}

/// The words of a list, those of one bucket side by side.
struct Set {
    words: Vec<&'static [u8]>,
    /// Where each bucket begins, and behind them where the last one ends.
    begins: Vec<u16>,
}

impl Words {
    /// The words of a text, separated by white space.
    pub(super) const fn new(list: &'static str) -> Self {
        Self { list, set: OnceLock::new() }
    }

    /// Whether a word is one of them, letter by letter.
    pub(super) fn holds(&self, word: &str) -> bool {
        self.hold_bytes(word.as_bytes())
    }

    /// Whether a word in small letters is one of them.
    pub(super) fn hold_lower(&self, word: &str) -> bool {
        if !word.is_ascii() {
            return self.holds(&word.to_lowercase());
        }
        let mut lower = [0; LONGEST];
        let Some(lower) = lower.get_mut(..word.len()) else { return false };
        lower.copy_from_slice(word.as_bytes());
        lower.make_ascii_lowercase();
        self.hold_bytes(lower)
    }

    fn hold_bytes(&self, word: &[u8]) -> bool {
        let set = self.set.get_or_init(|| Set::of(self.list));
        let at = bucket(word);
        set.words[usize::from(set.begins[at])..usize::from(set.begins[at + 1])].contains(&word)
    }
}

impl Set {
    fn of(list: &'static str) -> Self {
        let mut words: Vec<&[u8]> = list.split_whitespace().map(str::as_bytes).collect();
        debug_assert!(words.iter().all(|word| word.len() <= LONGEST));
        words.sort_by_key(|word| bucket(word));
        let begin = |at| words.partition_point(|word| bucket(word) < at) as u16;
        Self { begins: (0..=BUCKETS).map(begin).collect(), words }
    }
}

/// The bucket of a word, by its ends and its length.
fn bucket(word: &[u8]) -> usize {
    let end = |byte: Option<&u8>| byte.map_or(0, |&byte| usize::from(byte));
    (end(word.first()) * 37 + end(word.last()) * 11 + word.len() * 101) % BUCKETS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_holds_its_words_and_no_others() {
        static LIST: Words = Words::new("a an ant zebra Zebra köln");
        let all = LIST.list.split_whitespace();
        assert!(all.clone().all(|word| LIST.holds(word)));
        assert!(["", "ANT", "z", "zebras", "koln"].into_iter().all(|word| !LIST.holds(word)));
        assert!(["ANT", "Zebra", "KÖLN"].into_iter().all(|word| LIST.hold_lower(word)));
        assert!(!LIST.hold_lower(&"a".repeat(LONGEST + 1)));
    }
}
