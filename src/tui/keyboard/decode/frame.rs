//! Where a key, a report or an answer of the terminal ends among the bytes: ECMA-48's forms, and what terminals
//! add to them. What the bytes mean is asked only when they are whole.

pub(super) const ESC: u8 = b'\x1b';

/// Bytes that no key and no answer to a question has more of.
pub(super) const LONGEST: usize = 4096;

/// How many bytes the first key or answer has; `None` if it is not whole. At least one, where there is one.
pub(super) fn frame(bytes: &[u8]) -> Option<usize> {
    match bytes {
        [] | [ESC] | [ESC, b'O' | b']' | b'P'] => None,
        [ESC, ESC, ..] => Some(1),
        [ESC, b'[', rest @ ..] => control(rest).map(|length| 2 + length),
        [ESC, b'O', ESC, ..] => Some(2),
        [ESC, b'O', ..] => Some(3),
        [ESC, b']', b'0'..=b'9', ..]
        | [ESC, b'P', b'0'..=b'9' | b'>' | b'!', ..]
        | [ESC, b'_', b'G', ..] => answer(&bytes[2..]).map(|length| 2 + length),
        [ESC, rest @ ..] => character(rest).map(|length| 1 + length),
        _ => character(bytes),
    }
}

/// A control sequence behind its `ESC [`. A byte that none has ends it.
fn control(rest: &[u8]) -> Option<usize> {
    match rest {
        // The mouse as the oldest terminals tell it, and the function keys of the Linux console.
        [b'M', ..] => return (rest.len() >= 4).then_some(4),
        [b'[', ..] => return (rest.len() >= 2).then_some(2),
        _ => {}
    }
    for (at, byte) in rest.iter().enumerate() {
        match byte {
            0x40..=0x7e => return Some(at + 1),
            // rxvt ends a key with Shift so, where others go on to a letter.
            b'$' if at > 0 && rest[..at].iter().all(u8::is_ascii_digit) => return Some(at + 1),
            0x20..=0x3f if at < LONGEST => {}
            _ => return Some(at),
        }
    }
    None
}

/// A terminal's answer in words, behind its first two bytes: up to the bell or `ESC \`.
fn answer(rest: &[u8]) -> Option<usize> {
    for (at, byte) in rest.iter().enumerate() {
        match (byte, rest.get(at + 1)) {
            (0x07, _) => return Some(at + 1),
            (&ESC, None) => return None,
            (&ESC, Some(b'\\')) => return Some(at + 2),
            (0x20.., _) if at < LONGEST => {}
            _ => return Some(at),
        }
    }
    None
}

/// A character in UTF-8, or the part of one that another byte broke off.
fn character(bytes: &[u8]) -> Option<usize> {
    let length = match bytes.first()? {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    let goes_on = |byte: &&u8| (0x80..0xc0).contains(*byte);
    let have = 1 + bytes[1..].iter().take(length - 1).take_while(goes_on).count();
    (have == length || have < bytes.len()).then_some(have)
}
