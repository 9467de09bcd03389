//! The token counter: `cl100k_base`, as the seeds prescribe.
//!
//! A text is counted piece by piece: it is cut wherever no token can span two signs, which is at most
//! words, and a line or a piece that came up lately is not counted again. The count is exact (that of `encode_ordinary`) for
//! every text without a run of more than [`pieces::RUN_LIMIT`] bytes that offers no such place. Such a run, five megabytes of
//! one letter say, is cut all the same, and then the count is approximate, high by a token or two for each cut: the
//! tokenizer's pattern would go back and forth over the run, give up with a panic, or take minutes.

mod known;
mod pieces;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};

use tiktoken_rs::CoreBPE;

use crate::memory::{CountTokens, Tokens};
use known::{Known, LONGEST};
use pieces::{lines, pieces};

/// Lines that a thread remembers: what is said is counted for the log, for each request and for the bill, and again as a
/// part of what is summarised and archived.
const COUNTED: usize = 1 << 13;

/// Shorter lines, in bytes, are counted as fast as they are found again.
const SHORT: usize = 24;

/// Counts by `cl100k_base`. Its table is built once in a process, by whoever needs it first; others
/// wait for it.
#[derive(Debug, Clone, Copy)]
pub struct Cl100k(());

impl Cl100k {
    /// A counter that builds the table at its first count.
    pub fn lazy() -> Self {
        Self(())
    }

    /// A counter whose table is built when this returns. Takes a fraction of a second, so an
    /// interactive program calls it on a thread of its own, beside its first frame.
    pub fn load() -> Self {
        table();
        Self(())
    }
}

impl CountTokens for Cl100k {
    fn count(&self, text: &str) -> Tokens {
        Tokens(lines(text).map(count_line).sum())
    }
}

/// The tokens of a line, counted if it did not come up lately.
fn count_line(line: &str) -> u64 {
    let count = || KNOWN.with_borrow_mut(|known| sum(line, |piece| known.count(piece)));
    if line.len() < SHORT {
        return count();
    }
    let (hash, length) = (hash_of(line.as_bytes()), line.len());
    let place = hash as usize % COUNTED;
    let known = COUNTED_LATELY.with_borrow(|counted| counted.get(place).copied());
    if let Some(known) = known.filter(|known| (known.hash, known.length) == (hash, length)) {
        return known.tokens;
    }
    let tokens = count();
    COUNTED_LATELY.with_borrow_mut(|counted| {
        counted.resize(COUNTED, Line::default());
        counted[place] = Line { hash, length, tokens };
    });
    tokens
}

fn table() -> &'static CoreBPE {
    tiktoken_rs::cl100k_base_singleton()
}

/// A line that was counted, told by its hash: that of another one of its length is the same once in 2^64 times.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    hash: u64,
    length: usize,
    tokens: u64,
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

thread_local! {
    static COUNTED_LATELY: RefCell<Vec<Line>> = const { RefCell::new(Vec::new()) };
    static KNOWN: RefCell<Known> = RefCell::default();
}

fn encoded(piece: &str) -> u64 {
    table().count_ordinary(piece) as u64
}

/// What the pieces of a text count in all. A run of one sign is cut into long pieces that are the same, of which only
/// the first is encoded: megabytes of them would take seconds.
fn sum<'a>(text: &'a str, mut count: impl FnMut(&'a str) -> u64) -> u64 {
    let mut last = ("", 0);
    let mut counted = 0;
    for piece in pieces(text) {
        if piece.len() <= LONGEST {
            counted += count(piece);
            continue;
        }
        if piece != last.0 {
            last = (piece, count(piece));
        }
        counted += last.1;
    }
    counted
}
