//! What stands in the place of the message line while a turn of the past is shown: nothing can be sent
//! from there. Where another program compacted the conversation, the box says what it lost.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use super::Places;
use crate::tui::app::{App, Past};
use crate::tui::compacted::{self, Compactions};
use crate::tui::text::{self, clean, grouped, wrap};
use crate::tui::theme::Theme;

/// What the keys do.
const KEYS: &str = " {past.cancel} now · {past.earlier}/{past.later} turn · {past.page_up}/{past.page_down} ten · \
                    {past.inspect} window · {global.journal} journal ";

/// The same where another program compacted the conversation.
const KEYS_BETWEEN: &str = " {past.cancel} now · {past.earlier}/{past.later} turn · {past.last_mark}/{past.next_mark} \
                            compaction · {past.inspect} window · {global.journal} journal ";

/// Draws which turn is shown, where it stands in the session, and the keys.
pub fn render(past: &Past, app: &App, places: &Places, buffer: &mut Buffer) {
    let theme = &app.theme;
    let width = usize::from(places.input.width.saturating_sub(2));
    let told = told(past, &app.compactions, width.saturating_sub(2));
    let most = (places.input.bottom() / 2).saturating_sub(places.input.height);
    let rows = (told.len() as u16).min(most);
    let area =
        Rect { y: places.input.y - rows, height: places.input.height + rows, ..places.input };
    let is_marked = app.compactions.iter().next().is_some();
    let keys = places.keys(&app.keymap, if is_marked { KEYS_BETWEEN } else { KEYS });
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
    let line = bar(past, &app.compactions, theme, usize::from(inner.width));
    buffer.set_line(inner.x, inner.y, &line, inner.width);
    for (line, row) in told.iter().zip(inner.rows().skip(1).take(rows.into())) {
        buffer.set_stringn(row.x, row.y, line, usize::from(row.width), theme.text);
    }
}

/// What another program's compaction before the turn lost, in lines.
fn told(past: &Past, compactions: &Compactions, width: usize) -> Vec<String> {
    let wrapped = |text: &String| wrap(&clean(text), width.max(1));
    let of = |one: &compacted::Compacted| {
        let title = format!("{} {}", compacted::SIGN, one.title);
        std::iter::once(title).chain(one.lines.iter().cloned()).collect::<Vec<_>>()
    };
    let all: Vec<String> = compactions.before(past.turn()).flat_map(of).collect();
    all.iter().flat_map(wrapped).collect()
}

/// The session as a line with the turn's place on it.
fn bar(past: &Past, compactions: &Compactions, theme: &Theme, width: usize) -> Line<'static> {
    let Some((first, last)) = past.span() else {
        return Line::styled("reading the journal …", theme.dim);
    };
    let (left, right) = (grouped(first.0), grouped(last.0));
    let room = width.saturating_sub(text::width(&left) + text::width(&right) + 2).max(1);
    let turns = last.0.saturating_sub(first.0).max(1);
    let column = |turn: u64| {
        (turn.saturating_sub(first.0) as usize * (room - 1) / turns as usize).min(room - 1)
    };
    let at = column(past.turn().0);
    let mut signs: Vec<Span<'static>> = (0..room)
        .map(|place| match place.cmp(&at) {
            std::cmp::Ordering::Less => Span::styled("━", theme.accent),
            std::cmp::Ordering::Equal => Span::styled("●", theme.accent),
            std::cmp::Ordering::Greater => Span::styled("─", theme.border),
        })
        .collect();
    for place in compactions.iter().map(|one| column(one.turn.0)).filter(|place| *place != at) {
        signs[place] = Span::styled(compacted::SIGN, theme.error);
    }
    let ends = |text| Span::styled(text, theme.dim);
    let line = std::iter::once(ends(format!("{left} "))).chain(signs);
    Line::from(line.chain([ends(format!(" {right}"))]).collect::<Vec<_>>())
}
