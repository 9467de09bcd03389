//! From text to the words that can refer to something (slice 3, reference detection).

/// Words that say nothing about a topic. Sorted, for binary search.
const STOP_WORDS: &[&str] = &[
    "about", "above", "after", "again", "against", "all", "also", "am", "an", "and", "any", "are",
    "aren't", "as", "at", "be", "because", "been", "before", "being", "below", "between", "both",
    "but", "by", "can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do", "does",
    "doesn't", "doing", "don't", "down", "during", "each", "few", "for", "from", "further", "get",
    "got", "had", "has", "have", "having", "he", "her", "here", "hers", "him", "his", "how", "i",
    "i'm", "if", "in", "into", "is", "isn't", "it", "it's", "its", "itself", "just", "let",
    "let's", "like", "may", "me", "might", "more", "most", "must", "my", "no", "nor", "not", "now",
    "of", "off", "on", "once", "only", "or", "other", "our", "ours", "out", "over", "own", "same",
    "shall", "she", "should", "so", "some", "such", "than", "that", "that's", "the", "their",
    "theirs", "them", "then", "there", "these", "they", "this", "those", "through", "to", "too",
    "under", "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "whom", "why", "will", "with", "won't", "would", "you", "your", "yours",
];

/// The shortest word that counts, in characters (slice 3).
const MIN_CHARS: usize = 3;

/// Whether a lower-case word says nothing about a topic.
pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The salient words of a text: split at white space, lower case, punctuation stripped at both ends,
/// at least three characters, no stop words. In order of appearance, repeated ones included.
pub fn keywords(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace().filter_map(|word| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        (word.chars().count() >= MIN_CHARS && !is_stop_word(&word)).then_some(word)
    })
}

/// The salient words of a text with inner signs as borders too: "rate-limiter" is two words.
pub(super) fn word_parts(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split_whitespace()
        .filter(|word| !is_stop_word(&word.to_lowercase()))
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’'))
        .flat_map(keywords)
}

/// All words of a text for id matching: runs of letters and digits, lower case. Hyphens, underscores
/// and every other sign separate, so that `auth-bug` and "auth bug" read alike.
pub(super) fn plain_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn keywords_are_lower_case_long_enough_stripped_and_say_something() {
        let words: Vec<String> =
            keywords("Debugged 401 errors. \"Root\" cause: the (refresh) tokens, an API!")
                .collect();
        assert_eq!(
            words,
            ["debugged", "401", "errors", "root", "cause", "refresh", "tokens", "api"]
        );
    }
}
