//! What memory costs beside what others would have paid: conversations of several shapes and sizes, every
//! request looked at as it goes out, at the prices that servers ask for what they have kept.
//!
//! Only prompts differ: replies cost all sides the same and are left out; the answers that only memory needs
//! are in. System prompt and tools are in, on all sides.

mod meter;
mod play;
mod talk;

use std::sync::Arc;

pub use meter::{Placement, Sent};
pub use play::{Mark, PRICES, Price, Sitting, Until};
pub use talk::Shape;

use super::Outcome;
use crate::memory::CountTokens;
use crate::scenario::PlayError;
use play::{BREAKPOINTS, FIFTIETH, TENTH};

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What a few seconds are enough for.
    Short,
    /// All of it; minutes.
    Full,
}

const TURNS: [Until; 3] = [Until::Turns(30), Until::Turns(100), Until::Turns(300)];
const SIZES: [Until; 3] =
    [Until::Tokens(138_000), Until::Tokens(240_000), Until::Tokens(2_000_000)];

/// The shapes that the claims are about.
const SHAPES: [Shape; 3] = [Shape::Plain, Shape::Efforts, Shape::Pastes];

/// A claim about the worst of the shapes: after so many turns memory costs at most so many times what
/// append-only full history with the same cache does.
struct Bar {
    turns: u64,
    price: usize,
    most: f64,
}

const BARS: [Bar; 5] = [
    Bar { turns: 30, price: TENTH, most: 1.6 },
    Bar { turns: 100, price: TENTH, most: 1.2 },
    Bar { turns: 300, price: TENTH, most: 0.6 },
    Bar { turns: 300, price: BREAKPOINTS, most: 0.8 },
    Bar { turns: 300, price: FIFTIETH, most: 1.5 },
];

/// The least share of prompt tokens, in percent, that is an unchanged beginning, and over how many turns.
const UNCHANGED_PERCENT: f64 = 80.0;
const UNCHANGED_TURNS: u64 = 300;

/// A conversation as memory sends it, and the same with the block in front of the logs and an ambient window
/// that slides by one exchange a turn.
struct Pair {
    shape: Shape,
    new: Vec<Mark>,
    old: Vec<Mark>,
}

/// Plays the conversations and checks the claims.
pub(super) async fn run(
    extent: Extent,
    counter: &Arc<dyn CountTokens>,
) -> Result<Outcome, PlayError> {
    let mut pairs = Vec::new();
    match extent {
        Extent::Short => pairs.push(Pair::play(Shape::Efforts, &TURNS[..1], counter).await?),
        Extent::Full => {
            for shape in SHAPES {
                pairs.push(Pair::play(shape, &TURNS, counter).await?);
            }
            pairs.push(Pair::play(Shape::Mixed, &SIZES, counter).await?);
        }
    }
    let mut outcome = Outcome::default();
    for pair in &pairs {
        pair.rows(&mut outcome);
    }
    cheaper_rows(&mut outcome, &pairs);
    let marks: Vec<&Mark> =
        pairs.iter().filter(|pair| pair.shape != Shape::Mixed).flat_map(|pair| &pair.new).collect();
    check(&mut outcome, &marks);
    Ok(outcome)
}

/// The requests of a conversation as text: what was no unchanged beginning, and from where on.
pub fn listing(sent: &[Sent]) -> String {
    let line = |sent: &Sent| {
        let anew = sent.prompt - sent.unchanged;
        let Sent { turn, purpose, prompt, changed_at, .. } = sent;
        format!("turn {turn:>4} {purpose:<11} {anew:>6} of {prompt:>6} anew, from {changed_at:?}\n")
    };
    sent.iter().map(line).collect()
}

impl Pair {
    async fn play(
        shape: Shape,
        marks: &[Until],
        counter: &Arc<dyn CountTokens>,
    ) -> Result<Self, PlayError> {
        let (as_sent, in_front) = (Sitting::as_sent(shape, marks), Sitting::in_front(shape, marks));
        let (new, _) = as_sent.play(counter).await?;
        let (old, _) = in_front.play(counter).await?;
        Ok(Self { shape, new, old })
    }

