//! The command palette, in a box over the chat.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Block, Clear, Widget};

use super::over;
use crate::tui::keymap::Keymap;
use crate::tui::palette::Palette;
use crate::tui::text;
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
    palette: &Palette,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) -> Position {
    let area = over::place(screen, WIDEST);
    let height = (MOST_ROWS + 3).min(screen.height);
    let area = Rect { y: screen.y + (screen.height - height) / 3, height, ..area };
    Clear.render(area, buffer);
    let (entries, chosen) = palette.list();
    let count = if entries.len() == 0 {
        "nothing fits".to_owned()
    } else {
        format!("{} of {}", chosen + 1, entries.len())
    };
    Block::bordered()
        .border_style(theme.border_focused)
        .title(" Commands and keys ")
        .title_bottom(format!(" {} ", keymap.fill(&format!("{count}{KEYS}"))))
        .render(area, buffer);
    let inner = Rect {
        x: area.x + 2,
        y: area.y + 1,
        width: area.width.saturating_sub(4),
        height: area.height.saturating_sub(2),
    };
    let room = usize::from(inner.width);
    let query = text::clean(palette.query());
    let shown = format!("> {query}");
    buffer.set_stringn(inner.x, inner.y, &shown, room, theme.accent);
    let rows = usize::from(inner.height.saturating_sub(1));
    let first = (chosen + 1).saturating_sub(rows);
    let places = inner.rows().skip(1);
    for ((nth, entry), row) in entries.enumerate().skip(first).zip(places) {
        let style = if nth == chosen { theme.selection } else { theme.text };
        let name = text::pad(&entry.label, NAMES.min(room / 2));
        let line = text::pad(&format!("{name}  {}", text::one_line(&entry.help)), room);
        buffer.set_stringn(row.x, row.y, line, room, style);
    }
    let column = text::width(&shown).min(room.saturating_sub(1)) as u16;
    Position::new(inner.x + column, inner.y)
}
