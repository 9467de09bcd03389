//! Which rows are on screen: a scrolled part, the headings of the tiers beyond it, and always the active
//! effort.

use std::ops::Range;

use crate::memory::Tier;
use crate::tui::rows::Row;

/// Below this many rows no heading is pinned to the edges: there would be no room left between them.
const PIN_FROM: usize = 8;

/// Nor is the active effort below this many.
const PIN_ACTIVE_FROM: usize = 3;

/// The rows on screen, as indices into the list of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Viewport {
    /// The active effort and the heading of the tier whose rows are at the top, as far as they are scrolled
    /// away themselves.
    pub(super) top: Vec<usize>,
    /// Items above the scrolled part, beside those at the top.
    pub(super) above: usize,
    /// The scrolled part.
    pub(super) body: Range<usize>,
    /// Items below the scrolled part.
    pub(super) more: usize,
    /// Headings below the scrolled part.
    pub(super) bottom: Vec<usize>,
}

impl Viewport {
    /// Lays out so many rows of screen, from a row on that [`clamp`] or [`follow`] gave.
    pub(super) fn new(rows: &[Row<'_>], height: usize, offset: usize) -> Self {
        let is_heading = |at: &usize| matches!(rows.get(*at), Some(Row::Heading(_)));
        let total = rows.len();
        let whole = Self { top: Vec::new(), above: 0, body: 0..total, more: 0, bottom: Vec::new() };
        if total <= height {
            return whole;
        }
        let mut top: Vec<usize> =
            pinned_active(rows, height).filter(|&at| at < offset).into_iter().collect();
        if height < PIN_FROM {
            let end = total.min(offset + height - top.len());
            return Self { top, body: offset..end, ..whole };
        }
        let pinned = top.len();
        let above = |start: usize| count_items(&rows[..start]).saturating_sub(pinned);
        // One row tells how many items are above, if any are; it takes the place of the first of the others.
        let told = usize::from(above(offset) > 0);
        let mut start = whole_from(rows, offset + told);
        top.extend((0..start).rev().find(is_heading).filter(|_| !is_heading(&start)));
        top.sort_unstable();
        let room = height - top.len() - told;
        if total - start <= room {
            start = whole_from(rows, total - room);
            return Self { top, above: above(start), body: start..total, ..whole };
        }
        let offset = start;
        let headings: Vec<usize> = (offset..total).filter(is_heading).collect();
        let mut bottom: &[usize] = &[];
        loop {
            // One row tells how many items are below, if any are.
            let end = offset + room - bottom.len();
            let end = if count_items(&rows[end..]) > 0 { end - 1 } else { end };
            let beyond = &headings[headings.partition_point(|&at| at < end)..];
            if beyond.len() == bottom.len() {
                let more = count_items(&rows[end..]);
                let bottom = bottom.to_vec();
                return Self { top, above: above(offset), body: offset..end, more, bottom };
            }
            bottom = beyond;
        }
    }
}

/// The first row from one on that says something without the row above it.
fn whole_from(rows: &[Row<'_>], start: usize) -> usize {
    start + rows[start..].iter().take_while(|row| row.leans()).count()
}

fn count_items(rows: &[Row<'_>]) -> usize {
    rows.iter().filter(|row| row.index().is_some()).count()
}

/// The row of the active effort, if there is one and room to pin it.
fn pinned_active(rows: &[Row<'_>], height: usize) -> Option<usize> {
    let is_active =
        |row: &Row<'_>| matches!(row, Row::Item { item, .. } if item.state == Tier::Active);
    rows.iter().position(is_active).filter(|_| height >= PIN_ACTIVE_FROM)
}

/// The nearest offset that leaves no screen row empty.
pub(super) fn clamp(rows: &[Row<'_>], height: usize, offset: usize) -> usize {
    let active = usize::from(pinned_active(rows, height).is_some());
    // A heading, and how many items are above.
    let pinned = active + if height >= PIN_FROM { 2 } else { 0 };
    let last = if rows.len() <= height { 0 } else { rows.len() + pinned - height };
    offset.min(last)
}

/// The offset nearest to the given one with which the selected item is in sight.
pub(super) fn follow(rows: &[Row<'_>], height: usize, offset: usize, selected: usize) -> usize {
    let offset = clamp(rows, height, offset);
    let Some(first) = rows.iter().position(|row| row.index() == Some(selected)) else {
        return offset;
    };
    let last = first + rows[first + 1..].iter().take_while(|row| row.is_detail()).count();
    // Above the first item there is only the heading of the first tier: go all the way.
    let upwards = if selected == 0 { 0 } else { first };
    let mut offset = offset.min(upwards).max((last + 1).saturating_sub(height).min(first));
    while offset < first && Viewport::new(rows, height, offset).body.end <= last {
        offset += 1;
    }
    while offset > 0 && Viewport::new(rows, height, offset).body.start > first {
        offset -= 1;
    }
    offset
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::{EffortId, ItemView, MemoryView, Tier, Tokens};
    use crate::tui::rows::rows;
    use crate::tui::steering::tests::item;

    fn evicted(count: usize) -> MemoryView {
        let item = |n| {
            let id = EffortId::stored(&format!("topic-{n}"));
            ItemView { id, ..item(Tier::Evicted, false) }
        };
        let mut view = MemoryView { budget: Tokens(1), ..MemoryView::default() };
        view.manifest.recent = (0..count).map(item).collect();
        view
    }

    #[test]
    fn what_fits_is_shown_whole_and_nothing_is_pinned() {
        let view = evicted(2);
        let rows = rows(&view);
        let viewport = Viewport::new(&rows, rows.len(), 0);
        let (top, bottom) = (Vec::new(), Vec::new());
        let whole = Viewport { top, above: 0, body: 0..rows.len(), more: 0, bottom };
        assert_eq!(viewport, whole);
    }

    #[test]
    fn the_active_effort_is_on_screen_once_however_far_it_is_scrolled() {
        let mut view = evicted(50);
        view.open = vec![ItemView { state: Tier::Active, ..view.manifest.recent[0].clone() }];
        let rows = rows(&view);
        for height in PIN_ACTIVE_FROM..60 {
            for offset in 0..=rows.len() {
                let viewport = Viewport::new(&rows, height, clamp(&rows, height, offset));
                let shown = viewport.top.iter().copied().chain(viewport.body.clone());
                assert_eq!(
                    shown.filter(|&at| at == 1).count(),
                    1,
                    "height {height}, offset {offset}"
                );
            }
        }
    }

    #[test]
    fn screen_rows_are_never_more_than_there_are_and_all_used() {
        let mut view = evicted(50);
        fill_the_screen(&view);
        view.open = vec![ItemView { state: Tier::Active, ..view.manifest.recent[0].clone() }];
        fill_the_screen(&view);
    }

    #[test]
    fn no_row_stands_without_the_one_it_leans_on_and_what_is_above_is_told() {
        let mut view = evicted(50);
        view.open = vec![ItemView { state: Tier::Active, ..view.manifest.recent[0].clone() }];
        view.notes.stats.current = 3;
        let rows = rows(&view);
        for height in PIN_FROM..40 {
            for offset in 0..=rows.len() {
                let offset = clamp(&rows, height, offset);
                let Viewport { top, above, body, more, .. } = Viewport::new(&rows, height, offset);
                assert!(!rows[body.start].leans(), "height {height}, offset {offset}");
                let items =
                    |at: &[usize]| at.iter().filter(|at| rows[**at].index().is_some()).count();
                let shown = items(&top) + count_items(&rows[body]);
                assert_eq!(above + shown + more, 51, "height {height}, offset {offset}");
            }
        }
    }

    fn fill_the_screen(view: &MemoryView) {
        let rows = rows(view);
        for height in 1..60 {
            for offset in 0..=rows.len() {
                let offset = clamp(&rows, height, offset);
                let viewport = Viewport::new(&rows, height, offset);
                let used = viewport.top.len()
                    + viewport.body.len()
                    + usize::from(viewport.above > 0)
                    + usize::from(viewport.more > 0)
                    + viewport.bottom.len();
                assert_eq!(used, height.min(rows.len()), "height {height}, offset {offset}");
            }
        }
    }
}
