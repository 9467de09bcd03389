//! How the costs grew over the turns: with memory as an area, of full history as points.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::bill::{Paid, Prices};
use crate::orchestrator::BilledTurn;
use crate::text::{self, about};
use crate::tui::theme::Theme;
use crate::tui::view::plot::{self, FILLED};

/// The point of full history.
const POINT: &str = "○";

/// Rows of legend, axis and turns.
const AROUND: usize = 3;

/// The chart with its legend in so many columns and rows. What was paid behind the last turn stands with that.
pub(super) fn lines(
    turns: &[BilledTurn],
    behind: &Paid,
    prices: &Prices,
    theme: &Theme,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else {
        return vec![Line::styled("The chart begins with the first turn that counts.", theme.dim)];
    };
    let mut sums = summed(turns, prices);
    if let Some([own, _]) = sums.last_mut() {
        *own += prices.cost(behind);
    }
    let most = sums.iter().fold(1.0_f64, |most, sums| most.max(sums[0]).max(sums[1]));
    let top = about(most as u64);
    let margin = text::width(&top);
    let columns = width.saturating_sub(margin + 1).max(1);
    let rows = height.saturating_sub(AROUND).max(1);
    let plot = Plot { sums: &sums, most, columns, rows };
    let mut lines = vec![legend(theme, width)];
    for row in (0..rows).rev() {
        let label = if row + 1 == rows { top.as_str() } else { "" };
        let mut spans = vec![Span::styled(format!("{label:>margin$}│"), theme.dim)];
        spans.extend(plot.row(row, theme));
        lines.push(Line::from(spans));
    }
    lines.push(Line::styled(format!("{:>margin$}└{}", 0, "─".repeat(columns)), theme.dim));
    let (first, last) = (format!("turn {}", first.turn), format!("turn {}", last.turn));
    let room = columns.saturating_sub(first.len());
    let last = if first == last || last.len() >= room { String::new() } else { last };
    let ends = format!("{:1$}{first}{last:>room$}", "", margin + 1);
    lines.push(Line::styled(text::fit(ends.trim_end(), width), theme.dim));
    lines
}

fn legend(theme: &Theme, width: usize) -> Line<'static> {
    let words = [" with memory  ", " full history, summed up, as input"];
    let line = vec![
        Span::styled("█", theme.accent),
        Span::styled(words[0], theme.text),
        Span::styled(POINT, theme.warning),
        Span::styled(text::fit(words[1], width.saturating_sub(words[0].len() + 2)), theme.text),
    ];
    Line::from(line)
}

/// What was paid up to each turn, with memory and with full history.
fn summed(turns: &[BilledTurn], prices: &Prices) -> Vec<[f64; 2]> {
    let sum = |sums: &mut [f64; 2], turn: &BilledTurn| {
        sums[0] += prices.cost(&turn.bill.own);
        sums[1] += prices.cost(&turn.bill.full);
        Some(*sums)
    };
    turns.iter().scan([0.0; 2], sum).collect()
}

struct Plot<'a> {
    sums: &'a [[f64; 2]],
    most: f64,
    columns: usize,
    rows: usize,
}

impl Plot<'_> {
    /// A row, counted from below.
    fn row(&self, row: usize, theme: &Theme) -> Vec<Span<'static>> {
        plot::spans((0..self.columns).map(|column| self.cell(row, column, theme)))
    }

    fn cell(&self, row: usize, column: usize, theme: &Theme) -> (&'static str, Style) {
        // The last of the turns that share the column.
        let turn = ((column + 1) * self.sums.len()).div_ceil(self.columns) - 1;
        let [own, full] = self.sums[turn].map(|sum| plot::eighths(sum, self.most, self.rows));
        if full.saturating_sub(1) / 8 == row {
            return (POINT, theme.warning);
        }
        (FILLED[own.saturating_sub(row * 8).min(8)], theme.accent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bill::TurnBill;
    use crate::memory::Turn;
    use crate::tui::theme::ThemeChoice;

    fn turns(count: u64, own: u64, full: u64) -> Vec<BilledTurn> {
        let paid = |uncached| Paid { uncached, ..Paid::default() };
        let bill = TurnBill { own: paid(own), full: paid(full), ..TurnBill::default() };
        (1..=count).map(|turn| BilledTurn { turn: Turn(turn), bill }).collect()
    }

    fn drawn(turns: &[BilledTurn], size: (usize, usize)) -> Vec<String> {
        let theme = Theme::detect(true, ThemeChoice::Dark, None);
        let lines = lines(turns, &Paid::default(), &Prices::default(), &theme, size);
        lines.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn both_costs_rise_to_what_was_paid_in_all() {
        let lines = drawn(&turns(8, 50, 100), (12, 11));
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[1], "800│       ○", "the top is what full history has cost");
        assert_eq!(lines[5], "   │   ○  ▄█", "half as much was paid with memory");
        assert_eq!(lines[8], "   │○███████");
        assert_eq!(lines[9], "  0└────────");
        assert_eq!(lines[10], "    turn 1", "no room for the last one");
        assert_eq!(drawn(&turns(8, 50, 100), (30, 9))[8], "    turn 1              turn 8");
    }

    #[test]
    fn what_was_paid_behind_the_last_turn_is_in_the_chart() {
        let theme = Theme::detect(true, ThemeChoice::Dark, None);
        let behind = Paid { uncached: 1_200, ..Paid::default() };
        let lines = lines(&turns(8, 50, 100), &behind, &Prices::default(), &theme, (13, 11));
        assert_eq!(lines[1].to_string(), "1.6k│       █", "800 for full history, half of it");
    }

    #[test]
    fn any_numbers_in_any_room_are_drawn_in_it() {
        for (count, own, full) in [(0, 0, 0), (1, 0, 0), (3, u64::MAX, 1), (2_000, 7, u64::MAX)] {
            for (width, rows) in [(1, 1), (9, 4), (36, 9), (196, 22)] {
                for line in drawn(&turns(count, own, full), (width, rows)).iter().skip(1) {
                    assert!(count == 0 || text::width(line) <= width.max(9), "{width}: {line}");
                }
            }
        }
    }
}
