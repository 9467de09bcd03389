//! The claims: what memory may cost at most, beside append-only full history with the same cache.

use super::play::{Mark, Until};
use super::price::{BREAKPOINTS, FIFTIETH, PRICES, TENTH};
use super::talk::{Plan, Shape};
use super::{Conversation, Pair};
use crate::proof::Outcome;

pub(super) const TURNS: [Until; 3] = [Until::Turns(30), Until::Turns(100), Until::Turns(300)];
pub(super) const SIZES: [Until; 3] = [SMALL, MIDDLE, LARGE];
const SMALL: Until = Until::Tokens(138_000);
const MIDDLE: Until = Until::Tokens(240_000);
const LARGE: Until = Until::Tokens(2_000_000);

/// The size of conversations that people have published.
pub(super) const PUBLISHED: Until = Until::Tokens(116_000);

/// The shapes that the claims about turns are about.
pub(super) const SHAPES: [Shape; 3] = [Shape::Plain, Shape::Efforts, Shape::Pastes];

/// Conversations that people have published, in the figures that they give: `LongMemEval_s` has 47.7 sessions of 493.5
/// messages and 115,000 tokens on average; `LoCoMo` 27.2 sessions and messages of 28 tokens, of which it takes seven times
/// as many to make 116,000.
pub(super) const PUBLIC: [(&str, Plan); 2] = [
    ("LongMemEval_s", Plan { messages: 247, tokens: 116_000, phases: 48, nth: 0, own_percent: 25 }),
    ("LoCoMo", Plan { messages: 2_050, tokens: 116_000, phases: 27, nth: 0, own_percent: 50 }),
];

/// The most that such a one may cost as plain chat, and with an effort for each session.
const PLAIN: f64 = 0.5;
const SESSIONS: f64 = 0.3;

/// The least that any server is known to keep, and what short messages to it may cost at most in so many turns:
/// what is recalled for one is several times as long as it.
pub(super) const LEAST: u64 = 4_096;
const SHORT: [(Until, f64); 3] = [(TURNS[0], 1.2), (TURNS[1], 1.2), (TURNS[2], 1.2)];

/// A claim about the worst of some conversations: at a place memory costs at most so many times what append-only full
/// history with the same cache does.
struct Bar {
    until: Until,
    /// `None` for all of [`SHAPES`].
    shape: Option<Shape>,
    price: usize,
    most: f64,
}

const fn of_all(turns: u64, price: usize, most: f64) -> Bar {
    Bar { until: Until::Turns(turns), shape: None, price, most }
}

const fn of_shape(shape: Shape, until: Until, price: usize, most: f64) -> Bar {
    Bar { until, shape: Some(shape), price, most }
}

const BARS: [Bar; 15] = [
    of_all(30, TENTH, 1.6),
    of_all(100, TENTH, 1.2),
    of_all(300, TENTH, 0.6),
    of_all(300, BREAKPOINTS, 0.8),
    of_all(300, FIFTIETH, 1.5),
    of_shape(Shape::Plain, PUBLISHED, TENTH, PLAIN),
    of_shape(Shape::Mixed, SMALL, TENTH, 0.5),
    of_shape(Shape::Mixed, SMALL, BREAKPOINTS, 0.8),
    of_shape(Shape::Mixed, SMALL, FIFTIETH, 1.5),
    of_shape(Shape::Mixed, MIDDLE, TENTH, 0.5),
    of_shape(Shape::Mixed, MIDDLE, BREAKPOINTS, 0.8),
    of_shape(Shape::Mixed, MIDDLE, FIFTIETH, 1.5),
    of_shape(Shape::Mixed, LARGE, TENTH, 0.5),
    of_shape(Shape::Mixed, LARGE, BREAKPOINTS, 0.8),
    of_shape(Shape::Mixed, LARGE, FIFTIETH, 1.5),
];

/// The least share of prompt tokens, in percent, that is an unchanged beginning, and over how many turns.
const UNCHANGED_PERCENT: f64 = 80.0;
const UNCHANGED_TURNS: Until = Until::Turns(300);

impl Bar {
    fn is_about(&self, of: &Conversation, until: Until) -> bool {
        let is_meant = self.shape.map_or_else(|| SHAPES.contains(&of.shape), |one| one == of.shape);
        is_meant && of.public.is_none() && of.least == 0 && self.until == until
    }

