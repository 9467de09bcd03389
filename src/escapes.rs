//! Signs with which programs steer a terminal: they stand in what a terminal showed, and say nothing.

use std::borrow::Cow;

/// The bytes in which all of them begin; the second is also that of other characters.
const FIRST_BYTES: [u8; 2] = [0x1b, 0xc2];

/// A text without them. Control characters that stand by themselves stay.
pub fn without(text: &str) -> Cow<'_, str> {
    Escapes::default().left_out_of(text)
}

/// A text without them, and with a space in the place of each control character: nothing in it ends a line or reaches a
/// terminal.
pub fn visible(text: &str) -> String {
    without(text).chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect()
}

/// How far into one of them a text has come that arrives in pieces.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Escapes {
    /// Into none.
    #[default]
    Outside,
    /// Behind an escape character.
    Begun,
    /// Behind signs that say which set the last one is of: `ESC (` of `ESC ( B`.
    Named,
    /// Among the numbers of a control sequence: `ESC [ 3` of `ESC [ 31 m`.
    Numbers,
    /// Among the words of a control string, such as the title of a window.
    Words,
}

impl Escapes {
    /// The next piece of a text without them.
    pub fn left_out_of<'a>(&mut self, piece: &'a str) -> Cow<'a, str> {
        // Most texts have none, which their bytes tell at once.
        let may_begin = || FIRST_BYTES.iter().any(|first| piece.as_bytes().contains(first));
        if *self == Self::Outside && !(may_begin() && piece.contains(begins)) {
            return Cow::Borrowed(piece);
        }
        Cow::Owned(piece.chars().filter(|sign| !self.takes(*sign)).collect())
    }

    /// Whether the next sign is part of one. What cannot be ends it and stays.
    fn takes(&mut self, sign: char) -> bool {
        *self = match (*self, sign) {
            // A string that never ends is taken to end with its line, so that it cannot swallow the rest of a reply.
            (Self::Words, '\u{7}' | '\u{9c}') => Self::Outside,
            (Self::Words, other) if !matches!(other, '\u{1b}' | '\n' | '\r') => Self::Words,
            (Self::Begun, '[') | (_, '\u{9b}') | (Self::Numbers, ' '..='?') => Self::Numbers,
            (Self::Begun, ']' | 'P' | 'X' | '^' | '_')
            | (_, '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}') => Self::Words,
            // A space might do so too, but stands far more often between two words.
            (Self::Begun | Self::Named, '!'..='/') => Self::Named,
            // The last sign; that of a string is `ESC \`.
            (Self::Begun | Self::Named, '0'..='~') | (Self::Numbers, '@'..='~') => Self::Outside,
            (_, '\u{1b}') => Self::Begun,
            _ => {
                *self = Self::Outside;
                return false;
            }
        };
        true
    }
}

/// Whether one of them begins with it.
fn begins(sign: char) -> bool {
    Escapes::Outside.takes(sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out() {
        for (text, plain) in [
            ("no escape", "no escape"),
            ("\u{1b}[1A\u{1b}[2K\u{1b}[0m12 tests", "12 tests"),
            ("\u{1b}[38;5;12mred\u{1b}[0m", "red"),
            ("\u{1b}]0;title\u{7}behind", "behind"),
            ("\u{1b}(Bplain\u{1b} text", "plain text"),
            ("a \u{1b}]0;title\nthe rest", "a \nthe rest"),
            ("\u{1b}[", ""),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{9b}2Jx\u{9d}0;t\u{7}y\u{90}q#0\u{9c}z", "xyz"),
            ("cut \u{1b}[31\u{e9}t\u{e9} \u{1b}\u{e9}", "cut \u{e9}t\u{e9} \u{e9}"),
            ("\u{1b}]0;a\u{1b}[31mb", "b"),
            ("\u{b0}\u{a0}\u{84}\u{7}\t\r\n", "\u{b0}\u{a0}\u{84}\u{7}\t\r\n"),
        ] {
            assert_eq!(without(text), plain, "{text:?}");
        }
        assert!(matches!(without("21 °C\n\u{7}"), Cow::Borrowed(_)));
        assert_eq!(visible("a\u{1b}[31m\tb\r\nc\u{9b}0m\u{84}d\u{7}"), "a b  c d ");
    }

    #[test]
    fn however_a_text_is_cut_the_same_is_left_out() {
        let text =
            "\u{1b}[31mred\u{1b}[0m \u{1b}]0;title\u{7}a\u{1b}]8;;x\u{1b}\\b\u{9b}1mc\u{1b}(Bd";
        let signs: Vec<char> = text.chars().collect();
        for length in 1..=signs.len() {
            let mut escapes = Escapes::default();
            let pieces = signs.chunks(length).map(|piece| piece.iter().collect::<String>());
            let left: String =
                pieces.map(|piece| escapes.left_out_of(&piece).into_owned()).collect();
            assert_eq!(left, "red abcd", "in pieces of {length}");
        }
    }
}
