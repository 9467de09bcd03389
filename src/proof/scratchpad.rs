//! The scratchpad's proof: the life of a reference, surge protection, and the three rules of the safety
//! contract, each with its tokens (scratchpad-and-compression.md).

use serde_json::{Value, json};

use super::{Outcome, context};
use crate::counted::grouped;
use crate::memory::{CONVERSATION_SUMMARY, Change, ChangeKind, Tokens, WindowItem};
use crate::scenario::Played;

/// The window's ceiling in this conversation, in tokens.
const BUDGET: u64 = 8_000;

/// What the person asks about stands in the middle of the paste.
const FACT: &str = "Entry X: valve 9 was replaced by Ingrid on 14 March.";

/// Lines of the paste, of each of two tool results, of each message of the open effort, and of its one
/// message that alone is larger than three quarters of the window; a line has some fifteen tokens.
const PASTE: usize = 2_000;
const RESULT: usize = 1_350;
const MESSAGE: usize = 180;
const HEAVY: usize = 420;

/// Messages of the open effort before the conversation.
const MESSAGES: usize = 22;

/// One of them, a summary that another program left in the log.
const EARLIER: &str =
    "[CONVERSATION SUMMARY] of 40 messages; source: ref:last-year\nThe pumps were new.";

/// Bytes of one chunk of the scratchpad.
const CHUNK: usize = 2_000;

fn log(lines: usize) -> String {
    let line = |n: usize| format!("Entry {n}: the pump ran at {} bar, all quiet.", n % 7);
    (0..lines).map(line).collect::<Vec<_>>().join("\n")
}

/// The conversation: a paste of 30,000 tokens, two tool results of 20,000 and an open effort of 60,000
/// under a budget of 8,000.
pub(super) fn scenario() -> String {
    let before = log(PASTE / 2);
    let paste = format!("{before}\n{FACT}\n{}", log(PASTE / 2));
    let chunk = before.len() / CHUNK + 1;
    let effort: Vec<Value> = (0..MESSAGES)
        .map(|n| {
            let role = if n % 2 == 0 { "user" } else { "assistant" };
            let lines = if n == 5 { HEAVY } else { MESSAGE };
            match n {
                2 => json!({"role": role, "content": EARLIER}),
                _ => json!({"role": role, "content": format!("Message {n}.\n{}", log(lines))}),
            }
        })
        .collect();
    let compressions = |word: &str| -> Vec<String> {
        (0..80).map(|n| format!("{word} {n}: the pump ran, all quiet.")).collect()
    };
    let search = |query: &str| json!({"name": "scratchpad_search", "arguments": {"query": query}});
    let read = |key: &str, chunk: usize| json!({"name": "scratchpad_read_chunk", "arguments": {"key": key, "chunk_index": chunk}});
    json!({
        "name": "scratchpad",
        "description": "Large texts are held by reference, and a long log is compressed safely.",
        "config": {"token_budget": BUDGET, "seeds": true},
        "setup": {"efforts": [
            {"id": "pumps", "status": "open", "messages": effort},
            {"id": "north-logs", "status": "concluded", "summary": log(RESULT)},
            {"id": "south-logs", "status": "concluded", "summary": log(RESULT)},
        ]},
        "turns": [
            {"user": paste, "model": [
                {"calls": [{"name": "scratchpad_list", "arguments": {}}]},
                {"calls": [search("who replaced valve 9")]},
                {"calls": [read("ref:entry-0-the-pump-ran-at-0-bar", chunk)]},
                {"calls": [read("ref:input", chunk)]},
                {"text": "Ingrid replaced valve 9 on 14 March."},
            ], "compressions": compressions("First")},
            {"user": "How do the logs of north and south stand?", "model": [
                {"calls": [
                    {"name": "effort_status", "arguments": {"id": "north-logs"}},
                    {"name": "effort_status", "arguments": {"id": "south-logs"}},
                ]},
                {"text": "Both are quiet."},
            ]},
            {"repeat": 3, "user": format!("More of today, part {{n}}.\n{}", log(120)), "model": [
                {"text": format!("Noted, part {{n}}.\n{}", log(120))},
            ], "compressions": compressions("Second")},
            {"user": "What was archived?", "model": [
                {"calls": [
                    read("archive-pumps", 1), read("archive-pumps-2", 1), read("archive-pumps-3", 1),
                    search("the pump ran"), search("conversation summary"), search("full input saved"),
                ]},
                {"text": "All of it."},
            ]},
        ],
    })
    .to_string()
}

