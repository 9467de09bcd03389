//! The token gauge: what the window costs, by layer, and what it would cost without memory.

mod share;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::llm::Usage;
use crate::memory::{Layer, MemoryView};
use crate::tui::text::{self, grouped};
use crate::tui::theme::Theme;

/// Between two entries of a row.
const SEPARATOR: &str = " · ";

/// Draws the gauge. One row: the numbers. Two: the bar, then the numbers. Three: also what the layers
/// hold, or, where the numbers took all the room, the comparison with the full history.
///
/// With `measured`, what the server counted stands for the total (marked `=`), and the layers are
/// scaled to it; without, the program's own count does (marked `~`). `model_window` is the number of
/// tokens that the model takes.
pub fn render(
    view: &MemoryView,
    measured: Option<Usage>,
    model_window: Option<u64>,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    let area = area.intersection(buffer.area);
    if area.is_empty() {
        return;
    }
    if view.budget.0 == 0 {
        let loading = text::fit("~ counting the window …", usize::from(area.width));
        buffer.set_stringn(area.x, area.y, loading, usize::from(area.width), theme.dim);
        return;
    }
    let gauge = Gauge::new(view, measured, model_window, theme, usize::from(area.width));
    let (numbers, complete) = gauge.numbers();
    let last = if complete { gauge.legend() } else { gauge.savings() };
    let lines = match area.height {
        1 => vec![numbers],
        2 => vec![gauge.bar(), numbers],
        _ => vec![gauge.bar(), numbers, last],
    };
    for (line, row) in lines.iter().zip(area.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
}

/// The letter that stands for a layer in the bar and in the legend.
pub fn letter(layer: Layer) -> char {
    match layer {
        Layer::System => 'S',
        Layer::Tools => 'T',
        Layer::Summaries => 'M',
        Layer::Notes => 'N',
        Layer::Scratchpad => 'P',
        Layer::Ambient => 'A',
        Layer::Expanded => 'E',
        Layer::Open => 'O',
    }
}

/// What all rows of one drawing share.
struct Gauge<'a> {
    view: &'a MemoryView,
    theme: &'a Theme,
    width: usize,
    model_window: Option<u64>,
    /// The mark before the total: measured or estimated.
    mark: char,
    total: u64,
    /// Layers that hold anything, with their tokens; they add up to the total.
    layers: Vec<(Layer, u64)>,
}

impl<'a> Gauge<'a> {
    fn new(
        view: &'a MemoryView,
        measured: Option<Usage>,
        model_window: Option<u64>,
        theme: &'a Theme,
        width: usize,
    ) -> Self {
        let held: Vec<(Layer, u64)> = view
            .layers
            .iter()
            .map(|(layer, tokens)| (layer, tokens.0))
            .filter(|(_, tokens)| *tokens > 0)
            .collect();
        let (mark, total, layers) = match measured {
            Some(usage) => ('=', usage.prompt, share::scale(&held, usage.prompt)),
            None => ('~', view.layers.total().0, held),
        };
        Self { view, theme, width, model_window, mark, total, layers }
    }

