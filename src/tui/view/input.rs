//! The message line and the hints on its border.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::{Margin, Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Widget};
use unicode_segmentation::UnicodeSegmentation;

use crate::text;
use crate::tui::app::{App, Focus};
use crate::tui::input::{InputLine, chip, editor};
use crate::tui::keymap::{KeyAction, Scope};
use crate::tui::theme::Theme;

/// Most rows of text; longer messages scroll inside.
const MOST_ROWS: u16 = 8;

/// The hints for which there is room before the others: how to take back, to go back and to learn the rest.
const KEPT: [&str; 4] = [UNDO, "back", CLEARS, "help"];

/// What shows more of a message.
const OPENS: &str = "open";

/// What takes back what memory did.
const UNDO: &str = "undo";

/// What the way back from the panel does first while a filter is set.
const CLEARS: &str = "clear";

/// Rows of a border and a row of text.
pub const LEAST_HEIGHT: u16 = 3;

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
        // Separators of lines that are signs of this one are not drawn.
        let drawn = text::clean(line).replace('\n', "");
        rows += rows_of(&drawn, width, most);
        if rows >= most {
            return most;
        }
    }
    rows
}

/// The rows that the editor makes of a line, up to `most`.
fn rows_of(line: &str, width: usize, most: usize) -> usize {
    if line.is_ascii() && line.len() < width {
        return 1;
    }
    let area = editor(vec![line.to_owned()]);
    let place = Rect::new(0, 0, width as u16, most as u16);
    area.render(place, &mut Buffer::empty(place));
    let begins = |row: &usize| area.screen_to_data(*row, 0);
    1 + (1..most).take_while(|row| begins(row) != begins(&(row - 1))).count()
}

/// Where its text stands.
pub fn inside(area: Rect) -> Rect {
    area.inner(Margin { horizontal: 2, vertical: 1 })
}

/// Draws it; returns where the cursor stands, if the message line has the keys.
pub fn render(app: &App, area: Rect, buffer: &mut Buffer) -> Option<Position> {
    let theme = &app.theme;
    let focused = app.focus == Focus::Input && app.stack.top().is_none();
    let border = if focused { theme.border_focused } else { theme.border };
    let block = Block::bordered()
        .border_style(border)
        .title(title(app, usize::from(area.width.saturating_sub(2))))
        .title_bottom(hints(app, area.width));
    block.render(area, buffer);
    let inner = inside(area);
    app.input.area().render(inner, buffer);
    hide_invisible(inner, buffer);
    colour_labels(&app.input, theme, inner, buffer);
    if app.input.is_empty() && app.demo.is_none() {
        let ask = "Write a message, or / for commands";
        buffer.set_stringn(inner.x, inner.y, ask, usize::from(inner.width), theme.dim);
    }
    focused.then(|| cursor(&app.input, inner))
}

/// What is written holds every character that was pasted; those without a shape of their own are drawn as nothing.
fn hide_invisible(inner: Rect, buffer: &mut Buffer) {
    for place in inner.positions() {
        let cell = &mut buffer[place];
        let clean = match text::clean(cell.symbol()) {
            Cow::Borrowed(_) => continue,
            Cow::Owned(clean) => clean.replace('\n', ""),
        };
        cell.set_symbol(if clean.is_empty() { " " } else { &clean });
    }
}

fn cursor(input: &InputLine, inner: Rect) -> Position {
    let area = input.area();
    let (place, cursor) = (area.screen_cursor(), area.cursor());
    let begins = area.screen_to_data(place.row, 0).1;
    let line = area.lines().get(cursor.0).map(String::as_str).unwrap_or_default();
    let before: String = line.chars().take(cursor.1).skip(begins).collect();
    let column = place.col.saturating_add_signed(beyond(&before)) as u16;
    let (top, left) = area.scroll_offset();
    let x = column.saturating_sub(left).min(inner.width.saturating_sub(1));
    let y = (place.row as u16).saturating_sub(top).min(inner.height.saturating_sub(1));
    Position::new(inner.x + x, inner.y + y)
}

