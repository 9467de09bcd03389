//! The list of sessions and the settings, in a box over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::frame::{frame, place};
use crate::config::{Key, SettingRow};
use crate::counted::{grouped, noun};
use crate::orchestrator::FoundSession;
use crate::text::{fit, one_line, pad, width, wrap};
use crate::tui::app::{SessionPicker, SettingsView};
use crate::tui::field::Field;
use crate::tui::keymap::{KeyAction, Keymap, Scope};
use crate::tui::theme::Theme;

/// Widest box; wider rows are hard to follow.
const WIDEST: u16 = 110;

/// Columns of a session's name and of a setting's value.
const NAME: usize = 20;

/// Columns of a session's number.
const NUMBER: usize = 3;

/// What the numbers of the sessions are good for.
const NUMBERED: &str = " · `ebbtide -r NUMBER` opens one from the shell";

/// Below this width a row of sessions has no turns and no date.
const ROOMY: usize = 70;

/// Rows below the settings: a rule, the description, the source, the outcome.
const ABOUT: u16 = 5;

const SESSION_HINTS: &[(KeyAction, &str)] =
    &[(KeyAction::Accept, "opens"), (KeyAction::Cancel, "closes"), (KeyAction::Reset, "deletes")];

/// While it is asked whether a session is to go.
const DOOMED_HINTS: &[(KeyAction, &str)] =
    &[(KeyAction::Accept, "deletes it for good"), (KeyAction::Cancel, "keeps it")];

const SETTING_HINTS: &[(KeyAction, &str)] = &[
    (KeyAction::Accept, "changes"),
    (KeyAction::Reset, "default"),
    (KeyAction::Save, "keeps in the file"),
    (KeyAction::Cancel, "closes"),
    (KeyAction::Filter, "finds"),
];

/// While a value is written.
const VALUE_HINTS: &[(KeyAction, &str)] = &[
    (KeyAction::Accept, "takes it"),
    (KeyAction::DeleteToStart, "deletes it"),
    (KeyAction::Cancel, "leaves it as it was"),
];

/// Draws an empty box over the chat; returns the room in it.
fn open(
    title: &str,
    actions: &[(KeyAction, &str)],
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let area = place(screen, WIDEST);
    let title = Line::styled(format!(" {title} "), theme.strong);
    frame(title, hints(actions, keymap, theme, area.width), theme, area, buffer)
}

fn hints(
    actions: &[(KeyAction, &str)],
    keymap: &Keymap,
    theme: &Theme,
    room: u16,
) -> Line<'static> {
    let mut spans = Vec::new();
    let mut left = usize::from(room).saturating_sub(4);
    for (action, what) in actions {
        let key = keymap.label(Scope::Dialog, *action);
        let needed = width(&key) + width(what) + 3;
        if key.is_empty() || needed > left {
            continue;
        }
        left -= needed;
        spans.push(Span::styled(format!(" {key}"), theme.accent));
        spans.push(Span::styled(format!(" {what} "), theme.dim));
    }
    Line::from(spans)
}

/// A line that is typed at the top; returns where the cursor stands.
fn typed(label: &str, text: &Field, theme: &Theme, row: Rect, buffer: &mut Buffer) -> Position {
    let room = usize::from(row.width).saturating_sub(width(label) + 1);
    let (shown, column) = text.view(room);
    let at = row.x + width(label) as u16;
    buffer.set_stringn(row.x, row.y, label, usize::from(row.width), theme.dim);
    buffer.set_stringn(at, row.y, shown, room, theme.text);
    Position::new(at + column as u16, row.y)
}

/// What is left of an area below so many rows.
fn below(area: Rect, rows: u16) -> Rect {
    let rows = rows.min(area.height);
    Rect { y: area.y + rows, height: area.height - rows, ..area }
}

fn draw(row: Rect, text: &str, chosen: bool, style: Style, theme: &Theme, buffer: &mut Buffer) {
    let room = usize::from(row.width);
    let style = if chosen { theme.selection } else { style };
    buffer.set_stringn(row.x, row.y, pad(text, room), room, style);
}

/// Draws the list of sessions; returns where the cursor stands.
pub fn sessions(
    picker: &mut SessionPicker,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let keys = if picker.doomed.is_some() { DOOMED_HINTS } else { SESSION_HINTS };
    let inner = open("Sessions", keys, keymap, theme, screen, buffer);
    let list = below(inner, 2);
    let mut rows = inner.rows();
    let cursor = typed("Find: ", &picker.query, theme, rows.next()?, buffer);
    let room = usize::from(inner.width);
    let (state, style) = state(picker, keymap, theme, room);
    draw(rows.next()?, &state, false, style, theme, buffer);
    let count = picker.found().len() + 1;
    for (at, row) in picker.place.show(count, list).zip(rows) {
        let chosen = at == picker.place.at;
        if let Some(found) = picker.found().get(at) {
            let line = session(found, picker.is_current(found), room);
            draw(row, &line, chosen, theme.text, theme, buffer);
        } else {
            let name = picker.new_name().map(|name| format!(" {name}")).unwrap_or_default();
            draw(row, &format!("+ new session{name}"), chosen, theme.accent, theme, buffer);
        }
    }
    Some(cursor)
}

