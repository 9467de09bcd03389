//! A text as the pieces by which it is compared with others.

use std::ops::Range;

use super::endings::{is_turkish, without_turkish_endings};
use super::{fold, is_han, is_hangul, is_part_of_word, is_unspaced, usual};

/// A piece of a text that is compared.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// A word without case and accents; of a number in groups of three its digits: `1850` of `1,850` and `1.850`.
    Word(&'a str),
    /// Two neighbouring characters of a script without spaces, or one that says something by itself.
    Characters(&'a str),
}

/// The pieces of a text, in order of appearance, as long as somebody wants to know, each with its place in [`usual`] of the
/// text.
pub fn each_piece(text: &str, found: impl FnMut(Piece, Range<usize>) -> bool) {
    each_piece_of(text, is_turkish(text), found);
}

/// The pieces of a part of a text of which it is known whether it is Turkish, as [`each_piece`] finds them.
pub fn each_piece_of(
    text: &str,
    is_turkish: bool,
    mut found: impl FnMut(Piece, Range<usize>) -> bool,
) {
    let text = &*usual(text);
    let mut folded = String::new();
    let (mut at, mut before) = (0, None);
    while let Some(c) = text[at..].chars().next() {
        let start = at;
        at += c.len_utf8();
        let unspaced = is_unspaced(c).then_some(start);
        if unspaced.is_some() {
            let mut tell = |from: usize| found(Piece::Characters(&text[from..at]), from..at);
            let is_whole = is_han(c) || before.is_none() && is_syllable(&text[start..]);
            if before.is_some_and(|before| !tell(before)) || is_whole && !tell(start) {
                return;
            }
        } else if is_part(c) {
            at = end_of_word(text, start);
            let grouped =
                c.is_ascii_digit().then(|| grouped_length(&text.as_bytes()[start..], at - start));
            let word = if let Some(length) = grouped.flatten() {
                at = start + length;
                folded.clear();
                folded.extend(text[start..at].chars().filter(char::is_ascii_digit));
                &folded
            } else {
                folded_word(&text[start..at], &mut folded)
            };
            let word = if is_turkish { without_turkish_endings(word) } else { word };
            if !found(Piece::Word(word), start..at) {
                return;
            }
        }
        before = unspaced;
    }
}

fn end_of_word(text: &str, start: usize) -> usize {
    if let Some(length) = with_signs(&text.as_bytes()[start..]) {
        return start + length;
    }
    let plain = text.as_bytes()[start..].iter().take_while(|&&byte| is_plain(byte)).count();
    let rest = &text[start + plain..];
    // Most words end here.
    if rest.as_bytes().first().is_none_or(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
        return start + plain;
    }
    let ends = |c: char| is_unspaced(c) || !is_part(c);
    rest.find(ends).map_or(text.len(), |end| start + plain + end)
}

/// Bytes of a letter with the signs that make a name of it: `C++`, `C#`.
fn with_signs(text: &[u8]) -> Option<usize> {
    match text {
        [letter, b'+', b'+', ..] if letter.is_ascii_alphabetic() => Some(3),
        [letter, b'#', rest @ ..] if letter.is_ascii_alphabetic() => {
            let goes_on =
                rest.first().is_some_and(|next| next.is_ascii_alphabetic() || *next >= 0x80);
            (!goes_on).then_some(2)
        }
        _ => None,
    }
}

/// Bytes of a number in groups of three that begins with a word of so many bytes: `1,850`. An address of numbers is none.
fn grouped_length(text: &[u8], word: usize) -> Option<usize> {
    let sign = *text.get(word).filter(|sign| matches!(sign, b',' | b'.'))?;
    if word > 3 || text[0] == b'0' || !text[..word].iter().all(u8::is_ascii_digit) {
        return None;
    }
    let is_digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = word;
    while text.get(end) == Some(&sign) && (1..=3).all(|nth| is_digit(end + nth)) {
        end += 4;
    }
    let goes_on = text.get(end).is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
        || text.get(end) == Some(&sign) && is_digit(end + 1);
    (end > word && !goes_on).then_some(end)
}

/// Whether it is part of a word and stays as it is when case and accents go.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'\''
}

/// Whether a character is part of a piece.
pub fn is_part(c: char) -> bool {
    is_part_of_word(c) || matches!(c, '\'' | '’')
}

/// A word without case and accents, and without the signs of a quotation.
fn folded_word<'a>(word: &'a str, folded: &'a mut String) -> &'a str {
    let mut plain = word;
    if !word.bytes().all(is_plain) {
        folded.clear();
        word.chars().for_each(|c| fold(c, folded));
        plain = folded;
    }
    plain.trim_matches(['\'', '’'])
}

/// Whether a text in Hangul begins with one syllable that stands by itself or before a particle.
fn is_syllable(text: &str) -> bool {
    const PARTICLES: &str =
        " 을 를 이 가 은 는 에 의 로 도 와 과 만 에서 에게 으로 까지 부터 이랑 하고 한테 보다 ";
    let mut rest = text.chars();
    if !rest.next().is_some_and(is_hangul) {
        return false;
    }
    let rest = rest.as_str();
    let particle = &rest[..rest.find(|c| !is_hangul(c)).unwrap_or(rest.len())];
    particle.is_empty() || PARTICLES.split(' ').any(|known| known == particle)
}
