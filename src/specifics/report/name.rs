//! Whether a text names a person by the last name.

use super::text::is_letter;
use crate::specifics::name::is_given;
use crate::specifics::words::Words;

/// Words in front of a name that are none themselves; what people do may begin a sentence.
static TITLES: Words = Words::new(
    "Architect Attorney Builder Colleague Contractor Doctor Dr Driver Editor Electrician Engineer Florist Frau Guide \
     Herr Herrn Inspector Judge Landlady Landlord Lawyer Manager Mechanic Mr Mrs Ms Notary Nurse Officer Pharmacist Photographer \
     Physician Plumber Prof Professor Roofer Sir Surgeon Teacher Therapist Trainer Vet",
);

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
        found |= is_name && last.len() >= SHORTEST && (!first || TITLES.holds(before));
        before = word;
    }
    found
}

/// Whether a text in its own letters says that something is somebody's, as German does: `Timos Auto`.
pub(super) fn holds_owner(text: &str, name: &str) -> bool {
    let mut words = text.split(' ').peekable();
    let mut found = false;
    while let Some(word) = words.next() {
        let bare = word.trim_start_matches(|c: char| !is_letter(c));
        let is_owner = bare.strip_suffix('s').is_some_and(|owner| owner.to_lowercase() == name);
        // `Jens Auer` is another one.
        let owns = words.peek().is_some_and(|next| next.starts_with(char::is_uppercase));
        found |= is_owner && owns && bare.starts_with(char::is_uppercase) && !is_given(bare);
    }
    found
}
