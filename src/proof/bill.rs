//! What memory costs beside what others would have paid: conversations of several shapes and sizes, every
//! request looked at as it goes out, at the prices that servers ask for what they have kept.
//!
//! Only prompts differ: replies cost all sides the same and are left out; the answers that only memory needs
//! are in. System prompt and tools are in, on all sides.

mod meter;
mod parts;
mod play;
mod talk;
mod words;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use meter::{Placement, Sent};
pub use parts::{Part, Parts};
pub use play::{Billed, Mark, PRICES, Price, Sitting, Until};
pub use talk::{Plan, Shape};
use tokio::task::JoinHandle;

use super::Outcome;
use crate::memory::{CountTokens, Tokens};
use crate::scenario::PlayError;
pub(super) use play::{BREAKPOINTS, FIFTIETH, TENTH};

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What a few seconds are enough for.
    Short,
    /// All of it; minutes.
    Full,
}

const TURNS: [Until; 3] = [Until::Turns(30), Until::Turns(100), Until::Turns(300)];
const SIZES: [Until; 3] = [SMALL, MIDDLE, LARGE];
const SMALL: Until = Until::Tokens(138_000);
const MIDDLE: Until = Until::Tokens(240_000);
const LARGE: Until = Until::Tokens(2_000_000);

/// The size of conversations that people have published.
const PUBLISHED: Until = Until::Tokens(116_000);

/// The shapes that the claims about turns are about.
const SHAPES: [Shape; 3] = [Shape::Plain, Shape::Efforts, Shape::Pastes];

/// Lengths of messages and replies, in percent of the usual ones, of the conversations of [`PUBLISHED`] size.
const LENGTHS: [usize; 3] = [60, 100, 250];

/// The length of those of [`SIZES`].
const LONG: usize = 200;

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

