//! What is said of the session's memory, its model and its files on request: by commands that change nothing.
//! The texts name commands, never keys, so that they hold on any screen and without one.

mod bill;

use std::path::Path;

pub use bill::{
    APART, AS_INPUT, OTHERS, WITH_MEMORY, apart, bill, legend_as_input, others, purpose, verdict,
    verdict_of_all,
};

use crate::bill::TurnBill;
use crate::counted::{counted, grouped};
use crate::memory::{Faults, FullHistory, Layer, MemoryView, Metrics, NoteStats, NoteView, Tokens};
use crate::orchestrator::{BillView, Measured, Verdict, Verdicts};
use crate::tui::window_layers::{beside_fixed, fixed};

/// Why nothing needs to be cleared.
pub const CLEAR: &str = "Nothing needs to be cleared: the window never grows past its budget (unless budget_mode is off), and what leaves it stays in \
     the session's files. /close concludes the active effort; /new begins a fresh session.";

/// How to take something back.
pub const FORGET: &str = "What was said stays said: the logs are only ever appended to. The history of the message line has your \
     last message for editing, /reopen ID goes on with a concluded effort, /undo takes the last change of \
     memory back, /note ID delete takes a note away.";

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
        return none_of(memory);
    }
    lines.join("\n")
}

/// What is said where the window has no notes: archived ones can come back.
fn none_of(memory: &MemoryView) -> String {
    let make = "/remember WORDS makes one.";
    let Some(last) = memory.notes.permanent.first() else {
        return format!("There are no notes. {make}");
    };
    let archived = counted(memory.notes.stats.permanent as u64, "archived note");
    let id = last.note.id;
    format!(
        "There are no notes in the window, and {archived}: /search WORDS finds them, /note {id} return brings {id} \
         back. {make}"
    )
}

/// Numbers about memory, with what the server measured of the last request, and how many requests the last turn
/// made at which cost together, and the bill so far.
pub fn stats(
    memory: &MemoryView,
    request: Option<&Measured>,
    last: Option<&TurnBill>,
    paid: Option<&BillView>,
) -> String {
    let mut lines = vec![format!("turns            {}", memory.turn)];
    lines.extend(costs(memory, last));
    if let Some(usage) = request.and_then(|request| request.usage) {
        let from_cache = |cached| format!(", {} from its cache", grouped(cached));
        let cached = usage.cached.map(from_cache).unwrap_or_default();
        let prompt = grouped(usage.prompt);
        lines
            .push(format!("server           measured {prompt} tokens in the last request{cached}"));
    }
    lines.extend(bill::unsaid(memory.unsaid));
    lines.extend(paid.and_then(bill::short));
    let manifest = &memory.manifest;
    lines.extend([
        format!("open efforts     {}", memory.open.len()),
        format!("concluded        {} ({} evicted)", manifest.concluded, manifest.evicted),
        format!(
            "ambient          {} messages{}",
            memory.logs.ambient_messages,
            kept_for_cache(memory)
        ),
        format!("notes            {}", budget_of_notes(&memory.notes.stats)),
    ]);
    lines.extend(leaves_while_cold(memory));
    let Faults { looked_up, missed, unanswered } = memory.metrics.faults;
    lines.push(format!(
        "page faults      {} looked up, {} mentioned and not recalled, {} answered without what is there",
        grouped(looked_up),
        grouped(missed),
        grouped(unanswered)
    ));
    lines.extend(decay(&memory.metrics));
    lines.join("\n")
}

/// What leaves before the next request, as the model's cache is cold.
fn leaves_while_cold(memory: &MemoryView) -> Option<String> {
    let tide = memory.next_tide.filter(|tide| tide.turns == 0)?;
    let tokens = grouped(tide.tokens.0);
    Some(format!("cold cache       {tokens} tokens leave the window with your next message"))
}

