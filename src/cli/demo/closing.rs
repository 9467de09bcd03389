//! The table that a demo ends with: what memory did, in the figures of `stats`.

use crate::memory::MemoryView;
use crate::orchestrator::BillView;
use crate::tui::answer::verdict;
use crate::tui::text::grouped;
use crate::tui::window_layers::fixed;

/// What was shown, each figure as measured in this run. So many chapters can be played again.
pub(super) fn table(memory: &MemoryView, bill: Option<&BillView>, again: usize) -> String {
    let (full, _) = memory.full_history;
    let (total, metrics) = (memory.layers.total(), &memory.metrics);
    let manifest = &memory.manifest;
    let out = match manifest.evicted {
        0 => String::new(),
        out => format!(", {out} of them ebbed out of the window"),
    };
    let mut rows = vec![
        ("turns", memory.turn.0.to_string()),
        ("concluded", format!("{}{out}", counted(manifest.concluded, "effort"))),
    ];
    if metrics.auto_collapses > 0 {
        let tokens = grouped(metrics.tokens_saved_by_decay);
        rows.push((
            "put away again",
            format!("{} expanded, {tokens} tokens", metrics.auto_collapses),
        ));
    }
    // The gauge leaves prompt and tools out of both.
    let fixed = grouped(fixed(&memory.layers));
    rows.push((
        "the window now",
        format!("{} of {} tokens", grouped(total.0), grouped(memory.budget.0)),
    ));
    rows.push((
        "full history",
        format!("{} tokens; in both, {fixed} are prompt and tools", grouped(full.0)),
    ));
    if memory.unsaid.0 > 0 {
        rows.push(("held by reference", format!("{} tokens more", grouped(memory.unsaid.0))));
    }
    rows.extend(bill.map(costs).unwrap_or_default());
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    let lines = rows.iter().map(|(name, figure)| format!("  {name:width$}   {figure}\n"));
    let verdict = bill.map(|view| verdict(&view.bill.outlook(&view.prices), &view.prices));
    let again = match again {
        0 => String::new(),
        chapters => format!(" 1 to {chapters} play a chapter again."),
    };
    format!(
        "What you saw, measured in this run (/stats and /bill say the same):\n\n{}\n{}\n\nThe session is yours now: \
         ask it something, the built-in model answers.{again}",
        lines.collect::<String>(),
        verdict.unwrap_or_default()
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
