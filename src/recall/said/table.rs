//! What is known of each passage and each document, as columns of numbers.

use std::io;
use std::ops::Range;

use super::code::{self, Reader};
use super::days::Day;
use super::record::{Passage, Place};
use super::slots::Slots;
use super::sums::Summed;
use super::vocabulary::Texts;
use crate::memory::tight;

/// A passage that is found no longer, or the end of a chain.
pub(super) const NONE: u32 = u32::MAX;

/// Bits of the low end of a record's place.
const LOW: u32 = u16::BITS;

/// Steps to the passage before that are too many, or to none.
const FAR: u8 = u8::MAX;

/// Passages and documents.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// For each passage: its document, the low end of its record's place in the log, its terms, and how far it is to
    /// the passage of the same document before it.
    pub(super) document: Vec<u32>,
    record: Vec<u16>,
    pub(super) terms: Vec<u16>,
    back: Vec<u8>,
    /// The passages before those that are too far away, or none.
    far: Vec<(u32, u32)>,
    /// The high end from a passage on, and the day: they change seldom.
    highs: Vec<(u32, u32)>,
    days: Vec<(u32, Day)>,
    /// For each document: its name, all its terms, its last passage, its summary, and how many of its messages
    /// are indexed.
    key: Texts,
    pub(super) all_terms: Vec<u32>,
    last: Vec<u32>,
    summary: Vec<u32>,
    messages: Vec<u32>,
    /// How many messages of ambient talk are indexed, over all its documents.
    ambient: u32,
    /// Passages that were not forgotten, documents that have terms, and how many terms all of them have.
    alive: u32,
    used: u32,
    terms_in_all: u64,
    /// By the hashes of the names.
    numbers: Slots,
}

impl Table {
    /// Number of passages that can be found.
    pub(super) fn alive(&self) -> u32 {
        self.alive
    }

    /// Number of documents with terms, and of the terms of all of them.
    pub(super) fn used(&self) -> (u32, u64) {
        (self.used, self.terms_in_all)
    }

    /// The number of a document.
    pub(super) fn number(&self, key: &str) -> Option<u32> {
        self.numbers.of(hash(key)).find(|number| self.key(*number) == key)
    }

    /// The name of a document.
    pub(super) fn key(&self, document: u32) -> &str {
        self.key.get(document as usize).unwrap_or_default()
    }

    /// Number of documents, emptied ones included.
    pub(super) fn documents(&self) -> usize {
        self.key.len()
    }

    /// Number of passages, forgotten ones included.
    pub(super) fn passages(&self) -> usize {
        self.document.len()
    }

    /// How many messages of a document are indexed.
    pub(super) fn messages(&self, document: u32) -> u32 {
        self.messages.get(document as usize).copied().unwrap_or(0)
    }

    /// How many messages of ambient talk are indexed.
    pub(super) fn ambient(&self) -> u32 {
        self.ambient
    }

    /// Whether a passage can be found and is no summary.
    pub(super) fn is_said(&self, passage: u32) -> bool {
        let document = self.document.get(passage as usize).copied().unwrap_or(NONE);
        document != NONE && self.summary(document) != Some(passage)
    }

    /// Where the record of a passage stands in the log.
    pub(super) fn record(&self, passage: u32) -> Option<u64> {
        let low = *self.record.get(passage as usize)?;
        let high = since(&self.highs, passage).unwrap_or(0);
        Some(u64::from(high) << LOW | u64::from(low))
    }

