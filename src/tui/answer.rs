//! What is said of the session's memory, its model and its files on request: by commands that change nothing.
//! The texts name commands, never keys, so that they hold on any screen and without one.

use std::path::Path;

use crate::llm::ModelInfo;
use crate::memory::{Layer, MemoryView, NoteView, Tokens};
use crate::orchestrator::Measured;

/// Why nothing needs to be cleared.
pub const CLEAR: &str = "Nothing needs to be cleared: the window never grows past its budget, and what leaves it stays in the \
     session's files. /close concludes the active effort; /new begins a fresh session.";

/// How to take something back.
pub const FORGET: &str = "What was said stays said: the logs are only ever appended to. The history of the message line has your \
     last message for editing, /reopen ID goes on with a concluded effort, /undo takes the last change of \
     memory back.";

/// Which model answers.
pub fn model(model: &ModelInfo) -> String {
    if model.offline {
        return "The built-in offline model answers. It is no language model: it follows pattern rules, \
                summarises by extraction and answers from memory. To connect a real one, set its key (for \
                example DEEPSEEK_API_KEY) or pass --base-url and --model, and start again."
            .to_owned();
    }
    let window = model.context_window.map_or_else(
        || "the size of its window is not known".to_owned(),
        |tokens| format!("it takes {tokens} tokens"),
    );
    format!(
        "{} from {} answers; {window}. To use another one, start with --model NAME.",
        model.name, model.provider
    )
}

/// Where a session is kept.
pub fn session(name: &str, directory: &Path) -> String {
    format!("Session {name}, kept in {}", directory.display())
}

/// The notes in the window, a line each.
pub fn notes(memory: &MemoryView) -> String {
    let line = |view: &NoteView| {
        let note = &view.note;
        let tags = note.tags.iter().fold(String::new(), |all, tag| all + " #" + tag);
        let pinned = if note.pinned { ", pinned" } else { "" };
        let thread = view.thread.as_ref().map(|name| format!(", thread {name}"));
        let thread = thread.unwrap_or_default();
        format!("{} {}{pinned}{thread}: {}{tags}", note.id, note.salience.stars(), note.content)
    };
    let lines: Vec<String> = memory.notes.session.iter().map(line).collect();
    if lines.is_empty() {
        return "There are no notes. /remember WORDS makes one.".to_owned();
    }
    lines.join("\n")
}

/// Numbers about memory, with what the server measured of the last request, and how many requests the last turn
/// made at which cost together.
pub fn stats(
    memory: &MemoryView,
    request: Option<&Measured>,
    sent: Option<(u32, Tokens)>,
) -> String {
    let (full, all_counted) = memory.full_history;
    let at_least = if all_counted { "" } else { "at least " };
    let layers: Vec<String> = Layer::ALL
        .into_iter()
        .map(|layer| (layer, memory.layers.of(layer)))
        .filter(|(_, tokens)| tokens.0 > 0)
        .map(|(layer, tokens)| format!("{} {tokens}", layer.as_str()))
        .collect();
    let metrics = &memory.metrics;
    let mut lines = vec![
        format!(
            "Turn {}: the window costs {} of {} tokens ({}).",
            memory.turn,
            memory.layers.total(),
            memory.budget,
            layers.join(", ")
        ),
        format!("Sending the whole history would cost {at_least}{full} tokens."),
        format!(
            "Efforts: {} open, {} expanded, {} warm, {} only in the manifest.",
            memory.open.len(),
            memory.expanded.len(),
            memory.warm.len(),
            memory.manifest.evicted
        ),
        format!(
            "Expansions: {} collapsed by decay, {} by the budget, {} by hand, {:.1} turns each; {:.0} % of the \
             decays were undone within two turns; decay saved {} tokens.",
            metrics.auto_collapses,
            metrics.budget_collapses,
            metrics.manual_collapses,
            metrics.avg_expansion_duration(),
            metrics.false_decay_rate() * 100.0,
            metrics.tokens_saved_by_decay
        ),
    ];
    let notes = &memory.notes.stats;
    lines.push(format!(
        "Notes: {} of {} (soft limit) and {} (hard limit), {:.0} % of the soft limit, {}; batch \
         {}, checks {}; {} permanent; limits {}, {}.",
        notes.current,
        notes.soft_limit,
        notes.hard_limit,
        notes.utilization(),
        notes.status().as_str().replace('_', " "),
        notes.batch_size,
        if notes.enabled { "enabled" } else { "disabled" },
        notes.permanent,
        notes.limits(),
        notes.why()
    ));
    if let Some((requests, tokens)) = sent {
        let noun = if requests == 1 { "request" } else { "requests" };
        lines.push(format!("The last turn sent {tokens} tokens in {requests} {noun}."));
    }
    if let Some(usage) = request.and_then(|request| request.usage) {
        lines.push(format!(
            "The server measured {} tokens in the last request, {} of them from its cache.",
            usage.prompt, usage.cached
        ));
    }
    lines.join("\n")
}
