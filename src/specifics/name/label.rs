//! Words with capitals on buttons, and others that name nobody where they stand alone.

use std::ops::Range;

use super::is_given;
use crate::specifics::scan::word_before;
use crate::specifics::words::Words;

/// Verbs behind which stands what is written on a button.
static CLICKS: Words = Words::new(
    "click clicked clicking clicks klick klicke klicken press pressed pressing tap tapped tapping",
);

/// What buttons say that stand alone.
static BUTTONS: Words = Words::new(
    "apply back cancel close continue delete done edit export import login logout next ok open refresh retry save send share \
     submit upload wi-fi wifi",
);

/// Whether what might be a name is none: `Save` of `click Save, then Next`.
pub(super) fn is_label(text: &str, place: &Range<usize>) -> bool {
    let said = &text[place.clone()];
    let (first, rest) = said.split_once(' ').unwrap_or((said, ""));
    if rest.is_empty() && BUTTONS.hold_lower(said) {
        return true;
    }
    let begins = CLICKS.hold_lower(first) && !rest.is_empty();
    begins || CLICKS.hold_lower(word_before(text, place.start)) && !is_given(first)
}

#[cfg(test)]
mod tests {
    use crate::specifics::{Kind, extract};

    #[test]
    fn what_stands_on_a_button_is_no_name() {
        for (text, expected) in [
            ("Please click Save and then Next.", &[][..]),
            ("Open the page and Click Save there.", &[]),
            ("We tap Advanced Options there.", &[]),
            ("We use the Wi-Fi there.", &[]),
            ("It is written by the Wi-Fi Alliance.", &["Wi-Fi Alliance"]),
            ("Then we press Anna for a date.", &["Anna"]),
        ] {
            let all = extract([text]).into_iter().filter(|one| one.kind == Kind::Name);
            assert_eq!(all.map(|one| one.text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
