//! Reading items: by chunk, by sample, by search; never more of a file than is needed.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::sought::{Sought, score, snippet};
use super::{CHUNK_BYTES, PadError, Scratchpad};
use crate::chunk;
use crate::escapes;
use crate::memory::{ScratchItem, sought_words};
use crate::store::StopFlag;
use crate::store::disk::files;

/// Bytes of each part of a sample.
const SAMPLE_BYTES: u64 = 16 * 1024;

/// Bytes that a search reads at most, over all items, the latest first.
const SEARCHED_BYTES: u64 = 256 * 1024 * 1024;

/// One chunk of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Its number, from 1.
    pub number: u64,
    /// How many there are.
    pub of: u64,
    /// Its text.
    pub text: String,
}

/// A chunk that matches a query.
#[derive(Debug, Clone, PartialEq)]
pub struct PadHit {
    /// The item.
    pub key: String,
    /// The chunk's number, from 1.
    pub chunk: u64,
    /// Query words in it, rarer ones counting more.
    pub score: f64,
    /// The lines around the first match.
    pub snippet: String,
}

/// What a preview is made from: the whole text if it is small, else its head, middle and tail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The parts, in order, with what stands between them left out.
    pub text: String,
    /// Whether that is all.
    pub whole: bool,
}

impl Scratchpad {
    /// A chunk by its number, from 1.
    ///
    /// # Errors
    /// An unknown key, a number out of range (the text names the range), or a file that cannot be read.
    pub fn chunk(&self, key: &str, number: u64) -> Result<Chunk, PadError> {
        let item = self.item(key)?;
        let of = item.chunks;
        if number == 0 || number > of {
            return Err(PadError::NoChunk { key: item.key.to_string(), asked: number, most: of });
        }
        let start = self.border(item, number - 1)?;
        let end = self.border(item, number)?;
        Ok(Chunk { number, of, text: self.text(item, start, end - start)? })
    }

    /// The text of an item, at most so many bytes of it.
    ///
    /// # Errors
    /// An unknown key or a file that cannot be read.
    pub fn whole(&self, key: &str, most: u64) -> Result<String, PadError> {
        let item = self.item(key)?;
        self.text(item, 0, item.bytes.min(most))
    }

    /// What a preview of an item is made from.
    ///
    /// # Errors
    /// An unknown key or a file that cannot be read.
    pub fn sample(&self, key: &str) -> Result<Sample, PadError> {
        let item = self.item(key)?;
        if item.bytes <= 4 * SAMPLE_BYTES {
            return Ok(Sample { text: self.text(item, 0, item.bytes)?, whole: true });
        }
        let middle = item.bytes / 2 - SAMPLE_BYTES / 2;
        let places = [0, middle, item.bytes - SAMPLE_BYTES];
        let parts = places.map(|from| self.text(item, from, SAMPLE_BYTES));
        let text = parts.into_iter().collect::<Result<Vec<String>, _>>()?.join("\n");
        Ok(Sample { text, whole: false })
    }

