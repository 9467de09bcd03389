//! A card to show to others: how full history and the window grew, the figures, and how they were obtained. It follows
//! the reader's light or dark.

use std::fmt::Write as _;

use super::conversation::Mark;
use super::costs::Priced;
use super::play::{Replay, Replayed, Step, saved_of};
use super::told;
use crate::bill::Prices;
use crate::counted::{counted, grouped, money};

/// The picture, in points.
const SIZE: (f64, f64) = (800.0, 440.0);

/// The room of the curves: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (30.0, 111.0, 680.0, 330.0);

/// So far apart stand the names of the curves, which have a figure below each, at least.
const APART: f64 = 32.0;

/// The width of a letter in the widest letters that there usually are, and in usual ones, in its size.
const WIDEST: f64 = 0.62;
const USUAL: f64 = 0.56;

/// Points of a curve at most.
const POINTS: usize = 200;

const STYLE: &str = "text{font:14px sans-serif;fill:#24292f}.title{font-size:22px;font-weight:600}.small{font-size:12px;fill:#57606a}\
    .paper{fill:#ffffff}.axis{stroke:#8c959f;stroke-width:1}.full{stroke:#cf222e}.window{stroke:#0969da}\
    .fulltext{fill:#cf222e}.windowtext{fill:#0969da}polyline{fill:none;stroke-width:2.5}.mark{stroke:#8c959f;stroke-dasharray:3 3}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117}.full{stroke:#ff7b72}\
    .window{stroke:#58a6ff}.fulltext{fill:#ff7b72}.windowtext{fill:#58a6ff}}";

/// The card as SVG.
pub fn card(replay: &Replay, replayed: &Replayed, priced: &Priced) -> String {
    let (width, height) = SIZE;
    let steps = || replayed.steps.iter().chain(replayed.concluded);
    let most = steps().map(|step| step.under_way().max(step.window)).max().unwrap_or(1).max(1);
    // Behind the last turn there is a point more once the last topic is concluded.
    let last = steps().count().max(1);
    let curve = |of: fn(Step) -> u64| points(steps(), (last, most), of);
    let mark = |mark: &Mark| {
        let (x, top, bottom) = (across(mark.turn as f64 - 0.5, last), ROOM.1, ROOM.3);
        format!("<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>")
    };
    let marks = replay.conversation.marks().iter().map(mark).collect::<Vec<_>>().concat();
    let mut ended = format!("turn {}", grouped(replayed.steps.len() as u64));
    if replayed.concluded.is_some() {
        ended += ", then the last topic is concluded";
    }
    let end = steps().last().map_or([0; 2], |step| [step.under_way(), step.window]);
    let places = places(end.map(|number| down(number, most)));
    let (left, right, bottom) = (ROOM.0, ROOM.2, ROOM.3);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\
         {}\
         <line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>{marks}\
         <polyline class=\"full\" points=\"{}\"/><polyline class=\"window\" points=\"{}\"/>\
         {}{}\
         <text class=\"small\" x=\"{left}\" y=\"{}\">turn 1</text>\
         <text class=\"small\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">{ended}</text>\
         {}</svg>\n",
        figures(replayed, &priced.prices),
        curve(Step::under_way),
        curve(|step| step.window),
        name("fulltext", "full history", end[0], places[0]),
        name("windowtext", "window", end[1], places[1]),
        bottom + 18.0,
        bottom + 18.0,
        how_obtained(replay, replayed, priced),
    )
}

/// The lines above the curves: what was said and is in the window, and what is saved.
fn figures(replayed: &Replayed, prices: &Prices) -> String {
    let (history, window) = (replayed.said, replayed.end.total().0);
    let turns = replayed.steps.len() as u64;
    let mut saved = format!("{} saved at the end", told::saved(replayed.saved()));
    let after = replayed.steps.last().map_or(0, |step| step.window);
    let mut told = format!("Window: {} after turn {}", grouped(after), grouped(turns));
    if replayed.concluded.is_some() {
        let _ = write!(told, ", {} once the last topic is concluded", grouped(window));
    }
    told += ".";
    if replayed.conversations > 1 {
        let last = saved_of(window, history.saturating_sub(replayed.began));
        let _ = write!(saved, ", {} of the last conversation", told::saved(last));
        told += " Full history: of the conversation under way.";
    }
    let of_all = told::in_conversations(replayed);
    let (history, window) = (grouped(history), grouped(window));
    let costs = replayed.costs(prices);
    let net = told::net_of_full_history(costs.net());
    let (turns, topics) = (counted(turns, "turn"), counted(replayed.phases.len() as u64, "topic"));
    let head = format!("{history} tokens said{of_all}, {window} in the window");
    let savings = format!("{saved}; the cost, net: {net}; {turns}, {topics}");
    let compacting = told::nets_of_compacting(&costs).unwrap_or_default();
    let below =
        if compacting.is_empty() { String::new() } else { line("", 14.0, 77.0, &compacting) };
    let window = small(if below.is_empty() { 78.0 } else { 95.0 }, &told);
    [line("title", 22.0, 34.0, &head), line("", 14.0, 58.0, &savings), below, window].concat()
}

