//! The table that a demo ends with: what memory did, in the figures of `stats`.

use crate::counted::{counted, grouped};
use crate::memory::MemoryView;
use crate::orchestrator::BillView;
use crate::tui::answer::verdict;
use crate::tui::window_layers::fixed;

/// What was shown, each figure as measured in this run. So many chapters can be played again.
pub(super) fn table(memory: &MemoryView, bill: Option<&BillView>, again: usize) -> String {
    let full = memory.full_history.tokens;
    let (total, metrics) = (memory.layers.total(), &memory.metrics);
    let manifest = &memory.manifest;
    let out = match manifest.evicted {
        0 => String::new(),
        out => format!(", {out} of them ebbed out"),
    };
    let concluded = counted(manifest.concluded as u64, "effort");
    let mut rows = vec![("turns", format!("{}; {concluded} concluded{out}", memory.turn.0))];
    if metrics.auto_collapses > 0 {
        let tokens = grouped(metrics.tokens_saved_by_decay);
        let put_away = format!("{} expanded, {tokens} tokens", metrics.auto_collapses);
        rows.push(("put away again", put_away));
    }
    // The gauge leaves prompt and tools out of both.
    let fixed = grouped(fixed(&memory.layers));
    rows.push((
        "the window now",
        format!("{} of {} tokens", grouped(total.0), grouped(memory.budget.0)),
    ));
    rows.push((
        "full history",
        format!("{}; of both, {fixed} are prompt and tools", grouped(full.0)),
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
        1 => " 1 plays it again.".to_owned(),
        chapters => format!(" 1 to {chapters} play it again."),
    };
    format!(
        "What you saw, measured in this run (/stats and /bill say the same):\n\n{}\n{}\n\nThe session is yours now: \
         ask it something.{again}",
        lines.collect::<String>(),
        verdict.unwrap_or_default()
    )
}

fn costs(view: &BillView) -> Vec<(&'static str, String)> {
    let all = view.bill.all();
    let paid = all.paid;
    let full = view.bill.baselines().with_cache.paid();
    let cost = |paid| grouped(view.prices.cost(paid).round() as u64);
    let (read, uncached) = (grouped(paid.read), grouped(paid.uncached));
    let requests = grouped(all.requests);
    vec![
        ("they sent", format!("{read} cached, {uncached} not, in {requests} requests")),
        (
            "that costs",
            format!("{} tokens of plain input, {} answered", cost(&paid), grouped(paid.output)),
        ),
        ("full history costs", format!("{} with the same cache", cost(&full))),
    ]
}
