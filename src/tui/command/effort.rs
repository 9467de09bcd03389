//! The commands with which a person steers efforts by hand; where it makes sense they take a note as well.

use super::{CommandSpec, Kind, Subject};
use crate::orchestrator::{EffortCommand, NoteCommand, Op};

/// What one of these commands does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Steer {
    Pin,
    Unpin,
    Keep,
    Evict,
    Edit,
    SummarizeAgain,
}

const fn spec(
    name: &'static str,
    aliases: &'static [&'static str],
    arguments: &'static str,
    subject: Subject,
    steer: Steer,
    help: &'static str,
) -> CommandSpec {
    CommandSpec { name, aliases, arguments, help, subject, kind: Kind::Steer(steer) }
}

/// Their rows in the table of commands.
pub(super) static STEERING: &[CommandSpec] = &[
    spec("pin", &[], "ID", Subject::Kept, Steer::Pin, "keep an effort or a note in the window"),
    spec("unpin", &[], "ID", Subject::Kept, Steer::Unpin, "let it count down again"),
    spec(
        "keep",
        &["refresh"],
        "ID",
        Subject::Kept,
        Steer::Keep,
        "reset the countdown of an effort",
    ),
    spec("evict", &["drop"], "ID", Subject::Kept, Steer::Evict, "send an effort out of the window"),
    spec("edit", &[], "ID WORDS", Subject::Kept, Steer::Edit, "word the summary or the note anew"),
    spec(
        "resummarize",
        &["resummarise"],
        "ID",
        Subject::Kept,
        Steer::SummarizeAgain,
        "make the summary again from the raw log",
    ),
];

/// What to ask of the orchestrator; `None` if something is missing.
pub(super) fn op(steer: Steer, rest: &str) -> Option<Op> {
    let (id, words) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let (id, words) = (id.to_owned(), words.trim());
    if id.is_empty() || (steer == Steer::Edit && words.is_empty()) {
        return None;
    }
    if let Some(command) = is_note(&id).then(|| of_note(steer, words)).flatten() {
        return Some(Op::Note { id, command });
    }
    let command = match steer {
        Steer::Pin => EffortCommand::Pin,
        Steer::Unpin => EffortCommand::Unpin,
        Steer::Keep => EffortCommand::Keep,
        Steer::Evict => EffortCommand::Evict,
        Steer::Edit => EffortCommand::Edit(words.to_owned()),
        Steer::SummarizeAgain => EffortCommand::SummarizeAgain,
    };
    Some(Op::Effort { id, command })
}

/// `n3` is the third note.
fn is_note(id: &str) -> bool {
    id.strip_prefix('n').is_some_and(|number| number.parse::<u64>().is_ok())
}

fn of_note(steer: Steer, words: &str) -> Option<NoteCommand> {
    match steer {
        Steer::Pin => Some(NoteCommand::Pin),
        Steer::Unpin => Some(NoteCommand::Unpin),
        Steer::Evict => Some(NoteCommand::Archive),
        Steer::Edit => Some(NoteCommand::Edit(words.to_owned())),
        Steer::Keep | Steer::SummarizeAgain => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_needed_and_a_note_is_told_from_an_effort() {
        assert!(op(Steer::Pin, "").is_none() && op(Steer::Edit, "tea").is_none());
        let asked = op(Steer::Edit, "tea  green, 70 degrees");
        let Some(Op::Effort { id, command }) = asked else { panic!("{asked:?}") };
        assert_eq!((&*id, command), ("tea", EffortCommand::Edit("green, 70 degrees".into())));
        let asked = op(Steer::Evict, "n12");
        assert!(matches!(asked, Some(Op::Note { command: NoteCommand::Archive, .. })), "{asked:?}");
        assert!(matches!(op(Steer::Pin, "n-gram"), Some(Op::Effort { .. })));
    }
}
