//! Draws the app. Decides where things stand; the parts are drawn by the modules below.
//!
//! Nothing here decides anything: `&mut` is for wrapped rows that are kept, rows of a page, scroll positions
//! that are held within their bounds, and where chat and panel were drawn.

pub mod ascii;
pub mod bill;
pub mod caption;
pub mod chat;
pub mod completion;
pub mod dialog;
pub mod find;
pub mod frame;
pub mod gauge;
pub mod ink;
pub mod input;
pub mod journal;
pub mod lately;
pub mod listing;
pub mod palette;
pub mod panel;
pub mod past;
pub mod plot;
pub mod status;
pub mod tide;
pub mod versus;
pub mod waiting;

use std::borrow::Cow;
use std::sync::Arc;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Position, Rect};

use super::app::{App, Focus, Over, Past, Phase, WIDE};
use super::course::{ChartPlace, Point};
use super::keymap::Keymap;
use super::words;
use crate::text;
use status::StatusLine;

/// The smallest size that the app can be used at.
pub const SMALLEST: (u16, u16) = (40, 12);

/// The items are no wider than this: the eye would lose the row between a name and its number. What a wider panel has
/// left tells beside them what memory did lately.
const WIDEST_ITEMS: u16 = 110;

/// From this width on the strip has a chart.
const STRIP_WITH_CHART: u16 = 66;

/// Rows that the conversation keeps whatever else is there.
const LEAST_CHAT: u16 = 3;

/// The last turns whose highest window sets the gauge's scale.
const PEAK: usize = 40;

