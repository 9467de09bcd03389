//! What the commands write, on its way to a terminal: nothing but text gets there. Files and pipes get
//! every byte as it is.

use std::io::{self, IsTerminal, Write};

use crate::escapes::Escapes;
use crate::text::clean;

/// Columns of the terminal, if what is printed goes to one.
pub(super) fn columns() -> Option<usize> {
    let size = io::stdout().is_terminal().then(crossterm::terminal::size)?.ok()?;
    Some(usize::from(size.0)).filter(|columns| *columns > 0)
}

/// A stream of the process that keeps a terminal from what would act on it.
#[derive(Debug)]
pub struct Cleaned<W> {
    stream: W,
    is_terminal: bool,
    /// The beginning of a character whose other bytes are still to come.
    rest: Vec<u8>,
    /// What is still to come of a sequence that has begun.
    escapes: Escapes,
}

impl<W: Write + IsTerminal> Cleaned<W> {
    /// The stream, cleaned if it is a terminal.
    pub fn of(stream: W) -> Self {
        let is_terminal = stream.is_terminal();
        Self { stream, is_terminal, rest: Vec::new(), escapes: Escapes::default() }
    }
}

impl<W: Write> Write for Cleaned<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.is_terminal {
            return self.stream.write(bytes);
        }
        self.rest.extend_from_slice(bytes);
        let end = self.rest.utf8_chunks().last().map_or(&[][..], |last| last.invalid());
        let may_go_on = std::str::from_utf8(end).is_err_and(|error| error.error_len().is_none());
        let whole = self.rest.len() - if may_go_on { end.len() } else { 0 };
        let text = String::from_utf8_lossy(&self.rest[..whole]);
        let written = self.stream.write_all(clean(&self.escapes.left_out_of(&text)).as_bytes());
        self.rest.drain(..whole);
        written.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(is_terminal: bool, parts: &[&[u8]]) -> Vec<u8> {
        let (rest, escapes) = (Vec::new(), Escapes::default());
        let mut cleaned = Cleaned { stream: Vec::new(), is_terminal, rest, escapes };
        for part in parts {
            cleaned.write_all(part).unwrap();
        }
        cleaned.stream
    }

    #[test]
    fn a_terminal_gets_text_and_a_file_gets_every_byte() {
        let parts: [&[u8]; 5] =
            [b"a\x1b[3", b"1mb\xe2\x80", b"\xaec \xff \xf0\x9f", b"\x98", b"\x80\n"];
        assert_eq!(through(true, &parts), "abc \u{fffd} 😀\n".as_bytes());
        assert_eq!(through(false, &parts), parts.concat());
    }
}
