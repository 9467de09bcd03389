//! Server-sent events: bytes in, events out, whatever way the network cut the bytes.
//!
//! Follows the standard where servers do, and is lenient where they do not: the space after the
//! colon may be missing, `error:` may stand for `data:`, the blank line between two events may be
//! missing, a JSON object may stand on a line of its own.

use super::limits::{Excess, PIECE};

/// One event of the stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SseEvent {
    /// The data of an ordinary event.
    Data(String),
    /// The data of an event that says that it is an error.
    Error(String),
}

/// Splits bytes into events. Holds at most one unfinished line and one unfinished event.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    after_carriage_return: bool,
    past_first_line: bool,
    is_error: bool,
    data: Option<String>,
    comments: u64,
}

impl SseParser {
    /// Takes the next bytes and appends the events that they complete.
    ///
    /// # Errors
    /// Fails when a line or an event passes [`PIECE`]; the events before it are appended all the same.
    pub(crate) fn feed(&mut self, mut bytes: &[u8], out: &mut Vec<SseEvent>) -> Result<(), Excess> {
        if self.after_carriage_return && !bytes.is_empty() {
            self.after_carriage_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            self.extend_line(&bytes[..end])?;
            let line = std::mem::take(&mut self.line);
            self.take_line(&line, out)?;
            let ended_by = bytes[end];
            bytes = &bytes[end + 1..];
            if ended_by == b'\r' {
                self.after_carriage_return = bytes.is_empty();
                bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
            }
        }
        self.extend_line(bytes)
    }

    /// Ends the stream: gives the event, and the line, that nothing closed any more.
    pub(crate) fn finish(mut self, out: &mut Vec<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() && self.take_line(&line, out).is_err() {
            return;
        }
        self.dispatch(out);
    }

    /// How many comment lines came so far.
    pub(crate) fn comments(&self) -> u64 {
        self.comments
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), Excess> {
        if self.line.len() + bytes.len() > PIECE {
            return Err(Excess::Piece);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn take_line(&mut self, line: &[u8], out: &mut Vec<SseEvent>) -> Result<(), Excess> {
        let line = String::from_utf8_lossy(line);
        let mut line = &*line;
        if !self.past_first_line {
            self.past_first_line = true;
            line = line.strip_prefix('\u{feff}').unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(out);
            return Ok(());
        }
        if line.starts_with('{') {
            self.dispatch(out);
            out.push(SseEvent::Data(line.to_owned()));
            return Ok(());
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "" => self.comments += 1,
            "data" => return self.take_data(value, out),
            "event" => self.is_error = value.trim() == "error",
            "error" => {
                self.dispatch(out);
                out.push(SseEvent::Error(value.to_owned()));
            }
            // `id`, `retry` and whatever else means nothing here.
            _ => {}
        }
        Ok(())
    }

    fn take_data(&mut self, value: &str, out: &mut Vec<SseEvent>) -> Result<(), Excess> {
        // An object's end is never followed by an object's start or by the end mark inside one
        // JSON text, so here the blank line between two events is missing.
        let begins = value.starts_with('{') || value.starts_with("[DONE]");
        let ended = |data: &String| data.trim_end().ends_with('}');
        if begins && self.data.as_ref().is_some_and(ended) {
            self.dispatch(out);
        }
        let Some(data) = &mut self.data else {
            self.data = Some(value.to_owned());
            return Ok(());
        };
        if data.len() + value.len() > PIECE {
            return Err(Excess::Piece);
        }
        data.push('\n');
        data.push_str(value);
        Ok(())
    }

    fn dispatch(&mut self, out: &mut Vec<SseEvent>) {
        let is_error = std::mem::take(&mut self.is_error);
        match self.data.take() {
            Some(data) if is_error => out.push(SseEvent::Error(data)),
            Some(data) if !data.trim().is_empty() => out.push(SseEvent::Data(data)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
