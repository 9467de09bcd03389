//! Numbers and texts as bytes.

use crate::varint;

/// Appends a text with its length in front.
pub(super) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    varint::put(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads what [`varint::put`] and [`put_text`] wrote. Nothing it is given makes it panic: at the end of the bytes, and for bytes that
/// nobody wrote, it says `None`.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    /// The next number.
    #[inline]
    pub(super) fn number(&mut self) -> Option<u64> {
        varint::take(&mut self.0)
    }

    /// The next number, if it fits.
    #[inline]
    pub(super) fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    /// So many bytes.
    pub(super) fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// Passes over the next text.
    pub(super) fn pass_text(&mut self) -> Option<()> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length).map(|_| ())
    }

    /// The next text.
    pub(super) fn text(&mut self) -> Option<&'a str> {
        let length = usize::try_from(self.number()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }
}

/// A number that other bytes, or the same in another order, hardly have too. Goes on from `before`.
pub(super) fn hash(before: u64, bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(FACTOR).rotate_left(29);
    let (words, rest) = bytes.as_chunks::<8>();
    let all = words.iter().fold(before, |hash, word| mix(hash, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(rest.len() as u64, |last, &byte| last << 8 | u64::from(byte));
    let mixed = mix(mix(all, last), bytes.len() as u64);
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_texts_come_back() {
        let numbers = [0, 1, 127, 128, 300, 65_536, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            varint::put(&mut bytes, number);
        }
        put_text(&mut bytes, "größen");
        let mut reader = Reader(&bytes);
        assert!(numbers.iter().all(|&number| reader.number() == Some(number)));
        assert_eq!(reader.text(), Some("größen"));
        assert_eq!(reader.number(), None);
    }

    #[test]
    fn bytes_that_nobody_wrote_are_nothing() {
        assert_eq!(Reader(&[0xff; 20]).number(), None);
        assert_eq!(Reader(&[0x80]).number(), None);
        assert_eq!(Reader(&[5, b'a']).text(), None);
        assert_eq!(Reader(&[2, 0xff, 0xfe]).text(), None);
    }

    #[test]
    fn a_hash_tells_bytes_and_their_order_apart() {
        let texts: [&[u8]; 6] = [b"", b"\0", b"ab", b"ba", b"abcdefgh", b"abcdefgh\0"];
        let hashes = texts.map(|text| hash(0, text));
        let different: std::collections::BTreeSet<u64> = hashes.into_iter().collect();
        assert_eq!(different.len(), texts.len());
        assert_ne!(hash(1, b"ab"), hash(2, b"ab"));
    }
}
