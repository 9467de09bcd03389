//! What each ink looks like in a theme.

use ratatui::buffer::Buffer;
use ratatui::style::{Modifier, Style};

use crate::tui::ink::{Ink, Styled, Tone};
use crate::tui::theme::Theme;

/// The style of an ink over the style of the text around it. Where a theme has no colours, tones differ
/// by modifiers.
pub fn style(ink: Ink, base: Style, theme: &Theme) -> Style {
    let quiet = |style: Style| style.remove_modifier(Modifier::BOLD);
    let tone = match ink.tone {
        Tone::Plain => Style::new(),
        Tone::Heading => theme.accent,
        Tone::Code => code(theme),
        Tone::Keyword => theme.banner,
        Tone::Literal | Tone::Added => quiet(theme.user),
        Tone::Number => theme.warning,
        Tone::Comment => theme.dim.add_modifier(Modifier::ITALIC),
        Tone::Removed => quiet(theme.error),
        Tone::Link => quiet(theme.accent),
        Tone::Frame => theme.dim,
    };
    base.patch(tone).add_modifier(ink.emphasis)
}

/// Code: in the accent's colour, or bold where there are no colours.
fn code(theme: &Theme) -> Style {
    match theme.accent.fg {
        Some(colour) => Style::new().fg(colour),
        None => theme.strong,
    }
}

/// Draws a text from a column on, over at most `width` columns.
pub fn draw(
    styled: &Styled,
    (mut x, y): (u16, u16),
    width: u16,
    base: Style,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let end = x.saturating_add(width);
    for (part, ink) in styled.parts() {
        let room = usize::from(end.saturating_sub(x));
        (x, _) = buffer.set_stringn(x, y, part, room, style(ink, base, theme));
    }
}
