//! Tables that tell a unit once: at the head of a column, or of a row.

use std::borrow::Cow;

use crate::specifics::number::is_plural;
use crate::specifics::unit;

/// A text whose tables have the unit behind each figure: `| A | 840 ms |` below `| run | time (ms) |`.
pub(super) fn with_units(text: &str) -> Cow<'_, str> {
    if !text.contains("|-") && !text.contains("| -") && !text.contains("|:") {
        return text.into();
    }
    let mut told = String::with_capacity(text.len());
    let mut units: Vec<Option<&str>> = Vec::new();
    let mut before = "";
    for line in text.split_inclusive('\n') {
        if !line.trim_start().starts_with('|') {
            units.clear();
            told.push_str(line);
        } else if is_rule(line) {
            units = before.split('|').map(|cell| unit_of(cell).or_else(|| counted(cell))).collect();
            told.push_str(line);
        } else {
            push_row(line, &units, &mut told);
        }
        before = line;
    }
    told.into()
}

/// Whether a row is the line below the head of a table.
fn is_rule(row: &str) -> bool {
    row.contains('-') && row.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The unit in brackets at the end of a cell.
fn unit_of(cell: &str) -> Option<&str> {
    let (name, unit) = cell.trim().strip_suffix(')')?.rsplit_once('(')?;
    // The plural of `File(s)` is no second, nor is `in` an inch.
    let is_apart = name.is_empty() || name.ends_with(char::is_whitespace);
    unit::canonical(unit).filter(|_| is_apart && unit != "in").map(|_| unit)
}

/// What the figures of a column count, if that is all of its head: `Nuits`.
fn counted(cell: &str) -> Option<&str> {
    let cell = cell.trim().trim_matches('*');
    let is_word = cell.chars().count() > 2 && cell.chars().all(char::is_alphabetic);
    (is_word && (unit::canonical(cell).is_some() || is_plural(&cell.to_lowercase())))
        .then_some(cell)
}

/// Adds a row with the unit of its column, or its own, behind each cell that is a figure.
fn push_row(row: &str, units: &[Option<&str>], told: &mut String) {
    let own = row.split('|').find(|cell| !cell.trim().is_empty()).and_then(unit_of);
    for (nth, cell) in row.split('|').enumerate() {
        if nth > 0 {
            told.push('|');
        }
        let bare = cell.trim_end();
        let unit = units.get(nth).copied().flatten().or(own).filter(|_| is_figure(bare.trim()));
        told.push_str(bare);
        if let Some(unit) = unit {
            told.push(' ');
            // With a capital it would be no plural.
            told.push_str(&if unit.len() > 3 { unit.to_lowercase() } else { unit.to_owned() });
        }
        told.push_str(&cell[bare.len()..]);
    }
}

fn is_figure(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
        && cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_told_behind_each_figure_of_its_column_or_row() {
        for (text, told) in [
            (
                "| a | b (ms) |\n|---|---|\n| 1 | 840 |\nb (ms) 3\n",
                "| a | b (ms) |\n|---|---|\n| 1 | 840 ms |\nb (ms) 3\n",
            ),
            ("| a | b |\n| - | - |\n| p (GB) | 1,5 |", "| a | b |\n| - | - |\n| p (GB) | 1,5 GB |"),
            ("| a (so) |\n|---|\n| 4 |", "| a (so) |\n|---|\n| 4 |"),
            ("| File(s) |\n|---|\n| 4 |", "| File(s) |\n|---|\n| 4 |"),
            ("| put (in) |\n|---|\n| 4 |", "| put (in) |\n|---|\n| 4 |"),
            ("| a | Nuits |\n|---|---|\n| K | 6 |", "| a | Nuits |\n|---|---|\n| K | 6 nuits |"),
            ("| Rows |\n|---|\n| 4 |", "| Rows |\n|---|\n| 4 rows |"),
            ("| Status |\n|---|\n| 4 |", "| Status |\n|---|\n| 4 |"),
            ("|é|-|", "|é|-|"),
        ] {
            assert_eq!(with_units(text), told, "{text}");
        }
    }
}
