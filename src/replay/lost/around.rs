//! What a figure or a day was said of: `25 s` alone helps nobody, `read timeout 25 s` does.

use crate::specifics::{Kind, Specific};

/// Words in front of it that are told, and behind it where there are none in front.
const BEFORE: usize = 4;
const BEHIND: usize = 3;

/// Texts of more bytes are content that somebody pasted, and take long to look through.
const LONGEST: usize = 64 * 1024;

/// Words with which no phrase begins that says what something is of.
const LEADS: [&str; 22] = [
    "a", "also", "an", "and", "are", "as", "at", "be", "by", "from", "in", "is", "of", "on", "or",
    "so", "that", "the", "then", "to", "was", "with",
];

/// A detail with the words of its clause that say what it is of; `None` where the text has none, or it is of a kind that
/// says so itself.
pub(super) fn with_its_words(text: &str, one: &Specific) -> Option<String> {
    if !matches!(one.kind, Kind::Number | Kind::Date) || text.len() > LONGEST {
        return None;
    }
    // Where it is said last it is what holds.
    let clauses = text.rsplit(['\n', ';', '!', '?', '|']).flat_map(|part| part.rsplit(". "));
    clauses.map(words_of).find_map(|clause| in_clause(&clause, &one.text))
}

/// The words of a text, with single spaces between them; signs alone are none.
fn words_of(text: &str) -> String {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    text.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

/// The same in one clause.
fn in_clause(clause: &str, told: &str) -> Option<String> {
    let at = clause.rfind(told)?;
    let (before, behind) = (&clause[..at], &clause[at + told.len()..]);
    let is_apart =
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric);
    let before = before.rsplit([',', '(', ')', '—']).next().unwrap_or_default();
    let behind = behind.split([',', '(', ')', '—', ':']).next().unwrap_or_default();
    let mut first: Vec<&str> = before.split_whitespace().collect();
    first.drain(..first.len().saturating_sub(BEFORE));
    let leads = first.iter().take_while(|word| LEADS.contains(&&*word.to_lowercase())).count();
    first.drain(..leads);
    let last = behind.trim_end_matches('.').split_whitespace().take(BEHIND);
    let words: Vec<&str> = if first.is_empty() {
        std::iter::once(told).chain(last).collect()
    } else {
        first.into_iter().chain([told]).collect()
    };
    (is_apart && words.len() > 1).then(|| words.join(" ").trim_matches(['*', '`', '"']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_told_with_what_it_is_of() {
        for (text, told, expected) in [
            ("The potassium was 5.5 at noon.", "5.5", Some("potassium was 5.5")),
            (
                "Connect 3 s, read 20 s. Actually read should be 25 s.",
                "25 s",
                Some("Actually read should be 25 s"),
            ),
            ("Connect 3 s, read 20 s.", "20 s", Some("read 20 s")),
            ("20 s for the read timeout, please", "20 s", Some("20 s for the read")),
            ("- **Timeout**: 20 s\n- Retries: 3", "20 s", Some("Timeout**: 20 s")),
            ("It is 20 s now, and it was 20 s", "20 s", Some("it was 20 s")),
            ("Of the 120 s", "20 s", None),
            ("20 s", "20 s", None),
            ("nothing", "20 s", None),
        ] {
            let one = Specific { kind: Kind::Number, text: told.to_owned(), message: 0 };
            assert_eq!(with_its_words(text, &one).as_deref(), expected, "{text}");
        }
        let path = Specific { kind: Kind::Path, text: "src/a.rs".to_owned(), message: 0 };
        assert_eq!(with_its_words("it is in src/a.rs", &path), None);
    }
}
