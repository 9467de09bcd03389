//! From text to search terms.

use crate::memory;

/// A word's form in the index: lower case, without a plural or verb ending, so that "timeouts" finds
/// "timeout" and "debugged" finds "debug".
pub(super) fn stem(word: &str) -> String {
    let word = word.trim_end_matches("'s").trim_end_matches("’s");
    for (ending, replacement) in [("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("s", "")]
    {
        let Some(head) = word.strip_suffix(ending) else { continue };
        let blocked = ending == "s" && (head.ends_with('s') || head.ends_with('u'));
        if head.chars().count() >= 3 && !blocked {
            return undouble(&format!("{head}{replacement}"));
        }
    }
    word.to_owned()
}

/// The terms of a text, in order of appearance. Hyphens and other signs separate.
pub(super) fn terms(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .map(|word| word.trim_matches(['\'', '’']).to_lowercase())
        .filter(|word| !word.is_empty() && !memory::is_stop_word(word))
        .map(|word| stem(&word))
}

/// "debugg" and "stopp" read as "debug" and "stop".
fn undouble(word: &str) -> String {
    let mut letters = word.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if last == before && !"aeioulsz0123456789".contains(last) => {
            word[..word.len() - last.len_utf8()].to_owned()
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_are_one_term() {
        for (form, base) in [
            ("debugged", "debug"),
            ("timeouts", "timeout"),
            ("queries", "query"),
            ("caching", "cach"),
        ] {
            assert_eq!(stem(form), base);
        }
        assert_eq!(stem("status"), "status");
    }

    #[test]
    fn stop_words_and_signs_are_no_terms() {
        let found: Vec<String> = terms("What was the fix for auth-bug's 401?").collect();
        assert_eq!(found, ["fix", "auth", "bug", "401"]);
    }
}
