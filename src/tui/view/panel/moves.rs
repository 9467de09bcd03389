//! Draws items that changed their tier a moment ago: what leaves sinks to the logs and its tokens run down, what returns
//! rises from there.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::counted::grouped;
use crate::memory::MemoryView;
use crate::text;
use crate::tui::moves::{Marks, efforts};
use crate::tui::theme::Theme;

/// Draws what is on its way over the rows as they will stand. `places` are the rows on which items begin, `bed`
/// is the row that sums the logs up.
pub(super) fn render(
    (view, theme): (&MemoryView, &Theme),
    marks: Marks<'_>,
    (places, bed): (&[(u16, usize)], Option<u16>),
    inner: Rect,
    buffer: &mut Buffer,
) {
    let mut sunk = 0;
    for moved in marks.moves {
        let Some((from, progress)) = moved.from.zip(moved.progress(marks.now)) else {
            continue;
        };
        let index = efforts(view).find(|(id, _)| *id == moved.id).map(|(_, (index, _))| index);
        let Some(index) = index else { continue };
        let place = places.iter().find(|(_, at)| *at == index).map(|(row, _)| *row);
        // Down to the logs, which hold its words, or up from them.
        let bed = bed.unwrap_or(inner.bottom() - 1);
        let (start, end) = if moved.up { (bed, place.unwrap_or(inner.y)) } else { (from, bed) };
        let way = i64::from(end) - i64::from(start);
        let row = i64::from(start) + way * progress.cast_signed() / 1_000;
        let row = row.clamp(i64::from(inner.y), i64::from(inner.bottom() - 1)) as u16;
        let done = if moved.up { progress } else { 1_000 - progress };
        sunk += if moved.up { 0 } else { moved.tokens * progress / 1_000 };
        if let Some(place) = place.filter(|place| *place != row) {
            clear(Rect { y: place, height: 1, ..inner }, buffer);
        }
        clear(Rect { y: row, height: 1, ..inner }, buffer);
        let sign = if moved.up { "▲" } else { "▼" };
        let tokens = grouped(moved.tokens * done / 1_000);
        let width = usize::from(inner.width);
        let room = width.saturating_sub(tokens.len() + 1);
        let name = text::fit(&format!("{sign} {}", text::one_line(&moved.id)), room);
        let style = theme.accent.add_modifier(Modifier::BOLD);
        buffer.set_stringn(inner.x, row, name, room, style);
        let x = inner.right().saturating_sub(tokens.len() as u16);
        buffer.set_stringn(x, row, &tokens, width, style);
    }
    if let Some(bed) = bed.filter(|_| sunk > 0 && inner.width > 20) {
        let words = format!(" +{} ", grouped(sunk));
        let style = theme.accent.add_modifier(Modifier::BOLD);
        buffer.set_stringn(inner.x + 8, bed, words, 11, style);
    }
}

fn clear(row: Rect, buffer: &mut Buffer) {
    for place in row.intersection(buffer.area).positions() {
        buffer[place].reset();
    }
}
