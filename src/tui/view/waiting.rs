//! What is under way and what waits behind it, between the chat and the message line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::tui::app::App;
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::text;

/// Queued entries that are listed; the rest is counted.
const LISTED: usize = 3;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Rows that it needs now.
pub fn height(app: &App) -> u16 {
    let queued = match app.queue.len() {
        many if many > LISTED => LISTED + 1,
        few => few,
    };
    let one_more = app.hint.is_some() || sentence(app).is_some() || app.chat.mouse_given;
    queued as u16 + u16::from(one_more)
}

/// What is awaited: the turn's answer, else a compression beside the chat.
fn sentence(app: &App) -> Option<String> {
    let turn = app.phase.sentence(app.now, app.model_name());
    turn.or_else(|| app.compressing.as_ref().map(|what| format!("{what} · Esc stops")))
}

/// Draws the queue and, below it, what is awaited or a passing hint.
pub fn render(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    let room = usize::from(area.width.saturating_sub(2));
    let mut lines = Vec::new();
    for queued in app.queue.iter().take(LISTED) {
        let beginning: String = queued.text().chars().take(room).collect();
        let first = text::one_line(&beginning);
        let state = if app.queue_held { "not sent" } else { "next" };
        lines.push((format!("{state}: {first}"), theme.dim));
    }
    if app.queue.len() > LISTED {
        lines.push((format!("and {} more waiting", app.queue.len() - LISTED), theme.dim));
    }
    if let Some((hint, _)) = &app.hint {
        lines.push((hint.clone(), theme.accent));
    } else if let Some(sentence) = sentence(app) {
        let frame = if app.look.animations { app.now.as_millis() / 100 % 10 } else { 0 };
        let spinner = SPINNER[usize::try_from(frame).unwrap_or(0)];
        lines.push((format!("{spinner} {sentence}"), theme.accent));
    } else if app.chat.mouse_given {
        let key = app.keymap.label(Scope::Global, KeyAction::Mouse);
        lines.push((format!("the mouse is the terminal's · {key} takes it back"), theme.dim));
    }
    for ((line, style), row) in lines.iter().zip(area.rows()) {
        let line = text::fit(&text::one_line(line), room);
        buffer.set_stringn(row.x + 1, row.y, line, room, *style);
    }
}
