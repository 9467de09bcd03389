//! What of the window was sent in another form than whole, as the journal holds it.
//!
//! `[3, 2]` stands for two messages of the log from its fourth on, word for word; `0` for the first
//! compressed part of the log; an object for words that stood in the place of others.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::memory::{EffortId, Forms, NoteId, Piece, Role};
use crate::store::entry::bounded;
use crate::store::journal::object;

/// Forms as fields.
pub(super) fn fields(forms: &Forms<Piece>) -> Map<String, Value> {
    let ids: Vec<&str> = forms.summaries.iter().map(EffortId::as_str).collect();
    let notes: Vec<String> = forms.notes.iter().map(NoteId::to_string).collect();
    let logs: Map<String, Value> =
        forms.logs.iter().map(|(id, shown)| (id.to_string(), pieces(shown))).collect();
    let mut fields = object(json!({
        "summaries": ids, "notes": notes, "unlisted": forms.unlisted,
        "ambient": forms.ambient.as_deref().map(pieces), "logs": logs,
    }));
    if !forms.specifics.is_empty() {
        let lines = forms.specifics.iter().map(|(id, line)| (id.to_string(), line.as_ref().into()));
        fields.insert("specifics".into(), Value::Object(lines.collect()));
    }
    fields
}

/// Reads what [`fields`] wrote; what makes no sense is whole.
pub(super) fn read(fields: &Value) -> Forms<Piece> {
    let texts = |key: &str| fields[key].as_array().into_iter().flatten().filter_map(Value::as_str);
    let logs = fields["logs"].as_object().into_iter().flatten();
    let lines = fields["specifics"].as_object().into_iter().flatten();
    Forms {
        specifics: lines
            .filter_map(|(id, line)| Some((EffortId::stored(id), line.as_str()?.into())))
            .collect(),
        summaries: texts("summaries").map(EffortId::stored).collect(),
        notes: texts("notes").filter_map(NoteId::parse).collect(),
        unlisted: fields["unlisted"].as_bool().unwrap_or(false),
        ambient: fields["ambient"].as_array().map(|shown| read_pieces(shown)),
        logs: logs
            .filter_map(|(id, shown)| Some((EffortId::stored(id), read_pieces(shown.as_array()?))))
            .collect(),
    }
}

fn pieces(shown: &[Piece]) -> Value {
    let piece = |piece: &Piece| match piece {
        Piece::Whole { from, count } => json!([from, count]),
        Piece::Block(nth) => json!(nth),
        Piece::Words(role, words) => json!({"role": role.as_str(), "content": &**words}),
    };
    shown.iter().map(piece).collect()
}

fn read_pieces(shown: &[Value]) -> Vec<Piece> {
    let number = |value: &Value| bounded(value).map(|number| number as usize);
    let piece = |value: &Value| {
        if let Some(nth) = number(value) {
            return Some(Piece::Block(nth));
        }
        if let Some(content) = value["content"].as_str() {
            let role = match value["role"].as_str() {
                Some("assistant") => Role::Assistant,
                _ => Role::User,
            };
            return Some(Piece::Words(role, Arc::from(content)));
        }
        Some(Piece::Whole { from: number(&value[0])?, count: number(&value[1])? })
    };
    shown.iter().filter_map(piece).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        };
        assert_eq!(read(&Value::Object(fields(&forms))), forms);
        let whole = Forms::default();
        assert_eq!(read(&Value::Object(fields(&whole))), whole);
        assert!(read(&Value::Null).is_whole());
    }
}
