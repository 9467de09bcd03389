//! How far the conversation is scrolled.

use super::Transcript;

/// A row: the number of a block and a row within it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) block: usize,
    pub(super) row: usize,
}

impl Transcript {
    /// What arrived below while scrolled up: `None` while following, else the number of new blocks.
    pub fn new_below(&self) -> Option<usize> {
        self.top.map(|_| self.shown_end().saturating_sub(self.seen))
    }

    /// Scrolls back by rows and stops following.
    pub fn scroll_up(&mut self, rows: usize) {
        let mut place = self.first_place();
        let start = place;
        let mut left = rows;
        while left > place.row && place.block > self.first {
            left -= place.row;
            place.block -= 1;
            place.row = self.lay_out(place.block);
        }
        place.row = place.row.saturating_sub(left);
        if place != start {
            self.stop_following(place);
        }
    }

    /// Scrolls on by rows; at the end it follows again.
    pub fn scroll_down(&mut self, rows: usize) {
        let Some(mut place) = self.top else { return };
        place.row += rows;
        while place.block < self.shown_end() {
            let height = self.lay_out(place.block);
            if place.row < height {
                break;
            }
            place.row -= height;
            place.block += 1;
        }
        self.top = Some(place);
        self.settle_at_end(place);
    }

    /// Scrolls back by a screen.
    pub fn page_up(&mut self) {
        self.scroll_up(self.height.saturating_sub(1).max(1));
    }

    /// Scrolls on by a screen.
    pub fn page_down(&mut self) {
        self.scroll_down(self.height.saturating_sub(1).max(1));
    }

    /// To the beginning.
    pub fn scroll_to_start(&mut self) {
        let start = Place { block: self.first, row: 0 };
        if self.first_place() != start {
            self.stop_following(start);
        }
    }

    /// To the end, and follows again.
    pub fn follow(&mut self) {
        self.top = None;
    }

    /// Scrolls, if need be, so that a row of a block is on screen.
    pub(super) fn reveal(&mut self, block: usize, row: usize) {
        let (top, _) = self.settle_on(self.width, self.height);
        let above = (block, row) < (top.block, top.row);
        if above || !self.reaches(top, block, row) {
            self.stop_following(Place { block, row });
            self.scroll_up(self.height / 3);
            if let Some(top) = self.top {
                self.settle_at_end(top);
            }
        }
    }

    /// Whether a screen that begins at `top` reaches down to a row.
    fn reaches(&mut self, top: Place, block: usize, row: usize) -> bool {
        let mut rows = 0;
        for number in top.block..block {
            rows += self.lay_out(number);
            if rows > top.row + self.height {
                return false;
            }
        }
        rows + row < top.row + self.height
    }

    /// Whether a block is, or was just, on screen.
    pub(super) fn is_on_screen(&self, block: usize) -> bool {
        match self.top {
            Some(top) => (top.block..=top.block + self.height).contains(&block),
            None => block + self.height >= self.shown_end(),
        }
    }

    /// Takes over a size and returns the first row on screen and the number behind the last block.
    pub(super) fn settle_on(&mut self, width: usize, height: usize) -> (Place, usize) {
        self.resize(width, height);
        let mut place = self.first_place();
        self.settle_at_end(place);
        if self.top.is_none() {
            place = self.last_screen();
        }
        let mut room = height;
        let mut last = place.block;
        let mut skip = place.row;
        while room > 0 && last < self.shown_end() {
            room = room.saturating_sub(self.lay_out(last).saturating_sub(skip));
            skip = 0;
            last += 1;
        }
        (place, last)
    }

    fn stop_following(&mut self, place: Place) {
        if self.top.is_none() {
            self.seen = self.shown_end();
        }
        self.top = Some(place);
    }

    /// Keeps the place in the conversation when the width changes.
    fn resize(&mut self, width: usize, height: usize) {
        self.height = height;
        if self.width == width {
            return;
        }
        let before = self.top.map_or(0, |place| self.lay_out(place.block)).max(1);
        self.width = width;
        if let Some(place) = self.top {
            let row = place.row * self.lay_out(place.block) / before;
            self.top = Some(Place { row, ..place });
        }
    }

    fn first_place(&mut self) -> Place {
        self.top.unwrap_or_else(|| self.last_screen())
    }

    /// Where the screen begins that ends with the last row.
    fn last_screen(&mut self) -> Place {
        let mut rows = 0;
        for block in (self.first..self.shown_end()).rev() {
            rows += self.lay_out(block);
            if rows >= self.height {
                return Place { block, row: rows - self.height };
            }
        }
        Place { block: self.first, row: 0 }
    }

    /// Follows again when nothing is left below a screen that begins at `place`.
    fn settle_at_end(&mut self, place: Place) {
        if self.top.is_none() {
            return;
        }
        let mut rows = 0;
        for block in place.block..self.shown_end() {
            rows += self.lay_out(block);
            if rows > place.row + self.height {
                return;
            }
        }
        self.top = None;
    }
}
