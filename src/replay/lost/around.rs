//! What a figure or a day was said of: `25 s` alone helps nobody, `read timeout 25 s` does.

use crate::specifics::{Kind, Specific};

/// Words in front of it that are told, and behind it where there are none in front.
const BEFORE: usize = 4;
const BEHIND: usize = 3;

/// Texts of more bytes are content that somebody pasted, and take long to look through.
const LONGEST: usize = 64 * 1024;

/// Words with which no phrase begins that says what something is of.
const LEADS: [&str; 23] = [
    "a", "also", "an", "and", "are", "as", "at", "be", "by", "from", "in", "is", "of", "on", "or",
    "so", "that", "the", "then", "there", "to", "was", "with",
];

/// Words that join what is said of one thing to what is said of another.
const JOINS: [&str; 10] = ["and", "but", "or", "und", "oder", "aber", "et", "ou", "y", "o"];

/// Words between the two ends of a range.
const TO: [&str; 4] = ["to", "bis", "auf", "à"];

/// Words behind a figure that say where or of what it holds, if there are several.
const WHERE: [&str; 14] = [
    "after", "at", "before", "bei", "en", "for", "für", "im", "in", "nach", "on", "per", "pour",
    "vor",
];

/// Words with which it is said that something does not hold, and those of two words.
const NOT: [&str; 9] =
    ["anstatt", "avoid", "never", "nicht", "niemals", "no", "not", "statt", "without"];
const INSTEAD: [&str; 4] = ["au lieu de", "instead of", "rather than", "en vez de"];

/// Words for the parts of a document.
const SECTIONS: [&str; 8] =
    ["abschnitt", "chapter", "clause", "kapitel", "paragraph", "sec", "section", "ziffer"];

/// A detail with the words of its clause that say what it is of, or that it does not hold; `None` where the text has none, or
/// it is of a kind that says so itself.
pub(super) fn with_its_words(text: &str, one: &Specific) -> Option<String> {
    if text.len() > LONGEST {
        return None;
    }
    // Where it is said last it is what holds.
    let clauses = || text.rsplit(['\n', ';', '!', '?', '|']).flat_map(|part| part.rsplit(". "));
    match one.kind {
        Kind::Number | Kind::Date => {
            clauses().map(words_of).find_map(|clause| in_clause(&clause, &one.text))
        }
        Kind::Identifier | Kind::Name => {
            let at = text.rfind(&one.text)?;
            let lead = text[..at].rsplit(['\n', ';', '!', '?', '.']).next().unwrap_or_default();
            behind_negation(lead, &one.text)
        }
        _ => None,
    }
}

/// What stands behind a word that denies it, with that: `not MySQL`, `Redis 7.2 statt Memcached`. A part of a document is told
/// with the word for that.
fn behind_negation(lead: &str, told: &str) -> Option<String> {
    let lead = lead.trim_end_matches([' ', '`', '"', '*', '(']);
    let words: Vec<&str> = lead.split_whitespace().collect();
    let last = words.last()?.to_lowercase();
    let sole = [NOT.as_slice(), SECTIONS.as_slice()].into_iter().flatten();
    if sole.copied().any(|word| word == last) {
        return Some(format!("{} {told}", words.last()?));
    }
    let lower = lead.to_lowercase();
    let instead = INSTEAD.iter().find(|instead| lower.ends_with(*instead))?;
    let from = words.len().checked_sub(instead.split(' ').count())?;
    Some(format!("{} {told}", words[from..].join(" ")))
}

/// The words of a text, with single spaces between them; signs alone are none, but for those of units.
fn words_of(text: &str) -> String {
    let is_word = |word: &&str| {
        word.contains(|c: char| {
            c.is_alphanumeric() || matches!(c, '%' | '‰' | '€' | '$' | '£' | '°')
        })
    };
    text.split_whitespace().filter(is_word).collect::<Vec<_>>().join(" ")
}

