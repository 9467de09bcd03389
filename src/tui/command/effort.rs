//! The commands with which a person steers efforts by hand; where it makes sense they take a note as well.

use crate::orchestrator::{EffortCommand, NoteCommand, Op};

/// What to do with the effort of an id; `None` if the id is missing, or if more than it is there: nothing is done that
/// somebody did not ask for. With a note, what is said for one, if anything is.
pub(super) fn steer(rest: &str, effort: EffortCommand, note: Option<NoteCommand>) -> Option<Op> {
    let mut words = rest.split_whitespace();
    let id = words.next().filter(|_| words.next().is_none())?.to_owned();
    Some(match note.filter(|_| is_note(&id)) {
        Some(command) => Op::Note { id, command },
        None => Op::Effort { id, command: effort },
    })
}

/// `tea green, 70 degrees`: the words that a summary or a note gets.
pub(super) fn edit(rest: &str) -> Option<Op> {
    let (id, words) = rest.split_once(char::is_whitespace)?;
    let words = words.trim().to_owned();
    steer(id, EffortCommand::Edit(words.clone()), Some(NoteCommand::Edit(words)))
}

/// `n3` is the third note.
fn is_note(id: &str) -> bool {
    id.strip_prefix('n').is_some_and(|number| number.parse::<u64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_needed_and_a_note_is_told_from_an_effort() {
        assert!(steer("", EffortCommand::Pin, None).is_none() && edit("tea").is_none());
        for more in ["boat-trip please", "boat-trip\n/close"] {
            assert!(steer(more, EffortCommand::Evict, None).is_none(), "{more}");
        }
        let asked = edit("tea  green, 70 degrees");
        let Some(Op::Effort { id, command }) = asked else { panic!("{asked:?}") };
        assert_eq!((&*id, command), ("tea", EffortCommand::Edit("green, 70 degrees".into())));
        let evict = |id| steer(id, EffortCommand::Evict, Some(NoteCommand::Archive));
        let asked = evict("n12");
        assert!(matches!(asked, Some(Op::Note { command: NoteCommand::Archive, .. })), "{asked:?}");
        assert!(matches!(evict("n-gram"), Some(Op::Effort { .. })));
    }
}
