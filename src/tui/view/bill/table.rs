//! The table of the bill: a row for each purpose, their sum, the others, and what stands apart.

use ratatui::style::Style;
use ratatui::text::Line;

use crate::bill::{Paid, Prices, Purpose, Sum};
use crate::counted::grouped;
use crate::memory::Tokens;
use crate::orchestrator::BillView;
use crate::text::{self, about};
use crate::tui::answer;
use crate::tui::theme::Theme;

/// The headings, in order; the last one is the currency.
const HEADINGS: [&str; 6] =
    ["requests", "cached", "written", "uncached", "output", answer::AS_INPUT];

/// Which columns there are, from many to few.
const CHOICES: [&[usize]; 6] =
    [&[0, 1, 2, 3, 4, 5, 6], &[1, 2, 3, 4, 5, 6], &[1, 3, 4, 5, 6], &[1, 3, 5], &[1, 5], &[5]];

/// Fewest columns between two numbers.
const GAP: usize = 2;

/// A row before it is known how much room it has.
struct Row {
    name: String,
    style: Style,
    cells: Vec<Cell>,
}

/// A number of a row.
enum Cell {
    Nothing,
    Count { number: u64, is_estimate: bool },
    Money { amount: f64, is_estimate: bool },
}

impl Cell {
    fn text(&self, form: fn(u64) -> String) -> String {
        match *self {
            Self::Nothing => String::new(),
            Self::Count { number, is_estimate } => format!("{}{}", mark(is_estimate), form(number)),
            // So that a cheap turn is more than nothing, and a dear session is not longer for it.
            Self::Money { amount, is_estimate } => {
                let places = if amount < 100.0 { 4 } else { 2 };
                format!("{}{amount:.places$}", mark(is_estimate))
            }
        }
    }
}

fn mark(is_estimate: bool) -> &'static str {
    if is_estimate { "~" } else { "" }
}

/// The lines of the table, in the form that tells most of what there is room for.
pub(super) fn lines(
    view: &BillView,
    (unsaid, then): (Tokens, Option<Paid>),
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let rows = rows(view, (unsaid, then), theme);
    let currency = view.prices.money.as_ref().map_or("", |money| &money.currency);
    let headings = HEADINGS.into_iter().chain([currency]).map(text::one_line).collect::<Vec<_>>();
    let forms: [fn(u64) -> String; 2] = [grouped, about];
    let all = CHOICES.iter().flat_map(move |&choice| forms.map(move |form| (choice, form)));
    let sheets = all.map(|(choice, form)| Sheet::new(&rows, &headings, choice, form));
    let sheets: Vec<Sheet> = sheets.collect();
    let fitting = sheets.iter().find(|sheet| sheet.width() <= width).or(sheets.last());
    fitting.map(|sheet| sheet.lines(&rows, theme, width)).unwrap_or_default()
}

/// The cells of a choice of columns as texts, the headings first.
struct Sheet {
    names: usize,
    texts: Vec<Vec<String>>,
    widths: Vec<usize>,
}

impl Sheet {
    fn new(rows: &[Row], headings: &[String], choice: &[usize], form: fn(u64) -> String) -> Self {
        // A currency that is not set has no column.
        let choice: Vec<usize> =
            choice.iter().copied().filter(|&at| !headings[at].is_empty()).collect();
        let mut texts = vec![choice.iter().map(|&at| headings[at].clone()).collect::<Vec<_>>()];
        let of_row = |row: &Row| {
            let cell = |at: &usize| row.cells.get(*at).map(|cell| cell.text(form));
            choice.iter().map(|at| cell(at).unwrap_or_default()).collect()
        };
        texts.extend(rows.iter().map(of_row));
        let widest =
            |column: usize| texts.iter().map(|row| text::width(&row[column])).max().unwrap_or(0);
        let widths = (0..choice.len()).map(widest).collect();
        // A heading may reach below the numbers of others.
        let labelled = rows.iter().filter(|row| !row.cells.is_empty());
        let names = labelled.map(|row| text::width(&row.name)).max().unwrap_or(0);
        Self { names, texts, widths }
    }

    fn numbers(&self) -> usize {
        self.widths.iter().map(|width| GAP + width).sum()
    }

    fn width(&self) -> usize {
        self.names + self.numbers()
    }

    fn lines(&self, rows: &[Row], theme: &Theme, width: usize) -> Vec<Line<'static>> {
        let names = self.names.min(width.saturating_sub(self.numbers()));
        let names_and_styles =
            std::iter::once(("", theme.dim)).chain(rows.iter().map(|row| (&*row.name, row.style)));
        names_and_styles
            .zip(&self.texts)
            .map(|((name, style), texts)| {
                if texts.iter().all(String::is_empty) {
                    return Line::styled(text::fit(name, width), style);
                }
                let mut line = text::pad(name, names);
                for (text, width) in texts.iter().zip(&self.widths) {
                    line.extend(std::iter::repeat_n(' ', GAP + width - text::width(text)));
                    line.push_str(text);
                }
                Line::styled(text::fit(line.trim_end(), width), style)
            })
            .collect()
    }
}

fn rows(view: &BillView, (unsaid, then): (Tokens, Option<Paid>), theme: &Theme) -> Vec<Row> {
    let BillView { bill, prices, .. } = view;
    let sum = |name: &str, style, sum: &Sum| {
        let requests = Cell::Count { number: sum.requests, is_estimate: false };
        row(name, style, requests, &sum.paid, prices)
    };
    let heading = |name: &str| Row { name: name.to_owned(), style: theme.dim, cells: Vec::new() };
    let other = |name: &str, paid: Option<Paid>| match paid {
        Some(paid) => row(name, theme.text, Cell::Nothing, &paid, prices),
        None => Row { name: name.to_owned(), style: theme.text, cells: Vec::new() },
    };
    let of_purpose = |purpose| (answer::purpose(purpose), bill.of(purpose));
    let paid = Purpose::ALL.into_iter().map(of_purpose).filter(|(_, of)| of.requests > 0);
    let mut rows: Vec<Row> = paid.map(|(name, of)| sum(name, theme.text, of)).collect();
    rows.push(sum(answer::WITH_MEMORY, theme.strong, &bill.all()));
    rows.push(heading(answer::OTHERS));
    let others = answer::others(bill.baselines(), then);
    rows.extend(others.into_iter().map(|(name, paid)| other(&name, paid)));
    if let Some((name, paid)) = answer::apart(unsaid) {
        rows.extend([heading(answer::APART), other(name, Some(paid))]);
    }
    rows
}

fn row(name: &str, style: Style, requests: Cell, paid: &Paid, prices: &Prices) -> Row {
    let is_estimate = paid.estimated;
    let cost = prices.cost(paid);
    let count = |number| Cell::Count { number, is_estimate: is_estimate && number > 0 };
    let mut cells = vec![requests];
    cells.extend([paid.read, paid.written, paid.uncached, paid.output].map(count));
    cells.push(count(cost.round() as u64));
    cells.extend(prices.in_money(cost).map(|(amount, _)| Cell::Money { amount, is_estimate }));
    Row { name: name.to_owned(), style, cells }
}
