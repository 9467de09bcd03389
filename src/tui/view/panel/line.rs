//! One row of the panel as a line of text.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::counted::{counted, grouped};
use crate::memory::{ItemView, Layer, MemoryView, SlotsView, Tier};
use crate::text;
use crate::tui::flow::Flow;
use crate::tui::moves::Marks;
use crate::tui::rows::{Row, Section};
use crate::tui::theme::Theme;
use crate::tui::window_layers::{STACKED, fixed};

/// From this width on a part of the window shows its name in a column before its words.
pub(super) const WITH_WORDS: usize = 30;
/// Columns of that name and its sign, with the space after them.
pub(super) const LABEL: usize = 12;
/// Between two parts of a row.
const SEPARATOR: &str = " · ";
/// Lines of an item's words at most.
const WORDS: usize = 2;

/// What all lines of one drawing share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet<'a> {
    pub(super) view: &'a MemoryView,
    pub(super) theme: &'a Theme,
    pub(super) width: usize,
    pub(super) marks: Marks<'a>,
    let_leave: &'a str,
    brings_back: &'a str,
    flow: Option<Flow>,
}

impl<'a> Sheet<'a> {
    /// Lines of so many columns.
    pub(super) fn new(view: &'a MemoryView, theme: &'a Theme, width: usize) -> Self {
        Self {
            view,
            theme,
            width,
            marks: Marks::default(),
            let_leave: "",
            brings_back: "",
            flow: None,
        }
    }

    /// The same, with marks on what moved.
    pub(super) fn marking(self, marks: Marks<'a>) -> Self {
        Self { marks, ..self }
    }

    /// The same, with the keys that let go what waits at the soft line and that bring an item back.
    pub(super) fn with_keys(self, let_leave: &'a str, brings_back: &'a str) -> Self {
        Self { let_leave, brings_back, ..self }
    }

    /// The same, while the window changes.
    pub(super) fn flowing(self, flow: Option<Flow>) -> Self {
        Self { flow, ..self }
    }

    /// Builds the line of a row.
    pub(super) fn line(&self, row: &Row<'_>) -> Line<'static> {
        match row {
            Row::Heading(Section::Working) => self.heading("WORKING MEMORY", self.next_request()),
            Row::Heading(Section::Manifest) => self.shore(),
            Row::Heading(Section::Logs) => self.heading("RAW LOGS", self.log_tokens()),
            Row::Item { item, .. } => self.item(item),
            Row::Cause(item) => self.cause(item),
            Row::Words(item, line) => self.words(item, *line),
            Row::Compressed(item) => self.compressed(item),
            Row::Slots(slots) => self.slots(slots),
            Row::Waiting(count) => self.waiting(*count),
            Row::Notes => self.notes(),
            Row::NotesBudget => self.notes_budget(),
            Row::Note { note, .. } => self.note(note),
            Row::Scratch { text, .. } => self.scratch(text),
            Row::MoreScratch(count) => self
                .aside(vec![format!("and {count} more · /pad-list"), format!("and {count} more")]),
            Row::Ambient => self.ambient(),
            Row::Tide(tide) => self.tide(tide),
            Row::UnderWay => self.under_way(),
            Row::Recalled => self.recalled(),
            Row::Besides => self.besides(),
            Row::HowBack => self.how_back(),
            Row::Unlisted(count) => self.unlisted(*count),
            Row::Logs => self.logs(),
        }
    }

    /// A part's name, and the number that sums it up.
    fn heading(&self, name: &'static str, figures: Vec<String>) -> Line<'static> {
        self.rule(name, figures, ("─", self.theme.border))
    }

    /// The border between what is in the window and what is not.
    fn shore(&self) -> Line<'static> {
        let concluded = grouped(self.view.manifest.concluded as u64);
        let evicted = grouped(self.view.manifest.evicted as u64);
        let figures = vec![
            format!("{concluded} concluded, {evicted} evicted"),
            format!("{evicted} of {concluded} evicted"),
            format!("{evicted}/{concluded} evicted"),
            format!("{evicted}/{concluded}"),
        ];
        self.rule("SHORE", figures, ("~", self.theme.layer(Layer::Ambient)))
    }

    fn rule(
        &self,
        name: &'static str,
        figures: Vec<String>,
        (sign, style): (&str, Style),
    ) -> Line<'static> {
        let figures = if self.view.budget.0 == 0 { Vec::new() } else { figures };
        let room = self.width.saturating_sub(text::width(name) + 2);
        let figure = first_that_fits(figures, room);
        let rule = self.width.saturating_sub(text::width(name) + text::width(&figure) + 1);
        let rule = match (rule, figure.is_empty()) {
            (0, _) => String::new(),
            (rule, true) => format!(" {}", sign.repeat(rule)),
            (rule, false) => format!(" {} ", sign.repeat(rule - 1)),
        };
        Line::from(vec![
            Span::styled(text::fit(name, self.width), self.theme.strong),
            Span::styled(rule, style),
            Span::styled(figure, self.theme.text),
        ])
    }

