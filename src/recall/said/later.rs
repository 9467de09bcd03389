//! What was said later of the same: a correction seldom names what it corrects as a question does, but mostly somebody or
//! something that was named there.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::days::Day;
use super::record::Look;
use super::{Index, forms};

/// Later passages that are told of one. What shares but one word with it may do so by chance.
const MOST: usize = 4;

/// Those that share most are looked at, whether they are later.
const MOST_LOOKED_AT: usize = 8;

/// A word is rare in what was said if it stands in one passage of so many, or in so few; among very many passages in more
/// than a few by chance.
const ONE_OF: u32 = 50;
const FEW: RangeInclusive<u32> = 3..=12;

/// Whether a word that stands in so many of all passages is rare among them.
pub(super) fn is_rare(passages: u32, alive: u32) -> bool {
    passages <= (alive / ONE_OF).clamp(*FEW.start(), *FEW.end())
}

/// When something was said: passages are not always indexed in their order.
fn moment(look: &Look) -> (Day, u64) {
    (look.day, look.turn)
}

impl Index {
    /// Tells the passages that were said behind one and share with it what is rarely said, those that share most first, each
    /// with these terms.
    pub(super) fn later(&self, passage: u32, mut tell: impl FnMut(u32, &Look, &[u32])) {
        let mut base = None;
        self.look_at(&[passage], |_, look| base = Some((moment(&look), self.rare(&look))));
        let Some((moment_of_base, rare)) = base else { return };
        let mut shared: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut found = Vec::new();
        for term in rare {
            self.postings.read_into(term, &mut found);
            for (other, _) in found.iter().filter(|(other, _)| self.table.is_said(*other)) {
                shared.entry(*other).or_default().push(term);
            }
        }
        let weight = |terms: &[u32]| -> f64 {
            terms.iter().map(|term| 1.0 / f64::from(self.postings.count(*term))).sum()
        };
        shared.remove(&passage);
        let mut all: Vec<(f64, u32, Vec<u32>)> =
            shared.into_iter().map(|(other, terms)| (weight(&terms), other, terms)).collect();
        all.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
        let mut told = 0;
        for (_, other, terms) in all.into_iter().take(MOST_LOOKED_AT) {
            if told == MOST {
                break;
            }
            self.look_at(&[other], |_, look| {
                if (moment(&look), other) > (moment_of_base, passage) {
                    told += 1;
                    tell(other, &look, &terms);
                }
            });
        }
    }

    /// The different terms of a passage that are rarely said, here and anywhere, and that stand elsewhere too.
    fn rare(&self, look: &Look) -> Vec<u32> {
        let alive = self.table.alive();
        let is_telling = |term: u32| {
            let text = self.vocabulary.text(term);
            !forms::is_common(forms::per_thousand(&text)) && !forms::is_small_number(&text)
        };
        let is_rare_here = |term: &u32| {
            let count = self.postings.count(*term);
            count > 1 && is_rare(count, alive)
        };
        let mut terms: Vec<u32> = look.numbers().filter(is_rare_here).collect();
        terms.sort_unstable();
        terms.dedup();
        terms.retain(|term| is_telling(*term));
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_more_passages_a_rare_word_stands_in_a_few_more_but_never_in_many() {
        for (alive, most) in [(10, 3), (300, 6), (1_000_000, 12)] {
            assert!(is_rare(most, alive) && !is_rare(most + 1, alive), "{alive}");
        }
    }
}
