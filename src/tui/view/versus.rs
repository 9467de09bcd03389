//! Two answers to the same question: side by side, or one above the other where it is narrow.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;

use super::Places;
use super::chat::WIDEST;
use super::frame::frame;
use super::ink;
use super::panel::bar;
use crate::bill::Prices;
use crate::counted::{grouped, money};
use crate::orchestrator::{Side, SideAnswer, Verdict};
use crate::text::{self};
use crate::tui::app::{App, Seat, VersusPage};
use crate::tui::ink::Styled;
use crate::tui::markdown::Markdown;
use crate::tui::theme::Theme;

/// Columns from which the answers stand side by side.
const WIDE: u16 = 100;

/// Rows of an answer from which what was sent is drawn as well.
const ROOMY: u16 = 9;

/// What the keys do before the verdict, and after it; the same in fewer words.
const JUDGING: [&str; 2] = [
    " {versus.left_better} A is better · {versus.right_better} B is better · \
     {versus.no_difference} no difference · {versus.cancel} closes ",
    " {versus.left_better} A · {versus.right_better} B · {versus.no_difference} neither · {versus.cancel} closes ",
];
const JUDGED: [&str; 2] = [
    " counted in /stats · {versus.up}/{versus.down} scroll · {versus.cancel} closes ",
    " {versus.up}/{versus.down} scroll · {versus.cancel} closes ",
];

/// Draws both over the whole screen.
pub fn render(page: &mut VersusPage, app: &App, places: &Places, buffer: &mut Buffer) {
    let screen = places.screen;
    let room = usize::from(screen.width.saturating_sub(2));
    let title = format!(" Which answers better? {} ", text::clean(&page.question).trim());
    let keys = if page.is_open() { JUDGED } else { JUDGING };
    let [long, short] = keys.map(|keys| places.keys(&app.keymap, keys));
    let keys = if text::width(&long) <= room { long } else { text::fit(&short, room) };
    let title = text::fit(&title.replace('\n', " "), room);
    let inner = frame(title, keys, &app.theme, screen, buffer);
    let halves = if screen.width < WIDE {
        Layout::vertical([Constraint::Fill(1), Constraint::Fill(1)]).areas::<2>(inner)
    } else {
        let middle = Rect { x: inner.x + inner.width / 2, width: 1, ..inner };
        middle.rows().for_each(|row| buffer.set_string(row.x, row.y, "│", app.theme.border));
        let left = Rect { width: (inner.width / 2).saturating_sub(1), ..inner };
        let right = inner.x + inner.width / 2 + 2;
        [left, Rect { x: right, width: inner.right().saturating_sub(right), ..inner }]
    };
    let prices = app.bill.as_ref().map(|bill| bill.prices.clone()).unwrap_or_default();
    let heads = [0, 1].map(|at| head(page, at, &prices, &app.theme, halves[at]));
    let raw = app.transcript.is_raw();
    let lines = [0, 1].map(|at| words(page, at, halves[at].width.min(WIDEST), raw));
    let most = heads.iter().map(Vec::len).max().unwrap_or(0);
    let rows = usize::from(halves[0].height.min(halves[1].height)).saturating_sub(most);
    page.places = lines.iter().map(Vec::len).max().unwrap_or(0).saturating_sub(rows) + 1;
    page.place.step(0, page.places);
    page.place.page = rows.saturating_sub(1);
    for ((at, area), mut head) in halves.into_iter().enumerate().zip(heads) {
        // The words of both begin on the same row.
        head.resize(most, Default::default());
        let head = head
            .into_iter()
            .map(|(line, style)| (Styled::plain(text::fit(&line, area.width.into())), style));
        let shown = lines[at].iter().skip(page.place.at).map(|line| (line.clone(), app.theme.text));
        draw(head.chain(shown), &app.theme, area, buffer);
    }
}

/// The rows above the words of an answer: its name, how far it is or what it took.
fn head(
    page: &VersusPage,
    at: usize,
    prices: &Prices,
    theme: &Theme,
    area: Rect,
) -> Vec<(String, Style)> {
    let (standing, style) = standing(page, at, prices, theme);
    let lines = text::wrap(&standing, usize::from(area.width).max(1));
    let most = usize::from(area.height).div_ceil(2).saturating_sub(1);
    let mut head = vec![(name(page, at), theme.strong)];
    head.extend(lines.into_iter().take(most).map(|line| (line, style)));
    if area.height >= ROOMY {
        head.extend(sent(page, at, area).map(|bar| (bar, theme.accent)));
        head.push((String::new(), theme.dim));
    }
    head
}

