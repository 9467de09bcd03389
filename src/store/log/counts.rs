//! `counts.json`: how much of the ambient log of another program was counted and what that holds, so that it is
//! counted once, however often the program ends before all of it is.
//!
//! A derived file. It holds as long as the log has the beginning, and the bytes before the place up to which it was
//! counted, that it had then; a log only grows.

pub(crate) mod efforts;

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use serde_json::{Value, json};

use super::reader::LogReader;
use crate::memory::{CountTokens, EffortId, Tokens};
use crate::store::Error;
use crate::store::disk::files;
use crate::store::disk::paths::Paths;
use crate::store::log;
use crate::store::record::bounded;
use efforts::CountedEfforts;

/// Bytes of the beginning and of the end of what was counted by which it is known again.
const ENDS: u64 = 64 * 1024;

/// What the beginning of the ambient log was counted to hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Length of the beginning, in bytes.
    pub bytes: u64,
    /// Messages in it.
    pub messages: u64,
    /// Their cost.
    pub tokens: Tokens,
}

impl LogReader {
    /// How much of the ambient log was counted, by whoever had the session open or looked at it.
    pub fn counted(&self) -> Counted {
        read(self.paths()).unwrap_or_default()
    }

    /// Counts the ambient log on, up to a length, as long as whoever hears of each line wants more.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn count_on(
        &self,
        known: Counted,
        upto: u64,
        counter: &dyn CountTokens,
        more: &mut dyn FnMut(Counted) -> bool,
    ) -> Result<Counted, Error> {
        count(self.paths(), known, upto, counter, more)
    }

    /// What whoever looked at the session counted of the efforts' logs.
    pub fn counted_efforts(&self) -> CountedEfforts {
        CountedEfforts::read(self.paths())
    }

    /// Keeps what was counted of the ambient log and of efforts' logs, messages and tokens, for whoever comes next. It is
    /// for whoever only looks: while somebody has the session open, nothing is kept.
    pub fn keep_counted(&self, ambient: Option<Counted>, efforts: &[(EffortId, u64, Tokens)]) {
        self.while_closed(|| {
            if let Some(counted) = ambient {
                keep(self.paths(), counted);
            }
            if !efforts.is_empty() {
                CountedEfforts::keep(self, efforts);
            }
        });
    }
}

/// What was counted last, if the log still begins with it.
pub(crate) fn read(paths: &Paths) -> Option<Counted> {
    let kept: Value = serde_json::from_slice(&files::read(&paths.counts()).ok()??).ok()?;
    let number = |key: &str| kept.get(key).and_then(bounded);
    let counted = Counted {
        messages: number("messages")?,
        tokens: Tokens(number("tokens")?),
        bytes: number("bytes")?,
    };
    let same = kept.get("ends").and_then(Value::as_u64)? == ends(paths, counted.bytes)?;
    same.then_some(counted)
}

/// Keeps what was counted. A disk that takes nothing costs time, no more.
pub(crate) fn keep(paths: &Paths, counted: Counted) {
    let Some(ends) = ends(paths, counted.bytes) else { return };
    let Counted { bytes, messages, tokens } = counted;
    let record = json!({"messages": messages, "tokens": tokens.0, "bytes": bytes, "ends": ends});
    if let Err(error) = files::replace_unsynced(&paths.counts(), record.to_string().as_bytes()) {
        tracing::warn!("the size of the ambient log was not kept: {error}");
    }
}

/// Counts on, up to a length of the log, as long as whoever hears of each line wants more.
pub(crate) fn count(
    paths: &Paths,
    mut known: Counted,
    upto: u64,
    counter: &dyn CountTokens,
    more: &mut dyn FnMut(Counted) -> bool,
) -> Result<Counted, Error> {
    let path = paths.ambient();
    let Some(mut file) = files::open_existing(&path)? else { return Ok(known) };
    file.seek(SeekFrom::Start(known.bytes)).map_err(Error::read(&path))?;
    let mut rest = BufReader::with_capacity(log::BLOCK, file.take(upto - known.bytes.min(upto)));
    let mut line = Vec::new();
    while rest.read_until(b'\n', &mut line).map_err(Error::read(&path))? > 0 {
        known.bytes += line.len() as u64;
        if let Some(message) = log::parse(line.strip_suffix(b"\n").unwrap_or(&line)).message() {
            known.messages += 1;
            known.tokens += counter.count(&message.shown.unwrap_or(message.content));
        }
        line.clear();
        if !more(known) {
            break;
        }
    }
    Ok(known)
}

/// Sums up the ends of the beginning of the log; `None` if the log is shorter.
fn ends(paths: &Paths, bytes: u64) -> Option<u64> {
    let mut log = files::open(&paths.ambient()).ok()?;
    let is_whole = |log: &File| log.metadata().is_ok_and(|data| data.len() >= bytes);
    is_whole(&log).then_some(())?;
    let mut hasher = DefaultHasher::new();
    for start in [0, bytes.saturating_sub(ENDS)] {
        files::read_range(&mut log, start, ENDS.min(bytes)).ok()?.hash(&mut hasher);
    }
    Some(hasher.finish())
}
