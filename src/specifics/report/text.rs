//! Whether a text holds another one as a whole.

/// Which words a text has, in a form that sometimes says yes to one that it has not.
pub(super) struct Signs([u64; 64]);

impl Signs {
    /// Those of some words.
    pub(super) fn of<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let mut signs = [0; 64];
        for (at, bit) in words.map(place) {
            signs[at] |= bit;
        }
        Self(signs)
    }

    /// Whether the text may hold another as a whole, because it has all its words.
    pub(super) fn may_hold(&self, said: &str) -> bool {
        words(said).map(place).all(|(at, bit)| self.0[at] & bit > 0)
    }
}

/// The place of a word's bit.
fn place(word: &str) -> (usize, u64) {
    let mix = |sum: u64, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let sum = word.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    ((sum >> 58) as usize, 1 << (sum >> 32 & 63))
}

/// The words as [`holds_word`] sees them: runs of letters, digits and underscores.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_letter(c)).filter(|word| !word.is_empty())
}

/// Whether a sign is a part of a word.
pub(super) fn is_letter(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a text holds another as a whole: `1.3` is not held by `1.31`, nor `api` by `rapid`. What stands before and
/// behind it must be `apart` from it too.
pub(super) fn holds_word(text: &str, word: &str, apart: impl Fn(&str, &str) -> bool) -> bool {
    let (head, tail) = (word.chars().next(), word.chars().next_back());
    text.match_indices(word).filter(|_| !word.is_empty()).any(|(at, found)| {
        let (before, after) = (&text[..at], &text[at + found.len()..]);
        let joined = |c: Option<char>, end: Option<char>| {
            c.is_some_and(is_letter) && end.is_some_and(is_letter)
        };
        let is_digit = |c: char| c.is_ascii_digit();
        let decimal = tail.is_some_and(is_digit)
            && after.strip_prefix(['.', ',']).is_some_and(|rest| rest.starts_with(is_digit));
        let fraction = head.is_some_and(is_digit)
            && before.strip_suffix(['.', ',']).is_some_and(|lead| lead.ends_with(is_digit));
        !joined(before.chars().next_back(), head)
            && !joined(after.chars().next(), tail)
            && !decimal
            && !fraction
            && apart(before, after)
    })
}
