//! The status line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::memory::Turn;
use crate::tui::theme::Theme;

/// What the status line says.
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
