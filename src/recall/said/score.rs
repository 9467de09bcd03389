//! BM25 over all documents and all passages at once, term by term.

use super::Index;
use super::days::{Day, When};
use super::table::NONE;

/// BM25: how fast repetition stops counting, and how much long texts are held back. The usual values.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.75;

/// Most passages have fewer terms.
const MOST_LENGTHS: u32 = 512;

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
        saturated(often, self.held_back(length))
    }

    /// How much a text of so many terms is held back.
    fn held_back(self, length: u32) -> f64 {
        let relative = f64::from(length) / self.terms.max(1.0);
        SATURATION * (1.0 - LENGTH + LENGTH * relative)
    }
}

fn saturated(often: u32, held_back: f64) -> f64 {
    let often = f64::from(often);
    often * (SATURATION + 1.0) / (often + held_back)
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
    /// How much a passage of each length is held back, as long as most are.
    held_back: Vec<f64>,
    /// How often the term stands in each document; 0 again after each term. And in those that are found no longer,
    /// as in a last one that is never touched.
    often: Vec<u32>,
    found: Vec<(u32, u32)>,
    /// The documents that hold the term, as many as there are of them; room for all.
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
            held_back: (0..MOST_LENGTHS).map(|length| of_passages.held_back(length)).collect(),
            often: vec![0; index.table.documents() + 1],
            found: Vec::new(),
            touched: vec![0; index.table.documents() + 1],
            scores,
        }
    }

    /// Adds what a term is worth everywhere, and says in how many documents and passages it stands. Passages that hold
    /// it get these bits.
    pub(super) fn add(&mut self, term: u32, weight: f64, bits: u64) -> (u32, u32) {
        let table = &self.index.table;
        self.index.postings.read_into(term, &mut self.found);
        let (documents, passages) = self.gather();
        let worth = weight * self.of_documents.rarity(documents as f64);
        for &document in &self.touched[..documents] {
            let often = std::mem::take(&mut self.often[document as usize]);
            let length = table.all_terms[document as usize];
            let score = worth * self.of_documents.saturated(often, length);
            self.scores.documents[document as usize] += score as f32;
        }
        let worth = weight * self.of_passages.rarity(f64::from(passages));
        let Scores { passages: scores, held, .. } = &mut self.scores;
        for &(passage, often) in &self.found {
            let passage = passage as usize;
            let Some(&length) = table.terms.get(passage) else { continue };
            let held_back = self.held_back.get(usize::from(length)).copied();
            let held_back = held_back.unwrap_or_else(|| self.of_passages.held_back(length.into()));
            scores[passage] += (worth * saturated(often, held_back)) as f32;
            held[passage] |= bits;
        }
        (documents as u32, passages)
    }

    /// Counts how often the term that was found stands in each document, and says in how many documents and passages.
    fn gather(&mut self) -> (usize, u32) {
        let of_passages = &*self.index.table.document;
        let (often, touched) = (&mut *self.often, &mut *self.touched);
        let gone = often.len() - 1;
        often[gone] = 1;
        let (mut documents, mut passages) = (0, 0);
        // Nothing hangs on which document it is: that cannot be foretold.
        for &(passage, count) in &self.found {
            let document = of_passages.get(passage as usize).copied().unwrap_or(NONE);
            let at = (document as usize).min(gone);
            touched[documents] = document;
            documents += usize::from(often[at] == 0);
            often[at] += count;
            passages += u32::from(at < gone);
        }
        (documents, passages)
    }

    /// Adds what it is worth to have been said on such a day.
    pub(super) fn add_day(&mut self, when: When, weight: f64) {
        let table = &self.index.table;
        let mut touched = Vec::new();
        let holds = |(passage, day): (usize, Day)| when.holds(day).then_some(passage);
        let found: Vec<usize> = table.days().enumerate().filter_map(holds).collect();
        for &passage in found.iter().filter(|&&passage| table.document[passage] != NONE) {
            let document = table.document[passage];
            if std::mem::replace(&mut self.often[document as usize], 1) == 0 {
                touched.push(document);
            }
        }
        let worth = (weight * self.of_documents.rarity(touched.len() as f64)) as f32;
        for document in touched {
            self.often[document as usize] = 0;
            self.scores.documents[document as usize] += worth;
        }
        for passage in found {
            self.scores.passages[passage] += worth;
        }
    }
}
