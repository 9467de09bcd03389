//! The curves of a card: full history and the window, turn by turn, with a scale beside them.

use super::drawn::{LEFT, RIGHT, Text};
use crate::counted::grouped;
use crate::replay::part::Mark;
use crate::replay::play::Replay;
use crate::replay::replayed::{Replayed, Step};

/// The room of the curves, in points of the picture: left, top, right, bottom.
const ROOM: (f64, f64, f64, f64) = (LEFT + 76.0, 284.0, RIGHT - 112.0, 508.0);

/// So far apart stand the names of the curves, which have a figure below each, at least.
const APART: f64 = 44.0;

/// Points of a curve at most.
const POINTS: usize = 200;

/// The scale has lines for so many parts at most.
const PARTS: u64 = 4;

/// The curves with their names, their scale, and where the program compacted.
pub(super) fn drawn(replay: &Replay, replayed: &Replayed) -> String {
    let steps = || replayed.steps.iter().chain(replayed.concluded);
    let most = steps().map(|step| step.under_way().max(step.window)).max().unwrap_or(1).max(1);
    // Behind the last turn there is a point more once the last topic is concluded.
    let last = steps().count().max(1);
    let curve = |class: &str, of: fn(Step) -> u64| curve(class, &points(steps(), (last, most), of));
    let marks = replay.conversation.marks().iter().map(|one| mark(one, last));
    let end = steps().last().map_or([0; 2], |step| [step.under_way(), step.window]);
    let places = places(end.map(|number| down(number, most)));
    [
        scale(most),
        curve("full", Step::under_way),
        curve("window", |step| step.window),
        marks.collect(),
        name("fulltext", "full history", end[0], places[0]),
        name("windowtext", "window", end[1], places[1]),
        turns(replayed),
    ]
    .concat()
}

/// Which turns there are, below the curves.
fn turns(replayed: &Replayed) -> String {
    let mut ended = format!("turn {}", grouped(replayed.steps.len() as u64));
    if replayed.concluded.is_some() {
        ended += ", then the last topic is concluded";
    }
    let text = Text::new("small", 15.0);
    let below = ROOM.3 + 22.0;
    text.at(ROOM.0, below).draw("turn 1") + &text.ending_at(ROOM.2, below).draw(&ended)
}

/// The line at the bottom, and one above it for each round number of tokens.
fn scale(most: u64) -> String {
    let each = round_part(most);
    let line = |tokens: u64| {
        let y = down(tokens, most);
        let class = if tokens == 0 { "axis" } else { "grid" };
        let number = Text::new("small", 15.0).ending_at(ROOM.0 - 12.0, y + 5.0);
        format!("<path class=\"{class}\" d=\"M{:.1} {y:.1}H{:.1}\"/>", ROOM.0, ROOM.2)
            + &number.within(ROOM.0 - LEFT + 26.0).draw(&grouped(tokens))
    };
    (0..=most / each).map(|nth| line(nth * each)).collect()
}

/// A round number that is in the most so many times, or fewer: 1, 2 or 5 with noughts.
fn round_part(most: u64) -> u64 {
    let powers = (0..=18).map(|power| 10_u64.pow(power));
    let mut round = powers.flat_map(|power| [1, 2, 5].map(|times| power.saturating_mul(times)));
    round.find(|part| most / part <= PARTS).unwrap_or(most)
}

/// A curve, and what is below it.
fn curve(class: &str, points: &[(f64, f64)]) -> String {
    let told: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = told.join(" ");
    let ends = [points.first(), points.last()].map(|end| end.map_or(ROOM.0, |(x, _)| *x));
    let bottom = ROOM.3;
    format!(
        "<path class=\"{class}area\" d=\"M{:.1},{bottom} {line} {:.1},{bottom}z\"/>\
         <polyline class=\"{class}\" points=\"{line}\"/>",
        ends[0], ends[1]
    )
}

/// Where the program compacted.
fn mark(mark: &Mark, last: usize) -> String {
    let (x, top, bottom) = (across(mark.turn as f64 - 0.5, last), ROOM.1, ROOM.3);
    format!("<path class=\"mark\" d=\"M{x:.1} {top}V{bottom}\"/>")
}

/// Where a point stands, counted from 0, of so many.
fn across(at: f64, points: usize) -> f64 {
    let last = points.saturating_sub(1).max(1);
    ROOM.0 + (ROOM.2 - ROOM.0) * (at / last as f64).clamp(0.0, 1.0)
}

fn down(tokens: u64, most: u64) -> f64 {
    ROOM.3 - (ROOM.3 - ROOM.1) * tokens as f64 / most as f64
}

/// Where the points of a curve stand: of each stretch of turns the one that holds most.
fn points(
    steps: impl Iterator<Item = Step>,
    (count, most): (usize, u64),
    of: fn(Step) -> u64,
) -> Vec<(f64, f64)> {
    let every = count.div_ceil(POINTS).max(1);
    // The first one, the last one and what comes behind it stand for themselves.
    let mut shown: Vec<(usize, u64)> = Vec::new();
    for (at, step) in steps.enumerate() {
        let tokens = of(step);
        match shown.as_mut_slice() {
            [_, .., most] if at % every > 0 && at + 2 < count => {
                *most = if tokens > most.1 { (at, tokens) } else { *most };
            }
            _ => shown.push((at, tokens)),
        }
    }
    // A single point would be no line.
    let again = (count == 1).then(|| shown.first().map(|(_, tokens)| (1, *tokens))).flatten();
    let all = shown.into_iter().chain(again);
    all.map(|(turn, tokens)| (across(turn as f64, count), down(tokens, most))).collect()
}

/// Where the names of two curves stand: each at its own end, as far as the other one leaves room.
fn places([one, other]: [f64; 2]) -> [f64; 2] {
    let lower = one.max(other).max(one.min(other) + APART).min(ROOM.3 - APART / 2.0);
    let upper = one.min(other).min(lower - APART);
    if one < other { [upper, lower] } else { [lower, upper] }
}

/// The name of a curve behind its end, with the tokens there.
fn name(class: &'static str, words: &str, tokens: u64, y: f64) -> String {
    let text = |class, size| Text::new(class, size).within(RIGHT - ROOM.2 - 12.0);
    let x = ROOM.2 + 14.0;
    text(class, 18.0).at(x, y + 4.0).draw(words)
        + &text("small", 15.0).at(x, y + 23.0).draw(&grouped(tokens))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_the_scale_are_round_and_few() {
        for (most, each) in [(1, 1), (4, 1), (5, 2), (1_406, 500), (761_793, 200_000)] {
            assert_eq!(round_part(most), each, "{most}");
        }
        assert!(u64::MAX / round_part(u64::MAX) <= PARTS);
    }
}