/// The same in one clause.
fn in_clause(clause: &str, told: &str) -> Option<String> {
    let at = clause.rfind(told)?;
    let (before, behind) = (&clause[..at], &clause[at + told.len()..]);
    let is_apart =
        !before.ends_with(char::is_alphanumeric) && !behind.starts_with(char::is_alphanumeric);
    let is_paired = has_figure(before) || has_figure(behind);
    let before = before.rsplit([',', '(', ')', '—']).next().unwrap_or_default();
    let behind = behind.split([',', '(', ')', '—', ':']).next().unwrap_or_default();
    let first = in_front(before);
    let behind: Vec<&str> = behind.trim_end_matches('.').split_whitespace().collect();
    let ends = |word: &&&str| !JOINS.contains(*word) && !has_figure(word);
    let own: Vec<&str> = behind.iter().take_while(ends).take(BEHIND).copied().collect();
    let is_where = || match own[..] {
        [when] => matches!(when, "after" | "before" | "nach" | "vor"),
        [first, ..] => WHERE.contains(&first),
        [] => false,
    };
    // What a label names says itself what it is, if nothing else does: `page 12`.
    let is_labelled = told.starts_with(char::is_alphabetic);
    let words: Vec<&str> = match (first.is_empty(), is_paired) {
        (true, _) if is_labelled => Vec::new(),
        (true, true) => std::iter::once(told).chain(own).collect(),
        (true, false) => std::iter::once(told).chain(behind.iter().take(BEHIND).copied()).collect(),
        (false, true) if is_where() => first.into_iter().chain([told]).chain(own).collect(),
        (false, _) => first.into_iter().chain([told]).collect(),
    };
    (is_apart && words.len() > 1).then(|| words.join(" ").trim_matches(['*', '`', '"']).to_owned())
}

/// The words in front of a figure that say what it is of: none where they say that of the one before it.
fn in_front(before: &str) -> Vec<&str> {
    let mut words: Vec<&str> = before.split_whitespace().collect();
    words.drain(..words.len().saturating_sub(BEFORE));
    if words.last().is_some_and(|last| JOINS.contains(last)) && has_figure(before) {
        return Vec::new();
    }
    // `and never 8080`
    if let [.., join, not] = words[..]
        && JOINS.contains(&join)
        && NOT.contains(&not)
    {
        return vec![not];
    }
    let is_range = words.last().is_some_and(|last| TO.contains(last));
    if let Some(figure) = words.iter().rposition(|word| has_figure(word)).filter(|_| !is_range) {
        words.drain(..=figure);
        let is_unit = |word: &&&str| word.len() < 3 || !word.contains(char::is_alphanumeric);
        let units = words.iter().take(1).filter(is_unit).count();
        words.drain(..units);
    }
    let is_lead = |word: &&&str| {
        LEADS.contains(&&*word.to_lowercase()) || JOINS.contains(&&*word.to_lowercase())
    };
    let leads = words.iter().take_while(is_lead).count();
    words.drain(..leads);
    words
}

/// Whether some words hold a figure: `p99` is none.
fn has_figure(words: &str) -> bool {
    let is_figure = |word: &str| {
        word.trim_start_matches(|c: char| !c.is_alphanumeric())
            .starts_with(|c: char| c.is_ascii_digit())
    };
    words.split_whitespace().any(is_figure)
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
            ("VAT is 19 % in Germany and 20 % in Austria", "20 %", Some("20 % in Austria")),
            ("VAT is 19 % in Germany and 20 % in Austria", "19 %", Some("VAT is 19 % in Germany")),
            ("Connect is 3 s and the read timeout is 25 s", "25 s", Some("read timeout is 25 s")),
            ("p99 was 250 ms before and 120 ms after", "120 ms", Some("120 ms after")),
            ("p99 was 250 ms before and 120 ms after", "250 ms", Some("p99 was 250 ms before")),
            ("We use it for 5 days on db-1", "5 days", Some("We use it for 5 days")),
            ("Move the limit from 3 s to 25 s", "25 s", Some("3 s to 25 s")),
            ("We use port 8443 and never 8080", "8080", Some("never 8080")),
            ("On page 12 there are 5 errors", "5 errors", None),
            ("On page 12 there are 5 errors", "page 12", None),
            ("Of the 120 s", "20 s", None),
            ("20 s", "20 s", None),
            ("nothing", "20 s", None),
        ] {
            let one = Specific { kind: Kind::Number, text: told.to_owned(), message: 0 };
            assert_eq!(with_its_words(text, &one).as_deref(), expected, "{text}");
        }
        for (text, told, expected) in [
            ("Use Postgres 16.4, not MySQL.", "MySQL", Some("not MySQL")),
            ("We take Valkey instead of `Redis`.", "Redis", Some("instead of Redis")),
            ("Redis 7.2 statt Memcached", "Memcached", Some("statt Memcached")),
            ("not MySQL, I said. MySQL is slow", "MySQL", None),
            ("by RFC 7231 section 6.5.4", "6.5.4", Some("section 6.5.4")),
        ] {
            let one = Specific { kind: Kind::Name, text: told.to_owned(), message: 0 };
            assert_eq!(with_its_words(text, &one).as_deref(), expected, "{text}");
        }
        let path = Specific { kind: Kind::Path, text: "src/a.rs".to_owned(), message: 0 };
        assert_eq!(with_its_words("it is in src/a.rs", &path), None);
    }
}
