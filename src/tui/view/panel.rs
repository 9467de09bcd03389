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

impl PanelState {
    /// Moves the selection down by so many items, or up if negative; stops at both ends.
    pub fn move_by(&mut self, steps: isize, view: &MemoryView) {
        let last = items(view).count().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(steps).min(last);
    }
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
}
