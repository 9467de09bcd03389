//! The command palette, in a box over the chat.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::frame::{frame, place};
use crate::text;
use crate::tui::app::Palette;
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

/// What the keys do.
const KEYS: &str = " · {palette.send} runs · {palette.cancel} closes";

/// Widest box.
const WIDEST: u16 = 90;

/// Most entries on screen.
const MOST_ROWS: u16 = 14;

/// Columns of the names; longer ones are cut.
const NAMES: usize = 30;

/// Draws the box; returns where the cursor stands.
pub fn render(
    palette: &mut Palette,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) -> Position {
    let area = place(screen, WIDEST);
    let height = (MOST_ROWS + 3).min(screen.height);
    let area = Rect { y: screen.y + (screen.height - height) / 3, height, ..area };
    let query = palette.query().clone();
    let (entries, chosen) = palette.entries();
    let count = if entries.len() == 0 {
        "nothing fits".to_owned()
    } else {
        format!("{} of {}", chosen.at + 1, entries.len())
    };
    let keys = format!(" {} ", keymap.fill(&format!("{count}{KEYS}")));
    let inner = frame(" Commands and keys ", keys, theme, area, buffer);
    let room = usize::from(inner.width);
    let (shown, column) = query.view(room.saturating_sub(3));
    buffer.set_stringn(inner.x, inner.y, format!("> {shown}"), room, theme.accent);
    let list = Rect { y: inner.y + 1, height: inner.height.saturating_sub(1), ..inner };
    let first = chosen.show(entries.len(), list).start;
    for ((nth, entry), row) in entries.enumerate().skip(first).zip(list.rows()) {
        let style = if nth == chosen.at { theme.selection } else { theme.text };
        let name = text::pad(&entry.label, NAMES.min(room / 2));
        let line = text::pad(&format!("{name}  {}", text::one_line(&entry.help)), room);
        buffer.set_stringn(row.x, row.y, line, room, style);
    }
    Position::new(inner.x + 2 + column as u16, inner.y)
}
