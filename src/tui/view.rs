//! Draws the app. Decides where things stand; the parts are drawn by the modules below.
//!
//! Nothing here decides anything: `&mut` is for wrapped rows that are kept, rows of a page, scroll positions
//! that are held within their bounds, and where chat and panel were drawn.

pub mod ascii;
pub mod bill;
pub mod chat;
pub mod completion;
pub mod dialog;
pub mod find;
pub mod frame;
pub mod gauge;
pub mod ink;
pub mod input;
pub mod journal;
pub mod listing;
pub mod palette;
pub mod panel;
pub mod past;
pub mod status;
pub mod waiting;

use std::sync::Arc;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};

use super::app::{App, Focus, Layer, Phase};
use super::keymap::Keymap;
use super::text;
use status::StatusLine;

/// The smallest size that the app can be used at.
pub const SMALLEST: (u16, u16) = (40, 12);

/// From this width on the memory panel is shown beside the chat by itself.
const WIDE: u16 = 100;

/// Where everything stands.
#[derive(Debug)]
pub struct Places {
    /// All of the screen.
    pub(super) screen: Rect,
    status: Rect,
    /// The conversation.
    pub(super) chat: Rect,
    panel: Option<Rect>,
    waiting: Rect,
    /// The message line.
    pub(super) input: Rect,
    gauge: Rect,
    /// Whether nothing lies over what is drawn: only then does it name its keys.
    on_top: bool,
}

impl Places {
    /// What the keys do, with the keys in force.
    fn keys(&self, keymap: &Keymap, keys: &str) -> String {
        if self.on_top { keymap.fill(keys) } else { String::new() }
    }
}

/// Draws one frame: the chat, then what lies over it from below to above. The cursor is the top one's.
pub fn render(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        app.panel_area = None;
        app.chat.area = None;
        too_small(area, frame.buffer_mut());
        return;
    }
    let mut places = places(app, area);
    app.panel_area = places.panel;
    app.chat.area = Some(chat::inner(places.chat));
    let buffer = frame.buffer_mut();
    let mut cursor = render_chat(app, &places, buffer);
    let mut stack = std::mem::take(&mut app.stack);
    let top = stack.top().map(Layer::level);
    for layer in stack.iter_mut() {
        places.on_top = Some(layer.level()) == top;
        cursor = layer.render(app, &places, buffer);
    }
    app.stack = stack;
    if app.look.ascii {
        ascii::simplify(buffer);
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

/// Draws what lies below everything; returns where the cursor stands.
fn render_chat(app: &mut App, places: &Places, buffer: &mut Buffer) -> Option<Position> {
    status_line(app).render(&app.theme, places.status, buffer);
    chat::render(&mut app.transcript, &app.keymap, &app.theme, places.chat, buffer);
    if let Some(panel) = places.panel {
        let is_past = app.past().is_some();
        let listed = app.filtered.as_ref().filter(|_| !is_past);
        let listed = Arc::clone(listed.unwrap_or(app.shown_memory()));
        let focused = app.focus == Focus::Panel || is_past;
        panel::render(&listed, &mut app.panel, focused, &app.theme, panel, buffer);
    }
    waiting::render(app, places.waiting, buffer);
    let cursor = input::render(app, places.input, buffer);
    let window = app.session.as_ref().and_then(|session| session.model.context_window);
    let (memory, request) = (app.shown_memory(), app.shown_request());
    gauge::render(memory, request, window, &app.theme, places.gauge, buffer);
    let (top, bottom) = (places.status.bottom(), places.input.y);
    let above = Rect { y: top, height: bottom - top, ..places.input };
    completion::render(&app.completion, &app.keymap, &app.theme, above, buffer);
    cursor
}

fn places(app: &App, screen: Rect) -> Places {
    let input = input::height(app, screen);
    let waiting = waiting::height(app);
    let [status, main, waiting, input, gauge] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(waiting),
        Constraint::Length(input),
        Constraint::Length(2),
    ])
    .areas(screen);
    let (chat, panel) = columns(app, main);
    Places { screen, status, chat, panel, waiting, input, gauge, on_top: true }
}

/// Whether the panel is on a screen of that width.
pub(super) fn has_panel(app: &App, width: u16) -> bool {
    // The past is told by the panel, so it is there on a narrow screen as well.
    app.panel_wanted.unwrap_or(width >= WIDE || app.past().is_some())
}

/// The chat, and the panel beside it if it is wanted. On a narrow screen it takes half.
fn columns(app: &App, main: Rect) -> (Rect, Option<Rect>) {
    if !has_panel(app, main.width) {
        return (main, None);
    }
    let width = if main.width >= WIDE { (main.width * 2 / 5).min(72) } else { main.width / 2 };
    let [chat, panel] =
        Layout::horizontal([Constraint::Min(20), Constraint::Length(width)]).areas(main);
    (chat, Some(panel))
}

fn status_line(app: &App) -> StatusLine<'_> {
    let session = app.session.as_ref();
    let state = match (&app.demo, app.closing, session) {
        (_, true, _) => "saving",
        (_, _, None) => "opening",
        (Some(demo), ..) if app.past().is_none() => demo,
        _ if app.past().is_some() => "as it was",
        _ if app.phase == Phase::Idle && app.compressing.is_some() => "compressing",
        _ => app.phase.word(),
    };
    StatusLine {
        session: session.map_or("...", |session| &session.name),
        model: session.map_or("...", |session| &session.model.name),
        offline: session.is_some_and(|session| session.model.offline),
        turn: app.shown_turn(),
        state,
    }
}

fn too_small(area: Rect, buffer: &mut Buffer) {
    let message = format!("The terminal is too small: {}x{} is needed.", SMALLEST.0, SMALLEST.1);
    let lines = text::wrap(&message, usize::from(area.width.max(1)));
    for (line, row) in lines.iter().zip(area.rows()) {
        buffer.set_stringn(
            row.x,
            row.y,
            line,
            usize::from(row.width),
            ratatui::style::Style::new(),
        );
    }
}
