//! The token gauge: what the window costs, by layer, and what it would cost without memory.

mod share;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::bill::Paid;
use crate::memory::{Layer, MemoryView};
use crate::orchestrator::{Cut, Measured};
use crate::tui::text::{self, grouped};
use crate::tui::theme::Theme;

/// Between two entries of a row.
const SEPARATOR: &str = " · ";

/// Draws the gauge. One row: the numbers. Two: the bar, then the numbers. Three: also what the layers
/// hold, or, where the numbers took all the room, the comparison with the full history.
///
/// After a request it shows that request as the last one: the total as the server measured it (marked `=`)
/// with the layers scaled to it, or, where the server says nothing, as it was counted here (marked `~`); and
/// what the next one begins with, if that is something else; and how much of it came from the cache of the model
/// (`≡` where room is short), marked `~` where that is an estimate. Before the first request it shows the window.
///
/// The denominator is what the model takes, if that is known, else the budget. The bar marks the soft
/// line with `┊` and the hard line with `┃`; see [`scale_end`] for what its width stands for.
pub fn render(
    view: &MemoryView,
    request: Option<&Measured>,
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
    let gauge = Gauge::new(view, request, model_window, theme, usize::from(area.width));
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
        Layer::Lists => 'L',
        Layer::Notes => 'N',
        Layer::Scratchpad => 'P',
        Layer::Ambient => 'A',
        Layer::Expanded => 'E',
        Layer::Open => 'O',
    }
}

/// The tokens that the whole width of the bar stands for: what the model takes, if that is known and at
/// most twice the budget. A window of 128,000 tokens would leave a budget of 16,000 an eighth of the bar,
/// so the bar of a larger one ends a quarter behind the hard line; the numbers still name the whole.
pub fn scale_end(budget: u64, model_window: Option<u64>) -> u64 {
    let Some(window) = model_window else { return budget };
    if window <= budget.saturating_mul(2) { window.max(1) } else { budget + budget / 4 }
}

/// The alarm, from long to short.
fn alarms(cut: Cut) -> [String; 3] {
    let sent = grouped(cut.sent.0);
    [
        format!("! the server read less than the ~{sent} tokens sent: it cut the prompt"),
        format!("! prompt cut: ~{sent} sent"),
        "! prompt cut".to_owned(),
    ]
}

/// What came from the cache, long and short; nothing of a request without a prompt.
fn cached(paid: &Paid) -> Option<[String; 2]> {
    let about = if paid.estimated { "~" } else { "" };
    let prompt = Some(paid.prompt()).filter(|prompt| *prompt > 0)?;
    let share = share::percent(paid.read, prompt);
    Some([format!("{SEPARATOR}{about}{share} cached"), format!("{SEPARATOR}≡{about}{share}")])
}

/// What all rows of one drawing share.
struct Gauge<'a> {
    view: &'a MemoryView,
    theme: &'a Theme,
    width: usize,
    model_window: Option<u64>,
    /// Why the last request is an alarm.
    cut: Option<Cut>,
    /// What the next request begins with, if a request is shown that cost something else.
    next: Option<u64>,
    /// What came from the cache of the model, long and short; nothing while that is unknown.
    cached: Option<[String; 2]>,
    /// What stands before the total: `last` for a request, and whether it was measured or estimated.
    mark: &'static str,
    total: u64,
    /// Layers that hold anything, with their tokens; they add up to the total.
    layers: Vec<(Layer, u64)>,
}

impl<'a> Gauge<'a> {
    fn new(
        view: &'a MemoryView,
        request: Option<&Measured>,
        model_window: Option<u64>,
        theme: &'a Theme,
        width: usize,
    ) -> Self {
        let request = request.filter(|request| request.layers.total().0 > 0);
        let shown = request.map_or(view.layers, |request| request.layers);
        let held: Vec<(Layer, u64)> = shown
            .iter()
            .map(|(layer, tokens)| (layer, tokens.0))
            .filter(|(_, tokens)| *tokens > 0)
            .collect();
        let usage = request.and_then(|request| request.usage).filter(|usage| usage.prompt > 0);
        let (mark, total, layers) = match usage {
            Some(usage) => ("last =", usage.prompt, share::scale(&held, usage.prompt)),
            None if request.is_some() => ("last ~", shown.total().0, held),
            None => ("~", shown.total().0, held),
        };
        let now = view.layers.total().0;
        let next = request.map(|_| now).filter(|next| *next != shown.total().0);
        let cut = request.and_then(Measured::cut);
        let cached = request.and_then(|request| request.paid).as_ref().and_then(cached);
        let model_window = model_window.filter(|window| *window > 0);
        Self { view, theme, width, model_window, cut, next, cached, mark, total, layers }
    }

