//! What of the conversation is chosen: a block by keys, a stretch of text by the mouse.

use std::ops::Range;

use super::block::{INDENT, Part, Row};
use super::scroll::Place;
use super::{BlockKind, Transcript};
use crate::text;
use crate::tui::ink::Joint;

/// A cell of the conversation: the number of a block, a row within it, a column of the chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spot {
    block: usize,
    row: usize,
    column: usize,
}

/// A stretch of text: where it was begun and where it ends; both cells belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stretch {
    from: Spot,
    to: Spot,
}

impl Stretch {
    fn ordered(self) -> (Spot, Spot) {
        (self.from.min(self.to), self.from.max(self.to))
    }

    /// The columns of a row that belong to it.
    pub(super) fn columns(self, block: usize, nth: usize) -> Option<Range<usize>> {
        let (first, last) = self.ordered();
        let place = (block, nth);
        if place < (first.block, first.row) || place > (last.block, last.row) {
            return None;
        }
        let start = if place == (first.block, first.row) { first.column } else { 0 };
        let end = if place == (last.block, last.row) { last.column + 1 } else { usize::MAX };
        Some(start..end)
    }
}

impl Row {
    /// The column that its text begins in.
    pub fn offset(&self) -> usize {
        if self.part == Part::Body { INDENT } else { 0 }
    }

    /// What stands in some columns of the chat, without what the layout added.
    fn between(&self, columns: &Range<usize>) -> &str {
        let whole = self.line.styled.text();
        let offset = self.offset();
        let start = columns.start.saturating_sub(offset);
        let end = columns.end.saturating_sub(offset);
        let bytes = text::bytes_of_columns(whole, start..end);
        let start = bytes.start.max(self.line.frame);
        whole.get(start..bytes.end.max(start)).unwrap_or_default()
    }
}

impl BlockKind {
    /// Whether keys can choose it.
    fn can_be_chosen(self) -> bool {
        !matches!(self, Self::Tool | Self::Reasoning | Self::Footnote | Self::Banner)
    }
}

impl Transcript {
    /// The cell at a row and a column of the chat as it was drawn; the nearest one if none is there.
    pub fn spot(&mut self, row: usize, column: usize) -> Option<Spot> {
        let (mut place, last) = self.settle_on(self.width, self.height);
        let mut left = row;
        while place.block < last {
            let rows = self.lay_out(place.block).saturating_sub(place.row);
            if left < rows {
                return Some(Spot { block: place.block, row: place.row + left, column });
            }
            left -= rows;
            place = Place { block: place.block + 1, row: 0 };
        }
        let block = self.end().checked_sub(1).filter(|block| *block >= self.first)?;
        let row = self.lay_out(block).saturating_sub(1);
        Some(Spot { block, row, column: usize::MAX - 1 })
    }

    /// Marks the text between two cells.
    pub fn mark(&mut self, from: Spot, to: Spot) {
        self.stretch = Some(Stretch { from, to });
    }

    /// Marks nothing any more.
    pub fn unmark(&mut self) {
        self.stretch = None;
    }

    /// The text that is marked: the source's lines without frames, and joined again where they were
    /// broken to fit.
    pub fn marked(&mut self) -> Option<String> {
        let stretch = self.stretch?;
        let (first, last) = stretch.ordered();
        let mut out = String::new();
        let mut before = Joint::LineEnd;
        for number in first.block..=last.block.min(self.end().saturating_sub(1)) {
            self.lay_out(number);
            let Some(block) = self.block(number) else { continue };
            for (nth, row) in block.cache.rows.iter().enumerate() {
                let Some(columns) = stretch.columns(number, nth) else { continue };
                let (mut part, joint) = (row.between(&columns), row.line.joint);
                // Where nothing stood between two rows, the blanks at their ends are the source's.
                if joint != Joint::Nothing {
                    part = part.trim_end_matches(' ');
                }
                if before == Joint::Space {
                    part = part.trim_start_matches(' ');
                }
                out.push_str(part);
                match joint {
                    Joint::LineEnd => out.push('\n'),
                    Joint::Space => out.push(' '),
                    Joint::Nothing => {}
                }
                before = joint;
            }
        }
        let text = out.trim_matches('\n').trim_end();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The number of the block that keys have chosen.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Chooses nothing any more.
    pub fn leave(&mut self) {
        self.chosen = None;
        self.stretch = None;
    }

    /// Chooses the last block that is on screen.
    pub fn enter(&mut self) {
        let (_, last) = self.settle_on(self.width, self.height);
        let found = self.nearest(last, false).or_else(|| self.nearest(last, true));
        self.chosen = found;
    }

    /// Chooses the block that a cell belongs to.
    pub fn choose_at(&mut self, spot: Spot) {
        self.chosen = Some(spot.block);
    }

    /// Chooses the next block, or the one before, and shows it.
    pub fn choose(&mut self, forwards: bool) {
        let Some(now) = self.chosen else { return self.enter() };
        let from = if forwards { now + 1 } else { now };
        if let Some(found) = self.nearest(from, forwards) {
            self.chosen = Some(found);
            self.reveal(found, 0);
        } else if forwards {
            self.follow();
        }
    }

    /// Chooses the first or the last block and shows it.
    pub fn choose_end(&mut self, last: bool) {
        if last {
            self.chosen = self.nearest(self.end(), false);
            self.follow();
        } else {
            self.chosen = self.nearest(self.first, true);
            self.scroll_to_start();
        }
    }

    /// The nearest block that can be chosen: from a number on, or before it.
    fn nearest(&self, number: usize, forwards: bool) -> Option<usize> {
        let fits = |&number: &usize| {
            self.block(number).is_some_and(|block| {
                let opens = block.kind().folds() && (block.is_folded() || block.can_fold());
                block.kind().can_be_chosen() || opens
            })
        };
        if forwards {
            (number.max(self.first)..self.end()).find(fits)
        } else {
            (self.first..number.min(self.end())).rev().find(fits)
        }
    }

    /// The last message that was said, by its number.
    pub fn last_reply(&self) -> Option<usize> {
        let is_reply =
            |number: &usize| self.block(*number).is_some_and(|block| block.kind().is_markdown());
        (self.first..self.end()).rev().find(is_reply)
    }
}
