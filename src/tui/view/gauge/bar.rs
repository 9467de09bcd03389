//! The gauge's bar: a filled segment for each layer with its name in it, and the budget as an edge.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::Gauge;
use crate::counted::grouped;
use crate::memory::{Layer, Tokens};
use crate::text::{self, about};
use crate::tui::share;
use crate::tui::view::plot::{round_up, spans};
use crate::tui::window_layers::{beside_fixed, fixed, look};

/// What came from the cache.
const HATCH: &str = "╱";

/// What fills a segment; its ground has the same colour, because some fonts leave gaps between blocks.
const FULL: &str = "█";

/// From this share of the scale on, in percent, the budget's edge is in view.
const NEAR: u64 = 60;

/// A part of the bar.
struct Segment {
    layer: Layer,
    tokens: u64,
    columns: usize,
}

/// The bar at some moment.
pub(super) struct Bar<'a> {
    gauge: &'a Gauge<'a>,
    width: usize,
    segments: Vec<Segment>,
    /// The tokens that the whole width stands for.
    scale: u64,
}

impl<'a> Bar<'a> {
    pub(super) fn new(gauge: &'a Gauge<'a>, width: usize) -> Self {
        let layers = gauge.layers();
        let total = layers.iter().map(|(_, tokens)| tokens).sum();
        let scale =
            scale(gauge.peak.max(total).max(beside_fixed(&gauge.view.layers)), gauge.room());
        let columns = share::columns(&layers, total, scale, width);
        let segment = |((layer, tokens), (_, columns))| Segment { layer, tokens, columns };
        let segments = layers.into_iter().zip(columns).map(segment).collect();
        Self { gauge, width, segments, scale }
    }

    /// The layers with the columns behind their last ones.
    pub(super) fn ends(&self) -> impl Iterator<Item = (Layer, usize)> {
        self.segments.iter().scan(0, |end, segment| {
            *end += segment.columns;
            Some((segment.layer, *end))
        })
    }

    /// Whether each segment bears its name.
    pub(super) fn tells_all(&self) -> bool {
        self.segments.iter().all(|segment| label(segment).len() > 1)
    }

