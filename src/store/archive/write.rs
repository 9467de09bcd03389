//! From a session to JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{Archive, ArchivedFile, FORMAT, VERSION};

impl Archive {
    /// Writes the session as JSON, a line of a log on a line of its own. The same session gives the same
    /// bytes.
    ///
    /// # Errors
    /// Passes on what the writer answers.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{{\"format\":\"{FORMAT}\",\"version\":{VERSION},")?;
        writeln!(out, "\"name\":{},", Value::from(self.name.as_str()))?;
        writeln!(out, "\"files\":[")?;
        for (nth, file) in self.files.iter().enumerate() {
            file.write(out)?;
            writeln!(out, "{}", if nth + 1 < self.files.len() { "," } else { "" })?;
        }
        writeln!(out, "]}}")
    }
}

impl ArchivedFile {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write!(out, "{{\"path\":{},", Value::from(self.path.as_str()))?;
        let Ok(text) = std::str::from_utf8(&self.content) else {
            return write!(out, "\"hex\":\"{}\"}}", hex(&self.content));
        };
        if let Some(lines) = self.lines(text) {
            write!(out, "\"lines\":[")?;
            for (nth, line) in lines.iter().enumerate() {
                write!(out, "{}\n{line}", if nth > 0 { "," } else { "" })?;
            }
            return write!(out, "]}}");
        }
        match text.strip_suffix('\n').and_then(object) {
            Some(object) => write!(out, "\"json\":{object}}}"),
            None => write!(out, "\"text\":{}}}", Value::from(text)),
        }
    }

    /// The lines of a log: objects as they are, anything else as a string.
    fn lines(&self, text: &str) -> Option<Vec<String>> {
        let whole = self.path.strip_suffix(".jsonl").and_then(|_| text.strip_suffix('\n'))?;
        let line = |line: &str| object(line).unwrap_or_else(|| json!(line).to_string());
        Some(whole.split('\n').map(line).collect())
    }
}

/// The text, if it is a JSON object that comes back as just this text.
fn object(text: &str) -> Option<String> {
    let value: Value = serde_json::from_str(text).ok().filter(Value::is_object)?;
    Some(value.to_string()).filter(|again| again == text)
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
