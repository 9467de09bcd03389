//! Tables that find by a word in the same time however many words there are.

use std::hash::{BuildHasherDefault, Hasher};

/// What is known of each word by its hash, where that of another word may pass for it, once in 2^64 times: the words
/// themselves need not be kept, nor looked at.
#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
pub(super) type ByHash<T> = std::collections::HashMap<u64, T, BuildHasherDefault<Hashed>>;

/// Different words.
#[allow(clippy::disallowed_types, reason = "it is only looked up in, so its order never shows")]
pub(super) type Words<W = Box<str>> = std::collections::HashSet<W, BuildHasherDefault<WordHasher>>;

/// A quick hash: words are short, and each one of a message is looked up.
#[derive(Debug, Default)]
pub(super) struct WordHasher(u64);

/// An odd number whose bits are well mixed.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for WordHasher {
    /// Both ends of what is short, overlapping, so that few lengths need a branch of their own.
    fn write(&mut self, bytes: &[u8]) {
        let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
        let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
        let mut hash = self.0 ^ bytes.len() as u64;
        let mut mix = |word: u64| hash = (hash ^ word).wrapping_mul(FACTOR).rotate_left(29);
        if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
            bytes.as_chunks::<8>().0.iter().skip(1).for_each(|middle| mix(word(middle)));
            mix(word(first));
            mix(word(last));
        } else if let (Some(first), Some(last)) =
            (bytes.first_chunk::<4>(), bytes.last_chunk::<4>())
        {
            mix(half(first) << 32 | half(last));
        } else {
            mix(bytes.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)));
        }
        self.0 = hash;
    }

    /// What ends a word: its length is in the hash already.
    fn write_u8(&mut self, _: u8) {}

    fn finish(&self) -> u64 {
        let mixed = self.0.wrapping_mul(FACTOR);
        mixed ^ mixed >> 32
    }
}

/// Takes what is a hash already as it is.
#[derive(Debug, Default)]
pub(super) struct Hashed(u64);

impl Hasher for Hashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |all, &byte| all.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// The hash of a word.
pub(super) fn hash_of(word: &str) -> u64 {
    let mut hasher = WordHasher::default();
    hasher.write(word.as_bytes());
    hasher.finish()
}
