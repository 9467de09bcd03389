//! One row of the panel as a line of text.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::moves::Marks;
use super::rows::{Row, Section};
use crate::memory::{ItemView, Layer, MemoryView, Tier, Tokens};
use crate::tui::text::{self, grouped};
use crate::tui::theme::Theme;

/// From this width on an item shows its state as a word before its id.
pub(super) const WITH_WORDS: usize = 30;
/// Columns of the sign and of the state's word, with the space after them.
pub(super) const LABEL: usize = 12;
/// Columns of the countdown's bar.
const BAR: usize = 4;
/// With less room than this a cause is left out instead of cut.
const SHORTEST_CAUSE: usize = 16;
/// Between two parts of a row.
const SEPARATOR: &str = " · ";

/// What all lines of one drawing share.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sheet<'a> {
    pub(super) view: &'a MemoryView,
    pub(super) theme: &'a Theme,
    pub(super) width: usize,
    marks: Marks<'a>,
    let_leave: &'a str,
}

impl<'a> Sheet<'a> {
    /// Lines of so many columns.
    pub(super) fn new(view: &'a MemoryView, theme: &'a Theme, width: usize) -> Self {
        Self { view, theme, width, marks: Marks::default(), let_leave: "" }
    }

    /// The same, with marks on what moved.
    pub(super) fn marking(self, marks: Marks<'a>) -> Self {
        Self { marks, ..self }
    }

    /// The same, with the key that lets go what waits at the soft line.
    pub(super) fn letting_leave(self, key: &'a str) -> Self {
        Self { let_leave: key, ..self }
    }

    /// Builds the line of a row.
    pub(super) fn line(&self, row: &Row<'_>) -> Line<'static> {
        match row {
            Row::Heading(tier) => self.heading(*tier),
            Row::Item { item, .. } => self.item(item),
            Row::Countdown(item) => self.countdown(item),
            Row::Compressed(item) => self.compressed(item),
            Row::Waiting(count) => self.waiting(*count),
            Row::Notes => self.notes(),
            Row::NotesBudget => self.notes_budget(),
            Row::Note { note, .. } => self.note(note),
            Row::Scratch { text, .. } => self.scratch(text),
            Row::MoreScratch(count) => {
                Line::styled(format!("  and {count} more · /pad-list"), self.theme.dim)
            }
            Row::Ambient => self.ambient(),
            Row::Tide(tide) => self.tide(tide),
            Row::UnderWay | Row::Headings | Row::System | Row::Tools => self.part(row),
            Row::Unlisted(count) => self.unlisted(*count),
            Row::EffortLogs => self.effort_logs(),
            Row::AmbientLog => self.ambient_log(),
            Row::Gap => Line::default(),
        }
    }

    /// A part's name, and the number that sums it up.
    pub(super) fn heading(&self, section: Section) -> Line<'static> {
        let (name, figures) = match section {
            Section::Working => ("WORKING MEMORY", next_request(self.view.layers.total().0)),
            Section::Manifest => ("MANIFEST", self.manifest_figures()),
            Section::Logs => {
                let logs = &self.view.logs;
                ("RAW LOGS", tokens(logs.effort_tokens.0 + logs.ambient_tokens.0))
            }
        };
        let figures = if self.view.budget.0 == 0 { Vec::new() } else { figures };
        let room = self.width.saturating_sub(text::width(name) + 2);
        let figure = first_that_fits(figures, room);
        let rule = self.width.saturating_sub(text::width(name) + text::width(&figure) + 1);
        let rule = match (rule, figure.is_empty()) {
            (0, _) => String::new(),
            (rule, true) => format!(" {}", "─".repeat(rule)),
            (rule, false) => format!(" {} ", "─".repeat(rule - 1)),
        };
        Line::from(vec![
            Span::styled(text::fit(name, self.width), self.theme.strong),
            Span::styled(rule, self.theme.border),
            Span::styled(figure, self.theme.text),
        ])
    }

    fn manifest_figures(&self) -> Vec<String> {
        let concluded = grouped(self.view.manifest.concluded as u64);
        let evicted = grouped(self.view.manifest.evicted as u64);
        vec![
            format!("{concluded} concluded, {evicted} evicted"),
            format!("{evicted} of {concluded} evicted"),
            format!("{evicted}/{concluded} evicted"),
            format!("{evicted}/{concluded}"),
        ]
    }

