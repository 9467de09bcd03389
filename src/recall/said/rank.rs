//! Ranking: which documents a query means, and which of their passages say it.
//!
//! A document's score is BM25 over its summary and log as one text, and a part of the score of its best
//! passage; on top of that, words of the query that stand side by side here too, words that look like those
//! of the query, and the days that the query speaks of.

use std::ops::RangeInclusive;
use std::sync::PoisonError;

use super::bits::bit;
use super::hit::{Hit, Looked};
use super::pairs::Pairs;
use super::query::{Query, Term};
use super::record::Look;
use super::score::{Adder, Ranked, Scores, Size, expected_documents};
use super::view::View;
use super::{Date, Index};
use crate::recall::asking::asks;
use crate::recall::changes::asks_for_newest;

/// Documents that are looked at term by term, and passages of each.
const MOST_READ: usize = 48;
const MOST_PASSAGES_READ: usize = 24;

/// The best of these, in which is read what stands side by side: one for each so many documents, but at least and at most
/// so many. Among more documents more are alike but for that.
const PAIRED_OF: usize = 32;
const MOST_PAIRED: RangeInclusive<usize> = 16..=MOST_READ;

/// Passages of all terms of a query together that are scored at most: a third of all passages, but at least and at most
/// so many; and how many terms always are. What stands in most passages tells them apart least, and takes longest: a
/// search among very many does not take longer and longer.
const MOST_SCORED: RangeInclusive<u32> = 1 << 12..=1 << 13;
const ALWAYS_SCORED: usize = 3;

/// Passages named in a hit.
const MOST_NAMED: usize = 4;

/// Hits of which it is told what was said later of the same, where somebody asks.
const MOST_FOLLOWED: usize = 3;

/// How much each kind of evidence counts beside the words themselves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    /// The best passage of a document.
    pub passage: f64,
    /// Two words side by side.
    pub pair: f64,
    /// A word that looks like one of the query.
    pub alike: f64,
    /// A word that means nearly the same as one of the query.
    pub related: f64,
    /// A day that the query speaks of.
    pub day: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Self { passage: 0.3, pair: 0.4, alike: 0.2, related: 0.5, day: 1.0 }
    }
}

/// A pair of the query and a passage that holds it, as one number: there are many to be sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Beside(u64);

impl Beside {
    fn new(pair: usize, passage: u32) -> Self {
        Self((pair as u64) << 32 | u64::from(passage))
    }

    fn pair(self) -> usize {
        (self.0 >> 32) as usize
    }

    fn passage(self) -> u32 {
        self.0 as u32
    }
}

impl Index {
    /// The documents that a query means, best first, at most `most`. Words like "yesterday" count from `now`.
    pub fn search(&self, query: &str, most: usize, now: Option<Date>) -> Vec<Hit> {
        self.search_by(query, most, now, Weights::default())
    }

    /// As [`Index::search`], with other weights; for measuring.
    pub fn search_by(
        &self,
        query: &str,
        most: usize,
        now: Option<Date>,
        weights: Weights,
    ) -> Vec<Hit> {
        let (of_documents, of_passages) = self.sizes();
        // Whoever asks wants to know how it is by now.
        let is_question = asks(query);
        let wants_newest = is_question && asks_for_newest(query);
        let mut query = self.understand(query, is_question, now, weights.related);
        let mut scores = self.scores(&mut query, weights, of_documents, of_passages);
        let best = self.best(&mut scores, weights);
        let mut looked: Vec<Looked> = best.into_iter().map(Looked::new).collect();
        let paired = most_paired(of_documents).min(looked.len());
        let (mut beside, mut room) = (Vec::new(), Vec::new());
        for one in &mut looked[..paired] {
            self.match_passages(one, &scores);
            self.look_for_pairs(one, &query.pairs, &scores, (&mut beside, &mut room));
        }
        let rare = rare_pairs(&beside, query.pairs.len());
        let worths = Self::pair_worths(&looked, &beside, query.pairs.len(), weights, of_documents);
        for one in &mut looked[..paired] {
            self.add_pairs(one, &beside[one.beside.clone()], &worths, &mut scores, of_documents);
            let of_rare = beside[one.beside.clone()].iter().filter(|two| rare[two.pair()]);
            one.paired.extend(of_rare.map(|two| two.passage()));
        }
        looked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
        looked.truncate(most);
        for one in looked.iter_mut().filter(|one| one.matching.is_empty()) {
            self.match_passages(one, &scores);
        }
        scores.ask(looked.iter().flat_map(|looked| &looked.matching));
        let view = View::new(self, &query, &scores, of_documents, of_passages);
        let mut hits: Vec<Hit> =
            looked.iter_mut().map(|looked| view.hit(looked, MOST_NAMED)).collect();
        let followed = if is_question { MOST_FOLLOWED } else { 0 };
        for (hit, looked) in hits.iter_mut().zip(&looked).take(followed) {
            hit.later = view.later(looked, wants_newest);
        }
        self.keep_scores(scores);
        hits
    }

