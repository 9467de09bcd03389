//! Fixed phrases, of whose words none says what a topic is about.

use std::borrow::Cow;

/// They, in small letters. What programs say when they end is among them.
const PHRASES: &[&str] = &[
    "into account",
    "on account of",
    "exit code",
    "exit status",
    "exited with code",
    "for example",
    "point of view",
    "in other words",
    "on the other hand",
    "as a matter of fact",
];

/// Words of which each phrase has one: a text without them, as most are, need not be searched.
pub(super) fn may_be_of_one(word: &str) -> bool {
    matches!(word, "account" | "exit" | "exited" | "example" | "view" | "words" | "hand" | "fact")
}

/// A text without fixed phrases.
pub(super) fn without_phrases(text: &str) -> Cow<'_, str> {
    let mut rest = Cow::Borrowed(text);
    for phrase in PHRASES {
        if rest.contains(phrase) {
            rest = Cow::Owned(rest.replace(phrase, ", "));
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_phrases_are_left_out_and_their_words_elsewhere_are_not() {
        for (text, left) in [
            ("Take it into account: exit code 1", "Take it , : ,  1"),
            ("My account has no exit", "My account has no exit"),
        ] {
            assert_eq!(without_phrases(text), left);
        }
        for phrase in PHRASES {
            assert!(phrase.split(' ').any(may_be_of_one), "{phrase}");
        }
    }
}