    fn compressed(&self, item: &ItemView) -> Line<'static> {
        let count = item.compressed;
        let noun = if count == 1 { "message" } else { "messages" };
        let raw = grouped(item.raw_tokens.unwrap_or_default().0);
        let words = vec![
            format!("{count} {noun} compressed, {raw} tokens raw"),
            format!("{count} {noun} compressed"),
            format!("{count} compressed"),
        ];
        Line::styled(
            format!("  {}", first_that_fits(words, self.width.saturating_sub(2))),
            self.theme.dim,
        )
    }

    fn item(&self, item: &ItemView) -> Line<'static> {
        let look = Look::new(item.state, self.theme);
        let word = item.state.as_str();
        let words = self.width >= WITH_WORDS;
        let label = match item.state {
            _ if words => text::pad(word, LABEL - 2),
            Tier::Active | Tier::Open => format!("{word} "),
            Tier::Expanded | Tier::Warm | Tier::Evicted => String::new(),
        };
        let (sign, mark, slide) = match self.marks.of(item.id.as_str()) {
            Some((arrow, slide)) => (arrow, self.theme.accent, slide),
            None => (look.sign, look.mark, 0),
        };
        let left = vec![
            Span::styled(format!("{}{sign} ", " ".repeat(slide)), mark),
            Span::styled(label, look.word),
            Span::styled(text::one_line(item.id.as_str()), look.id),
        ];
        let cost = match (item.state, item.whole.0) {
            (Tier::Evicted, 0) => Vec::new(),
            (Tier::Evicted, _) => vec![self.of_whole(item.whole, "")],
            _ => self.cost(item.tokens, look.cost, item.whole, ""),
        };
        justify(left, cost, self.width)
    }

    /// What something costs in the window, and what it would cost whole if that is something else.
    pub(super) fn cost(
        &self,
        tokens: Tokens,
        style: Style,
        whole: Tokens,
        about: &str,
    ) -> Vec<Span<'static>> {
        let mut cost = vec![Span::styled(grouped(tokens.0), style)];
        if tokens != whole {
            cost.extend([Span::raw(" "), self.of_whole(whole, about)]);
        }
        cost
    }

    pub(super) fn of_whole(&self, whole: Tokens, about: &str) -> Span<'static> {
        Span::styled(format!("of {about}{}", grouped(whole.0)), self.theme.dim)
    }

    /// Turns left as bar and number, why it is that many, and what the raw log would cost.
    fn countdown(&self, item: &ItemView) -> Line<'static> {
        let leaving = item.turns_left.is_some_and(|(left, _)| left <= 1);
        let mark =
            if leaving { self.theme.warning } else { Look::new(item.state, self.theme).mark };
        let left = match item.turns_left {
            Some((left, of)) => {
                format!("{} {left}{}", bar(left, of), if leaving { "!" } else { "" })
            }
            None if item.pinned => "pinned".to_owned(),
            None => String::new(),
        };
        if self.width < WITH_WORDS {
            let word = format!("  {} ", item.state.as_str());
            let line = vec![Span::styled(word, self.theme.dim), Span::styled(left, mark)];
            return justify(line, Vec::new(), self.width);
        }
        let left = text::pad(&left, (LABEL - 3).max(text::width(&left)));
        let mut line = vec![Span::raw("  "), Span::styled(left, mark), Span::raw(" ")];
        line.extend(self.reasons(item, leaving, self.width.saturating_sub(length(&line))));
        let raw = self.raw_cost(item, self.width.saturating_sub(length(&line)));
        justify(line, raw, self.width)
    }

    /// What is about to happen to an item, and what refreshed it last if there is room for both.
    fn reasons(&self, item: &ItemView, leaving: bool, room: usize) -> Vec<Span<'static>> {
        let refreshed = refreshed(item);
        if !leaving {
            return vec![Span::styled(text::fit(&refreshed, room), self.theme.dim)];
        }
        let verb = if item.state == Tier::Expanded { "collapses" } else { "leaves" };
        let leaves = format!("{verb} next turn");
        let room = room.saturating_sub(text::width(&leaves) + text::width(SEPARATOR));
        let mut reasons = vec![Span::styled(leaves, self.theme.warning)];
        if room >= SHORTEST_CAUSE {
            let refreshed = format!("{SEPARATOR}{}", text::fit(&refreshed, room));
            reasons.push(Span::styled(refreshed, self.theme.dim));
        }
        reasons
    }

    /// Below what a summary costs: what it stands for.
    fn raw_cost(&self, item: &ItemView, room: usize) -> Vec<Span<'static>> {
        match item.raw_tokens {
            Some(raw) if item.state == Tier::Warm => {
                let cost = format!("of {}", grouped(raw.0));
                let fits = text::width(&cost) + 2 <= room;
                if fits { vec![Span::styled(cost, self.theme.dim)] } else { Vec::new() }
            }
            _ => Vec::new(),
        }
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

    fn unlisted(&self, count: usize) -> Line<'static> {
        let count = grouped(count as u64);
        let texts =
            vec![format!("  and {count} older, found by search"), format!("  and {count} older")];
        let text = first_that_fits(texts, self.width);
        Line::styled(text, self.theme.dim)
    }

    fn effort_logs(&self) -> Line<'static> {
        let logs = &self.view.logs;
        let efforts = grouped(logs.efforts as u64);
        let messages = grouped(logs.effort_messages);
        let texts = vec![
            format!(
                "{efforts} {}, {messages} messages",
                if efforts == "1" { "log" } else { "logs" }
            ),
            format!("{efforts} · {messages} messages"),
            efforts,
        ];
        self.log("efforts", texts, logs.effort_tokens.0)
    }

    fn ambient_log(&self) -> Line<'static> {
        let messages = grouped(self.view.logs.ambient_messages);
        let texts = vec![format!("{messages} messages"), messages];
        self.log("ambient", texts, self.view.logs.ambient_tokens.0)
    }

    fn log(&self, name: &'static str, texts: Vec<String>, cost: u64) -> Line<'static> {
        let label = if self.width >= WITH_WORDS { LABEL - 2 } else { "efforts ".len() };
        let cost = grouped(cost);
        let room = self.width.saturating_sub(2 + label + text::width(&cost) + 1);
        let left = vec![
            Span::raw("  "),
            Span::styled(text::pad(name, label), self.theme.dim),
            Span::styled(first_that_fits(texts, room), self.theme.text),
        ];
        justify(left, vec![Span::styled(cost, self.theme.text)], self.width)
    }
}

