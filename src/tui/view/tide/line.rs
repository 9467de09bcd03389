//! The line of full history, in thirds of a row, until it leaves the picture.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Chart, is_free, is_sky};
use crate::text::{self, about};
use crate::tui::course::{Point, Span};

/// The line at the bottom, in the middle and at the top of a cell.
const LEVELS: [&str; 3] = ["▁", "─", "▔"];

/// The line where it rises by a row or more.
const STEEP: &str = "╱";

/// Whether a sign is one of the line's.
pub(super) fn is_line(sign: &str) -> bool {
    sign == STEEP || LEVELS.contains(&sign)
}

impl Chart<'_> {
    /// Draws the line where nothing else stands, and its number where it leaves the picture.
    pub(super) fn history(&self, span: &Span, top: u64, area: Rect, buffer: &mut Buffer) {
        let rows = usize::from(area.height);
        let level =
            |column: usize| (self.full_at(span, column) / top as f64 * (rows * 3) as f64) as usize;
        let mut before = level(0);
        for column in 0..span.columns {
            let now = level(column);
            if now >= rows * 3 {
                return self.number(column, area, buffer);
            }
            let steep = now / 3 > before / 3 && now - before > 2;
            let place = (area.x + column as u16, area.bottom() - 1 - (now / 3) as u16);
            let cell = &mut buffer[place];
            if is_sky(cell) {
                let sign = if steep { STEEP } else { LEVELS[now % 3] };
                cell.set_symbol(sign).set_style(self.theme.warning);
            }
            before = now;
        }
    }

    /// What full history costs in a column, between the turns to its sides.
    fn full_at(&self, span: &Span, column: usize) -> f64 {
        let (here, next) = (span.place(column), span.place(column) + 1);
        // Never below the window, which holds lists besides, and words that are in no log yet.
        let above = |point: &Point| point.full.max(point.window()) as f64;
        let full = |place: usize| self.course.point(place).map(above);
        let (Some(now), first) = (full(here), span.column(here).unwrap_or(column)) else {
            return 0.0;
        };
        let then = full(next).unwrap_or(now);
        let wide = span.column(next).unwrap_or(span.columns).saturating_sub(first).max(1);
        now + (then - now) * column.saturating_sub(first) as f64 / wide as f64
    }

    /// `↗ 41.2k full history`, from where the line leaves the picture.
    fn number(&self, left: usize, area: Rect, buffer: &mut Buffer) {
        let Some(point) = self.shown() else { return };
        let width = usize::from(area.width);
        let texts =
            [format!("↗ {} full history", about(point.full)), format!("↗ {}", about(point.full))];
        // In the sky: from where the line goes on, as long as nothing stands there.
        let at =
            |text: &String| width.checked_sub(text::width(text)).map(|last| last.min(left + 1));
        let fits = |text: &&String| {
            at(text).is_some_and(|from| {
                (from..from + text::width(text))
                    .all(|column| is_free(&buffer[(area.x + column as u16, area.y)]))
            })
        };
        let Some(text) = texts.iter().find(fits) else { return };
        let from = at(text).unwrap_or(0);
        buffer.set_stringn(area.x + from as u16, area.y, text, width, self.theme.warning);
    }
}
