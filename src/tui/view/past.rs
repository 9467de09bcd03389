//! What stands in the place of the message line while a turn of the past is shown: nothing can be sent
//! from there.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::Places;
use crate::tui::app::Past;
use crate::tui::keymap::Keymap;
use crate::tui::text::{self, grouped};
use crate::tui::theme::Theme;

/// What the keys do.
const KEYS: &str = " {past.cancel} now · {past.earlier}/{past.later} turn · {past.page_up}/{past.page_down} ten · \
                    {past.inspect} window · {global.journal} journal ";

/// Draws which turn is shown, where it stands in the session, and the keys.
pub fn render(past: &Past, keymap: &Keymap, theme: &Theme, places: &Places, buffer: &mut Buffer) {
    let area = places.input;
    let width = usize::from(area.width.saturating_sub(2));
    let keys = places.keys(keymap, KEYS);
    let block = Block::bordered()
        .border_style(theme.warning)
        .title(Line::styled(text::fit(&format!(" {} ", past.title()), width), theme.warning))
        .title_bottom(Line::styled(text::fit(&keys, width), theme.dim));
    let inside = block.inner(area);
    Clear.render(area, buffer);
    block.render(area, buffer);
    let inner = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    if inner.is_empty() {
        return;
    }
    buffer.set_line(inner.x, inner.y, &bar(past, theme, usize::from(inner.width)), inner.width);
}

/// The session as a line with the turn's place on it.
fn bar(past: &Past, theme: &Theme, width: usize) -> Line<'static> {
    let Some((first, last)) = past.span() else {
        return Line::styled("reading the journal …", theme.dim);
    };
    let (left, right) = (grouped(first.0), grouped(last.0));
    let room = width.saturating_sub(text::width(&left) + text::width(&right) + 2).max(1);
    let turns = last.0.saturating_sub(first.0).max(1);
    let done = past.turn().0.saturating_sub(first.0);
    let at = (done as usize * (room - 1)) / turns as usize;
    let at = at.min(room - 1);
    Line::from(vec![
        Span::styled(format!("{left} "), theme.dim),
        Span::styled("━".repeat(at), theme.accent),
        Span::styled("●", theme.accent),
        Span::styled("─".repeat(room - 1 - at), theme.border),
        Span::styled(format!(" {right}"), theme.dim),
    ])
}
