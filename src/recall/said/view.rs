//! What a query made of the index, as whoever asked reads it.

use std::sync::Arc;

use super::chance::{Chances, Match};
use super::few::stands_in_few;
use super::hit::{Hit, Looked, Passage};
use super::later::Later;
use super::query::{Kind, Query, Term};
use super::record::Look;
use super::score::{Scores, Size};
use super::stretches::{self, Held};
use super::{Index, Source, passages};
use crate::recall::everyday;

/// What a query made of the index.
pub(super) struct View<'a> {
    index: &'a Index,
    query: &'a Query,
    scores: &'a Scores,
    of_documents: Chances<'a>,
    of_passages: Chances<'a>,
    /// How many terms a passage has, about.
    length: f64,
    /// Of each term of the query, how many are more telling.
    ranks: Vec<usize>,
}

impl<'a> View<'a> {
    pub(super) fn new(
        index: &'a Index,
        query: &'a Query,
        scores: &'a Scores,
        of_documents: Size,
        of_passages: Size,
    ) -> Self {
        let length = of_passages.terms;
        let of_documents = Chances::new(query, of_documents, |term| term.documents);
        let of_passages = Chances::new(query, of_passages, |term| term.passages);
        Self { index, query, scores, of_documents, of_passages, length, ranks: query.by_rarity() }
    }

    pub(super) fn hit(&self, looked: &mut Looked, most: usize) -> Hit {
        let chance = self.chance(looked);
        let score_of = |passage: u32| self.scores.of(passage);
        let order = |a: &u32, b: &u32| score_of(*b).total_cmp(&score_of(*a)).then(b.cmp(a));
        looked.matching.sort_unstable_by(order);
        looked.matching.truncate(most);
        let mut passages = Vec::with_capacity(looked.matching.len());
        let mut held = Vec::new();
        self.index.look_at(&looked.matching, |number, look| {
            self.scores.terms_of(number, &mut held);
            let mut passage = self.passage(&look, score_of(number), &mut held);
            passage.pairs = looked.paired.iter().filter(|one| **one == number).count();
            passages.push(passage);
        });
        let source = passages::source(self.index.table.key(looked.document));
        let score = rounded(looked.score);
        Hit { source, score, chance, passages, later: Vec::new() }
    }

    /// What was said behind the passages of a document that match best and shares words with them.
    pub(super) fn later(&self, looked: &Looked, wants_newest: bool) -> Vec<(Source, Passage)> {
        /// The best one is often a remark that names nothing.
        const BEST: usize = 3;
        let table = &self.index.table;
        let is_asked = |word: &str| {
            self.query.terms.iter().any(|term| term.text == word && !term.is_grammar())
        };
        // Who is asked for by what they are is often named right behind.
        let first = looked.matching.first().filter(|_| wants_newest).map(|first| first + 1);
        let behind = first.filter(|behind| {
            table.of(looked.document).any(|one| one == *behind) && !looked.matching.contains(behind)
        });
        let mut told = Vec::new();
        for best in looked.matching.iter().take(BEST).copied().chain(behind) {
            self.index.later(best, |look, Later { passage, words, rare }| {
                let source = passages::source(table.key(table.document[passage as usize]));
                let telling = words.iter().filter(|word| is_asked(word)).count();
                let passage = self.passage(look, 0.0, &mut []);
                told.push((source, Passage { words, telling, rare, ..passage }));
            });
        }
        told
    }

    /// How many documents, or passages, would match as well by chance: as one of its own, whichever says less.
    fn chance(&self, looked: &Looked) -> f64 {
        let mut often = vec![0; self.query.terms.len()];
        let mut held = Vec::new();
        let table = &self.index.table;
        let matches = looked.matching.iter().map(|&passage| {
            self.scores.terms_of(passage, &mut held);
            for &(place, count) in &held {
                often[place] += count;
            }
            self.of_passages.of(&held, table.terms[passage as usize].into())
        });
        // The better one matches, the fewer do by chance.
        let best = matches.reduce(Match::max);
        let all = often.into_iter().enumerate().filter(|(_, often)| *often > 0).collect::<Vec<_>>();
        let whole = self.of_documents.of(&all, table.all_terms[looked.document as usize]);
        let as_document = self.of_documents.expected(whole);
        best.map_or(as_document, |best| as_document.min(self.of_passages.expected(best)))
    }

    fn passage(&self, look: &Look, score: f32, held: &mut [(usize, u32)]) -> Passage {
        held.sort_unstable_by_key(|(place, _)| self.ranks[*place]);
        let terms = || held.iter().map(|(place, _)| &self.query.terms[*place]);
        let is_of_day = self.query.when.iter().any(|when| when.holds(look.day));
        let day = look.day.date();
        let alive = self.index.table.alive();
        let day_named = day.filter(|_| is_of_day).map(|day| day.to_string().into());
        let unspaced = self.unspaced(held);
        let terms =
            || terms().filter(|term| self.query.runs.is_empty() || !stretches::is_part(term));
        let whole = |fits: fn(&Held) -> bool| unspaced.iter().filter(|held| fits(held)).count();
        let is_rare = |term: &Term| term.is_telling() && stands_in_few(term.passages, alive);
        let words = unspaced.iter().map(|held| Arc::clone(&held.word));
        Passage {
            place: look.place.clone(),
            turn: look.turn,
            day,
            score: rounded(score.into()),
            words: words
                .chain(terms().map(|term| Arc::clone(&term.word)))
                .chain(day_named)
                .collect(),
            telling: whole(|held| held.is_telling)
                + terms().filter(|term| term.is_telling()).count(),
            rare: whole(|held| held.is_rare) + terms().filter(|term| is_rare(term)).count(),
            near: terms()
                .filter(|term| self.query.is_near(term) && stands_in_few(term.passages, alive))
                .count(),
            topics: terms().filter(|term| self.is_topic(term)).count(),
            seldom: terms().filter(|term| is_seldom(term)).count(),
            pairs: 0,
            numbers: terms().filter(|term| term.is_small_number()).count(),
            grammar: whole(|held| held.is_common)
                + terms().filter(|term| term.is_grammar()).count(),
            is_of_day,
            is_of_name: false,
            meaning: None,
        }
    }

    /// Whether a word of every day was said far more often than English has it: chats have the commonest ones more often.
    fn is_topic(&self, term: &Term) -> bool {
        const MOST_PER_THOUSAND: f64 = 0.1;
        const LEAST: u32 = 4;
        const TIMES: f64 = 5.0;
        let said = f64::from(self.index.table.alive()) * self.length;
        term.is_asked
            && term.kind == Kind::Everyday
            && everyday::is_common(term.per_thousand)
            && term.per_thousand < MOST_PER_THOUSAND
            && term.passages >= LEAST
            && f64::from(term.passages) > TIMES * said * term.per_thousand / 1000.0
    }

    /// What a passage holds of the query in scripts without spaces.
    fn unspaced(&self, held: &[(usize, u32)]) -> Vec<Held> {
        if self.query.runs.is_empty() {
            return Vec::new();
        }
        let alive = self.index.table.alive();
        let terms = held.iter().map(|(place, _)| &self.query.terms[*place]);
        let parts: Vec<&Term> = terms.filter(|term| stretches::is_part(term)).collect();
        stretches::held(&self.query.runs, &parts, alive, |passages| stands_in_few(passages, alive))
    }
}

/// Whether a word of every day was seldom said.
fn is_seldom(term: &Term) -> bool {
    const FEW: u32 = 2;
    term.is_asked && term.kind == Kind::Everyday && term.passages <= FEW
}

fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}