/// How an item of a state looks.
struct Look {
    sign: &'static str,
    mark: Style,
    word: Style,
    id: Style,
    cost: Style,
}

impl Look {
    fn new(state: Tier, theme: &Theme) -> Self {
        let of = |sign, layer| Self {
            sign,
            mark: theme.layer(layer),
            word: theme.dim,
            id: theme.text,
            cost: theme.text,
        };
        match state {
            Tier::Active => Self {
                sign: "●",
                mark: theme.accent,
                word: theme.accent,
                id: theme.strong,
                cost: theme.strong,
            },
            Tier::Open => of("○", Layer::Open),
            Tier::Expanded => of("▾", Layer::Expanded),
            Tier::Warm => of("▪", Layer::Summaries),
            Tier::Evicted => Self {
                sign: "▫",
                mark: theme.dim,
                id: theme.dim,
                cost: theme.dim,
                ..of("", Layer::Open)
            },
        }
    }
}

/// The last reference: its turn, and its cause if one is known.
fn refreshed(item: &ItemView) -> String {
    let cause = text::one_line(&item.cause);
    if cause.is_empty() {
        format!("turn {}", item.last_referenced)
    } else {
        format!("turn {}: {cause}", item.last_referenced)
    }
}

/// A bar of turns left, in steps of half a column; never empty while a turn is left.
pub(super) fn bar(left: u64, of: u64) -> String {
    let of = of.max(1);
    let halves = ((left.min(of)).saturating_mul(2 * BAR as u64)).div_ceil(of) as usize;
    let half = if halves % 2 == 1 { "▌" } else { "" };
    let rest = BAR - halves.div_ceil(2);
    format!("{}{half}{}", "█".repeat(halves / 2), "░".repeat(rest))
}

/// What the next request begins with, long and short: another number than that of the last one.
fn next_request(count: u64) -> Vec<String> {
    let count = grouped(count);
    vec![format!("next ~{count} tokens"), format!("next ~{count}"), count]
}

/// A number of tokens, long and short.
fn tokens(count: u64) -> Vec<String> {
    vec![format!("{} tokens", grouped(count)), grouped(count)]
}

/// The first of several wordings that fits; nothing if none does.
pub(super) fn first_that_fits(texts: Vec<String>, room: usize) -> String {
    texts.into_iter().find(|text| text::width(text) <= room).unwrap_or_default()
}

/// Columns of several spans.
fn length(spans: &[Span<'_>]) -> usize {
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
    fn the_bar_ebbs_in_half_columns_and_is_empty_only_at_zero() {
        let bars: Vec<String> = (0..=3).map(|left| bar(left, 3)).collect();
        assert_eq!(bars, ["░░░░", "█▌░░", "███░", "████"]);
        assert_eq!(bar(1, 20), "▌░░░");
        assert_eq!(bar(17, 20), "███▌");
        assert_eq!(bar(20, 20), "████");
    }

    #[test]
    fn the_bar_takes_any_numbers() {
        for (left, of) in [(0, 0), (5, 0), (9, 3), (1, 1_000_000), (u64::MAX, 3)] {
            assert_eq!(text::width(&bar(left, of)), BAR, "{left} of {of}");
        }
        assert_eq!(bar(1, 1_000_000), "▌░░░");
    }

    #[test]
    fn parts_that_would_meet_are_cut_on_the_left() {
        let line = justify(vec![Span::raw("deploy-scripts")], vec![Span::raw("820")], 12);
        assert_eq!(line.to_string(), "deploy-… 820");
    }
}
