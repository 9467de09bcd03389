//! Results of commands, as lines for people.

use std::fmt::Write as _;

use serde_json::Value;

use crate::tools::Call;

/// The result of a user's command in words. The banner has said what changed, so most need few.
pub(super) fn result(call: &Call, result: &Value) -> String {
    match call {
        Call::OpenEffort { .. } => format!("'{}' is open and active.", text(result, "id")),
        Call::SwitchEffort { .. } => format!("'{}' is the active effort.", text(result, "id")),
        Call::ReopenEffort { .. } => {
            format!("'{}' is open again; its log continues.", text(result, "id"))
        }
        Call::CollapseEffort { .. } => format!("'{}' is back to its summary.", text(result, "id")),
        Call::ExpandEffort { .. } => format!(
            "'{}' is expanded: {} messages, {} tokens.",
            text(result, "id"),
            text(result, "messages"),
            text(result, "tokens")
        ),
        Call::CloseEffort { .. } => {
            format!("'{}' is concluded: {}", text(result, "id"), text(result, "summary"))
        }
        Call::EffortStatus { id: Some(_), .. } => one(result),
        Call::EffortStatus { id: None, .. } => list(result, "efforts", "There are no efforts yet."),
        Call::Remember { .. } => {
            format!("Noted as {}.", text(result, "id"))
        }
        Call::WorkingMemoryStats => notes(result),
        Call::ScratchpadSave { .. } => {
            format!("Kept as {} ({}).", text(result, "saved"), text(result, "size"))
        }
        Call::ScratchpadList { .. } => pad_list(result),
        Call::ScratchpadReadChunk { .. } => format!(
            "{}, chunk {} of {}:\n{}",
            text(result, "key"),
            text(result, "chunk_index"),
            text(result, "chunks"),
            text(result, "content")
        ),
        Call::ScratchpadSearch { .. } => pad_found(result),
        Call::SearchEfforts { .. } => list(result, "results", "Nothing matches; try other words."),
    }
}

fn one(result: &Value) -> String {
    let left = result["turns_left"].as_u64().map_or_else(String::new, |left| {
        format!(", {left} {} left", if left == 1 { "turn" } else { "turns" })
    });
    let summary = result["summary"].as_str().map_or_else(String::new, |text| format!("\n{text}"));
    format!(
        "{}: {}{left}, {} messages, {} tokens, last mentioned in turn {}{summary}",
        text(result, "id"),
        text(result, "state"),
        text(result, "messages"),
        text(result, "tokens"),
        text(result, "last_referenced_turn"),
    )
}

fn pad_list(result: &Value) -> String {
    let line = |row: &Value| {
        let (key, description) = (text(row, "key"), text(row, "description"));
        let (tokens, chunks) = (text(row, "tokens"), text(row, "chunks"));
        let noun = if chunks == "1" { "chunk" } else { "chunks" };
        format!("{key}: {description} ({tokens} tokens, {chunks} {noun})")
    };
    let rows = result["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut lines: Vec<String> = rows.iter().map(line).collect();
    if lines.is_empty() {
        return "Nothing is held by reference. /attach FILE keeps a file so.".to_owned();
    }
    let (page, pages) = (text(result, "page"), text(result, "pages"));
    if pages != "1" {
        lines.push(format!("Page {page} of {pages}."));
    }
    lines.join("\n")
}

fn pad_found(result: &Value) -> String {
    let line = |row: &Value| {
        format!(
            "{}, chunk {}: {}",
            text(row, "key"),
            text(row, "chunk_index"),
            text(row, "snippet")
        )
    };
    let rows = result["results"].as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        return "Nothing holds these words; try others.".to_owned();
    }
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The statistics of the notes' budget in a line.
fn notes(result: &Value) -> String {
    let utilization = result["utilization"].as_f64().unwrap_or(0.0);
    let enabled = if result["enabled"] == true { "yes" } else { "no" };
    format!(
        "Working memory: {} notes, soft limit {}, hard limit {}, batch {}, enabled: {enabled}, \
         utilization {utilization:.1} %, {}; {} permanent. Limits {}, {}.",
        text(result, "current"),
        text(result, "soft_limit"),
        text(result, "hard_limit"),
        text(result, "batch_size"),
        text(result, "status").replace('_', " "),
        text(result, "permanent"),
        text(result, "limits"),
        text(result, "why"),
    )
}

fn list(result: &Value, rows: &str, empty: &str) -> String {
    let rows = result[rows].as_array().map(Vec::as_slice).unwrap_or_default();
    if rows.is_empty() {
        return empty.to_owned();
    }
    let mut lines = String::new();
    for row in rows {
        let state = row.get("state").or_else(|| row.get("status")).and_then(Value::as_str);
        let _ = write!(lines, "{} ({})", text(row, "id"), state.unwrap_or_default());
        match row["summary"].as_str().filter(|summary| !summary.is_empty()) {
            Some(summary) => {
                let _ = writeln!(lines, ": {summary}");
            }
            None => lines.push('\n'),
        }
    }
    let (page, pages) = (text(result, "page"), text(result, "pages"));
    if pages != "1" {
        let _ = writeln!(lines, "Page {page} of {pages}.");
    }
    lines.trim_end().to_owned()
}

fn text(value: &Value, key: &str) -> String {
    match &value[key] {
        Value::String(text) => text.clone(),
        Value::Null => "?".to_owned(),
        other => other.to_string(),
    }
}