    pub(super) fn sizes(&self) -> (Size, Size) {
        let (documents, terms) = self.table.used();
        let size = |count: u32| {
            let count = f64::from(count);
            Size { count, terms: terms as f64 / count.max(1.0) }
        };
        (size(documents), size(self.table.alive()))
    }

    fn scores(
        &self,
        query: &mut Query,
        weights: Weights,
        of_documents: Size,
        of_passages: Size,
    ) -> Scores {
        let mut adder = Adder::new(self, of_documents, of_passages, self.kept_scores());
        let is_short = query.is_short();
        let in_passages: Vec<u32> = query.terms.iter().map(|term| term.passages).collect();
        let alive = self.table.alive();
        let most = most_scored(alive);
        let is_common = too_common(&in_passages, most);
        let scored = in_passages.iter().zip(&is_common).filter(|(_, is_common)| !**is_common);
        let mut room = scored.fold(most, |room, (count, _)| room.saturating_sub(*count));
        for (place, term) in query.terms.iter_mut().enumerate() {
            if is_common[place] {
                term.documents = expected_documents(term.passages, of_documents);
            } else if let Some(number) = term.number {
                let beside = if term.is_wide { bit(term.group) } else { 0 };
                (term.documents, term.passages) =
                    adder.add(number, term.weight, Some(place), beside);
            }
            if is_short && weights.alike > 0.0 && may_be_misspelt(term, alive) {
                for (number, alike) in self.vocabulary.alike(&term.text, &mut adder.scores.alike) {
                    if let Some(left) = room.checked_sub(self.postings.count(number)) {
                        room = left;
                        adder.add(number, weights.alike * alike, None, 0);
                    }
                }
            }
        }
        for when in &query.when {
            adder.add_day(*when, weights.day);
        }
        adder.scores
    }