    /// The window as a bar with both lines.
    fn bar(&self) -> Line<'static> {
        let whole = scale_end(self.view.budget.0, self.model_window);
        let columns = share::columns(&self.layers, self.total, whole, self.width);
        let mut spans = Vec::new();
        for (layer, count) in columns {
            let part = format!("{}{}", letter(layer), "━".repeat(count.saturating_sub(1)));
            let style = self.theme.layer(layer).add_modifier(Modifier::BOLD);
            spans.push(Span::styled(text::fit(&part, count), style));
        }
        let mut used: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        let place = |tokens: u64| {
            share::position(tokens, whole, self.width).min(self.width.saturating_sub(1))
        };
        let lines = [
            (place(self.view.soft_line.0), "┊", self.theme.dim),
            (place(self.view.budget.0), "┃", self.theme.warning),
        ];
        let free = |columns: usize| Span::styled("─".repeat(columns), self.theme.border);
        for (at, sign, style) in lines.into_iter().filter(|(at, ..)| *at < self.width) {
            if used <= at {
                spans.push(free(at - used));
                spans.push(Span::styled(sign, style));
                used = at + 1;
            }
        }
        spans.push(free(self.width - used));
        Line::from(spans)
    }

    /// The row of numbers in the longest wording that fits, and whether it compares the window with
    /// the full history.
    fn numbers(&self) -> (Line<'static>, bool) {
        let total = format!("{}{}", self.mark, grouped(self.total));
        let room = self.width.saturating_sub(text::width(&total));
        let rests = self.rests();
        let rights: Vec<String> = match self.cut {
            Some(cut) => alarms(cut).into(),
            None => self.history().into(),
        };
        // Of the right side the longest wording that leaves the left its shortest with a meaning.
        for right in &rights {
            let fits = |rest: &&String| text::width(rest) + 2 + text::width(right) <= room;
            if let Some(rest) = rests.iter().find(fits) {
                return (self.number_line(&total, rest, right), true);
            }
        }
        let mut alone = rests.into_iter().chain([self.short(), self.percent(), String::new()]);
        let rest = alone.find(|rest| text::width(rest) <= room).unwrap_or_default();
        (self.number_line(&total, &rest, ""), false)
    }

    /// What the model takes, else what the window may cost.
    fn denominator(&self) -> u64 {
        self.model_window.unwrap_or(self.view.budget.0)
    }

    /// What stands behind the total, from long to short.
    fn rests(&self) -> Vec<String> {
        let whole = grouped(self.denominator());
        let percent = share::percent(self.total, self.denominator());
        let budget = self.model_window.map(|_| {
            let share = share::percent(self.total, self.view.budget.0);
            let budget = grouped(self.view.budget.0);
            (
                format!("{SEPARATOR}{share} of the budget {budget}"),
                format!("{SEPARATOR}budget {budget}"),
            )
        });
        let next = self.next.map(|next| format!("{SEPARATOR}next ~{}", grouped(next)));
        let next = next.unwrap_or_default();
        let [cached, sign] = self.cached.clone().unwrap_or_default();
        let long = match self.model_window {
            Some(_) => format!(" of the model's {whole} ({percent})"),
            None => format!(" of {whole} tokens ({percent})"),
        };
        let short = self.short();
        let (share, name) = budget.unwrap_or_default();
        let mut rests = vec![
            format!("{long}{cached}{share}{next}"),
            format!("{short}{cached}{share}{next}"),
            format!("{short}{cached}{name}{next}"),
            format!("{short}{cached}{next}"),
            format!("{short}{cached}{name}"),
            format!("{short}{cached}"),
            format!("{short}{sign}"),
        ];
        // The cache before the whole: what memory costs is told by both sides of the row.
        rests.extend(self.cached.as_ref().map(|_| format!("{}{sign}", self.percent())));
        rests.dedup();
        rests
    }

    /// The whole and the share of it, in the fewest words.
    fn short(&self) -> String {
        format!(" of {}{}", grouped(self.denominator()), self.percent())
    }

    fn percent(&self) -> String {
        format!(" ({})", share::percent(self.total, self.denominator()))
    }

    fn number_line(&self, total: &str, rest: &str, right: &str) -> Line<'static> {
        let style =
            if self.total > self.view.soft_line.0 { self.theme.warning } else { self.theme.text };
        let right_style = if self.cut.is_some() { self.theme.error } else { self.theme.dim };
        let left = text::width(total) + text::width(rest) + text::width(right);
        Line::from(vec![
            Span::styled(text::fit(total, self.width), style.add_modifier(Modifier::BOLD)),
            Span::styled(rest.to_owned(), self.theme.text),
            Span::raw(" ".repeat(self.width.saturating_sub(left))),
            Span::styled(right.to_owned(), right_style),
        ])
    }

    /// What sending everything would cost, with what the window saves of it; from long to short. Both are of the
    /// same moment, counted in the same way: the last request had less to save.
    fn history(&self) -> [String; 3] {
        let (full, counted) = self.view.full_history;
        let saved = share::percent_saved(self.view.layers.total().0, full.0);
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
