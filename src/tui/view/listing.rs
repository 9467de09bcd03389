//! Help, the window inspector and one item in full, in a box over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::frame::{frame, place};
use crate::tui::app::{LineStyle, Listing};
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

/// Widest box; wider text is hard to read.
const WIDEST: u16 = 110;

/// Draws the box with what fits of its lines.
pub fn render(
    listing: &mut Listing,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) {
    let area = place(screen, WIDEST);
    let keys = keymap.fill(listing.hints());
    let (width, height) = (area.width.saturating_sub(4), area.height.saturating_sub(2));
    let title = format!(" {} ", listing.title(width.into()));
    let (lines, above, below) = listing.visible(usize::from(width), usize::from(height));
    let place = match (above, below) {
        (0, 0) => String::new(),
        (_, 0) => "end · ".to_owned(),
        (_, below) => format!("{below} more lines · "),
    };
    let inner = frame(title, format!(" {place}{keys} "), theme, area, buffer);
    for ((style, line), row) in lines.iter().zip(inner.rows()) {
        let style = match style {
            LineStyle::Heading => theme.strong,
            LineStyle::Plain => theme.text,
            LineStyle::Dim => theme.dim,
            LineStyle::New => theme.accent,
            LineStyle::Gone => theme.warning,
        };
        buffer.set_stringn(row.x, row.y, line, usize::from(row.width), style);
    }
}
