//! Help and the window inspector, in a box over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use super::over;
use crate::tui::keymap::Keymap;
use crate::tui::overlay::{LineStyle, Overlay};
use crate::tui::theme::Theme;

/// Widest box; wider text is hard to read.
const WIDEST: u16 = 110;

/// Draws the box with what fits of its lines.
pub fn render(
    overlay: &mut Overlay,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) {
    let area = over::place(screen, WIDEST);
    Clear.render(area, buffer);
    let title = format!(" {} ", overlay.title());
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    };
    let keys = keymap.fill(overlay.hints());
    let (lines, above, below) =
        overlay.visible(usize::from(inner.width), usize::from(inner.height));
    let place = match (above, below) {
        (0, 0) => String::new(),
        (_, 0) => "end · ".to_owned(),
        (_, below) => format!("{below} more lines · "),
    };
    Block::bordered()
        .border_style(theme.border_focused)
        .title(title)
        .title_bottom(format!(" {place}{keys} "))
        .render(area, buffer);
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