    /// What the next request begins with, long and short: another number than that of the last one.
    fn next_request(&self) -> Vec<String> {
        let held = |layer: &Layer| match &self.flow {
            Some(flow) => flow.tokens(*layer, self.marks.now),
            None => self.view.layers.of(*layer).0,
        };
        let count: u64 = STACKED.iter().map(held).sum();
        let (next, rests) = (self.view.next_request(), self.view.layers.total());
        let count = (count + fixed(&self.view.layers) + next.0).saturating_sub(rests.0);
        let count = grouped(count);
        vec![format!("next ~{count} tokens"), format!("next ~{count}"), count]
    }

    fn log_tokens(&self) -> Vec<String> {
        let logs = &self.view.logs;
        let count = logs.effort_tokens + logs.ambient_tokens + self.view.said_by_reference;
        let count = grouped(count.0);
        match logs.damaged {
            0 => vec![format!("{count} tokens, none lost"), format!("{count} tokens"), count],
            some => {
                let damaged = format!("! {} damaged", counted(some as u64, "log"));
                vec![format!("{count} tokens, {damaged}"), damaged]
            }
        }
    }

    fn logs(&self) -> Line<'static> {
        let logs = &self.view.logs;
        let efforts = counted(logs.efforts as u64, "effort");
        let spoken = grouped(logs.effort_messages + logs.ambient_messages);
        let every = if logs.damaged == 0 { "every word of " } else { "" };
        let (of_efforts, ambient) = (grouped(logs.effort_tokens.0), grouped(logs.ambient_tokens.0));
        let by_reference = match self.view.said_by_reference.0 {
            0 => String::new(),
            some => format!(", by ref {}", grouped(some)),
        };
        let parts = format!("{efforts} {of_efforts}, ambient {ambient}{by_reference}");
        let apart = match by_reference.as_str() {
            "" => format!("{spoken} messages"),
            held => format!("logs {}{held}", grouped((logs.effort_tokens + logs.ambient_tokens).0)),
        };
        self.aside(vec![
            format!("{every}{spoken} messages: {parts}"),
            format!("{spoken} messages: {parts}"),
            parts,
            apart,
            format!("{spoken} messages"),
        ])
    }

    fn compressed(&self, item: &ItemView) -> Line<'static> {
        let count = item.compressed;
        let messages = counted(count as u64, "message");
        let raw = grouped(item.raw_tokens.unwrap_or_default().0);
        self.aside(vec![
            format!("{messages} compressed, {raw} tokens raw"),
            format!("{messages} compressed"),
            format!("{count} compressed"),
        ])
    }

    /// Words in the quietest style, in the longest wording that fits.
    pub(super) fn aside(&self, texts: Vec<String>) -> Line<'static> {
        let text = first_that_fits(texts, self.width.saturating_sub(2));
        Line::styled(format!("  {text}"), self.theme.dim)
    }

    /// Below an item: what is about to happen to it, what refreshed it last, and what its log would cost.
    fn cause(&self, item: &ItemView) -> Line<'static> {
        let mut parts = Vec::new();
        if item.turns_left.is_some_and(|(left, _)| left <= 1) {
            parts.push(
                if item.state == Tier::Expanded {
                    "collapses next turn"
                } else {
                    "leaves next turn"
                }
                .to_owned(),
            );
        }
        let slots = self.view.slots.as_ref();
        if slots.and_then(|slots| slots.next.as_ref()) == Some(&item.id) {
            parts.push("leaves when one more comes in: it is the least salient".to_owned());
        }
        parts.push(refreshed(item));
        let raw = item.raw_tokens.filter(|_| !item.state.holds_log()).map(|raw| grouped(raw.0));
        let raw = raw.map(|raw| format!("its log has {raw} tokens"));
        let long: Vec<String> = parts.iter().cloned().chain(raw).collect();
        let cut = text::fit(&parts.join(SEPARATOR), self.width.saturating_sub(4));
        let texts = vec![long.join(SEPARATOR), parts.join(SEPARATOR), cut];
        let text = first_that_fits(texts, self.width.saturating_sub(4));
        Line::styled(format!("    {text}"), self.theme.dim)
    }

    /// The lines of the words that stand for an item.
    pub(super) fn count_words(&self, item: &ItemView) -> usize {
        self.lines_of(item).len()
    }

    fn lines_of(&self, item: &ItemView) -> Vec<String> {
        let is_open = matches!(item.state, Tier::Active | Tier::Open);
        let summary = item.summary.as_deref().filter(|_| !is_open && self.width >= WITH_WORDS);
        let Some(summary) = summary else { return Vec::new() };
        let room = self.width - 4;
        let tail = length_beside_raw(item);
        let start: String =
            text::one_line(&summary.chars().take(room * (WORDS + 1)).collect::<String>());
        let lines = text::wrap(&start, room);
        // The last line leaves room for the lengths.
        let last = room.saturating_sub(text::width(&tail) + 2);
        if lines.len() <= 1 && text::width(&start) <= last {
            return lines;
        }
        let first = lines.first().cloned().unwrap_or_default();
        let rest = start.get(first.len()..).unwrap_or_default().trim_start();
        vec![first, text::fit(rest, last)]
    }

    /// A line of the words that stand for an item; at the end of the last one how long they are, and their log.
    fn words(&self, item: &ItemView, nth: usize) -> Line<'static> {
        let lines = self.lines_of(item);
        let words = lines.get(nth).cloned().unwrap_or_default();
        let left = vec![Span::raw("    "), Span::styled(words, self.theme.dim)];
        let tail = if nth + 1 == lines.len() { length_beside_raw(item) } else { String::new() };
        let right =
            if tail.is_empty() { Vec::new() } else { vec![Span::styled(tail, self.theme.dim)] };
        justify(left, right, self.width)
    }

    /// What may leave before its turns run out, because the number of items is limited.
    fn slots(&self, slots: &SlotsView) -> Line<'static> {
        let (taken, most) = (grouped(slots.taken as u64), grouped(slots.most as u64));
        let all = format!("{taken} of {most} slots");
        let Some(next) = &slots.next else { return self.aside(vec![all]) };
        let next = text::one_line(next.as_str());
        // More are there after a conclusion, until the next turn.
        if let Some(over @ 1..) = slots.taken.checked_sub(slots.most) {
            let leave = if over == 1 { "1 leaves".to_owned() } else { format!("{over} leave") };
            return self.aside(vec![
                format!("{all}: {leave} with the next message, {next} first"),
                format!("{all}: {leave} next, {next} first"),
                format!("{taken}/{most} slots: {leave} next"),
                all,
            ]);
        }
        self.aside(vec![
            format!("{all}: one more sends the least salient out, {next}"),
            format!("{all}: one more sends {next} out"),
            format!("{all}: {next} leaves next"),
            format!("{taken}/{most} slots: {next} leaves next"),
            format!("{next} leaves next"),
            all,
        ])
    }

    fn waiting(&self, count: usize) -> Line<'static> {
        let key = if self.let_leave.is_empty() { "/let-leave" } else { self.let_leave };
        let texts = vec![
            format!("! {count} would leave at the soft line · {key} lets them go"),
            format!("! {count} would leave · {key} lets them"),
            format!("! {count} would leave · {key}"),
        ];
        Line::styled(first_that_fits(texts, self.width), self.theme.warning)
    }

    fn how_back(&self) -> Line<'static> {
        let key = if self.brings_back.is_empty() { "/expand" } else { self.brings_back };
        self.aside(vec![
            format!("a mention brings one back into the window, or {key} on it"),
            format!("a mention brings one back, or {key} on it"),
            format!("back by a mention or {key}"),
            "back by a mention".to_owned(),
        ])
    }

    fn unlisted(&self, count: usize) -> Line<'static> {
        let count = grouped(count as u64);
        self.aside(vec![
            format!("and {count} older, found by search"),
            format!("and {count} older"),
        ])
    }
}

