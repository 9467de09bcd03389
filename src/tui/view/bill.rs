//! The bill over the chat: whether memory has paid, what the requests took beside what others would have paid,
//! and how both grew over the turns.

mod chart;
mod table;

use ratatui::buffer::Buffer;
use ratatui::style::Style;
use ratatui::text::Line;

use super::Places;
use super::frame::frame;
use crate::bill::{Outlook, Paid};
use crate::counted::{counted, noun};
use crate::orchestrator::BillView;
use crate::text;
use crate::tui::answer;
use crate::tui::app::{App, BillPage};
use crate::tui::theme::Theme;

/// What the keys do.
const KEYS: &str = "{overlay.up}/{overlay.down} scroll · {overlay.cancel} closes ";

/// Rows of the chart, its axis and its legend.
const CHART: (usize, usize) = (9, 22);

/// Draws the bill over the whole screen.
pub fn render(page: &mut BillPage, app: &App, places: &Places, buffer: &mut Buffer) {
    let screen = places.screen;
    let room = usize::from(screen.width.saturating_sub(2));
    let (width, height) = (room.saturating_sub(2), usize::from(screen.height.saturating_sub(2)));
    let (lines, title) = match app.bill.as_deref() {
        Some(bill) => (lines(page, bill, app, (width, height)), title(bill)),
        None => (Vec::new(), " Bill · reading … ".to_owned()),
    };
    let lines_shown = page.visible(lines.len(), screen.inner(ratatui::layout::Margin::new(1, 1)));
    let more = match lines.len() - lines_shown.end {
        0 => String::new(),
        more => format!("{more} more {} · ", noun(more as u64, "line")),
    };
    let keys = text::fit_keys(&format!(" {more}{}", places.keys(&app.keymap, KEYS)), room);
    let inner = frame(text::fit(&title, room), keys, &app.theme, screen, buffer);
    for (line, row) in lines[lines_shown].iter().zip(inner.rows()) {
        buffer.set_line(row.x, row.y, line, row.width);
    }
}

/// ` Bill: 12 turns, 40 requests `
fn title(BillView { bill, .. }: &BillView) -> String {
    let requests = counted(bill.all().requests, "request");
    format!(" Bill: {}, {requests} ", counted(bill.turns(), "turn"))
}

fn lines(
    page: &BillPage,
    view: &BillView,
    app: &App,
    (width, height): (usize, usize),
) -> Vec<Line<'static>> {
    let theme = &app.theme;
    if view.bill.all().requests == 0 {
        return wrapped("Nothing has been paid for yet in this session.", theme.dim, width);
    }
    let then = app.chart.paid_then;
    let mut lines = verdict((view, then), theme, width);
    lines.push(Line::default());
    lines.extend(table::lines(view, (app.memory.unsaid, then), theme, width));
    let legend = answer::legend_as_input(&view.prices, view.bill.all().estimates > 0);
    lines.extend(wrapped(&legend, theme.dim, width));
    lines.push(Line::default());
    let rows = height.saturating_sub(lines.len()).clamp(CHART.0, CHART.1);
    lines.extend(match page.turns() {
        Some(turns) => {
            let behind = view.bill.open().paid;
            chart::lines(turns, &behind, &view.prices, theme, (width, rows))
        }
        None => vec![Line::styled("reading the turns …", theme.dim)],
    });
    lines
}

/// Whether memory has paid, and what came from the cache.
fn verdict(
    (view, then): (&BillView, Option<Paid>),
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let outlook = view.bill.outlook(&view.prices);
    let style = match outlook {
        // Without a price nothing is paid: no alarm.
        Outlook::Behind { .. } if view.prices.money.is_some() => theme.warning,
        _ => theme.strong,
    };
    let all = view.bill.all().paid;
    let about = if all.estimated { "~" } else { "" };
    let share =
        format!("{about}{:.0} % of all prompts came from the cache.", all.share_read() * 100.0);
    let mut lines = wrapped(&answer::verdict_of_all(view, then), style, width);
    lines.extend(wrapped(&share, theme.text, width));
    lines
}

fn wrapped(text: &str, style: Style, width: usize) -> Vec<Line<'static>> {
    let lines = text::wrap(text, width.max(1));
    lines.into_iter().map(|line| Line::styled(line, style)).collect()
}
