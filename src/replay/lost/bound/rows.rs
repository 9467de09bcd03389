//! Tables, each cell of which is said with what labels its row and its column.

use std::borrow::Cow;

/// Bytes of the longest label.
const LONGEST: usize = 80;

/// A text whose tables are told in lines: `web: port 9090` for `| web | 9090 |` below `| service | port |`.
pub(super) fn with_labels(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_row) {
        return text.into();
    }
    let mut told = String::with_capacity(text.len());
    let mut heads: Vec<&str> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        if !is_row(line) {
            heads.clear();
            told.push_str(line);
            told.push('\n');
        } else if lines.peek().is_some_and(|next| is_rule(next)) {
            heads = cells(line).collect();
        } else if !is_rule(line) {
            push_row(&heads, line, &mut told);
        }
    }
    told.into()
}

/// Adds each cell of a row in a line of its own, behind what labels it.
fn push_row(heads: &[&str], row: &str, told: &mut String) {
    let label = cells(row).position(|cell| cell.starts_with(char::is_alphabetic));
    let label = label.filter(|_| cells(row).count() > 1);
    let of = |nth| cells(row).nth(nth).filter(|label| label.len() <= LONGEST);
    for (nth, cell) in cells(row).enumerate() {
        let own = label.filter(|label| *label != nth).and_then(of);
        let head = heads.get(nth).filter(|head| head.len() <= LONGEST).copied();
        for part in [own, head, Some(cell)].into_iter().flatten() {
            told.push_str(part);
            told.push(' ');
        }
        told.push('\n');
    }
}

fn cells(row: &str) -> impl Iterator<Item = &str> {
    row.trim().trim_matches('|').split('|').map(str::trim)
}

/// Whether a line is the row of a table.
fn is_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 1 && line.starts_with('|') && line.ends_with('|')
}

/// Whether it is the row below the heads.
fn is_rule(line: &str) -> bool {
    is_row(line) && line.contains('-') && line.chars().all(|c| "|-: ".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cell_is_told_with_its_labels() {
        for (text, told) in [
            (
                "So:\n| service | port |\n|:--|--:|\n| web | 9090 |\nEnd",
                "So:\nservice web \nweb port 9090 \nEnd\n",
            ),
            ("| 1 | web | 9 |", "web 1 \nweb \nweb 9 \n"),
            ("| 1 |", "1 \n"),
            ("a | b", "a | b"),
            ("|", "|"),
            ("||\n|-|", ""),
        ] {
            assert_eq!(with_labels(text), told, "{text}");
        }
    }
}
