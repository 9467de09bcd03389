//! What is said in conversations that are played, in a file without a name: they may be longer than memory is large, and
//! each play reads them again, in order.

use std::io;
use std::sync::Mutex;

use crate::lock;
use crate::lock::locked;
use crate::store::Spool;

/// A file of texts, each known by its place and its length in bytes. It is its owner's alone and gone with the process.
#[derive(Debug)]
pub struct Texts {
    spool: Mutex<Spool>,
    /// Why not all was written.
    failed: Option<io::Error>,
}

impl Texts {
    /// Begins without any.
    ///
    /// # Errors
    /// No file can be made where temporary files go.
    pub fn new() -> io::Result<Self> {
        let spool = Spool::new("texts").map_err(|reason| told(&reason))?;
        Ok(Self { spool: Mutex::new(spool), failed: None })
    }

    /// Where the next text will stand.
    pub(super) fn end(&mut self) -> u64 {
        self.all().end()
    }

    fn all(&mut self) -> &mut Spool {
        lock::own(&mut self.spool)
    }

    /// Adds to what is there. What cannot be written is told by [`Texts::settle`].
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if self.failed.is_none() {
            self.failed = self.all().add(bytes).err();
        }
    }

    /// Writes what waits; from now on it is only read.
    ///
    /// # Errors
    /// Not everything could be written.
    pub(super) fn settle(mut self) -> io::Result<Self> {
        let failed = self.failed.take().or_else(|| self.all().write().err());
        failed.map_or(Ok(self), |reason| Err(told(&reason)))
    }

    /// The bytes at a place.
    ///
    /// # Errors
    /// They are not there, or cannot be read.
    pub(super) fn read(&self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut spool = locked(&self.spool);
        spool.read(place, length).map_err(|reason| told(&reason))
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
        let full = std::fs::File::options().read(true).write(true).open("/dev/full").unwrap();
        texts.spool = Mutex::new(Spool::of(full));
        texts.add("x".repeat(1 << 20).as_bytes());
        texts.add(b"more");
        let error = texts.settle().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(error.to_string().contains("No space left"), "{error}");
    }
}
