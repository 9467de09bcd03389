//! Whether something stands out from what chance would bring about.

use super::query::{MOST_TERMS, Query, Term};
use super::score::Size;

/// A word of a query: in which share of all documents it stands, and what it brings a document that holds it.
#[derive(Debug, Clone, Copy)]
struct Odds {
    /// Above 0, below 1.
    share: f64,
    /// The score of the word in an ordinary document.
    score: f64,
}

/// Exponents that the bound is tried with.
const TILTS: [f64; 7] = [0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0];

/// The words of a query, and what all of them together add to the bound of each exponent.
#[derive(Debug)]
struct Words {
    odds: Vec<Odds>,
    spread: [f64; TILTS.len()],
}

impl Words {
    fn new(odds: Vec<Odds>) -> Self {
        let spread = TILTS.map(|t| {
            let of_word = |word: &Odds| (word.share * (t * word.score).exp_m1()).ln_1p();
            odds.iter().map(of_word).sum()
        });
        Self { odds, spread }
    }

    /// How many documents would score at least `score` if the words fell into them independently, where `all` is the
    /// logarithm of how many there are: an upper bound, by Chernoff. Much below 1: this is no coincidence.
    fn expected(&self, all: f64, score: f64) -> f64 {
        let bound = |(t, spread): (f64, f64)| all - t * score + spread;
        let bounds = TILTS.into_iter().zip(self.spread).map(bound);
        bounds.fold(all, f64::min).exp()
    }
}

/// What chance would make of a query, in documents and in passages: of the words themselves, and of these or words that
/// mean nearly the same.
pub(super) struct Chances<'a> {
    query: &'a Query,
    of_documents: Size,
    of_passages: Size,
    in_documents: [Words; 2],
    in_passages: [Words; 2],
}

impl<'a> Chances<'a> {
    pub(super) fn new(query: &'a Query, of_documents: Size, of_passages: Size) -> Self {
        let in_documents = both_odds(query, of_documents, |term| term.documents);
        let in_passages = both_odds(query, of_passages, |term| term.passages);
        Self { query, of_documents, of_passages, in_documents, in_passages }
    }

    /// How many documents would match as well that hold the terms so often.
    pub(super) fn of_document(&self, terms: &[u32], length: u32) -> f64 {
        self.of(self.of_documents, &self.in_documents, terms, length)
    }

    /// The same for passages.
    pub(super) fn of_passage(&self, terms: &[u32], length: u32) -> f64 {
        self.of(self.of_passages, &self.in_passages, terms, length)
    }

    fn of(&self, size: Size, [own, groups]: &[Words; 2], terms: &[u32], length: u32) -> f64 {
        let (mut of_groups, all) = ([0; MOST_TERMS], size.count.ln());
        for (term, often) in self.query.terms.iter().zip(terms) {
            of_groups[term.group] += often;
        }
        let expected = |words: &Words, terms: &[u32]| {
            let both = terms.iter().zip(&words.odds).filter(|(often, _)| **often > 0);
            let score = both.map(|(&often, odds)| odds.score * size.saturated(often, length)).sum();
            words.expected(all, score)
        };
        expected(own, terms).min(expected(groups, &of_groups))
    }
}

/// The odds of the words that were asked for, and of their groups.
fn both_odds(query: &Query, size: Size, held: fn(&Term) -> u32) -> [Words; 2] {
    let asked = || query.terms.iter().filter(|term| term.is_asked);
    let own: Vec<f64> = asked().map(|term| share(term, held(term), size)).collect();
    let mut groups = vec![0.0; own.len()];
    for term in &query.terms {
        groups[term.group] += share(term, held(term), size);
    }
    let odds = |share: f64| {
        let share = share.clamp(1e-9, 0.999);
        Odds { share, score: -share.ln() }
    };
    [own, groups].map(|shares| Words::new(shares.into_iter().map(odds).collect()))
}

/// In which share of all texts a word stands. While the index is too small to tell, English tells.
fn share(term: &Term, held: u32, size: Size) -> f64 {
    /// So many texts' worth of knowledge on English words is brought along.
    const BROUGHT: f64 = 8.0;
    let expected = term.per_thousand / 1000.0 * size.terms;
    let english = 1.0 - (-expected).exp();
    (f64::from(held) + BROUGHT * english) / (size.count + BROUGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_together_are_no_coincidence_and_common_ones_are() {
        let word = |share: f64| Odds { share, score: -share.ln() };
        let rare = [word(0.01), word(0.01), word(0.3)];
        let common = [word(0.3), word(0.4), word(0.3)];
        let all = |odds: &[Odds]| odds.iter().map(|one| one.score).sum::<f64>();
        let expected =
            |odds: &[Odds], score| Words::new(odds.to_vec()).expected(100_f64.ln(), score);
        assert!(expected(&rare, all(&rare)) < 0.1);
        assert!(expected(&common, all(&common)) > 1.0);
        assert!(expected(&rare, 0.0) >= 99.9);
    }

    #[test]
    fn a_longer_query_has_to_share_more() {
        let word = Odds { share: 0.05, score: 3.0 };
        let expected = |words| Words::new(vec![word; words]).expected(100_f64.ln(), 9.0);
        assert!(expected(3) < expected(12));
    }
}