    /// The day of each passage.
    fn days(&self) -> impl Iterator<Item = Day> + '_ {
        self.of_days().flat_map(|(day, passages)| passages.map(move |_| day))
    }

    /// The days, and the passages of each, as they follow each other.
    pub(super) fn of_days(
        &self,
    ) -> impl DoubleEndedIterator<Item = (Day, Range<u32>)> + Clone + '_ {
        let end = move |at: usize| {
            self.days.get(at + 1).map_or(self.passages() as u32, |(from, _)| *from)
        };
        self.days.iter().enumerate().map(move |(at, &(from, day))| (day, from..end(at)))
    }

    fn is_ambient(&self, document: u32) -> bool {
        self.key(document).starts_with('a')
    }

    /// Adds a passage that stands at a place in the log; `None` if it fits in nowhere.
    pub(super) fn add(&mut self, passage: &Passage, record: u64) -> Option<u32> {
        if let Some(key) = &passage.key {
            self.add_document(key, 0)?;
        }
        let document = passage.document as usize;
        (document < self.documents()).then_some(())?;
        let number = self.passages() as u32;
        match &passage.place {
            Place::Summary => {
                self.forget_one(self.summary[document]);
                self.summary[document] = number;
            }
            Place::Messages { range, .. } => {
                self.messages[document] = self.messages[document].max(range.end);
                if self.is_ambient(passage.document) {
                    self.ambient = self.ambient.max(range.end);
                }
            }
        }
        let terms = u16::try_from(passage.terms.len()).unwrap_or(u16::MAX);
        self.push(passage.document, record, passage.day, terms);
        Some(number)
    }

    /// Forgets passages of a document, which has so many messages left; `None` if there is no such document.
    pub(super) fn forget(&mut self, document: u32, messages: u32, passages: &[u32]) -> Option<()> {
        *self.messages.get_mut(document as usize)? = messages;
        if self.is_ambient(document) {
            self.ambient = messages;
        }
        for &passage in passages {
            self.forget_one(passage);
        }
        Some(())
    }

    /// The passage that is the summary of a document.
    pub(super) fn summary(&self, document: u32) -> Option<u32> {
        let summary = self.summary[document as usize];
        (self.document.get(summary as usize) == Some(&document)).then_some(summary)
    }

    /// The passages of a document, the last first.
    pub(super) fn of(&self, document: u32) -> impl Iterator<Item = u32> + '_ {
        let last = self.last[document as usize];
        let chain = std::iter::successors(Some(last), |&at| self.before(at));
        chain.take_while(|&at| at != NONE).filter(move |&at| self.document[at as usize] == document)
    }

    fn before(&self, passage: u32) -> Option<u32> {
        match *self.back.get(passage as usize)? {
            FAR => since(&self.far, passage),
            steps => Some(passage - u32::from(steps)),
        }
    }

    /// Writes everything, for [`Table::read`].
    pub(super) fn write(&self, to: &mut Summed) -> io::Result<()> {
        to.add_number(self.documents() as u64)?;
        for at in 0..self.documents() {
            to.add_text(self.key(at as u32))?;
            to.add_number(u64::from(self.messages[at]))?;
        }
        to.add_number(self.passages() as u64)?;
        let mut before = 0;
        for (at, day) in self.days().enumerate() {
            let (document, record) = (self.document[at], self.record(at as u32).unwrap_or(before));
            let is_summary = document != NONE && self.summary(document) == Some(at as u32);
            to.add_number(u64::from(document.wrapping_add(1)) << 1 | u64::from(is_summary))?;
            to.add_number(record - before)?;
            to.add_number(u64::from(day.0))?;
            to.add_number(u64::from(self.terms[at]))?;
            before = record;
        }
        Ok(())
    }

    /// Reads what [`Table::write`] wrote.
    pub(super) fn read(reader: &mut Reader) -> Option<Self> {
        let mut table = Self::default();
        for _ in 0..reader.small()? {
            let key = reader.text()?;
            let messages = reader.small()?;
            table.add_document(key, messages)?;
            if key.starts_with('a') {
                table.ambient = table.ambient.max(messages);
            }
        }
        let mut record = 0_u64;
        for at in 0..reader.small()? {
            let head = reader.number()?;
            let document = u32::try_from(head >> 1).ok()?.wrapping_sub(1);
            record = record.checked_add(reader.number()?)?;
            let (day, terms) = (Day(reader.small()?), reader.small()? as u16);
            (document == NONE || (document as usize) < table.documents()).then_some(())?;
            table.push(document, record, day, terms);
            if head & 1 == 1 {
                *table.summary.get_mut(document as usize)? = at;
            }
        }
        Some(table)
    }

    fn add_document(&mut self, key: &str, messages: u32) -> Option<()> {
        let number = self.documents() as u32;
        self.number(key).is_none().then_some(())?;
        self.numbers.add(hash(key), number);
        self.key.push(key);
        tight::push(&mut self.messages, messages);
        tight::push(&mut self.all_terms, 0);
        tight::push(&mut self.last, NONE);
        tight::push(&mut self.summary, NONE);
        Some(())
    }

    fn push(&mut self, document: u32, record: u64, day: Day, terms: u16) {
        let number = self.passages() as u32;
        let mut before = NONE;
        if let Some(last) = self.last.get_mut(document as usize) {
            before = std::mem::replace(last, number);
            self.alive += 1;
            self.set_terms(document as usize, self.all_terms[document as usize] + u32::from(terms));
        }
        tight::push(&mut self.document, document);
        tight::push(&mut self.record, record as u16);
        note(&mut self.highs, number, (record >> LOW) as u32);
        note(&mut self.days, number, day);
        tight::push(&mut self.terms, terms);
        let steps = number.checked_sub(before).and_then(|steps| u8::try_from(steps).ok());
        let steps = steps.unwrap_or(FAR);
        if steps == FAR {
            tight::push(&mut self.far, (number, before));
        }
        tight::push(&mut self.back, steps);
    }

    /// It stays in the chain of its document, which only grows.
    fn forget_one(&mut self, passage: u32) {
        let Some(document) = self.document.get_mut(passage as usize) else { return };
        let document = std::mem::replace(document, NONE) as usize;
        let terms = u32::from(self.terms[passage as usize]);
        if let Some(all) = self.all_terms.get(document).copied() {
            self.alive -= 1;
            self.set_terms(document, all.saturating_sub(terms));
        }
    }

    fn set_terms(&mut self, document: usize, terms: u32) {
        let before = std::mem::replace(&mut self.all_terms[document], terms);
        self.used = self.used + u32::from(terms > 0) - u32::from(before > 0);
        self.terms_in_all = self.terms_in_all + u64::from(terms) - u64::from(before);
    }
}

