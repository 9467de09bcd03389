//! Whether a text names a person by the last name.

use super::text::is_letter;

/// Words in front of a name that are none themselves.
const TITLES: [&str; 8] = ["Dr", "Frau", "Herr", "Mr", "Mrs", "Ms", "Prof", "Sir"];

/// The shortest last name that stands for a person.
const SHORTEST: usize = 3;

/// Whether a text says a last name, and not as that of somebody else. Takes the name in small letters.
pub(super) fn holds_surname(text: &str, last: &str) -> bool {
    let mut before = "";
    let mut found = false;
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| !is_letter(c) && c != '-');
        let name = bare.strip_suffix("'s").or_else(|| bare.strip_suffix("’s")).unwrap_or(bare);
        let is_name = name.starts_with(char::is_uppercase) && name.to_lowercase() == last;
        let first = before.starts_with(char::is_uppercase) && before.ends_with(is_letter);
        found |= is_name && last.len() >= SHORTEST && (!first || TITLES.contains(&before));
        before = word;
    }
    found
}
