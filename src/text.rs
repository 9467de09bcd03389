//! Text made fit for the screen: cleaned of whatever could reach the terminal as a command, measured as
//! it is drawn, wrapped and cut without splitting what a reader sees as one character.

mod clean;
mod wrap;

use std::ops::Range;

use ratatui::buffer::CellWidth;
use unicode_segmentation::UnicodeSegmentation;

pub use clean::{clean, one_line, written};
pub use wrap::{Cut, chop, cuts, wrap};

/// Between two keys and what they do.
const SEPARATOR: &str = " · ";

/// What stands for the part that was cut off.
const ELLIPSIS: &str = "…";

/// Columns that a line of text takes when it is drawn. Control characters and graphemes without width
/// are not drawn, so they take none.
pub fn width(text: &str) -> usize {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.len();
    }
    text.graphemes(true).map(grapheme_width).sum()
}

/// Columns of one grapheme.
fn grapheme_width(grapheme: &str) -> usize {
    if grapheme.contains(char::is_control) { 0 } else { usize::from(grapheme.cell_width()) }
}

/// The text, cut at the end with `…` if it takes more than `width` columns. Never wider than `width`;
/// one column less when a wide character would straddle the cut.
pub fn fit(text: &str, width: usize) -> String {
    if self::width(text) <= width {
        return text.to_owned();
    }
    let Some(room) = width.checked_sub(self::width(ELLIPSIS)) else { return String::new() };
    let mut taken = 0;
    let mut cut = String::new();
    for grapheme in text.graphemes(true) {
        taken += grapheme_width(grapheme);
        if taken > room {
            break;
        }
        cut.push_str(grapheme);
    }
    cut.truncate(cut.trim_end().len());
    cut.push_str(ELLIPSIS);
    cut
}

/// What keys do, parted by ` · `, in so many columns: as many of them as fit, the last one, which closes, in any case.
pub fn fit_keys(keys: &str, width: usize) -> String {
    if self::width(keys) <= width {
        return keys.to_owned();
    }
    let (first, last) = keys.rsplit_once(SEPARATOR).unwrap_or(("", keys));
    let mut shown = last.to_owned();
    let all: Vec<&str> = first.split(SEPARATOR).collect();
    for count in 1..=all.len() {
        let more = format!("{}{SEPARATOR}{last}", all[..count].join(SEPARATOR));
        if self::width(&more) > width {
            break;
        }
        shown = more;
    }
    fit(&shown, width)
}

/// The end of a text that takes more than `width` columns: what stands before the cursor of one who writes.
pub fn tail(text: &str, width: usize) -> &str {
    let over = self::width(text).saturating_sub(width);
    let mut start = bytes_of_columns(text, over..usize::MAX).start;
    // A wide character that is partly beyond the edge would be cut through.
    while self::width(text.get(start..).unwrap_or_default()) > width {
        start += text[start..].graphemes(true).next().map_or(1, str::len);
    }
    text.get(start..).unwrap_or_default()
}

/// The bytes of a line that stand in some columns; a character that is partly in them counts.
pub fn bytes_of_columns(line: &str, columns: Range<usize>) -> Range<usize> {
    let mut bytes = line.len()..line.len();
    let mut column = 0;
    for (at, grapheme) in line.grapheme_indices(true) {
        let next = column + grapheme_width(grapheme);
        if column >= columns.end {
            bytes.end = at;
            break;
        }
        if (next > columns.start || column >= columns.start) && bytes.start == line.len() {
            bytes.start = at;
        }
        column = next;
    }
    bytes.start.min(bytes.end)..bytes.end
}

/// The text, cut as by [`fit`] and filled with spaces up to exactly `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    let mut padded = fit(text, width);
    let missing = width.saturating_sub(self::width(&padded));
    padded.extend(std::iter::repeat_n(' ', missing));
    padded
}

/// A number in few letters, rounded down: `840`, `4.1k`, `120k`, `2.3M`.
pub fn about(number: u64) -> String {
    let units = ["", "k", "M", "G", "T", "P", "E"];
    let power = number.checked_ilog(1_000).unwrap_or(0);
    let unit = units[power as usize];
    let whole = 1_000_u64.pow(power);
    match number / whole {
        small @ ..100 if power > 0 => format!("{small}.{}{unit}", number % whole * 10 / whole),
        large => format!("{large}{unit}"),
    }
}

/// What happened and what to do about it, as sentences; either may be missing.
pub fn joined(what: &str, advice: &str) -> String {
    let (what, advice) = (what.trim(), advice.trim());
    match (what.is_empty(), advice.is_empty()) {
        (_, true) => what.to_owned(),
        (true, _) => advice.to_owned(),
        _ if what.ends_with(['.', '!', '?', ':']) => format!("{what} {advice}"),
        _ => format!("{what}. {advice}"),
    }
}

#[cfg(test)]
mod tests;
