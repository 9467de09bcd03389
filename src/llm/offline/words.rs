//! From what a person types to words that rules can compare: no case, no punctuation, no contractions.

use std::collections::BTreeSet;

/// Contractions with and without their apostrophe, by the words that they stand for.
const CONTRACTIONS: &[(&str, &str)] = &[
    ("can't", "can not"),
    ("cant", "can not"),
    ("cannot", "can not"),
    ("won't", "will not"),
    ("wont", "will not"),
    ("dont", "do not"),
    ("didnt", "did not"),
    ("isnt", "is not"),
    ("wasnt", "was not"),
    ("doesnt", "does not"),
    ("hasnt", "has not"),
    ("let's", "lets"),
    ("it's", "it is"),
    ("that's", "that is"),
    ("thats", "that is"),
    ("what's", "what is"),
    ("whats", "what is"),
    ("who's", "who is"),
    ("where's", "where is"),
    ("how's", "how is"),
    ("there's", "there is"),
    ("everything's", "everything is"),
    ("i'm", "i am"),
    ("im", "i am"),
    ("ive", "i have"),
    ("youre", "you are"),
    ("gonna", "going to"),
    ("wanna", "want to"),
    ("lemme", "let me"),
    ("pls", "please"),
    ("plz", "please"),
    ("thx", "thanks"),
    ("ty", "thanks"),
    ("ok", "okay"),
    ("wrapup", "wrap up"),
];

/// Endings of contractions, by the word that they stand for.
const ENDINGS: &[(&str, &str)] = &[
    ("n't", "not"),
    ("'re", "are"),
    ("'ve", "have"),
    ("'ll", "will"),
    ("'d", "would"),
    ("'m", "am"),
    ("'s", ""),
];

/// Words that say nothing about a topic. Sorted, for binary search.
#[rustfmt::skip]
const STOP_WORDS: &[&str] = &[
    "a", "about", "actually", "after", "again", "all", "also", "am", "an", "and", "any", "are",
    "as", "at", "be", "been", "before", "but", "by", "can", "could", "did", "do", "does", "doing",
    "earlier", "else", "ever", "for", "from", "get", "going", "had", "has", "have", "he", "her",
    "here", "him", "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "last", "let",
    "lets", "like", "may", "me", "more", "my", "no", "not", "now", "of", "off", "okay", "on",
    "once", "one", "or", "our", "out", "over", "please", "really", "she", "should", "so", "some",
    "than", "thanks", "that", "the", "their", "them", "then", "there", "these", "they", "this",
    "those", "to", "too", "up", "us", "was", "we", "were", "what", "when", "where", "which",
    "while", "who", "why", "will", "with", "would", "yesterday", "yet", "you", "your",
];

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for raw in text.split_whitespace() {
        let word = if raw.is_ascii() {
            raw.to_ascii_lowercase()
        } else {
            raw.to_lowercase().replace(['’', '‘'], "'")
        };
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        if !word.is_empty() {
            expand(word, &mut words);
        }
    }
    words
}

fn expand(word: &str, words: &mut Vec<String>) {
    if let Some((_, long)) = CONTRACTIONS.iter().find(|(short, _)| *short == word) {
        words.extend(long.split(' ').map(str::to_owned));
        return;
    }
    for (ending, long) in ENDINGS.iter().filter(|_| word.contains('\'')) {
        if let Some(head) = word.strip_suffix(ending).filter(|head| !head.is_empty()) {
            words.push(head.to_owned());
            words.extend((!long.is_empty()).then(|| (*long).to_owned()));
            return;
        }
    }
    words.push(word.to_owned());
}

/// What follows a phrase, if the words begin with it.
pub(super) fn after<'a>(words: &'a [String], phrase: &str) -> Option<&'a [String]> {
    // Told by the first letter mostly, before anything is split.
    (words.first()?.as_bytes().first() == phrase.as_bytes().first()).then_some(())?;
    phrase.split(' ').try_fold(words, |rest, wanted| {
        let (word, rest) = rest.split_first()?;
        (word == wanted).then_some(rest)
    })
}

/// What follows the longest of some phrases that the words begin with.
pub(super) fn after_any<'a>(words: &'a [String], phrases: &[&str]) -> Option<&'a [String]> {
    let found = phrases.iter().filter_map(|phrase| after(words, phrase));
    found.min_by_key(|rest| rest.len())
}

/// Whether a phrase stands anywhere in the words.
pub(super) fn contains(words: &[String], phrase: &str) -> bool {
    (0..words.len()).any(|start| after(&words[start..], phrase).is_some())
}