/// How many more columns a text is drawn in than its characters would be one by one, as the editor counts them: a family of
/// four is drawn as wide as one of them.
fn beyond(text: &str) -> isize {
    if text.is_ascii() {
        return 0;
    }
    let single = |sign: char| text::width(sign.encode_utf8(&mut [0; 4])).cast_signed();
    let of_one =
        |one: &str| text::width(one).cast_signed() - one.chars().map(single).sum::<isize>();
    text.graphemes(true).filter(|one| one.chars().nth(1).is_some()).map(of_one).sum()
}

/// What is being written, or what is looked for among earlier messages.
fn title(app: &App, width: usize) -> Line<'static> {
    let theme = &app.theme;
    let Some(search) = app.input.search() else {
        let title = match app.editing {
            _ if app.demo.is_some() => " Demo ",
            Some(_) => " Edit ",
            None => " Message ",
        };
        return Line::styled(title, theme.text);
    };
    let found = match (app.input.found_ago(), search.missed()) {
        (None, false) => "type what you look for in your messages".to_owned(),
        (None, true) => "no message has it".to_owned(),
        (Some(1), false) => "the last message".to_owned(),
        (Some(1), true) => "the last message, no other has it".to_owned(),
        (Some(ago), false) => format!("{ago} messages ago"),
        (Some(ago), true) => format!("{ago} messages ago, no other has it"),
    };
    let query = text::one_line(search.query());
    let state = if search.missed() { theme.error } else { theme.dim };
    let room = width.saturating_sub(text::width(&found) + 16);
    Line::from(vec![
        Span::styled(" Search back: ", theme.text),
        Span::styled(text::fit(&query, room), theme.accent),
        Span::styled(if query.is_empty() { "" } else { " · " }, theme.dim),
        Span::styled(format!("{found} "), state),
    ])
}

/// The labels of large pastes are no text of their own.
fn colour_labels(input: &InputLine, theme: &Theme, inner: Rect, buffer: &mut Buffer) {
    if input.pastes().is_empty() {
        return;
    }
    let (top, _) = input.area().scroll_offset();
    for row in inner.rows() {
        let on_screen = usize::from(row.y - inner.y + top);
        let line = input.area().screen_to_data(on_screen, 0).0;
        let text = input.area().lines().get(line).map(String::as_str).unwrap_or_default();
        let labels = chip::places(text, input.pastes());
        for place in row.positions().filter(|_| !labels.is_empty()) {
            let column = input.area().screen_to_data(on_screen, usize::from(place.x - row.x)).1;
            let is_label = labels.iter().any(|label| label.contains(&column));
            if is_label && buffer[place].symbol() != " " {
                buffer[place].set_style(theme.accent);
            }
        }
    }
}

/// As many hints as fit, from the table of keys: what can be done just here comes first.
fn hints(app: &App, width: u16) -> Line<'static> {
    let theme = &app.theme;
    let key = |action| app.keymap.label(Scope::Input, action);
    let searching = app.input.search().is_some() && app.scope() == Scope::Input;
    let editing = app.editing.is_some() && app.scope() == Scope::Input;
    let here = match app.scope() {
        Scope::Input if searching => {
            vec![
                (key(KeyAction::SearchHistory), "older"),
                (key(KeyAction::Send), "take it"),
                (key(KeyAction::Cancel), "back"),
            ]
        }
        Scope::Input if editing => vec![
            (key(KeyAction::Send), "keep the change"),
            (key(KeyAction::Cancel), "leave it as it was"),
        ],
        Scope::Panel => app.panel_hints(),
        _ => Vec::new(),
    };
    let sends = |hint: &(String, &str)| hint.0 == key(KeyAction::Send);
    let opens_nothing = app.scope() == Scope::Chat && !app.can_open_chosen();
    let usual = app.keymap.hints(app.scope(), app.stack.passes_keys());
    let usual = usual.into_iter().filter(|_| !searching).filter(|hint| !editing || !sends(hint));
    let usual = usual.filter(|hint| !opens_nothing || hint.1 != OPENS);
    let clears = app.focus == Focus::Panel && app.panel.filter.is_set();
    let usual =
        usual.map(|(key, what)| (key, if clears && what == "back" { CLEARS } else { what }));
    let columns = usize::from(width).saturating_sub(4);
    let back = app.panel_brings_back().filter(|_| app.scope() == Scope::Panel);
    let shown = fitting(here.into_iter().chain(usual).collect(), columns, back);
    let styled = |(key, what)| {
        [
            Span::styled(format!(" {key}"), theme.accent),
            Span::styled(format!(" {what} "), theme.dim),
        ]
    };
    Line::from(shown.into_iter().flat_map(styled).collect::<Vec<_>>())
}

