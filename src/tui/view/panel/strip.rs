//! The items in a few rows, where there is no room for the panel: what is worked on, what leaves next, and what left.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::line::Sheet;
use super::{PanelState, Section, draw};
use crate::memory::{MemoryView, Tier};
use crate::tui::moves::Marks;
use crate::tui::rows::{Row, rows};
use crate::tui::theme::Theme;

/// Draws the active effort, the items that leave next, and the shore with how many there are besides; where rows are
/// left over, what left last stands below it.
pub fn render_strip(
    view: &MemoryView,
    state: &PanelState,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    let marks = Marks { moves: &state.moves, now: state.now };
    let sheet = Sheet::new(view, theme, usize::from(area.width)).marking(marks);
    let room = usize::from(area.height.saturating_sub(1));
    if view.budget.0 == 0 || room == 0 {
        return;
    }
    let (above, below) = (chosen(view, room), evicted(view));
    let below = &below[..below.len().min(room - above.len())];
    let blank = room - above.len() - below.len();
    let shore = [Row::Heading(Section::Manifest)];
    let rows = above.iter().map(Some).chain((0..blank).map(|_| None));
    for (row, place) in rows.chain(shore.iter().chain(below).map(Some)).zip(area.rows()) {
        if let Some(row) = row {
            draw(&sheet.line(row), place, buffer);
        }
    }
}

/// What stands below the shore, what left last first.
fn evicted(view: &MemoryView) -> Vec<Row<'_>> {
    let is_evicted =
        |row: &Row<'_>| matches!(row, Row::Item { item, .. } if item.state == Tier::Evicted);
    rows(view).into_iter().filter(is_evicted).collect()
}

/// The first rows that say what is worked on, then as many as fit of those that leave next.
fn chosen(view: &MemoryView, room: usize) -> Vec<Row<'_>> {
    let all = rows(view).into_iter();
    let all = all.take_while(|row| *row != Row::Heading(Section::Manifest));
    let counts = |row: &Row<'_>| match row {
        Row::Item { .. } | Row::Ambient | Row::UnderWay => true,
        row => matches!(row, Row::Waiting(_)),
    };
    let rows: Vec<Row<'_>> = all.filter(counts).collect();
    let is_open =
        |row: &&Row<'_>| matches!(row, Row::Item { item, .. } if item.state == Tier::Active);
    let first: Vec<Row<'_>> = rows.iter().filter(is_open).copied().collect();
    let rest: Vec<Row<'_>> = rows.into_iter().filter(|row| !first.contains(row)).collect();
    let skipped = (first.len() + rest.len()).saturating_sub(room);
    first.into_iter().chain(rest.into_iter().skip(skipped)).take(room).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{EffortId, ItemView, Tokens};
    use crate::tui::steering::tests::item;
    use crate::tui::theme::ThemeChoice;

    #[test]
    fn what_left_last_stands_below_the_shore_where_there_is_room() {
        let named = |name: &str, tier| ItemView { id: EffortId::stored(name), ..item(tier, false) };
        let mut view = MemoryView {
            budget: Tokens(1),
            open: vec![named("now", Tier::Active)],
            ..MemoryView::default()
        };
        view.manifest.recent = vec![named("last", Tier::Evicted), named("before", Tier::Evicted)];
        let shown = |height| {
            let (area, theme) =
                (Rect::new(0, 0, 46, height), Theme::detect(true, ThemeChoice::Auto, None));
            let mut buffer = Buffer::empty(area);
            render_strip(&view, &PanelState::default(), &theme, area, &mut buffer);
            let row = |y| (0..46).map(|x| buffer[(x, y)].symbol().to_owned()).collect::<String>();
            (0..height).map(row).map(|row| row.trim_end().to_owned()).collect::<Vec<_>>()
        };
        let begins = |height| -> Vec<String> {
            shown(height)
                .iter()
                .map(|row| row.split(' ').take(2).collect::<Vec<_>>().join(" "))
                .collect()
        };
        assert_eq!(begins(4), ["● now", "~ ambient", "SHORE ~~~~~~~~~~~~~~~~~", "▫ last"]);
        assert_eq!(begins(6)[2..], ["", "SHORE ~~~~~~~~~~~~~~~~~", "▫ last", "▫ before"]);
        assert!(begins(3)[2].starts_with("SHORE"));
    }

    #[test]
    fn the_active_effort_and_what_leaves_next_are_there_whatever_else_is() {
        let named = |name: &str, tier| ItemView { id: EffortId::stored(name), ..item(tier, false) };
        let view = MemoryView {
            budget: Tokens(1),
            open: vec![named("now", Tier::Active), named("other", Tier::Open)],
            warm: (0..30).map(|n| named(&format!("old-{n}"), Tier::Warm)).collect(),
            ..MemoryView::default()
        };
        for room in 1..9 {
            let rows = chosen(&view, room);
            assert_eq!(rows.len(), room);
            let ids: Vec<&str> = rows
                .iter()
                .filter_map(|row| match row {
                    Row::Item { item, .. } => Some(item.id.as_str()),
                    _ => None,
                })
                .collect();
            assert_eq!(ids[0], "now");
            assert!(room < 2 || ids[room - 1] == "old-0", "{ids:?}");
        }
    }
}
