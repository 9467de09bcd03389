//! The gauge's row of numbers: the last request, what came from the cache, and what memory saves.

use ratatui::style::Modifier;
use ratatui::text::{Line, Span};

use super::Gauge;
use crate::bill::Paid;
use crate::counted::grouped;
use crate::memory::{FullHistory, MemoryView};
use crate::orchestrator::{Cut, Measured};
use crate::text::{self};
use crate::tui::share;
use crate::tui::theme::Theme;
use crate::tui::window_layers::{beside_fixed, fixed};

/// Between two entries of a row.
const SEPARATOR: &str = " · ";

/// The last request is far from the window as it is now from this part of the budget on.
const FAR: u64 = 10;

/// The alarm, from long to short; where the server may only count in another way, no more than what it counted.
fn alarms(cut: Cut) -> [String; 3] {
    let sent = grouped(cut.sent.0);
    if cut.may_be_its_count {
        let counted = grouped(cut.counted.0);
        return [
            format!("the server counted {counted} of the ~{sent} tokens sent"),
            format!("counted {counted} of ~{sent}"),
            format!("counted {counted}"),
        ];
    }
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

/// What all wordings of one drawing share.
pub(super) struct Numbers<'a> {
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
    /// The window as the next request begins with it.
    now: u64,
}

impl<'a> Numbers<'a> {
    pub(super) fn new(gauge: &Gauge<'a>, width: usize) -> Self {
        let Gauge { view, request, model_window, theme, .. } = *gauge;
        let request = request.filter(|request| request.layers.total().0 > 0);
        let shown = request.map_or(view.layers, |request| request.layers).total().0;
        let usage = request.and_then(|request| request.usage).filter(|usage| usage.prompt > 0);
        let (mark, total) = match usage {
            Some(usage) => ("last =", usage.prompt),
            None if request.is_some() => ("last ~", shown),
            None => ("~", shown),
        };
        let now = view.next_request().0;
        let next = request.map(|_| now).filter(|next| *next != shown);
        let cut = request.and_then(Measured::cut);
        let cached = request.and_then(|request| request.paid).as_ref().and_then(cached);
        let model_window = model_window.filter(|window| *window > 0);
        Self { view, theme, width, model_window, cut, next, cached, mark, total, now }
    }

    /// The row of numbers in the longest wording that fits, and whether it compares the window with
    /// the full history.
    pub(super) fn line(&self) -> (Line<'static>, bool) {
        let total = format!("{}{}", self.mark, grouped(self.total));
        let room = self.width.saturating_sub(text::width(&total));
        let rests = self.rests();
        let rights: Vec<String> = match self.cut {
            Some(cut) => alarms(cut).into(),
            None => self.history(),
        };
        let first: Vec<&String> = rests.iter().filter(|rest| self.tells_now(rest)).collect();
        let all: Vec<&String> = rests.iter().collect();
        for rests in [first, all] {
            // Of the right side the longest wording that leaves the left its shortest with a meaning.
            for right in &rights {
                let fits = |rest: &&&String| text::width(rest) + 2 + text::width(right) <= room;
                if let Some(rest) = rests.iter().find(fits) {
                    return (self.number_line(&total, rest, right), true);
                }
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
        let next = self.next.map(|next| self.told_next(next)).unwrap_or_default();
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
        rests.extend(self.next.map(|_| format!("{}{sign}{next}", self.percent())));
        rests.dedup();
        rests
    }

    /// Whether a wording tells the window as it is now, where the bar beside it looks different from the last
    /// request. An alarm goes before that.
    fn tells_now(&self, rest: &str) -> bool {
        let far = |next: &u64| next.abs_diff(self.total) * FAR > self.view.budget.0;
        let next = self.next.filter(far).filter(|_| self.cut.is_none());
        next.is_some_and(|next| rest.ends_with(&self.told_next(next)))
    }

    /// What the next request begins with; near the ceiling with its part of the budget, which is what the colour warns of.
    fn told_next(&self, next: u64) -> String {
        let part = if next > self.view.soft_line.0 {
            format!(" ({})", share::percent(next, self.view.budget.0))
        } else {
            String::new()
        };
        format!("{SEPARATOR}next ~{}{part}", grouped(next))
    }

    /// The whole and the share of it, in the fewest words.
    fn short(&self) -> String {
        format!(" of {}{}", grouped(self.denominator()), self.percent())
    }

    fn percent(&self) -> String {
        format!(" ({})", share::percent(self.total, self.denominator()))
    }

    fn number_line(&self, total: &str, rest: &str, right: &str) -> Line<'static> {
        let warned = |tokens: u64| {
            let is_near = tokens > self.view.soft_line.0;
            if is_near { self.theme.warning } else { self.theme.text }
        };
        let next = self.next.map(|next| self.told_next(next)).unwrap_or_default();
        let (rest, next) = rest.strip_suffix(&*next).map_or((rest, ""), |rest| (rest, &*next));
        // What warns is the number that is near the ceiling. Where the next one is not told, the last one stands for it.
        let total_style = warned(if next.is_empty() { self.now } else { self.total });
        let is_cut = self.cut.is_some_and(|cut| !cut.may_be_its_count);
        let right_style = if is_cut { self.theme.error } else { self.theme.dim };
        let left = [total, rest, next, right].map(text::width).iter().sum();
        Line::from(vec![
            Span::styled(text::fit(total, self.width), total_style.add_modifier(Modifier::BOLD)),
            Span::styled(rest.to_owned(), self.theme.text),
            Span::styled(next.to_owned(), warned(self.now)),
            Span::raw(" ".repeat(self.width.saturating_sub(left))),
            Span::styled(right.to_owned(), right_style),
        ])
    }

    /// What sending everything would cost, with what the window saves of it; from long to short. Both are of the
    /// same moment, and prompt and tools are in neither: both sides pay them.
    fn history(&self) -> Vec<String> {
        let FullHistory { tokens, is_counted } = self.view.full_history;
        let full = tokens.0.saturating_sub(fixed(&self.view.layers));
        let saved = share::percent_saved(beside_fixed(&self.view.layers), full);
        let full = format!("{}{}", if is_counted { "" } else { "over " }, grouped(full));
        let missed = match self.view.metrics.faults.total() {
            0 => String::new(),
            1 => " · 1 page fault".to_owned(),
            faults => format!(" · {} page faults", grouped(faults)),
        };
        match saved {
            Some(saved) => vec![
                format!("full history {full} beside prompt and tools ({saved} saved){missed}"),
                format!("full history {full} ({saved} saved){missed}"),
                format!("full history {full} ({saved} saved)"),
                format!("full {full} ({saved} saved){missed}"),
                format!("{saved} saved{missed}"),
            ],
            None => vec![
                format!("full history {full} beside prompt and tools"),
                format!("full history {full}"),
                format!("full {full}"),
                "nothing to save yet".to_owned(),
            ],
        }
    }

    /// The comparison on a row of its own.
    pub(super) fn savings(&self) -> Line<'static> {
        let fits = |wording: &String| text::width(wording) <= self.width;
        Line::styled(self.history().into_iter().find(fits).unwrap_or_default(), self.theme.dim)
    }
}
