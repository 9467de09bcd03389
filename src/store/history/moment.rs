//! What the journal records of a moment, so that the time machine can show it: sums, forms and what
//! waited; never more than the window holds.

use serde_json::{Map, Value, json};

use super::forms;
use super::state::State;
use crate::memory::{Change, Effort, EffortId, LogsView, Memory, Metrics, Status, Tokens, Totals};
use crate::store::entry::bounded;
use crate::store::journal::object;
use crate::store::{block, note};

/// The sums of a moment and the form in which the window was sent.
pub(in crate::store) fn moment_fields(memory: &Memory) -> Map<String, Value> {
    let totals = memory.totals();
    let LogsView { efforts, effort_messages, effort_tokens, ambient_messages, ambient_tokens } =
        totals.logs;
    let m = totals.metrics;
    let mut fields = object(json!({
        "full_history": totals.full_history.0.0,
        "ambient": memory.ambient_messages(),
        "efforts": [totals.concluded.0, totals.concluded.1],
        "logs": [efforts, effort_messages, effort_tokens.0, ambient_messages, ambient_tokens.0],
        "metrics": [
            m.auto_collapses, m.manual_collapses, m.expansion_turns, m.false_decays,
            m.tokens_saved_by_decay, m.budget_collapses,
        ],
        "kept": [totals.permanent_notes, totals.scratchpad],
    }));
    if !totals.full_history.1 {
        fields.insert("uncounted".into(), true.into());
    }
    let shown = memory.forms();
    if !shown.is_whole() {
        fields.insert("forms".into(), forms::fields(&shown).into());
    }
    let compressed = memory.open_efforts().filter(|effort| !effort.blocks().is_empty());
    let compressed: Map<String, Value> =
        compressed.map(|effort| (effort.id.to_string(), effort.log_tokens().0.into())).collect();
    if !compressed.is_empty() {
        fields.insert("compressed".into(), compressed.into());
    }
    let waiting = memory.waiting_for_consent();
    if !waiting.is_empty() {
        let waiting: Vec<&str> = waiting.iter().map(EffortId::as_str).collect();
        fields.insert("waiting".into(), waiting.into());
    }
    fields
}

/// Reads the sums that [`moment_fields`] wrote.
pub(super) fn read_totals(fields: &Map<String, Value>) -> Totals {
    let number = |key: &str, at: usize| number(fields, key, at);
    let count = |key: &str, at: usize| number(key, at) as usize;
    let full = fields.get("full_history").and_then(bounded).unwrap_or(0);
    Totals {
        concluded: (count("efforts", 0), count("efforts", 1)),
        full_history: (Tokens(full), fields.get("uncounted").is_none_or(Value::is_null)),
        logs: LogsView {
            efforts: count("logs", 0),
            effort_messages: number("logs", 1),
            effort_tokens: Tokens(number("logs", 2)),
            ambient_messages: number("logs", 3),
            ambient_tokens: Tokens(number("logs", 4)),
        },
        metrics: metrics(fields),
        permanent_notes: count("kept", 0),
        scratchpad: count("kept", 1),
    }
}

/// Reads the metrics that [`moment_fields`] wrote.
pub(in crate::store) fn metrics(fields: &Map<String, Value>) -> Metrics {
    let number = |at: usize| number(fields, "metrics", at);
    Metrics {
        auto_collapses: number(0),
        manual_collapses: number(1),
        expansion_turns: number(2),
        false_decays: number(3),
        tokens_saved_by_decay: number(4),
        budget_collapses: number(5),
    }
}

/// Whether a line tells the metrics, all of them numbers.
pub(in crate::store) fn tells_metrics(fields: &Map<String, Value>) -> bool {
    let list = fields.get("metrics").and_then(Value::as_array);
    list.is_some_and(|list| list.iter().all(|number| bounded(number).is_some()))
}

fn number(fields: &Map<String, Value>, key: &str, at: usize) -> u64 {
    fields.get(key).and_then(|list| list.get(at)).and_then(bounded).unwrap_or(0)
}

/// What the time machine needs of a change beside what the manifest takes from it: where the summary
/// stands among the others.
pub(in crate::store) fn change_extras(change: &Change, memory: &Memory) -> Map<String, Value> {
    let mut fields = Map::new();
    if change.note.is_none()
        && let Some(place) = memory.place_of(&change.id)
    {
        fields.insert("place".into(), place.into());
    }
    fields
}

/// What is held of an effort.
pub(in crate::store) fn held_fields(effort: &Effort) -> Map<String, Value> {
    object(json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "summary": effort.summary.as_deref(),
        "pinned": effort.pinned,
        "last_referenced_turn": effort.last_referenced.0,
        "cause": &*effort.cause,
        "raw_tokens": effort.raw_tokens.map(|tokens| tokens.0),
        "raw_messages": effort.raw_messages,
        "summary_tokens": effort.summary_tokens().map(|tokens| tokens.0),
        "compressed": block::write(effort.blocks()),
    }))
}

/// The fields of the line that tells how a session was opened. `frame` is where the journal tells the
/// system prompt and the tools; `end_of` gives the length of a log in bytes, of `None` the ambient one.
pub(in crate::store) fn opening_fields(
    memory: &Memory,
    frame: u64,
    end_of: impl Fn(Option<&EffortId>) -> Option<u64>,
) -> Map<String, Value> {
    let mut state = State::default();
    let in_window =
        memory.open_efforts().chain(memory.expanded_efforts()).chain(memory.warm_efforts());
    for effort in in_window.chain(memory.evicted_efforts().rev()) {
        let end = if effort.status == Status::Open { end_of(Some(&effort.id)) } else { None };
        let place = memory.place_of(&effort.id);
        state.hold(memory.tier(effort), held_fields(effort), place, end);
    }
    memory.searchable_notes().for_each(|one| state.hold_note(note::note_fields(one)));
    let rules = super::rules_fields(memory.rules(), memory.note_limits());
    state.set_basis(memory.turn(), rules, frame, end_of(None).unwrap_or(0));
    state.set_moment(moment_fields(memory));
    object(json!({ "state": state.to_json() }))
}
