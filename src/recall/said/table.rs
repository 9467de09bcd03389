//! What is known of each passage and each document, as columns of numbers.

use std::collections::HashMap;
use std::sync::Arc;

use super::code::{self, Reader};
use super::days::Day;
use super::record::{Passage, Place};

/// A passage that is found no longer, or the end of a chain.
pub(super) const NONE: u32 = u32::MAX;

/// Passages and documents.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// For each passage: its document, its record in the log, its day, its terms, and the passage of the same
    /// document before it.
    pub(super) document: Vec<u32>,
    pub(super) record: Vec<u64>,
    pub(super) day: Vec<Day>,
    pub(super) terms: Vec<u16>,
    before: Vec<u32>,
    /// For each document: its name, all its terms, its last passage, its summary, and how many of its messages
    /// are indexed.
    pub(super) key: Vec<Arc<str>>,
    pub(super) all_terms: Vec<u32>,
    last: Vec<u32>,
    summary: Vec<u32>,
    messages: Vec<u32>,
    /// How many messages of ambient talk are indexed, over all its documents.
    ambient: u32,
    /// Passages that were not forgotten.
    alive: u32,
    numbers: HashMap<Arc<str>, u32>,
}

impl Table {
    /// Number of passages that can be found.
    pub(super) fn alive(&self) -> u32 {
        self.alive
    }

    /// The number of a document.
    pub(super) fn number(&self, key: &str) -> Option<u32> {
        self.numbers.get(key).copied()
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

    fn is_ambient(&self, document: usize) -> bool {
        self.key[document].starts_with('a')
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
                if self.is_ambient(document) {
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
        if self.is_ambient(document as usize) {
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
        let chain = std::iter::successors(Some(last), |&at| self.before.get(at as usize).copied());
        chain.take_while(|&at| at != NONE).filter(move |&at| self.document[at as usize] == document)
    }

    /// Appends everything, for [`Table::read`].
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        code::put(bytes, self.documents() as u64);
        for at in 0..self.documents() {
            code::put_text(bytes, &self.key[at]);
            code::put(bytes, u64::from(self.messages[at]));
        }
        code::put(bytes, self.passages() as u64);
        let mut record = 0;
        for at in 0..self.passages() {
            let document = self.document[at];
            let is_summary = document != NONE && self.summary(document) == Some(at as u32);
            code::put(bytes, u64::from(document.wrapping_add(1)) << 1 | u64::from(is_summary));
            code::put(bytes, self.record[at] - record);
            code::put(bytes, u64::from(self.day[at].0));
            code::put(bytes, u64::from(self.terms[at]));
            record = self.record[at];
        }
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
        let key: Arc<str> = key.into();
        self.numbers.insert(Arc::clone(&key), number).is_none().then_some(())?;
        self.key.push(key);
        self.messages.push(messages);
        self.all_terms.push(0);
        self.last.push(NONE);
        self.summary.push(NONE);
        Some(())
    }

    fn push(&mut self, document: u32, record: u64, day: Day, terms: u16) {
        let number = self.passages() as u32;
        let mut before = NONE;
        if let Some(last) = self.last.get_mut(document as usize) {
            before = std::mem::replace(last, number);
            self.all_terms[document as usize] += u32::from(terms);
            self.alive += 1;
        }
        self.document.push(document);
        self.record.push(record);
        self.day.push(day);
        self.terms.push(terms);
        self.before.push(before);
    }

    /// It stays in the chain of its document, which only grows.
    fn forget_one(&mut self, passage: u32) {
        let Some(document) = self.document.get_mut(passage as usize) else { return };
        let terms = u32::from(self.terms[passage as usize]);
        if let Some(all) = self.all_terms.get_mut(*document as usize) {
            *all = all.saturating_sub(terms);
            self.alive -= 1;
        }
        *document = NONE;
    }
}
