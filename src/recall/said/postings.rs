//! For each term, the passages that hold it: blocks of bytes, in one file up to the last tidying and in
//! memory since.
//!
//! A block is a list of distances to the passage before, twice each; with one added if the term stands there
//! more than once, and then how often follows.

use std::io;

use super::code::{self, Reader};
use super::log::Pieces;

/// One term.
#[derive(Debug, Clone, Copy, Default)]
struct List {
    /// Where its block begins in the file.
    at: u64,
    length: u32,
    /// Passages, in the file and since.
    count: u32,
    /// The last of them.
    last: u32,
    /// Where among those since the block goes on, from 1; 0 if nothing came since.
    since: u32,
}

/// What is left of a block to be read, behind a passage.
struct Block<'a> {
    left: &'a [u8],
    passage: u32,
}

impl Block<'_> {
    #[cold]
    fn next_of_any_length(&mut self) -> Option<(u32, u32)> {
        let mut reader = Reader(self.left);
        let step = reader.number()?;
        let often = if step & 1 == 1 { reader.small().unwrap_or(1) } else { 1 };
        (self.left, self.passage) = (reader.0, self.passage.wrapping_add((step >> 1) as u32));
        Some((self.passage, often))
    }
}

impl Iterator for Block<'_> {
    type Item = (u32, u32);

    #[inline]
    fn next(&mut self) -> Option<(u32, u32)> {
        // Most numbers take one byte; then nothing hangs on whether there is a second one.
        match *self.left {
            [step, second, ..] if step | second < 0x80 => {
                let is_several = step & 1 == 1;
                self.left = &self.left[1 + usize::from(is_several)..];
                self.passage = self.passage.wrapping_add(u32::from(step >> 1));
                Some((self.passage, if is_several { second.into() } else { 1 }))
            }
            _ => self.next_of_any_length(),
        }
    }
}

/// Bytes that a block in memory takes beside its own.
const OVERHEAD: u64 = 48;

/// Bytes of blocks that are read at once.
const READ: usize = 1 << 16;

/// All terms, by number.
#[derive(Debug, Default)]
pub(super) struct Postings {
    lists: Vec<List>,
    /// What came since the file was made, for the terms that did.
    since: Vec<Vec<u8>>,
    file: Option<Pieces>,
    /// Where the blocks begin in the file.
    start: u64,
    in_file: u64,
    in_memory: u64,
}

