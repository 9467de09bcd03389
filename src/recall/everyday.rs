//! How common a word is in English.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use super::forms::form;
use crate::memory::EVERYDAY;

/// Whether a word says little by itself, that stands so often among a thousand.
pub(super) fn is_common(per_thousand: f64) -> bool {
    per_thousand > OTHERS
}

/// Of a word that is not everyday.
const OTHERS: f64 = 0.01;

/// How often a word stands among a thousand that say something, in English; by its form under which it is
/// compared.
pub(super) fn per_thousand(term: &str) -> f64 {
    static RANKS: OnceLock<HashMap<String, usize, FixedState>> = OnceLock::new();
    /// Zipf's law, with the first ranks taken off: `HEIGHT / (rank + FLAT)`.
    const HEIGHT: f64 = 20.0;
    const FLAT: f64 = 6.0;
    let ranks = RANKS.get_or_init(|| {
        // Backwards: of a word that is there twice, the first place counts.
        let words: Vec<&str> = EVERYDAY.split_whitespace().collect();
        let words = words.into_iter().enumerate().rev();
        words.map(|(rank, word)| (form(word), rank)).collect()
    });
    ranks.get(term).map_or(OTHERS, |&rank| HEIGHT / (rank as f64 + FLAT))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_words_are_known_as_common() {
        let common = |word: &str| per_thousand(&form(word));
        assert!(common("time") > common("minutes"));
        assert!(common("minutes") > common("kubernetes"));
    }
}