const BARS: [Bar; 16] = [
    of_all(30, TENTH, 1.6),
    of_all(100, TENTH, 1.2),
    of_all(300, TENTH, 0.6),
    of_all(300, BREAKPOINTS, 0.8),
    of_all(300, FIFTIETH, 1.5),
    of_shape(Shape::Plain, PUBLISHED, TENTH, 0.5),
    of_shape(Shape::Efforts, PUBLISHED, TENTH, 0.3),
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

impl Bar {
    fn is_about(&self, shape: Shape, until: Until) -> bool {
        let is_meant = self.shape.map_or_else(|| SHAPES.contains(&shape), |meant| meant == shape);
        is_meant && self.until == until
    }

    fn words(&self) -> String {
        let of = self.shape.map_or("the worst shape".to_owned(), |shape| {
            format!("{} (the worst of all lengths)", shape.word())
        });
        let Self { until, most, .. } = self;
        let price = PRICES[self.price].name;
        format!("{until}, {price}, {of}: at most {most:.1} times append-only full history")
    }
}

/// The least share of prompt tokens, in percent, that is an unchanged beginning, and over how many turns.
const UNCHANGED_PERCENT: f64 = 80.0;
const UNCHANGED_TURNS: Until = Until::Turns(300);

/// A conversation as memory sends it, and the same with the block in front of the logs and an ambient window
/// that slides by one exchange a turn, as far as that was played.
struct Pair {
    shape: Shape,
    length: usize,
    new: Vec<Mark>,
    old: Vec<Mark>,
}

/// The same while it is played.
struct Playing {
    shape: Shape,
    length: usize,
    sides: [JoinHandle<Result<Vec<Mark>, PlayError>>; 2],
}

/// Plays the conversations and checks the claims.
pub(super) async fn run(
    extent: Extent,
    counter: &Arc<dyn CountTokens>,
) -> Result<Outcome, PlayError> {
    // All sides count the same texts.
    let counter = &(Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>);
    // The longest begins first: they are played side by side.
    let mut playing = Vec::new();
    match extent {
        Extent::Short => {
            playing.push(Playing::begin(Shape::Efforts, 100, &TURNS[..1], &TURNS[..1], counter));
        }
        Extent::Full => {
            playing.push(Playing::begin(Shape::Mixed, LONG, &SIZES, &SIZES, counter));
            for shape in SHAPES {
                playing.push(Playing::begin(shape, 100, &TURNS, &TURNS, counter));
            }
            for shape in [Shape::Plain, Shape::Efforts] {
                for length in LENGTHS {
                    playing.push(Playing::begin(shape, length, &[PUBLISHED], &[], counter));
                }
            }
        }
    }
    let mut pairs = Vec::new();
    for playing in playing {
        pairs.push(playing.end().await?);
    }
    let mut outcome = Outcome::default();
    for pair in &pairs {
        pair.rows(&mut outcome);
    }
    cheaper_rows(&mut outcome, &pairs);
    let marks: Vec<(Shape, &Mark)> =
        pairs.iter().flat_map(|pair| pair.new.iter().map(|mark| (pair.shape, mark))).collect();
    check(&mut outcome, &marks);
    outcome.remarks.push(OBTAINED.to_owned());
    Ok(outcome)
}

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: the conversations are made up, the same in every run, in messages of \
    2 to 150 words and replies of 20 to 580 (times the length given), in efforts that interleave, with asides, \
    mentions of what was earlier, looks into what was concluded, notes and pastes. Each is played through the real \
    driver at default settings; every request is looked at as it goes out, and what of it had gone out before, byte \
    by byte, counts as read from the cache, or written up to the marks where a cache has breakpoints. Full history \
    sends the same words, system prompt and tools to the same cache. Replies cost all sides the same and are left \
    out; answers that only memory needs are in, at four times the price of input. No pause lets a cache forget, which \
    favours full history. The block in front is played with `seeds`.";

/// Counts every text once.
pub(super) struct Remembering {
    counter: Arc<dyn CountTokens>,
    /// Tokens by the hash of their text.
    known: Mutex<HashMap<u64, Tokens>>,
}

impl Remembering {
    pub(super) fn new(counter: Arc<dyn CountTokens>) -> Self {
        Self { counter, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<u64, Tokens>> {
        // A count is there or it is not.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl CountTokens for Remembering {
    fn count(&self, text: &str) -> Tokens {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let hash = hasher.finish();
        if let Some(tokens) = self.known().get(&hash) {
            return *tokens;
        }
        let tokens = self.counter.count(text);
        self.known().insert(hash, tokens);
        tokens
    }
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

impl Playing {
    fn begin(
        shape: Shape,
        length: usize,
        new: &'static [Until],
        old: &'static [Until],
        counter: &Arc<dyn CountTokens>,
    ) -> Self {
        let sittings = [Sitting::as_sent(shape, new), Sitting::in_front(shape, old)];
        let sides = sittings.map(|sitting| {
            let (sitting, counter) = (Sitting { length, ..sitting }, Arc::clone(counter));
            tokio::spawn(async move { sitting.play(&counter).await.map(|billed| billed.marks) })
        });
        Self { shape, length, sides }
    }

    async fn end(self) -> Result<Pair, PlayError> {
        let Self { shape, length, sides: [new, old] } = self;
        let broken = |error: tokio::task::JoinError| PlayError::Script(error.to_string());
        let (new, old) = (new.await.map_err(broken)??, old.await.map_err(broken)??);
        Ok(Pair { shape, length, new, old })
    }
}

impl Pair {
    fn rows(&self, outcome: &mut Outcome) {
        for new in &self.new {
            let old = self.old.iter().find(|old| old.until == new.until);
            for (at, price) in PRICES.iter().enumerate() {
                let bar =
                    BARS.iter().find(|bar| bar.is_about(self.shape, new.until) && bar.price == at);
                self.row(outcome, new, old, price, bar);
            }
        }
    }

    fn row(
        &self,
        outcome: &mut Outcome,
        new: &Mark,
        old: Option<&Mark>,
        price: &Price,
        bar: Option<&Bar>,
    ) {
        let [cached, uncached, compacting] = new.ratios(price);
        let before = old.map(|old| {
            let [before, ..] = old.ratios(price);
            format!(" (block in front: {before:.2}, {:.0} % unchanged)", old.unchanged_percent())
        });
        outcome.row(
            &format!(
                "{}, length {} %, {} turns, {}k tokens, {}",
                self.shape.word(),
                self.length,
                new.turns,
                new.history / 1000,
                price.name
            ),
            &bar.map_or_else(|| "-".to_owned(), |bar| format!("at most {:.2}", bar.most)),
            format!(
                "{cached:.2} of full history, {uncached:.2} of it uncached, {compacting:.2} of compacting; \
                 {:.0} % unchanged{}",
                new.unchanged_percent(),
                before.unwrap_or_default()
            ),
        );
    }
}

/// Up to which size full history is the cheaper one at each price, in the longest conversation of each shape.
fn cheaper_rows(outcome: &mut Outcome, pairs: &[Pair]) {
    for (at, price) in PRICES.iter().enumerate() {
        let shapes: Vec<String> = pairs
            .iter()
            .filter(|pair| !pair.old.is_empty())
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

fn check(outcome: &mut Outcome, marks: &[(Shape, &Mark)]) {
    for bar in &BARS {
        let meant = marks.iter().filter(|(shape, mark)| bar.is_about(*shape, mark.until));
        let ratios = meant.map(|(_, mark)| mark.ratios(&PRICES[bar.price])[0]);
        if let Some(worst) = ratios.reduce(f64::max) {
            outcome.claim(&bar.words(), worst <= bar.most, format!("{worst:.2}"));
        }
    }
    let long = marks.iter().filter(|(_, mark)| mark.until == UNCHANGED_TURNS);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;

    /// That they hold as it is shows the proof itself, which the suite runs.
    #[tokio::test]
    async fn the_claims_fail_if_the_block_stands_in_front_again() {
        let counter = Arc::new(Words) as Arc<dyn CountTokens>;
        let old = Sitting::in_front(Shape::Efforts, &TURNS[..1]);
        let marks = old.play(&counter).await.expect("it plays").marks;
        let mut outcome = Outcome::default();
        check(&mut outcome, &marks.iter().map(|mark| (Shape::Efforts, mark)).collect::<Vec<_>>());
        assert!(outcome.claims.len() == 1 && !outcome.holds(), "{:?}", outcome.claims);
    }
}
