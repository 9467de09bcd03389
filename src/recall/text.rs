//! From text to search terms.

use crate::memory;

/// The terms of a text, in order of appearance. Hyphens and other signs separate.
pub(super) fn terms(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|word| word.trim_matches(['\'', '’']).to_lowercase())
        .filter(|word| !word.is_empty() && !memory::is_stop_word(word))
        .map(|word| memory::stem(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_and_signs_are_no_terms() {
        let found: Vec<String> = terms("What was the fix for auth-bug's 401?").collect();
        assert_eq!(found, ["fix", "auth", "bug", "401"]);
    }
}