pub(super) fn safe(played: &[Played]) -> Outcome {
    let mut outcome = Outcome::default();
    reference_life(&mut outcome, played);
    surge(&mut outcome, played);
    contract(&mut outcome, played);
    let most = played.iter().map(|turn| turn.report.sent.total().max(turn.report.answered.total()));
    let most = most.max().unwrap_or_default();
    outcome.claim(
        "no request exceeds the budget",
        most <= Tokens(BUDGET),
        format!("at most {most} of {BUDGET} tokens, the full history is {}", full(played)),
    );
    outcome
}

fn full(played: &[Played]) -> Tokens {
    played.last().map(|turn| turn.report.memory.full_history.tokens).unwrap_or_default()
}

fn result(played: &[Played], turn: usize, call: usize) -> Value {
    let report = played.get(turn).map(|turn| &turn.report);
    report.and_then(|report| report.calls.get(call)).map_or(Value::Null, |call| call.result.clone())
}

/// Write, link, discovery, granular access, execution.
fn reference_life(outcome: &mut Outcome, played: &[Played]) {
    let items = |turn: usize| &played[turn].window.items;
    let listed = result(played, 0, 0);
    let item = &listed["items"][0];
    outcome.row(
        "write: a paste over the limit",
        "stored whole",
        format!("{} as {}", item["tokens"], item["key"].as_str().unwrap_or_default()),
    );
    let pointer =
        items(0).iter().find(|item| item.content.starts_with("[Full input saved as ref:"));
    let cost = pointer.map_or(Tokens(u64::MAX), |item| item.tokens);
    outcome.row("link: what the window holds of it", "at most 300 tokens", cost.to_string());
    let found = result(played, 0, 1);
    let hit = &found["results"][0];
    outcome.row(
        "discovery: scratchpad_search",
        "the line and its chunk",
        format!("chunk {}: {}", hit["chunk_index"], hit["snippet"].as_str().unwrap_or_default()),
    );
    let chunk = result(played, 0, 3);
    let text = chunk["content"].as_str().unwrap_or_default();
    outcome.row(
        "granular access: one chunk",
        "about 2,000 bytes",
        format!("{} of {}, {} bytes", chunk["chunk_index"], chunk["chunks"], text.len()),
    );
    outcome.claim(
        "a text lives as a pointer and a preview",
        cost <= Tokens(300) && item["tokens"].as_u64() > Some(29_000),
        format!("{} tokens for {}", cost, item["tokens"]),
    );
    outcome.claim(
        "a question about its middle is answered by one chunk",
        text.contains(FACT),
        format!("chunk {} of {}", chunk["chunk_index"], chunk["chunks"]),
    );
    let unknown = result(played, 0, 2);
    let told = unknown["error"].as_str().unwrap_or_default();
    outcome.claim("an unknown reference is told", told.contains("there is no ref:"), told);
    let saved: Vec<bool> = (0..2)
        .map(|nth| {
            let shown = result(played, 1, nth);
            let shown = shown["result"].as_str().unwrap_or_default();
            shown.starts_with("[Full result saved as ref:")
        })
        .collect();
    outcome.claim(
        "large tool results come back by reference",
        saved == [true, true],
        format!("{} of 2", saved.iter().filter(|&&saved| saved).count()),
    );
}

