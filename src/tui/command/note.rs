//! The words of `/note`.

use crate::orchestrator::{NoteCommand, Op};

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
        "stars" | "weigh" | "salience" => NoteCommand::Weigh(words.parse().ok()?),
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
    fn each_action_is_understood_and_none_is_guessed() {
        let parsed = |line: &str| match change(line)? {
            Op::Note { command, .. } => Some(command),
            other => panic!("{other:?}"),
        };
        assert_eq!(parsed("n3 pin"), Some(NoteCommand::Pin));
        assert_eq!(parsed("3 edit  new words"), Some(NoteCommand::Edit("new words".into())));
        assert_eq!(parsed("n3 stars 2"), Some(NoteCommand::Weigh(2)));
        assert_eq!(parsed("n3 weigh 2"), Some(NoteCommand::Weigh(2)));
        for line in ["", "n3", "n3 fold", "n3 tag", "n3 stars many"] {
            assert_eq!(parsed(line), None, "{line}");
        }
    }
}
