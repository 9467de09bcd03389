//! The log of the index: one record for each passage, only appended to. Everything else follows from it.
//!
//! A record is its length and a sum over its place and its content, four bytes each, and the content. The
//! first record that does not fit ends the log: a torn end is cut off by whoever may write, and what is missing is added again by
//! whoever holds the texts.

use std::borrow::Cow;
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::Problem;
use super::code;

/// The first bytes of a log; the number of the form is the last of them. The log's own number follows.
const MAGIC: &[u8; 8] = b"ebbsaid7";

/// Bytes before the first record.
pub(super) const START: u64 = 16;

/// Bytes before the content of a record.
const FRAME: usize = 8;

/// No record is longer; what says so is broken.
const LONGEST: usize = 1 << 20;

/// Most records are shorter.
const GUESS: usize = 512;

/// Records are read at once that stand within so many bytes for each of them.
const CLOSE: u64 = 1 << 11;

/// A file of which pieces are read.
#[derive(Debug)]
pub(super) struct Pieces(Mutex<File>);

impl Pieces {
    pub(super) fn new(file: File) -> Self {
        Self(Mutex::new(file))
    }

    /// The bytes at a place.
    pub(super) fn read(&self, at: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        read_at(&file, at, &mut bytes)?;
        Ok(bytes)
    }

    fn append(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.write_all(bytes)
    }
}

/// Fills some bytes from a place on.
#[cfg(unix)]
fn read_at(file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, at: u64, bytes: &mut [u8]) -> io::Result<()> {
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(bytes)
}

/// The log: what is in the file, and what waits to be written.
#[derive(Debug)]
pub(super) struct Log {
    file: Option<Pieces>,
    may_write: bool,
    /// Tells this log from others of its name.
    pub(super) id: u64,
    /// Bytes of the file up to the end of its last whole record.
    written: u64,
    /// Bytes that the file had when it was opened or written last: more, if its end was torn.
    opened: u64,
    waiting: Vec<u8>,
}

impl Log {
    /// Opens a log, or begins one. If it cannot be written, it is read, and goes on in this process only.
    pub(super) fn open(path: &Path, id: u64) -> (Self, Option<Problem>) {
        match Self::open_to_write(path, id) {
            Ok(log) => (log, None),
            Err(problem) => (Self::open_to_read(path, id), Some(problem)),
        }
    }

