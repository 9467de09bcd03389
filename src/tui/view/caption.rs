//! What a demo asks the viewer to look at, above the message line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::text;
use crate::tui::app::App;

/// Rows that it takes: the chapter and two lines of text.
const ROWS: u16 = 3;

/// From this height on there is room for them; below it the text alone has to do, in as many lines as are left.
const HIGH: u16 = 20;

/// Rows that it needs, on a high screen the same as long as the demo has something to say. `room` is what the rest of
/// the screen leaves.
pub fn height(app: &App, screen: Rect, room: u16) -> u16 {
    match (&app.caption, screen.height) {
        (None, _) => 0,
        (Some(_), HIGH..) => ROWS,
        (Some(caption), _) => {
            let lines = text::wrap(&caption.text, width(screen).max(1)).len();
            (lines as u16).min(ROWS).min(room).max(1)
        }
    }
}

/// Columns of its text.
fn width(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(3))
}

/// Draws it.
pub fn render(app: &App, area: Rect, buffer: &mut Buffer) {
    let Some(caption) = app.caption.as_ref().filter(|_| area.height > 0) else { return };
    let theme = &app.theme;
    let width = width(area);
    let (at, of) = caption.place;
    let mut rows = Vec::new();
    if buffer.area.height >= HIGH {
        let chapter = format!("{at} of {of} · {}", caption.chapter);
        rows.push((text::fit(&text::one_line(&chapter), width), theme.accent));
    }
    let room = usize::from(area.height) - rows.len();
    let wrapped = text::wrap(&caption.text, width.max(1));
    rows.extend(wrapped.into_iter().take(room).map(|line| (line, theme.strong)));
    for ((line, style), row) in rows.into_iter().zip(area.rows()) {
        buffer.set_string(row.x, row.y, "▌", theme.accent);
        buffer.set_stringn(row.x + 2, row.y, line, width, style);
    }
}
