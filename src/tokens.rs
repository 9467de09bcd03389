//! The token counter: `cl100k_base`, as the seeds prescribe.
//!
//! A text is counted piece by piece: it is cut wherever no token can span two signs, which is at most words, and a line, a
//! sentence or a piece that came up lately is not counted again. The count is exact, and takes linear time for any text.

mod known;
mod pieces;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use bpe_openai::Tokenizer;

use crate::heap;
use crate::memory::{CountTokens, Tokens};
use known::Known;
use pieces::{lines, of_number, pieces, sentences};

/// Lines: what is said is counted for the log, for each request and for the bill, and again as a part of what is
/// summarised and archived.
static LINES: Known = Known::new();

/// Sentences of longer lines: what is said comes up again behind other words, and an excerpt holds a part of it.
static SENTENCES: Known = Known::new();

/// Pieces of sentences.
static PIECES: Known = Known::new();

/// Shorter lines and sentences, in bytes, are counted as fast as they are found again.
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
        Tokens(count(text))
    }
}

/// Tokens of a text by `cl100k_base`.
pub fn count(text: &str) -> u64 {
    lines(text).map(count_line).sum()
}

fn count_line(line: &str) -> u64 {
    let of_sentences = || sentences(line).map(count_sentence).sum();
    if line.len() < SHORT { of_pieces(line) } else { LINES.or_count(line, of_sentences) }
}

fn count_sentence(sentence: &str) -> u64 {
    let count = || of_pieces(sentence);
    if sentence.len() < SHORT { count() } else { SENTENCES.or_count(sentence, count) }
}

fn of_pieces(text: &str) -> u64 {
    pieces(text).map(count_piece).sum()
}

fn count_piece(piece: &str) -> u64 {
    // Hardly one comes up twice.
    of_number(piece).unwrap_or_else(|| PIECES.or_count(piece, || encoded(piece)))
}

fn encoded(piece: &str) -> u64 {
    table().count(piece) as u64
}

fn table() -> &'static Tokenizer {
    static TABLE: OnceLock<&Tokenizer> = OnceLock::new();
    TABLE.get_or_init(|| {
        let table = bpe_openai::cl100k_base();
        // The 15 MB of which it was made are not read again.
        heap::give_back_constants();
        table
    })
}
