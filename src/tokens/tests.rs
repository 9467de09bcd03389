//! What counting keeps to.

use std::time::Duration;

use proptest::prelude::*;

use super::known::REMEMBERED;
use super::pieces::{RUN_LIMIT, first_piece, first_piece_of_signs, is_border, stops};
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

#[test]
fn lines_are_the_text_again_and_are_counted_as_it_is() {
    let text = "one\ntwo \n\n  three\r\nfour\n\n";
    assert_eq!(lines(text).collect::<Vec<_>>(), ["one\n", "two \n\n  three\r\n", "four\n\n"]);
    let said = "A line that is long enough to be remembered.\n";
    let twice = format!("{said}{said}user: {said}");
    assert_eq!(count(&twice), exact(&twice));
}

#[test]
fn a_byte_stops_a_piece_as_its_sign_does() {
    for before in 0..128_u8 {
        for after in 0..128_u8 {
            let is_stop = stops(before, after);
            let (before, after) = (char::from(before), char::from(after));
            assert_eq!(is_stop, is_border(before, after), "{before:?} {after:?}");
        }
    }
}

proptest! {
    #[test]
    fn pieces_end_where_their_signs_say(text in "[ a-z0-9.'é字\\n\\t]{0,60}") {
        prop_assert_eq!(first_piece(&text), first_piece_of_signs(&text));
    }

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
