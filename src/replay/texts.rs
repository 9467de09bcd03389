//! What is said in conversations that are played, in a file without a name: they may be longer than memory is large, and
//! each play reads them again, in order.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::sync::{Mutex, PoisonError};

use crate::store;

/// Bytes that wait in memory to be written together.
const WAITING: usize = 1 << 16;

/// A file of texts, each known by its place and its length in bytes. It is its owner's alone and gone with the process.
#[derive(Debug)]
pub struct Texts {
    file: Mutex<File>,
    written: u64,
    waiting: Vec<u8>,
    /// Why not all was written.
    failed: Option<io::Error>,
}

impl Texts {
    /// Begins without any.
    ///
    /// # Errors
    /// No file can be made where temporary files go.
    pub fn new() -> io::Result<Self> {
        let file = store::unnamed_file("texts").map_err(|reason| told(&reason))?;
        Ok(Self { file: Mutex::new(file), written: 0, waiting: Vec::new(), failed: None })
    }

    /// Where the next text will stand.
    pub(super) fn end(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Adds to what is there. What cannot be written is told by [`Texts::settle`].
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= WAITING {
            self.write();
        }
    }

    fn write(&mut self) {
        let file = self.file.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.failed.is_none() {
            self.failed = file.write_all(&self.waiting).err();
        }
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        // A text of many megabytes leaves no room behind.
        self.waiting.shrink_to(2 * WAITING);
    }

    /// Writes what waits; from now on it is only read.
    ///
    /// # Errors
    /// Not everything could be written.
    pub(super) fn settle(mut self) -> io::Result<Self> {
        self.write();
        self.failed.take().map_or(Ok(self), |reason| Err(told(&reason)))
    }

    /// The bytes at a place.
    ///
    /// # Errors
    /// They are not there, or cannot be read.
    pub(super) fn read(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(&mut bytes));
        read.map(|()| bytes).map_err(|reason| told(&reason))
    }

    /// The text at a place.
    ///
    /// # Errors
    /// As [`Texts::read`].
    pub(super) fn text(&self, place: u64, length: usize) -> io::Result<String> {
        let text = String::from_utf8(self.read(place, length)?);
        text.map_err(|reason| told(&io::Error::new(io::ErrorKind::InvalidData, reason)))
    }
}

/// The reason as a sentence that says where the file is and what helps.
fn told(reason: &io::Error) -> io::Error {
    let place = std::env::temp_dir();
    let text = format!(
        "what is said is kept in a temporary file in {} while it is replayed, and that failed: {reason}; TMPDIR=DIR in front \
         of the command names another place",
        place.display()
    );
    io::Error::new(reason.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_from_their_places_in_any_order() {
        let mut texts = Texts::new().unwrap();
        let said: Vec<String> = (0..300).map(|nth| format!("{nth} über ").repeat(nth)).collect();
        let places: Vec<u64> = said
            .iter()
            .map(|text| {
                let place = texts.end();
                texts.add(text.as_bytes());
                place
            })
            .collect();
        let texts = texts.settle().unwrap();
        for (text, place) in said.iter().zip(&places).rev() {
            assert_eq!(texts.text(*place, text.len()).unwrap(), *text);
        }
        let error = texts.read(places[299], 1 << 20).unwrap_err().to_string();
        assert!(error.contains("TMPDIR") && error.contains("temporary file in"), "{error}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_told_once_all_is_said() {
        let mut texts = Texts::new().unwrap();
        let full = File::options().read(true).write(true).open("/dev/full").unwrap();
        texts.file = Mutex::new(full);
        texts.add("x".repeat(WAITING + 1).as_bytes());
        texts.add(b"more");
        let error = texts.settle().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}
