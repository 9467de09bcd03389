//! Results of tool calls, as the model gets them. Each is bounded: long lists come in pages that say
//! how to get the rest.

use serde_json::{Value, json};

use crate::memory::{Effort, Memory, Status, Tier};
use crate::recall::Hit;

/// Efforts on one page of a list.
const EFFORTS_PER_PAGE: usize = 10;

/// Characters of a summary in a list.
const LISTED_SUMMARY_CHARS: usize = 100;

/// A page of all efforts: open ones first, then the others, newest first.
pub(super) fn all(memory: &Memory, page: usize) -> Value {
    let total = memory.efforts().len();
    let pages = total.div_ceil(EFFORTS_PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let skipped = (page - 1) * EFFORTS_PER_PAGE;
    let concluded =
        memory.efforts().iter().rev().filter(|effort| effort.status == Status::Concluded);
    let listed: Vec<Value> = memory
        .open_efforts()
        .rev()
        .chain(concluded)
        .skip(skipped)
        .take(EFFORTS_PER_PAGE)
        .map(|effort| row(memory, effort))
        .collect();
    let mut result = json!({
        "active": memory.active().map(|effort| effort.id.as_str()),
        "open": memory.open_efforts().count(),
        "concluded": memory.concluded_count().0,
        "efforts": listed,
        "page": page,
        "pages": pages,
    });
    if page < pages {
        result["more"] =
            format!("call effort_status with page {} for the next ones", page + 1).into();
    }
    result
}

fn row(memory: &Memory, effort: &Effort) -> Value {
    let mut row = json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "state": state(memory, effort),
        "tokens": effort.raw_tokens.map(|tokens| tokens.0),
    });
    if let Some(summary) = &effort.summary {
        row["summary"] = shortened(summary).into();
    }
    row
}

/// Everything about one effort.
pub(super) fn one(memory: &Memory, effort: &Effort) -> Value {
    let mut one = json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "state": state(memory, effort),
        "summary": effort.summary.as_deref(),
        "messages": effort.raw_messages,
        "tokens": effort.raw_tokens.map(|tokens| tokens.0),
        "turns_left": memory.turns_left(effort),
        "last_referenced_turn": effort.last_referenced.0,
    });
    if effort.status == Status::Concluded && !effort.specifics.is_empty() {
        one["specifics"] = effort.specifics.clone().into();
    }
    one
}

/// The result of an expansion.
pub(super) fn expanded(memory: &Memory, effort: &Effort) -> Value {
    json!({
        "id": effort.id.as_str(),
        "status": "expanded",
        "messages": effort.raw_messages,
        "tokens": effort.raw_tokens.map(|tokens| tokens.0),
        "note": format!(
            "its full log is in the context now and leaves after {} turns without mention",
            memory.rules().decay_threshold
        ),
    })
}

/// A page of search results.
pub(super) fn found(query: &str, hits: &[Hit], page: usize, per_page: usize) -> Value {
    let pages = hits.len().div_ceil(per_page).max(1);
    let page = page.clamp(1, pages);
    let results: Vec<Value> =
        hits.iter().skip((page - 1) * per_page).take(per_page).map(hit).collect();
    let query: String = query.chars().take(200).collect();
    let mut result = json!({ "query": query, "results": results, "found": hits.len(), "page": page, "pages": pages });
    if hits.is_empty() {
        result["note"] = "no effort matches; try other words, or effort_status to list all".into();
    } else if page < pages {
        result["more"] =
            format!("call search_efforts with page {} for the next ones", page + 1).into();
    }
    result
}

/// One search result, as in `search --json`.
pub fn hit(hit: &Hit) -> Value {
    json!({
        "id": hit.id(), "summary": &*hit.summary, "status": hit.status(),
        "score": hit.score, "snippet": hit.snippet,
    })
}

fn state(memory: &Memory, effort: &Effort) -> &'static str {
    match memory.tier(effort) {
        Tier::Open => "background",
        tier => tier.as_str(),
    }
}

fn shortened(summary: &str) -> String {
    if summary.chars().count() <= LISTED_SUMMARY_CHARS {
        return summary.to_owned();
    }
    let cut: String = summary.chars().take(LISTED_SUMMARY_CHARS - 1).collect();
    format!("{}…", cut.trim_end())
}
