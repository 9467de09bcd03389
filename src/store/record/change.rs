//! The line of a change.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::note::StoredEdit;
use super::sane::{count, fields_only, must, number, sane};
use crate::memory::{Change, ChangeKind, EffortId, Subject, Tier, Tokens, Turn, Was};

/// What a line tells of a change.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ChangeLine {
    /// What memory did.
    #[serde(skip_serializing)]
    pub(crate) kind: ChangeKind,
    /// What it happened to.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) id: String,
    /// Why, in words.
    #[serde(default, deserialize_with = "sane")]
    pub(crate) cause: String,
    /// Tokens in the window before.
    #[serde(default, deserialize_with = "count")]
    pub(crate) tokens_before: u64,
    /// Tokens in the window after.
    #[serde(default, deserialize_with = "count")]
    pub(crate) tokens_after: u64,
    /// The effort that is active from here on.
    #[serde(default, deserialize_with = "sane")]
    active: Option<EffortId>,
    /// What it did to a note.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<Box<StoredEdit>>,
    /// How an effort was before.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Option::is_none")]
    was: Option<Box<StoredWas>>,
    /// The number of all that happened at once with it.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) batch: Option<u64>,
    /// The batch that it takes back.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    undoes: Option<u64>,
    /// The batch that it repeats.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    redoes: Option<u64>,
    /// Where the summary stands among the others in the window.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<u64>,
    /// Ambient messages in the window from here on, of a tide.
    #[serde(default, deserialize_with = "number", skip_serializing_if = "Option::is_none")]
    pub(crate) ambient: Option<u64>,
    /// As in [`super::Record`].
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub(crate) entered: Option<u64>,
    /// What it made of the effort's entry in the manifest.
    #[serde(default, deserialize_with = "fields_only", skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<Map<String, Value>>,
}

/// An effort as it was before a change.
#[derive(Debug, Serialize, Deserialize)]
struct StoredWas {
    state: Tier,
    #[serde(default, deserialize_with = "sane")]
    active: Option<EffortId>,
    #[serde(default, deserialize_with = "sane")]
    summary: Option<String>,
    #[serde(deserialize_with = "must")]
    messages: u64,
    #[serde(default, deserialize_with = "number")]
    last_referenced_turn: Option<u64>,
    #[serde(default, deserialize_with = "sane")]
    cause: Option<String>,
}

impl ChangeLine {
    /// The line of a change after which an effort is active.
    pub(crate) fn new(change: &Change, active: Option<&EffortId>) -> Self {
        Self {
            kind: change.kind,
            id: change.subject.to_string(),
            cause: change.cause.clone(),
            tokens_before: change.before.0,
            tokens_after: change.after.0,
            active: active.cloned(),
            note: change.note.as_deref().map(|edit| Box::new(edit.into())),
            was: change.was.as_deref().map(|was| Box::new(was.into())),
            batch: None,
            undoes: None,
            redoes: None,
            place: None,
            ambient: None,
            entered: None,
            entry: None,
        }
    }

    /// Why the change was recorded.
    pub(crate) fn step(&self) -> Step {
        let undoes = self.undoes.map(Step::Undoes);
        undoes.or(self.redoes.map(Step::Redoes)).unwrap_or_default()
    }

    /// It happened at once with others, for a reason.
    pub(crate) fn of(&mut self, batch: u64, step: Step) {
        self.batch = Some(batch);
        match step {
            Step::Done => {}
            Step::Undoes(set) => self.undoes = Some(set),
            Step::Redoes(set) => self.redoes = Some(set),
        }
    }

    /// What it happened to.
    pub(crate) fn subject(&self) -> Subject {
        Subject::stored(self.kind, &self.id)
    }

    /// The change, which belongs to a turn.
    pub(crate) fn change(self, turn: Turn) -> Change {
        Change {
            turn,
            kind: self.kind,
            subject: self.subject(),
            cause: self.cause,
            before: Tokens(self.tokens_before),
            after: Tokens(self.tokens_after),
            note: self.note.map(|edit| Box::new((*edit).into())),
            was: self.was.map(|was| Box::new((*was).into())),
        }
    }
}

impl From<&Was> for StoredWas {
    fn from(was: &Was) -> Self {
        let (turn, cause) = was.referenced.clone().unzip();
        Self {
            state: was.state,
            active: was.active.clone(),
            summary: was.summary.as_deref().map(str::to_owned),
            messages: was.messages,
            last_referenced_turn: turn.map(|turn| turn.0),
            cause: cause.as_deref().map(str::to_owned),
        }
    }
}

impl From<StoredWas> for Was {
    fn from(was: StoredWas) -> Self {
        let referenced = was.last_referenced_turn.zip(was.cause);
        Self {
            state: was.state,
            active: was.active,
            summary: was.summary.map(Into::into),
            messages: was.messages,
            referenced: referenced.map(|(turn, cause)| (Turn(turn), cause.into())),
        }
    }
}

/// Why changes are recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Step {
    /// They happened.
    #[default]
    Done,
    /// They take a set back, by its number.
    Undoes(u64),
    /// They repeat a set that was taken back.
    Redoes(u64),
}

#[cfg(test)]
mod tests {
    use super::super::{Line, Record};
    use super::*;
    use crate::memory::{Note, NoteEdit, NoteId, NoteState, Salience, Usage};

    /// A change with everything that its kind may carry.
    fn full(kind: ChangeKind) -> Change {
        let note = Note {
            id: NoteId(3),
            content: "The user likes \"tea\"".into(),
            tags: vec!["taste".into()],
            salience: Salience::new(3).unwrap(),
            created: Turn(2),
            entered: Turn(4),
            last_used: Turn(5),
            pinned: true,
            state: NoteState::Permanent,
            effort: Some(EffortId::stored("auth-bug")),
            usage: Usage { mentions: 2, finds: 1, last_found: Some(Turn(5)) },
            thread: Some(NoteId(1)),
        };
        let was = Was {
            state: Tier::Expanded,
            active: Some(EffortId::stored("guild")),
            summary: Some("Tokens\nexpired.".into()),
            messages: 6,
            referenced: Some((Turn(4), "'refresh'".into())),
        };
        let of_note = kind.as_str().starts_with("note_");
        let edit = NoteEdit { before: Some(Note { pinned: false, ..note.clone() }), after: note };
        Change {
            turn: Turn(7),
            kind,
            subject: Subject::stored(kind, if of_note { "n3" } else { "auth-bug" }),
            cause: "not mentioned for 20 turns".into(),
            before: Tokens(120),
            after: Tokens(90),
            note: of_note.then(|| Box::new(edit)),
            was: (!of_note).then(|| Box::new(was)),
        }
    }

    #[test]
    fn a_change_of_every_kind_comes_back_from_its_line() {
        for &kind in ChangeKind::ALL {
            let change = full(kind);
            let (at, line) = (String::new(), Line::Change(ChangeLine::new(&change, None).into()));
            let mut written = Vec::new();
            Record { seq: 1, turn: change.turn, at, entered: None, line }
                .write(&mut written)
                .unwrap();
            let Line::Change(line) = Record::parse(&written).unwrap().line else {
                panic!("{kind:?}")
            };
            assert_eq!(line.change(Turn(7)), change);
        }
    }
}
