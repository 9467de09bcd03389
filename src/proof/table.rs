//! How an outcome is printed.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::Outcome;

/// The table and the claims as text.
pub fn outcome_text(title: &str, outcome: &Outcome) -> String {
    let widest = |of: fn(&super::Row) -> &str, heading: usize| {
        outcome.rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0).max(heading)
    };
    let step = widest(|row| &row.step, 4);
    let expected = widest(|row| &row.expected, 8);
    let mut text = format!("{title}\n\n");
    let _ = writeln!(text, "  {:<step$}  {:<expected$}  measured", "step", "expected");
    for row in &outcome.rows {
        let _ =
            writeln!(text, "  {:<step$}  {:<expected$}  {}", row.step, row.expected, row.measured);
    }
    text.push('\n');
    for claim in &outcome.claims {
        let mark = if claim.holds { "ok  " } else { "FAIL" };
        let _ = writeln!(text, "  {mark} {}: {}", claim.text, claim.figures);
    }
    for remark in &outcome.remarks {
        let _ = writeln!(text, "\n  {remark}");
    }
    text
}

/// The same as JSON.
pub fn outcome_json(name: &str, title: &str, outcome: &Outcome) -> Value {
    json!({
        "proof": name,
        "title": title,
        "holds": outcome.holds(),
        "rows": outcome.rows.iter().map(|row| json!({
            "step": row.step, "expected": row.expected, "measured": row.measured,
        })).collect::<Vec<_>>(),
        "claims": outcome.claims.iter().map(|claim| json!({
            "text": claim.text, "holds": claim.holds, "figures": claim.figures,
        })).collect::<Vec<_>>(),
        "remarks": outcome.remarks,
    })
}
