//! The tide chart: the window over the last turns as a stacked area by layer, full history as a line that rises
//! out of the picture, and a mark on each turn in which memory did something.
//!
//! Prompt and tools are left out of both: everyone pays them. A frame reads only the turns in its columns.

mod line;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::plot::{FILLED, eighths, round_up};
use crate::counted::grouped;
use crate::memory::{Layer, Turn};
use crate::text::{self, about};
use crate::tui::compacted::{self, Compactions};
use crate::tui::course::{ChartPlace, Course, Point, Span};
use crate::tui::theme::Theme;
use crate::tui::window_layers::{STACKED, look};

/// From so many rows on the chart has a heading, and from so many the signs are explained.
const WITH_HEADING: u16 = 4;
const WITH_LEGEND: u16 = 8;

/// With fewer columns than this nothing is explained.
const LEGEND: usize = 20;

/// The signs of the marks: concluded, left, came back.
const SIGNS: [&str; 3] = ["◆", "▼", "▲"];

/// What is drawn.
#[derive(Debug, Clone, Copy)]
pub struct Chart<'a> {
    /// The turns.
    pub course: &'a Course,
    /// Where another program compacted the conversation.
    pub compactions: &'a Compactions,
    /// The turn that is looked at, if it is not now.
    pub chosen: Option<Turn>,
    /// That turn as it was when it had ended: the last column is what memory is now. One before all others has none.
    pub then: Option<Point>,
    /// The colours.
    pub theme: &'a Theme,
    /// Without blocks: letters fill the areas.
    pub ascii: bool,
}

