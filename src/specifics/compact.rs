//! The short list that is kept with an effort.

use super::{Report, Specific};

/// Specifics in the list at most.
pub const MOST_ITEMS: usize = 40;

/// The size of the list at most, in bytes of its texts.
pub const MOST_BYTES: usize = 1_024;

/// The longest text in the list, in bytes.
const LONGEST_TEXT: usize = 160;

/// The specifics that are worth keeping beside a summary, in the log's order: those that the summary lost come
/// first when not all fit, and among them the kinds whose loss hurts most. At most [`MOST_ITEMS`] texts and
/// [`MOST_BYTES`] bytes.
pub fn compact(report: &Report) -> Vec<Specific> {
    let mut ranked: Vec<(bool, &Specific)> =
        report.missing.iter().map(|one| (false, one)).collect();
    ranked.extend(report.kept.iter().map(|one| (true, one)));
    ranked.sort_by_key(|(kept, one)| (*kept, one.kind));
    let mut bytes = 0;
    let mut chosen: Vec<&Specific> = Vec::new();
    for (_, one) in ranked {
        if chosen.len() == MOST_ITEMS {
            break;
        }
        let fits = one.text.len() <= LONGEST_TEXT && bytes + one.text.len() <= MOST_BYTES;
        if fits {
            bytes += one.text.len();
            chosen.push(one);
        }
    }
    chosen.sort_by_key(|one| one.message);
    chosen.into_iter().cloned().collect()
}