    fn open_to_write(path: &Path, id: u64) -> Result<Self, Problem> {
        let failed = |source| Problem::ReadOnly { path: path.to_owned(), source };
        let mut file = private().open(path).map_err(failed)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Err(Problem::InUse { path: path.to_owned() }),
            // A file system without locks: better an unguarded index than none.
            Err(TryLockError::Error(e)) if e.kind() != ErrorKind::Unsupported => {
                return Err(failed(e));
            }
            _ => {}
        }
        let id = match read_head(&mut file) {
            Some(id) => id,
            None => begin(&mut file, id).map_err(failed)?,
        };
        let length = file.metadata().map_err(failed)?.len();
        Ok(Self { may_write: true, ..Self::of(Pieces::new(file), id, length) })
    }

    /// Opens a log that others write, to read it.
    pub(super) fn open_to_read(path: &Path, id: u64) -> Self {
        let read = File::open(path).ok().and_then(|mut file| {
            let id = read_head(&mut file)?;
            Some((id, file.metadata().ok()?.len(), Pieces::new(file)))
        });
        let Some((id, length, file)) = read else { return Self::in_memory(id) };
        Self::of(file, id, length)
    }

    fn of(file: Pieces, id: u64, length: u64) -> Self {
        let (file, waiting) = (Some(file), Vec::new());
        Self { file, may_write: false, id, written: length, opened: length, waiting }
    }

    /// Goes on in the file from now on, which others were kept from; whether it is still as it was read.
    pub(super) fn take_over(&mut self, path: &Path) -> bool {
        let opened = Self::open_to_write(path, self.id).ok();
        let same = opened.filter(|log| (log.id, log.opened) == (self.id, self.opened));
        let is_same = same.is_some();
        if let Some(log) = same {
            (self.file, self.may_write) = (log.file, true);
            self.cut_torn_end();
        }
        is_same
    }

    /// Leaves the file to others; what is added from now on waits.
    pub(super) fn let_go(&mut self) {
        self.may_write = false;
        if let Some(file) = &self.file {
            // A lock that cannot be released goes with the process.
            let _ = file.0.lock().unwrap_or_else(PoisonError::into_inner).unlock();
        }
    }

    /// A log of this process only.
    pub(super) fn in_memory(id: u64) -> Self {
        let (written, opened) = (START, START);
        Self { file: None, may_write: false, id, written, opened, waiting: Vec::new() }
    }

    /// Where the next record will stand.
    pub(super) fn end(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Whether records can be written to the file.
    pub(super) fn may_write(&self) -> bool {
        self.may_write
    }

    /// Bytes in the file.
    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Adds a record and says where. It waits until [`Log::write`].
    pub(super) fn add(&mut self, content: &[u8]) -> u64 {
        let at = self.end();
        self.waiting.extend_from_slice(&(content.len() as u32).to_le_bytes());
        self.waiting.extend_from_slice(&self.sum(at, content).to_le_bytes());
        self.waiting.extend_from_slice(content);
        at
    }

    /// Writes what waits. Without the right to write it goes on waiting.
    pub(super) fn write(&mut self) -> io::Result<()> {
        let Some(file) = self.file.as_ref().filter(|_| self.may_write) else { return Ok(()) };
        file.append(self.written, &self.waiting)?;
        self.written += self.waiting.len() as u64;
        self.opened = self.written;
        self.waiting.clear();
        Ok(())
    }

    /// The content of the record at a place.
    pub(super) fn content(&self, at: u64) -> Option<Cow<'_, [u8]>> {
        if let Some(waiting) = at.checked_sub(self.written) {
            // No need to look at its sum: nothing happens to what is in memory.
            return content_of(self.waiting.get(waiting as usize..)?).map(Cow::Borrowed);
        }
        let left = usize::try_from(self.written - at).ok()?;
        let file = self.file.as_ref()?;
        let mut bytes = file.read(at, GUESS.min(left)).ok()?;
        let length = length_of(&bytes)?;
        if FRAME + length > bytes.len() && FRAME + length <= left {
            bytes = file.read(at, FRAME + length).ok()?;
        }
        self.checked(at, &bytes)?;
        bytes.truncate(FRAME + length);
        bytes.drain(..FRAME);
        Some(Cow::Owned(bytes))
    }

    /// So many records that begin between two places, the latter included, to be looked at: read at once if they stand
    /// close together.
    pub(super) fn stretch(&self, first: u64, last: u64, records: usize) -> Stretch<'_> {
        let upto = self.written.min(last + GUESS as u64);
        let length = upto.saturating_sub(first);
        let close = records as u64 * CLOSE;
        let file = self.file.as_ref().filter(|_| (1..=close).contains(&length));
        let bytes = file.and_then(|file| file.read(first, length as usize).ok());
        Stretch { log: self, first, bytes: bytes.unwrap_or_default() }
    }

    /// Every record from a place on, in order, until one does not fit; then the rest is cut off, if it may be.
    pub(super) fn replay(&mut self, from: u64, mut each: impl FnMut(u64, &[u8]) -> Option<()>) {
        let mut at = from;
        if let Some(file) = &self.file {
            let mut file = file.0.lock().unwrap_or_else(PoisonError::into_inner);
            let mut reader = BufReader::with_capacity(1 << 16, &mut *file);
            let mut record = Vec::new();
            if reader.seek(SeekFrom::Start(from)).is_ok() {
                while read_record(&mut reader, &mut record).is_some() {
                    let fits = self.checked(at, &record).and_then(|content| each(at, content));
                    if fits.is_none() {
                        break;
                    }
                    at += record.len() as u64;
                }
            }
        }
        self.written = at;
        self.cut_torn_end();
    }

    /// Or it would be found torn each time it is opened.
    fn cut_torn_end(&mut self) {
        let Some(file) = self.file.as_ref().filter(|_| self.may_write) else { return };
        if self.written < self.opened {
            // What stays is written over.
            let _ = file.0.lock().unwrap_or_else(PoisonError::into_inner).set_len(self.written);
            self.opened = self.written;
        }
    }

    fn checked<'a>(&self, at: u64, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let sum = u32::from_le_bytes(bytes.get(4..FRAME)?.try_into().ok()?);
        let content = content_of(bytes)?;
        (sum == self.sum(at, content)).then_some(content)
    }

    fn sum(&self, at: u64, content: &[u8]) -> u32 {
        code::hash(self.id ^ at, content) as u32
    }
}

/// A part of a log.
#[derive(Debug)]
pub(super) struct Stretch<'a> {
    log: &'a Log,
    first: u64,
    bytes: Vec<u8>,
}

impl Stretch<'_> {
    /// The content of the record at a place.
    pub(super) fn content(&self, at: u64) -> Option<Cow<'_, [u8]>> {
        let from = at.checked_sub(self.first).and_then(|from| self.bytes.get(from as usize..));
        let content = from.and_then(|bytes| self.log.checked(at, bytes)).map(Cow::Borrowed);
        content.or_else(|| self.log.content(at))
    }
}

/// Makes a directory that is its owner's alone.
pub(super) fn make_directory(directory: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(directory)
}

/// Opens or makes a file that is its owner's alone.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn read_head(file: &mut File) -> Option<u64> {
    let mut head = [0; START as usize];
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read_exact(&mut head).ok()?;
    let (magic, id) = head.split_at(MAGIC.len());
    (magic == MAGIC).then(|| Some(u64::from_le_bytes(id.try_into().ok()?)))?
}

fn begin(file: &mut File, id: u64) -> io::Result<u64> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&[&MAGIC[..], &id.to_le_bytes()].concat())?;
    Ok(id)
}

fn length_of(bytes: &[u8]) -> Option<usize> {
    let length = u32::from_le_bytes(bytes.get(..4)?.try_into().ok()?) as usize;
    (length <= LONGEST).then_some(length)
}

fn content_of(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(FRAME..FRAME + length_of(bytes)?)
}

fn read_record(reader: &mut impl Read, record: &mut Vec<u8>) -> Option<()> {
    record.resize(FRAME, 0);
    reader.read_exact(record).ok()?;
    let length = length_of(record)?;
    record.resize(FRAME + length, 0);
    reader.read_exact(&mut record[FRAME..]).ok()
}