impl Chart<'_> {
    /// Draws the chart and returns where it stands, for the mouse.
    pub fn render(&self, area: Rect, buffer: &mut Buffer) -> ChartPlace {
        let area = area.intersection(buffer.area);
        let span = Span::of(self.course, self.chosen, usize::from(area.width));
        let place = ChartPlace { area, span };
        if area.is_empty() {
            return place;
        }
        let [heading, legend] =
            [WITH_HEADING, WITH_LEGEND].map(|from| u16::from(area.height >= from));
        let marks = u16::from(area.height >= 2);
        let plot =
            Rect { y: area.y + heading, height: area.height - heading - marks - legend, ..area };
        if heading > 0 {
            self.heading(&span, area, buffer);
        }
        self.plot(&span, plot, buffer);
        if marks > 0 {
            self.marks(&span, Rect { y: plot.bottom(), height: 1, ..area }, buffer);
        }
        if legend > 0 {
            self.legend(&span, Rect { y: area.bottom() - 1, height: 1, ..area }, buffer);
        }
        place
    }

    /// Draws the chart in one row, with what it comes to behind it: `TIDE ▁▂▇▁▁▂ 1,157 of 4.0k`.
    pub fn render_line(&self, area: Rect, buffer: &mut Buffer) -> ChartPlace {
        let told = self.shown().map(short).unwrap_or_default();
        let (right, width) = (text::width(&told) as u16, usize::from(area.width));
        let (x, _) = buffer.set_stringn(area.x, area.y, "TIDE ", width, self.theme.strong);
        let plot = Rect { x, width: area.right().saturating_sub(x + right + 1), ..area };
        let from = area.right().saturating_sub(right);
        buffer.set_stringn(from, area.y, told, usize::from(right), self.theme.text);
        self.render(plot, buffer)
    }

    /// The turn that is looked at, or the last one.
    fn shown(&self) -> Option<&Point> {
        if self.then.is_some() || self.chosen.is_some_and(|turn| self.course.begins_after(turn)) {
            return self.then.as_ref();
        }
        let at = self.chosen.map_or(usize::MAX, |turn| self.course.place_of(turn));
        self.course.point(at.min(self.course.len().checked_sub(1)?))
    }

    /// The place of the turn that is looked at, if it is among those that have one.
    fn place(&self) -> Option<usize> {
        let turn = self.chosen.filter(|turn| !self.course.begins_after(*turn));
        turn.map(|turn| self.course.place_of(turn))
    }

    /// `TIDE ─────── window 1,157 of 4,012 ever said`
    fn heading(&self, span: &Span, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        let name = match self.chosen {
            Some(turn) => format!("TURN {turn}"),
            None => "TIDE".to_owned(),
        };
        let shown = self.shown();
        let (window, full) = shown.map_or((0, 0), |point| (point.window(), point.full));
        let long = format!("window {} of {} tokens", grouped(window), grouped(full));
        let mut texts = vec![format!("{long} said so far"), long];
        // Until memory saves something, `67 of 67` would say of the rest of the window that somebody said it.
        if full <= window {
            texts = vec![format!("window {} tokens", grouped(window))];
        }
        texts.extend(shown.map(short));
        texts.push(about(window));
        let room = width.saturating_sub(text::width(&name) + 3);
        let is_told = span.columns > 0 && shown.is_some();
        let told = texts.into_iter().find(|text| text::width(text) <= room && is_told);
        let told = told.unwrap_or_default();
        let gaps = 1 + usize::from(!told.is_empty());
        let rule = width.saturating_sub(text::width(&name) + text::width(&told) + gaps);
        let style = if self.chosen.is_some() { self.theme.warning } else { self.theme.strong };
        let (x, _) = buffer.set_stringn(area.x, area.y, &name, width, style);
        let rule = format!(" {} ", "─".repeat(rule));
        let (x, _) =
            buffer.set_stringn(x, area.y, rule, usize::from(area.right() - x), self.theme.border);
        buffer.set_stringn(x, area.y, told, usize::from(area.right() - x), self.theme.text);
    }

    fn plot(&self, span: &Span, area: Rect, buffer: &mut Buffer) {
        if area.is_empty() || span.columns == 0 {
            let texts = ["the chart begins with the first turn", "begins with turn 1"];
            let fits = |text: &&str| text.len() <= usize::from(area.width);
            let words = texts.into_iter().find(fits).unwrap_or_default();
            buffer.set_stringn(area.x, area.y, words, usize::from(area.width), self.theme.dim);
            return;
        }
        let peak = span.points(self.course).map(Point::window).max().unwrap_or(0);
        let top = round_up((peak + peak / 6).max(1));
        for column in 0..span.columns {
            let Some(point) = self.course.point(span.place(column)) else { continue };
            let x = area.x + column as u16;
            let heights = heights(point, top, usize::from(area.height));
            for row in 0..area.height {
                let y = area.bottom() - 1 - row;
                let (sign, style) = self.cell(&heights, usize::from(row) * 8);
                buffer.set_string(x, y, sign, style);
            }
        }
        self.history(span, top, area, buffer);
        self.ruler(span, area, buffer);
    }

    /// A cell that begins at a height: the layer at its bottom fills it up to where it ends, what has most of the
    /// rest is its ground.
    fn cell(&self, heights: &[usize], bottom: usize) -> (&'static str, Style) {
        let layer_at = |height: usize| heights.iter().position(|end| height < *end);
        let Some(first) = layer_at(bottom) else { return (" ", Style::new()) };
        let end = heights[first].min(bottom + 8);
        let middle = (end + bottom + 8) / 2;
        let above = if end < bottom + 8 { layer_at(middle) } else { None };
        let (below, part) = (STACKED[first], end - bottom);
        let Some(colour) = self.theme.layer(below).fg.filter(|_| !self.ascii) else {
            let most = if part >= 4 { Some(first) } else { above };
            return (most.map_or(" ", |at| self.texture(STACKED[at])), Style::new());
        };
        if part == 8 {
            // The ground as well: some fonts leave gaps between full blocks.
            return (FILLED[8], Style::new().fg(colour).bg(colour));
        }
        let style = Style::new().fg(colour);
        let ground = above.and_then(|above| self.theme.layer(STACKED[above]).fg);
        (FILLED[part], ground.map_or(style, |ground| style.bg(ground)))
    }

    fn texture(&self, layer: Layer) -> &'static str {
        if self.ascii { look(layer).letter } else { look(layer).texture }
    }

    /// The line that stands in the turn that is looked at.
    fn ruler(&self, span: &Span, area: Rect, buffer: &mut Buffer) {
        let Some(column) = self.place().and_then(|place| span.column(place)) else { return };
        for y in area.y..area.bottom() {
            let cell = &mut buffer[(area.x + column as u16, y)];
            if is_free(cell) {
                cell.set_symbol("┊").set_style(self.theme.warning);
            }
        }
    }

    fn marks(&self, span: &Span, area: Rect, buffer: &mut Buffer) {
        let width = usize::from(area.width);
        buffer.set_stringn(area.x, area.y, "─".repeat(width), width, self.theme.border);
        let mut set = |place: usize, sign: &str, style: Style| {
            if let Some(column) = span.column(place) {
                buffer.set_stringn(area.x + column as u16, area.y, sign, 1, style);
            }
        };
        for point in span.points(self.course) {
            let (marks, [concluded, left, returned]) = (self.course.marks(point.turn), SIGNS);
            let place = self.course.place_of(point.turn);
            let strong = |layer| self.theme.layer(layer).add_modifier(Modifier::BOLD);
            match marks {
                // What ends and what goes is what a reader looks for: it comes back often in a turn in which others leave.
                _ if marks.concluded => set(place, concluded, strong(Layer::Summaries)),
                _ if marks.left => set(place, left, strong(Layer::Ambient)),
                _ if marks.returned => set(place, returned, strong(Layer::Expanded)),
                _ => {}
            }
        }
        for one in self.compactions.iter() {
            set(self.course.place_of(one.turn), compacted::SIGN, self.theme.error);
        }
        if let Some(place) = self.place() {
            set(place, "┃", self.theme.warning);
        }
    }

    /// The first and the last turn, and what the signs mean.
    fn legend(&self, span: &Span, area: Rect, buffer: &mut Buffer) {
        let mut points = span.points(self.course).map(|point| point.turn);
        let (Some(first), width) = (points.next(), usize::from(area.width)) else { return };
        if width < LEGEND {
            return;
        }
        let last = points.last().unwrap_or(first);
        let last = if last == first { String::new() } else { last.to_string() };
        let first = format!("turn {first}");
        let [concluded, left, returned] = SIGNS;
        let theirs = |words: &str| match self.compactions.iter().next() {
            Some(_) => format!("  {}{words}", compacted::SIGN),
            None => String::new(),
        };
        let texts = [
            format!(
                "{concluded} concluded  {left} left  {returned} came back{}",
                theirs(" they compacted")
            ),
            format!("{concluded} done {left} left {returned} back{}", theirs(" theirs")),
        ];
        let room = width.saturating_sub(first.len() + last.len() + 4);
        let words = texts.into_iter().find(|text| text::width(text) <= room).unwrap_or_default();
        let right = span.columns.max(first.len() + text::width(&words) + last.len() + 4).min(width);
        let middle = first.len() + (right - first.len() - last.len() - text::width(&words)) / 2;
        for (at, words) in [(0, first), (middle, words), (right - last.len(), last)] {
            buffer.set_stringn(area.x + at as u16, area.y, words, width - at, self.theme.dim);
        }
    }
}

/// Whether nothing stands in a cell.
fn is_sky(cell: &Cell) -> bool {
    cell.symbol() == " "
}

/// Whether nothing but the line stands in a cell: a thin layer looks like it, but has a ground.
fn is_free(cell: &Cell) -> bool {
    is_sky(cell) || line::is_line(cell.symbol()) && cell.bg == Color::Reset
}

/// Where each layer of the stack ends, in eighths from the bottom.
fn heights(point: &Point, top: u64, rows: usize) -> [usize; STACKED.len()] {
    let mut sum = 0;
    STACKED.map(|layer| {
        sum += point.layers.of(layer).0;
        eighths(sum as f64, top as f64, rows)
    })
}

/// `1.1k of 4.0k`; only the window's tokens where no more was said than it holds.
fn short(point: &Point) -> String {
    let window = about(point.window());
    if point.full > point.window() { format!("{window} of {}", about(point.full)) } else { window }
}
