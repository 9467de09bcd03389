//! What memory costs beside what others would have paid: conversations of several shapes and sizes, every
//! request looked at as it goes out, at the prices that servers ask for what they have kept.
//!
//! Only prompts differ: replies cost all sides the same and are left out; the answers that only memory needs
//! are in. System prompt and tools are in, on all sides.

mod bars;
mod floor;
mod meter;
mod parts;
mod play;
mod price;
mod talk;
mod words;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

use bars::{LEAST, PUBLIC, PUBLISHED, SHAPES, SIZES, TURNS, check};
pub use meter::{Placement, Sent};
pub use parts::{Part, Parts};
pub use play::{Billed, Mark, Sitting, Until};
pub use price::{PRICES, Price};
pub use talk::{Plan, Shape};
use tokio::task::JoinHandle;

use super::{Far, Outcome};
use crate::lock::locked;
use crate::memory::{CountTokens, Tokens};
use crate::scenario::PlayError;
pub(super) use price::{BREAKPOINTS, FIFTIETH, TENTH};

/// How much is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// What a few seconds are enough for.
    Short,
    /// All of it; minutes.
    Full,
}

/// Lengths of messages and replies, in percent of the usual ones, of the made-up conversations of [`PUBLISHED`] size.
const LENGTHS: [usize; 3] = [60, 100, 250];

/// The length of those that never fill what some caches keep at least.
const SHORT: usize = 20;

/// The length of those of [`SIZES`].
const LONG: usize = 200;

/// A conversation of the table.
#[derive(Debug, Clone, Copy)]
struct Conversation {
    shape: Shape,
    length: usize,
    /// One with the figures of a published one, and whose.
    public: Option<(&'static str, Plan)>,
    /// Tokens below which the caches keep nothing.
    least: u64,
}

impl Conversation {
    const fn of(shape: Shape, length: usize) -> Self {
        Self { shape, length, public: None, least: 0 }
    }

    /// Short messages to a cache that keeps nothing shorter than so many tokens.
    const fn short(least: u64) -> Self {
        Self { least, ..Self::of(Shape::Plain, SHORT) }
    }

