//! Draws the app. Decides where things stand; the parts are drawn by the modules below.
//!
//! Nothing here changes what the app knows: `&mut` is for wrapped rows that are kept, scroll
//! positions that are held within their bounds, and where the panel was drawn.

pub mod ascii;
pub mod chat;
pub mod completion;
pub mod dialog;
pub mod find;
pub mod gauge;
pub mod ink;
pub mod input;
pub mod journal;
pub mod over;
pub mod overlay;
pub mod palette;
pub mod panel;
pub mod past;
pub mod status;
pub mod waiting;

use std::sync::Arc;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use super::app::{App, Focus, Phase};
use super::text;
use status::StatusLine;

/// The smallest size that the app can be used at.
pub const SMALLEST: (u16, u16) = (40, 12);

/// From this width on the memory panel is shown beside the chat by itself.
const WIDE: u16 = 100;

/// Where everything stands.
struct Places {
    status: Rect,
    chat: Rect,
    panel: Option<Rect>,
    waiting: Rect,
    input: Rect,
    gauge: Rect,
}

/// Draws one frame.
pub fn render(app: &mut App, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.width < SMALLEST.0 || area.height < SMALLEST.1 {
        app.panel_area = None;
        app.chat.area = None;
        too_small(area, frame.buffer_mut());
        return;
    }
    let places = places(app, area);
    app.panel_area = places.panel;
    if places.panel.is_none() && app.focus == Focus::Panel {
        app.focus = Focus::Input;
    }
    app.chat.area = Some(chat::inner(places.chat));
    let buffer = frame.buffer_mut();
    status_line(app).render(&app.theme, places.status, buffer);
    chat::render(&mut app.transcript, &app.keymap, &app.theme, places.chat, buffer);
    if let Some(panel) = places.panel {
        let focused = app.focus == Focus::Panel || app.past.is_some();
        let listed = app.filtered.as_ref().filter(|_| app.past.is_none());
        let listed = Arc::clone(listed.unwrap_or(app.shown_memory()));
        panel::render(&listed, &mut app.panel, focused, &app.theme, panel, buffer);
    }
    waiting::render(app, places.waiting, buffer);
    let cursor = match &app.past {
        Some(past) => {
            past::render(past, &app.keymap, &app.theme, places.input, buffer);
            None
        }
        None => input::render(app, places.input, buffer),
    };
    let cursor = find::render(app, places.chat, buffer).or(cursor);
    let window = app.session.as_ref().and_then(|session| session.model.context_window);
    gauge::render(
        app.shown_memory(),
        app.shown_request(),
        window,
        &app.theme,
        places.gauge,
        buffer,
    );
    let above = Rect { height: places.input.y - places.status.bottom(), ..places.input };
    completion::render(
        &app.completion,
        &app.keymap,
        &app.theme,
        Rect { y: places.status.bottom(), ..above },
        buffer,
    );
    if let Some(journal) = &mut app.journal {
        journal::render(journal, &app.keymap, &app.theme, area, buffer);
    }
    if let Some(overlay) = &mut app.overlay {
        overlay::render(overlay, &app.keymap, &app.theme, area, buffer);
    }
    let mut cursor = cursor.filter(|_| app.overlay.is_none() && app.journal.is_none());
    if let Some(dialog) = app.dialog.as_mut().filter(|_| app.overlay.is_none()) {
        cursor = dialog::render(dialog, &app.keymap, &app.theme, area, buffer);
    }
    if let Some(palette) = &app.palette {
        cursor = Some(palette::render(palette, &app.keymap, &app.theme, area, buffer));
    }
    if app.look.ascii {
        ascii::simplify(buffer);
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

fn places(app: &App, area: Rect) -> Places {
    let input = input::height(app, area);
    let waiting = waiting::height(app);
    let [status, main, waiting, input, gauge] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(waiting),
        Constraint::Length(input),
        Constraint::Length(2),
    ])
    .areas(area);
    let (chat, panel) = columns(app, main);
    Places { status, chat, panel, waiting, input, gauge }
}

/// The chat, and the panel beside it if it is wanted. On a narrow screen it takes half.
fn columns(app: &App, main: Rect) -> (Rect, Option<Rect>) {
    // The past is told by the panel, so it is there on a narrow screen as well.
    let usual = main.width >= WIDE || app.past.is_some();
    if !app.panel_wanted.unwrap_or(usual) {
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
        (Some(demo), ..) if app.past.is_none() => demo,
        _ if app.past.is_some() => "as it was",
        _ if app.phase == Phase::Idle && app.compressing.is_some() => "compressing",
        _ => app.phase.word(),
    };
    StatusLine {
        session: session.map_or("...", |session| &session.name),
        model: session.map_or("...", |session| &session.model.name),
        offline: session.is_some_and(|session| session.model.offline),
        turn: app.shown_memory().turn,
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
