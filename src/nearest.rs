//! "Did you mean": the known word that a mistyped one is closest to.

/// The candidate with the fewest typing mistakes, if they are few enough for its length; the first
/// one of equals.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 4);
    candidates
        .into_iter()
        .map(|candidate| (mistakes(word, candidate), candidate))
        .filter(|&(mistakes, _)| mistakes <= limit)
        .min_by_key(|&(mistakes, _)| mistakes)
        .map(|(_, candidate)| candidate)
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other.
fn mistakes(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for row in 1..=from.len() {
        let mut current = vec![row];
        for column in 1..=to.len() {
            let replaced = above[column - 1] + usize::from(from[row - 1] != to[column - 1]);
            let mut least = replaced.min(above[column] + 1).min(current[column - 1] + 1);
            let swapped = row > 1
                && column > 1
                && from[row - 1] == to[column - 2]
                && from[row - 2] == to[column - 1];
            if swapped {
                least = least.min(before[column - 2] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[to.len()]
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
