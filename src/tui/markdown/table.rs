//! Tables: columns as wide as the screen allows, cells broken within them.

use pulldown_cmark::Alignment;
use ratatui::style::Modifier;

use super::super::ink::{Ink, Line, Styled, Tone};
use super::inline::wrapped;
use crate::text;

/// Between two columns.
const BAR: &str = " │ ";

/// The narrowest column that can be read.
const NARROWEST: usize = 4;

const FRAME: Ink = Ink::of(Tone::Frame);

/// A table while it is read.
#[derive(Debug, Default)]
pub(super) struct Table {
    alignments: Vec<Alignment>,
    rows: Vec<Vec<Styled>>,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new() }
    }

    /// Begins a row; the first one is the heading.
    pub(super) fn begin_row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// Appends a cell to the row that was begun.
    pub(super) fn push(&mut self, cell: Styled) {
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    /// The table in at most `room` columns; as a list of its cells where it cannot be one.
    pub(super) fn rows(mut self, room: usize) -> Vec<Line> {
        if let Some(head) = self.rows.first_mut() {
            head.iter_mut().for_each(embolden);
        }
        let Some(widths) = self.widths(room) else { return self.records(room) };
        let mut lines = Vec::new();
        for (nth, row) in self.rows.iter().enumerate() {
            lines.extend(self.row(row, &widths));
            if nth == 0 {
                let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                let rule = rule.join("─┼─");
                lines.push(Line { frame: rule.len(), ..Line::new(Styled::new(&rule, FRAME)) });
            }
        }
        lines
    }

    /// The widths of the columns: what they need, or a fair share of what there is.
    fn widths(&self, room: usize) -> Option<Vec<usize>> {
        let columns = self.alignments.len();
        let bars = text::width(BAR) * columns.saturating_sub(1);
        let room = room.checked_sub(bars).filter(|room| *room >= columns * NARROWEST)?;
        let mut needs = vec![1; columns];
        for row in &self.rows {
            for (need, cell) in needs.iter_mut().zip(row) {
                *need = (*need).max(cell.width());
            }
        }
        let mut most = needs.iter().copied().max().unwrap_or(0);
        let taken = |most: usize| needs.iter().map(|need| *need.min(&most)).sum::<usize>();
        if taken(most) > room {
            most = largest(NARROWEST, most, |most| taken(most) <= room);
        }
        let mut left = room.saturating_sub(taken(most));
        let share = |need: usize| {
            let extra = usize::from(need > most && left > 0);
            left -= extra;
            need.min(most) + extra
        };
        Some(needs.iter().copied().map(share).collect())
    }

    /// One row of cells, as many rows high as its highest cell.
    fn row(&self, cells: &[Styled], widths: &[usize]) -> Vec<Line> {
        let empty = Styled::default();
        let cells: Vec<Vec<Line>> = widths
            .iter()
            .enumerate()
            .map(|(nth, width)| wrapped(cells.get(nth).unwrap_or(&empty), *width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let mut lines = Vec::new();
        for at in 0..height {
            let mut styled = Styled::default();
            for (nth, (cell, width)) in cells.iter().zip(widths).enumerate() {
                if nth > 0 {
                    styled.push(BAR, FRAME);
                }
                let part = cell.get(at).map_or(&empty, |line| &line.styled);
                let alignment = self.alignments.get(nth).copied().unwrap_or(Alignment::None);
                aligned(&mut styled, part, *width, alignment);
            }
            lines.push(Line::new(styled));
        }
        lines
    }

    /// Each row as lines of heading and cell.
    fn records(&self, room: usize) -> Vec<Line> {
        let Some((head, rows)) = self.rows.split_first() else { return Vec::new() };
        if rows.is_empty() {
            return head.iter().flat_map(|cell| wrapped(cell, room)).collect();
        }
        let mut lines = Vec::new();
        for (nth, row) in rows.iter().enumerate() {
            if nth > 0 {
                lines.push(Line::default());
            }
            for (name, cell) in head.iter().zip(row) {
                let mut field = name.clone();
                field.push(": ", Ink::default());
                field.append(cell);
                lines.extend(wrapped(&field, room));
            }
        }
        lines
    }
}

/// Writes a cell and the spaces that its column needs.
fn aligned(line: &mut Styled, cell: &Styled, width: usize, alignment: Alignment) {
    let free = width.saturating_sub(cell.width());
    let before = match alignment {
        Alignment::Right => free,
        Alignment::Center => free / 2,
        Alignment::None | Alignment::Left => 0,
    };
    line.push(&" ".repeat(before), Ink::default());
    line.append(cell);
    line.push(&" ".repeat(free - before), Ink::default());
}

fn embolden(cell: &mut Styled) {
    let mut bold = Styled::default();
    for (part, ink) in cell.parts() {
        bold.push(part, ink.with(Modifier::BOLD));
    }
    *cell = bold;
}

/// The largest number from `low` on below `high` that holds; `low` if none does.
fn largest(mut low: usize, mut high: usize, holds: impl Fn(usize) -> bool) -> usize {
    while high - low > 1 {
        let middle = low.midpoint(high);
        if holds(middle) { low = middle } else { high = middle }
    }
    low
}
