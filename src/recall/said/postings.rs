//! For each term, the passages that hold it: blocks of bytes, in one file up to the last tidying and in
//! memory since.
//!
//! A block is a list of distances to the passage before, twice each; with one added if the term stands there
//! more than once, and then how often follows.

use super::code::{self, Reader};
use super::log::Pieces;

/// One term.
#[derive(Debug, Default)]
struct List {
    /// Where its block begins in the file.
    at: u64,
    length: u32,
    /// Passages, in the file and since.
    count: u32,
    /// The last of them.
    last: u32,
    /// The block goes on here.
    since: Vec<u8>,
}

/// All terms, by number.
#[derive(Debug, Default)]
pub(super) struct Postings {
    lists: Vec<List>,
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
            let before = list.since.len();
            let several = same.len() > 1;
            code::put(&mut list.since, u64::from(passage - list.last) << 1 | u64::from(several));
            if several {
                code::put(&mut list.since, same.len() as u64);
            }
            list.last = passage;
            list.count += 1;
            self.in_memory += (list.since.len() - before) as u64;
        }
    }

    /// In how many passages a term stands, at most.
    pub(super) fn count(&self, term: u32) -> u32 {
        self.lists.get(term as usize).map_or(0, |list| list.count)
    }

    /// The passages that hold a term, in order, each with how often.
    pub(super) fn each(&self, term: u32, mut found: impl FnMut(u32, u32)) {
        let Some(list) = self.lists.get(term as usize) else { return };
        let in_file = self.block(list).unwrap_or_default();
        let mut passage = 0_u32;
        for block in [&in_file, &list.since] {
            let mut reader = Reader(block);
            while let Some(step) = reader.number() {
                passage = passage.wrapping_add((step >> 1) as u32);
                let often = if step & 1 == 1 { reader.small().unwrap_or(1) } else { 1 };
                found(passage, often);
            }
        }
    }

    /// Bytes in memory.
    pub(super) fn in_memory(&self) -> u64 {
        self.in_memory
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
            code::put(bytes, u64::from(list.length) + list.since.len() as u64);
            code::put(bytes, u64::from(list.count));
            code::put(bytes, u64::from(list.last));
        }
    }

    /// The whole blocks, in order.
    pub(super) fn blocks(&self) -> impl Iterator<Item = std::io::Result<Vec<u8>>> + '_ {
        self.lists.iter().map(|list| {
            let mut block = self.block(list)?;
            block.extend_from_slice(&list.since);
            Ok(block)
        })
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
            lists.push(List { at, length, count, last, since: Vec::new() });
            at += u64::from(length);
        }
        Some(Self { lists, file: None, start: 0, in_file: at, in_memory: 0 })
    }

    /// Says where the blocks are; `None` if the file does not end where they do.
    pub(super) fn in_file(mut self, file: Pieces, start: u64, file_length: u64) -> Option<Self> {
        (start + self.in_file == file_length).then_some(())?;
        (self.file, self.start) = (Some(file), start);
        Some(self)
    }

    fn block(&self, list: &List) -> std::io::Result<Vec<u8>> {
        match &self.file {
            Some(file) if list.length > 0 => file.read(self.start + list.at, list.length as usize),
            _ => Ok(Vec::new()),
        }
    }
}