/// The lines below them: how the figures were obtained.
fn how_obtained(replay: &Replay, replayed: &Replayed, priced: &Priced) -> String {
    let (ratios, of) = (priced.prices.ratios(), escaped(&priced.of));
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
        "Dashed: where the program compacted."
    };
    let money = in_money(replayed, &priced.prices);
    let how = [
        format!(
            "Replayed with Ebbtide: tokens of cl100k_base; cost in input tokens of {of}: {ratios};"
        ),
        format!(
            "one request a turn, memory's own requests counted; large results count as read once{each}."
        ),
        format!("{recall} {compacted}{money}"),
    ];
    let lines = how.iter().zip([50.0, 68.0, 86.0]);
    lines.map(|(text, below)| small(ROOM.3 + below, text)).collect()
}

/// A line of text, which is drawn closer where it might run out of the picture: nobody knows the reader's letters.
fn line(class: &str, size: f64, y: f64, text: &str) -> String {
    let edge = SIZE.0 - ROOM.0 - 5.0;
    // A sign that is written by its name, such as `&amp;`, counts for too much.
    let em = size * text.chars().count() as f64;
    let closer = if WIDEST * em > edge {
        let usual = (USUAL * em).min(SIZE.0 - 2.0 * ROOM.0);
        format!(" textLength=\"{usual:.0}\" lengthAdjust=\"spacingAndGlyphs\"")
    } else {
        String::new()
    };
    let class = if class.is_empty() { String::new() } else { format!("class=\"{class}\" ") };
    format!("<text {class}x=\"{}\" y=\"{y}\"{closer}>{text}</text>", ROOM.0)
}

fn small(y: f64, text: &str) -> String {
    line("small", 12.0, y, text)
}

/// Where a point stands, counted from 0, of so many.
fn across(at: f64, points: usize) -> f64 {
    let last = points.saturating_sub(1).max(1);
    ROOM.0 + (ROOM.2 - ROOM.0) * (at / last as f64).clamp(0.0, 1.0)
}

fn down(tokens: u64, most: u64) -> f64 {
    ROOM.3 - (ROOM.3 - ROOM.1) * tokens as f64 / most as f64
}

fn points(
    steps: impl Iterator<Item = Step>,
    (count, most): (usize, u64),
    of: fn(Step) -> u64,
) -> String {
    let every = count.div_ceil(POINTS).max(1);
    // The turn that holds most of each stretch; the last one and what comes behind it stand for themselves.
    let mut shown: Vec<(usize, u64)> = Vec::new();
    for (at, step) in steps.enumerate() {
        let tokens = of(step);
        match shown.last_mut() {
            Some(most) if at % every > 0 && at + 2 < count => {
                *most = if tokens > most.1 { (at, tokens) } else { *most };
            }
            _ => shown.push((at, tokens)),
        }
    }
    let point = |turn: usize, tokens: u64| {
        format!("{:.1},{:.1}", across(turn as f64, count), down(tokens, most))
    };
    // A single point would be no line.
    let again = (count == 1).then(|| shown.first()).flatten().map(|(_, tokens)| point(1, *tokens));
    let points = shown.iter().map(|(at, tokens)| point(*at, *tokens));
    points.chain(again).collect::<Vec<_>>().join(" ")
}

/// What it cost in the currency, beside full history, as a sentence; nothing where no price of input is known.
fn in_money(replayed: &Replayed, prices: &Prices) -> String {
    let costs = replayed.costs(prices);
    let told = [costs.own, costs.full].map(|cost| prices.in_money(cost).map(money));
    let [Some(own), Some(full)] = told else { return String::new() };
    escaped(&format!(" In money: {own}, full history {full}."))
}

/// Names of currencies and servers are anybody's text.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// Where the names of two curves stand: each at its own end, as far as the other one leaves room.
fn places([one, other]: [f64; 2]) -> [f64; 2] {
    let lower = one.max(other).max(one.min(other) + APART).min(ROOM.3 - APART / 2.0);
    let upper = one.min(other).min(lower - APART);
    if one < other { [upper, lower] } else { [lower, upper] }
}

/// The name of a curve behind its end, with the tokens there.
fn name(class: &str, words: &str, tokens: u64, y: f64) -> String {
    let (x, below) = (ROOM.2 + 8.0, y + 18.0);
    format!(
        "<text class=\"{class}\" x=\"{x}\" y=\"{:.1}\">{words}</text>\
         <text class=\"small\" x=\"{x}\" y=\"{below:.1}\">{}</text>",
        y + 4.0,
        grouped(tokens)
    )
}
