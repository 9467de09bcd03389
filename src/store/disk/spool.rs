//! A file without a name, for what lasts as long as the process and may be longer than memory is large: it is added to
//! at its end and read at any place.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem;

use super::temporary::unnamed_file;

/// Bytes that wait in memory to be written together.
const WAITING: usize = 1 << 16;

/// Bytes of a page. It is read as a whole: what is read next mostly stands near.
const PAGE: usize = 1 << 14;

/// Pages that are kept in memory, a power of two: what was read is often read again.
const PAGES: usize = 1 << 6;

/// Such a file. It is its owner's alone and gone with the process.
#[derive(Debug)]
pub struct Spool {
    file: File,
    written: u64,
    waiting: Vec<u8>,
    /// What was read lately, a place for each of [`PAGES`] that follow each other.
    pages: Vec<Page>,
}

/// A part of the file, or the beginning of one that was not written further when it was read.
#[derive(Debug, Clone, Default)]
struct Page {
    number: u64,
    bytes: Vec<u8>,
}

impl Spool {
    /// Begins empty; its name, as long as it has one, tells what for.
    ///
    /// # Errors
    /// No file can be made where temporary files go.
    pub fn new(what_for: &str) -> io::Result<Self> {
        unnamed_file(what_for).map(Self::of)
    }

    pub(crate) fn of(file: File) -> Self {
        Self { file, written: 0, waiting: Vec::new(), pages: vec![Page::default(); PAGES] }
    }

    /// Where what is added next will stand.
    pub fn end(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Adds to what is there.
    ///
    /// # Errors
    /// What waits cannot be written; it waits on.
    pub fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() < WAITING { Ok(()) } else { self.write() }
    }

    /// Writes what waits.
    ///
    /// # Errors
    /// As [`Spool::add`].
    pub fn write(&mut self) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.written))?;
        self.file.write_all(&self.waiting)?;
        self.written += self.waiting.len() as u64;
        self.waiting.clear();
        // A text of many megabytes leaves no room behind.
        self.waiting.shrink_to(2 * WAITING);
        Ok(())
    }

    /// The bytes at a place.
    ///
    /// # Errors
    /// They are not there, or cannot be read.
    pub fn read(&mut self, place: u64, length: usize) -> io::Result<Vec<u8>> {
        if let Some(from) = place.checked_sub(self.written) {
            let waiting = self.waiting.get(from as usize..).and_then(|rest| rest.get(..length));
            return waiting.map(<[u8]>::to_vec).ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        if place + length as u64 > self.written {
            self.write()?;
        }
        if length >= PAGE {
            let mut bytes = vec![0; length];
            self.fill(place, &mut bytes)?;
            return Ok(bytes);
        }
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = place + bytes.len() as u64;
            let behind = self.page(at / PAGE as u64)?.get((at % PAGE as u64) as usize..);
            let behind = behind.filter(|behind| !behind.is_empty());
            let behind = behind.ok_or(io::ErrorKind::UnexpectedEof)?;
            bytes.extend_from_slice(&behind[..behind.len().min(length - bytes.len())]);
        }
        Ok(bytes)
    }

    /// What is written of a page.
    fn page(&mut self, number: u64) -> io::Result<&[u8]> {
        let (place, at) = (number * PAGE as u64, (number % PAGES as u64) as usize);
        let length = self.written.saturating_sub(place).min(PAGE as u64) as usize;
        let mut page = mem::take(&mut self.pages[at]);
        if (page.number, page.bytes.len()) != (number, length) {
            page.bytes.resize(length, 0);
            self.fill(place, &mut page.bytes)?;
            page.number = number;
        }
        self.pages[at] = page;
        Ok(&self.pages[at].bytes)
    }

    fn fill(&mut self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place))?;
        self.file.read_exact(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_read_lately_is_not_read_again() {
        let mut spool = Spool::new("test").unwrap();
        let text = |nth: usize| format!("text {nth:>11}");
        let pages = PAGES + 2;
        let all: String = (0..pages * PAGE / text(0).len()).map(text).collect();
        spool.add(all.as_bytes()).unwrap();
        let mut read = |place: usize| spool.read(place as u64, 40).map(|_| ());
        for page in [0, 1, PAGES - 1, 1 + PAGES] {
            read(page * PAGE + 7).unwrap();
        }
        spool.file.set_len(0).unwrap();
        let mut read = |place: usize| spool.read(place as u64, 40).is_ok();
        assert!(read(9) && read(PAGES * PAGE - 50) && read((1 + PAGES) * PAGE));
        assert!(!read(PAGE + 9), "another one took its place");
        assert!(!read(PAGES * PAGE - 20), "it goes on in one that was not read");
    }

    #[test]
    fn what_was_added_is_read_at_its_place_whether_it_waits_or_not() {
        let mut spool = Spool::new("test").unwrap();
        let texts: Vec<Vec<u8>> = (0..900_usize).map(|nth| vec![nth as u8; nth]).collect();
        let mut places = Vec::new();
        for text in &texts {
            places.push(spool.end());
            spool.add(text).unwrap();
            let nth = (places.len() - 1) / 2;
            assert_eq!(spool.read(places[nth], texts[nth].len()).unwrap(), texts[nth]);
        }
        assert!(spool.written > 0 && !spool.waiting.is_empty());
        for (place, text) in places.iter().zip(&texts).rev() {
            assert_eq!(spool.read(*place, text.len()).unwrap(), *text);
        }
        let all = spool.end() as usize;
        assert_eq!(spool.read(0, all).unwrap(), texts.concat());
        for (place, length) in [(0, all + 1), (all as u64, 1), (all as u64 + 9, 0)] {
            let reason = spool.read(place, length).unwrap_err();
            assert_eq!(reason.kind(), io::ErrorKind::UnexpectedEof, "{place}, {length}");
        }
    }
}
