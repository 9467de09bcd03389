//! Whether something stands out from what chance would bring about.

/// A word of a query: in which share of all documents it stands, and what it brings a document that holds it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Odds {
    /// Above 0, below 1.
    pub(super) share: f64,
    /// The score of the word in an ordinary document.
    pub(super) score: f64,
}

/// How many of `documents` would score at least `score` if the words fell into them independently: an upper
/// bound, by Chernoff. Much below 1: this is no coincidence.
pub(super) fn expected(odds: &[Odds], documents: f64, score: f64) -> f64 {
    let bound = |t: f64| {
        let of_word = |word: &Odds| (word.share * (t * word.score).exp_m1()).ln_1p();
        documents.ln() - t * score + odds.iter().map(of_word).sum::<f64>()
    };
    let tilts = [0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0];
    tilts.into_iter().map(bound).fold(documents.ln(), f64::min).exp()
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
        assert!(expected(&rare, 100.0, all(&rare)) < 0.1);
        assert!(expected(&common, 100.0, all(&common)) > 1.0);
        assert!(expected(&rare, 100.0, 0.0) >= 99.9);
    }

    #[test]
    fn a_longer_query_has_to_share_more() {
        let word = Odds { share: 0.05, score: 3.0 };
        assert!(expected(&[word; 3], 100.0, 9.0) < expected(&[word; 12], 100.0, 9.0));
    }
}