    /// The window as a bar: the whole width is the budget.
    fn bar(&self) -> Line<'static> {
        let budget = self.view.budget.0;
        let columns = share::columns(&self.layers, self.total, budget, self.width);
        let mut spans = Vec::new();
        for (layer, count) in columns {
            let part = format!("{}{}", letter(layer), "━".repeat(count.saturating_sub(1)));
            let style = self.theme.layer(layer).add_modifier(Modifier::BOLD);
            spans.push(Span::styled(text::fit(&part, count), style));
        }
        let used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        let soft = share::position(self.view.soft_line.0, budget, self.width);
        let free = |columns: usize| Span::styled("─".repeat(columns), self.theme.border);
        if used <= soft && soft < self.width {
            spans.push(free(soft - used));
            spans.push(Span::styled("┊", self.theme.dim));
            spans.push(free(self.width - soft - 1));
        } else {
            spans.push(free(self.width - used));
        }
        Line::from(spans)
    }

    /// The row of numbers in the longest wording that fits, and whether it compares the window with
    /// the full history.
    fn numbers(&self) -> (Line<'static>, bool) {
        let total = format!("{}{}", self.mark, grouped(self.total));
        let budget = grouped(self.view.budget.0);
        let percent = share::percent(self.total, self.view.budget.0);
        let long = format!(" of {budget} tokens ({percent})");
        let short = format!(" of {budget} ({percent})");
        let model = self.model_window.filter(|window| *window > 0).map(|window| {
            let share = share::percent(self.total, window);
            format!("{SEPARATOR}{share} of the model's {}", grouped(window))
        });
        let with_model = |rest: &str| model.as_ref().map(|model| format!("{rest}{model}"));
        let (long_model, short_model) = (with_model(&long), with_model(&short));
        let [history, full, saved] = self.history();
        let wordings = [
            (long_model.as_deref(), &history),
            (short_model.as_deref(), &history),
            (short_model.as_deref(), &full),
            (Some(&*long), &history),
            (Some(&*long), &full),
            (Some(&*short), &full),
            (Some(&*long), &saved),
            (Some(&*short), &saved),
        ];
        let room = self.width.saturating_sub(text::width(&total));
        for (rest, right) in wordings {
            let Some(rest) = rest else { continue };
            if text::width(rest) + 2 + text::width(right) <= room {
                return (self.number_line(&total, rest, right), true);
            }
        }
        let alone = [long, short, format!(" ({percent})"), String::new()];
        let rest = alone.into_iter().find(|rest| text::width(rest) <= room).unwrap_or_default();
        (self.number_line(&total, &rest, ""), false)
    }

    fn number_line(&self, total: &str, rest: &str, right: &str) -> Line<'static> {
        let style =
            if self.total > self.view.soft_line.0 { self.theme.warning } else { self.theme.text };
        let left = text::width(total) + text::width(rest) + text::width(right);
        Line::from(vec![
            Span::styled(text::fit(total, self.width), style.add_modifier(Modifier::BOLD)),
            Span::styled(rest.to_owned(), self.theme.text),
            Span::raw(" ".repeat(self.width.saturating_sub(left))),
            Span::styled(right.to_owned(), self.theme.dim),
        ])
    }

    /// What sending everything would cost, with what is saved of it; from long to short.
    fn history(&self) -> [String; 3] {
        let (full, counted) = self.view.full_history;
        let saved = share::percent_saved(self.total, full.0);
        let full = format!("{}{}", if counted { "" } else { "over " }, grouped(full.0));
        match saved {
            Some(saved) => [
                format!("full history {full} ({saved} saved)"),
                format!("full {full} ({saved} saved)"),
                format!("{saved} saved"),
            ],
            None => [
                format!("full history {full}"),
                format!("full {full}"),
                "nothing to save yet".to_owned(),
            ],
        }
    }

    /// The comparison on a row of its own.
    fn savings(&self) -> Line<'static> {
        let fits = |wording: &String| text::width(wording) <= self.width;
        Line::styled(self.history().into_iter().find(fits).unwrap_or_default(), self.theme.dim)
    }

    /// The layers with their letters, names and tokens, in the longest wording that fits.
    fn legend(&self) -> Line<'static> {
        let soft = format!("┊ soft line {}", grouped(self.view.soft_line.0));
        let mut entries = self.entries("  ", |layer| format!(" {} ", layer.as_str()));
        if length(&entries) + 2 + text::width(&soft) <= self.width {
            let gap = self.width - length(&entries) - text::width(&soft);
            entries.push(Span::raw(" ".repeat(gap)));
            entries.push(Span::styled(soft, self.theme.dim));
            return Line::from(entries);
        }
        if length(&entries) > self.width {
            entries = self.entries("  ", |_| " ".to_owned());
        }
        if length(&entries) > self.width {
            entries = self.entries(" ", |_| String::new());
        }
        while length(&entries) > self.width {
            // Whole entries only: the gap, the letter, the number.
            entries.truncate(entries.len().saturating_sub(3));
        }
        Line::from(entries)
    }

    fn entries(&self, gap: &'static str, name: impl Fn(Layer) -> String) -> Vec<Span<'static>> {
        let mut entries = Vec::new();
        for &(layer, tokens) in &self.layers {
            let style: Style = self.theme.layer(layer).add_modifier(Modifier::BOLD);
            entries.push(Span::raw(if entries.is_empty() { "" } else { gap }));
            entries.push(Span::styled(letter(layer).to_string(), style));
            let tokens = format!("{}{}", name(layer), grouped(tokens));
            entries.push(Span::styled(tokens, self.theme.dim));
        }
        entries
    }
}

/// Columns of several spans.
fn length(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| text::width(&span.content)).sum()
}