fn compressions(played: &[Played]) -> Vec<&Change> {
    let changes = played.iter().flat_map(|turn| &turn.report.changes);
    changes.filter(|change| change.kind == ChangeKind::EffortCompressed).collect()
}

/// A single message over three quarters of the window is reduced on its own, and first.
fn surge(outcome: &mut Outcome, played: &[Played]) {
    let compressed = compressions(played);
    for (nth, change) in compressed.iter().enumerate() {
        outcome.row(
            &format!("turn {}: compression {}", change.turn, nth + 1),
            if nth == 0 { "the heavy message alone" } else { "the older messages" },
            format!(
                "{}; window of {} without that, {} with its summary",
                change.cause, change.before, change.after
            ),
        );
    }
    let texts = summaries(&played[0].window.items);
    let alone =
        texts.iter().any(|text| text.starts_with(&format!("{CONVERSATION_SUMMARY} of 1 message ")));
    outcome.claim(
        "surge protection: a heavy message is reduced on its own",
        alone,
        texts.iter().filter_map(|text| text.lines().next()).collect::<Vec<_>>().join("; "),
    );
    let before = played[0].report.memory.full_history.tokens;
    let layers = &played[0].report.memory.layers;
    let after = context(layers);
    // The rows above tell whole windows.
    let fixed = Tokens(layers.total().0.saturating_sub(after));
    outcome.claim(
        "deep cleanup: older messages give way to a summary",
        compressed.len() >= 2 && after < 6_000,
        format!(
            "{} tokens in the window beside {fixed} of system prompt and tools, {before} in full",
            grouped(after)
        ),
    );
}

fn summaries(items: &[WindowItem]) -> Vec<&str> {
    let texts = items.iter().map(|item| &*item.content);
    texts.filter(|text| text.starts_with(CONVERSATION_SUMMARY)).collect()
}

/// Parts of archives that a search of the last turn found.
fn archives_with(played: &[Played], call: usize) -> usize {
    let found = result(played, played.len() - 1, call);
    let hits = found["results"].as_array().map_or(&[][..], Vec::as_slice);
    let archived =
        |hit: &&Value| hit["key"].as_str().is_some_and(|key| key.starts_with("ref:archive-"));
    hits.iter().filter(archived).count()
}

fn contract(outcome: &mut Outcome, played: &[Played]) {
    let last = &played[played.len() - 1];
    let archives: Vec<Value> = (0..3).map(|nth| result(played, played.len() - 1, nth)).collect();
    let texts: Vec<&str> =
        archives.iter().map(|chunk| chunk["content"].as_str().unwrap_or_default()).collect();
    let all = summaries(&last.window.items);
    let (earlier, pointing): (Vec<&str>, Vec<&str>) =
        all.iter().partition(|text| **text == EARLIER);
    let sources = pointing.iter().filter(|text| text.contains("source: ref:archive-pumps")).count();
    outcome.claim(
        "rule 1: no compression without reference",
        !pointing.is_empty()
            && sources == pointing.len()
            && texts.iter().all(|text| text.contains("Message ") || text.contains("More of today")),
        format!(
            "{sources} of {} summaries name an archive that holds the messages",
            pointing.len()
        ),
    );
    // What is archived is what was summarised; the search reads every archive to its end.
    let (searched, again) = (archives_with(played, 3), archives_with(played, 4));
    outcome.claim(
        "rule 2: no summary of a summary",
        pointing.len() >= 3 && earlier.len() == 1 && searched > 0 && again == 0,
        format!(
            "{} summaries beside {} that was there before; {again} archived texts hold one",
            pointing.len(),
            earlier.len()
        ),
    );
    let kept = last
        .window
        .items
        .iter()
        .filter(|item| item.content.starts_with("[Full input saved as ref:"));
    let copied = archives_with(played, 5);
    let kept = kept.count();
    outcome.claim(
        "rule 3: what is held by reference is not compressed again",
        kept == 1 && copied == 0,
        format!("{kept} pointer in the window, {copied} in the archives"),
    );
}
