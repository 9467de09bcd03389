//! When a sentence asks to be remembered, and what then is to be noted.

use super::lead_ins::skip_lead_ins;
use super::sentences::Sentence;
use super::words;

/// What stands before the thing to note. "Remember when ..." and "do you remember ..." ask for something
/// else.
const WISHES: [&str; 17] = [
    "please remember that ",
    "please remember ",
    "remember that ",
    "remember this: ",
    "remember to ",
    "remember: ",
    "keep in mind that ",
    "please note that ",
    "make a note that ",
    "make a note: ",
    "note down that ",
    "note down: ",
    "don't forget that ",
    "do not forget that ",
    "note that ",
    "note: ",
    "note to self: ",
];

/// The words to note, as typed; `None` if the sentence asks for something else.
pub(super) fn content(sentence: &Sentence<'_>) -> Option<String> {
    if sentence.asks {
        return None;
    }
    let text = sentence.text;
    let found = WISHES.iter().find_map(|wish| {
        let starts = text.char_indices().map(|(at, _)| at).take(LATEST);
        let at = starts.into_iter().find(|&at| {
            text.get(at..at + wish.len()).is_some_and(|part| part.eq_ignore_ascii_case(wish))
        })?;
        let is_lead_in = skip_lead_ins(&words::words(&text[..at])).is_empty();
        is_lead_in.then(|| text[at + wish.len()..].trim())
    })?;
    (found.chars().any(char::is_alphanumeric)).then(|| capitalised(found))
}

/// How far behind the beginning a wish may stand.
const LATEST: usize = 40;

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::super::sentences::clauses;
    use super::*;

    fn noted(text: &str) -> Option<String> {
        clauses(text).iter().find_map(content)
    }

    #[test]
    fn a_wish_is_told_from_a_question_and_from_talk() {
        assert_eq!(
            noted("Okay, please remember that the key rotates on Mondays."),
            Some("The key rotates on Mondays.".into())
        );
        assert_eq!(noted("Keep in mind that I'm vegan"), Some("I'm vegan".into()));
        assert_eq!(noted("note that the code is 4711"), Some("The code is 4711".into()));
        for other in [
            "Do you remember that bug?",
            "remember when we fixed it",
            "I can't remember that name",
            "remember that",
            "Größe: please",
        ] {
            assert_eq!(noted(other), None, "{other}");
        }
    }
}
