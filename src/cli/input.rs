//! What commands read: plain files, and what comes through the standard input.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, IsTerminal as _, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::{Error, Streams};
use crate::counted::counted;
use crate::read::{Bytes, Seekable};
use crate::store::{Archive, unnamed_file};
use crate::text::clean;

/// Bytes that are read at once.
const ROOM: usize = 1 << 18;

/// How the standard input is called on the command line.
const STANDARD_INPUT: &str = "-";

/// Whether a path means the standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// A path on one line, as errors, remarks and lists name it: a name may hold what a terminal would obey.
pub(super) fn named(path: &Path) -> String {
    if is_standard_input(path) {
        "the standard input".to_owned()
    } else {
        clean(&path.display().to_string()).replace('\n', " ")
    }
}

/// A plain file. What else bears a name could be waited for without end, and be read once alone.
fn plain(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        let text = "it is no plain file; write what it gives to a file, and name that one";
        return Err(io::Error::other(text));
    }
    File::open(path)
}

/// A file that is read from its beginning.
pub(super) struct OnDisk<'a>(pub(super) &'a Path);

impl Bytes for OnDisk<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(BufReader::with_capacity(ROOM, plain(self.0)?)))
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(plain(self.0)?))
    }
}

/// A session of Ebbtide's, as an export tells of it.
///
/// # Errors
/// It cannot be read.
pub(super) fn session(folder: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Archive::said(folder).map_err(io::Error::other)?.write_json(&mut text)?;
    Ok(text)
}

/// What came through the standard input, in a file without a name: it is read as often as others are, takes no memory,
/// and is gone with the process.
pub(super) struct Spooled {
    file: RefCell<File>,
    length: u64,
}

impl Spooled {
    /// Takes the standard input in, to its end.
    ///
    /// # Errors
    /// It cannot be read, or not be kept where temporary files go.
    pub(super) fn standard_input(streams: &mut Streams<'_>) -> Result<Self, Error> {
        let mut input = io::stdin().lock();
        if input.is_terminal() {
            streams.tell("reading what you paste or type here; ctrl+d in a new line ends it");
        }
        let spooled = unnamed_file("input").and_then(|mut file| {
            let length = io::copy(&mut input, &mut file)?;
            Ok(Self { file: RefCell::new(file), length })
        });
        spooled.map_err(|reason| {
            let place = std::env::temp_dir();
            Error::Failed(format!(
                "the standard input cannot be read or kept in {} meanwhile: {reason}; write it to a file, and name \
                 that one",
                place.display()
            ))
        })
    }

    /// Its bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

/// How long nothing may come before it is said that the program waits.
const PATIENCE: Duration = Duration::from_secs(1);

const WAITS: &str = "waiting for the end of the standard input, which goes into the message; where none is meant, put \
                     </dev/null behind the command";

/// A message, and what is piped in behind it.
///
/// # Errors
/// The standard input cannot be read.
pub(super) fn with_piped(text: &str, streams: &mut Streams<'_>) -> Result<String, Error> {
    let input = if io::stdin().is_terminal() { String::new() } else { piped(streams)? };
    let text = if text.trim() == STANDARD_INPUT { "" } else { text.trim() };
    let parts = [text, input.trim()];
    Ok(parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// The standard input to its end. Whoever waits without knowing for what hears of it.
fn piped(streams: &mut Streams<'_>) -> Result<String, Error> {
    let (pieces, arrived) = mpsc::channel();
    thread::spawn(move || {
        let (mut input, mut room) = (io::stdin().lock(), vec![0; ROOM]);
        loop {
            let piece = match input.read(&mut room) {
                Err(reason) if reason.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map(|count| room[..count].to_vec()),
            };
            let is_last = piece.as_ref().map_or(true, Vec::is_empty);
            if pieces.send(piece).is_err() || is_last {
                return;
            }
        }
    });
    let (mut bytes, mut is_told) = (Vec::new(), false);
    loop {
        match arrived.recv_timeout(PATIENCE) {
            Ok(Ok(piece)) => bytes.extend(piece),
            Ok(Err(reason)) => {
                return Err(Error::Failed(format!("the standard input cannot be read: {reason}")));
            }
            Err(RecvTimeoutError::Timeout) if is_told => {}
            Err(RecvTimeoutError::Timeout) => {
                is_told = true;
                streams.tell(WAITS);
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Ok(as_text(bytes, streams));
            }
        }
    }
}

/// What is piped in is a message, so it is text. What is none is replaced, and that is said.
fn as_text(bytes: Vec<u8>, streams: &mut Streams<'_>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let bytes = error.into_bytes();
        let replaced = bytes.utf8_chunks().filter(|chunk| !chunk.invalid().is_empty()).count();
        streams.tell(format_args!(
            "what was piped in is no UTF-8 text in {}: \u{fffd} stands there instead; convert it first (iconv -t utf-8) to \
             keep it",
            counted(replaced as u64, "place")
        ));
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Something in it that is read from a place on.
struct At<'a> {
    spooled: &'a Spooled,
    place: u64,
}

impl Read for At<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let mut file = self.spooled.file.borrow_mut();
        file.seek(SeekFrom::Start(self.place))?;
        let count = file.read(room)?;
        self.place += count as u64;
        Ok(count)
    }
}

impl Seek for At<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.spooled.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}

/// What is read, where somebody hears how many bytes that are.
pub(super) struct Watched<'a> {
    /// A file, where nothing came through the standard input.
    pub(super) path: &'a Path,
    /// What came through the standard input, if that is meant.
    pub(super) spooled: Option<&'a Spooled>,
    pub(super) seen: &'a dyn Fn(u64),
}

impl Bytes for Watched<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        let seen = Seen { inner: self.seekable()?, seen: self.seen };
        Ok(Box::new(BufReader::with_capacity(ROOM, seen)))
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(match self.spooled {
            Some(spooled) => Box::new(At { spooled, place: 0 }),
            None => Box::new(plain(self.path)?),
        })
    }
}

struct Seen<'a> {
    inner: Box<dyn Seekable + 'a>,
    seen: &'a dyn Fn(u64),
}

impl Read for Seen<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(room)?;
        (self.seen)(count as u64);
        Ok(count)
    }
}