    fn words(&self) -> String {
        let of = self.shape.map_or("the worst shape".to_owned(), |shape| {
            format!("{} (the worst length)", shape.word())
        });
        let Self { until, most, .. } = self;
        let price = PRICES[self.price].name;
        format!("{until}, {price}, {of}: at most {most:.1} times append-only full history")
    }
}

/// The most that memory may cost in a conversation at a place and a price; `None` where nothing is claimed.
pub(super) fn most(of: &Conversation, until: Until, price: usize) -> Option<f64> {
    let public = of.public.filter(|_| price == TENTH);
    let public = public.map(|_| if of.shape == Shape::Plain { PLAIN } else { SESSIONS });
    let bar = || BARS.iter().find(|bar| bar.is_about(of, until) && bar.price == price);
    let is_short = of.least > 0 && price == TENTH;
    let short = SHORT.iter().find(|(at, _)| is_short && *at == until).map(|(_, most)| *most);
    public.or(short).or_else(|| bar().map(|bar| bar.most))
}

/// Checks all claims that something was played for.
pub(super) fn check(outcome: &mut Outcome, pairs: &[Pair]) {
    let marks = || pairs.iter().flat_map(|pair| pair.new.iter().map(move |mark| (&pair.of, mark)));
    for bar in &BARS {
        let meant = marks().filter(|(of, mark)| bar.is_about(of, mark.until));
        let ratios = meant.map(|(_, mark)| mark.ratios(&PRICES[bar.price])[0]);
        if let Some(worst) = ratios.reduce(f64::max) {
            outcome.claim(&bar.words(), worst <= bar.most, format!("{worst:.2}"));
        }
    }
    check_short(outcome, marks());
    check_public(outcome, marks());
    check_floor(outcome, marks());
    let long = marks().filter(|(of, mark)| of.least == 0 && mark.until == UNCHANGED_TURNS);
    if let Some(least) = long.map(|(_, mark)| mark.unchanged_percent()).reduce(f64::min) {
        outcome.claim(
            &format!(
                "{UNCHANGED_TURNS}: at least {UNCHANGED_PERCENT:.0} % of prompts are unchanged"
            ),
            least >= UNCHANGED_PERCENT,
            format!("{least:.1} % in the worst shape"),
        );
    }
}

/// The least possible is no more than what was measured.
fn check_floor<'a>(
    outcome: &mut Outcome,
    marks: impl Iterator<Item = (&'a Conversation, &'a Mark)>,
) {
    let apart =
        |mark: &Mark| PRICES.each_ref().map(|price| mark.ratios(price)[0] - mark.floor(price));
    let Some(least) = marks.flat_map(|(_, mark)| apart(mark)).reduce(f64::min) else { return };
    let text = "nothing costs less than the least possible that is worked out beside it";
    outcome.claim(text, least >= 0.0, format!("{least:.3} of full history above it at least"));
}

fn check_short<'a>(
    outcome: &mut Outcome,
    marks: impl Iterator<Item = (&'a Conversation, &'a Mark)>,
) {
    for (of, mark) in marks.filter(|(of, _)| of.least > 0) {
        let Some(most) = most(of, mark.until, TENTH) else { continue };
        let [ratio, ..] = mark.ratios(&PRICES[TENTH]);
        let (until, price) = (mark.until, PRICES[TENTH].name);
        let text = format!(
            "{until}, {price}, short messages to a cache that keeps nothing below {} tokens: at most {most:.1} times append-only \
             full history",
            of.least
        );
        outcome.claim(&text, ratio <= most, format!("{ratio:.2}"));
    }
}

fn check_public<'a>(
    outcome: &mut Outcome,
    marks: impl Iterator<Item = (&'a Conversation, &'a Mark)>,
) {
    for (of, mark) in marks.filter(|(of, _)| of.public.is_some()) {
        let Some(most) = most(of, mark.until, TENTH) else { continue };
        let [ratio, ..] = mark.ratios(&PRICES[TENTH]);
        outcome.claim(
            &format!(
                "{}, {}: at least {:.0} % saved beside append-only full history",
                of.name(),
                PRICES[TENTH].name,
                100.0 * (1.0 - most)
            ),
            ratio <= most,
            format!(
                "{:.1} %, {:.1} % at most possible",
                saved(ratio),
                saved(mark.floor(&PRICES[TENTH]))
            ),
        );
    }
}

fn saved(ratio: f64) -> f64 {
    100.0 * (1.0 - ratio)
}
