//! The memory panel: the three tiers, item by item.
//!
//! Draws from a [`MemoryView`] alone. Only the rows on screen become text, so a session of any size
//! costs the same to draw. The headings of tiers that are scrolled away stay at the edges: all three
//! tiers are always in sight.

mod filter;
mod item_line;
mod line;
mod moves;
mod note_line;
mod part_line;
mod strip;
mod viewport;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::counted::grouped;
use crate::memory::MemoryView;
use crate::tui::moves::Marks;
use crate::tui::panel::PanelState;
use crate::tui::rows::{Row, Section, items, rows, with_details};
use crate::tui::theme::Theme;

pub(super) use item_line::bar;
pub(super) use line::length;
pub use strip::render_strip;

use line::Sheet;
use viewport::Viewport;

/// Columns between the panel's edge and its text: the rule and a space.
const MARGIN: u16 = 2;

/// Draws the panel with a rule at its left edge. With the focus, the rule is heavy, the selected item
/// is marked and kept in sight; without it, the rows stay where they were scrolled to.
pub fn render(
    view: &MemoryView,
    state: &mut PanelState,
    focused: bool,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    let inner = beside_rule(focused, theme, area, buffer);
    (state.water, state.items) = (Rect::default(), area);
    if inner.is_empty() {
        return;
    }
    let inner = filter::render(state, theme, inner, buffer);
    let marks = Marks { moves: &state.moves, now: state.now };
    let sheet = Sheet::new(view, theme, usize::from(inner.width)).marking(marks);
    let sheet = sheet.with_keys(&state.hints.let_leave, &state.hints.brings_back);
    let sheet = sheet.flowing(state.flow);
    if view.budget.0 == 0 {
        let lines = [
            sheet.line(&Row::Heading(Section::Working)),
            Line::styled("reading the session …", theme.dim),
        ];
        lines.iter().zip(inner.rows()).for_each(|(line, row)| draw(line, row, buffer));
        return;
    }
    let height = usize::from(inner.height);
    state.place.page = height / 2;
    let last = items(view).count().saturating_sub(1);
    let selected = state.place.at.min(last);
    let chosen = focused.then_some(selected);
    let mut rows = rows(view);
    if state.filter.is_set() {
        // What the filter hides is neither older nor out of the list.
        rows.retain(|row| !matches!(row, Row::Unlisted(_)));
    }
    let rows = with_details(rows, chosen, height, |item| sheet.count_words(item));
    state.offset = if focused {
        viewport::follow(&rows, height, state.offset, selected)
    } else {
        viewport::clamp(&rows, height, state.offset)
    };
    let viewport = Viewport::new(&rows, height, state.offset);
    let selected = focused.then_some(selected);
    let above = render_bed(&sheet, &rows, &viewport, inner, buffer);
    let mut drawn = Drawn::default();
    render_rows(&sheet, &rows, &viewport, (selected, &mut drawn), above, buffer);
    state.bed = drawn.bed.or((above.height < inner.height).then(|| inner.bottom() - 2));
    state.places = drawn.places;
    state.headings = drawn.headings;
    state.headings.extend(state.bed.map(|bed| (bed, Section::Logs)));
    let spare = (height.saturating_sub(rows.len())) as u16;
    state.water = Rect { y: above.bottom(), height: spare, ..above };
}

/// Draws what is on its way over what [`render`] drew.
pub fn render_moves(
    view: &MemoryView,
    state: &PanelState,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    let margin = MARGIN.min(area.width);
    let inner = Rect { x: area.x + margin, width: area.width - margin, ..area };
    if !inner.is_empty() {
        let marks = Marks { moves: &state.moves, now: state.now };
        moves::render((view, theme), marks, (&state.places, state.bed), inner, buffer);
    }
}

/// Draws the rule at the left edge of an area and returns the room beside it.
pub fn beside_rule(focused: bool, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let (sign, style) = if focused { ("┃", theme.border_focused) } else { ("│", theme.border) };
    for row in area.rows() {
        buffer.set_stringn(row.x, row.y, sign, usize::from(row.width), style);
    }
    let margin = MARGIN.min(area.width);
    Rect { x: area.x + margin, width: area.width - margin, ..area }
}

/// Where things were drawn.
#[derive(Default)]
struct Drawn {
    /// The rows of the screen on which items begin, with their place among [`items`].
    places: Vec<(u16, usize)>,
    /// The rows on which headings stand.
    headings: Vec<(u16, Section)>,
    /// The row that sums the logs up.
    bed: Option<u16>,
}

/// Draws the visible rows between the headings that stick to the edges.
fn render_rows(
    sheet: &Sheet<'_>,
    rows: &[Row<'_>],
    viewport: &Viewport,
    (selected, drawn): (Option<usize>, &mut Drawn),
    inner: Rect,
    buffer: &mut Buffer,
) {
    let mut places = inner.rows();
    let more = |sign: char, count: usize| {
        let more = format!("{sign} {} more", grouped(count as u64));
        Line::from(Span::styled(more, sheet.theme.dim))
    };
    let above = (viewport.above > 0).then_some(None);
    let shown = viewport.top.iter().copied().map(Some).chain(above);
    let shown = shown.chain(viewport.body.clone().map(Some));
    for (at, place) in shown.zip(&mut places) {
        let Some(row) = at.and_then(|at| rows.get(at)) else {
            draw(&more('↑', viewport.above), place, buffer);
            continue;
        };
        draw(&sheet.line(row), place, buffer);
        let at = row.index();
        drawn.places.extend(at.map(|at| (place.y, at)));
        if let Row::Heading(section) = row {
            drawn.headings.push((place.y, *section));
        }
        drawn.bed = drawn.bed.or((*row == Row::Heading(Section::Logs)).then_some(place.y));
        if at.is_some() && at == selected {
            buffer.set_style(place, Style::reset().patch(sheet.theme.selection));
        }
    }
    if viewport.more > 0
        && let Some(place) = places.next()
    {
        draw(&more('↓', viewport.more), place, buffer);
    }
    let pinned = viewport.bottom.iter().filter_map(|&at| rows.get(at));
    for (row, place) in pinned.zip(places) {
        draw(&sheet.line(row), place, buffer);
    }
}

/// Where all rows fit, the logs lie at the bottom: draws them there and returns what is above.
fn render_bed(
    sheet: &Sheet<'_>,
    rows: &[Row<'_>],
    viewport: &Viewport,
    inner: Rect,
    buffer: &mut Buffer,
) -> Rect {
    let spare = usize::from(inner.height).saturating_sub(rows.len());
    let logs = rows.iter().position(|row| *row == Row::Heading(Section::Logs));
    let Some(logs) = logs.filter(|_| spare > 0 && viewport.body.len() == rows.len()) else {
        return inner;
    };
    let bed =
        Rect { y: inner.y + (logs + spare) as u16, height: (rows.len() - logs) as u16, ..inner };
    for (row, place) in rows[logs..].iter().zip(bed.rows()) {
        draw(&sheet.line(row), place, buffer);
    }
    Rect { height: logs as u16, ..inner }
}

fn draw(line: &Line<'_>, place: Rect, buffer: &mut Buffer) {
    buffer.set_line(place.x, place.y, line, place.width);
}
