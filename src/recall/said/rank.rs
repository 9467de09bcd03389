//! Ranking: which documents a query means, and which of their passages say it.
//!
//! A document's score is BM25 over its summary and log as one text, and a part of the score of its best
//! passage; on top of that, words of the query that stand side by side here too, words that look like those
//! of the query, and the days that the query speaks of.

use std::ops::Range;

use super::chance::Chances;
use super::days::Day;
use super::query::{Query, bit};
use super::record::Look;
use super::score::{Adder, Scores, Size};
use super::{Date, Index, Place, Source};

/// Documents that are looked at term by term, and passages of each.
const MOST_READ: usize = 48;
const MOST_PASSAGES_READ: usize = 24;

/// Passages named in a hit.
const MOST_PASSAGES: usize = 5;

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
        Self { passage: 0.4, pair: 0.3, alike: 0.2, related: 0.5, day: 1.0 }
    }
}

/// A document that a query means.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// What it is.
    pub source: Source,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// How many documents would match as well by chance; much below 1, it stands out.
    pub chance: f64,
    /// Its passages that match best, the best first.
    pub passages: Vec<Passage>,
}

/// A passage that a query means.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// Where it stands.
    pub place: Place,
    /// The turn in which it was said.
    pub turn: u64,
    /// The day, if it is known.
    pub day: Option<Date>,
    /// How well it matches; comparable within one query only.
    pub score: f64,
    /// The words of the query that it holds, as typed, the most telling first, and the day if the query speaks of it.
    pub words: Vec<String>,
    /// How many of them are no everyday words of English.
    pub telling: usize,
    /// How many of them are numbers of one or two digits, which stand everywhere.
    pub numbers: usize,
    /// The query speaks of its day.
    pub is_of_day: bool,
    /// How many texts would be as near to the query in meaning by chance; `None` where that was not compared.
    pub meaning: Option<f64>,
}

impl Passage {
    /// How many words of the query it holds, numbers of one or two digits aside.
    pub fn shared(&self) -> usize {
        self.words.len() - self.numbers
    }
}

impl Hit {
    /// Whether it matches better than chance would bring about.
    pub fn stands_out(&self) -> bool {
        const COINCIDENCE: f64 = 0.5;
        self.chance < COINCIDENCE
    }

    /// Whether a passage shares a word with the query that is no everyday word of English, or is of a day that it
    /// speaks of.
    pub fn is_telling(&self) -> bool {
        self.passages.iter().any(|passage| passage.telling > 0 || passage.is_of_day)
    }
}

/// A document that comes into question.
#[derive(Debug)]
struct Looked {
    document: u32,
    score: f64,
    /// Those of its passages that match best.
    matching: Vec<u32>,
    /// How often it holds each pair of the query.
    pairs: Vec<u32>,
    /// The passages that hold pairs, and which, as often as they do.
    beside: Vec<(u32, usize)>,
}

