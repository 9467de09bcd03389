//! Where a box stands over the chat.

use ratatui::layout::Rect;

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