/// Where everything stands.
#[derive(Debug)]
pub struct Places {
    /// All of the screen.
    pub(super) screen: Rect,
    status: Rect,
    /// The conversation.
    pub(super) chat: Rect,
    panel: Option<Rect>,
    /// Memory in a few rows, where there is no panel.
    strip: Rect,
    caption: Rect,
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
    app.chat.unseen = area.width < SMALLEST.0 || area.height < SMALLEST.1;
    if app.chat.unseen {
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
    if explain(app, &places, buffer) {
        buffer.reset();
        places = self::places(app, area);
        cursor = render_chat(app, &places, buffer);
    }
    let mut stack = std::mem::take(&mut app.stack);
    let top = stack.top().map(Over::level);
    for over in stack.iter_mut() {
        places.on_top = Some(over.level()) == top;
        cursor = render_over(over, app, &places, buffer);
    }
    app.stack = stack;
    if app.look.ascii {
        ascii::simplify(buffer);
    }
    if let Some(cursor) = cursor {
        frame.set_cursor_position(cursor);
    }
}

/// Draws something that lies over what is drawn already; returns where the cursor stands.
fn render_over(
    over: &mut Over,
    app: &App,
    places: &Places,
    buffer: &mut Buffer,
) -> Option<Position> {
    let (keymap, theme, screen) = (&app.keymap, &app.theme, places.screen);
    match over {
        Over::Past(past) => past::render(past, app, places, buffer),
        Over::Find(finding) => return Some(find::render(finding, app, places.chat, buffer)),
        Over::Journal(journal) => journal::render(journal, app, places, buffer),
        Over::Bill(page) => bill::render(page, app, places, buffer),
        Over::Sessions(picker) => return dialog::sessions(picker, keymap, theme, screen, buffer),
        Over::Settings(view) => return dialog::settings(view, keymap, theme, screen, buffer),
        Over::Versus(page) => versus::render(page, app, places, buffer),
        Over::Listing(listing) => listing::render(listing, keymap, theme, screen, buffer),
        Over::Palette(palette) => {
            return Some(palette::render(palette, keymap, theme, screen, buffer));
        }
    }
    None
}

/// Says what the word means that was clicked; whether there is one.
fn explain(app: &mut App, places: &Places, buffer: &Buffer) -> bool {
    let is_word = |place: &Position| {
        buffer.area.contains(*place) && !places.input.union(places.caption).contains(*place)
    };
    let Some(place) = app.asked.take().filter(is_word) else { return false };
    let cells = |columns: std::ops::Range<u16>| {
        columns.map(|x| buffer[(x, place.y)].symbol()).collect::<String>()
    };
    let (before, after) = (cells(buffer.area.x..place.x), cells(place.x..buffer.area.right()));
    let says = words::at(&format!("{before}{after}"), before.len());
    says.map(|says| app.toast(&says)).is_some()
}

/// Draws what lies below everything; returns where the cursor stands.
fn render_chat(app: &mut App, places: &Places, buffer: &mut Buffer) -> Option<Position> {
    status_line(app, &state(app)).render(&app.theme, places.status, buffer);
    chat::render(&mut app.transcript, &app.keymap, &app.theme, places.chat, buffer);
    app.chart.place = ChartPlace::default();
    if let Some(panel) = places.panel {
        render_memory(app, panel, buffer);
    }
    if places.strip.height > 0 {
        render_strip(app, places.strip, buffer);
    }
    caption::render(app, places.caption, buffer);
    waiting::render(app, places.waiting, buffer);
    let cursor = input::render(app, places.input, buffer);
    app.chat.written = input::inside(places.input);
    let window = app.shown_model().and_then(|(_, takes, _)| takes);
    let segments = gauge::Gauge {
        view: app.shown_memory(),
        request: app.shown_request(),
        model_window: window,
        peak: app.chart.course.peak(PEAK),
        flow: app.flow.filter(|_| app.past().is_none()).map(|flow| (flow, app.now)),
        theme: &app.theme,
    }
    .render(places.gauge, buffer);
    app.segments = (places.gauge.y, segments);
    let (top, bottom) = (places.status.bottom(), places.input.y);
    let above = Rect { y: top, height: bottom - top, ..places.input };
    completion::render(&app.completion, &app.keymap, &app.theme, above, buffer);
    cursor
}

/// Draws the tide chart and, below it, the items.
fn render_memory(app: &mut App, area: Rect, buffer: &mut Buffer) {
    let is_past = app.past().is_some();
    let focused = app.focus == Focus::Panel || is_past;
    let [chart, items] =
        Layout::vertical([Constraint::Length(chart_height(area.height)), Constraint::Min(1)])
            .areas(area);
    if chart.height > 0 {
        let chart = panel::beside_rule(focused, &app.theme, chart, buffer);
        app.chart.place = chart_of(app).render(chart, buffer);
    }
    let beside = if items.width > WIDEST_ITEMS { items.width * 2 / 5 } else { 0 };
    let beside = beside.max(items.width.saturating_sub(WIDEST_ITEMS));
    let [items, beside] =
        Layout::horizontal([Constraint::Min(1), Constraint::Length(beside)]).areas(items);
    let listed = app.filtered.as_ref().filter(|_| !is_past);
    let listed = Arc::clone(listed.unwrap_or(app.shown_memory()));
    app.panel.flow = app.flow.filter(|_| !is_past);
    panel::render(&listed, &mut app.panel, focused, &app.theme, items, buffer);
    let until = app.past().and_then(Past::memory).map(|memory| memory.turn);
    if beside.is_empty() {
        let water = app.panel.water;
        lately::render(&app.chart.course, until, &app.theme, water, water, buffer);
    } else {
        lately::waves(&app.theme, app.panel.water, buffer);
        let beside = Rect { x: beside.x + 2, width: beside.width - 2, ..beside };
        // Its heading stands beside that of the items; the row above is another's.
        let told = Rect { y: beside.y - 1, height: beside.height + 1, ..beside };
        lately::render(&app.chart.course, until, &app.theme, told, beside, buffer);
    }
    panel::render_moves(&listed, &app.panel, &app.theme, items, buffer);
}

/// Draws the chart and beside it the items in a few rows.
fn render_strip(app: &mut App, area: Rect, buffer: &mut Buffer) {
    let area = Rect { x: area.x + 1, width: area.width - 2, ..area };
    if area.height == 1 {
        app.chart.place = chart_of(app).render_line(area, buffer);
        return;
    }
    let chart = if area.width >= STRIP_WITH_CHART { area.width * 2 / 5 } else { 0 };
    let [chart, _, items] = Layout::horizontal([
        Constraint::Length(chart),
        Constraint::Length(if chart > 0 { 2 } else { 0 }),
        Constraint::Min(1),
    ])
    .areas(area);
    if chart.width > 0 {
        app.chart.place = chart_of(app).render(chart, buffer);
    }
    panel::render_strip(app.shown_memory(), &app.panel, &app.theme, items, buffer);
}

fn chart_of(app: &App) -> tide::Chart<'_> {
    let chosen = app.past().map(Past::turn);
    let memory = app.past().and_then(Past::memory).filter(|memory| Some(memory.turn) == chosen);
    tide::Chart {
        course: &app.chart.course,
        compactions: &app.chart.compactions,
        chosen,
        then: memory.map(|memory| Point::of(memory, memory.turn)),
        theme: &app.theme,
        ascii: app.look.ascii,
    }
}

