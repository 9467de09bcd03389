//! The words between white space, with what is in each: most finders look at few of them.

use std::ops::Range;

/// A word between white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Its place.
    pub(super) place: Range<usize>,
    /// Which of the signs below it holds.
    signs: u8,
    /// Whether a line begins between the word before and it.
    pub(super) begins_line: bool,
}

const SPACE: u8 = 1;
const SLASH: u8 = 2;
const DOT: u8 = 4;
const OTHER: u8 = 8;

/// What each byte is.
static CLASSES: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'\t'..=b'\r' | b' ' => SPACE,
            b'/' | b'\\' => SLASH,
            b'.' => DOT,
            b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' => 0,
            _ => OTHER,
        };
        byte += 1;
    }
    classes
}

impl Token {
    /// Whether it has a slash or a backslash.
    pub(super) fn has_slash(&self) -> bool {
        self.signs & SLASH > 0
    }

    /// Whether it has a full stop.
    pub(super) fn has_dot(&self) -> bool {
        self.signs & DOT > 0
    }

    /// Whether it has nothing but letters and digits of ASCII and underscores.
    pub(super) fn is_plain(&self) -> bool {
        self.signs == 0
    }
}

/// The words of a text.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let mut found = Vec::with_capacity(bytes.len() / 5);
    let (mut at, mut begins_line) = (0, false);
    while at < bytes.len() {
        let start = at;
        let mut signs = 0;
        let mut gap = 0;
        while at < bytes.len() {
            gap = space_at(text, at);
            if gap > 0 {
                break;
            }
            signs |= CLASSES[usize::from(bytes[at])];
            at += 1;
        }
        if at > start {
            found.push(Token { place: start..at, signs, begins_line });
            begins_line = false;
        }
        begins_line |= bytes.get(at) == Some(&b'\n');
        at += gap;
    }
    found
}

/// The length of the white space at a place, 0 if there is none.
fn space_at(text: &str, at: usize) -> usize {
    let byte = text.as_bytes()[at];
    if byte < 0x80 {
        return usize::from(CLASSES[usize::from(byte)] == SPACE);
    }
    let sign = text.get(at..).and_then(|rest| rest.chars().next());
    sign.filter(|sign| sign.is_whitespace()).map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_what_stands_between_white_space(text in "[a \u{a0}\n\u{3000}./ß\u{2028}\t]{0,40}") {
            let found = tokens(&text);
            let words: Vec<&str> = found.iter().map(|one| &text[one.place.clone()]).collect();
            prop_assert_eq!(words, text.split_whitespace().collect::<Vec<_>>());
            let mut end = 0;
            for one in found {
                prop_assert_eq!(one.begins_line, text[end..one.place.start].contains('\n'));
                prop_assert_eq!(one.has_slash(), text[one.place.clone()].contains('/'));
                prop_assert_eq!(one.has_dot(), text[one.place.clone()].contains('.'));
                end = one.place.end;
            }
        }
    }
}
