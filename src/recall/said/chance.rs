//! Whether something stands out from what chance would bring about.

use super::bits::MOST_TERMS;
use super::query::{Query, Term};
use super::score::{Size, saturated};

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

    /// The score of a text that holds words so often, and is held back so much.
    fn score(&self, held: impl Iterator<Item = (usize, u32)>, held_back: f64) -> f64 {
        let known = held.filter_map(|(place, often)| Some((self.odds.get(place)?, often)));
        known.map(|(odds, often)| odds.score * saturated(often, held_back)).sum()
    }
}

/// What chance would make of a query in texts of one kind: of the words themselves, and of these or words that mean
/// nearly the same, where there are any.
pub(super) struct Chances<'a> {
    query: &'a Query,
    size: Size,
    /// The logarithm of how many texts there are.
    all: f64,
    own: Words,
    groups: Option<Words>,
}

/// How well a text matches, by the words themselves and by their groups.
#[derive(Debug, Clone, Copy)]
pub(super) struct Match {
    own: f64,
    groups: f64,
}

impl Match {
    /// The better of two.
    pub(super) fn max(self, other: Self) -> Self {
        Self { own: self.own.max(other.own), groups: self.groups.max(other.groups) }
    }
}

impl<'a> Chances<'a> {
    /// In texts of which there are so many, and as many hold a term.
    pub(super) fn new(query: &'a Query, size: Size, holding: fn(&Term) -> u32) -> Self {
        let shares: Vec<f64> =
            query.terms.iter().map(|term| share(term, holding(term), size)).collect();
        let asked = query.terms.iter().take_while(|term| term.is_asked).count();
        let groups = (asked < shares.len()).then(|| {
            let mut groups = vec![0.0; asked];
            let in_groups = query.terms.iter().zip(&shares).filter(|(term, _)| !term.is_grammar());
            in_groups.for_each(|(term, share)| groups[term.group] += share);
            Words::new(groups.into_iter().map(odds).collect())
        });
        let own = Words::new(shares.into_iter().take(asked).map(odds).collect());
        Self { query, size, all: size.count.ln(), own, groups }
    }

    /// How well a text of so many terms matches that holds terms of the query, by their places, so often.
    pub(super) fn of(&self, held: &[(usize, u32)], length: u32) -> Match {
        let held_back = self.size.held_back(length);
        let own = self.own.score(held.iter().copied(), held_back);
        let of_groups = |groups: &Words| {
            let mut often = [0; MOST_TERMS];
            for &(place, count) in held {
                let term = &self.query.terms[place];
                often[term.group] += if term.is_grammar() { 0 } else { count };
            }
            let held = often.into_iter().enumerate().filter(|(_, often)| *often > 0);
            groups.score(held, held_back)
        };
        Match { own, groups: self.groups.as_ref().map_or(own, of_groups) }
    }

    /// How many texts would match as well.
    pub(super) fn expected(&self, matched: Match) -> f64 {
        let own = self.own.expected(self.all, matched.own);
        let of_groups = |groups: &Words| groups.expected(self.all, matched.groups);
        self.groups.as_ref().map_or(own, |groups| own.min(of_groups(groups)))
    }
}

/// The odds of a word that stands in such a share of all texts.
fn odds(share: f64) -> Odds {
    let share = share.clamp(1e-9, 0.999);
    Odds { share, score: -share.ln() }
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
        let rare = [0.01, 0.01, 0.3].map(odds);
        let common = [0.3, 0.4, 0.3].map(odds);
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
