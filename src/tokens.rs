//! The token counter: `cl100k_base`, as the seeds prescribe.
//!
//! A text is counted piece by piece: it is cut wherever no token can span two signs, which is at most
//! words, and a piece that came up lately is not encoded again. The count is exact (that of `encode_ordinary`) for
//! every text without a run of more than [`RUN_LIMIT`] bytes that offers no such place. Such a run, five megabytes of
//! one letter say, is cut all the same, and then the count is approximate, high by a token or two for each cut: the
//! tokenizer's pattern would go back and forth over the run, give up with a panic, or take minutes.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hasher};

use tiktoken_rs::CoreBPE;

use crate::memory::{CountTokens, Tokens};

/// Bytes without a safe place to cut that are still encoded in one go.
const RUN_LIMIT: usize = 4_096;

/// Longest piece in bytes that is remembered.
const LONGEST: usize = 22;

/// Pieces that a thread remembers: half of what is written are a few hundred words.
const REMEMBERED: usize = 1 << 16;

/// Texts that a thread remembers: what is said is counted for the log, for each request and for the bill.
const COUNTED: usize = 1 << 10;

/// Shorter texts, in bytes, are counted as fast as they are found again.
const SHORT: usize = 64;

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
        let count = || KNOWN.with_borrow_mut(|known| sum(text, |piece| known.count(piece)));
        if text.len() < SHORT {
            return Tokens(count());
        }
        let (hash, length) = (hash_of(text.as_bytes()), text.len());
        let place = hash as usize % COUNTED;
        let known = COUNTED_LATELY.with_borrow(|counted| counted.get(place).copied());
        if let Some(known) = known.filter(|known| (known.hash, known.length) == (hash, length)) {
            return Tokens(known.tokens);
        }
        let tokens = count();
        COUNTED_LATELY.with_borrow_mut(|counted| {
            counted.resize(COUNTED, Text::default());
            counted[place] = Text { hash, length, tokens };
        });
        Tokens(tokens)
    }
}

fn table() -> &'static CoreBPE {
    tiktoken_rs::cl100k_base_singleton()
}

/// A text that was counted, told by its hash: that of another one of its length is the same once in 2^64 times.
#[derive(Debug, Clone, Copy, Default)]
struct Text {
    hash: u64,
    length: usize,
    tokens: u64,
}

fn hash_of(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// A place for a short piece.
fn quick_hash(bytes: &[u8]) -> usize {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let (words, rest) = bytes.as_chunks::<8>();
    let rest = rest.iter().fold(bytes.len() as u64, |all, byte| all << 8 ^ u64::from(*byte));
    let all = words.iter().fold(rest, |all, word| {
        (all ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR).rotate_left(29)
    });
    (all.wrapping_mul(FACTOR) >> 32) as usize
}

thread_local! {
    static COUNTED_LATELY: RefCell<Vec<Text>> = const { RefCell::new(Vec::new()) };
    static KNOWN: RefCell<Known> = RefCell::default();
}

/// A piece, and how many tokens it is.
#[derive(Debug, Clone, Copy, Default)]
struct Piece {
    bytes: [u8; LONGEST],
    length: u8,
    tokens: u8,
}

/// The pieces that a thread met last, each in the one place that it can stand in.
#[derive(Debug, Default)]
struct Known(Vec<Piece>);

impl Known {
    fn count(&mut self, piece: &str) -> u64 {
        let bytes = piece.as_bytes();
        if bytes.len() > LONGEST {
            return encoded(piece);
        }
        if self.0.is_empty() {
            self.0 = vec![Piece::default(); REMEMBERED];
        }
        let place = &mut self.0[quick_hash(bytes) % REMEMBERED];
        if place.bytes[..usize::from(place.length)] != *bytes {
            // A piece of so few bytes is no more tokens than that.
            (place.length, place.tokens) = (bytes.len() as u8, encoded(piece) as u8);
            place.bytes[..bytes.len()].copy_from_slice(bytes);
        }
        u64::from(place.tokens)
    }
}

fn encoded(piece: &str) -> u64 {
    table().count_ordinary(piece) as u64
}

/// What the pieces of a text count in all. A run of one sign is cut into pieces that are the same, of which only
/// the first is encoded: megabytes of them would take seconds.
fn sum<'a>(text: &'a str, mut count: impl FnMut(&'a str) -> u64) -> u64 {
    let mut last = ("", 0);
    let mut counted = 0;
    for piece in pieces(text) {
        if piece != last.0 {
            last = (piece, count(piece));
        }
        counted += last.1;
    }
    counted
}

/// The text in pieces: cut where no token can span two signs, and in a run without such a place at the limit.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, behind) = rest.split_at(first_piece(rest));
        rest = behind;
        (!piece.is_empty()).then_some(piece)
    })
}

fn first_piece(text: &str) -> usize {
    let mut before = None;
    for (at, sign) in text.char_indices() {
        let ends = before.is_some_and(|before| is_border(before, sign));
        if ends || at + sign.len_utf8() > RUN_LIMIT {
            return at;
        }
        before = Some(sign);
    }
    text.len()
}

/// Whether no token can span these two neighbours. Sure, but not complete: the tokenizer parts at
/// some other places too, depending on what stands around them.
fn is_border(before: char, after: char) -> bool {
    let ends_word = !before.is_whitespace() && after.is_whitespace();
    // Punctuation keeps the line ends behind it.
    let line_end = matches!(after, '\r' | '\n');
    (ends_word && !line_end) || (is_plain_letter(before) && !after.is_alphabetic())
}

