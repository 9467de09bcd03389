//! The runs of characters that a text is made of, found in one pass.

use std::borrow::Cow;
use std::ops::Range;

use crate::letters::is_part_of_word;

/// What stands in a run, as bits: only that decides how it is put into lower case.
const CAPITAL: u8 = 1;
const BEYOND_ASCII: u8 = 2;

/// The characters that a run is made of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kind {
    /// The bit of those of ASCII among [`CLASSES`].
    bit: u8,
    /// Whether one beyond ASCII is such a character.
    holds: fn(char) -> bool,
}

/// What is no white space.
pub(super) const TOKEN: Kind = Kind { bit: 4, holds: |c| !c.is_whitespace() };
/// Letters, digits and apostrophes.
pub(super) const PART: Kind = Kind { bit: 8, holds: |c| is_part_of_word(c) || c == '’' };
/// Letters and digits.
pub(super) const PLAIN: Kind = Kind { bit: 16, holds: is_part_of_word };

/// For each byte of a text what it is, as bits.
static CLASSES: [u8; 256] = {
    let (mut classes, mut byte) = ([BEYOND_ASCII; 256], 0_u8);
    while byte < 0x80 {
        classes[byte as usize] = match byte {
            b'A'..=b'Z' => TOKEN.bit | PART.bit | PLAIN.bit | CAPITAL,
            b'a'..=b'z' | b'0'..=b'9' => TOKEN.bit | PART.bit | PLAIN.bit,
            b'\'' => TOKEN.bit | PART.bit,
            b'\t'..=b'\r' | b' ' => 0,
            _ => TOKEN.bit,
        };
        byte += 1;
    }
    classes
};

/// Neighbouring characters of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    text: &'a str,
    holds: u8,
}

impl<'a> Run<'a> {
    /// All of a text.
    pub(super) fn of(text: &'a str) -> Self {
        let bits = text.bytes().fold(0, |all, byte| all | CLASSES[usize::from(byte)]);
        Self { text, holds: bits & (CAPITAL | BEYOND_ASCII) }
    }

    /// The bytes of the text that it was found in.
    pub(super) fn place_in(self, text: &str) -> Range<usize> {
        let start = self.text.as_ptr() as usize - text.as_ptr() as usize;
        start..start + self.text.len()
    }

    /// The same without what is neither letter nor digit at both ends.
    pub(super) fn trimmed(self) -> Self {
        let is_whole = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = self.text.as_bytes();
        if is_whole(bytes.first()) && is_whole(bytes.last()) {
            return self;
        }
        // A mark belongs to the letter before it.
        let text = self.text.trim_start_matches(|c: char| !c.is_alphanumeric());
        Self { text: text.trim_end_matches(|c: char| !is_part_of_word(c)), ..self }
    }

    /// Whether it has other letters than those of ASCII; apostrophes are none.
    pub(super) fn is_of_other_letters(self) -> bool {
        self.holds & BEYOND_ASCII > 0 && self.text.contains(|c: char| !c.is_ascii() && c != '’')
    }

    /// In lower case; nearly all are already.
    pub(super) fn lower(self) -> Cow<'a, str> {
        match self.holds {
            0 => Cow::Borrowed(self.text),
            CAPITAL => Cow::Owned(self.text.to_ascii_lowercase()),
            _ => Cow::Owned(self.text.to_lowercase()),
        }
    }
}

/// The longest runs of a text's characters of one kind.
pub(super) fn runs(text: &str, kind: Kind) -> impl Iterator<Item = Run<'_>> + Clone {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut start, mut holds) = (at, 0);
        while let Some(&byte) = text.as_bytes().get(at) {
            let class = CLASSES[usize::from(byte)];
            let (is_part, length) = if class == BEYOND_ASCII {
                let sign = text[at..].chars().next().unwrap_or_default();
                ((kind.holds)(sign), sign.len_utf8())
            } else {
                (class & kind.bit > 0, 1)
            };
            if is_part {
                holds |= class & (CAPITAL | BEYOND_ASCII);
                at += length;
                continue;
            }
            let end = at;
            at += length;
            if end > start {
                return Some(Run { text: &text[start..end], holds });
            }
            start = at;
        }
        (at > start).then(|| Run { text: &text[start..], holds })
    })
}