    /// The segments with their names, and what is free. Where there is no other row of them, what is no name is
    /// hatched as far as it came from the cache.
    pub(super) fn names(&self, alone: bool) -> Line<'static> {
        let cached = if alone { self.cached_columns() } else { 0 };
        let (mut line, mut at) = (Vec::new(), 0);
        for segment in &self.segments {
            let label = label(segment);
            let (style, fill, filled) = self.look(segment.layer);
            let gap = usize::from(segment.columns > text::width(&label) + 1);
            let (from, end) = (at + gap + text::width(&label), at + segment.columns);
            let hatched = cached.clamp(from, end.max(from)) - from;
            line.push(Span::styled(fill.repeat(gap), filled));
            line.push(Span::styled(label, style.add_modifier(Modifier::BOLD)));
            line.push(Span::styled(HATCH.repeat(hatched), style));
            line.push(Span::styled(fill.repeat(end.saturating_sub(from + hatched)), filled));
            at = end;
        }
        line.extend(self.free(true));
        Line::from(line)
    }

    /// The segments without words, hatched as far as they came from the cache.
    pub(super) fn hatched(&self) -> Line<'static> {
        let cached = self.cached_columns();
        let cells = self
            .segments
            .iter()
            .flat_map(|segment| std::iter::repeat_n(self.look(segment.layer), segment.columns));
        let cells =
            cells.enumerate().map(
                |(at, (words, fill, filled))| {
                    if at < cached { (HATCH, words) } else { (fill, filled) }
                },
            );
        let mut line = spans(cells);
        line.extend(self.free(false));
        Line::from(line)
    }

    /// The columns of what came from the cache.
    fn cached_columns(&self) -> usize {
        share::position(self.cached(), self.scale, self.width)
    }

    /// Tokens of the last request that came from the cache, beside prompt and tools.
    fn cached(&self) -> u64 {
        let paid = self.gauge.request.and_then(|request| request.paid);
        let fixed = fixed(&self.gauge.view.layers);
        paid.map_or(0, |paid| paid.read.saturating_sub(fixed))
    }

    /// How words look on a layer's segment, and what fills it.
    fn look(&self, layer: Layer) -> (Style, &'static str, Style) {
        let theme = self.gauge.theme;
        match theme.on_layer(layer).zip(theme.layer(layer).fg) {
            Some((words, ground)) => (words, FULL, Style::new().fg(ground).bg(ground)),
            None => (theme.text, look(layer).texture, theme.text),
        }
    }

    fn used(&self) -> usize {
        self.segments.iter().map(|segment| segment.columns).sum()
    }

    /// What is free up to the end of the scale, with the soft line and the budget where they are in view, else
    /// with how far away the budget is.
    fn free(&self, worded: bool) -> Vec<Span<'static>> {
        let (theme, view, used) = (self.gauge.theme, self.gauge.view, self.used());
        let soft = view.soft_line.saturating_sub(Tokens(fixed(&view.layers))).0;
        let (soft, hard) = (self.place(soft), self.place(self.gauge.room()));
        let sign = |at: usize| match at {
            _ if Some(at) == hard => ("┃", theme.warning),
            _ if hard.is_some_and(|hard| at > hard) => (" ", Style::new()),
            _ if Some(at) == soft => ("┊", theme.dim),
            _ => ("·", theme.border),
        };
        if let Some(far) = self.far().filter(|_| worded) {
            let dots = self.width - used - text::width(&far);
            let mut line = spans((used..used + dots).map(sign));
            line.push(Span::styled(far, theme.dim));
            return line;
        }
        spans((used..self.width).map(sign))
    }

    /// The column of an amount, if it is in view.
    fn place(&self, tokens: u64) -> Option<usize> {
        let place = share::position(tokens, self.scale, self.width).min(self.width - 1);
        (tokens < self.scale).then_some(place)
    }

    /// How far away a budget is that is out of view, where there is room for it beside what flies.
    fn far(&self) -> Option<String> {
        if self.place(self.gauge.room()).is_some() {
            return None;
        }
        let view = self.gauge.view;
        let free = about(self.gauge.room().saturating_sub(beside_fixed(&view.layers)));
        let budget = grouped(view.budget.0);
        let far = [format!(" {free} free to the budget {budget}"), format!(" {free} free")];
        let taken = self.used() + self.flying().map_or(0, |number| text::width(&number));
        far.into_iter().find(|far| taken + text::width(far) < self.width)
    }

    /// The number of what leaves.
    fn flying(&self) -> Option<String> {
        let (flow, now) = self.gauge.flow.as_ref()?;
        flow.lost(*now).map(|lost| format!(" −{} ", grouped(lost)))
    }

    /// The number of what leaves, on its way out of the bar, up to the words at its end.
    pub(super) fn fly(&self, area: Rect, buffer: &mut Buffer) {
        let Some((flow, now)) = &self.gauge.flow else { return };
        let Some(number) = self.flying() else { return };
        let far = self.far().map_or(0, |far| text::width(&far));
        let end = self.width.saturating_sub(text::width(&number) + far);
        let way = end.saturating_sub(self.used()) as u64 * flow.progress(*now) / 1_000;
        let at = (self.used() + way as usize / 2).min(end) as u16;
        let style = self.gauge.theme.warning.add_modifier(Modifier::BOLD);
        buffer.set_stringn(area.x + at, area.y, number, self.width, style);
    }
}

/// What fits into a segment of its name and its tokens; at least the letter.
fn label(segment: &Segment) -> String {
    let name = segment.layer.as_str();
    let texts = [format!("{name} {}", grouped(segment.tokens)), name.to_owned()];
    let fits = texts.into_iter().find(|text| text.len() <= segment.columns);
    fits.unwrap_or_else(|| look(segment.layer).letter.chars().take(segment.columns).collect())
}

/// The tokens that the whole width stands for: what is used with some room, in round numbers so that it moves
/// seldom; once the budget is near, a little more than that.
fn scale(used: u64, room: u64) -> u64 {
    let scale = round_up(used + used / 8 + 1).max(100);
    let near = (u128::from(room) * u128::from(NEAR) / 100) as u64;
    if scale > near { (room + room / 25 + 1).max(used) } else { scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_comes_into_view_as_it_nears() {
        assert_eq!(scale(1_157, 14_650), 1_500);
        assert_eq!(scale(7_000, 14_650), 8_000);
        assert_eq!(scale(9_000, 14_650), 15_237, "from here on it does not move");
        assert_eq!(scale(14_000, 14_650), 15_237);
        assert_eq!(scale(0, 14_650), 100);
        assert_eq!(scale(50_000, 100), 50_000, "what is over the budget is shown all the same");
    }
}