/// `596 → 42`: how long its log is, and what stands for it.
fn length_beside_raw(item: &ItemView) -> String {
    match item.raw_tokens.filter(|_| !item.state.holds_log()) {
        Some(raw) if item.whole.0 == 0 => format!("log {}", grouped(raw.0)),
        Some(raw) => format!("{} → {}", grouped(raw.0), grouped(item.whole.0)),
        None => String::new(),
    }
}

/// The last reference: its turn, and its cause if one is known.
pub(super) fn refreshed(item: &ItemView) -> String {
    let cause = text::one_line(&item.cause);
    if cause.is_empty() {
        format!("turn {}", item.last_referenced)
    } else {
        format!("turn {}: {cause}", item.last_referenced)
    }
}

/// The first of several wordings that fits; nothing if none does.
pub(super) fn first_that_fits(texts: Vec<String>, room: usize) -> String {
    texts.into_iter().find(|text| text::width(text) <= room).unwrap_or_default()
}

/// Columns of several spans.
pub(in crate::tui::view) fn length(spans: &[Span<'_>]) -> usize {
    spans.iter().map(|span| text::width(&span.content)).sum()
}

/// Left and right parts on one line; the left one is cut where they would meet.
pub(super) fn justify(
    left: Vec<Span<'static>>,
    right: Vec<Span<'static>>,
    width: usize,
) -> Line<'static> {
    let taken = length(&right);
    let gap = usize::from(taken > 0);
    let mut room = width.saturating_sub(taken + gap);
    let mut spans = Vec::with_capacity(left.len() + right.len() + 1);
    for span in left {
        let content = text::fit(&span.content, room);
        room -= text::width(&content);
        spans.push(Span::styled(content, span.style));
    }
    spans.push(Span::raw(" ".repeat(room + gap)));
    spans.extend(right);
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_would_meet_are_cut_on_the_left() {
        let line = justify(vec![Span::raw("deploy-scripts")], vec![Span::raw("820")], 12);
        assert_eq!(line.to_string(), "deploy-… 820");
    }
}
