//! The memory panel.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Widget};

use crate::memory::MemoryView;
use crate::tui::theme::Theme;

/// Where the panel is scrolled to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PanelState {
    /// The first row shown.
    pub scroll: usize,
    /// The chosen row.
    pub selected: usize,
}

/// Draws memory as it is now.
pub fn render(
    view: &MemoryView,
    state: &mut PanelState,
    focused: bool,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let border = if focused { theme.border_focused } else { theme.border };
    let title = format!(" Memory · turn {} · {} ", view.turn, state.selected);
    Block::bordered().border_style(border).title(title).render(area, buffer);
}
