//! The conversation.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::ink;
use crate::text;
use crate::tui::app::CHOSEN_OFFER;
use crate::tui::ink::Joint;
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;
use crate::tui::transcript::{BlockKind, INDENT, Part, Shown, Transcript};

/// Longest line of running text; wider ones are hard to read.
pub const WIDEST: u16 = 100;

/// What is told of a message that the model no longer gets word for word.
const OUTSIDE: &str = " · outside the window";

/// What marks its rows.
const OUTSIDE_SIGN: char = '┊';

/// Where the words of a rule begin.
const RULE_START: usize = 4;

/// What stands before a block that keys have chosen.
const CHOSEN: &str = "┃";

/// A match besides the one that is shown.
const FOUND: Style = Style::new().add_modifier(Modifier::UNDERLINED.union(Modifier::BOLD));

/// Draws the rows that fit, and what is new below while scrolled back.
pub fn render(
    transcript: &mut Transcript,
    keymap: &Keymap,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let inner = inner(area);
    let rows = transcript.visible(usize::from(inner.width), usize::from(inner.height));
    let mut before = true;
    let mut is_offer = false;
    for (shown, line) in rows.iter().zip(inner.rows()) {
        row(shown, before, theme, line, buffer);
        over(shown, theme, line, buffer);
        let text = shown.row.line.styled.text();
        if shown.kind == BlockKind::Welcome && (is_offer || text.starts_with(CHOSEN_OFFER)) {
            buffer.set_style(line, Style::reset().patch(theme.selection));
            // It may take several rows.
            is_offer = shown.row.line.joint != Joint::LineEnd;
        }
        before = if shown.kind.is_said() { shown.in_window } else { before };
    }
    if let Some(new) = transcript.new_below() {
        below(new, keymap, theme, inner, buffer);
    }
}

/// The part of the chat's area that text stands in.
pub fn inner(area: Rect) -> Rect {
    Rect { x: area.x + 1, width: area.width.saturating_sub(2).min(WIDEST), ..area }
}

/// Draws a row. `before` tells whether what was said before it is in the window: where that ends, there is a word.
fn row(shown: &Shown<'_>, before: bool, theme: &Theme, place: Rect, buffer: &mut Buffer) {
    let mut base = style(shown.kind, shown.row.part, theme);
    if !shown.in_window {
        base = theme.dim;
    }
    let styled = &shown.row.line.styled;
    let indent = INDENT as u16;
    match shown.row.part {
        Part::Gap => {}
        Part::Label => {
            ink::draw(styled, (place.x, place.y), place.width, base, theme, buffer);
            let mut x = place.x + (styled.width() as u16).min(place.width);
            let room = |x: u16| usize::from(place.right() - x);
            if !shown.in_window && before {
                (x, _) = buffer.set_stringn(x, place.y, OUTSIDE, room(x), theme.dim);
            }
            if let Some(aside) = shown.aside.and_then(|aside| shortened(aside, room(x))) {
                let from = place.right() - text::width(aside) as u16;
                buffer.set_stringn(from, place.y, aside, room(from), theme.dim);
            }
        }
        Part::Rule => rule(styled.text(), base, theme, place, buffer),
        Part::Body => {
            let sign = if shown.in_window { shown.row.sign } else { OUTSIDE_SIGN };
            let sign = if !shown.in_window && !shown.begins { ' ' } else { sign };
            buffer.set_stringn(place.x, place.y, sign.to_string(), usize::from(place.width), base);
            let room = place.width.saturating_sub(indent);
            ink::draw(styled, (place.x + indent, place.y), room, base, theme, buffer);
            if !shown.in_window {
                // One colour for all of it, that can still be read.
                buffer.set_style(place, theme.dim);
            }
        }
    }
}

/// As many of the parts of a text as fit behind a gap, from its beginning.
fn shortened(aside: &str, room: usize) -> Option<&str> {
    let cuts = aside.rmatch_indices(" · ").map(|(at, _)| at);
    let parts = std::iter::once(aside.len()).chain(cuts).map(|end| &aside[..end]);
    parts.into_iter().find(|part| text::width(part) + 2 <= room)
}

/// What lies over a row: that its block is chosen, what a search found, what the mouse marked.
fn over(shown: &Shown<'_>, theme: &Theme, place: Rect, buffer: &mut Buffer) {
    if shown.chosen && shown.row.part != Part::Gap {
        buffer.set_stringn(place.x.saturating_sub(1), place.y, CHOSEN, 1, theme.border_focused);
    }
    let text = shown.row.line.styled.text();
    let offset = shown.row.offset() + if shown.row.part == Part::Rule { RULE_START } else { 0 };
    let mut paint = |columns: Range<usize>, style: Style| {
        let start = columns.start.min(usize::from(place.width)) as u16;
        let end = columns.end.min(usize::from(place.width)) as u16;
        let area = Rect { x: place.x + start, width: end.saturating_sub(start), ..place };
        buffer.set_style(area, style);
    };
    for (bytes, current) in &shown.found {
        let start = offset + text::width(text.get(..bytes.start).unwrap_or_default());
        let end = start + text::width(text.get(bytes.clone()).unwrap_or_default());
        let style = if *current { theme.selection } else { FOUND };
        paint(start..end, style);
    }
    if let Some(columns) = &shown.marked {
        let frame = text::width(text.get(..shown.row.line.frame).unwrap_or_default());
        let end = columns.end.min(offset + text::width(text));
        paint(columns.start.max(offset + frame)..end, theme.selection);
    }
}

/// A line across the chat with words near its beginning.
fn rule(words: &str, style: Style, theme: &Theme, place: Rect, buffer: &mut Buffer) {
    let width = usize::from(place.width);
    let words = text::fit(words, width.saturating_sub(RULE_START + 2));
    let (before, after) = ("─".repeat(RULE_START - 1), "─".repeat(width));
    let mut x = place.x;
    for (part, style) in [(&*before, theme.border), (" ", style), (&words, style), (" ", style)] {
        (x, _) = buffer.set_stringn(x, place.y, part, usize::from(place.right() - x), style);
    }
    buffer.set_stringn(x, place.y, after, usize::from(place.right() - x), theme.border);
}

fn below(new: usize, keymap: &Keymap, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let label = if new == 0 { "↓ more below".to_owned() } else { format!("↓ {new} new below") };
    let label = format!(" {} ", keymap.fill(&format!("{label} · {{global.bottom}}")));
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
        BlockKind::Banner | BlockKind::Divider | BlockKind::Summary => theme.banner,
        BlockKind::Unanswered
        | BlockKind::Partial
        | BlockKind::Tool
        | BlockKind::Reasoning
        | BlockKind::Footnote => theme.dim,
        BlockKind::Error => theme.error,
    }
}
