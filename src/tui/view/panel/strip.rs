//! The items in a few rows, where there is no room for the panel: what is worked on, and what leaves next.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::line::Sheet;
use super::moves::Marks;
use super::rows::{Row, rows};
use super::{PanelState, Section, draw};
use crate::memory::{MemoryView, Tier};
use crate::tui::theme::Theme;

/// Draws the active effort, the items that leave next, and the shore with how many there are besides.
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
    for (line, place) in chosen(view, room).iter().zip(area.rows()) {
        draw(&sheet.line(line), place, buffer);
    }
    let last = Rect { y: area.bottom() - 1, height: 1, ..area };
    draw(&sheet.line(&Row::Heading(Section::Manifest)), last, buffer);
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
