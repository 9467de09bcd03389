//! A place in a list, kept inside it.

use std::ops::Range;

use super::keymap::KeyAction;

/// A place in a list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// The chosen row.
    pub at: usize,
    /// Rows of a page, as last drawn.
    pub page: usize,
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

    /// The rows on a screen of some height on which the chosen one stands last, or nearer to the beginning.
    pub fn shown(&self, rows: usize, height: usize) -> Range<usize> {
        let first = (self.at + 1).saturating_sub(height);
        first..(first + height).min(rows)
    }
}
