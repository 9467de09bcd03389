//! The memory panel: the three tiers, item by item.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::memory::{ItemView, MemoryView};
use crate::tui::theme::Theme;

/// Where the panel stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PanelState {
    /// The selected item, an index into [`items`]; kept inside the list by [`render`].
    pub selected: usize,
    /// The first row shown.
    pub offset: usize,
}

/// Everything that can be selected, in the order shown.
pub fn items(view: &MemoryView) -> impl Iterator<Item = &ItemView> {
    view.open.iter().chain(&view.expanded).chain(&view.warm).chain(&view.manifest.recent)
}

/// Draws the panel.
pub fn render(
    _view: &MemoryView,
    _state: &mut PanelState,
    _focused: bool,
    _theme: &Theme,
    _area: Rect,
    _buffer: &mut Buffer,
) {
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
