//! Verbs of English questions, told by where they stand: "which food did he sniff at", "when is the move happening".
//! Whoever asks for what was said says in another word what was done with it.

use super::Wording;
use crate::recall::terms;

/// Verbs that another one stands behind.
const AUXILIARIES: [&str; 11] =
    ["can", "could", "did", "do", "does", "might", "must", "shall", "should", "will", "would"];

/// Who does it.
const SUBJECTS: [&str; 7] = ["he", "i", "it", "she", "they", "we", "you"];

/// Behind one of these stands a noun, also if it ends like a verb: "the painting".
const BEFORE_NOUN: [&str; 24] = [
    "a", "about", "an", "any", "by", "for", "from", "her", "his", "in", "its", "my", "no", "of",
    "on", "our", "some", "that", "the", "their", "this", "which", "with", "your",
];

/// Letters before "ing" at least: "doing".
const LEAST: usize = 2;

impl Wording {
    /// The terms of the words that are verbs by where they stand.
    pub(in crate::recall) fn verbs(&self) -> Vec<String> {
        if self.language.nth != 0 {
            return Vec::new();
        }
        let words = self.words.iter().enumerate().filter(|(at, _)| self.is_verb_at(*at));
        words.filter_map(|(_, word)| terms::telling(word)).collect()
    }

    /// Whether a word that asks is joined to a verb there, and another one goes on: "who's doing".
    pub(super) fn begins_with_joined_verb(&self) -> bool {
        const JOINED: [&str; 6] = ["how's", "when's", "where's", "who's", "whos", "wheres"];
        matches!(self.asking(), [first, next, ..] if JOINED.contains(&&**first) && next.ends_with("ing"))
    }

    fn is_verb_at(&self, at: usize) -> bool {
        let is_one_of = |some: &[&str], word: &String| some.contains(&&**word);
        let (before, rest) = self.words.split_at(at);
        let (Some(word), Some(last)) = (rest.first(), before.last()) else { return false };
        // "Did he sniff", and "he would eat".
        let pair = &before[before.len().saturating_sub(3)..];
        let is_behind_auxiliary = pair.iter().any(|word| is_one_of(&AUXILIARIES, word))
            && pair.iter().any(|word| is_one_of(&SUBJECTS, word))
            && (is_one_of(&AUXILIARIES, last) || is_one_of(&SUBJECTS, last));
        let bare = word.strip_suffix("ing").or_else(|| word.strip_suffix("in'"));
        let is_under_way =
            bare.is_some_and(|bare| bare.len() >= LEAST) && !is_one_of(&BEFORE_NOUN, last);
        !word.ends_with("ly") && (is_behind_auxiliary || is_under_way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verbs_are_told_by_where_they_stand() {
        let verbs = |message| Wording::of(message).verbs();
        for (message, expected) in [
            ("which oar did he sniff at", &["sniff"][..]),
            ("when is the launch happening again", &["happening"]),
            ("that rope she would finally gnaw", &[]),
            ("that rope she would gnaw", &["gnaw"]),
            ("what was the painting of the harbour", &[]),
            ("die Glocke zerbrach", &[]),
        ] {
            let expected: Vec<String> =
                expected.iter().filter_map(|word| terms::telling(word)).collect();
            assert_eq!(verbs(message), expected, "{message}");
        }
    }
}
