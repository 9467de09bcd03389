//! A card to show to others: what was said and is in the window, what that saves, how both grew, and how the figures were
//! obtained. It has the shape that pages show a link's picture in, and follows the reader's light or dark.

mod curves;
mod drawn;

use super::costs::{Costs, Priced};
use super::play::Replay;
use super::replayed::{Replayed, saved_of};
use super::savings;
use crate::bill::{COMPACTS_AT, Prices};
use crate::counted::{counted, grouped, money};
use crate::xml;
use drawn::{LEFT, RIGHT, Text};

/// The card as SVG.
pub fn card(replay: &Replay, replayed: &Replayed, priced: &Priced) -> String {
    let content = [
        head(replayed),
        tiles(&figures(replayed, &priced.prices)),
        curves::drawn(replay, replayed),
        how_obtained(replay, replayed, priced),
    ];
    drawn::picture(&content.concat())
}

/// Whose card it is, of how much, and what was said and is in the window.
fn head(replayed: &Replayed) -> String {
    let turns = counted(replayed.steps.len() as u64, "turn");
    let topics = counted(replayed.phases.len() as u64, "topic");
    let [said, window] = [replayed.said, replayed.end.total().0].map(grouped);
    let of_all = savings::in_conversations(replayed);
    let title = format!("{said} tokens said{of_all}, {window} in the window");
    [
        drawn::WAVE.to_owned(),
        Text::new("name", 22.0).at(LEFT + 46.0, 57.0).within(400.0).draw("Ebbtide"),
        Text::new("small", 18.0).ending_at(RIGHT, 57.0).draw(&format!("{turns}, {topics}")),
        Text::new("title", 38.0).at(LEFT, 118.0).draw(&title),
        Text::new("small", 18.0).at(LEFT, 150.0).draw(&window_told(replayed)),
    ]
    .concat()
}

/// What the window held when the last turn had ended, and what it holds at the end.
fn window_told(replayed: &Replayed) -> String {
    let after = replayed.steps.last().map_or(0, |step| step.window);
    let turns = grouped(replayed.steps.len() as u64);
    let concluded = replayed.concluded.map_or_else(String::new, |_| {
        format!(", {} once the last topic is concluded", grouped(replayed.end.total().0))
    });
    let of_one = if replayed.conversations > 1 {
        " Full history: of the conversation under way."
    } else {
        ""
    };
    format!("Window: {} after turn {turns}{concluded}.{of_one}", grouped(after))
}

/// A figure, what it is, and whether something is saved by it.
type Figure = (String, String, bool);

/// What is saved: of what was said, and of what each of the others costs.
fn figures(replayed: &Replayed, prices: &Prices) -> Vec<Figure> {
    let part = replayed.saved();
    let of_last = match replayed.conversations {
        0 | 1 => String::new(),
        _ => {
            let said = replayed.said.saturating_sub(replayed.began);
            let last = saved_of(replayed.end.total().0, said);
            format!("; {} of the last conversation", savings::saved(last))
        }
    };
    let of_said = format!("at the end, of what was said{of_last}");
    let costs = replayed.costs(prices);
    let at = format!("compacting at {}", grouped(COMPACTS_AT));
    let nets = [
        (Some(costs.net()), "full history"),
        (costs.net_of_compacting(), at.as_str()),
        (costs.net_of_then(), "compacting where the program itself did"),
    ];
    let net = |(part, other): (Option<f64>, &str)| {
        let part = part?;
        Some((
            savings::net(part),
            format!("in net cost, {} {other}", savings::beside(part)),
            part > 0.0,
        ))
    };
    [(format!("{} saved", savings::saved(part)), of_said, part > 0.0)]
        .into_iter()
        .chain(nets.into_iter().filter_map(net))
        .collect()
}

/// The figures side by side, in equal parts of the picture.
fn tiles(figures: &[Figure]) -> String {
    /// Four of them fill the picture; fewer are no wider than a third of it.
    const FEWEST: usize = 3;
    let width = (RIGHT - LEFT) / figures.len().max(FEWEST) as f64;
    let tile = |(nth, (figure, what, is_saving)): (usize, &Figure)| {
        let (x, room) = (LEFT + width * nth as f64, width - 24.0);
        let class = if *is_saving { "figure windowtext" } else { "figure fulltext" };
        let first = Text::new(class, 30.0).at(x, 206.0).within(room).draw(figure);
        let lines = Text::new("small", 16.0).at(x, 231.0).within(room);
        first + &lines.draw_in_lines(what, 20.0)
    };
    figures.iter().enumerate().map(tile).collect()
}

/// The lines below: how the figures were obtained.
fn how_obtained(replay: &Replay, replayed: &Replayed, priced: &Priced) -> String {
    let (ratios, of) = (priced.prices.ratios(), xml::escape(&priced.of));
    let each =
        if replayed.conversations > 1 { ", full history anew in each conversation" } else { "" };
    let recall = if replayed.is_recall_on() {
        "What messages recalled is in the cost."
    } else {
        "Recall was off."
    };
    let compacted = if replay.conversation.marks().is_empty() {
        ""
    } else {
        " Dashed: where the program compacted."
    };
    let money = in_money(replayed, &priced.prices);
    let cold = match replayed.pauses.turns {
        0 => String::new(),
        turns => format!(" {} behind a pause: nothing cached.", counted(turns, "turn")),
    };
    let lines = [
        format!(
            "Replayed with Ebbtide: tokens of cl100k_base; cost in input tokens of {of}: {ratios};"
        ),
        format!(
            "one request a turn, memory's own requests counted; large results count as read once{each}."
        ),
        format!("{recall}{compacted}{cold}{money}"),
    ];
    let draw = |(text, y): (&String, f64)| Text::new("small", 15.0).at(LEFT, y).draw(text);
    lines.iter().zip([568.0, 588.0, 608.0]).map(draw).collect()
}

/// What it cost in the currency, beside full history, as a sentence; nothing where no price of input is known.
fn in_money(replayed: &Replayed, prices: &Prices) -> String {
    let Costs { own, full, .. } = replayed.costs(prices);
    let told =
        [own, full].map(|cost| prices.in_money(cost).map(|(sum, currency)| money(sum, currency)));
    let [Some(own), Some(full)] = told else { return String::new() };
    xml::escape(&format!(" In money: {own}, full history {full}."))
}