/// What is asked, what came of the answer, or how many were found.
fn state(picker: &SessionPicker, keymap: &Keymap, theme: &Theme, room: usize) -> (String, Style) {
    if let Some(doomed) = &picker.doomed {
        let key = keymap.label(Scope::Dialog, KeyAction::Accept);
        let answers = format!(" for good? {key} deletes it, any other key keeps it");
        let left = room.saturating_sub("Delete ".len() + width(&answers)).max(NAME);
        let name = fit(&one_line(&doomed.session.name), left);
        return (format!("Delete {name}{answers}"), theme.warning);
    }
    if let Some((ok, text)) = &picker.outcome {
        return (fit(&one_line(text), room), if *ok { theme.accent } else { theme.error });
    }
    let state = match (&picker.list, picker.is_searching()) {
        (None, _) | (_, true) => "searching ...".to_owned(),
        (Some(list), false) if list.found.is_empty() => "nothing matches".to_owned(),
        (Some(list), false) => format!("{} found{NUMBERED}", grouped(list.found.len() as u64)),
    };
    let state = if width(&state) > room { state.replace(NUMBERED, "") } else { state };
    (state, theme.dim)
}

/// Number, name, title or what was found, turns and day.
fn session(found: &FoundSession, current: bool, room: usize) -> String {
    let session = &found.session;
    let about = if found.snippet.is_empty() { &session.title } else { &found.snippet };
    let about = one_line(about);
    let number = found.number.map(|number| number.to_string()).unwrap_or_default();
    let name = format!("{number:>NUMBER$}  {}", pad(&one_line(&session.name), NAME));
    if room < ROOMY {
        let mark = match (current, session.in_use) {
            (true, _) => "*",
            (false, true) => "!",
            (false, false) => " ",
        };
        return format!("{mark}{name}  {about}");
    }
    let unit = noun(session.turns, "turn");
    let day: String = session.updated.chars().take(10).collect();
    let when = match (current, session.in_use) {
        (true, _) => "open now",
        (false, true) => "elsewhere",
        (false, false) => &day,
    };
    let end = format!("{:>6} {unit:<5}  {when:<10}", grouped(session.turns));
    let left = room.saturating_sub(width(&name) + 4 + width(&end));
    format!("{name}  {}  {end}", pad(&about, left))
}

/// Draws the settings; returns where the cursor stands.
pub fn settings(
    view: &mut SettingsView,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) -> Option<Position> {
    let keys = if view.draft.is_some() { VALUE_HINTS } else { SETTING_HINTS };
    let inner = open("Settings", keys, keymap, theme, screen, buffer);
    let list = Rect { height: inner.height.saturating_sub(ABOUT), ..inner };
    let about = Rect { y: list.bottom(), height: inner.height - list.height, ..inner };
    let mut places = list.rows();
    let find = typed("Find: ", &view.filter, theme, places.next()?, buffer);
    let rows = view.rows();
    let first = view.place.show(rows.len(), below(list, 1)).start;
    let mut cursor = find;
    for ((at, row), place) in rows.iter().enumerate().skip(first).zip(places) {
        let chosen = at == view.place.at;
        let draft = view.draft.as_ref().filter(|_| chosen);
        let changed = row.source != crate::config::Source::Default;
        let style = if changed { theme.text } else { theme.dim };
        draw(place, &setting(row, draft, usize::from(place.width)), chosen, style, theme, buffer);
        if let Some(draft) = draft {
            let column = longest_key() + 2 + draft.view(NAME - 1).1;
            cursor = Position::new(place.x + column as u16, place.y);
        }
    }
    describe(view, rows.get(view.place.at), theme, about, buffer);
    Some(cursor)
}

/// Key, value and source; where it is narrow, the source is in the description only.
fn setting(row: &SettingRow, draft: Option<&Field>, room: usize) -> String {
    let value = match draft {
        Some(draft) => draft.view(NAME - 1).0.to_owned(),
        None => fit(shown(&one_line(&row.value)), NAME),
    };
    let key = longest_key();
    let named = format!("{}  {value}", pad(row.key, key));
    if room < key + NAME + 2 {
        return fit(&named, room);
    }
    let source = match &row.source {
        crate::config::Source::File { line, .. } => format!("config file, line {line}"),
        other => other.to_string(),
    };
    fit(&format!("{}  {source}", pad(&named, key + NAME + 2)), room)
}

/// Columns of a setting's key: the longest one.
fn longest_key() -> usize {
    Key::all().iter().map(|key| width(key.name())).max().unwrap_or_default()
}

/// A value, also an empty one.
fn shown(value: &str) -> &str {
    if value.is_empty() { "not set" } else { value }
}

fn describe(
    view: &SettingsView,
    row: Option<&SettingRow>,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let room = usize::from(area.width);
    let mut lines: Vec<(String, Style)> = vec![("─".repeat(room), theme.border)];
    let Some(row) = row else {
        lines.push(("nothing matches".to_owned(), theme.dim));
        return put(&lines, area, buffer);
    };
    let text = wrap(&row.doc, room).into_iter().take(2);
    lines.extend(text.map(|line| (line, theme.text)));
    let source = format!("{} = {} ({})", row.key, one_line(shown(&row.value)), row.source);
    lines.push((fit(&source, room), theme.dim));
    if let Some((_, ok, outcome)) = view.outcome.as_ref().filter(|it| it.0 == view.place.at) {
        let style = if *ok { theme.accent } else { theme.error };
        lines.truncate(usize::from(ABOUT) - 1);
        lines.push((fit(&one_line(outcome), room), style));
    }
    put(&lines, area, buffer);
}

fn put(lines: &[(String, Style)], area: Rect, buffer: &mut Buffer) {
    for ((line, style), row) in lines.iter().zip(area.rows()) {
        buffer.set_stringn(row.x, row.y, line, usize::from(row.width), *style);
    }
}
