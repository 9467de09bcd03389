//! What `play` prints: one JSON object a turn (an interface: names are added, never changed), or lines
//! for people.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::bill::paid_json;
use crate::memory::{Change, EffortId, ItemView, Layers, MemoryView, Metrics, Recalled, Window};
use crate::orchestrator::{CallReport, Given, TurnReport, note_stats_json};

/// One turn as JSON.
pub fn turn_json(report: &TurnReport) -> Value {
    json!({
        "turn": report.turn.0,
        "user": &*report.user,
        "reply": &*report.reply,
        "banners": report.banners,
        "calls": report.calls.iter().map(call_json).collect::<Vec<_>>(),
        "requests": report.requests,
        "overhead_us": u64::try_from(report.overhead.as_micros()).unwrap_or(u64::MAX),
        "bill": paid_json(&report.bill.own),
        "sent": layers_and_total(&report.sent),
        "given": given_json(&report.given),
        "most": layers_and_total(&report.most),
        "sent_in_all": report.in_all.0,
        "answered": layers_and_total(&report.answered),
        "window": memory_json(&report.memory),
        "full_history": report.memory.full_history.tokens.0,
        "changes": report.changes.iter().map(change_json).collect::<Vec<_>>(),
    })
}

/// The window's messages as role and content, as they are sent.
pub fn window_json(window: &Window) -> Value {
    let messages = window.messages().into_iter();
    messages.map(|(role, text)| json!({ "role": role.as_str(), "content": &*text })).collect()
}

/// The metrics of slice 3, by their names there.
pub fn metrics_json(metrics: &Metrics) -> Value {
    json!({
        "auto_collapses": metrics.auto_collapses,
        "manual_collapses": metrics.manual_collapses,
        "avg_expansion_duration": metrics.avg_expansion_duration(),
        "manual_vs_auto_collapse": metrics.manual_vs_auto_collapse(),
        "false_decay_rate": metrics.false_decay_rate(),
        "tokens_saved_by_decay": metrics.tokens_saved_by_decay,
        "budget_collapses": metrics.budget_collapses,
        "page_faults": {
            "looked_up": metrics.faults.looked_up,
            "missed": metrics.faults.missed,
            "unanswered": metrics.faults.unanswered,
        },
    })
}

/// One turn as lines for people.
pub fn turn_text(report: &TurnReport) -> String {
    let mut text = format!("[turn {}] you: {}\n", report.turn, report.user);
    for call in &report.calls {
        let _ = writeln!(text, "  call {} {}", call.name, call.arguments);
    }
    for banner in &report.banners {
        let _ = writeln!(text, "  {banner}");
    }
    let _ = writeln!(text, "  model: {}", report.reply);
    let layers = &report.memory.layers;
    let parts: Vec<String> = layers
        .iter()
        .filter(|(_, tokens)| tokens.0 > 0)
        .map(|(layer, tokens)| format!("{} {tokens}", layer.as_str()))
        .collect();
    let full = report.memory.full_history.tokens;
    let _ = writeln!(
        text,
        "  window: {} tokens ({}), full history: {full}",
        layers.total(),
        parts.join(", ")
    );
    text
}

/// What the first request of a turn held: the summaries and what was recalled.
fn given_json(given: &Given) -> Value {
    let recalled = |one: &Recalled| {
        json!({
            "id": &*one.id, "kind": one.kind.as_str(), "turn": one.turn.map(|turn| turn.0),
            "day": one.day, "cause": one.cause, "tokens": one.tokens.0, "text": &*one.text,
        })
    };
    json!({
        "summaries": given.summaries.iter().map(EffortId::as_str).collect::<Vec<_>>(),
        "recalled": given.recalled.iter().map(recalled).collect::<Vec<_>>(),
    })
}

/// The tokens of each layer, by its name.
pub fn layers_json(layers: &Layers) -> Value {
    let layers = layers.iter().map(|(layer, tokens)| (layer.as_str().to_owned(), tokens.0.into()));
    Value::Object(layers.collect())
}

fn layers_and_total(layers: &Layers) -> Value {
    json!({ "layers": layers_json(layers), "total": layers.total().0 })
}

fn memory_json(memory: &MemoryView) -> Value {
    let mut window = layers_and_total(&memory.layers);
    let ids = |items: &[ItemView]| -> Vec<String> {
        items.iter().map(|item| item.id.to_string()).collect()
    };
    let counting = |items: &[ItemView]| -> Vec<Value> {
        let left = |item: &ItemView| item.turns_left.map(|(left, _)| left);
        items
            .iter()
            .map(|item| json!({ "id": item.id.as_str(), "turns_left": left(item) }))
            .collect()
    };
    let mut evicted = ids(&memory.manifest.recent);
    evicted.reverse();
    window["active"] = memory.open.first().map(|item| item.id.as_str()).into();
    window["open"] = ids(&memory.open).into();
    window["expanded"] = counting(&memory.expanded).into();
    window["summaries"] = counting(&memory.warm).into();
    window["evicted"] = evicted.into();
    window["evicted_count"] = memory.manifest.evicted.into();
    window["notes"] = memory.notes.stats.current.into();
    window["note_stats"] = note_stats_json(&memory.notes.stats);
    window["ambient_messages"] = memory.ambient_messages.into();
    window
}

fn call_json(call: &CallReport) -> Value {
    json!({ "name": call.name, "arguments": call.arguments, "result": call.result })
}

fn change_json(change: &Change) -> Value {
    json!({
        "kind": change.kind.as_str(), "id": change.subject.to_string(), "cause": change.cause,
        "turn": change.turn.0, "tokens_before": change.before.0, "tokens_after": change.after.0,
    })
}
