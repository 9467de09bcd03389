//! "Did you mean": the known word that a mistyped one is closest to.

use strsim::osa_distance;

/// The candidate with the fewest typing mistakes, if they are few enough for its length; the first
/// one of equals.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (osa_distance(word, candidate), candidate))
        .filter(|&(mistakes, _)| mistakes <= limit)
        .min_by_key(|&(mistakes, _)| mistakes)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_finds_the_word_and_nonsense_finds_none() {
        let words = ["token_budget", "theme", "model"];
        assert_eq!(nearest("token_budgte", words), Some("token_budget"));
        assert_eq!(nearest("tokenbudget", words), Some("token_budget"));
        assert_eq!(nearest("modle", words), Some("model"));
        assert_eq!(nearest("zzzzzz", words), None);
        assert_eq!(nearest("", words), None);
    }
}
