//! A box over the chat: where it stands, and its frame.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Clear, Widget};

use crate::tui::theme::Theme;

/// The fewest columns at each side of a box: a narrower strip of the chat would hold torn words only.
const SIDE: u16 = 20;

/// Rows above and below a box that does not fill the screen's width.
const ABOVE: u16 = 2;

/// A box of so many columns in the middle of the screen; over all of it where little would be left beside it.
pub fn place(screen: Rect, widest: u16) -> Rect {
    if screen.width < widest + 2 * SIDE || screen.height <= 4 * ABOVE {
        return screen;
    }
    Rect {
        x: screen.x + (screen.width - widest) / 2,
        y: screen.y + ABOVE,
        width: widest,
        height: screen.height - 2 * ABOVE,
    }
}

/// Draws an empty box with a title and, below, what the keys do; returns the room in it.
pub fn frame<'a>(
    title: impl Into<Line<'a>>,
    keys: impl Into<Line<'a>>,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) -> Rect {
    // All of its rows: beside it only halves of words would be left.
    let rows = Rect { x: buffer.area.x, width: buffer.area.width, ..area };
    Clear.render(rows, buffer);
    let block = Block::bordered().border_style(theme.border_focused);
    let inside = block.inner(area);
    block.title(title).title_bottom(keys).render(area, buffer);
    Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }
}
