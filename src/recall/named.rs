//! Whether a word is a name, by how it stands in what was said: people ask without its capital.

/// Whether a word has a capital in a text wherever it stands behind the beginning of a sentence, and stands there somewhere.
pub fn is_named_in(word: &str, text: &str) -> bool {
    const ENDS: [char; 10] = ['.', '!', '?', ':', ';', '\n', '"', '“', '(', '-'];
    let bare = word.trim_end_matches("'s").trim_end_matches("’s");
    let first = bare.bytes().next();
    // Most words begin otherwise, which a letter of ASCII tells at once.
    let may_be = |other: &str| match (first, other.bytes().next()) {
        (Some(first), Some(other)) if first.is_ascii() && other.is_ascii() => {
            first.eq_ignore_ascii_case(&other)
        }
        _ => true,
    };
    let words = words_in(text).filter(|(_, other)| may_be(other));
    let mut places = words.filter(|(_, other)| {
        let mut letters = other.chars().flat_map(char::to_lowercase);
        bare.chars().flat_map(char::to_lowercase).all(|letter| letters.next() == Some(letter))
            && letters.next().is_none_or(|next| !next.is_alphanumeric())
    });
    let is_within =
        |at: usize| text[..at].trim_end_matches(' ').ends_with(|sign| !ENDS.contains(&sign));
    let mut is_there = false;
    places.all(|(at, other)| {
        let is_capital = other.starts_with(char::is_uppercase);
        is_there |= is_capital && is_within(at);
        is_capital
    }) && is_there
}

/// The words of a text and where each begins, with what hangs on by an apostrophe.
fn words_in(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    let mut at = 0;
    text.split_inclusive(move |c: char| !is_part(c)).map(move |piece| {
        let start = at;
        at += piece.len();
        (start, piece.trim_end_matches(move |c: char| !is_part(c)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_its_capital_within_a_sentence_and_wherever_it_stands() {
        for (word, text) in [
            ("ingrid", "user: Ingrid asks. I told Ingrid so."),
            ("ingrid's", "on INGRID's advice"),
            ("ingrid", "the advice of Ingrid’s"),
        ] {
            assert!(is_named_in(word, text), "{text}");
        }
        for (word, text) in [
            ("ingrid", "user: Ingrid asks"),
            ("lake", "The Lake. The lake was cold; we saw the Lake."),
            ("in", "We saw Ingrid."),
            ("ingrid", ""),
        ] {
            assert!(!is_named_in(word, text), "{text}");
        }
    }
}
