//! Lines of a log, one at a time.

use std::io::{self, BufRead, Read};

use serde::de::DeserializeOwned;

use super::{Bytes, Tally};

/// Longest line in bytes that is looked at; real ones have some megabytes.
pub(super) const LONGEST: usize = 64 << 20;

/// Most values in one record or document: each takes tens of bytes where its text may have two. Real ones of hundreds of
/// megabytes have a million.
const MOST_VALUES: usize = 4_000_000;

/// What stands at the head of some files and means nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Some bytes of a beginning without the mark that may stand before them.
pub(super) fn unmarked(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head)
}

/// The sign that something begins with, behind a mark and blanks.
pub(super) fn first_sign(head: &[u8]) -> Option<u8> {
    unmarked(head).trim_ascii_start().first().copied()
}

/// One line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// From 1.
    pub number: u64,
    /// Without its end.
    pub bytes: &'a [u8],
}

impl Line<'_> {
    /// Whether these bytes stand somewhere in it.
    pub(super) fn holds(&self, needle: &[u8]) -> bool {
        self.bytes.windows(needle.len()).any(|window| window == needle)
    }

    /// As a text; what is not valid UTF-8 gets marks in its place.
    pub(super) fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes)
    }
}

/// The lines of something, without their ends. Blank lines are left out.
pub(super) struct Lines<'a> {
    bytes: Box<dyn BufRead + 'a>,
    line: Vec<u8>,
    number: u64,
}

impl<'a> Lines<'a> {
    /// From the first one on.
    pub(super) fn of(source: &'a dyn Bytes) -> io::Result<Self> {
        Ok(Self { bytes: source.open()?, line: Vec::new(), number: 0 })
    }

    /// The next one; one that is too long is skipped and counted.
    pub(super) fn next(&mut self, tally: &mut Tally) -> io::Result<Option<Line<'_>>> {
        loop {
            self.line.clear();
            let most = LONGEST as u64 + 1;
            if (&mut self.bytes).take(most).read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            self.number += 1;
            if self.line.len() > LONGEST && !self.line.ends_with(b"\n") {
                self.bytes.skip_until(b'\n')?;
                tally.read_one();
                tally.skip("line over 64 MiB");
                continue;
            }
            let start = self.number == 1 && self.line.starts_with(BYTE_ORDER_MARK);
            let from = if start { BYTE_ORDER_MARK.len() } else { 0 };
            if !self.line[from..].trim_ascii().is_empty() {
                let bytes = self.line[from..].trim_ascii_end();
                return Ok(Some(Line { number: self.number, bytes }));
            }
        }
    }
}

/// Reads each line as a record; one that is none is skipped and counted. A list is none: its values would be taken for
/// the fields of a record, in their order.
pub(super) fn each<T: DeserializeOwned>(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(Line<'_>, T, &mut Tally),
) -> io::Result<()> {
    let mut lines = Lines::of(source)?;
    while let Some(line) = lines.next(tally)? {
        tally.read_one();
        let is_object = line.bytes.trim_ascii_start().starts_with(b"{");
        match is_object.then(|| record(line.bytes)).flatten() {
            Some(record) => take(line, record, tally),
            None => tally.skip("no JSON record"),
        }
    }
    Ok(())
}

/// A line as a record. What is broken in its letters is read with marks in the place of it.
pub(super) fn record<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    value(line).ok()
}

/// Whether the first value in a text has more values in it than fit in memory.
pub(super) fn is_heavy(text: &[u8]) -> bool {
    // Two bytes are the least that a value takes.
    if text.len() / 2 <= MOST_VALUES {
        return false;
    }
    // Nearly every document has fewer of these signs, wherever they stand, which takes much longer to tell.
    let begins = |byte: &u8| u8::from(matches!(byte, b',' | b'[' | b'{'));
    let in_some = |some: &[u8]| usize::from(some.iter().map(begins).sum::<u8>());
    if text.chunks(255).map(in_some).sum::<usize>() <= MOST_VALUES {
        return false;
    }
    let (mut values, mut depth, mut in_string, mut escaped) = (0, 0_usize, false, false);
    for byte in text {
        if in_string {
            (in_string, escaped) = (escaped || *byte != b'"', !escaped && *byte == b'\\');
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b',' => values += 1,
            b'[' | b'{' => (values, depth) = (values + 1, depth + 1),
            b']' | b'}' if depth <= 1 => return false,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        if values > MOST_VALUES {
            return true;
        }
    }
    false
}

/// The same, which says why it is none.
pub(super) fn value<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    if is_heavy(text) {
        return Err(serde::de::Error::custom("more than four million values"));
    }
    serde_json::from_slice(text).or_else(|reason| match mended(text) {
        Some(text) => serde_json::from_slice(&text),
        None => Err(reason),
    })
}

/// A text without bytes that are no UTF-8, and without halves of signs that stand alone (`\ud83d`): programs cut texts in
/// the middle of one. `None` if it has neither.
fn mended(text: &[u8]) -> Option<Vec<u8>> {
    let mut mended = match std::str::from_utf8(text) {
        Ok(_) => text.to_vec(),
        Err(_) => String::from_utf8_lossy(text).into_owned().into_bytes(),
    };
    let mut at = 0;
    while let Some(escape) = mended[at..].iter().position(|byte| *byte == b'\\') {
        at += escape;
        match (half(&mended, at), half(&mended, at + ESCAPE)) {
            (Some(true), Some(false)) => at += 2 * ESCAPE,
            (Some(_), _) => mended[at..at + ESCAPE].copy_from_slice(b"\\ufffd"),
            (None, _) => at += 2,
        }
        at = at.min(mended.len());
    }
    (mended != text).then_some(mended)
}

/// Bytes of an escape such as `\ud83d`.
const ESCAPE: usize = 6;

/// Whether an escape at a place is the first half of a sign, or the second; `None` if it is neither.
fn half(text: &[u8], at: usize) -> Option<bool> {
    let digits = text.get(at..at + ESCAPE)?.strip_prefix(b"\\u")?;
    let number = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match number {
        0xd800..0xdc00 => Some(true),
        0xdc00..0xe000 => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn half_a_sign_costs_a_mark_and_not_its_record() {
        for (text, expected) in [
            (&br#""a \ud83d\ude00 b""#[..], Some("a \u{1f600} b")),
            (br#""cut \ud83d""#, Some("cut \u{fffd}")),
            (br#""\ude00\ud83d\ud83d\ude00""#, Some("\u{fffd}\u{fffd}\u{1f600}")),
            (br#""path \\ud83d""#, Some("path \\ud83d")),
            (b"\"b\xffd\"", Some("b\u{fffd}d")),
            (br#""\ud83"#, None),
            (b"\"\\", None),
        ] {
            let read = record::<Value>(text);
            assert_eq!(read.as_ref().and_then(Value::as_str), expected, "{text:?}");
        }
    }
}