/// A passage that was looked at term by term.
#[derive(Debug)]
struct Read {
    number: u32,
    place: Place,
    turn: u64,
    day: Day,
    /// Where it is told how often it holds each term of the query.
    terms: Range<usize>,
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
        let mut query = self.understand(query, now, weights.related);
        let mut scores = self.scores(&mut query, weights, of_documents, of_passages);
        let mut looked: Vec<Looked> = self
            .best(&scores, weights)
            .into_iter()
            .map(|(document, score)| self.examine(document, score, &query, &scores))
            .collect();
        let worths = self.add_pairs(&mut looked, query.pairs.len(), weights, of_documents);
        looked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
        looked.truncate(most);
        for one in &mut looked {
            one.beside.sort_unstable();
            one.beside.dedup();
            let worth = |&(passage, pair): &(u32, usize)| (passage as usize, worths[pair] as f32);
            one.beside.iter().map(worth).for_each(|(at, worth)| scores.passages[at] += worth);
        }
        let chances = Chances::new(&query, of_documents, of_passages);
        looked.iter().map(|looked| self.hit(looked, &scores, &query, &chances)).collect()
    }

    pub(super) fn sizes(&self) -> (Size, Size) {
        let used = self.table.all_terms.iter().filter(|&&terms| terms > 0);
        let documents = used.clone().count() as f64;
        let all = used.map(|&terms| f64::from(terms)).sum::<f64>();
        let passages = f64::from(self.table.alive());
        let size = |count: f64| Size { count, terms: all / count.max(1.0) };
        (size(documents), size(passages))
    }

    fn scores(
        &self,
        query: &mut Query,
        weights: Weights,
        of_documents: Size,
        of_passages: Size,
    ) -> Scores {
        let mut adder = Adder::new(self, of_documents, of_passages);
        let is_short = query.is_short();
        for (place, term) in query.terms.iter_mut().enumerate() {
            if let Some(number) = term.number {
                (term.documents, term.passages) = adder.add(number, term.weight, bit(place));
            }
            if term.is_asked && is_short && weights.alike > 0.0 {
                for (number, alike) in self.vocabulary.alike(&term.text) {
                    adder.add(number, weights.alike * alike, 0);
                }
            }
        }
        for when in &query.when {
            adder.add_day(*when, weights.day);
        }
        adder.scores
    }

    /// The best documents with their scores, the best passage of each counted in.
    fn best(&self, scores: &Scores, weights: Weights) -> Vec<(u32, f64)> {
        let mut best = vec![0_f32; scores.documents.len()];
        for (&document, &score) in self.table.document.iter().zip(&scores.passages) {
            if let Some(best) = best.get_mut(document as usize) {
                *best = best.max(score);
            }
        }
        let both = |(document, (&own, &best)): (usize, (&f32, &f32))| {
            (document as u32, f64::from(own) + weights.passage * f64::from(best))
        };
        let all = scores.documents.iter().zip(&best).enumerate().map(both);
        let mut ranked: Vec<(u32, f64)> = all.filter(|(_, score)| *score > 0.0).collect();
        let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if ranked.len() > MOST_READ {
            ranked.select_nth_unstable_by(MOST_READ, order);
            ranked.truncate(MOST_READ);
        }
        ranked.sort_by(order);
        ranked
    }

    /// A document's passages that match, and what stands side by side in them. Only those that hold both words of a pair
    /// are read.
    fn examine(&self, document: u32, score: f64, query: &Query, scores: &Scores) -> Looked {
        let score_of = |passage: u32| scores.passages[passage as usize];
        let mut matching: Vec<u32> =
            self.table.of(document).filter(|&passage| score_of(passage) > 0.0).collect();
        if matching.len() > MOST_PASSAGES_READ {
            let order = |a: &u32, b: &u32| score_of(*b).total_cmp(&score_of(*a)).then(b.cmp(a));
            matching.select_nth_unstable_by(MOST_PASSAGES_READ, order);
            matching.truncate(MOST_PASSAGES_READ);
        }
        let mut pairs = vec![0; query.pairs.len()];
        let may_hold = |&passage: &u32| {
            let here = scores.held[passage as usize];
            query.pair_bits.iter().any(|both| here & both == *both)
        };
        let candidates: Vec<u32> = matching.iter().copied().filter(may_hold).collect();
        let mut beside = Vec::with_capacity(4 * candidates.len());
        self.look_at(&candidates, |number, look| {
            query.pairs_in(look.terms, |pair| {
                pairs[pair] += 1;
                beside.push((number, pair));
            });
        });
        Looked { document, score, matching, pairs, beside }
    }

    /// The passages of a document that match, and how often they hold each term of the query.
    fn read(&self, looked: &Looked, query: &Query) -> (Vec<Read>, Vec<u32>) {
        let mut read = Vec::with_capacity(looked.matching.len());
        let mut often = Vec::with_capacity(looked.matching.len() * query.terms.len());
        self.look_at(&looked.matching, |number, look| {
            let Look { place, turn, day, terms: bytes } = look;
            let terms = often.len()..often.len() + query.terms.len();
            often.resize(terms.end, 0);
            query.count_in(bytes, &mut often[terms.clone()]);
            read.push(Read { number, place, turn, day, terms });
        });
        (read, often)
    }

    /// Looks at passages as they were added; those that stand close together are fetched at once.
    fn look_at(&self, passages: &[u32], mut see: impl FnMut(u32, Look)) {
        let at = |passage: &u32| self.table.record(*passage).unwrap_or_default();
        let (first, last) = (passages.iter().map(at).min(), passages.iter().map(at).max());
        let Some((first, last)) = first.zip(last) else { return };
        let stretch = self.log.stretch(first, last);
        for passage in passages {
            let content = stretch.content(at(passage));
            match content.as_deref().and_then(Look::read) {
                Some(look) => see(*passage, look),
                None => self.tell_damage(),
            }
        }
    }

    /// Counts what stands side by side, and says what each pair is worth; how rare it is, is told by the documents that
    /// were looked at, since those that hold both words are among them.
    fn add_pairs(
        &self,
        looked: &mut [Looked],
        pairs: usize,
        weights: Weights,
        of_documents: Size,
    ) -> Vec<f64> {
        let worth = |pair: usize| {
            let holding = looked.iter().filter(|one| one.pairs[pair] > 0).count();
            weights.pair * of_documents.rarity(holding as f64)
        };
        let worths: Vec<f64> = (0..pairs).map(worth).collect();
        for one in looked {
            let length = self.table.all_terms[one.document as usize];
            for (often, worth) in one.pairs.iter().zip(&worths).filter(|(often, _)| **often > 0) {
                one.score += worth * of_documents.saturated(*often, length);
            }
        }
        worths
    }

    fn hit(&self, looked: &Looked, scores: &Scores, query: &Query, chances: &Chances) -> Hit {
        let (passages, often) = self.read(looked, query);
        let held = |read: &Read| &often[read.terms.clone()];
        let by_rarity = query.by_rarity();
        let score_of = |read: &Read| f64::from(scores.passages[read.number as usize]);
        let rounded = |score: f64| (score * 1000.0).round() / 1000.0;
        let mut best: Vec<&Read> = passages.iter().collect();
        best.sort_by(|a, b| score_of(b).total_cmp(&score_of(a)).then(b.number.cmp(&a.number)));
        let passage = |read: &&Read| {
            let score = rounded(score_of(read));
            let is_held = |at: &&usize| held(read)[**at] > 0;
            let word = |at: &usize| query.terms[*at].word.clone();
            let mut words: Vec<String> = by_rarity.iter().filter(is_held).map(word).collect();
            let is_of_day = query.when.iter().any(|when| when.holds(read.day));
            words.extend(read.day.date().filter(|_| is_of_day).map(|day| day.to_string()));
            Passage {
                place: read.place.clone(),
                turn: read.turn,
                day: read.day.date(),
                score,
                words,
                telling: query.telling(held(read)),
                numbers: query.numbers(held(read)),
                is_of_day,
                meaning: None,
            }
        };
        let length = self.table.all_terms[looked.document as usize];
        let as_passage = passages.iter().map(|read| {
            let length = u32::from(self.table.terms[read.number as usize]);
            chances.of_passage(held(read), length)
        });
        let terms: Vec<u32> = (0..query.terms.len())
            .map(|term| passages.iter().map(|read| held(read)[term]).sum())
            .collect();
        let as_document = chances.of_document(&terms, length);
        Hit {
            source: super::passages::source(&self.table.key[looked.document as usize]),
            score: rounded(looked.score),
            chance: as_passage.fold(as_document, f64::min),
            passages: best.iter().take(MOST_PASSAGES).map(passage).collect(),
        }
    }
}
