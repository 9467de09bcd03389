//! Lines of a log, one at a time.

use std::io::{self, BufRead, Read};

use serde::de::DeserializeOwned;

use super::{Bytes, Tally};

/// Longest line in bytes that is looked at; real ones have some megabytes.
pub(super) const LONGEST: usize = 64 << 20;

/// What stands at the head of some files and means nothing.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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

/// Reads each line as a record; one that is none is skipped and counted.
pub(super) fn each<T: DeserializeOwned>(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(Line<'_>, T, &mut Tally),
) -> io::Result<()> {
    let mut lines = Lines::of(source)?;
    while let Some(line) = lines.next(tally)? {
        tally.read_one();
        match record(line.bytes) {
            Some(record) => take(line, record, tally),
            None => tally.skip("no JSON record"),
        }
    }
    Ok(())
}

/// A line as a record. One that is not valid UTF-8 is read with marks in the place of what is broken.
pub(super) fn record<T: DeserializeOwned>(line: &[u8]) -> Option<T> {
    match serde_json::from_slice(line) {
        Ok(record) => Some(record),
        Err(_) if std::str::from_utf8(line).is_err() => {
            serde_json::from_str(&String::from_utf8_lossy(line)).ok()
        }
        Err(_) => None,
    }
}
