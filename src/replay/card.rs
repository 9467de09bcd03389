//! A card to show to others: how full history and the window grew, the figures, and how they were obtained. It follows
//! the reader's light or dark.

use super::play::{Replay, Replayed, Step};
use super::rows::Rows;
use super::told;
use super::turns::Mark;
use crate::bill::Prices;

/// The picture, in points.
const SIZE: (f64, f64) = (800.0, 440.0);

/// The room of the curves: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (30.0, 95.0, 770.0, 330.0);

/// Points of a curve at most.
const POINTS: usize = 200;

const STYLE: &str = "text{font:14px sans-serif;fill:#24292f}.title{font-size:22px;font-weight:600}.small{font-size:12px;fill:#57606a}\
    .paper{fill:#ffffff}.axis{stroke:#8c959f;stroke-width:1}.full{stroke:#cf222e}.window{stroke:#0969da}\
    .fulltext{fill:#cf222e}.windowtext{fill:#0969da}polyline{fill:none;stroke-width:2.5}.mark{stroke:#8c959f;stroke-dasharray:3 3}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117}.full{stroke:#ff7b72}\
    .window{stroke:#58a6ff}.fulltext{fill:#ff7b72}.windowtext{fill:#58a6ff}}";

/// The card as SVG.
pub fn card(replay: &Replay, replayed: &Replayed, prices: &Prices) -> String {
    let (width, height) = SIZE;
    let steps = &replayed.steps;
    let most =
        steps.iter().map(|step| step.full_history.max(step.window)).max().unwrap_or(1).max(1);
    let last = steps.len().max(1);
    let curve = |of: fn(Step) -> u64| points(steps, most, of);
    let history = replayed.said;
    let (window, saved) = (replayed.end.total().0, told::saved(replayed.saved()));
    let topics = replayed.phases.len();
    let net = told::net_of_full_history(replayed.net(prices));
    let mark = |mark: &Mark| {
        let (x, top, bottom) = (across(mark.turn as f64 + 0.5, last), ROOM.1, ROOM.3);
        format!("<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{bottom}\"/>")
    };
    let marks = replay.conversation.marks().iter().map(mark).collect::<Vec<_>>().concat();
    let compacted = if replay.conversation.marks().is_empty() {
        ""
    } else {
        "Dashed: where the program compacted."
    };
    let each =
        if replayed.conversations > 1 { ", full history anew in each conversation" } else { "" };
    let recall = if replayed.is_recall_on() {
        "What messages recalled is in the cost."
    } else {
        "Recall was off."
    };
    let (left, right, bottom) = (ROOM.0, ROOM.2, ROOM.3);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\"><style>{STYLE}</style>\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\
         <text class=\"title\" x=\"{left}\" y=\"34\">{history} tokens said, {window} in the window</text>\
         <text x=\"{left}\" y=\"58\">{saved} saved at the end; the cost, net: {net}; {last} turns, {topics} topics</text>\
         <line class=\"axis\" x1=\"{left}\" x2=\"{right}\" y1=\"{bottom}\" y2=\"{bottom}\"/>{marks}\
         <polyline class=\"full\" points=\"{}\"/><polyline class=\"window\" points=\"{}\"/>\
         <text class=\"fulltext\" x=\"{}\" y=\"{}\" text-anchor=\"end\">full history</text>\
         <text class=\"windowtext\" x=\"{}\" y=\"{}\" text-anchor=\"end\">window</text>\
         <text class=\"small\" x=\"{left}\" y=\"{}\">turn 1</text>\
         <text class=\"small\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">turn {last}</text>\
         <text class=\"small\" x=\"{left}\" y=\"{}\">Replayed with Ebbtide: tokens of cl100k_base; cost in input tokens, cache reads at {} times, output at {} \
         times;</text><text class=\"small\" x=\"{left}\" y=\"{}\">one request a turn, memory's own requests counted; large results \
         count as read once{each}.</text><text class=\"small\" x=\"{left}\" y=\"{}\">{recall} {compacted}</text></svg>\n",
        curve(|step| step.full_history),
        curve(|step| step.window),
        right - 4.0,
        ROOM.1 - 8.0,
        right - 4.0,
        bottom - 14.0,
        bottom + 18.0,
        bottom + 18.0,
        bottom + 50.0,
        prices.cached,
        prices.output,
        bottom + 68.0,
        bottom + 86.0,
    )
}

fn across(turn: f64, last: usize) -> f64 {
    ROOM.0 + (ROOM.2 - ROOM.0) * (turn / last as f64).min(1.0)
}

fn points(steps: &Rows<Step>, most: u64, of: fn(Step) -> u64) -> String {
    let every = steps.len().div_ceil(POINTS).max(1);
    let shown = steps.iter().enumerate().filter(|(at, _)| at % every == 0 || at + 1 == steps.len());
    let point = |(at, step): (usize, Step)| {
        let y = ROOM.3 - (ROOM.3 - ROOM.1) * of(step) as f64 / most as f64;
        format!("{:.1},{y:.1}", across(at as f64 + 1.0, steps.len()))
    };
    shown.map(point).collect::<Vec<_>>().join(" ")
}
