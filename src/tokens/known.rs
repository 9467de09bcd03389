//! Pieces that came up lately, each with its tokens.

use super::encoded;

/// Longest piece in bytes that is remembered.
pub(super) const LONGEST: usize = 22;

/// Pieces that a thread remembers: half of what is written are a few hundred words.
pub(super) const REMEMBERED: usize = 1 << 16;

/// A short piece as numbers: its bytes, then nothing, then how many they are.
type Key = [u64; 3];

/// Where the tokens of a piece stand in the last number of its key, and the bits of them.
const TOKENS_AT: u32 = 48;
const TOKENS: u64 = 0xff << TOKENS_AT;

fn key(bytes: &[u8]) -> Key {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut key = [0; 3];
    for (at, word) in words.iter().enumerate() {
        key[at] = u64::from_le_bytes(*word);
    }
    key[words.len()] = rest.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte));
    key[2] |= (bytes.len() as u64) << 56;
    key
}

/// A key without the tokens.
fn of_piece([first, second, third]: Key) -> Key {
    [first, second, third & !TOKENS]
}

/// The two places that a piece can stand in.
fn places(key: Key) -> [usize; 2] {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed =
        key.into_iter().fold(0, |all: u64, word| (all ^ word).wrapping_mul(FACTOR).rotate_left(29));
    let mixed = mixed.wrapping_mul(FACTOR);
    [(mixed >> 32) as usize % REMEMBERED, (mixed >> 48) as usize % REMEMBERED]
}

/// The pieces that a thread met lately, each with its tokens; one that has to make room goes to its other place once.
#[derive(Debug, Default)]
pub(super) struct Known(Vec<Key>);

impl Known {
    /// The tokens of a piece.
    pub(super) fn count(&mut self, piece: &str) -> u64 {
        if piece.len() > LONGEST {
            return encoded(piece);
        }
        if self.0.is_empty() {
            self.0 = vec![Key::default(); REMEMBERED];
        }
        let key = key(piece.as_bytes());
        let places = places(key);
        for place in places {
            let known = self.0[place];
            if of_piece(known) == key {
                return (known[2] & TOKENS) >> TOKENS_AT;
            }
        }
        // A piece of so few bytes is no more tokens than that.
        let tokens = encoded(piece);
        let new = [key[0], key[1], key[2] | tokens << TOKENS_AT];
        let before = std::mem::replace(&mut self.0[places[0]], new);
        if before != Key::default() {
            let [_, other] = self::places(of_piece(before));
            self.0[other] = before;
        }
        tokens
    }
}
