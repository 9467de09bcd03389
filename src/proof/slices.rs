//! What each slice claims, checked on the turns that were played. Turn `n` stands at index `n - 1`.

use super::{Outcome, context};
use crate::memory::{ChangeKind, ItemView, Layer, Tokens};
use crate::scenario::Played;

/// The context with which a turn's final request was answered.
fn answered(turn: &Played) -> u64 {
    context(&turn.report.answered)
}

/// The same with the system prompt and the tool definitions: what a request costs that is sent now.
fn as_sent(turn: &Played) -> u64 {
    turn.report.memory.layers.total().0
}

/// The context that the next turn starts from.
fn after(turn: &Played) -> u64 {
    context(&turn.report.memory.layers)
}

fn ids(items: &[ItemView]) -> Vec<&str> {
    items.iter().map(|item| item.id.as_str()).collect()
}

/// Some things side by side.
fn listed(things: &[impl ToString]) -> String {
    let things: Vec<String> = things.iter().map(ToString::to_string).collect();
    if things.is_empty() { "none".to_owned() } else { things.join(", ") }
}

/// How much less the second number is, in percent of the first.
fn less(before: u64, after: u64) -> f64 {
    100.0 * before.saturating_sub(after) as f64 / before.max(1) as f64
}

/// Slice 1: the raw log of an effort gives way to its summary.
pub(super) fn compaction(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    let (ambient, opened, worked) = (after(&played[1]), after(&played[2]), after(&played[9]));
    let (before, concluded, next) = (after(&played[12]), after(&played[13]), after(&played[14]));
    outcome.row("turns 1-2: ambient chat", "~40", ambient.to_string());
    outcome.row("turn 3: open_effort(auth-bug)", "~130", opened.to_string());
    outcome.row("turns 5-10: work on it", "~650", worked.to_string());
    outcome.row("turn 14: close_effort()", "~140", concluded.to_string());
    outcome.row("turn 15: open_effort(guild-feature)", "~200", next.to_string());
    let (all_before, all_after) = (as_sent(&played[12]), as_sent(&played[13]));
    outcome.row("turn 13, as sent", "with system prompt and tools", all_before.to_string());
    outcome.row("turn 14, as sent", "with system prompt and tools", all_after.to_string());
    let saved = less(before, concluded);
    outcome.claim(
        "conclusion takes about 80 % off the context",
        (75.0..=90.0).contains(&saved),
        format!(
            "{before} -> {concluded} tokens, {saved:.1} % less; as sent, with {} of system prompt and tools, \
             {all_before} -> {all_after}, {:.1} % less",
            all_before - before,
            less(all_before, all_after)
        ),
    );
    let layers = &played[13].report.memory.layers;
    outcome.claim(
        "the raw log of the concluded effort is out of the window",
        layers.of(Layer::Open) == Tokens(0),
        format!("{} tokens in the open layer", layers.of(Layer::Open)),
    );
    let warm = ids(&played[13].report.memory.warm);
    outcome.claim("its summary is in the window", warm == ["auth-bug"], listed(&warm));
    let logged = played[12].report.memory.open[0].raw_tokens.unwrap_or_default();
    let open = played[12].report.memory.layers.of(Layer::Open);
    outcome.claim(
        "an open effort is in the window word for word",
        logged == open && open > Tokens(0),
        format!("log {logged}, window {open} tokens"),
    );
    outcome
}

/// Slice 2: expanding adds exactly the raw log, collapsing returns to the same number.
pub(super) fn expansion(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    let switched = &played[3].report;
    outcome.row(
        "turns 1-3: open two efforts",
        "2 open, the newer active",
        listed(&ids(&played[2].report.memory.open)),
    );
    outcome.row("turn 4: switch", "the first active", listed(&ids(&switched.memory.open)));
    let manifest = |turn: usize| played[turn].report.memory.layers.of(Layer::Summaries);
    let raw = played[4].report.memory.expanded.first().and_then(|item| item.raw_tokens);
    let added = played[4].report.memory.layers.of(Layer::Expanded);
    outcome.row("turn 5: expand perf-fix", "adds its raw log", format!("{added} tokens"));
    let left = played[5].report.memory.layers.of(Layer::Expanded);
    outcome.row("turn 6: collapse it", "back to the summary", format!("{left} tokens expanded"));
    outcome.claim(
        "several efforts are open, the active one last",
        ids(&switched.memory.open) == ["sailing-trip", "kitchen-paint"],
        listed(&ids(&switched.memory.open)),
    );
    outcome.claim(
        "expanding adds exactly the raw log",
        raw == Some(added) && added > Tokens(0),
        format!("log {}, expanded layer {added} tokens", raw.unwrap_or_default()),
    );
    outcome.claim(
        "collapsing returns to the same number",
        left == Tokens(0) && manifest(5) == manifest(3),
        format!("summaries {} before, {} after", manifest(3), manifest(5)),
    );
    let log = |turn: usize, id: &str| {
        let open = &played[turn].report.memory.open;
        open.iter().find(|item| item.id.as_str() == id).and_then(|item| item.raw_tokens)
    };
    outcome.claim(
        "an effort in the background keeps its log while another one grows",
        log(3, "kitchen-paint") == log(5, "kitchen-paint")
            && log(5, "sailing-trip") > log(3, "sailing-trip"),
        format!(
            "kitchen-paint {} tokens before and {} after, sailing-trip {} and {}",
            log(3, "kitchen-paint").unwrap_or_default(),
            log(5, "kitchen-paint").unwrap_or_default(),
            log(3, "sailing-trip").unwrap_or_default(),
            log(5, "sailing-trip").unwrap_or_default()
        ),
    );
    outcome
}

