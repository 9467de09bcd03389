//! Writes the cells that have changed, so that nothing of what a row showed before stays.
//!
//! Terminals disagree on how many columns some clusters take: sequences of emoji, flags, vowel signs of Hindi or Thai.
//! Where a row holds one, or held one, what has changed alone would leave residue: the row is cleared and painted whole,
//! and the cursor is set behind each such cluster. All other rows are written as ever.

use std::io::{self, Write};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType, DisableLineWrap, EnableLineWrap};
use ratatui::backend::{self, Backend, CrosstermBackend, WindowSize};
use ratatui::buffer::{Cell, CellWidth};
use ratatui::layout::{Position, Size};

/// Marks that every terminal puts over the letter before them.
const AGREED_MARKS: std::ops::RangeInclusive<char> = '\u{300}'..='\u{36f}';

/// Emoji, of which each version of Unicode brings new ones: an older terminal takes them for narrow.
const EMOJI: std::ops::RangeInclusive<char> = '\u{1f000}'..='\u{1faff}';

/// A terminal, and what it was told to show.
#[derive(Debug)]
pub(super) struct Painter<W: Write> {
    out: CrosstermBackend<W>,
    rows: Vec<Row>,
    /// Columns of the screen when they were asked for last.
    width: std::cell::Cell<u16>,
}

/// A row as it was painted last.
#[derive(Debug, Clone, Default)]
struct Row {
    cells: Vec<Cell>,
    /// Whether it holds a cluster of which terminals disagree.
    is_odd: bool,
    /// Whether it is to be painted whole.
    is_due: bool,
}

impl<W: Write> Painter<W> {
    pub(super) fn new(out: W) -> Self {
        let width = std::cell::Cell::default();
        Self { out: CrosstermBackend::new(out), rows: Vec::new(), width }
    }

    /// The screen was cleared.
    pub(super) fn forget(&mut self) {
        self.rows.clear();
    }

    fn take(&mut self, (x, y, cell): (u16, u16, &Cell)) {
        let (x, y) = (usize::from(x), usize::from(y));
        if self.rows.len() <= y {
            self.rows.resize(y + 1, Row::default());
        }
        self.rows[y].take(x, cell);
    }
}

impl Row {
    fn take(&mut self, x: usize, cell: &Cell) {
        let end = x + columns(cell);
        if self.cells.len() < end {
            self.cells.resize(end, Cell::EMPTY);
        }
        self.is_due |= self.is_odd || is_odd(cell.symbol());
        self.cells[x] = cell.clone();
        self.cells[x + 1..end].fill(ground(cell));
    }

    /// Paints the row from its first column to the edge of the screen: what a cluster covered beyond its own columns is
    /// painted over.
    fn paint<W: Write>(&mut self, y: u16, out: &mut CrosstermBackend<W>) -> io::Result<()> {
        queue!(out, MoveTo(0, y), Clear(ClearType::UntilNewLine))?;
        let mut piece = Vec::with_capacity(self.cells.len());
        let (mut x, mut any_odd) = (0, false);
        while let Some(cell) = self.cells.get(x) {
            let end = x + columns(cell);
            let odd = is_odd(cell.symbol());
            if odd {
                // A terminal that takes the cluster for narrow shows its ground behind it.
                piece.extend((x + 1..end).map(|x| (x as u16, y, ground(cell))));
            }
            piece.push((x as u16, y, cell.clone()));
            if odd {
                // Each piece begins with setting the cursor.
                write_out(out, &piece)?;
                piece.clear();
                any_odd = true;
            }
            x = end;
        }
        (self.is_odd, self.is_due) = (any_odd, false);
        write_out(out, &piece)
    }
}

fn write_out<W: Write>(
    out: &mut CrosstermBackend<W>,
    piece: &[(u16, u16, Cell)],
) -> io::Result<()> {
    if piece.is_empty() {
        return Ok(());
    }
    out.draw(piece.iter().map(|(x, y, cell)| (*x, *y, cell)))
}

fn columns(cell: &Cell) -> usize {
    usize::from(cell.cell_width()).max(1)
}

/// What a cell shows beside its letters.
fn ground(cell: &Cell) -> Cell {
    let mut ground = cell.clone();
    ground.set_symbol(" ");
    ground
}

/// Whether terminals disagree on the columns of a cluster.
fn is_odd(symbol: &str) -> bool {
    let mut letters = symbol.chars();
    match letters.next() {
        None | Some(..'\u{300}') if symbol.len() <= 2 => false,
        first => {
            first.is_some_and(|first| EMOJI.contains(&first))
                || letters.any(|letter| !AGREED_MARKS.contains(&letter))
        }
    }
}

impl<W: Write> Backend for Painter<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let changed: Vec<_> = content.inspect(|one| self.take(*one)).collect();
        let Self { out, rows, width } = self;
        out.draw(changed.into_iter().filter(|(_, y, _)| !rows[usize::from(*y)].is_due))?;
        let mut due = rows.iter_mut().enumerate().filter(|(_, row)| row.is_due).peekable();
        if due.peek().is_none() {
            return Ok(());
        }
        // A cluster at the edge that the terminal takes for wider must not reach into the next row.
        queue!(out, DisableLineWrap)?;
        for (y, row) in due {
            row.cells.resize(row.cells.len().max(width.get().into()), Cell::EMPTY);
            row.paint(y as u16, out)?;
        }
        queue!(out, EnableLineWrap)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.out.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.out.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.out.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.out.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.forget();
        self.out.clear()
    }

    fn clear_region(&mut self, region: backend::ClearType) -> io::Result<()> {
        self.forget();
        self.out.clear_region(region)
    }

    fn size(&self) -> io::Result<Size> {
        let size = self.out.size()?;
        self.width.set(size.width);
        Ok(size)
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.out.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.out)
    }
}

#[cfg(test)]
mod tests;
