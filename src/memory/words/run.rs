//! The runs of characters that a text is made of, found in one pass.

use std::borrow::Cow;

/// What stands in a run, as bits: only that decides how it is put into lower case.
const CAPITAL: u8 = 1;
const BEYOND_ASCII: u8 = 2;

/// Neighbouring characters of one kind.
#[derive(Debug, Clone, Copy)]
pub(super) struct Run<'a> {
    text: &'a str,
    holds: u8,
}

impl<'a> Run<'a> {
    /// The same without what is neither letter nor digit at both ends.
    pub(super) fn trimmed(self) -> Self {
        let is_whole = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let bytes = self.text.as_bytes();
        if is_whole(bytes.first()) && is_whole(bytes.last()) {
            return self;
        }
        Self { text: self.text.trim_matches(|c: char| !c.is_alphanumeric()), ..self }
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

/// The longest runs of a text's characters that are part of one.
pub(super) fn runs(
    text: &str,
    is_part: impl Fn(char) -> bool + Clone,
) -> impl Iterator<Item = Run<'_>> + Clone {
    let mut at = 0;
    std::iter::from_fn(move || {
        let (mut start, mut holds) = (at, 0);
        while let Some(&byte) = text.as_bytes().get(at) {
            let (part, length, holding) = if byte.is_ascii() {
                (is_part(byte.into()), 1, u8::from(byte.is_ascii_uppercase()) * CAPITAL)
            } else {
                let sign = text[at..].chars().next().unwrap_or_default();
                (is_part(sign), sign.len_utf8(), BEYOND_ASCII)
            };
            if part {
                holds |= holding;
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
