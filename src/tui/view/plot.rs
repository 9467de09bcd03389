//! What charts are made of: cells that are filled from below in eighths, and spans of them.

use ratatui::style::Style;
use ratatui::text::Span;

/// A cell that is filled from below, in eighths.
pub const FILLED: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// How high an amount stands in so many rows, in eighths of a row; `most` fills them all.
pub fn eighths(amount: f64, most: f64, rows: usize) -> usize {
    (amount / most.max(f64::MIN_POSITIVE) * (rows * 8) as f64).round() as usize
}

/// The least round number that is no smaller: 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 or 8 with zeros.
pub fn round_up(number: u64) -> u64 {
    if number < 10 {
        return number;
    }
    let unit = 10_u64.pow(number.ilog10());
    let steps = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80];
    let round = steps.iter().map(|step| (unit / 10).saturating_mul(*step));
    round.into_iter().find(|round| *round >= number).unwrap_or(unit.saturating_mul(10))
}

/// Cells as spans, those of one style together.
pub fn spans<'a>(cells: impl Iterator<Item = (&'a str, Style)>) -> Vec<Span<'static>> {
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (sign, style) in cells {
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(sign),
            _ => spans.push(Span::styled(sign.to_owned(), style)),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_are_no_smaller_and_not_much_larger() {
        for number in (0..3_000).chain([9_999, 123_456, u64::MAX / 2, u64::MAX]) {
            let round = round_up(number);
            assert!(round >= number && round / 2 <= number.max(5), "{number}: {round}");
        }
        assert_eq!([1, 11, 13, 1_157, 81].map(round_up), [1, 12, 15, 1_200, 100]);
    }
}
