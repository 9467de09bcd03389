//! The conversation.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::tui::text;
use crate::tui::theme::Theme;
use crate::tui::transcript::{BlockKind, Part, Transcript};

/// Longest line of running text; wider ones are hard to read.
const WIDEST: u16 = 110;

/// Draws the rows that fit, and what is new below while scrolled back.
pub fn render(transcript: &mut Transcript, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(2).min(WIDEST), ..area };
    let rows = transcript.visible(usize::from(inner.width), usize::from(inner.height));
    for ((kind, row), line) in rows.into_iter().zip(inner.rows()) {
        let style = style(kind, row.part, theme);
        buffer.set_stringn(line.x, line.y, &row.text, usize::from(line.width), style);
    }
    if let Some(new) = transcript.new_below() {
        below(new, theme, inner, buffer);
    }
}

fn below(new: usize, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let label = if new == 0 {
        " ↓ more below · Ctrl+End ".to_owned()
    } else {
        format!(" ↓ {new} new below · Ctrl+End ")
    };
    let width = u16::try_from(text::width(&label)).unwrap_or(area.width).min(area.width);
    let (x, y) = (area.right() - width, area.bottom().saturating_sub(1));
    buffer.set_stringn(x, y, label, usize::from(width), theme.selection);
}

fn style(kind: BlockKind, part: Part, theme: &Theme) -> Style {
    let label = part == Part::Label;
    match kind {
        BlockKind::User if label => theme.user,
        BlockKind::Assistant if label => theme.assistant,
        BlockKind::Unanswered | BlockKind::Partial if label => theme.warning,
        BlockKind::User | BlockKind::Assistant | BlockKind::Welcome | BlockKind::Info => theme.text,
        BlockKind::Banner => theme.banner,
        BlockKind::Unanswered
        | BlockKind::Partial
        | BlockKind::Tool
        | BlockKind::Reasoning
        | BlockKind::Footnote => theme.dim,
        BlockKind::Error => theme.error,
    }
}
