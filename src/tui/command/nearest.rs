//! What somebody may have meant who typed no command.

use super::specs;

/// The command whose name or alias is closest to what was typed, if any is close.
pub fn nearest(typed: &str) -> Option<&'static str> {
    let typed = typed.to_lowercase();
    let names = specs().flat_map(|spec| {
        std::iter::once(spec.name).chain(spec.aliases.iter().copied()).map(move |n| (n, spec.name))
    });
    names
        .filter(|(name, _)| name.len() > 1)
        .map(|(name, canonical)| (distance(&typed, name), name.len(), canonical))
        .filter(|(distance, length, _)| *distance <= (length / 3).max(1))
        .min_by_key(|(distance, _, _)| *distance)
        .map(|(_, _, canonical)| canonical)
}

/// Edits (insert, delete, replace, swap of neighbours) between two words.
fn distance(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=right.len()).collect()];
    for (i, a) in left.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in right.iter().enumerate() {
            let replaced = rows[i][j] + usize::from(a != b);
            let mut best = replaced.min(row[j] + 1).min(rows[i][j + 1] + 1);
            if i > 0 && j > 0 && *a == right[j - 1] && left[i - 1] == *b {
                best = best.min(rows[i - 1][j - 1] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[left.len()][right.len()]
}