/// Slice 3: the decay cycle, its counter and its metrics.
pub(super) fn decay(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    let setup = context(&played[0].report.sent);
    outcome.row("setup: 2 concluded efforts + ambient", "~180", setup.to_string());
    let expected = ["~780", "~860", "~940", "~1020", "~1100", "~580", "~1180"];
    let steps = [
        "turn 1: expand auth-bug",
        "turn 2: ask about it",
        "turn 3: something else",
        "turn 4: something else",
        "turn 5: something else, AUTO-COLLAPSE",
        "turn 6: auth-bug is gone",
        "turn 7: ask about it again",
    ];
    for ((step, expected), turn) in steps.iter().zip(expected).zip(played) {
        let left = turn.report.memory.expanded.first().and_then(|item| item.turns_left);
        let counter = left.map_or_else(String::new, |(left, of)| {
            format!(", {} of {of} turns without a reference", of - left)
        });
        outcome.row(step, expected, format!("{}{counter}", answered(turn)));
    }
    let collapses: Vec<u64> = played
        .iter()
        .flat_map(|turn| &turn.report.changes)
        .filter(|change| change.kind == ChangeKind::EffortAutoCollapsed)
        .map(|change| change.turn.0)
        .collect();
    outcome.claim(
        "the collapse comes on exactly the third turn without a reference",
        collapses == [5],
        format!("last reference in turn 2, collapse in turn {}", listed(&collapses)),
    );
    let left = |turn: usize| played[turn].report.memory.expanded.first().and_then(|i| i.turns_left);
    outcome.claim(
        "a reference resets the counter",
        left(1) == Some((3, 3)),
        format!("after the reference: {} turns left", left(1).map_or(0, |(left, _)| left)),
    );
    let freed = freed_by_collapse(&played[4]);
    let raw = played[0].report.memory.expanded.first().and_then(|item| item.raw_tokens);
    outcome.claim(
        "the collapse frees the raw log",
        Some(freed) == raw.map(|tokens| tokens.0),
        format!("{freed} tokens freed, the log has {}", raw.unwrap_or_default()),
    );
    outcome.claim(
        "a decayed effort can be expanded again",
        ids(&played[6].report.memory.expanded) == ["auth-bug"],
        listed(&ids(&played[6].report.memory.expanded)),
    );
    let metrics = played[6].report.memory.metrics;
    outcome.claim(
        "the metrics have seen it",
        metrics.auto_collapses == 1 && metrics.tokens_saved_by_decay == freed,
        format!(
            "{} collapsed by decay and {} by hand, after {:.1} turns on average; {:.0} % of those by decay were \
             expanded again within two turns; {} tokens saved",
            metrics.auto_collapses,
            metrics.manual_collapses,
            metrics.avg_expansion_duration(),
            100.0 * metrics.false_decay_rate(),
            metrics.tokens_saved_by_decay
        ),
    );
    outcome
}

/// What left the expanded layer when the effort collapsed.
fn freed_by_collapse(turn: &Played) -> u64 {
    let before = turn.report.answered.of(Layer::Expanded);
    before.saturating_sub(turn.report.memory.layers.of(Layer::Expanded)).0
}

