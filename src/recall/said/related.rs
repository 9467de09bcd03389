//! Words of English that mean nearly the same, or belong together: whoever asks for the luggage means the suitcase.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::terms;
use crate::memory;

/// Groups of words, one a line.
const GROUPS: &str = include_str!("../../../assets/alike.txt");

/// The terms that are related to one.
pub(super) fn related(term: &str) -> &'static [String] {
    static RELATED: OnceLock<HashMap<String, Vec<String>>> = OnceLock::new();
    RELATED.get_or_init(read).get(term).map_or(&[], Vec::as_slice)
}

fn read() -> HashMap<String, Vec<String>> {
    let mut related: HashMap<String, Vec<String>> = HashMap::new();
    for line in GROUPS.lines() {
        let words = line.split_whitespace().filter(|word| !memory::is_stop_word(word));
        let group: Vec<String> = words.map(terms::term).collect();
        for (at, term) in group.iter().enumerate() {
            let own = related.entry(term.clone()).or_default();
            let others = group[..at].iter().chain(&group[at + 1..]);
            for other in others.filter(|other| *other != term) {
                if !own.contains(other) {
                    own.push(other.clone());
                }
            }
        }
    }
    related
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_group_are_related_both_ways_and_others_are_not() {
        let is_related = |a: &str, b: &str| related(&terms::term(a)).contains(&terms::term(b));
        assert!(is_related("luggage", "suitcases") && is_related("suitcase", "luggage"));
        assert!(!is_related("luggage", "kitchen") && !is_related("luggage", "luggage"));
        assert!(related("unheard").is_empty());
    }
}