impl Postings {
    /// Adds a passage, later than all so far, to the terms that it holds.
    pub(super) fn add(&mut self, passage: u32, terms: &[u32]) {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a == b) {
            let at = same[0] as usize;
            if at >= self.lists.len() {
                self.lists.resize_with(at + 1, List::default);
            }
            let list = &mut self.lists[at];
            if list.since == 0 {
                self.since.push(Vec::new());
                list.since = self.since.len() as u32;
            }
            let since = &mut self.since[list.since as usize - 1];
            let before = since.len();
            let several = same.len() > 1;
            code::put(since, u64::from(passage - list.last) << 1 | u64::from(several));
            if several {
                code::put(since, same.len() as u64);
            }
            list.last = passage;
            list.count += 1;
            self.in_memory += (since.len() - before) as u64;
        }
    }

    /// In how many passages a term stands, at most.
    pub(super) fn count(&self, term: u32) -> u32 {
        self.lists.get(term as usize).map_or(0, |list| list.count)
    }

    /// Puts the passages that hold a term, in order, each with how often, in place of what stands in `found`.
    pub(super) fn read_into(&self, term: u32, found: &mut Vec<(u32, u32)>) {
        found.clear();
        let Some(list) = self.lists.get(term as usize) else { return };
        found.reserve(list.count as usize);
        let in_file = self.block(list).unwrap_or_default();
        found.extend(Block { left: &in_file, passage: 0 });
        let passage = found.last().map_or(0, |(passage, _)| *passage);
        found.extend(Block { left: self.since(list), passage });
    }

    /// Bytes in memory that a new file sets free.
    pub(super) fn in_memory(&self) -> u64 {
        self.in_memory + OVERHEAD * self.since.len() as u64
    }

    fn since(&self, list: &List) -> &[u8] {
        (list.since as usize).checked_sub(1).map_or(&[], |at| &self.since[at])
    }

    /// Whether so much is in memory that a new file pays.
    pub(super) fn is_untidy(&self) -> bool {
        const LEAST: u64 = 1 << 20;
        self.in_memory > LEAST.max(self.in_file / 4)
    }

    /// Appends what is known of each term but the blocks, for [`Postings::read`].
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        code::put(bytes, self.lists.len() as u64);
        for list in &self.lists {
            code::put(bytes, u64::from(list.length) + self.since(list).len() as u64);
            code::put(bytes, u64::from(list.count));
            code::put(bytes, u64::from(list.last));
        }
    }

    /// Tells the whole blocks, in order, each in two parts, while `each` wants more.
    pub(super) fn blocks(
        &self,
        mut each: impl FnMut(&[u8], &[u8]) -> io::Result<bool>,
    ) -> io::Result<bool> {
        // They stand in the file one after the other.
        let (mut first, mut read) = (0, Vec::new());
        for list in &self.lists {
            let length = list.length as usize;
            if list.at + length as u64 > first + read.len() as u64 {
                let left = (self.in_file - list.at) as usize;
                first = list.at;
                read = match &self.file {
                    Some(file) => file.read(self.start + first, left.min(length.max(READ)))?,
                    None => Vec::new(),
                };
            }
            let at = list.at.saturating_sub(first) as usize;
            let in_file = read.get(at..at + length).unwrap_or_default();
            if !each(in_file, self.since(list))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes on with a file that holds the whole blocks, from `start` on. If it does not end where they do, nothing has
    /// changed, and it says no.
    pub(super) fn go_on_in(&mut self, file: Pieces, start: u64, file_length: u64) -> bool {
        if start + self.in_file + self.in_memory != file_length {
            return false;
        }
        let mut at = 0;
        for list in &mut self.lists {
            let since = (list.since as usize).checked_sub(1).map_or(0, |at| self.since[at].len());
            (list.at, list.since) = (at, 0);
            list.length += since as u32;
            at += u64::from(list.length);
        }
        (self.file, self.start, self.in_file) = (Some(file), start, at);
        (self.since, self.in_memory) = (Vec::new(), 0);
        true
    }

    /// How long the blocks in the file are, in order.
    pub(super) fn lengths(&self) -> impl Iterator<Item = usize> + '_ {
        self.lists.iter().map(|list| list.length as usize)
    }

    /// Reads what [`Postings::write`] wrote; the blocks stay in the file, from `start` on.
    pub(super) fn read(reader: &mut Reader) -> Option<Self> {
        let count = reader.small()?;
        // A list takes three bytes at least: a number that is too large asks for no more room than that.
        let mut lists = Vec::with_capacity((count as usize).min(reader.0.len() / 3));
        let mut at = 0;
        for _ in 0..count {
            let (length, count, last) = (reader.small()?, reader.small()?, reader.small()?);
            lists.push(List { at, length, count, last, since: 0 });
            at += u64::from(length);
        }
        Some(Self { lists, in_file: at, ..Self::default() })
    }

    /// Says where the blocks are; `None` if the file does not end where they do.
    pub(super) fn in_file(mut self, file: Pieces, start: u64, file_length: u64) -> Option<Self> {
        (start + self.in_file == file_length).then_some(())?;
        (self.file, self.start) = (Some(file), start);
        Some(self)
    }

    fn block(&self, list: &List) -> io::Result<Vec<u8>> {
        match &self.file {
            Some(file) if list.length > 0 => file.read(self.start + list.at, list.length as usize),
            _ => Ok(Vec::new()),
        }
    }
}
