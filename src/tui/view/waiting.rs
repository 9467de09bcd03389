//! What is under way and what waits behind it, between the chat and the message line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::text;
use crate::tui::app::{App, Focus};
use crate::tui::keymap::{KeyAction, Scope};

/// Queued entries that are listed; the rest is counted.
const LISTED: usize = 3;

const SPINNER: [&str; 10] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/// Entries that are listed while the queue has the keys.
const LISTED_CHOOSING: usize = 8;

/// Rows of a passing hint at most.
const HINT: usize = 3;

/// Rows that it needs now on a screen of so many columns.
pub fn height(app: &App, width: u16) -> u16 {
    let listed = listed(app, usize::MAX);
    let queued = if app.queue.len() > listed { listed + 1 } else { app.queue.len() };
    (queued + said(app, room(width), HINT).len()) as u16
}

/// Columns of its text.
fn room(width: u16) -> usize {
    usize::from(width.saturating_sub(2))
}

/// What is said below the queue, in so many rows at most: a passing hint, else what is awaited, else whose the mouse is.
fn said(app: &App, room: usize, rows: usize) -> Vec<(String, Style)> {
    let theme = &app.theme;
    if let Some((hint, _)) = &app.hint {
        let hint = text::one_line(hint);
        let mut lines = text::wrap(&hint, room.max(1));
        if lines.len() > rows.max(1) {
            lines.truncate(rows.max(1));
            let last = lines.pop().unwrap_or_default();
            lines.push(format!("{} …", text::fit(&last, room.saturating_sub(2))));
        }
        return lines.into_iter().map(|line| (line, theme.accent)).collect();
    }
    if let Some(sentence) = sentence(app) {
        let frame = if app.look.animations { app.now.as_millis() / 100 % 10 } else { 0 };
        let spinner = SPINNER[usize::try_from(frame).unwrap_or(0)];
        return vec![(format!("{spinner} {sentence}"), theme.accent)];
    }
    if app.chat.mouse_given {
        let key = app.keymap.label(Scope::Global, KeyAction::Mouse);
        return vec![(format!("the mouse is the terminal's · {key} takes it back"), theme.dim)];
    }
    Vec::new()
}

/// How many of the queue are listed in so many rows; the others are counted in one of them. While the queue has the keys
/// at least the chosen one is.
fn listed(app: &App, rows: usize) -> usize {
    let is_choosing = app.focus == Focus::Queue;
    let most = if is_choosing { LISTED_CHOOSING } else { LISTED };
    let all = app.queue.len();
    if all <= most.min(rows) {
        return all;
    }
    most.min(rows.saturating_sub(1).max(usize::from(is_choosing)))
}

/// What waits, in so many rows, the next one first; the chosen one is always among them.
fn queue_lines(app: &App, rows: usize, room: usize) -> Vec<(String, Style)> {
    let listed = listed(app, rows);
    let chosen = (app.focus == Focus::Queue).then(|| app.queue.chosen());
    let first = chosen.map_or(0, |chosen| (chosen + 1).saturating_sub(listed));
    let mut lines = Vec::new();
    for (nth, queued) in app.queue.iter().enumerate().skip(first).take(listed) {
        let beginning: String = queued.text().chars().take(room).collect();
        let state = if app.queue_held { "not sent" } else { "next" };
        let mark = if chosen == Some(nth) { "› " } else { "" };
        let style = if chosen == Some(nth) { app.theme.selection } else { app.theme.dim };
        lines.push((format!("{mark}{state}: {}", text::one_line(&beginning)), style));
    }
    let rest = app.queue.len() - lines.len();
    if rest > 0 && lines.is_empty() {
        lines.push((format!("{rest} waiting"), app.theme.dim));
    } else if rest > 0 {
        lines.push((format!("and {rest} more waiting"), app.theme.dim));
    }
    lines.truncate(rows);
    lines
}

/// What is awaited: the turn's answer, else a compression beside the chat.
fn sentence(app: &App) -> Option<String> {
    let turn = app.phase.sentence(app.now, app.model_name());
    let awaited = turn.or_else(|| app.compressing.clone())?;
    let stops = if app.escape_stops() { " · {input.cancel} stops" } else { "" };
    Some(app.keymap.fill(&format!("{awaited}{stops}")))
}

/// Draws the queue and, below it, what is awaited or a passing hint.
pub fn render(app: &App, area: Rect, buffer: &mut Buffer) {
    let room = room(area.width);
    // A row of the queue, if there is one, goes before the end of a hint.
    let rows = usize::from(area.height).saturating_sub(usize::from(!app.queue.is_empty()));
    let said = said(app, room, rows.min(HINT));
    let rows = usize::from(area.height).saturating_sub(said.len());
    let mut lines = queue_lines(app, rows, room);
    lines.extend(said);
    for ((line, style), row) in lines.iter().zip(area.rows()) {
        let line = text::fit(&text::one_line(line), room);
        buffer.set_stringn(row.x + 1, row.y, line, room, *style);
    }
}
