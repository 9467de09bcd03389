//! What of the window was sent in another form than whole.
//!
//! `[3, 2]` stands for two messages of the log from its fourth on, word for word; `0` for the first
//! compressed part of the log; an object for words that stood in the place of others.

use serde::{Deserialize, Deserializer, Serialize};

use super::sane::{Listed, list, must, sane};
use crate::memory::{EffortId, Forms, NoteId, Piece, Role};

/// Forms; what makes no sense was whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredForms {
    #[serde(default, deserialize_with = "list")]
    summaries: Vec<EffortId>,
    #[serde(default, deserialize_with = "list")]
    notes: Vec<String>,
    #[serde(default, deserialize_with = "sane")]
    unlisted: bool,
    #[serde(default, deserialize_with = "sane")]
    ambient: Option<Pieces>,
    #[serde(default, deserialize_with = "sane")]
    logs: Listed<Pieces>,
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Listed::is_empty")]
    specifics: Listed<String>,
    /// Expanded logs: the log that each stands in, and the messages of it that stand behind.
    #[serde(default, deserialize_with = "sane", skip_serializing_if = "Listed::is_empty")]
    anchors: Listed<(Option<String>, u64)>,
    /// Runs of messages: the log, and the messages of it, as sent, that stand behind.
    #[serde(default, deserialize_with = "list", skip_serializing_if = "Vec::is_empty")]
    runs: Vec<(Option<String>, u64)>,
}

/// What was sent of a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Pieces(Vec<StoredPiece>);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum StoredPiece {
    Block(#[serde(deserialize_with = "must")] u64),
    Words {
        #[serde(default, deserialize_with = "sane")]
        role: String,
        content: String,
    },
    Whole(#[serde(deserialize_with = "must")] u64, #[serde(deserialize_with = "must")] u64),
}

impl<'de> Deserialize<'de> for Pieces {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pieces: Vec<serde_json::Value> = Vec::deserialize(deserializer)?;
        let sane = pieces.into_iter().filter_map(|piece| serde_json::from_value(piece).ok());
        Ok(Self(sane.collect()))
    }
}

impl From<&Forms<Piece>> for StoredForms {
    fn from(forms: &Forms<Piece>) -> Self {
        let pieces = |shown: &Vec<Piece>| Pieces(shown.iter().map(StoredPiece::from).collect());
        let logs = forms.logs.iter().map(|(id, shown)| (id.to_string(), pieces(shown)));
        let anchors = forms.anchors.iter().map(|(id, log, later)| {
            (id.to_string(), (log.as_ref().map(EffortId::to_string), *later as u64))
        });
        let runs = forms
            .runs
            .iter()
            .map(|(log, later)| (log.as_ref().map(EffortId::to_string), *later as u64));
        let lines = forms.specifics.iter().map(|(id, line)| (id.to_string(), line.to_string()));
        Self {
            summaries: forms.summaries.clone(),
            notes: forms.notes.iter().map(NoteId::to_string).collect(),
            unlisted: forms.unlisted,
            ambient: forms.ambient.as_ref().map(pieces),
            logs: Listed(logs.collect()),
            specifics: Listed(lines.collect()),
            anchors: Listed(anchors.collect()),
            runs: runs.collect(),
        }
    }
}

impl From<&StoredForms> for Forms<Piece> {
    fn from(stored: &StoredForms) -> Self {
        let pieces = |shown: &Pieces| shown.0.iter().map(Piece::from).collect();
        let lines = stored.specifics.0.iter();
        let logs = stored.logs.0.iter();
        let anchors = stored.anchors.0.iter().map(|(id, (log, later))| {
            (EffortId::stored(id), log.as_deref().map(EffortId::stored), *later as usize)
        });
        let runs = stored
            .runs
            .iter()
            .map(|(log, later)| (log.as_deref().map(EffortId::stored), *later as usize));
        Self {
            specifics: lines
                .map(|(id, line)| (EffortId::stored(id), line.as_str().into()))
                .collect(),
            summaries: stored.summaries.clone(),
            notes: stored.notes.iter().filter_map(|id| NoteId::parse(id)).collect(),
            unlisted: stored.unlisted,
            ambient: stored.ambient.as_ref().map(pieces),
            logs: logs.map(|(id, shown)| (EffortId::stored(id), pieces(shown))).collect(),
            anchors: anchors.collect(),
            runs: runs.collect(),
        }
    }
}

impl From<&Piece> for StoredPiece {
    fn from(piece: &Piece) -> Self {
        match piece {
            Piece::Whole { from, count } => Self::Whole(*from as u64, *count as u64),
            Piece::Block(nth) => Self::Block(*nth as u64),
            Piece::Words(role, words) => {
                Self::Words { role: role.as_str().to_owned(), content: words.to_string() }
            }
        }
    }
}

impl From<&StoredPiece> for Piece {
    fn from(stored: &StoredPiece) -> Self {
        match stored {
            StoredPiece::Block(nth) => Self::Block(*nth as usize),
            StoredPiece::Whole(from, count) => {
                Self::Whole { from: *from as usize, count: *count as usize }
            }
            StoredPiece::Words { role, content } => {
                let role = if role == "assistant" { Role::Assistant } else { Role::User };
                Self::Words(role, content.as_str().into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(forms: &Forms<Piece>) -> Forms<Piece> {
        let text = serde_json::to_string(&StoredForms::from(forms)).unwrap();
        (&serde_json::from_str::<StoredForms>(&text).unwrap()).into()
    }

    #[test]
    fn forms_come_back_as_they_were() {
        let shown = vec![
            Piece::Whole { from: 0, count: 1 },
            Piece::Words(Role::Assistant, "[… left out]".into()),
            Piece::Block(2),
            Piece::Whole { from: 7, count: 4 },
        ];
        let forms = Forms {
            specifics: vec![(EffortId::stored("c"), "* c also holds: 5 ms\n".into())],
            summaries: vec![EffortId::stored("a")],
            notes: vec![NoteId(3)],
            unlisted: true,
            ambient: Some(Vec::new()),
            logs: vec![(EffortId::stored("b"), shown)],
            anchors: vec![
                (EffortId::stored("d"), Some(EffortId::stored("b")), 4),
                (EffortId::stored("e"), None, 2),
            ],
            runs: vec![
                (None, 0),
                (Some(EffortId::stored("b")), 3),
                (Some(EffortId::stored("b")), 0),
            ],
        };
        assert_eq!(again(&forms), forms);
        let whole = Forms::default();
        assert_eq!(again(&whole), whole);
    }
}