    /// Chunks that hold words of a query, best first; in the item of a key, or in all of them.
    ///
    /// # Errors
    /// An unknown key, a file that cannot be read, or somebody asked for the end.
    pub fn search(
        &self,
        query: &str,
        key: Option<&str>,
        most: usize,
        stop: &StopFlag,
    ) -> Result<Vec<PadHit>, PadError> {
        let words: Vec<Sought> = sought_words(query).iter().map(|word| Sought::new(word)).collect();
        let mut left = SEARCHED_BYTES;
        let mut hits = Vec::new();
        let chosen = match key {
            Some(key) => vec![self.item(key)?],
            None => self.items.iter().rev().collect(),
        };
        for item in chosen {
            if left == 0 || words.is_empty() {
                break;
            }
            left = left.saturating_sub(item.bytes);
            self.search_item(item, &words, &mut hits, stop)?;
        }
        hits.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.chunk.cmp(&b.chunk)));
        hits.truncate(most);
        Ok(hits)
    }

    /// Reads the file once, chunk by chunk.
    fn search_item(
        &self,
        item: &ScratchItem,
        words: &[Sought],
        hits: &mut Vec<PadHit>,
        stop: &StopFlag,
    ) -> Result<(), PadError> {
        let path = self.path(&item.key);
        let read_error = |source| PadError::Read { path: path.clone(), source };
        let mut file = BufReader::with_capacity(1 << 18, files::open(&path).map_err(read_error)?);
        let (mut buffer, mut start) = (Vec::new(), 0);
        for number in 1..=item.chunks {
            if stop.is_stopped() {
                return Err(PadError::SearchStopped);
            }
            let even = number * CHUNK_BYTES;
            let upto = even.saturating_add(chunk::LOOK_AHEAD).min(item.bytes);
            let missing = upto.saturating_sub(start + buffer.len() as u64);
            (&mut file).take(missing).read_to_end(&mut buffer).map_err(read_error)?;
            if buffer.is_empty() {
                // The file was cut short behind our back: what is left of it has been searched.
                break;
            }
            let end = end_in(&buffer, start, number, item.bytes);
            let chunk = String::from_utf8_lossy(&buffer[..end]);
            let text = escapes::without(&chunk);
            let score = score(&text, words);
            if score > 0.0 {
                let snippet = snippet(&text, words);
                let key = item.key.to_string();
                hits.push(PadHit { key, chunk: number, score, snippet });
            }
            buffer.drain(..end);
            start += end as u64;
        }
        Ok(())
    }

    /// Where a chunk begins, in bytes.
    fn border(&self, item: &ScratchItem, nth: u64) -> Result<u64, PadError> {
        let even = nth * CHUNK_BYTES;
        if nth == 0 || even >= item.bytes {
            return Ok(even.min(item.bytes));
        }
        let (from, upto) = chunk::around(even, CHUNK_BYTES, item.bytes);
        let bytes = self.bytes(item, from, upto - from)?;
        Ok(from + chunk::cut(&bytes, (even - from) as usize) as u64)
    }

    /// A part of an item's text, without the pieces of characters at its ends.
    pub(super) fn text(
        &self,
        item: &ScratchItem,
        from: u64,
        most: u64,
    ) -> Result<String, PadError> {
        let bytes = self.bytes(item, from, most)?;
        let inside = |byte: &u8| byte & 0xC0 == 0x80;
        let start = bytes.iter().take(3).take_while(|byte| inside(byte)).count();
        let end = match std::str::from_utf8(&bytes[start..]) {
            Ok(_) => bytes.len(),
            Err(error) => start + error.valid_up_to(),
        };
        Ok(String::from_utf8_lossy(&bytes[start..end]).into_owned())
    }

    fn bytes(&self, item: &ScratchItem, from: u64, most: u64) -> Result<Vec<u8>, PadError> {
        let path = self.path(&item.key);
        let read = || {
            #[cfg(test)]
            crate::store::refused::check(&path, crate::store::refused::Deed::Read)?;
            let mut file = files::open(&path)?;
            file.seek(SeekFrom::Start(from))?;
            let mut bytes = Vec::new();
            file.take(most).read_to_end(&mut bytes)?;
            Ok(bytes)
        };
        read().map_err(|source| PadError::Read { path: path.clone(), source })
    }
}

/// Where the chunk that begins a buffer ends.
fn end_in(buffer: &[u8], start: u64, number: u64, length: u64) -> usize {
    let even = number * CHUNK_BYTES;
    if even >= length {
        return buffer.len();
    }
    let (from, upto) = chunk::around(even, CHUNK_BYTES, length);
    let high = (upto.saturating_sub(start) as usize).min(buffer.len());
    let low = (from.saturating_sub(start) as usize).min(high);
    low + chunk::cut(&buffer[low..high], (even - from) as usize)
}
