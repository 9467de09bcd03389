//! The token gauge: what the window costs, by layer, and what it would cost without memory.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::llm::Usage;
use crate::memory::MemoryView;
use crate::tui::theme::Theme;

/// Draws the gauge into one to three rows.
pub fn render(
    _view: &MemoryView,
    _measured: Option<Usage>,
    _model_window: Option<u64>,
    _theme: &Theme,
    _area: Rect,
    _buffer: &mut Buffer,
) {
}
