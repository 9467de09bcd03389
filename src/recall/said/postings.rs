//! For each term, the passages that hold it: blocks of bytes, in one file up to the last tidying and in
//! memory since.
//!
//! A block is a list of distances to the passage before, twice each; with one added if the term stands there
//! more than once, and then how often follows.

use std::collections::HashMap;
use std::io;

use foldhash::fast::FixedState;

use super::code::Reader;
use super::log::Pieces;
use super::sums::{PIECE, Summed};
use crate::varint;

/// So many terms have their rows in memory: those said first are those that are said most.
const COMMON: usize = 1 << 16;

/// Bytes of a row in the file.
const ROW: usize = 16;

/// Bytes that the passages of a term take in memory beside their block.
const OVERHEAD: u64 = 48;

/// What the file knows of a term.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    /// Where its block begins; it ends where the next one begins.
    at: u64,
    /// Passages in it.
    count: u32,
    /// The last of them.
    last: u32,
}

impl Row {
    fn bytes(self) -> [u8; ROW] {
        let all = u128::from(self.last) << 96 | u128::from(self.count) << 64 | u128::from(self.at);
        all.to_le_bytes()
    }

    fn of(bytes: [u8; ROW]) -> Self {
        let all = u128::from_le_bytes(bytes);
        Self { at: all as u64, count: (all >> 64) as u32, last: (all >> 96) as u32 }
    }
}

/// What came of a term since the file was made.
#[derive(Debug)]
struct Since {
    /// The first passage, and how often it holds the term.
    first: (u32, u32),
    /// Those behind it, as in a block.
    more: Vec<u8>,
    /// The last one, and the one before it: the same if there is none.
    last: u32,
    before_last: u32,
}

/// Where among those since a term's own are, from 1, and how many; 0 if nothing came since. How many stands here, as that is
/// asked of very many terms.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    at: u32,
    count: u32,
}

impl Since {
    /// All of them as the end of a block, behind a passage.
    fn write(&self, before: u32, block: &mut Vec<u8>) {
        put(block, self.first.0 - before, self.first.1);
        block.extend_from_slice(&self.more);
    }
}

fn put(block: &mut Vec<u8>, distance: u32, often: u32) {
    varint::put(block, u64::from(distance) << 1 | u64::from(often > 1));
    if often > 1 {
        varint::put(block, u64::from(often));
    }
}

/// What is left of a block to be read, behind a passage.
struct Block<'a> {
    left: &'a [u8],
    passage: u32,
}

impl Block<'_> {
    /// Appends all that is left behind some: so many with these.
    fn read_into(mut self, skipped: u32, count: u32, found: &mut Vec<(u32, u32)>) {
        if let Some(last) = skipped.checked_sub(1) {
            let _ = self.nth(last as usize);
        }
        // Each takes a byte at least: room is made once.
        let mut end = found.len();
        found.resize(end + self.left.len().min((count - skipped) as usize), (0, 0));
        for (place, one) in found[end..].iter_mut().zip(self) {
            *place = one;
            end += 1;
        }
        found.truncate(end);
    }

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

/// The rows of all terms and behind them their blocks, each in the order of their numbers.
#[derive(Debug)]
struct InFile {
    file: Pieces,
    /// Where the rows begin; there is one more than terms.
    rows: u64,
    terms: usize,
    /// Where the blocks begin.
    blocks: u64,
    length: u64,
    common: Vec<Row>,
}

impl InFile {
    fn new(file: Pieces, rows: u64, blocks: u64, end: u64) -> Option<Self> {
        let terms = (blocks.checked_sub(rows)? / ROW as u64).checked_sub(1)? as usize;
        let length = end.checked_sub(blocks)?;
        let mut new = Self { file, rows, terms, blocks, length, common: Vec::new() };
        // Piece by piece: the bytes of all would take as much once more.
        let common = COMMON.min(terms + 1);
        new.common.reserve_exact(common);
        for from in (0..common).step_by(PIECE / ROW) {
            let most = (common - from).min(PIECE / ROW);
            new.common.extend(new.read_rows(from, most).ok()?);
        }
        Some(new)
    }

    /// Rows from a term's on, so many if there are as many.
    fn read_rows(&self, from: usize, most: usize) -> io::Result<Vec<Row>> {
        let count = most.min(self.terms + 1 - from);
        let bytes = self.file.read(self.rows + (from * ROW) as u64, count * ROW)?;
        Ok(bytes.as_chunks().0.iter().copied().map(Row::of).collect())
    }

    /// What is known of a term, and how long its block is.
    fn row(&self, term: usize) -> Option<(Row, usize)> {
        (term < self.terms).then_some(())?;
        if let Some(both) = self.common.get(term..term + 2) {
            return self.checked(both);
        }
        self.checked(&self.read_rows(term, 2).ok()?)
    }

    fn checked(&self, both: &[Row]) -> Option<(Row, usize)> {
        let [row, next] = both else { return None };
        let length = next.at.min(self.length).checked_sub(row.at)?;
        Some((*row, length as usize))
    }

