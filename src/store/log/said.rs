//! Messages of a log by their number, to be found again.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::memory::{EffortId, Role, Turn};
use crate::store::Error;
use crate::store::disk::files;
use crate::store::log::{self, LogLine, reader::LogReader};

/// Every so many messages the place in the file is kept, so that the end of a long log is read without the rest.
const STEP: u64 = 64;

/// A message of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedMessage {
    /// Who said it.
    pub role: Role,
    /// What was said, as the window holds it.
    pub text: Arc<str>,
    /// When, as stored; empty if unknown.
    pub at: String,
    /// The turn, if the log tells.
    pub turn: Option<Turn>,
}

impl From<LogLine> for LoggedMessage {
    fn from(line: LogLine) -> Self {
        let LogLine { role, content, shown, at, turn, .. } = line;
        let turn = Some(turn).filter(|&turn| turn > Turn(0));
        Self { role, text: shown.unwrap_or(content), at, turn }
    }
}

/// For each log, where its messages 0, 64, 128 and so on begin.
type Places = BTreeMap<PathBuf, Vec<u64>>;

/// Reads what was said by its place, on any thread; cheap to clone.
#[derive(Debug, Clone)]
pub struct SaidReader {
    logs: LogReader,
    places: Arc<Mutex<Places>>,
}

impl SaidReader {
    /// Reads the logs of a session.
    pub fn new(logs: LogReader) -> Self {
        Self { logs, places: Arc::default() }
    }

    /// Messages of a log by their numbers, counted from 0; `None` is the ambient log. What is not there is left
    /// out.
    ///
    /// # Errors
    /// When the log cannot be read or leads out of the session.
    pub fn messages(
        &self,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<LoggedMessage>, Error> {
        let path = match log {
            Some(id) => self.logs.path_of_log(id)?,
            None => self.logs.paths().ambient(),
        };
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let known = places.entry(path.clone()).or_default();
        read(&path, known, range).map_err(Error::read(&path))
    }

    /// The directory of the session's search index.
    pub fn index_directory(&self) -> PathBuf {
        self.logs.paths().index()
    }
}

fn read(
    path: &Path,
    known: &mut Vec<u64>,
    range: Range<u64>,
) -> std::io::Result<Vec<LoggedMessage>> {
    let mut found = Vec::new();
    let file = match files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error),
    };
    let nearest = ((range.start / STEP) as usize).min(known.len().saturating_sub(1));
    let mut at = known.get(nearest).copied().unwrap_or(0);
    let mut number = nearest as u64 * STEP;
    let mut reader = BufReader::with_capacity(log::BLOCK, file);
    reader.seek(SeekFrom::Start(at))?;
    let mut line = Vec::new();
    while number < range.end && reader.read_until(b'\n', &mut line)? > 0 {
        if let Some(message) = log::parse(line.strip_suffix(b"\n").unwrap_or(&line)).message() {
            if number == known.len() as u64 * STEP {
                known.push(at);
            }
            if range.contains(&number) {
                found.push(message.into());
            }
            number += 1;
        }
        at += line.len() as u64;
        line.clear();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_message_of_a_long_log_is_read_by_its_number() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let line = |number: u64| log::line(Role::User, &format!("word {number}"), "", Turn(number));
        let marker = log::line(Role::System, "--- Reopened ---", "", Turn(0));
        let said = |range: Range<u64>| range.map(line).collect::<Vec<_>>().concat();
        std::fs::write(&path, [said(0..100), marker, said(100..150)].concat()).unwrap();
        let mut known = Vec::new();
        let mut texts = |range: Range<u64>| -> Vec<String> {
            let found = read(&path, &mut known, range).unwrap();
            found.into_iter().map(|message| message.text.to_string()).collect()
        };
        assert_eq!(texts(99..101), ["word 99", "word 100"]);
        assert_eq!(texts(130..132), ["word 130", "word 131"]);
        assert_eq!(texts(0..1), ["word 0"]);
        assert_eq!(texts(149..160), ["word 149"]);
        assert_eq!(texts(500..600), [""; 0]);
        assert_eq!(known.len(), 3, "messages 0, 64 and 128");
    }
}
