//! A place in a list, kept inside it.

use std::ops::Range;

use ratatui::layout::{Position, Rect};

use super::keymap::KeyAction;

/// A place in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The chosen row.
    pub at: usize,
    /// Rows of a page, as last drawn.
    pub page: usize,
    /// Where its rows were drawn last.
    area: Rect,
    /// The first row that was drawn there.
    first: usize,
}

impl Place {
    /// Moves by an action, if it is one that moves; returns whether it was.
    pub fn act(&mut self, action: KeyAction, rows: usize) -> bool {
        let page = self.page.max(1).cast_signed();
        let steps = match action {
            KeyAction::Up => -1,
            KeyAction::Down => 1,
            KeyAction::PageUp => -page,
            KeyAction::PageDown => page,
            KeyAction::Top => isize::MIN,
            KeyAction::Bottom => isize::MAX,
            _ => return false,
        };
        self.step(steps, rows);
        true
    }

    /// Moves by so many rows, back if negative; stops at both ends.
    pub fn step(&mut self, steps: isize, rows: usize) {
        self.at = self.at.saturating_add_signed(steps).min(rows.saturating_sub(1));
    }

    /// Moves one row, around the ends.
    pub fn step_around(&mut self, forward: bool, rows: usize) {
        let rows = rows.max(1);
        self.at = (self.at + if forward { 1 } else { rows - 1 }) % rows;
    }

    /// The rows that are drawn in an area, of which the chosen one stands last, or nearer to the beginning.
    pub fn show(&mut self, rows: usize, area: Rect) -> Range<usize> {
        self.show_from((self.at + 1).saturating_sub(area.height.into()), rows, area)
    }

    /// The rows that are drawn in an area from a row on.
    pub fn show_from(&mut self, first: usize, rows: usize, area: Rect) -> Range<usize> {
        self.page = area.height.into();
        let shown = first..(first + self.page).min(rows);
        self.area = Rect { height: shown.len() as u16, ..area };
        self.first = first;
        shown
    }

    /// Chooses the row that was drawn at a point of the screen, if there is one.
    pub fn click(&mut self, point: Position) {
        if self.area.contains(point) {
            self.at = self.first + usize::from(point.y - self.area.y);
        }
    }
}
