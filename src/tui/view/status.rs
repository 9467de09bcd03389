//! The status line: session, model, turn, state.
//! The status line.

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusLine<'a> {
    /// The session's name.
    pub session: &'a str,
    /// The model's name.
    pub model: &'a str,
    /// Whether the built-in model answers.
    pub offline: bool,
    /// The last counted turn.
    pub turn: Turn,
    /// What the program is doing.
    pub state: &'a str,
}

/// Draws the status line, one row high.
pub fn render(line: &StatusLine<'_>, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let offline = if line.offline { " (offline)" } else { "" };
    let text = format!(
        "ebbtide · {} · {}{offline} · turn {} · {}",
        line.session, line.model, line.turn, line.state
    );
    buffer.set_stringn(area.x, area.y, text, area.width as usize, theme.text);
}
