//! The words of `/remember` and `/note`.

use crate::orchestrator::{NoteCommand, Op};
use crate::tools::Call;

/// `the code freeze is on Friday #decision ***`: words with a # are tags, signs alone are stars.
pub(super) fn remember(rest: &str) -> Option<Call> {
    let is_tag = |word: &str| word.len() > 1 && word.starts_with('#');
    let is_stars = |word: &str| word.chars().all(|sign| "★*".contains(sign));
    let (mut content, mut tags, mut salience) = (Vec::new(), Vec::new(), None);
    for word in rest.split_whitespace() {
        if is_tag(word) {
            tags.push(word.trim_start_matches('#').to_owned());
        } else if is_stars(word) {
            salience = Some(word.chars().count() as u64);
        } else {
            content.push(word);
        }
    }
    let content = content.join(" ");
    (!content.is_empty()).then_some(Call::Remember { content, tags, salience })
}

/// `n3 tag decision`: which note, and what to do with it.
pub(super) fn change(rest: &str) -> Option<Op> {
    let (id, rest) = rest.split_once(char::is_whitespace)?;
    let (action, words) = rest.trim().split_once(char::is_whitespace).unwrap_or((rest.trim(), ""));
    let words = words.trim();
    let some =
        |make: fn(String) -> NoteCommand| (!words.is_empty()).then(|| make(words.to_owned()));
    let command = match action.to_lowercase().as_str() {
        "pin" => NoteCommand::Pin,
        "unpin" => NoteCommand::Unpin,
        "tag" => some(NoteCommand::Tag)?,
        "untag" => some(NoteCommand::Untag)?,
        "edit" => some(NoteCommand::Edit)?,
        "stars" | "salience" => NoteCommand::Weigh(words.parse().ok()?),
        "delete" | "remove" => NoteCommand::Delete,
        "archive" => NoteCommand::Archive,
        "return" | "restore" => NoteCommand::Return,
        _ => return None,
    };
    Some(Op::Note { id: id.to_owned(), command })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_stars_are_told_from_words() {
        let call = remember("Freeze on Friday, issue # 5 #decision ★★★ #team").unwrap();
        let tags = vec!["decision".to_owned(), "team".to_owned()];
        let content = "Freeze on Friday, issue # 5".to_owned();
        assert_eq!(call, Call::Remember { content, tags, salience: Some(3) });
        assert_eq!(remember(" #only ** "), None);
    }

    #[test]
    fn each_action_is_understood_and_none_is_guessed() {
        let parsed = |line: &str| match change(line)? {
            Op::Note { command, .. } => Some(command),
            other => panic!("{other:?}"),
        };
        assert_eq!(parsed("n3 pin"), Some(NoteCommand::Pin));
        assert_eq!(parsed("3 edit  new words"), Some(NoteCommand::Edit("new words".into())));
        assert_eq!(parsed("n3 stars 2"), Some(NoteCommand::Weigh(2)));
        for line in ["", "n3", "n3 fold", "n3 tag", "n3 stars many"] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