    fn block(&self, (row, length): (Row, usize)) -> Option<Vec<u8>> {
        self.file.read(self.blocks + row.at, length).ok()
    }
}

/// All terms, by number.
#[derive(Debug, Default)]
pub(super) struct Postings {
    file: Option<InFile>,
    /// The places of each of the first terms.
    places: Vec<Place>,
    /// Those of the others: of most of them nothing ever comes again.
    others: HashMap<u32, Place, FixedState>,
    /// The number behind the last term of which something came since.
    upto: usize,
    since: Vec<Since>,
    /// Bytes of their blocks.
    in_memory: u64,
}

impl Postings {
    /// Adds a passage, later than all so far, to the terms that it holds.
    pub(super) fn add(&mut self, passage: u32, terms: &[u32]) {
        let mut sorted = terms.to_vec();
        sorted.sort_unstable();
        for same in sorted.chunk_by(|a, b| a == b) {
            self.add_to(same[0] as usize, passage, same.len() as u32);
        }
    }

    fn add_to(&mut self, term: usize, passage: u32, often: u32) {
        let next = self.since.len() as u32 + 1;
        let place = self.place_mut(term);
        place.count += 1;
        if place.at == 0 {
            place.at = next;
            let first = (passage, often);
            let (last, before_last) = (passage, passage);
            self.since.push(Since { first, more: Vec::new(), last, before_last });
            self.in_memory += 2;
            return;
        }
        let at = place.at as usize - 1;
        let since = &mut self.since[at];
        let before = since.more.len();
        put(&mut since.more, passage - since.last, often);
        self.in_memory += (since.more.len() - before) as u64;
        (since.before_last, since.last) = (since.last, passage);
    }

    fn place_mut(&mut self, term: usize) -> &mut Place {
        self.upto = self.upto.max(term + 1);
        if term >= COMMON {
            return self.others.entry(term as u32).or_default();
        }
        if term >= self.places.len() {
            self.places.resize(term + 1, Place::default());
        }
        &mut self.places[term]
    }

    /// In how many passages a term stands, at most.
    pub(super) fn count(&self, term: u32) -> u32 {
        let in_file = self.row(term as usize).map_or(0, |(row, _)| row.count);
        in_file + self.place(term as usize).count
    }

    /// Puts the last passages that hold a term, at most so many, in order, each with how often, in place of what stands in
    /// `found`.
    pub(super) fn read_last_into(&self, term: u32, most: u32, found: &mut Vec<(u32, u32)>) {
        found.clear();
        let row = self.row(term as usize);
        let since = self.since(term as usize);
        let (before, behind) =
            (row.map_or(0, |(row, _)| row.count), since.map_or(0, |(_, count)| count));
        let mut skipped = (before + behind).saturating_sub(most);
        if let Some((file, row)) = self.file.as_ref().zip(row).filter(|_| skipped < before)
            && let Some(block) = file.block(row)
        {
            Block { left: &block, passage: 0 }.read_into(skipped, before, found);
        }
        skipped = skipped.saturating_sub(before);
        if let Some((since, _)) = since {
            let more = Block { left: &since.more, passage: since.first.0 };
            if skipped == 0 {
                found.push(since.first);
            }
            more.read_into(skipped.saturating_sub(1), behind - 1, found);
        }
    }

    /// The last two passages that hold a term, or all if there are no more. There is room for them where they have to be read.
    pub(super) fn last_two(&self, term: u32, room: &mut Vec<(u32, u32)>) -> [Option<u32>; 2] {
        if let Some((since, 2..)) = self.since(term as usize) {
            return [Some(since.before_last), Some(since.last)];
        }
        self.read_last_into(term, 2, room);
        [0, 1].map(|nth| room.get(nth).map(|(passage, _)| *passage))
    }

    fn row(&self, term: usize) -> Option<(Row, usize)> {
        self.file.as_ref()?.row(term)
    }

    fn place(&self, term: usize) -> Place {
        let other = || self.others.get(&(term as u32));
        self.places.get(term).or_else(other).copied().unwrap_or_default()
    }

    /// What came of a term since, and how many passages that are.
    fn since(&self, term: usize) -> Option<(&Since, u32)> {
        let Place { at, count } = self.place(term);
        Some((self.since.get((at as usize).checked_sub(1)?)?, count))
    }

    /// Bytes in memory that a new file sets free.
    pub(super) fn in_memory(&self) -> u64 {
        self.in_memory + OVERHEAD * self.since.len() as u64
    }

    /// Whether so much is in memory that a new file pays.
    pub(super) fn is_untidy(&self) -> bool {
        const LEAST: u64 = 1 << 20;
        self.in_memory > LEAST.max(self.file.as_ref().map_or(0, |file| file.length) / 4)
    }

