//! `journal.jsonl`: everything that memory did and every turn that counted, one line each.
//!
//! It is the write-ahead truth: `manifest.yaml` may be behind it, the transcript is read along it.

pub(super) mod undo;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::memory::Turn;
use crate::store::disk::appender::Appender;
use crate::store::disk::files;
use crate::store::disk::paths::Paths;
use crate::store::record::{Line, Record, Told};
use crate::store::{Error, Problem};

/// The journal, open for appending.
#[derive(Debug)]
pub(super) struct Journal {
    file: Appender,
    next_seq: u64,
}

/// Lines that will be appended in one write.
#[derive(Debug, Default)]
pub(super) struct Batch {
    lines: Vec<u8>,
    count: u64,
}

impl Journal {
    /// Opens the journal; its last line tells where the numbers go on.
    pub(super) fn open(paths: &Paths, problems: &mut Vec<Problem>) -> Result<Self, Error> {
        let path = paths.journal();
        let file = Appender::open(&path, &paths.disk, problems)?;
        let last = find_last(&path, |record| Some(record.seq))?;
        Ok(Self { file, next_seq: last.map_or(1, |seq| seq + 1) })
    }

    /// Bytes so far.
    pub(super) fn len(&self) -> Result<u64, Error> {
        self.file.len()
    }

    /// The number of the first line of a batch that is appended next.
    pub(super) fn next_seq(&self) -> u64 {
        self.next_seq
    }

    /// Another handle of the file, for syncing.
    pub(super) fn handle(&self) -> Option<(std::fs::File, PathBuf)> {
        self.file.try_clone().ok()
    }

    /// Whether its file has no name any more.
    pub(super) fn is_deleted(&self) -> bool {
        self.file.is_deleted()
    }

    /// Writes its file again, if that has no name any more.
    pub(super) fn write_again(&mut self) -> Result<(), Error> {
        self.file.write_again().map(drop)
    }

    /// Asks the disk itself for what was appended.
    #[cfg_attr(test, track_caller)]
    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync()
    }

    /// Adds a line to a batch.
    pub(super) fn add(
        &self,
        batch: &mut Batch,
        turn: Turn,
        now: &str,
        line: Line,
    ) -> Result<(), Error> {
        let seq = self.next_seq + batch.count;
        let record = Record { seq, turn, at: now.to_owned(), entered: None, line };
        record.write(&mut batch.lines).map_err(|e| Error::write(self.file.path())(e.into()))?;
        batch.count += 1;
        Ok(())
    }

    /// Appends a batch in one write.
    pub(super) fn append(&mut self, batch: &Batch) -> Result<(), Error> {
        if !batch.lines.is_empty() {
            self.file.append(&batch.lines)?;
            self.next_seq += batch.count;
        }
        Ok(())
    }

    /// Appends a single line.
    pub(super) fn push(&mut self, turn: Turn, now: &str, line: Line) -> Result<(), Error> {
        let mut batch = Batch::default();
        self.add(&mut batch, turn, now, line)?;
        self.append(&batch)
    }
}

/// How many lines back the numbers of what was entered are looked for. What has begun leaves the drafts within
/// a moment, in which far fewer are written.
const RECENT: usize = 500;

/// The numbers of what was entered and has begun lately.
pub(super) fn entered(path: &Path) -> Result<BTreeSet<u64>, Error> {
    let recent = backwards(path)?.take(RECENT);
    recent.filter_map(|record| record.map(|(_, record)| record.entered).transpose()).collect()
}

/// How far a part of the journal was read.
#[derive(Debug)]
pub(super) struct Read {
    /// Lines that could not be read.
    pub(super) invalid: usize,
    /// The position behind the last whole line.
    pub(super) end: u64,
}

/// Hands over the records from a position on, oldest first, each with where its line begins and ends, until
/// the taker has enough. Reads as it goes, so that a taker that stops early costs little.
pub(super) fn lines(
    path: &Path,
    from: u64,
    mut take: impl FnMut((u64, u64), Record) -> ControlFlow<()>,
) -> Result<(), Error> {
    let Some(mut file) = files::open_existing(path)? else { return Ok(()) };
    file.seek(SeekFrom::Start(from)).map_err(Error::read(path))?;
    let mut reader = BufReader::with_capacity(128 * 1024, file);
    let (mut start, mut line) = (from, Vec::new());
    loop {
        line.clear();
        let read = reader.read_until(b'\n', &mut line).map_err(Error::read(path))?;
        let end = start + read as u64;
        if !line.ends_with(b"\n") {
            return Ok(());
        }
        if let Some(record) = Record::parse(&line)
            && take((start, end), record).is_break()
        {
            return Ok(());
        }
        start = end;
    }
}

/// Hands over what the lines from one position up to another tell the manifest and the notes, oldest first.
pub(super) fn told(
    path: &Path,
    from: u64,
    upto: Option<u64>,
    mut take: impl FnMut(Told),
) -> Result<Read, Error> {
    let mut read = Read { invalid: 0, end: from };
    let Some(mut file) = files::open_existing(path)? else { return Ok(read) };
    let most = upto.map_or(u64::MAX, |upto| upto.saturating_sub(from));
    let bytes = files::read_range(&mut file, from, most).map_err(Error::read(path))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    read.end = from + whole as u64;
    for line in bytes[..whole].split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
        match Told::parse(line) {
            Some(told) => take(told),
            None => read.invalid += 1,
        }
    }
    Ok(read)
}

/// The records from the end backwards, each with where its line begins. Reads only as far as the caller iterates.
pub(super) fn backwards(
    path: &Path,
) -> Result<impl Iterator<Item = Result<(u64, Record), Error>>, Error> {
    backwards_from(path, None)
}

/// The same from a position behind a line on.
pub(super) fn backwards_from(
    path: &Path,
    upto: Option<u64>,
) -> Result<impl Iterator<Item = Result<(u64, Record), Error>>, Error> {
    let lines = files::LinesBackwards::open(path, upto)?;
    Ok(lines.filter_map(|line| match line {
        Ok((start, line)) => Some(Ok((start, Record::parse(&line)?))),
        Err(error) => Some(Err(error)),
    }))
}

/// What is asked for of the last record that has it. Reads backwards, only as far as needed.
pub(super) fn find_last<T>(
    path: &Path,
    asked: impl Fn(Record) -> Option<T>,
) -> Result<Option<T>, Error> {
    for record in backwards(path)? {
        if let Some(found) = asked(record?.1) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}
