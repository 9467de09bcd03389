//! The inverted index: terms to efforts.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::text;
use crate::memory::{Effort, EffortId, Memory, Note, NoteId, NoteState, Status};

/// A term of the id counts as much as this many of the summary.
const ID_WEIGHT: u32 = 3;

/// What a document stands for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// An effort.
    Effort(EffortId),
    /// A note of the session or a permanent one.
    Note(NoteId),
}

/// One indexed effort or note.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) key: Key,
    pub(super) terms: u32,
}

/// Terms of the ids and summaries of all efforts, and of the notes.
#[derive(Debug, Default)]
pub struct Index {
    /// For each term, the documents that hold it and how often. Ordered, so that a prefix is a range.
    postings: BTreeMap<Box<str>, BTreeMap<u32, u32>>,
    documents: Vec<Document>,
    numbers: HashMap<Key, u32>,
    terms_of: HashMap<u32, Vec<Box<str>>>,
    all_terms: u64,
}

impl Index {
    /// Indexes everything that memory holds.
    pub fn of(memory: &Memory) -> Self {
        let mut index = Self::default();
        for effort in memory.efforts() {
            index.update(effort);
        }
        memory.searchable_notes().for_each(|note| index.update_note(note));
        index
    }

    /// Indexes an effort, in place of what was indexed for it before. An open effort is found by its
    /// id, a concluded one by its summary and its specifics too.
    pub fn update(&mut self, effort: &Effort) {
        let summary = match effort.status {
            Status::Concluded => effort.summary.as_deref().unwrap_or_default(),
            Status::Open => "",
        };
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for term in text::terms(effort.id.as_str()) {
            *counts.entry(term).or_default() += ID_WEIGHT;
        }
        for term in text::terms(summary) {
            *counts.entry(term).or_default() += 1;
        }
        let length = counts.values().sum();
        if effort.status == Status::Concluded {
            // They make an effort findable, but do not make it a longer text that says less.
            for term in effort.specifics.iter().flat_map(|one| text::terms(one)) {
                counts.entry(term).or_insert(1);
            }
        }
        self.replace(Key::Effort(effort.id.clone()), counts, length);
    }

    /// Indexes a note, in place of what was indexed for it before. A removed one is found no longer.
    pub fn update_note(&mut self, note: &Note) {
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        if note.state != NoteState::Removed {
            for term in text::terms(&note.content) {
                *counts.entry(term).or_default() += 1;
            }
            for term in note.tags.iter().flat_map(|tag| text::terms(tag)) {
                *counts.entry(term).or_default() += ID_WEIGHT;
            }
        }
        let length = counts.values().sum();
        self.replace(Key::Note(note.id), counts, length);
    }

    fn replace(&mut self, key: Key, counts: BTreeMap<String, u32>, length: u32) {
        let number = self.number(key);
        self.forget(number);
        self.documents[number as usize].terms = length;
        self.all_terms += u64::from(length);
        let mut terms = Vec::with_capacity(counts.len());
        for (term, count) in counts {
            let term: Box<str> = term.into();
            self.postings.entry(term.clone()).or_default().insert(number, count);
            terms.push(term);
        }
        self.terms_of.insert(number, terms);
    }

    /// Number of indexed efforts and notes.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether nothing is indexed.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    pub(super) fn document(&self, number: u32) -> &Document {
        &self.documents[number as usize]
    }

    pub(super) fn average_terms(&self) -> f64 {
        self.all_terms as f64 / self.documents.len().max(1) as f64
    }

    /// The indexed terms that a query term may mean, each with how sure that is: itself, longer words
    /// that begin with it, shorter words that it begins with.
    pub(super) fn variants(&self, term: &str) -> Vec<(&BTreeMap<u32, u32>, f64)> {
        const SURE: f64 = 1.0;
        const LONGER: f64 = 0.6;
        const SHORTER: f64 = 0.5;
        const MOST_VARIANTS: usize = 24;
        let mut found: Vec<_> =
            self.postings.get(term).map(|exact| (exact, SURE)).into_iter().collect();
        let letters = term.chars().count();
        if letters >= 3 {
            let longer = self
                .postings
                .range::<str, _>((std::ops::Bound::Excluded(term), std::ops::Bound::Unbounded));
            let longer = longer.take_while(|(word, _)| word.starts_with(term)).take(MOST_VARIANTS);
            found.extend(longer.map(|(_, postings)| (postings, LONGER)));
        }
        let prefixes: BTreeSet<&str> = term
            .char_indices()
            .map(|(at, _)| &term[..at])
            .filter(|prefix| prefix.chars().count() >= 4 || (letters > 5 && prefix.len() == 3))
            .collect();
        found.extend(prefixes.iter().filter_map(|&p| Some((self.postings.get(p)?, SHORTER))));
        found
    }

    fn number(&mut self, key: Key) -> u32 {
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.documents.len() as u32;
        self.documents.push(Document { key: key.clone(), terms: 0 });
        self.numbers.insert(key, number);
        number
    }

    fn forget(&mut self, number: u32) {
        for term in self.terms_of.remove(&number).unwrap_or_default() {
            if let Some(postings) = self.postings.get_mut(&term) {
                postings.remove(&number);
                if postings.is_empty() {
                    self.postings.remove(&term);
                }
            }
        }
        let document = &mut self.documents[number as usize];
        self.all_terms -= u64::from(std::mem::take(&mut document.terms));
    }
}
