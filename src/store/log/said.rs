//! Messages of a log by their number, to be found again.

use std::collections::{BTreeMap, VecDeque};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::lock::locked;
use crate::memory::{EffortId, Role, Turn};
use crate::store::Error;
use crate::store::disk::files;
use crate::store::log::{self, LogLine, reader::LogReader};

/// Every so many messages the place in the file is kept, so that the end of a long log is read without the rest.
const STEP: u64 = 8;

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

/// Bytes that are read at a time: mostly a few messages are wanted.
const BLOCK: usize = 1 << 13;

/// Logs of which the place of the last message is known: those that are written to.
const MOST_ENDS: usize = 8;

/// Where messages begin. Paths are compared as they are spelled: they are made in one way.
#[derive(Debug, Default)]
struct Places {
    /// For each log that is longer, of its messages 0, 8, 16 and so on.
    steps: BTreeMap<OsString, Vec<u64>>,
    /// Of the logs that were read to their end lately, of their last message.
    ends: VecDeque<(OsString, Place)>,
}

/// The number of a message and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    number: u64,
    at: u64,
}

impl Places {
    /// The nearest known place that is not behind a message.
    fn before(&self, path: &OsStr, number: u64) -> Place {
        let end = self.ends.iter().find(|(of, end)| of == path && end.number <= number);
        if let Some((_, end)) = end {
            return *end;
        }
        let steps = self.steps.get(path).map_or(&[][..], Vec::as_slice);
        let nearest = ((number / STEP) as usize).min(steps.len().saturating_sub(1));
        Place { number: nearest as u64 * STEP, at: steps.get(nearest).copied().unwrap_or(0) }
    }

    /// Keeps what was found on the way: the place of each message of a run, and whether it is the log's end.
    fn learn(&mut self, path: &OsStr, run: &[Place], is_end: bool) {
        let Some(last) = run.last() else { return };
        if last.number >= STEP {
            let steps = self.steps.entry(path.to_owned()).or_insert_with(|| vec![0]);
            let new = run.iter().filter(|place| place.number % STEP == 0);
            for place in new {
                if place.number == steps.len() as u64 * STEP {
                    steps.push(place.at);
                }
            }
        }
        if is_end {
            self.ends.retain(|(of, _)| of != path);
            self.ends.truncate(MOST_ENDS - 1);
            self.ends.push_front((path.to_owned(), *last));
        }
    }
}

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
        let said = self.numbered(None, log, range)?;
        Ok(said.into_iter().map(|(_, message)| message).collect())
    }

    /// What somebody said of the messages of a log, each with its number, counted from 0; `None` is the ambient log.
    ///
    /// # Errors
    /// As [`SaidReader::messages`].
    pub fn said_by(
        &self,
        role: Role,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<(u64, LoggedMessage)>, Error> {
        self.numbered(Some(role), log, range)
    }

    /// Messages of a log with their numbers, of somebody or of everybody.
    fn numbered(
        &self,
        of: Option<Role>,
        log: Option<&EffortId>,
        range: Range<u64>,
    ) -> Result<Vec<(u64, LoggedMessage)>, Error> {
        if let Some(logs) = self.logs.spooled() {
            let said = logs.numbered(of, log, range)?;
            return Ok(said.into_iter().map(|(number, line)| (number, line.into())).collect());
        }
        let path = match log {
            Some(id) => self.logs.path_of_log(id)?,
            None => self.logs.paths().ambient(),
        };
        let mut places = locked(&self.places);
        let mut found = read(&path, &mut places, range).map_err(Error::read(&path))?;
        found.retain(|(_, message)| of.is_none_or(|role| message.role == role));
        Ok(found)
    }

    /// Does something while nobody can open the session; nothing if somebody has it open, or it cannot be written.
    pub fn while_closed(&self, work: impl FnOnce()) {
        self.logs.while_closed(work);
    }

    /// The directory of the session's search index.
    pub fn index_directory(&self) -> PathBuf {
        self.logs.paths().index()
    }
}

fn read(
    path: &Path,
    places: &mut Places,
    range: Range<u64>,
) -> std::io::Result<Vec<(u64, LoggedMessage)>> {
    let mut found = Vec::new();
    let file = match files::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(found),
        Err(error) => return Err(error),
    };
    let Place { mut number, mut at } = places.before(path.as_os_str(), range.start);
    let mut reader = BufReader::with_capacity(BLOCK, file);
    reader.seek(SeekFrom::Start(at))?;
    let (mut line, mut run) = (Vec::new(), Vec::new());
    while number < range.end && reader.read_until(b'\n', &mut line)? > 0 {
        if let Some(message) = log::parse(line.strip_suffix(b"\n").unwrap_or(&line)).message() {
            run.push(Place { number, at });
            if range.contains(&number) {
                found.push((number, message.into()));
            }
            number += 1;
        }
        at += line.len() as u64;
        line.clear();
    }
    places.learn(path.as_os_str(), &run, number < range.end);
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
        let mut known = Places::default();
        let mut texts = |range: Range<u64>| -> Vec<String> {
            let found = read(&path, &mut known, range).unwrap();
            found.into_iter().map(|(_, message)| message.text.to_string()).collect()
        };
        assert_eq!(texts(99..101), ["word 99", "word 100"]);
        assert_eq!(texts(130..132), ["word 130", "word 131"]);
        assert_eq!(texts(0..1), ["word 0"]);
        assert_eq!(texts(149..160), ["word 149"]);
        assert_eq!(texts(500..600), [""; 0]);
        assert_eq!(known.before(path.as_os_str(), 100).number, 100 / STEP * STEP);
        assert_eq!(known.before(path.as_os_str(), 149), known.ends[0].1);
        assert_eq!(known.before(path.as_os_str(), 149).number, 149, "its end is known");
    }

    #[test]
    fn the_end_of_a_short_log_is_known_too() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let line = |number: u64| log::line(Role::User, &format!("word {number}"), "", Turn(number));
        std::fs::write(&path, (0..4).map(line).collect::<Vec<_>>().concat()).unwrap();
        let mut known = Places::default();
        assert_eq!(read(&path, &mut known, 0..10).unwrap().len(), 4);
        assert_eq!(known.before(path.as_os_str(), 3).number, 3);
        assert_eq!(known.before(path.as_os_str(), 2), Place { number: 0, at: 0 });
        assert!(known.steps.is_empty());
    }
}