    /// Those of the last query; new ones while another one has them.
    fn kept_scores(&self) -> Scores {
        std::mem::take(&mut self.scores.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn keep_scores(&self, mut scores: Scores) {
        scores.clear(self);
        *self.scores.lock().unwrap_or_else(PoisonError::into_inner) = scores;
    }

    /// The best documents with their scores, the best passage of each counted in.
    fn best(&self, scores: &mut Scores, weights: Weights) -> Vec<(u32, f64)> {
        let both = |Ranked { document, own, best }| {
            (document, f64::from(own) + weights.passage * f64::from(best))
        };
        let mut ranked: Vec<(u32, f64)> = scores.ranked(self).into_iter().map(both).collect();
        let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if ranked.len() > MOST_READ {
            ranked.select_nth_unstable_by(MOST_READ, order);
            ranked.truncate(MOST_READ);
        }
        ranked.sort_unstable_by(order);
        ranked
    }

    /// The passages of a document that match best.
    fn match_passages(&self, looked: &mut Looked, scores: &Scores) {
        let matching = &mut looked.matching;
        let passages = self.table.of(looked.document);
        matching.reserve(MOST_PASSAGES_READ);
        matching.extend(passages.filter(|&passage| scores.of(passage) > 0.0));
        if matching.len() > MOST_PASSAGES_READ {
            let order = |a: &u32, b: &u32| scores.of(*b).total_cmp(&scores.of(*a)).then(b.cmp(a));
            matching.select_nth_unstable_by(MOST_PASSAGES_READ, order);
            matching.truncate(MOST_PASSAGES_READ);
        }
    }

    /// Which pairs stand in the passages of a document that match. Only those that hold both words of a pair are read.
    /// There is room for passages, which many documents share.
    fn look_for_pairs(
        &self,
        looked: &mut Looked,
        pairs: &Pairs,
        scores: &Scores,
        (beside, room): (&mut Vec<Beside>, &mut Vec<u32>),
    ) {
        let held = |passage: u32| scores.held(passage);
        room.clear();
        room.extend(looked.matching.iter().filter(|passage| pairs.may_stand_in(held(**passage))));
        let first = beside.len();
        self.look_at(room, |passage, look| {
            pairs
                .each_in(held(passage), look.terms, |pair| beside.push(Beside::new(pair, passage)));
        });
        beside[first..].sort_unstable();
        looked.beside = first..beside.len();
    }

    /// Looks at passages as they were added; those that stand close together are fetched at once.
    pub(super) fn look_at(&self, passages: &[u32], mut see: impl FnMut(u32, Look)) {
        let at = |passage: &u32| self.table.record(*passage).unwrap_or_default();
        let (first, last) = (passages.iter().map(at).min(), passages.iter().map(at).max());
        let Some((first, last)) = first.zip(last) else { return };
        let stretch = self.log.stretch(first, last, passages.len());
        for passage in passages {
            let content = stretch.content(at(passage));
            match content.as_deref().and_then(Look::read) {
                Some(look) => see(*passage, look),
                None => self.tell_damage(),
            }
        }
    }

    /// What each pair is worth; how rare it is, is told by the documents in which pairs were looked for, since most of those
    /// that hold both words are among them.
    fn pair_worths(
        looked: &[Looked],
        beside: &[Beside],
        pairs: usize,
        weights: Weights,
        of_documents: Size,
    ) -> Vec<f64> {
        let mut holding = vec![0_u32; pairs];
        for same in looked.iter().flat_map(|one| same_pairs(&beside[one.beside.clone()])) {
            holding[same[0].pair()] += 1;
        }
        let worth = |holding| weights.pair * of_documents.rarity(f64::from(holding));
        holding.into_iter().map(worth).collect()
    }

    /// Adds what stands side by side, to a document and its passages.
    fn add_pairs(
        &self,
        looked: &mut Looked,
        beside: &[Beside],
        worths: &[f64],
        scores: &mut Scores,
        of_documents: Size,
    ) {
        let length = self.table.all_terms[looked.document as usize];
        for same in same_pairs(beside) {
            let worth = worths[same[0].pair()];
            looked.score += worth * of_documents.saturated(same.len() as u32, length);
            for in_passage in same.chunk_by(PartialEq::eq) {
                scores.add(in_passage[0].passage(), worth as f32, 0);
            }
        }
    }
}

/// In how many of the best documents pairs are looked for, among so many documents.
fn most_paired(of_documents: Size) -> usize {
    (of_documents.count as usize / PAIRED_OF).clamp(*MOST_PAIRED.start(), *MOST_PAIRED.end())
}

/// How many passages of all terms of a query together are scored at most, among so many passages.
fn most_scored(alive: u32) -> u32 {
    (alive / 3).clamp(*MOST_SCORED.start(), *MOST_SCORED.end())
}

/// Whether other words may be meant by one that was asked for: what was said often was hardly said in another form alone,
/// and to look for those takes as long as to look for the word.
fn may_be_misspelt(term: &Term, alive: u32) -> bool {
    const OFTEN: u32 = 20;
    /// Of so many passages one.
    const ONE_OF: u32 = 100;
    term.is_asked && term.passages <= (alive / ONE_OF).max(OFTEN)
}

/// Of each term, whether so many passages hold it that it is not scored beside rarer ones, of at most `most` passages.
fn too_common(in_passages: &[u32], most: u32) -> Vec<bool> {
    let mut by_rarity: Vec<usize> = (0..in_passages.len()).collect();
    by_rarity.sort_by_key(|place| in_passages[*place]);
    let (mut is_common, mut sum) = (vec![false; in_passages.len()], 0_u32);
    for (nth, place) in by_rarity.into_iter().enumerate() {
        sum = sum.saturating_add(in_passages[place]);
        is_common[place] = nth >= ALWAYS_SCORED && sum > most;
    }
    is_common
}

/// Of each pair, whether it stands in so few passages that whoever says it means one of these.
fn rare_pairs(beside: &[Beside], pairs: usize) -> Vec<bool> {
    const FEW: u32 = 2;
    let mut holding = vec![0_u32; pairs];
    for two in beside {
        holding[two.pair()] += 1;
    }
    holding.into_iter().map(|holding| (1..=FEW).contains(&holding)).collect()
}

fn same_pairs(beside: &[Beside]) -> impl Iterator<Item = &[Beside]> {
    beside.chunk_by(|a, b| a.pair() == b.pair())
}

#[cfg(test)]
mod tests {
    use super::super::{Said, Source};
    use super::*;

    #[test]
    fn the_most_common_terms_are_not_scored_beside_enough_others() {
        assert_eq!(too_common(&[900, 5, 300, 700, 6], 1_000), [true, false, false, true, false]);
        assert_eq!(too_common(&[900, 5, 300, 700, 6], 1_100), [true, false, false, false, false]);
        assert_eq!(too_common(&[900, 950, 980], 1_000), [false; 3], "a few always are");
        assert_eq!(too_common(&[], 1_000), [false; 0]);
    }

    #[test]
    fn a_pair_that_stands_in_one_or_two_places_is_rare_however_common_its_words_are() {
        let mut index = Index::in_memory();
        let said = ["second test without Jem", "a test", "the second of it", "one more test"];
        for (turn, text) in (0..).zip(said) {
            let source = Source::Effort(format!("e{turn}"));
            index.add(Said { source: &source, turn, day: None }, 0, &[text]);
        }
        let hits = index.search("how long did the second test take", 4, None);
        let pairs = |id| {
            let hit = hits.iter().find(|hit| hit.source == Source::Effort(String::from(id)));
            hit.map(|hit| hit.passages[0].pairs)
        };
        assert_eq!([pairs("e0"), pairs("e1")], [Some(1), Some(0)]);
        let beside = [Beside::new(0, 4), Beside::new(1, 4), Beside::new(1, 5), Beside::new(1, 6)];
        assert_eq!(rare_pairs(&beside, 3), [true, false, false]);
    }

    #[test]
    fn a_search_among_more_and_more_passages_scores_no_more_and_more_of_them() {
        let alive = [100, 15_000, 1_000_000, u32::MAX];
        assert_eq!(alive.map(most_scored), [1 << 12, 5_000, 1 << 13, 1 << 13]);
    }

    #[test]
    fn pairs_are_looked_for_in_more_documents_where_there_are_more() {
        let most = |count| most_paired(Size { count, terms: 300.0 });
        assert_eq!([3.0, 640.0, 1_000.0, 1e6].map(most), [16, 20, 31, 48]);
    }
}
