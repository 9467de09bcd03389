//! A file with a sum over its bytes, written and checked piece by piece: it may be longer than memory is large.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

use super::code;
use crate::varint;

/// Bytes that are summed up, and written or read, at once.
pub(super) const PIECE: usize = 1 << 16;

/// A file that is written from its beginning.
#[derive(Debug)]
pub(super) struct Summed {
    file: File,
    waiting: Vec<u8>,
    written: u64,
    sum: u64,
}

impl Summed {
    /// Goes on behind what is written already, `length` bytes that do not count for the sum, which goes on from `sum`.
    pub(super) fn behind(file: File, length: u64, sum: u64) -> Self {
        Self { file, waiting: Vec::new(), written: length, sum }
    }

    /// Where the next byte will stand.
    pub(super) fn length(&self) -> u64 {
        self.written + self.waiting.len() as u64
    }

    /// Appends bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.waiting.extend_from_slice(bytes);
        let whole = self.waiting.len() / PIECE * PIECE;
        self.write(whole)
    }

    /// Appends a text with its length in front.
    pub(super) fn add_text(&mut self, text: &str) -> io::Result<()> {
        code::put_text(&mut self.waiting, text);
        self.add(&[])
    }

    /// Appends a number.
    pub(super) fn add_number(&mut self, number: u64) -> io::Result<()> {
        varint::put(&mut self.waiting, number);
        if self.waiting.len() < PIECE { Ok(()) } else { self.add(&[]) }
    }

    fn write(&mut self, count: usize) -> io::Result<()> {
        for piece in self.waiting[..count].chunks(PIECE) {
            self.sum = code::hash(self.sum, piece);
            self.file.write_all(piece)?;
        }
        self.written += count as u64;
        self.waiting.drain(..count);
        Ok(())
    }

    /// Writes what waits, and returns the file and the sum.
    pub(super) fn end(mut self) -> io::Result<(File, u64)> {
        self.write(self.waiting.len())?;
        Ok((self.file, self.sum))
    }
}

/// The sum over a file from a place on, as [`Summed`] comes to it, from `sum` on.
pub(super) fn sum_of(file: &mut File, from: u64, mut sum: u64) -> io::Result<u64> {
    file.seek(SeekFrom::Start(from))?;
    let mut piece = Vec::with_capacity(PIECE);
    loop {
        piece.clear();
        file.take(PIECE as u64).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Ok(sum);
        }
        sum = code::hash(sum, &piece);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn however_it_is_cut_the_sum_is_that_of_what_stands_in_the_file() {
        let bytes: Vec<u8> =
            (0..3 * PIECE as u32 + 5).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
        for cut in [1_000, PIECE, PIECE + 1, bytes.len()] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(b"head").unwrap();
            let mut summed = Summed::behind(file, 4, 7);
            bytes.chunks(cut).for_each(|part| summed.add(part).unwrap());
            assert_eq!(summed.length(), 4 + bytes.len() as u64);
            let (mut file, sum) = summed.end().unwrap();
            assert_eq!(sum_of(&mut file, 4, 7).unwrap(), sum);
            assert_ne!(sum_of(&mut file, 5, 7).unwrap(), sum);
        }
    }
}
