//! The list of commands above the message line.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Clear, Widget};

use crate::text;
use crate::tui::completion::Completion;
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

const MOST_ROWS: usize = 8;

/// Draws the list at the bottom of `above`, the room between the status line and the message line.
pub fn render(
    completion: &Completion,
    keymap: &Keymap,
    theme: &Theme,
    above: Rect,
    buffer: &mut Buffer,
) {
    if !completion.is_open() || above.height < 3 {
        return;
    }
    let (offers, mut selected) = completion.list();
    let rows = offers.len().min(MOST_ROWS).min(usize::from(above.height - 2));
    let height = rows as u16 + 2;
    let width = above.width.min(90);
    let area = Rect { y: above.bottom() - height, height, width, ..above };
    Clear.render(area, buffer);
    let more = offers.len().saturating_sub(rows);
    let count =
        if more > 0 { format!(" {} of {} ", selected.at + 1, offers.len()) } else { String::new() };
    let keys = keymap.fill("{input.complete} completes · {input.cancel} closes");
    let block = Block::bordered()
        .border_style(theme.border)
        .title_bottom(format!(" {keys}{} ", count.trim_end()));
    let inner = block.inner(area);
    block.render(area, buffer);
    let shown = selected.show(offers.len(), inner);
    let names = offers.iter().map(|offer| text::width(&offer.label)).max().unwrap_or(0).min(30);
    for ((nth, offer), row) in offers.iter().enumerate().skip(shown.start).zip(inner.rows()) {
        let label = text::one_line(&offer.label);
        let help = text::one_line(&offer.help);
        let style = if nth == selected.at { theme.selection } else { theme.text };
        let width = usize::from(row.width);
        let line = text::pad(&format!("{}  {help}", text::pad(&label, names)), width);
        buffer.set_stringn(row.x, row.y, line, width, style);
    }
}
