//! Answers that tell of efforts and of what a search found. Each is bounded: long lists come in pages that say
//! how to get the rest.

use serde_json::{Value, json};

use super::answer::{self, Answer};
use crate::counted::counted;
use crate::memory::{Effort, Memory, Status, Tier};

/// Efforts on one page of a list.
const EFFORTS_PER_PAGE: usize = 10;

/// Characters of a summary in a list.
const LISTED_SUMMARY_CHARS: usize = 100;

/// A page of all efforts: open ones first, then the others, newest first.
pub(super) fn all(memory: &Memory, page: usize) -> Answer {
    let total = memory.efforts().len();
    let pages = total.div_ceil(EFFORTS_PER_PAGE).max(1);
    let page = page.clamp(1, pages);
    let skipped = (page - 1) * EFFORTS_PER_PAGE;
    let concluded =
        memory.efforts().iter().rev().filter(|effort| effort.status == Status::Concluded);
    let listed = memory.open_efforts().rev().chain(concluded).skip(skipped).take(EFFORTS_PER_PAGE);
    let (rows, lines): (Vec<Value>, _) = listed.map(|effort| row(memory, effort)).unzip();
    let mut for_model = json!({
        "active": memory.active().map(|effort| effort.id.as_str()),
        "open": memory.open_efforts().count(),
        "concluded": memory.concluded_count().0,
        "efforts": rows,
        "page": page,
        "pages": pages,
    });
    if page < pages {
        for_model["more"] =
            format!("call effort_status with page {} for the next ones", page + 1).into();
    }
    let for_people = answer::page(lines, page, pages, "There are no efforts yet.");
    Answer { for_model, for_people }
}

fn row(memory: &Memory, effort: &Effort) -> (Value, String) {
    let state = state(memory, effort);
    let mut row = json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "state": state,
        "tokens": effort.raw_tokens.map(|tokens| tokens.0),
    });
    let summary = effort.summary().as_deref().map(shortened);
    let line = line(effort.id.as_str(), state, summary.as_deref().unwrap_or_default());
    if let Some(summary) = summary {
        row["summary"] = summary.into();
    }
    (row, line)
}

fn line(id: &str, state: &str, summary: &str) -> String {
    if summary.is_empty() {
        format!("{id} ({state})")
    } else {
        format!("{id} ({state}): {summary}")
    }
}

/// Everything about one effort.
pub(super) fn one(memory: &Memory, effort: &Effort) -> Answer {
    let (state, left) = (state(memory, effort), memory.turns_left(effort));
    let mut for_model = json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "state": state,
        "summary": effort.summary().as_deref(),
        "messages": effort.raw_messages,
        "tokens": effort.raw_tokens.map(|tokens| tokens.0),
        "turns_left": left,
        "last_referenced_turn": effort.last_referenced.0,
    });
    if effort.status == Status::Concluded && !effort.specifics.is_empty() {
        for_model["specifics"] = effort.specifics.iter().collect();
    }
    let left = left.map_or_else(String::new, |left| format!(", {} left", counted(left, "turn")));
    let mut for_people = format!(
        "{}: {state}{left}, {}, {}, last mentioned in turn {}",
        effort.id,
        counted(effort.raw_messages, "message"),
        answer::tokens(effort.raw_tokens),
        effort.last_referenced,
    );
    if let Some(summary) = effort.summary() {
        for_people.push('\n');
        for_people.push_str(&summary);
    }
    Answer { for_model, for_people }
}

/// The result of an expansion.
pub(super) fn expanded(memory: &Memory, effort: &Effort) -> Answer {
    let Effort { id, raw_messages: messages, raw_tokens: tokens, .. } = effort;
    let turns = counted(memory.rules().decay_threshold, "turn");
    let (shown, leaves) = (effort.log_tokens(), format!("leaves after {turns} without mention"));
    let (note, for_people) = if effort.has_excerpt() {
        let note = format!(
            "{shown} tokens of its log are in the context now, the middle is left out for want of room; it {leaves}. \
             search_efforts with words of the middle finds what it says"
        );
        (note, format!(", {shown} of them in the window: the middle is left out"))
    } else {
        (format!("its full log is in the context now and {leaves}"), String::new())
    };
    let for_model = json!({
        "id": id.as_str(),
        "status": "expanded",
        "messages": messages,
        "tokens": tokens.map(|tokens| tokens.0),
        "note": note,
    });
    let (messages, tokens) = (counted(*messages, "message"), answer::tokens(*tokens));
    let for_people = format!("'{id}' is expanded: {messages}, {tokens}{for_people}.");
    Answer { for_model, for_people }
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