/// Letters of the scripts that are written in long runs, without their marks and signs.
fn is_plain_letter(sign: char) -> bool {
    sign.is_ascii_alphabetic()
        || matches!(sign, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
        || matches!(sign, '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;

    fn count(text: &str) -> u64 {
        Cl100k::lazy().count(text).0
    }

    fn exact(text: &str) -> u64 {
        table().encode_ordinary(text).len() as u64
    }

    #[test]
    fn known_texts_have_their_known_counts() {
        for (text, tokens) in [("", 0), ("hello world", 2), ("tiktoken is great!", 6)] {
            assert_eq!(count(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn long_texts_with_places_to_cut_are_counted_exactly() {
        let prose = "The refresh token expires after 15 minutes; it's renewed.\n";
        let chinese = "东京的天气很好,我们去公园散步吧。";
        let code = "fn main() {\n    let x = vec![1, 2, 3];\n}\n";
        for text in [prose, chinese, code, "QmFzZTY0+/x9"] {
            let long = text.repeat(2 * RUN_LIMIT / text.len());
            assert_eq!(count(&long), exact(&long), "{text:?}");
        }
    }

    #[test]
    fn a_run_without_a_place_to_cut_is_counted_nearly_and_in_linear_time() {
        for sign in ["a", " ", "!", "7", "\n", "é", "字", "😀", "\u{301}", "a\u{301}"] {
            let run = sign.repeat(20_000 / sign.len());
            let (counted, exact) = (count(&run), exact(&run));
            assert!(counted.abs_diff(exact) <= 20, "{sign:?}: {counted} instead of {exact}");
        }
        for sign in ["a", " ", "!", "字"] {
            // What was counted lately is not counted again: each text is another one.
            let time = |bytes: usize, end: &str| {
                let run = sign.repeat(bytes / sign.len()) + end;
                let start = std::time::Instant::now();
                count(&run);
                start.elapsed()
            };
            time(100_000, "w");
            // Quadratic work would take 2,500 times as long.
            let (short, long) = (time(100_000, "x"), time(5_000_000, "x"));
            assert!(
                long < 500 * short.max(Duration::from_millis(1)),
                "{sign:?}: {short:?}, then {long:?}"
            );
        }
    }

    #[test]
    fn of_a_run_of_one_sign_a_few_pieces_are_encoded_however_long_it_is() {
        for sign in ["=", "x", " ", "\n", "=-", "字"] {
            let run = format!("before {}\nafter", sign.repeat(100 * RUN_LIMIT));
            let mut encoded = 0;
            let counted = sum(&run, |piece| {
                encoded += piece.len();
                exact(piece)
            });
            assert!(encoded < 4 * RUN_LIMIT, "{sign:?}: {encoded} of {} bytes", run.len());
            assert_eq!(counted, pieces(&run).map(exact).sum::<u64>(), "{sign:?}");
        }
    }

    #[test]
    fn pieces_are_the_text_again_whatever_is_in_it() {
        let text = "字".repeat(RUN_LIMIT) + &" ".repeat(RUN_LIMIT * 2) + "end";
        assert_eq!(pieces(&text).collect::<String>(), text);
        assert!(pieces(&text).count() > 3);
    }

    #[test]
    fn a_piece_that_takes_anothers_place_is_counted_as_what_it_is() {
        let mut known = Known::default();
        let words: Vec<String> = (0..3 * REMEMBERED).map(|nth| format!(" w{nth}")).collect();
        let sum = |known: &mut Known| words.iter().map(|word| known.count(word)).sum::<u64>();
        let first = sum(&mut known);
        assert_eq!((sum(&mut known), first), (first, words.iter().map(|word| exact(word)).sum()));
    }

    proptest! {
        #[test]
        fn counts_equal_those_of_the_tokenizer(text in "\\PC{0,200}|[ a-z'\\n!é字\\t0-9]{0,200}") {
            prop_assert_eq!(count(&text), exact(&text));
        }

        /// What `memory::layout` relies on to count each piece of the window once.
        #[test]
        fn a_line_end_before_a_visible_sign_is_a_border(
            first in "[ a-zA-Z'!?.#\\-é字0-9\\n\\t]{0,60}",
            second in "[a-zA-Z'!?.#\\-é字0-9][ a-zA-Z'!?.#\\-é字0-9\\n\\t]{0,60}",
        ) {
            let joined = format!("{first}\n{second}");
            prop_assert_eq!(count(&format!("{first}\n")) + count(&second), count(&joined));
        }

        /// What cutting relies on to stay exact.
        #[test]
        fn no_token_spans_a_border(text in "[ a-zA-Z'!\\u{301}\\u{93e}字カ한\\n\\r\\t\\u{a0}0-9]{2,40}") {
            let signs: Vec<char> = text.chars().collect();
            for at in 1..signs.len() {
                if is_border(signs[at - 1], signs[at]) {
                    let first: String = signs[..at].iter().collect();
                    let second: String = signs[at..].iter().collect();
                    prop_assert_eq!(
                        exact(&first) + exact(&second), exact(&text), "{:?} | {:?}", first, second
                    );
                }
            }
        }
    }
}
