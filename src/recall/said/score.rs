//! BM25 over all documents and all passages at once, term by term.

use super::Index;
use super::days::{Day, When};
use super::table::NONE;

/// BM25: how fast repetition stops counting, and how much long texts are held back. The usual values.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// How long the documents, or the passages, are on average, and how many there are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    pub(super) count: f64,
    pub(super) terms: f64,
}

impl Size {
    pub(super) fn rarity(self, holding: f64) -> f64 {
        (1.0 + (self.count - holding + 0.5).max(0.0) / (holding + 0.5)).ln()
    }

    pub(super) fn saturated(self, often: u32, length: u32) -> f64 {
        let relative = f64::from(length) / self.terms.max(1.0);
        let often = f64::from(often);
        often * (SATURATION + 1.0) / (often + SATURATION * (1.0 - LENGTH + LENGTH * relative))
    }
}

/// Scores of all documents and passages.
#[derive(Debug)]
pub(super) struct Scores {
    pub(super) documents: Vec<f32>,
    pub(super) passages: Vec<f32>,
    /// Which terms of the query each passage holds, a bit each.
    pub(super) held: Vec<u64>,
}

/// Adds up scores, term by term.
pub(super) struct Adder<'a> {
    index: &'a Index,
    of_documents: Size,
    of_passages: Size,
    /// How often the term stands in each document; 0 again after each term.
    often: Vec<u32>,
    found: Vec<(u32, u32)>,
    touched: Vec<u32>,
    pub(super) scores: Scores,
}

impl<'a> Adder<'a> {
    pub(super) fn new(index: &'a Index, of_documents: Size, of_passages: Size) -> Self {
        let scores = Scores {
            documents: vec![0.0; index.table.documents()],
            passages: vec![0.0; index.table.passages()],
            held: vec![0; index.table.passages()],
        };
        Self {
            index,
            of_documents,
            of_passages,
            often: vec![0; index.table.documents()],
            found: Vec::new(),
            touched: Vec::new(),
            scores,
        }
    }

    /// Adds what a term is worth everywhere, and says in how many documents and passages it stands. Passages that hold
    /// it get these bits.
    pub(super) fn add(&mut self, term: u32, weight: f64, bits: u64) -> (u32, u32) {
        let table = &self.index.table;
        self.found.clear();
        self.touched.clear();
        self.index.postings.each(term, |passage, often| {
            let Some(&document) = table.document.get(passage as usize) else { return };
            let Some(in_document) = self.often.get_mut(document as usize) else { return };
            if *in_document == 0 {
                self.touched.push(document);
            }
            *in_document += often;
            self.found.push((passage, often));
        });
        let worth = weight * self.of_documents.rarity(self.touched.len() as f64);
        for &document in &self.touched {
            let often = std::mem::take(&mut self.often[document as usize]);
            let length = table.all_terms[document as usize];
            let score = worth * self.of_documents.saturated(often, length);
            self.scores.documents[document as usize] += score as f32;
        }
        let worth = weight * self.of_passages.rarity(self.found.len() as f64);
        for &(passage, often) in &self.found {
            let length = u32::from(table.terms[passage as usize]);
            let score = worth * self.of_passages.saturated(often, length);
            self.scores.passages[passage as usize] += score as f32;
            self.scores.held[passage as usize] |= bits;
        }
        (self.touched.len() as u32, self.found.len() as u32)
    }

    /// Adds what it is worth to have been said on such a day.
    pub(super) fn add_day(&mut self, when: When, weight: f64) {
        let table = &self.index.table;
        self.touched.clear();
        let holds = |(passage, day): (usize, &Day)| when.holds(*day).then_some(passage);
        let found: Vec<usize> = table.day.iter().enumerate().filter_map(holds).collect();
        for &passage in found.iter().filter(|&&passage| table.document[passage] != NONE) {
            let document = table.document[passage];
            if std::mem::replace(&mut self.often[document as usize], 1) == 0 {
                self.touched.push(document);
            }
        }
        let worth = (weight * self.of_documents.rarity(self.touched.len() as f64)) as f32;
        for document in self.touched.drain(..) {
            self.often[document as usize] = 0;
            self.scores.documents[document as usize] += worth;
        }
        for passage in found {
            self.scores.passages[passage] += worth;
        }
    }
}
