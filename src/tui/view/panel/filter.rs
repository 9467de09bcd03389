//! The panel's filter: what is listed while it is set, and the row that shows it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::PanelState;
use crate::memory::{ItemView, MemoryView, NoteView, TextView};
use crate::text;
use crate::tui::theme::Theme;

/// Memory with only those items that hold all the words, in their id, summary, tags or text.
pub fn filtered(view: &MemoryView, words: &str) -> MemoryView {
    let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
    let holds = |text: String| {
        let text = text.to_lowercase();
        words.iter().all(|word| text.contains(word.as_str()))
    };
    let effort = |item: &ItemView| {
        holds(format!("{} {}", item.id, item.summary.as_deref().unwrap_or_default()))
    };
    let note = |view: &NoteView| {
        let note = &view.note;
        holds(format!("{} {} {}", note.id, note.content, note.tags.join(" ")))
    };
    let mut view = view.clone();
    for items in [&mut view.open, &mut view.expanded, &mut view.warm, &mut view.manifest.recent] {
        items.retain(effort);
    }
    view.notes.session.retain(note);
    view.notes.permanent.retain(note);
    view.scratchpad
        .0
        .retain(|TextView { item, .. }| holds(format!("ref:{} {}", item.key, item.description)));
    view.scratchpad.1 = view.scratchpad.0.len();
    view
}

/// Draws the filter into the last row, if there is one, and returns what is left of the area.
pub(super) fn render(state: &PanelState, theme: &Theme, area: Rect, buffer: &mut Buffer) -> Rect {
    let filter = &state.filter;
    if !filter.is_set() || area.height <= 3 {
        return area;
    }
    let hint = if filter.is_writing() { &state.hints.writing } else { &state.hints.standing };
    let (row, width) = (area.bottom() - 1, usize::from(area.width));
    let line = format!("/{}", filter.shown(width.saturating_sub(1)));
    buffer.set_stringn(area.x, row, &line, width, theme.accent);
    let used = text::width(&line) + 2;
    if used + text::width(hint) <= width {
        buffer.set_stringn(area.x + used as u16, row, hint, width - used, theme.dim);
    }
    Rect { height: area.height - 1, ..area }
}
