//! The label under which a text stands that is held by reference. The program wrote it: nobody said its words.

use std::sync::Arc;

/// How a label begins, a line of its own.
const BEGINS: [&str; 3] =
    ["[Full result saved as ref:", "[Full input saved as ref:", "[Attached file saved as ref:"];

/// What all of them hold.
const HELD: &str = " saved as ref:";

/// Whether a text that is held by reference stands in another one.
pub(super) fn holds_saved(text: &str) -> bool {
    BEGINS.iter().any(|label| text.contains(label))
}

/// A text without the labels in it: what was said, and what is shown of a text that is held by reference.
pub fn without_labels(text: &Arc<str>) -> Arc<str> {
    // Most texts have none.
    if !text.contains(HELD) {
        return Arc::clone(text);
    }
    let is_label = |line: &&str| BEGINS.iter().any(|label| line.starts_with(label));
    text.split_inclusive('\n').filter(|line| !is_label(line)).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_text_that_is_held_by_reference_what_was_said_stays() {
        let text = "look at this\n\n[Attached file saved as ref:a: a.txt, 9 tokens.]\nits words\n";
        let said = |text: &str| without_labels(&text.into()).to_string();
        assert_eq!(said(text), "look at this\n\nits words\n");
        assert_eq!(said("[Full input saved as ref:input: a paste.]"), "");
        assert!(holds_saved(text) && !holds_saved("what was saved as ref:a?"));
    }

    #[test]
    fn what_people_write_of_saved_texts_is_theirs() {
        for said in ["is it saved as ref:a?", "I saw [Full input saved as ref:a] there"] {
            assert_eq!(&*without_labels(&said.into()), said);
        }
    }
}
