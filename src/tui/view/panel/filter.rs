//! The row that shows the panel's filter.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text;
use crate::tui::panel::PanelState;
use crate::tui::theme::Theme;

/// Draws the filter into the last row, if there is one, and returns what is left of the area.
pub(super) fn render(state: &PanelState, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let filter = &state.filter;
    if !filter.is_set() || area.height <= 3 {
        return area;
    }
    let hint = if filter.is_writing() { &state.hints.writing } else { &state.hints.standing };
    let (row, width) = (area.bottom() - 1, usize::from(area.width));
    let line = format!("/{}", filter.shown(width.saturating_sub(1)));
    buffer.set_stringn(area.x, row, &line, width, theme.accent);
    let used = text::width(&line) + 2;
    if used + text::width(hint) <= width {
        buffer.set_stringn(area.x + used as u16, row, hint, width - used, theme.dim);
    }
    Rect { height: area.height - 1, ..area }
}
