//! The message line and the hints on its border.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};

use crate::tui::app::{App, Focus};
use crate::tui::input::InputLine;
use crate::tui::keymap::Scope;
use crate::tui::text;
use crate::tui::theme::Theme;

/// Most rows of text; longer messages scroll inside.
const MOST_ROWS: u16 = 8;

/// Rows that it needs, border included.
pub fn height(app: &App, screen: Rect) -> u16 {
    let width = usize::from(screen.width.saturating_sub(4).max(1));
    let most = MOST_ROWS.min(screen.height / 3).max(1);
    rows(&app.input, width, usize::from(most)) as u16 + 2
}

/// Rows of the text at that width, counted no further than `most`.
fn rows(input: &InputLine, width: usize, most: usize) -> usize {
    let mut rows = 0;
    for line in input.area().lines() {
        let long = line.len() > width * most * 4;
        if long {
            return most;
        }
        // A line that fills its last row leaves the cursor on the next one.
        let full = !line.is_empty() && text::width(line).is_multiple_of(width);
        rows += text::wrap(line, width).len() + usize::from(full);
        if rows >= most {
            return most;
        }
    }
    rows
}

/// Draws it; returns where the cursor stands, if the message line has the keys.
pub fn render(app: &App, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let theme = &app.theme;
    let focused = app.focus == Focus::Input && app.overlay.is_none() && app.dialog.is_none();
    let border = if focused { theme.border_focused } else { theme.border };
    let title = if app.demo.is_some() { " Demo " } else { " Message " };
    let block = Block::bordered()
        .border_style(border)
        .title(Line::styled(title, theme.text))
        .title_bottom(hints(app, theme, area.width));
    let inside = block.inner(area);
    block.render(area, buffer);
    let inner = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    app.input.area().render(inner, buffer);
    if app.input.is_empty() && app.demo.is_none() {
        let ask = "Write a message, or / for commands";
        buffer.set_stringn(inner.x, inner.y, ask, usize::from(inner.width), theme.dim);
    }
    focused.then(|| cursor(&app.input, inner))
}

fn cursor(input: &InputLine, inner: Rect) -> Position {
    let place = input.area().screen_cursor();
    let (top, left) = input.area().scroll_offset();
    let x = (place.col as u16).saturating_sub(left).min(inner.width.saturating_sub(1));
    let y = (place.row as u16).saturating_sub(top).min(inner.height.saturating_sub(1));
    Position::new(inner.x + x, inner.y + y)
}

/// As many hints as fit, from the table of keys.
fn hints(app: &App, theme: &Theme, width: u16) -> Line<'static> {
    let mut spans = Vec::new();
    let mut left = usize::from(width).saturating_sub(4);
    let item = if app.scope() == Scope::Panel { app.panel_hints() } else { Vec::new() };
    for (key, what) in item.into_iter().chain(app.keymap.hints(app.scope())) {
        let needed = text::width(key) + text::width(what) + 3;
        if needed > left {
            break;
        }
        left -= needed;
        spans.push(Span::styled(format!(" {key}"), theme.accent));
        spans.push(Span::styled(format!(" {what} "), theme.dim));
    }
    Line::from(spans)
}
