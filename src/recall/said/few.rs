//! Whether a word is rare in what was said.

use std::ops::RangeInclusive;

/// A word is rare in what was said if it stands in one passage of so many, or in so few; among very many passages in more
/// than a few by chance.
const ONE_OF: u32 = 50;
const FEW: RangeInclusive<u32> = 3..=12;

/// Whether a word that stands in so many of all passages is rare among them.
pub(super) fn stands_in_few(passages: u32, alive: u32) -> bool {
    passages <= (alive / ONE_OF).clamp(*FEW.start(), *FEW.end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn among_more_passages_a_rare_word_stands_in_a_few_more_but_never_in_many() {
        for (alive, most) in [(10, 3), (300, 6), (1_000_000, 12)] {
            assert!(stands_in_few(most, alive) && !stands_in_few(most + 1, alive), "{alive}");
        }
    }
}