/// Rows of the gauge on a screen of so many.
fn gauge_height(rows: u16) -> u16 {
    match rows {
        44.. => 4,
        28.. => 3,
        _ => 2,
    }
}

/// Rows of the chart in a panel of so many: a notice that takes a row of 24 leaves it as it is.
fn chart_height(rows: u16) -> u16 {
    match rows {
        40.. => 11,
        26.. => 9,
        17.. => 6,
        12.. => 3,
        _ => 0,
    }
}

fn places(app: &App, screen: Rect) -> Places {
    let (strip, gauge) = (strip_height(app, screen), gauge_height(screen.height));
    let room = screen.height.saturating_sub(1 + LEAST_CHAT + strip + gauge);
    // A long message leaves a row to what is awaited; the message line keeps one, and the queue gives way.
    let wanted = waiting::height(app, screen.width);
    let most = room.saturating_sub(wanted.min(1)).max(input::LEAST_HEIGHT);
    let input = input::height(app, screen).min(most);
    let waiting = wanted.min(room.saturating_sub(input));
    let room = room.saturating_sub(input + waiting);
    let [status, main, strip, caption, waiting, input, gauge] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(LEAST_CHAT),
        Constraint::Length(strip),
        Constraint::Length(caption::height(app, screen, room)),
        Constraint::Length(waiting),
        Constraint::Length(input),
        Constraint::Length(gauge),
    ])
    .areas(screen);
    let (chat, panel) = columns(app, main);
    Places { screen, status, chat, panel, strip, caption, waiting, input, gauge, on_top: true }
}

/// Rows of the strip: none beside the panel, nor where the chat has no room to spare.
fn strip_height(app: &App, screen: Rect) -> u16 {
    match screen.height {
        _ if screen.width >= WIDE || app.has_panel(screen.width) => 0,
        24.. => 5,
        18.. => 3,
        // A row for the way of the window, unless a caption or an offer needs it more.
        _ => u16::from(!app.chart.course.is_empty() && app.caption.is_none()),
    }
}

/// The chat, and the panel beside it if it is wanted. On a narrow screen it takes half.
fn columns(app: &App, main: Rect) -> (Rect, Option<Rect>) {
    if !app.has_panel(main.width) {
        return (main, None);
    }
    let width = match main.width {
        width @ ..WIDE => width / 2,
        // What the chat does not need for lines of a readable length.
        width => (width * 2 / 5).max(width.saturating_sub(chat::WIDEST + 2)),
    };
    let [chat, panel] =
        Layout::horizontal([Constraint::Min(20), Constraint::Length(width)]).areas(main);
    (chat, Some(panel))
}

/// What the program is doing, in a few words.
fn state(app: &App) -> Cow<'_, str> {
    match (app.demo, app.closing, &app.session) {
        (_, true, _) => "saving".into(),
        (_, _, None) => "opening".into(),
        (Some(demo), ..) if app.past().is_none() => demo.label().into(),
        _ if app.past().is_some() => "as it was".into(),
        _ if app.phase == Phase::Idle && app.compressing.is_some() => "compressing".into(),
        _ => app.phase.word().into(),
    }
}

fn status_line<'a>(app: &'a App, state: &'a str) -> StatusLine<'a> {
    let session = app.session.as_ref();
    let (model, _, offline) = app.shown_model().unwrap_or(("...", None, false));
    StatusLine {
        session: session.map_or("...", |session| &session.name),
        model,
        offline,
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
