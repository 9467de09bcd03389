//! Which word a judge decides for, where what it says is clear.

/// Words that deny what stands behind them in the same sentence.
const DENIALS: [&str; 12] = [
    "not", "no", "nor", "never", "neither", "none", "nothing", "without", "cannot", "hardly",
    "unclear", "whether",
];

/// The one of some words that a text says and does not deny; none if it says none of them, or several. Those in
/// capitals, as they are asked for, go before others.
pub(super) fn said(text: &str, known: &[&'static str]) -> Option<&'static str> {
    let all: Vec<(&'static str, bool)> =
        sentences(text).flat_map(|sentence| asserted(sentence, known)).collect();
    let is_any_capital = all.iter().any(|(_, is_capital)| *is_capital);
    let mut words = all.iter().filter(|(_, is_capital)| *is_capital == is_any_capital);
    let (first, _) = words.next()?;
    words.all(|(word, _)| word == first).then_some(*first)
}

/// Whether a text has one of some words, denied or not.
pub(super) fn has_any(text: &str, known: &[&'static str]) -> bool {
    words(text).any(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)))
}

/// The parts of a text that are denied together. A question says nothing.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split_inclusive(['.', ':', ';', '!', '?', '\n', '\u{2013}', '\u{2014}']);
    parts.flat_map(|part| part.split(" - ")).filter(|part| !part.ends_with('?'))
}

/// The words of a sentence that it does not deny, and whether each is in capitals.
fn asserted(sentence: &str, known: &[&'static str]) -> Vec<(&'static str, bool)> {
    let mut asserted = Vec::new();
    let mut is_denied = false;
    for word in words(sentence) {
        let small = word.to_lowercase();
        if DENIALS.contains(&&*small) || small.ends_with("n't") || small.ends_with("n\u{2019}t") {
            is_denied = true;
        } else if small == "but" {
            is_denied = false;
        } else if let Some(known) = known.iter().find(|known| word.eq_ignore_ascii_case(known))
            && !is_denied
        {
            asserted.push((*known, word == *known));
        }
    }
    asserted
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphabetic() && !['\'', '\u{2019}'].contains(&letter))
        .map(|word| word.trim_matches('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(text: &str) -> Option<&'static str> {
        said(text, &["SAME", "PARTLY", "DIFFERENT"])
    }

    #[test]
    fn what_is_denied_is_not_said() {
        for text in [
            "The answers are NOT the SAME: DIFFERENT",
            "They aren't the same; DIFFERENT.",
            "Not the SAME, but DIFFERENT",
            "SAME? No. They are DIFFERENT.",
        ] {
            assert_eq!(same(text), Some("DIFFERENT"), "{text}");
        }
        for text in [
            "not the same",
            "NOT SAME",
            "These can\u{2019}t be the SAME",
            "It is unclear whether they are the SAME",
            "Neither is the SAME.",
        ] {
            assert_eq!(same(text), None, "{text}");
        }
    }

    #[test]
    fn several_words_are_none_unless_one_is_in_capitals() {
        assert_eq!(same("SAME or PARTLY"), None);
        assert_eq!(same("same, or different"), None);
        assert_eq!(same("SAME. Only the wording is different."), Some("SAME"));
        assert_eq!(same("Verdict: **Partly**"), Some("PARTLY"));
        assert_eq!(same("They say the 'same'."), Some("SAME"));
        assert_eq!(same("I cannot say"), None);
    }
}