    /// Writes the row of each term, all blocks whole, for [`Postings::in_file`].
    pub(super) fn write_rows(&self, to: &mut Summed) -> io::Result<()> {
        let (mut at, mut since_then) = (0, Vec::new());
        self.each_row(|row, length, since| {
            since_then.clear();
            let (mut count, mut last) = (row.count, row.last);
            if let Some((since, more)) = since {
                since.write(row.last, &mut since_then);
                (count, last) = (count + more, since.last);
            }
            to.add(&Row { at, count, last }.bytes())?;
            at += (length + since_then.len()) as u64;
            Ok(true)
        })?;
        to.add(&Row { at, ..Row::default() }.bytes())
    }

    /// Writes the blocks, whole and in order, while it goes on; says whether all are written.
    pub(super) fn write_blocks(
        &self,
        to: &mut Summed,
        goes_on: impl Fn() -> bool,
    ) -> io::Result<bool> {
        let (mut first, mut read, mut since_then) = (0, Vec::new(), Vec::new());
        self.each_row(|row, length, since| {
            // They stand in the file one after the other.
            if let Some(file) = &self.file
                && row.at + length as u64 > first + read.len() as u64
            {
                first = row.at;
                let left = file.length.saturating_sub(first) as usize;
                read = file.file.read(file.blocks + first, left.min(length.max(PIECE)))?;
            }
            let at = row.at.saturating_sub(first) as usize;
            to.add(read.get(at..at + length).unwrap_or_default())?;
            if let Some((since, _)) = since {
                since_then.clear();
                since.write(row.last, &mut since_then);
                to.add(&since_then)?;
            }
            Ok(goes_on())
        })
    }

    /// Each term's row, the length of its block and what came since, while `each` wants more.
    fn each_row(
        &self,
        mut each: impl FnMut(Row, usize, Option<(&Since, u32)>) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let in_file = self.file.as_ref().map_or(0, |file| file.terms);
        let (mut first, mut rows) = (0, Vec::new());
        for term in 0..in_file.max(self.upto) {
            let mut known = None;
            if let Some(file) = self.file.as_ref().filter(|file| term < file.terms) {
                if term + 2 > first + rows.len() {
                    (first, rows) = (term, file.read_rows(term, PIECE / ROW)?);
                }
                known =
                    rows.get(term - first..term - first + 2).and_then(|both| file.checked(both));
            }
            let (row, length) = known.unwrap_or_default();
            if !each(row, length, self.since(term))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What [`Postings::write_rows`] and [`Postings::write_blocks`] wrote, at these places and up to this end.
    pub(super) fn in_file(file: Pieces, rows: u64, blocks: u64, end: u64) -> Option<Self> {
        let file = Some(InFile::new(file, rows, blocks, end)?);
        Some(Self { file, ..Self::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;

    fn found(postings: &Postings, term: u32) -> Vec<(u32, u32)> {
        let mut all = Vec::new();
        postings.read_last_into(term, u32::MAX, &mut all);
        assert_eq!(postings.count(term) as usize, all.len());
        let last_two = postings.last_two(term, &mut Vec::new()).into_iter().flatten();
        let last = all[all.len().saturating_sub(2)..].iter().map(|(passage, _)| *passage);
        assert!(last_two.eq(last), "{term}");
        all
    }

    #[test]
    fn passages_are_found_in_memory_in_a_file_and_in_both() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("blocks");
        let (mut one, mut in_memory) = (Postings::default(), Postings::default());
        let last = COMMON as u32 + 5;
        for passage in 0..40 {
            // Some stand in all, some twice, one in a single one, and each round brings some of its own.
            let terms =
                [0, 3, 3, if passage == 20 { 7 } else { 3 }, last - passage % 3, last + passage];
            for all in [&mut one, &mut in_memory] {
                all.add(passage, &terms);
            }
            if passage % 10 == 9 {
                let _ = fs::remove_file(&path);
                let mut to = Summed::behind(File::create(&path).unwrap(), 0, 0);
                one.write_rows(&mut to).unwrap();
                let blocks = to.length();
                assert!(one.write_blocks(&mut to, || true).unwrap());
                let end = to.length();
                to.end().unwrap();
                let file = Pieces::new(File::open(&path).unwrap());
                one = Postings::in_file(file, 0, blocks, end).unwrap();
                assert_eq!(one.in_memory(), 0);
            }
            for term in [0, 1, 3, 7, last - 2, last, last + 30, last + 50] {
                assert_eq!(found(&one, term), found(&in_memory, term), "{term}");
            }
        }
        for most in [0, 1, 7, 10, 11, 30, 40, 50] {
            let mut last = Vec::new();
            one.read_last_into(0, most, &mut last);
            let all = found(&one, 0);
            assert_eq!(last, all[all.len().saturating_sub(most as usize)..], "{most}");
        }
        assert_eq!(found(&one, 3)[20..22], [(20, 2), (21, 3)]);
        assert_eq!(found(&one, last + 30), [(30, 1)]);
    }
}
