//! The table that a demo ends with: what memory did, in the figures of `stats`.

use crate::memory::MemoryView;
use crate::orchestrator::BillView;
use crate::tui::text::grouped;

/// What was shown, each figure as measured in this run.
pub(super) fn table(memory: &MemoryView, bill: Option<&BillView>) -> String {
    let (full, _) = memory.full_history;
    let (total, metrics) = (memory.layers.total(), &memory.metrics);
    let manifest = &memory.manifest;
    let mut rows = vec![
        ("turns", memory.turn.0.to_string()),
        ("concluded", counted(manifest.concluded, "effort")),
        ("the window now", format!("{} of {} tokens", grouped(total.0), grouped(memory.budget.0))),
        ("full history", format!("{} tokens", grouped(full.0))),
    ];
    if manifest.evicted > 0 {
        rows.insert(
            rows.len() - 2,
            ("ebbed out", format!("{} of them out of the window now", manifest.evicted)),
        );
    }
    if metrics.auto_collapses > 0 {
        let tokens = grouped(metrics.tokens_saved_by_decay);
        rows.insert(
            rows.len() - 2,
            ("put away again", format!("{} expanded, {tokens} tokens", metrics.auto_collapses)),
        );
    }
    if memory.unsaid.0 > 0 {
        rows.push(("held by reference", format!("{} tokens more", grouped(memory.unsaid.0))));
    }
    rows.extend(bill.map(costs).unwrap_or_default());
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines = rows.iter().map(|(name, figure)| format!("  {name:width$}   {figure}\n"));
    format!(
        "What you saw, measured in this run (/stats and /bill say the same):\n\n{}\nThe session is yours now. \
         Ask it something: the built-in model answers.",
        lines.collect::<String>()
    )
}

fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

fn costs(view: &BillView) -> Vec<(&'static str, String)> {
    let all = view.bill.all();
    let paid = all.paid;
    let full = view.bill.baselines().with_cache.paid();
    let cost = |paid| grouped(view.prices.cost(paid).round() as u64);
    vec![
        (
            "requests",
            format!("{}, {} tokens answered", grouped(all.requests), grouped(paid.output)),
        ),
        (
            "they sent",
            format!("{} from the cache, {} not", grouped(paid.read), grouped(paid.uncached)),
        ),
        ("that costs", format!("{} tokens of plain input", cost(&paid))),
        ("full history costs", format!("{} with the same cache", cost(&full))),
    ]
}
