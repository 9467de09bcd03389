//! Help, the window inspector and one item in full, in a box over everything else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::frame::{frame, place};
use crate::counted::noun;
use crate::text;
use crate::tui::app::{LineStyle, Listing};
use crate::tui::keymap::Keymap;
use crate::tui::theme::Theme;

/// Widest box; wider text is hard to read.
const WIDEST: u16 = 110;

/// Widest box of two columns, and the narrowest that has two.
const WIDEST_OF_TWO: u16 = 200;
const TWO_COLUMNS: u16 = 140;

/// Columns between the two.
const GAP: u16 = 3;

/// Draws the box with what fits of its lines. The help has two columns where there is room.
pub fn render(
    listing: &mut Listing,
    keymap: &Keymap,
    theme: &Theme,
    screen: Rect,
    buffer: &mut Buffer,
) {
    let in_two = listing.is_help() && screen.width >= TWO_COLUMNS;
    let area =
        if in_two { place(screen, WIDEST_OF_TWO.min(screen.width)) } else { place(screen, WIDEST) };
    let (keys, is_written) = (keymap.fill(listing.hints()), listing.is_being_filtered());
    let (width, height) = (area.width.saturating_sub(4), area.height.saturating_sub(2));
    let title = format!(" {} ", listing.title(width.into(), keymap));
    let columns = if in_two { 2 } else { 1 };
    let column = (width - GAP * (columns - 1)) / columns;
    let rows = usize::from(height);
    let (lines, above, below) =
        listing.visible(usize::from(column), rows * usize::from(columns), keymap);
    let place = match (above, below) {
        (0, 0) => String::new(),
        (_, 0) => "end · ".to_owned(),
        (_, below) => format!("{below} more {} · ", noun(below as u64, "line")),
    };
    // That there is more is worth more than the keys between; who writes a filter looks for how it ends.
    let whole = format!("{place}{keys}");
    let fits = text::width(&whole) <= width.into() || !is_written;
    let foot = text::fit_keys(if fits { &whole } else { &keys }, width.into());
    let foot = if foot.is_empty() { foot } else { format!(" {foot} ") };
    let inner = frame(title, foot, theme, area, buffer);
    for (at, (style, line)) in lines.iter().enumerate() {
        let (nth, row) = ((at / rows) as u16, (at % rows) as u16);
        let (x, y) = (inner.x + nth * (column + GAP), inner.y + row);
        buffer.set_stringn(x, y, line, usize::from(column), look(*style, theme));
        if let LineStyle::Layer(layer) = style {
            colour_bar(Rect::new(x, y, column, 1), theme.layer(*layer), buffer);
        }
    }
}

/// Gives a bar its colour; the words beside it keep the contrast of words.
fn colour_bar(area: Rect, style: Style, buffer: &mut Buffer) {
    for place in area.intersection(buffer.area).positions() {
        let cell = &mut buffer[place];
        if cell.symbol().starts_with(|sign| ('\u{2580}'..='\u{259f}').contains(&sign)) {
            cell.set_style(style);
        }
    }
}

fn look(style: LineStyle, theme: &Theme) -> Style {
    match style {
        LineStyle::Heading => theme.strong,
        LineStyle::Plain | LineStyle::Layer(_) => theme.text,
        LineStyle::Dim => theme.dim,
        LineStyle::New => theme.accent,
        LineStyle::Gone => theme.warning,
    }
}