/// The hints that are shown in so many columns: those that are always kept, what brings the selected item back among them,
/// and of the others the first.
fn fitting(
    hints: Vec<(String, &'static str)>,
    columns: usize,
    back: Option<&str>,
) -> Vec<(String, &'static str)> {
    let needs = |(key, what): &(String, &str)| text::width(key) + text::width(what) + 3;
    let may_be_kept = |what: &str| KEPT.contains(&what) || Some(what) == back;
    let all: usize = hints.iter().filter(|hint| may_be_kept(hint.1)).map(needs).sum();
    // What brings it back is wanted there sooner than what takes something else back.
    let is_kept = |hint: &(String, &str)| may_be_kept(hint.1) && (all <= columns || hint.1 != UNDO);
    let mut kept: usize = hints.iter().filter(|hint| is_kept(hint)).map(needs).sum();
    let mut left = columns;
    let mut fits = |hint: &(String, &'static str)| {
        kept -= if is_kept(hint) { needs(hint) } else { 0 };
        let fits = needs(hint) + kept <= left;
        left -= if fits { needs(hint) } else { 0 };
        fits
    };
    hints.into_iter().filter(|hint| fits(hint)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDTH: u16 = 76;

    fn drawn(text: &str) -> (InputLine, Rect, Buffer) {
        let mut input = InputLine::default();
        input.set(text);
        let height = rows(&input, usize::from(WIDTH), usize::from(MOST_ROWS)) as u16;
        let inner = Rect::new(1, 1, WIDTH, height);
        let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH + 2, height + 2));
        input.area().render(inner, &mut buffer);
        (input, inner, buffer)
    }

    #[test]
    fn the_cursor_stands_behind_what_is_drawn_as_one_sign() {
        let signs =
            ["x", "é", "e\u{301}", "世", "👨‍👩‍👧‍👦", "👍🏽", "❤️", "1️⃣", "🇫🇷", "ส้", "नि", "각", "ﾊﾞ", "שָ"];
        for sign in signs {
            for text in
                [format!("a{sign}b"), format!("{sign}{sign}\n{sign}b"), format!("{sign} {sign}b")]
            {
                let (input, inner, buffer) = drawn(&text);
                let place = cursor(&input, inner);
                assert_eq!(buffer[(place.x - 1, place.y)].symbol(), "b", "{text:?} {buffer:?}");
                assert_eq!(buffer[place].symbol(), " ", "{text:?}");
            }
        }
    }

    #[test]
    fn all_rows_that_the_editor_makes_of_a_message_have_room() {
        let long = format!("START {} END", "👍🏽".repeat(30));
        for text in [long, "👨‍👩‍👧‍👦".repeat(20), "the 👍🏽 thumbs ".repeat(8), "plain words ".repeat(20)]
        {
            let (input, inner, buffer) = drawn(&text);
            let first = text.split(' ').next().unwrap_or(&text);
            let first: String = first.graphemes(true).take(1).collect();
            assert_eq!(buffer[(inner.x, inner.y)].symbol(), first, "{text} {buffer:?}");
            assert!(usize::from(cursor(&input, inner).y) >= usize::from(inner.height), "{text}");
        }
        let rows = |text: &str| drawn(text).1.height;
        let indented = format!("{}end", " ".repeat(usize::from(WIDTH)));
        assert_eq!(rows(&indented), 2);
        assert_eq!((rows(&"x".repeat(75)), rows(&"x".repeat(77))), (1, 2));
        assert_eq!(rows("a\n\nb"), 3);
    }
}