/// What was sent, as a bar beside the other's; once that may be known.
fn sent(page: &VersusPage, at: usize, area: Rect) -> Option<String> {
    let took = |seat: &Seat| Some(seat.ended.as_ref()?.as_ref().ok()?.paid.prompt());
    let most = page.seats.iter().filter_map(took).max()?;
    let own = took(&page.seats[at]).filter(|_| page.is_open())?;
    Some(bar(own, most, usize::from(area.width.min(WIDEST))))
}

fn draw(
    lines: impl Iterator<Item = (Styled, Style)>,
    theme: &Theme,
    area: Rect,
    buffer: &mut Buffer,
) {
    for ((line, style), row) in lines.zip(area.rows()) {
        ink::draw(&line, (row.x, row.y), row.width, style, theme, buffer);
    }
}

/// `A`, and once that may be known what it was made with and whether it was found better.
fn name(page: &VersusPage, at: usize) -> String {
    let letter = ["A", "B"][at];
    if !page.is_open() {
        return letter.to_owned();
    }
    let (made_with, own) = match page.seats[at].side {
        Side::Window => ("with the window", Verdict::Window),
        Side::FullHistory => ("with the full history", Verdict::FullHistory),
    };
    let better = if page.verdict == Some(own) { " · better" } else { "" };
    format!("{letter} · {made_with}{better}")
}

/// How far an answer is; once that may be known, what it took.
fn standing(page: &VersusPage, at: usize, prices: &Prices, theme: &Theme) -> (String, Style) {
    match &page.seats[at] {
        Seat { ended: None, text, .. } if text.is_empty() => ("waiting …".into(), theme.dim),
        Seat { ended: None, .. } => ("writing …".into(), theme.dim),
        Seat { ended: Some(Err(_)), text, .. } if text.trim().is_empty() => {
            ("no answer".into(), theme.warning)
        }
        Seat { ended: Some(Err(_)), .. } => ("partial: it broke off".into(), theme.warning),
        Seat { ended: Some(Ok(SideAnswer { partial: Some(why), .. })), .. } if !page.is_open() => {
            (format!("partial: it {}", text::clean(why)), theme.warning)
        }
        Seat { ended: Some(Ok(answer)), .. } if page.is_open() => {
            let partial = answer.partial.as_ref().map(|why| format!(" · it {}", text::clean(why)));
            (figures(answer, prices) + &partial.unwrap_or_default(), theme.dim)
        }
        _ => ("answered".into(), theme.dim),
    }
}

/// `2,104 tokens, 88 % cached · 120 out · 1,840 ms · $0.0041`
fn figures(SideAnswer { paid, time, .. }: &SideAnswer, prices: &Prices) -> String {
    let about = if paid.estimated { "~" } else { "" };
    let cost = prices.cost(paid);
    let cost = match prices.in_money(cost) {
        Some((sum, currency)) => money(sum, currency),
        None => format!("costs {} of input", grouped(cost.round() as u64)),
    };
    format!(
        "{about}{} tokens, {:.0} % cached · {} out · {} ms · {cost}",
        grouped(paid.prompt()),
        paid.share_read() * 100.0,
        grouped(paid.output),
        grouped(u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
    )
}

/// The words of an answer, laid out as in the chat, and why there are none, or no more.
fn words(page: &VersusPage, at: usize, width: u16, raw: bool) -> Vec<Styled> {
    let seat = &page.seats[at];
    let width = usize::from(width).max(1);
    let plain = |text: &str| {
        text::wrap(text::clean(text).trim(), width).into_iter().map(Styled::plain).collect()
    };
    let has_words = !seat.text.trim().is_empty();
    match &seat.ended {
        Some(Err(why)) if !has_words => plain(why),
        Some(Ok(_)) if !has_words => plain("(it has no words)"),
        Some(Err(why)) => {
            [said(seat, width, raw), vec![Styled::plain(String::new())], plain(why)].concat()
        }
        _ => said(seat, width, raw),
    }
}

/// What came of an answer.
fn said(seat: &Seat, width: usize, raw: bool) -> Vec<Styled> {
    let text = seat.text.trim();
    if raw {
        return text::wrap(text::clean(text).trim(), width)
            .into_iter()
            .map(Styled::plain)
            .collect();
    }
    let rows = Markdown::default().advance(text, width);
    rows.settled.into_iter().chain(rows.open).map(|line| line.styled).collect()
}
