//! Makes ids for tool calls that came without one.

use std::hash::{BuildHasher, RandomState};

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A source of ids of nine letters and digits, the one form that every known server takes.
#[derive(Debug, Clone)]
pub(crate) struct Ids {
    state: u64,
}

impl Ids {
    /// A source whose ids differ from those of any other source, as good as certainly.
    pub(crate) fn random() -> Self {
        Self { state: RandomState::new().hash_one(0_u8) }
    }

    /// A source that always gives the same ids.
    pub(crate) fn seeded(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next id.
    pub(crate) fn next(&mut self) -> String {
        // One step of SplitMix64: every state gives another number.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        (0..9)
            .map(|_| {
                let letter = ALPHABET[(bits % 62) as usize];
                bits /= 62;
                char::from(letter)
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Ids;

    #[test]
    fn ids_are_nine_letters_and_digits_and_differ() {
        let mut ids = Ids::seeded(1);
        let (first, second) = (ids.next(), ids.next());
        assert_ne!(first, second);
        for id in [first, second] {
            assert!(id.len() == 9 && id.chars().all(|c| c.is_ascii_alphanumeric()), "{id}");
        }
    }
}
