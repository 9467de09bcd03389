//! Which documents are best: the score of a document counts in that of its best passage, and passages are scored only in
//! documents that can be among the best.

use super::Index;
use super::postings::Entries;
use super::score::{Scores, Size, SoughtAll};

/// Most passages have fewer terms.
const MOST_LENGTHS: u32 = 512;

/// By so much more than it should a sum of many small numbers may come out.
const ROUNDING: f64 = 1.000_01;

/// A document that is among the best.
#[derive(Debug)]
pub(super) struct Best<'a> {
    pub(super) document: u32,
    pub(super) score: f64,
    /// Its passages that hold a term of the query, by the place of that term, ascending.
    pub(super) held: Vec<(usize, Entries<'a>)>,
}

/// Passages of a document that hold the term of a place in the query.
#[derive(Debug, Clone, Copy)]
struct HeldRun<'a> {
    document: u32,
    place: usize,
    entries: Entries<'a>,
}

/// Looks for the best documents.
pub(super) struct Finder<'a> {
    index: &'a Index,
    sought: &'a SoughtAll<'a>,
    of_passages: Size,
    /// How much the best passage of a document counts.
    weight: f64,
    /// What a term counts that stands once in a passage, of each length that most have: a division takes long.
    once: Vec<f64>,
    held: Vec<HeldRun<'a>>,
}

impl<'a> Finder<'a> {
    pub(super) fn new(
        index: &'a Index,
        sought: &'a SoughtAll<'a>,
        of_passages: Size,
        weight: f64,
    ) -> Self {
        let once = (0..MOST_LENGTHS).map(|length| of_passages.saturated(1, length)).collect();
        Self { index, sought, of_passages, weight, once, held: Vec::new() }
    }

    /// The best documents, so many at most, the best first. Their passages have their scores then.
    pub(super) fn best(mut self, scores: &mut Scores, most: usize) -> Vec<Best<'a>> {
        let bound = |document: &u32| (*document, self.bound(scores, *document));
        let mut bounds: Vec<(u32, f64)> = scores.scored_documents.iter().map(bound).collect();
        if bounds.len() > most {
            bounds.select_nth_unstable_by(most, by_score);
        }
        let (first, others) = bounds.split_at(most.min(bounds.len()));
        let mut best = self.scored(first.iter(), scores);
        let least = best.iter().map(|(_, score)| *score).fold(f64::INFINITY, f64::min);
        best.extend(self.scored(others.iter().filter(|(_, bound)| *bound >= least), scores));
        best.sort_unstable_by(by_score);
        best.truncate(most);
        self.with_held(&best, scores)
    }

    /// What a document scores at most.
    fn bound(&self, scores: &Scores, document: u32) -> f64 {
        let at = document as usize;
        (f64::from(scores.documents[at]) + self.weight * f64::from(scores.most[at])) * ROUNDING
    }

    /// Documents with their scores; their passages have theirs then.
    fn scored<'b>(
        &mut self,
        documents: impl Iterator<Item = &'b (u32, f64)> + Clone,
        scores: &mut Scores,
    ) -> Vec<(u32, f64)> {
        let documents = documents.map(|(document, _)| *document);
        let before = scores.scored.len();
        self.score_passages(documents.clone(), scores);
        for nth in before..scores.scored.len() {
            let passage = scores.scored[nth];
            let Some(document) = self.index.table.document(passage) else { continue };
            let best = &mut scores.best[document as usize];
            *best = best.max(scores.passages[passage as usize]);
        }
        let score = |document: u32| {
            let (own, best) = (scores.documents[document as usize], scores.best[document as usize]);
            (document, f64::from(own) + self.weight * f64::from(best))
        };
        documents.map(score).collect()
    }

    fn score_passages(&mut self, documents: impl Iterator<Item = u32> + Clone, scores: &mut Scores) {
        let (table, sought) = (&self.index.table, self.sought);
        documents.clone().for_each(|document| scores.marks[document as usize] = 1);
        for term in &sought.terms {
            for run in term.list.runs() {
                let Some((document, is_whole)) = table.whole_document(run.first) else { continue };
                if scores.marks[document as usize] == 0 {
                    continue;
                }
                for entry in run.entries {
                    let is_found = is_whole || table.document(entry.passage).is_some();
                    let length = table.terms.get(entry.passage as usize).filter(|_| is_found);
                    let Some(&length) = length else { continue };
                    let counts = self.counts(entry.often, length.into());
                    scores.add_to_passage(entry.passage, (term.worth * counts) as f32);
                }
                let held = |place| HeldRun { document, place, entries: run.entries };
                self.held.extend(term.place.map(held));
            }
        }
        for (when, worth) in &sought.days {
            let passages = documents.clone().flat_map(|document| table.of(document));
            for passage in passages.filter(|passage| when.holds(table.day(*passage))) {
                scores.add_to_passage(passage, *worth);
            }
        }
        documents.for_each(|document| scores.marks[document as usize] = 0);
    }

    fn counts(&self, often: u32, length: u32) -> f64 {
        let once = self.once.get(length as usize).filter(|_| often == 1);
        once.copied().unwrap_or_else(|| self.of_passages.saturated(often, length))
    }

    fn with_held(self, best: &[(u32, f64)], scores: &mut Scores) -> Vec<Best<'a>> {
        let with = |&(document, score): &(u32, f64)| Best { document, score, held: Vec::new() };
        let mut found: Vec<Best<'a>> = best.iter().map(with).collect();
        for (nth, one) in (1..).zip(best) {
            scores.marks[one.0 as usize] = nth;
        }
        for HeldRun { document, place, entries } in self.held {
            let nth = scores.marks[document as usize] as usize;
            if let Some(best) = nth.checked_sub(1).and_then(|nth| found.get_mut(nth)) {
                best.held.push((place, entries));
            }
        }
        best.iter().for_each(|(document, _)| scores.marks[*document as usize] = 0);
        found
    }
}

fn by_score(a: &(u32, f64), b: &(u32, f64)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}
