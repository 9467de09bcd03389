//! Texts that were counted lately, each with its tokens.

use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::quality::FixedState;

/// Texts that are remembered: half of what is written are a few hundred words.
pub(super) const REMEMBERED: usize = 1 << 16;

/// Bits of an entry that are its tokens. The others are those of the text's hash that do not tell the place.
const TOKENS: u64 = 0xffff;

/// What was counted lately, by whatever thread. A text is told by its hash: that of another one is the same once in 2^64
/// times.
#[derive(Debug)]
pub(super) struct Known([AtomicU64; REMEMBERED]);

impl Known {
    #[allow(clippy::large_stack_arrays, reason = "made for statics, before the program runs")]
    pub(super) const fn new() -> Self {
        Self([const { AtomicU64::new(0) }; REMEMBERED])
    }

    /// The tokens of a text, counted if it did not come up lately.
    pub(super) fn or_count(&self, text: &str, count: impl FnOnce() -> u64) -> u64 {
        let hash = FixedState::default().hash_one(text);
        let place = hash as usize % REMEMBERED;
        // Two texts of a place are remembered, the later one first.
        let (first, second) = (&self.0[place], &self.0[place ^ 1]);
        let later = first.load(Ordering::Relaxed);
        for entry in [later, second.load(Ordering::Relaxed)] {
            if entry != 0 && (entry ^ hash) & !TOKENS == 0 {
                return entry & TOKENS;
            }
        }
        let tokens = count();
        // An entry without tokens stands for none.
        if tokens <= TOKENS {
            second.store(later, Ordering::Relaxed);
            first.store(hash & !TOKENS | tokens, Ordering::Relaxed);
        }
        tokens
    }
}
