//! From what a person types to words that rules can compare: no case, no punctuation, no contractions.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::phrases::{Marks, Phrases};
use crate::letters::{self, is_part_of_word};

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

/// What begins like a contraction that stands for whole words.
const SHORT: Marks = {
    let (mut short, mut at) = (Marks::NONE, 0);
    while at < CONTRACTIONS.len() {
        short = short.with(CONTRACTIONS[at].0);
        at += 1;
    }
    short
};

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

/// What begins like one of them.
const STOP: Marks = Marks::of(STOP_WORDS);

/// The words of a text.
pub(super) fn words(text: &str) -> Vec<String> {
    owned(&split(&lowered(text)))
}

/// A text in lower case and with one kind of apostrophe.
pub(super) fn lowered(text: &str) -> Cow<'_, str> {
    match () {
        () if !text.is_ascii() => text.to_lowercase().replace(['’', '‘'], "'").into(),
        () if text.bytes().any(|byte| byte.is_ascii_uppercase()) => {
            text.to_ascii_lowercase().into()
        }
        () => text.into(),
    }
}

/// The words of a text in lower case.
pub(super) fn split(lowered: &str) -> Vec<&str> {
    let mut words = Vec::with_capacity(lowered.len() / 5 + 2);
    lowered.split_whitespace().for_each(|token| read(token, &mut words));
    words
}

/// Words that are kept beyond their text.
pub(super) fn owned(words: &[impl AsRef<str>]) -> Vec<String> {
    words.iter().map(|word| word.as_ref().to_owned()).collect()
}

/// Adds the words of a token, which is in lower case.
fn read<'a>(token: &'a str, words: &mut Vec<&'a str>) {
    let word = inner(token);
    if !word.is_empty() {
        let (word, next) = expand(word);
        words.push(word);
        words.extend(next);
    }
}

/// A token without the signs at its ends; most have none.
fn inner(token: &str) -> &str {
    match token.as_bytes() {
        [first, .., last] if first.is_ascii_alphabetic() && last.is_ascii_alphabetic() => token,
        _ => {
            let token = token.trim_start_matches(|c: char| !c.is_alphanumeric());
            token.trim_end_matches(|c: char| !is_part_of_word(c))
        }
    }
}

/// Whether some of the words of a token, in whatever case, may begin one of some phrases.
pub(super) fn may_begin(token: &str, phrases: &Phrases) -> bool {
    // What is short for other words is looked at as these.
    if !token.is_ascii() || token.bytes().any(|byte| byte == b'\'') {
        return true;
    }
    let word = inner(token);
    SHORT.may_hold(word) || phrases.may_begin_with(word)
}

/// What a word stands for: another one, or two.
fn expand(word: &str) -> (&str, Option<&'static str>) {
    let may_be_short = SHORT.may_hold(word);
    let mut known = CONTRACTIONS.iter().filter(|_| may_be_short);
    if let Some((_, long)) = known.find(|(short, _)| *short == word) {
        return long.split_once(' ').map_or((long, None), |(one, next)| (one, Some(next)));
    }
    let is_short = word.bytes().rev().take(3).any(|byte| byte == b'\'');
    let mut endings = ENDINGS.iter().filter(|_| is_short);
    let found = endings.find_map(|(ending, long)| {
        let head = word.strip_suffix(ending).filter(|head| !head.is_empty())?;
        Some((head, Some(*long).filter(|long| !long.is_empty())))
    });
    found.unwrap_or((word, None))
}

/// Whether a word says nothing about a topic.
pub(super) fn is_stop_word(word: &str) -> bool {
    STOP.may_hold(word) && STOP_WORDS.binary_search(&word).is_ok()
}

/// The form under which two words are compared: without the commonest endings.
pub(super) fn stem(word: &str) -> &str {
    // The last letter tells which of them may be there: mostly none.
    let endings: &[&str] = match word.as_bytes().last() {
        Some(b'g') => &["ing"],
        Some(b'd') => &["ed"],
        Some(b's') => &["es", "s"],
        Some(b'e') => &["e"],
        _ => &[],
    };
    let mut stem = word;
    for &ending in endings {
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
    stem
}

/// The stems of a text's words that say something; hyphens and other signs separate.
pub(super) fn stems(text: &str) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for part in plain_parts(text) {
        if part.is_ascii() {
            stems.extend(stems_of(&words(part)));
        } else {
            each_other_stem(part, |stem| _ = stems.insert(stem.to_owned()));
        }
    }
    stems
}

/// How many there are of them, as far as `most`.
pub(super) fn count_stems(text: &str, most: usize) -> usize {
    let mut found: Vec<Cow<str>> = Vec::with_capacity(most);
    for part in plain_parts(text).filter(|part| !part.is_empty()) {
        match lowered(part) {
            _ if !part.is_ascii() => each_other_stem(part, |stem| {
                if !found.iter().any(|known| known == stem) {
                    found.push(stem.to_owned().into());
                }
            }),
            Cow::Borrowed(part) => add_stems(part, &mut found, Cow::Borrowed),
            Cow::Owned(part) => add_stems(&part, &mut found, |stem| stem.to_owned().into()),
        }
        if found.len() >= most {
            break;
        }
    }
    found.len().min(most)
}

/// Adds the stems of a part in lower case that are not found yet.
fn add_stems<'p, 'a>(
    part: &'p str,
    found: &mut Vec<Cow<'a, str>>,
    kept: impl Fn(&'p str) -> Cow<'a, str>,
) {
    let (word, next) = expand(inner(part));
    for stem in std::iter::once(word).chain(next).flat_map(stems_in) {
        if !found.iter().any(|known| known == stem) {
            found.push(kept(stem));
        }
    }
}

fn plain_parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !letters::is_part(c))
}

/// The stems of words that say something.
pub(super) fn stems_of(words: &[String]) -> BTreeSet<String> {
    let mut stems = BTreeSet::new();
    for word in words {
        if word.is_ascii() {
            stems.extend(stems_in(word).map(str::to_owned));
        } else {
            each_other_stem(word, |stem| _ = stems.insert(stem.to_owned()));
        }
    }
    stems
}

/// Tells the stems of a text in other letters than those of ASCII: words without case, accents and endings, and in scripts
/// without spaces what may be a word.
fn each_other_stem(text: &str, mut found: impl FnMut(&str)) {
    letters::each_word(text, |word| {
        let word = word.split(['\'', '’']).next().unwrap_or_default();
        if !word.is_empty() && !is_stop_word(word) {
            found(if word.is_ascii() { stem(word) } else { word });
        }
    });
}

fn stems_in(word: &str) -> impl Iterator<Item = &str> {
    let parts = word.split(|c: char| !c.is_alphanumeric());
    parts.filter(|part| !part.is_empty() && !is_stop_word(part)).map(stem)
}

/// Whether a token looks like a path, a file or a name from code.
pub(super) fn is_path(token: &str) -> bool {
    let inner = token.trim_matches(|c: char| !c.is_alphanumeric());
    inner.contains(['/', '_', '.']) || token.contains('`')
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
}