/// Why more exchanges stay than `ambient_window` says, if that is so.
fn kept_for_cache(memory: &MemoryView) -> String {
    let shown = grouped(memory.ambient_messages as u64);
    let why = |least: Tokens| {
        let least = grouped(least.0);
        format!(
            ", {shown} of them kept in the window, as the model's cache keeps nothing below {least} tokens"
        )
    };
    memory.kept_for_cache.map(why).unwrap_or_default()
}

/// How answers with the window were judged beside answers with the full history: a line of its own, or nothing
/// where nothing was compared.
pub fn versus(verdicts: &Verdicts) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let [window, full, same] = Verdict::ALL.map(|verdict| grouped(verdicts.of(verdict)));
    let (requests, paid) = (grouped(verdicts.paid.requests), verdicts.paid.paid);
    let tokens = grouped(paid.prompt().saturating_add(paid.output));
    format!(
        "\nversus           window {window}, full history {full}, same {same}; {requests} requests took {tokens} \
         tokens beside the bill"
    )
}

/// What the window costs, beside what sending everything would.
fn costs(memory: &MemoryView, last: Option<&TurnBill>) -> Vec<String> {
    let FullHistory { tokens: full, is_counted } = memory.full_history;
    let at_least = if is_counted { "" } else { "at least " };
    let total = memory.layers.total();
    let layer = |(layer, tokens): (Layer, Tokens)| {
        format!("  {:<14} {}", layer.as_str(), grouped(tokens.0))
    };
    let mut lines = vec![format!(
        "window           {} of {} tokens",
        grouped(total.0),
        grouped(memory.budget.0)
    )];
    lines.extend(memory.layers.iter().map(layer));
    lines.push(format!(
        "full history     {at_least}{} tokens beside prompt and tools ({})",
        grouped(full.0.saturating_sub(fixed(&memory.layers))),
        saved(memory, full)
    ));
    if let Some((paid, requests)) = last.map(TurnBill::of_turn) {
        let tokens = grouped(paid.prompt());
        lines.push(format!(
            "last turn        sent {tokens} tokens in {}",
            counted(requests, "request")
        ));
    }
    lines
}

/// How much shorter the window is, as the gauge says it: prompt and tools are in neither.
fn saved(memory: &MemoryView, full: Tokens) -> String {
    let window = beside_fixed(&memory.layers);
    let full = full.0.saturating_sub(fixed(&memory.layers));
    let percent = 100.0 * (1.0 - window as f64 / full.max(1) as f64);
    if full == 0 && window == 0 {
        "nothing was said yet".to_owned()
    } else if window > full {
        let more = grouped(window - full);
        format!("the window costs {more} more: lists and notes come on top")
    } else {
        format!("{percent:.1} % saved")
    }
}

fn budget_of_notes(notes: &NoteStats) -> String {
    format!(
        "{} (soft {}, hard {}, batch {}, enabled {}, {:.1} % of the soft limit, {}); {} permanent; limits \
         {}, {}",
        notes.current,
        notes.soft_limit,
        notes.hard_limit,
        notes.batch_size,
        if notes.enabled { "yes" } else { "no" },
        notes.utilization(),
        notes.status().as_str().replace('_', " "),
        notes.permanent,
        notes.limits(),
        notes.why()
    )
}

/// What decay did, and whether it was too eager.
fn decay(metrics: &Metrics) -> [String; 3] {
    let Metrics { auto_collapses, manual_collapses, budget_collapses, .. } = metrics;
    [
        format!(
            "expansions       {} ended by decay, {} by the budget, {} by hand, after {:.1} turns on average",
            grouped(*auto_collapses),
            grouped(*budget_collapses),
            grouped(*manual_collapses),
            metrics.avg_expansion_duration()
        ),
        format!(
            "false decay      {:.1} % of those ended by decay were expanded again within two turns",
            100.0 * metrics.false_decay_rate()
        ),
        format!("saved by decay   {} tokens", grouped(metrics.tokens_saved_by_decay)),
    ]
}
