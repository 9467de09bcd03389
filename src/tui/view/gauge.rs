//! The token gauge: the window as it is now, by layer, and what it would cost without memory.

mod bar;
mod numbers;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::panel::length;
use crate::counted::grouped;
use crate::memory::{Layer, MemoryView, Tokens};
use crate::orchestrator::Measured;
use crate::text::{self};
use crate::tui::flow::Flow;
use crate::tui::theme::Theme;
use crate::tui::window_layers::{STACKED, fixed, look};

use bar::Bar;
use numbers::Numbers;

/// What the gauge shows.
#[derive(Debug, Clone, Copy)]
pub struct Gauge<'a> {
    /// Memory now, or as it was.
    pub view: &'a MemoryView,
    /// The last request.
    pub request: Option<&'a Measured>,
    /// What the model takes, if that is known.
    pub model_window: Option<u64>,
    /// The most that the window held lately beside prompt and tools: the scale does not change with each turn.
    pub peak: u64,
    /// A change that is being shown, and the time.
    pub flow: Option<(Flow, std::time::Duration)>,
    /// The colours.
    pub theme: &'a Theme,
}

impl Gauge<'_> {
    /// Draws the gauge. One row: the numbers. Two: the bar, then the numbers. Three: the bar is two rows high, or,
    /// where the names of layers do not fit into it, there is a row for them. Four: both.
    ///
    /// The bar shows the window as it is now, beside the prompt and the tools, which everyone pays. The row of
    /// numbers shows the last request: the total as the server measured it (marked `=`) or, where the server says
    /// nothing, as it was counted here (marked `~`); what the next one begins with, if that is something else; and
    /// how much of it came from the cache of the model (`≡` where room is short), marked `~` where that is an
    /// estimate. The part of the bar that came from the cache is hatched.
    ///
    /// Returns the layers of the bar with the columns behind their last ones, for the mouse.
    pub fn render(&self, area: Rect, buffer: &mut Buffer) -> Vec<(Layer, u16)> {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return Vec::new();
        }
        let width = usize::from(area.width);
        if self.view.budget.0 == 0 {
            let loading = text::fit("~ counting the window …", width);
            buffer.set_stringn(area.x, area.y, loading, width, self.theme.dim);
            return Vec::new();
        }
        let bar = Bar::new(self, width);
        let (numbers, complete) = Numbers::new(self, width).line();
        let mut lines = vec![numbers];
        let is_low = area.height < 3 || !complete || area.height == 3 && !bar.tells_all();
        if area.height > 1 {
            lines.insert(0, bar.names(is_low));
        }
        if area.height > 2 {
            let below = match is_low {
                true if !complete => Numbers::new(self, width).savings(),
                true => self.legend(width),
                false => bar.hatched(),
            };
            lines.insert(1, below);
        }
        if area.height > 3 {
            lines.push(self.legend(width));
        }
        for (line, row) in lines.iter().zip(area.rows()) {
            buffer.set_line(row.x, row.y, line, row.width);
        }
        if area.height > 1 {
            bar.fly(Rect { height: 1, ..area }, buffer);
        }
        bar.ends().map(|(layer, end)| (layer, area.x + end as u16)).collect()
    }

    /// The layers with their letters, names and tokens, in the longest wording that fits.
    fn legend(&self, width: usize) -> Line<'static> {
        let soft = format!("┊ soft line {}", grouped(self.view.soft_line.0));
        let mut entries = self.entries("  ", |layer| format!(" {} ", layer.as_str()));
        if length(&entries) + 2 + text::width(&soft) <= width {
            let gap = width - length(&entries) - text::width(&soft);
            entries.push(Span::raw(" ".repeat(gap)));
            entries.push(Span::styled(soft, self.theme.dim));
            return Line::from(entries);
        }
        if length(&entries) > width {
            entries = self.entries("  ", |_| " ".to_owned());
        }
        if length(&entries) > width {
            entries = self.entries(" ", |_| String::new());
        }
        while length(&entries) > width {
            // Whole entries only: the gap, the letter, the number.
            entries.truncate(entries.len().saturating_sub(3));
        }
        Line::from(entries)
    }

    fn entries(&self, gap: &'static str, name: impl Fn(Layer) -> String) -> Vec<Span<'static>> {
        let mut entries = Vec::new();
        for (layer, tokens) in self.view.layers.iter().filter(|(_, tokens)| *tokens > Tokens(0)) {
            let style = self.theme.layer(layer).add_modifier(Modifier::BOLD);
            entries.push(Span::raw(if entries.is_empty() { "" } else { gap }));
            entries.push(Span::styled(look(layer).letter, style));
            let tokens = format!("{}{}", name(layer), grouped(tokens.0));
            entries.push(Span::styled(tokens, self.theme.dim));
        }
        entries
    }

    /// The layers of the bar in the order in which they are sent, with what each holds at this moment.
    fn layers(&self) -> Vec<(Layer, u64)> {
        let held = |layer: Layer| match &self.flow {
            Some((flow, now)) => flow.tokens(layer, *now),
            None => self.view.layers.of(layer).0,
        };
        let stacked = Layer::ALL.into_iter().filter(|layer| STACKED.contains(layer));
        stacked.map(|layer| (layer, held(layer))).filter(|(_, tokens)| *tokens > 0).collect()
    }

    /// What the budget leaves beside prompt and tools.
    fn room(&self) -> u64 {
        self.view.budget.0.saturating_sub(fixed(&self.view.layers)).max(1)
    }
}