/// Whether any of some phrases stands in the words.
pub(super) fn contains_any(words: &[String], phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| contains(words, phrase))
}

/// Whether a word says nothing about a topic.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The form under which two words are compared: without the commonest endings.
pub(super) fn stem(word: &str) -> String {
    let mut stem = word;
    for ending in ["ing", "ed", "es", "s", "e"] {
        let head = word.strip_suffix(ending).filter(|head| head.chars().count() >= 3);
        if let Some(head) = head.filter(|_| !(ending == "s" && word.ends_with("ss"))) {
            stem = head;
            break;
        }
    }
    let mut chars = stem.chars().rev();
    let doubled = chars.next().filter(|last| !"aeiouls".contains(*last)) == chars.next();
    if doubled && stem.len() > 3 {
        stem = &stem[..stem.len() - stem.chars().next_back().map_or(0, char::len_utf8)];
    }
    stem.to_owned()
}

/// The stems of a text's words that say something; hyphens and other signs separate.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    plain_parts(text).flat_map(|part| stems_of(&words(part))).collect()
}

/// How many there are of them, as far as `most`.
pub(super) fn count_stems(text: &str, most: usize) -> usize {
    let mut found = BTreeSet::new();
    for part in plain_parts(text) {
        found.extend(stems_of(&words(part)));
        if found.len() >= most {
            break;
        }
    }
    found.len().min(most)
}

fn plain_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')))
}

/// The stems of words that say something.
pub(super) fn stems_of(words: &[String]) -> BTreeSet<String> {
    words
        .iter()
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric()))
        .filter(|word| !word.is_empty() && !is_stop_word(word))
        .map(stem)
        .collect()
}

/// Whether a token looks like a path, a file or a name from code.
pub(super) fn is_path(token: &str) -> bool {
    let inner = token.trim_matches(|c: char| !c.is_alphanumeric());
    inner.contains(['/', '_', '.']) || token.contains('`')
}

/// A sentence of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sentence<'a> {
    /// As typed, without the space around it.
    pub(super) text: &'a str,
    /// It ends with a question mark.
    pub(super) asks: bool,
}

/// The sentences of a text. A full stop ends one only before white space, so that `config.yaml` and
/// `3.5` stay whole.
pub(super) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let before_space = chars.peek().is_none_or(|&(_, next)| next.is_whitespace());
        if c == '\n' || "。！？".contains(c) || (".!?;".contains(c) && before_space) {
            push_sentence(&text[start..at + c.len_utf8()], &mut found);
            start = at + c.len_utf8();
        }
    }
    push_sentence(&text[start..], &mut found);
    found
}

fn push_sentence<'a>(text: &'a str, found: &mut Vec<Sentence<'a>>) {
    let text = text.trim();
    if text.chars().any(char::is_alphanumeric) {
        found.push(Sentence { text, asks: text.ends_with(['?', '？']) });
    }
}

/// The parts of a sentence between commas, colons and dashes, as words.
pub(super) fn parts(sentence: &str) -> Vec<Vec<String>> {
    let mut parts = vec![String::new()];
    for token in sentence.split_whitespace() {
        let dash = matches!(token, "-" | "–" | "—");
        if let Some(part) = parts.last_mut().filter(|_| !dash) {
            part.push_str(token);
            part.push(' ');
        }
        if dash || token.ends_with([',', ':', '—']) {
            parts.push(String::new());
        }
    }
    parts.iter().map(|part| words(part)).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_the_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn contractions_read_like_the_words_they_stand_for() {
        for (typed, expected) in [
            ("Let's go!", "lets go"),
            ("I’m DONE, thanks.", "i am done thanks"),
            ("that didn't, can't & won't", "that did not can not will not"),
            ("the user's log", "the user log"),
        ] {
            assert_eq!(words(typed).join(" "), expected);
        }
    }

    #[test]
    fn forms_of_one_word_have_one_stem() {
        for (one, other) in [
            ("fix", "fixed"),
            ("plan", "planning"),
            ("decide", "decided"),
            ("token", "tokens"),
            ("sail", "sailing"),
            ("expire", "expires"),
        ] {
            assert_eq!(stem(one), stem(other), "{one}, {other}");
        }
        assert_eq!(stem("address"), "address");
    }

    #[test]
    fn sentences_end_at_their_marks_and_not_inside_names_and_numbers() {
        let found: Vec<&str> =
            sentences("See config.yaml: 3.5 s. Really?\nYes").iter().map(|s| s.text).collect();
        assert_eq!(found, ["See config.yaml: 3.5 s.", "Really?", "Yes"]);
    }
}