    fn public((name, plan): (&'static str, Plan), shape: Shape) -> Self {
        let phases = if shape == Shape::Plain { 0 } else { plan.phases };
        Self { public: Some((name, Plan { phases, ..plan })), ..Self::of(shape, 100) }
    }

    fn name(&self) -> String {
        match self.public {
            None if self.least > 0 => {
                let Self { shape, length, least, .. } = self;
                format!("{}, length {length} %, kept from {least} tokens on", shape.word())
            }
            None => format!("{}, length {} %", self.shape.word(), self.length),
            Some((name, _)) if self.shape == Shape::Plain => {
                format!("the size of {name}, plain chat")
            }
            Some((name, _)) => format!("the size of {name}, an effort for each session"),
        }
    }

    fn plan(&self) -> Option<Plan> {
        self.public.map(|(_, plan)| plan)
    }
}

/// A conversation as memory sends it, and the same with the block in front of the logs and an ambient window
/// that slides by one exchange a turn, as far as that was played.
struct Pair {
    of: Conversation,
    new: Vec<Mark>,
    old: Vec<Mark>,
}

/// The same while it is played.
struct Playing {
    of: Conversation,
    sides: [JoinHandle<Result<Vec<Mark>, PlayError>>; 2],
}

/// Plays the conversations and checks the claims.
pub(super) async fn run(
    extent: Extent,
    counter: &Arc<dyn CountTokens>,
    far: &Far,
) -> Result<Outcome, PlayError> {
    // All sides count the same texts.
    let counter = &(Arc::new(Remembering::new(Arc::clone(counter))) as Arc<dyn CountTokens>);
    // The longest begins first: they are played side by side.
    let mut playing = Vec::new();
    match extent {
        Extent::Short => {
            let of = Conversation::of(Shape::Efforts, 100);
            playing.push(Playing::begin(of, [&TURNS[..1]; 2], (counter, far)));
            // Of all that is played, this was the nearest to its bar.
            let long = Conversation::of(Shape::Plain, LENGTHS[LENGTHS.len() - 1]);
            playing.push(Playing::begin(long, [&[PUBLISHED], &[]], (counter, far)));
        }
        Extent::Full => {
            let mixed = Conversation::of(Shape::Mixed, LONG);
            playing.push(Playing::begin(mixed, [&SIZES; 2], (counter, far)));
            for shape in SHAPES {
                let of = Conversation::of(shape, 100);
                playing.push(Playing::begin(of, [&TURNS; 2], (counter, far)));
            }
            let short = Conversation::short(LEAST);
            playing.push(Playing::begin(short, [&TURNS, &[]], (counter, far)));
            for of in published() {
                let until = of.plan().map_or(PUBLISHED, |plan| Until::Turns(plan.messages));
                playing.push(Playing::begin(of, [&[until], &[]], (counter, far)));
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
    check(&mut outcome, &pairs);
    outcome.remarks.extend(unclaimed(&pairs));
    outcome.remarks.push(OBTAINED.to_owned());
    Ok(outcome)
}

/// The conversations of the size that people have published.
fn published() -> impl Iterator<Item = Conversation> {
    let shapes = [Shape::Plain, Shape::Efforts];
    let made = |shape| LENGTHS.map(|length| Conversation::of(shape, length));
    let public = move |one| shapes.map(|shape| Conversation::public(one, shape));
    PUBLIC.into_iter().flat_map(public).chain(shapes.into_iter().flat_map(made))
}

/// What is not claimed of conversations of that size, and why.
fn unclaimed(pairs: &[Pair]) -> Option<String> {
    let is_it = |pair: &&Pair| pair.of.shape == Shape::Efforts && pair.of.public.is_none();
    let marks = pairs.iter().filter(is_it).flat_map(|pair| {
        let marks = pair.new.iter().filter(|mark| mark.until == PUBLISHED);
        marks.map(|mark| (pair.of.length, mark))
    });
    let figures: Vec<String> = marks
        .map(|(length, mark)| {
            let price = &PRICES[TENTH];
            let (cost, floor) = (mark.ratios(price)[0], mark.floor(price));
            format!("{cost:.2} at length {length} % ({floor:.2})")
        })
        .collect();
    (!figures.is_empty()).then(|| format!("{UNCLAIMED} {}.", figures.join(", ")))
}

/// Before the figures.
const UNCLAIMED: &str = "Not claimed: that 70 % are saved in 116,000 tokens where efforts interleave, with plain chat \
    between them and looks into what was concluded. There several raw logs and the last ambient exchanges stand in each \
    request, as the seeds demand, and long ones leave no room for a saving of 70 % by whatever memory. What it costs there \
    beside full history, and the least possible:";

/// How the figures come about.
const OBTAINED: &str = "How this was obtained: the conversations are made up, the same in every run, in messages of \
    2 to 150 words and replies of 20 to 580 (times the length given), in efforts that interleave, with asides, \
    mentions of what was earlier, looks into what was concluded, notes and pastes. Each is played through the real \
    driver at default settings; every request is looked at as it goes out, and what of it had gone out before, byte \
    by byte, counts as read from the cache, or written up to the marks where a cache has breakpoints. Full history \
    sends the same words, system prompt and tools to the same cache. Those of the size of published ones have as many \
    sessions, messages and tokens, one session after the other. The least possible is worked out beside each: open logs \
    raw and the last ambient exchanges, as far as this memory held them, are read from the cache with each request of a \
    turn, every word is read anew once, an expanded log once more, and no summary, note or recalled word is ever made or \
    sent. A paste that is held by reference counts as read once, here and there. Replies cost all sides the same and are left \
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
        locked(&self.known)
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
        of: Conversation,
        marks: [&[Until]; 2],
        (counter, far): (&Arc<dyn CountTokens>, &Far),
    ) -> Self {
        let [new, old] = marks.map(<[Until]>::to_vec);
        let sides = [(new, false), (old, true)].map(|(marks, is_in_front)| {
            let (counter, far) = (Arc::clone(counter), far.clone());
            far.expect(Sitting::as_sent(of.shape, &marks).work());
            let play = async move {
                let sitting = if is_in_front { Sitting::in_front } else { Sitting::as_sent };
                let sitting = sitting(of.shape, &marks);
                let sitting =
                    Sitting { length: of.length, plan: of.plan(), least: of.least, far, ..sitting };
                sitting.play(&counter).await.map(|billed| billed.marks)
            };
            tokio::spawn(play)
        });
        Self { of, sides }
    }

    async fn end(self) -> Result<Pair, PlayError> {
        let Self { of, sides: [new, old] } = self;
        let broken = |error: tokio::task::JoinError| PlayError::Script(error.to_string());
        let (new, old) = (new.await.map_err(broken)??, old.await.map_err(broken)??);
        Ok(Pair { of, new, old })
    }
}

impl Pair {
    fn rows(&self, outcome: &mut Outcome) {
        for new in &self.new {
            let old = self.old.iter().find(|old| old.until == new.until);
            for (at, price) in PRICES.iter().enumerate() {
                // How large the window grows hangs on the price.
                if self.of.least > 0 && at != TENTH {
                    continue;
                }
                self.row(outcome, new, old, price, bars::most(&self.of, new.until, at));
            }
        }
    }

    fn row(
        &self,
        outcome: &mut Outcome,
        new: &Mark,
        old: Option<&Mark>,
        price: &Price,
        most: Option<f64>,
    ) {
        let ([cached, uncached, compacting], floor) = (new.ratios(price), new.floor(price));
        let before = old.map(|old| {
            let [before, ..] = old.ratios(price);
            format!(" (block in front: {before:.2}, {:.0} % unchanged)", old.unchanged_percent())
        });
        outcome.row(
            &format!(
                "{}, {} turns, {}k tokens, {}",
                self.of.name(),
                new.turns,
                new.history / 1000,
                price.name
            ),
            &most.map_or_else(|| "-".to_owned(), |most| format!("at most {most:.2}")),
            format!(
                "{cached:.2} of full history, {floor:.2} the least possible, {uncached:.2} of it uncached, {compacting:.2} of compacting; \
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
            .filter_map(|pair| Some((pair.of.shape, pair.new.last()?)))
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
        let of = Conversation::of(Shape::Efforts, 100);
        check(&mut outcome, &[Pair { of, new: marks, old: vec![] }]);
        assert!(outcome.claims.len() == 2 && !outcome.holds(), "{:?}", outcome.claims);
    }
}
