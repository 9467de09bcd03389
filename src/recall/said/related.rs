//! Words that mean nearly the same, or belong together: whoever asks for the luggage means the suitcase, and whoever asks
//! for the doctor means the `Arzt`.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use super::terms;
/// Groups of words, one a line: of English, and of what is called the same in other languages. These hold no word that
/// another language uses every day for something else, such as the French `pain`.
const GROUPS: [&str; 2] =
    [include_str!("../../../assets/alike.txt"), include_str!("../../../assets/languages.txt")];

/// The terms that are related to one.
pub(super) fn related(term: &str) -> &'static [String] {
    static RELATED: OnceLock<HashMap<String, Vec<String>, FixedState>> = OnceLock::new();
    RELATED.get_or_init(read).get(term).map_or(&[], Vec::as_slice)
}

/// The word of a text, as typed, with which another one was looked for: the same, or one that it is related to.
pub fn asked_for(text: &str, word: &str) -> Option<String> {
    if stands_in(text, word) {
        return Some(word.to_owned());
    }
    let (typed, term) = (terms::typed(text), terms::term(&word.to_lowercase()));
    // A related word is named by its term.
    let others = related(word).iter().chain(related(&term));
    [&term].into_iter().chain(others).find_map(|term| typed.get(term)).cloned()
}

/// Whether a text holds a word just as it is.
fn stands_in(text: &str, word: &str) -> bool {
    let is_part = |beside: Option<char>| beside.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        !is_part(before.chars().next_back()) && !is_part(after.chars().next())
    })
}

fn read() -> HashMap<String, Vec<String>, FixedState> {
    let mut related: HashMap<String, Vec<String>, FixedState> = HashMap::default();
    for line in GROUPS.into_iter().flat_map(str::lines) {
        let group = terms::terms(line);
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

    #[test]
    fn words_of_other_languages_are_related_to_those_of_english_and_to_each_other() {
        let is_related = |a: &str, b: &str| {
            let (a, b) = (terms::terms(a), terms::terms(b));
            related(&a[0]).contains(&b[0])
        };
        for (one, other) in [("doctor", "Ärztin"), ("médecin", "Arzt"), ("Heizung", "chaudière")]
        {
            assert!(is_related(one, other) && is_related(other, one), "{one} {other}");
        }
        // What one language calls bread, hand or letter is something else in another one.
        for (one, other) in [("pain", "bread"), ("main", "hand"), ("brief", "letter")] {
            assert!(!is_related(one, other), "{one} {other}");
        }
    }

    #[test]
    fn a_word_that_was_found_is_told_by_the_one_that_was_asked_for() {
        let text = "What did we pay for the Luggage?";
        for word in ["luggage", "Luggage", "suitcases", "suitcase", &*terms::term("suitcases")] {
            assert_eq!(asked_for(text, word).as_deref(), Some("Luggage"), "{word}");
        }
        assert_eq!(asked_for(text, "2026-01-31"), None);
    }
}