/// Slice 4: eviction, search and the ceiling.
pub(super) fn bounded(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    let line = |summaries: usize, turn: &Played| {
        let ambient = turn.report.memory.ambient_messages / 2;
        format!("{summaries} summaries, {ambient} ambient, {} tokens", after(turn))
    };
    let warm = |turn: usize| ids(&played[turn - 1].report.memory.warm);
    outcome.row(
        "setup: 5 concluded, 30 ambient exchanges",
        "5, 10, ~800",
        format!("{} tokens", context(&played[0].report.sent)),
    );
    let mut row = |step: &str, expected: &str, turn: usize| {
        outcome.row(step, expected, line(warm(turn).len(), &played[turn - 1]));
    };
    row("turn 1: mention two of them", "5, 10, ~850", 1);
    row("turn 21: 20 turns without the others", "2, 10, ~700", 21);
    row("turn 22: ask about an evicted one", "search finds it, ~750", 22);
    row("turn 23: ask for details", "expanded, ~1200", 23);
    row("turn 26: it decays", "3, 10, ~750", 26);
    let sorted = |turn: usize| {
        let mut ids = warm(turn);
        ids.sort_unstable();
        ids
    };
    let evicted = evicted(played);
    outcome.claim(
        "summaries leave in exactly the twentieth turn without a reference, the others stay",
        evicted == [20, 20, 20] && sorted(21) == ["auth-bug", "perf-fix"],
        format!("evicted in turns {}; {} in turn 21", listed(&evicted), listed(&sorted(21))),
    );
    let manifest = &played[20].report.memory.manifest;
    outcome.claim(
        "what left is still in the manifest",
        manifest.concluded == 5 && manifest.evicted == 3,
        format!("{} concluded, {} of them evicted", manifest.concluded, manifest.evicted),
    );
    let found = &played[21].report.calls[0].result["results"][0]["id"];
    let found = found.as_str().unwrap_or("nothing");
    outcome.claim("search finds the evicted one first", found == "db-migration", found.to_string());
    let expanded = ids(&played[22].report.memory.expanded);
    outcome.claim("it can be expanded", expanded == ["db-migration"], listed(&expanded));
    outcome.claim(
        "after its decay three summaries are in the window",
        sorted(26) == ["auth-bug", "db-migration", "perf-fix"],
        listed(&sorted(26)),
    );
    let ambient = played.iter().all(|turn| turn.report.memory.ambient_messages <= 20);
    let logged = played[25].report.memory.logs.ambient_messages;
    outcome.claim(
        "ambient holds the last ten exchanges, the log all of them",
        ambient && logged > 20,
        format!("at most 20 messages in the window, {logged} in the log"),
    );
    let most = played.iter().map(after).max().unwrap_or(0);
    let full = played[25].report.memory.full_history.tokens;
    let fixed = as_sent(&played[25]) - after(&played[25]);
    outcome.claim(
        "the window has a ceiling while the history grows",
        most < 1_500,
        format!(
            "at most {most} tokens; the full history would cost {full}; as sent, both with {fixed} of system prompt and \
             tools, {} and {}",
            most + fixed,
            full.0 + fixed
        ),
    );
    outcome
}

/// The turn of each eviction.
fn evicted(played: &[Played]) -> Vec<u64> {
    let changes = played.iter().flat_map(|turn| &turn.report.changes);
    let evicted = changes.filter(|change| change.kind == ChangeKind::SummaryEvicted);
    evicted.map(|change| change.turn.0).collect()
}

/// Reopening: the log continues, and the second summary is made from all of it.
pub(super) fn reopening(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    let log = |turn: usize| {
        let memory = &played[turn].report.memory;
        memory.open.first().and_then(|item| item.raw_tokens).unwrap_or_default().0
    };
    outcome.row("turns 1-3: work", "the log grows", format!("{} tokens", log(2)));
    outcome.row("turn 4: close", "summary only", format!("{} tokens", after(&played[3])));
    outcome.row("turn 6: reopen", "the whole log again", format!("{} tokens", log(5)));
    outcome.row("turn 7: work", "it continues", format!("{} tokens", log(6)));
    outcome.row("turn 8: close again", "summary only", format!("{} tokens", after(&played[7])));
    let messages = &played[5].report.calls[0].result["messages"];
    outcome.claim(
        "a reopened effort continues its log of four exchanges",
        messages.as_u64() == Some(8) && log(5) > log(2) && log(6) > log(5),
        format!("{messages} messages before, {} tokens then {} then {}", log(2), log(5), log(6)),
    );
    let open = played[5].report.memory.layers.of(Layer::Open).0;
    outcome.claim(
        "all of it is in the window",
        open == log(5),
        format!("log {}, open layer {open} tokens", log(5)),
    );
    let summary = played[7].report.memory.warm.first().and_then(|item| item.summary.clone());
    let summary = summary.unwrap_or_default();
    outcome.claim(
        "the second summary covers both times",
        summary.contains("randomUUID") && summary.contains("autocomplete"),
        summary.to_string(),
    );
    outcome
}