/// By which a document is looked for.
fn hash(key: &str) -> u32 {
    code::hash(0, key.as_bytes()) as u32
}

/// What holds from a passage on, if it is not what held before.
fn note<T: PartialEq>(runs: &mut Vec<(u32, T)>, passage: u32, value: T) {
    if runs.last().is_none_or(|(_, last)| *last != value) {
        tight::push(runs, (passage, value));
    }
}

/// What holds at a passage.
fn since<T: Copy>(runs: &[(u32, T)], passage: u32) -> Option<T> {
    let next = runs.partition_point(|(from, _)| *from <= passage);
    next.checked_sub(1).map(|at| runs[at].1)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Seek};

    use super::*;

    #[test]
    fn places_beyond_four_gigabytes_and_days_stay_with_their_passages() {
        let mut table = Table::default();
        table.add_document("e:one", 1).unwrap();
        let passages =
            [(16, 7), (900, 7), (1 << 32, 7), ((1 << 32) + 5, 9), (5 << 33, 9), (6 << 33, 7)];
        for (record, day) in passages {
            table.push(0, record, Day(day), 3);
        }
        let mut to = Summed::behind(tempfile::tempfile().unwrap(), 0, 0);
        table.write(&mut to).unwrap();
        let (mut file, _) = to.end().unwrap();
        let mut bytes = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut bytes).unwrap();
        let read = Table::read(&mut Reader(&bytes)).unwrap();
        for table in [&table, &read] {
            let records = (0..).map_while(|passage| table.record(passage));
            let told: Vec<(u64, u32)> = records.zip(table.days().map(|day| day.0)).collect();
            assert_eq!(told, passages);
        }
        assert_eq!(Table::default().days().next(), None);
    }

    #[test]
    fn a_passage_takes_nine_bytes_and_hardly_more() {
        let mut table = Table::default();
        table.add_document("e:one", 1).unwrap();
        (0..100_000).for_each(|passage| table.push(0, 100 * passage, Day(7), 3));
        let Table { document, record, terms, back, .. } = &table;
        let taken =
            4 * document.capacity() + 2 * (record.capacity() + terms.capacity()) + back.capacity();
        assert!(taken <= 100_000 * 9 * 9 / 8, "{taken}");
    }

    #[test]
    fn the_passages_of_a_document_are_found_however_far_apart_they_are() {
        let mut table = Table::default();
        table.add_document("e:one", 1).unwrap();
        table.add_document("e:two", 1).unwrap();
        let of_one = [0, 1, 3, 257, 258, 514, 70_000];
        for passage in 0..=70_000 {
            let document = u32::from(!of_one.contains(&passage));
            table.push(document, 100 * u64::from(passage), Day(7), 3);
        }
        let found: Vec<u32> = table.of(0).collect();
        assert_eq!(found, of_one.into_iter().rev().collect::<Vec<_>>());
        assert_eq!(table.of(1).count(), 70_001 - of_one.len());
    }
}
