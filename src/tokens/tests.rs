//! What counting keeps to.

use proptest::prelude::*;

use super::known::REMEMBERED;
use super::pieces::{first_piece, first_piece_of_signs, is_border, sentences, stops};
use super::*;

fn count(text: &str) -> u64 {
    Cl100k::lazy().count(text).0
}

/// What another tokenizer says, in one go.
fn exact(text: &str) -> u64 {
    tiktoken_rs::cl100k_base_singleton().encode_ordinary(text).len() as u64
}

#[test]
fn known_texts_have_their_known_counts() {
    for (text, tokens) in [("", 0), ("hello world", 2), ("tiktoken is great!", 6)] {
        assert_eq!(count(text), tokens, "{text:?}");
    }
}

#[test]
fn long_texts_are_counted_exactly() {
    let prose = "The refresh token expires after 15 minutes; it's renewed.\n";
    let chinese = "东京的天气很好,我们去公园散步吧。";
    let code = "fn main() {\n    let x = vec![1, 2, 3];\n}\n";
    let runs = ["a", " ", "!", "7", "\n", "é", "字", "😀", "\u{301}", "a\u{301}", "=-"];
    for text in [prose, chinese, code, "QmFzZTY0+/x9"].into_iter().chain(runs) {
        let long = format!("before {}\nafter", text.repeat(8_000 / text.len()));
        assert_eq!(count(&long), exact(&long), "{text:?}");
    }
}

/// The usual tokenizer gives up on these, or takes minutes.
#[test]
fn megabytes_without_a_place_to_cut_are_counted_exactly() {
    let tokens_of_eight = [("a", 1), ("7", 3), ("!", 1)];
    for (sign, tokens) in tokens_of_eight {
        assert_eq!(exact(&sign.repeat(8)), tokens, "{sign:?}");
    }
    assert_eq!(count(&"a".repeat(5 << 20)), 655_360);
    assert_eq!(count(&"7".repeat(3 << 20)), 1 << 20);
}

#[test]
fn pieces_are_the_text_again_whatever_is_in_it() {
    let text = "字 字".repeat(4_096) + &" ".repeat(10_000) + "the end";
    assert_eq!(pieces(&text).collect::<String>(), text);
    assert!(pieces(&text).count() > 4_096);
}

#[test]
fn a_text_that_takes_anothers_place_is_counted_as_what_it_is() {
    static KNOWN: Known = Known::new();
    let words: Vec<String> = (0..3 * REMEMBERED).map(|nth| format!(" w{nth}")).collect();
    let sum = || words.iter().map(|word| KNOWN.or_count(word, || encoded(word))).sum::<u64>();
    let first = sum();
    assert_eq!((sum(), first), (first, words.iter().map(|word| exact(word)).sum()));
}

#[test]
fn a_text_that_came_up_lately_is_not_counted_again() {
    static KNOWN: Known = Known::new();
    let count = |text: &str, tokens: u64| KNOWN.or_count(text, || tokens);
    for (text, tokens, known) in [("one", 1, 1), ("one", 9, 1), ("two", 2, 2), ("one", 9, 1)] {
        assert_eq!(count(text, tokens), known, "{text}");
    }
    // What does not fit beside the hash is counted each time.
    assert_eq!((count("long", 1 << 16), count("long", 7)), (1 << 16, 7));
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
fn sentences_are_the_line_again_and_are_counted_as_it_is_behind_any_words() {
    let line = "First: one that is long. Is it 3.5? Yes!  No.\u{a0}So it is;";
    let parts = ["First:", " one that is long.", " Is it 3.5?", " Yes!", "  No.\u{a0}So it is;"];
    assert_eq!(sentences(line).collect::<Vec<_>>(), parts);
    let said = "A sentence that is long enough to be remembered. And another one behind it? Yes.";
    for text in [said.to_owned(), format!("user: {said}"), format!("… {}", &said[30..])] {
        assert_eq!(count(&text), exact(&text), "{text}");
    }
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

#[test]
fn numbers_are_counted_without_the_table() {
    let all =
        (1..=3).flat_map(|digits| (0..10_u32.pow(digits as u32)).map(move |nth| (nth, digits)));
    for (nth, digits) in all {
        let number = format!("{nth:0digits$}");
        assert_eq!((of_number(&number), exact(&number)), (Some(1), 1), "{number}");
        let behind = format!(" {number}00{number}");
        assert_eq!(of_number(&behind), Some(exact(&behind)), "{behind}");
    }
    for other in ["", " ", "  1", "1 ", "a1", " -1", "1²"] {
        assert_eq!(of_number(other), None, "{other}");
    }
}

proptest! {
    #[test]
    fn pieces_end_where_their_signs_say(text in "[ a-z0-9².'é字\\n\\t]{0,60}") {
        prop_assert_eq!(first_piece(&text), first_piece_of_signs(&text));
    }

    #[test]
    fn counts_equal_those_of_the_tokenizer(text in "\\PC{0,200}|[ a-z'\\n!é字\\t0-9]{0,200}|[ a-z.:?!;'é\\n]{0,200}|[ a-f/.²٣\\u{301}\\r\\n0-9]{0,200}") {
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
    fn no_token_spans_a_border(text in "[ a-zA-Z'!\\u{301}\\u{93e}字カ한²٣\\n\\r\\t\\u{a0}\\u{0}/0-9]{2,40}") {
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
