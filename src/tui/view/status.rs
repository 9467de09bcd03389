//! The status line: session, model, turn, state.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::memory::Turn;
use crate::tui::theme::Theme;

/// What the status line says.
#[derive(Debug, Clone, Copy)]
pub struct StatusLine<'a> {
    /// The session's name.
    pub session: &'a str,
    /// The model's name as sent.
    pub model: &'a str,
    /// Whether the model is no language model.
    pub offline: bool,
    /// The last counted turn.
    pub turn: Turn,
    /// What the program is doing: `ready`, `waiting 3 s`, `retrying in 12 s`.
    pub state: &'a str,
}

impl StatusLine<'_> {
    /// Draws the line into the first row of the area.
    pub fn render(&self, _theme: &Theme, _area: Rect, _buffer: &mut Buffer) {}
}
