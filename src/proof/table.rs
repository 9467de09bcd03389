//! How an outcome is printed.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Outcome, Row};

/// The table and the claims as text. Where the table has more columns than that, each row takes several lines.
pub fn outcome_text(title: &str, outcome: &Outcome, columns: usize) -> String {
    let mut text = format!("{title}\n\n");
    let rows = in_columns(outcome);
    if rows.iter().all(|row| row.chars().count() <= columns) {
        text.push_str(&rows.join("\n"));
        text.push('\n');
    } else {
        outcome.rows.iter().for_each(|row| in_lines(row, &mut text));
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

/// A heading and the rows, each on a line.
fn in_columns(outcome: &Outcome) -> Vec<String> {
    let widest = |of: fn(&Row) -> &str, heading: usize| {
        outcome.rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0).max(heading)
    };
    let step = widest(|row| &row.step, 4);
    let expected = widest(|row| &row.expected, 8);
    let line =
        |one: &str, other: &str, last: &str| format!("  {one:<step$}  {other:<expected$}  {last}");
    let heading = line("step", "expected", "measured");
    let rows = outcome.rows.iter().map(|row| line(&row.step, &row.expected, &row.measured));
    std::iter::once(heading).chain(rows).collect()
}

/// A row on lines of its own: the step, and what was expected and measured below it.
fn in_lines(row: &Row, text: &mut String) {
    let _ = writeln!(text, "  {}", row.step);
    for (name, words) in [("expected", &row.expected), ("measured", &row.measured)] {
        if !words.is_empty() {
            let _ = writeln!(text, "      {name}  {words}");
        }
    }
}

/// What a proof came to as JSON.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_wide_is_told_in_lines() {
        let mut outcome = Outcome::default();
        outcome.row("say something", "7 tokens", "9 tokens".to_owned());
        outcome.row("say nothing", "", "0 tokens".to_owned());
        outcome.claim("it holds", true, "9 of 7".to_owned());
        let wide = outcome_text("A proof", &outcome, 80);
        assert!(wide.contains("\n  say something  7 tokens  9 tokens\n"), "{wide}");
        let narrow = outcome_text("A proof", &outcome, 20);
        let rows = "\n  say something\n      expected  7 tokens\n      measured  9 tokens\n  say nothing\n      measured  0 tokens\n";
        assert!(narrow.contains(rows) && narrow.ends_with("  ok   it holds: 9 of 7\n"), "{narrow}");
    }
}
