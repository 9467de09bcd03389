//! Large pastes: each stands in the message line as a short label and is sent whole.

use std::ops::Range;

use crate::counted::{counted, grouped};
use crate::orchestrator::{Draft, Paste};
use crate::tui::command;

/// Characters above which a text is large, however few its lines are.
const LARGE: usize = 1000;

/// Lines above which a paste becomes a label.
const MANY_LINES: usize = 10;

/// The largest text that is edited in the message line itself, in bytes; above it every key would be felt.
pub const MOST_EDITED: usize = 64 * 1024;

/// Whether a pasted text is too large to be shown in the message line.
pub fn is_large(text: &str) -> bool {
    has_many_chars(text) || text.split('\n').nth(MANY_LINES).is_some()
}

/// Whether a text is large by its characters alone.
pub fn has_many_chars(text: &str) -> bool {
    text.chars().nth(LARGE).is_some()
}

/// A text that came from elsewhere, as a draft: one label, with a number, if it is large.
pub fn draft_of(text: &str, number: usize) -> Draft {
    if !is_large(text) {
        return text.into();
    }
    let paste = paste(text.into(), number);
    Draft { text: paste.label.clone(), pastes: vec![paste], id: None }
}

/// A paste with its label.
pub fn paste(content: std::sync::Arc<str>, number: usize) -> Paste {
    let lines = content.lines().count().max(1);
    let label = format!(
        "[paste {number}: {}, {} bytes]",
        counted(lines as u64, "line"),
        grouped(content.len() as u64)
    );
    Paste { label, text: content }
}

/// The number in a paste's label.
pub fn number(paste: &Paste) -> Option<usize> {
    paste.label.strip_prefix("[paste ")?.split(':').next()?.parse().ok()
}

/// Where labels stand in a line, in characters, from left to right.
pub fn places(line: &str, pastes: &[Paste]) -> Vec<Range<usize>> {
    let chars = |bytes: usize| line[..bytes].chars().count();
    let mut places: Vec<Range<usize>> = pastes
        .iter()
        .flat_map(|paste| line.match_indices(&paste.label))
        .map(|(at, label)| chars(at)..chars(at + label.len()))
        .collect();
    places.sort_unstable_by_key(|place| place.start);
    places
}

/// A text that was edited elsewhere: what is still there of the pastes, word for word, becomes a label
/// again.
pub fn fold(text: &str, pastes: &[Paste]) -> Draft {
    let mut folded = text.to_owned();
    for paste in pastes {
        if let Some(at) = folded.find(&*paste.text) {
            folded.replace_range(at..at + paste.text.len(), &paste.label);
        }
    }
    if folded.len() > MOST_EDITED {
        // The word that makes it a command stays to be read: a label alone would be sent to the model.
        let first = text.split_inclusive(char::is_whitespace).next().map_or(0, str::len);
        let (command, words) = text.split_at(if command::is_message(text) { 0 } else { first });
        let draft = draft_of(words, 1);
        return Draft { text: format!("{command}{}", draft.text), ..draft };
    }
    let pastes = pastes.iter().filter(|paste| folded.contains(&paste.label)).cloned().collect();
    Draft { text: folded, pastes, id: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_tells_lines_and_bytes_and_has_a_number_of_its_own() {
        let first = paste("x\n".repeat(812).into(), 1);
        assert_eq!(first.label, "[paste 1: 812 lines, 1,624 bytes]");
        let second = paste("é".into(), 2);
        assert_eq!(second.label, "[paste 2: 1 line, 2 bytes]");
        assert_eq!([&first, &second].map(number), [Some(1), Some(2)]);
    }

    #[test]
    fn large_is_more_than_a_thousand_characters_or_ten_lines() {
        assert!(!is_large(&"é".repeat(1000)));
        assert!(is_large(&"é".repeat(1001)));
        assert!(!is_large(&"x\n".repeat(9)));
        assert!(is_large(&"x\n".repeat(10)));
    }

    #[test]
    fn an_edited_text_keeps_the_pastes_that_were_left_alone() {
        let one = paste("a\n".repeat(20).into(), 1);
        let two = paste("b\n".repeat(20).into(), 2);
        let pastes = [one.clone(), two.clone()];
        let draft = fold(&format!("see {} and {}", one.text, &two.text[1..]), &pastes);
        assert!(draft.text.starts_with(&format!("see {} and \nb", one.label)), "{}", draft.text);
        assert_eq!(draft.pastes, [one]);
        let huge = fold(&"z".repeat(MOST_EDITED + 1), &[]);
        assert_eq!(huge.text, "[paste 1: 1 line, 65,537 bytes]");
        let command = format!("/edit tea {}", "z".repeat(MOST_EDITED));
        let huge = fold(&command, &[]);
        assert_eq!(huge.text, "/edit [paste 1: 1 line, 65,540 bytes]");
        assert_eq!(huge.whole(), command, "it is no message to the model");
    }
}
