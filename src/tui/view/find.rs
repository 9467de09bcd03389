//! The line that words to be found are written in.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::text;
use crate::tui::app::{App, Finding};

/// What is said while a reply is written.
const UNSEARCHED: &str = "· not in the reply under way ";

/// From so many columns on there is room for that.
const WIDE: usize = 60;

/// Draws the line over the last row of the chat; returns where the cursor stands.
pub fn render(finding: &Finding, app: &App, chat: Rect, buffer: &mut Buffer) -> Position {
    let row = Rect { y: chat.bottom().saturating_sub(1), height: 1, ..chat };
    let width = usize::from(row.width);
    let count = match app.transcript.found() {
        None => String::new(),
        Some((0, _)) if app.is_searching() => " searching … ".to_owned(),
        Some((0, _)) => " nothing found ".to_owned(),
        Some((at, all)) if app.is_searching() => format!(" {at}/{all}+ "),
        Some((at, all)) => format!(" {at}/{all} "),
    };
    let label = " Find: ";
    let unsearched = app.transcript.leaves_unsearched() && width >= WIDE;
    let count = if unsearched { format!("{count}{UNSEARCHED}") } else { count };
    let room = width.saturating_sub(text::width(label) + text::width(&count) + 1);
    let (query, column) = finding.line().view(room);
    let used = text::width(label) + column;
    let line = format!("{label}{}{count}", text::pad(query, room + 1));
    // What it covers may have colours of its own.
    let style = Style::reset().patch(app.theme.selection);
    buffer.set_stringn(row.x, row.y, text::pad(&line, width), width, style);
    let x = row.x + (used as u16).min(row.width.saturating_sub(1));
    Position::new(x, row.y)
}
