//! The words between white space, with what is in each: most finders look at few of them.

use std::ops::Range;

/// A place in a text of up to four gigabytes, which has millions of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    start: u32,
    end: u32,
}

impl Place {
    /// None that lies beyond.
    pub(super) fn of(place: &Range<usize>) -> Option<Self> {
        Some(Self { start: place.start.try_into().ok()?, end: place.end.try_into().ok()? })
    }

    /// From its first byte on.
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    /// To the byte behind its last.
    pub(super) fn end(self) -> usize {
        self.end as usize
    }

    /// Both.
    pub(super) fn range(self) -> Range<usize> {
        self.start()..self.end()
    }
}

/// A word between white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Its place.
    pub(super) place: Place,
    /// Whether a line begins between the word before and it.
    pub(super) begins_line: bool,
    signs: u8,
}

/// A digit.
pub(super) const DIGIT: u8 = 1;
/// A capital letter; but not the first one of a word that goes on in small ones.
pub(super) const CAPITAL: u8 = 2;
/// A slash or a backslash.
pub(super) const SLASH: u8 = 4;
/// A full stop before the last sign.
pub(super) const DOT: u8 = 8;
/// A colon before the last sign.
pub(super) const COLON: u8 = 16;
/// A sign that stands in names of code: `_`, `(`, `@`, `-`.
pub(super) const CODE: u8 = 32;
/// Any other sign of punctuation.
const OTHER: u8 = 64;
/// A sign beyond ASCII.
pub(super) const WIDE: u8 = 128;

/// What each byte is; white space is none of it.
static SIGNS: [u8; 256] = {
    let mut signs = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        signs[byte] = match byte as u8 {
            b'a'..=b'z' => 0,
            b'0'..=b'9' => DIGIT,
            b'A'..=b'Z' => CAPITAL,
            b'/' | b'\\' => SLASH,
            b'.' => DOT,
            b':' => COLON,
            b'_' | b'(' | b'@' | b'-' | b'#' => CODE,
            0x80.. => WIDE,
            _ => OTHER,
        };
        byte += 1;
    }
    signs
};

impl Token {
    /// Whether it holds one of some signs.
    pub(super) fn has(&self, signs: u8) -> bool {
        self.signs & signs > 0
    }

    /// Whether all of it is small letters of ASCII, but perhaps for a capital first letter and a full stop or a
    /// colon at its end.
    pub(super) fn is_plain(&self) -> bool {
        self.signs == 0
    }
}

/// The words of a text, but for what lies beyond the places that there are.
pub(super) fn tokens(text: &str) -> impl Iterator<Item = Token> {
    let bytes = text.as_bytes();
    let sign = move |at: usize| SIGNS[usize::from(bytes[at])];
    let small = move |at: usize| bytes.get(at).is_some_and(u8::is_ascii_lowercase);
    let mut at = 0;
    std::iter::from_fn(move || {
        let mut begins_line = false;
        while at < bytes.len() && space_at(text, at) > 0 {
            begins_line |= bytes[at] == b'\n';
            at += space_at(text, at);
        }
        let start = at;
        let first = if at < bytes.len() { sign(at) } else { return None };
        let (mut signs, mut last) = (0, if small(at + 1) { first & !CAPITAL } else { first });
        at += 1;
        while at < bytes.len() && space_at(text, at) == 0 {
            signs |= last;
            last = sign(at);
            at += 1;
        }
        signs |= last & !(DOT | COLON);
        Some(Token { place: Place::of(&(start..at))?, begins_line, signs })
    })
}

/// The length of the white space at a place, 0 if there is none.
#[inline]
fn space_at(text: &str, at: usize) -> usize {
    match text.as_bytes()[at] {
        b'\t'..=b'\r' | b' ' => 1,
        0x80.. => wide_space_at(text, at),
        _ => 0,
    }
}

/// The same where a character beyond ASCII begins or goes on.
fn wide_space_at(text: &str, at: usize) -> usize {
    let sign = text.get(at..).and_then(|rest| rest.chars().next());
    sign.filter(|sign| sign.is_whitespace()).map_or(0, char::len_utf8)
}

/// Where words stand that are wanted, each with some words before and behind it; those that touch are one.
pub(super) fn around(
    tokens: &[Token],
    before: usize,
    behind: usize,
    wanted: impl Fn(&Token) -> bool,
) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (nth, _) in tokens.iter().enumerate().filter(|(_, token)| wanted(token)) {
        let (first, end) = (nth.saturating_sub(before), (nth + behind + 1).min(tokens.len()));
        match found.last_mut().filter(|last| last.end >= first) {
            Some(last) => last.end = end,
            None => found.push(first..end),
        }
    }
    let place =
        |run: Range<usize>| tokens[run.start].place.start()..tokens[run.end - 1].place.end();
    found.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_what_stands_between_white_space(text in "[a \u{a0}\n\u{3000}./ßB:\u{2028}\t]{0,40}") {
            let found: Vec<Token> = tokens(&text).collect();
            let words: Vec<&str> = found.iter().map(|one| &text[one.place.range()]).collect();
            prop_assert_eq!(&words, &text.split_whitespace().collect::<Vec<_>>());
            let mut end = 0;
            for (one, word) in found.iter().zip(words) {
                prop_assert_eq!(one.begins_line, text[end..one.place.start()].contains('\n'));
                prop_assert_eq!(one.has(SLASH), word.contains('/'));
                prop_assert_eq!(one.has(WIDE), !word.is_ascii());
                prop_assert_eq!(one.has(CAPITAL), word.strip_prefix("Ba").unwrap_or(word).contains('B'));
                prop_assert_eq!(one.has(DOT), word.bytes().rev().skip(1).any(|byte| byte == b'.'));
                end = one.place.end();
            }
        }
    }

    #[test]
    fn words_around_others_are_one_stretch_where_they_touch() {
        let text = "a b c 1 d e f g h 2 i 3";
        let tokens: Vec<Token> = tokens(text).collect();
        let places = around(&tokens, 2, 1, |token| token.has(DIGIT));
        let parts: Vec<&str> = places.into_iter().map(|place| &text[place]).collect();
        assert_eq!(parts, ["b c 1 d", "g h 2 i 3"]);
    }
}
