//! What a change happened to.

use std::fmt;
use std::sync::Arc;

use super::super::{EffortId, NoteId};
use super::{ChangeKind, Of};

/// What a change happened to. Shown and stored as one word, from which the kind of the change tells it again.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An effort.
    Effort(EffortId),
    /// A note.
    Note(NoteId),
    /// A text on the scratchpad, by its key.
    Text(Arc<str>),
    /// The exchanges that belong to no effort.
    Ambient,
    /// The newest message of the user.
    Message,
    /// The details beside the summaries.
    Specifics,
    /// What was recalled for the newest message.
    Recalled,
}

impl Subject {
    /// The subjects that are one of a kind.
    const SINGLE: [Self; 4] = [Self::Ambient, Self::Message, Self::Specifics, Self::Recalled];

    /// What a stored word means where a change of that kind happened to it.
    pub fn stored(kind: ChangeKind, word: &str) -> Self {
        let effort = || Self::Effort(EffortId::stored(word));
        let note = || NoteId::parse(word).filter(|id| id.to_string() == word).map(Self::Note);
        match kind.row().of {
            Of::Effort => effort(),
            Of::Note => note().unwrap_or_else(effort),
            Of::Text => Self::Text(word.into()),
            Of::Part => {
                let single = Self::SINGLE.into_iter().find(|one| one.to_string() == word);
                single.or_else(note).unwrap_or_else(effort)
            }
        }
    }

    /// The effort, if it is one.
    pub fn effort(&self) -> Option<&EffortId> {
        match self {
            Self::Effort(id) => Some(id),
            _ => None,
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Effort(id) => id.fmt(out),
            Self::Note(id) => id.fmt(out),
            Self::Text(key) => out.write_str(key),
            Self::Ambient => out.write_str("ambient"),
            Self::Message => out.write_str("message"),
            Self::Specifics => out.write_str("specifics"),
            Self::Recalled => out.write_str("recalled"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_told_again_from_its_word_and_the_kind() {
        let effort = |id| Subject::Effort(EffortId::stored(id));
        for (kind, subject) in [
            (ChangeKind::EffortOpened, effort("n3")),
            (ChangeKind::EffortOpened, effort("ambient")),
            (ChangeKind::NotePinned, Subject::Note(NoteId(3))),
            (ChangeKind::ScratchpadSaved, Subject::Text("n3".into())),
            (ChangeKind::LeftOut, effort("42")),
            (ChangeKind::LeftOut, Subject::Note(NoteId(3))),
            (ChangeKind::LeftOut, Subject::Specifics),
            (ChangeKind::Shortened, Subject::Message),
            (ChangeKind::WholeAgain, Subject::Ambient),
        ] {
            assert_eq!(Subject::stored(kind, &subject.to_string()), subject);
        }
    }
}