    fn rows(&self, outcome: &mut Outcome) {
        for (new, old) in self.new.iter().zip(&self.old) {
            for price in &PRICES {
                self.row(outcome, new, old, price);
            }
        }
    }

    fn row(&self, outcome: &mut Outcome, new: &Mark, old: &Mark, price: &Price) {
        let at = PRICES.iter().position(|other| other == price);
        let bar = BARS.iter().find(|bar| bar.turns == new.turns && Some(bar.price) == at);
        let bar = bar.filter(|_| self.shape != Shape::Mixed);
        let [cached, uncached, compacting] = new.ratios(price);
        let [before, ..] = old.ratios(price);
        outcome.row(
            &format!(
                "{}, {} turns, {}k tokens, {}",
                self.shape.word(),
                new.turns,
                new.history / 1000,
                price.name
            ),
            &bar.map_or_else(|| "-".to_owned(), |bar| format!("at most {:.2}", bar.most)),
            format!(
                "{cached:.2} of full history (block in front: {before:.2}), {uncached:.2} of it uncached, \
                 {compacting:.2} of compacting; {:.0} % unchanged ({:.0} %)",
                new.unchanged_percent(),
                old.unchanged_percent()
            ),
        );
    }
}

/// Up to which size full history is the cheaper one at each price, in the longest conversation of each shape.
fn cheaper_rows(outcome: &mut Outcome, pairs: &[Pair]) {
    for (at, price) in PRICES.iter().enumerate() {
        let shapes: Vec<String> = pairs
            .iter()
            .filter_map(|pair| Some((pair.shape, pair.new.last()?)))
            .map(|(shape, mark)| format!("{} {}", shape.word(), cheaper(mark, at)))
            .collect();
        outcome.row(
            &format!("full history is the cheaper one, {}", price.name),
            "-",
            format!("up to tokens: {}", shapes.join(", ")),
        );
    }
}

fn cheaper(mark: &Mark, price: usize) -> String {
    let upto = mark.cheaper_up_to[price];
    if upto >= mark.history {
        format!("beyond {}k", mark.history / 1000)
    } else {
        format!("{:.1}k", upto as f64 / 1000.0)
    }
}

fn check(outcome: &mut Outcome, marks: &[&Mark]) {
    for bar in &BARS {
        let price = &PRICES[bar.price];
        let ratios = marks.iter().filter(|mark| mark.turns == bar.turns);
        let Some(worst) = ratios.map(|mark| mark.ratios(price)[0]).reduce(f64::max) else {
            continue;
        };
        outcome.claim(
            &format!(
                "{} turns, {}: at most {:.1} times append-only full history in the worst shape",
                bar.turns, price.name, bar.most
            ),
            worst <= bar.most,
            format!("{worst:.2}"),
        );
    }
    let long = marks.iter().filter(|mark| mark.turns == UNCHANGED_TURNS);
    if let Some(least) = long.map(|mark| mark.unchanged_percent()).reduce(f64::min) {
        outcome.claim(
            &format!("{UNCHANGED_TURNS} turns: at least {UNCHANGED_PERCENT:.0} % of prompts are unchanged"),
            least >= UNCHANGED_PERCENT,
            format!("{least:.1} % in the worst shape"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    /// That they hold as it is shows the proof itself, which the suite runs.
    #[tokio::test]
    async fn the_claims_fail_if_the_block_stands_in_front_again() {
        let counter = Arc::new(Words) as Arc<dyn CountTokens>;
        let old = Sitting::in_front(Shape::Efforts, &TURNS[..1]);
        let (marks, _) = old.play(&counter).await.expect("it plays");
        let mut outcome = Outcome::default();
        check(&mut outcome, &marks.iter().collect::<Vec<_>>());
        assert!(outcome.claims.len() == 1 && !outcome.holds(), "{:?}", outcome.claims);
    }
}
