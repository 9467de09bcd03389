//! Grows a session and measures its window: the proof that working memory does not grow with the past.
//!
//! Every effort is opened, talked about and concluded in a turn of its own, as a person would; then the
//! talk moves among all of them, and each turn is measured. Beside it runs the plain rule of the seeds,
//! which only counts.

mod plain_rule;
mod talk;

use std::sync::Arc;

pub use plain_rule::PlainRule;

use crate::clock::Stopwatch;
use crate::memory::{
    CountTokens, Effort, EffortId, Exchange, Frame, Memory, Rejected, Rules, Tokens,
};
use crate::recall::Index;
use talk::{Talk, Topic};

/// Turns that are measured at each size, and those before them that are not: what was concluded last
/// has left by then.
const MEASURED_TURNS: usize = 120;
const SETTLING_TURNS: usize = 40;

/// How many of a hundred turns go on with the topic of the turn before.
const STAYS_PERCENT: usize = 65;

/// A session of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Efforts in the session.
    pub efforts: usize,
    /// Summaries in the window, on average and at most.
    pub summaries: f64,
    /// See [`Measure::summaries`].
    pub most_summaries: usize,
    /// Tokens of a request, on average.
    pub tokens: f64,
    /// Time that memory takes for a turn, in microseconds; the median.
    pub micros: f64,
    /// Turns in which the effort talked about was in the window, in percent.
    pub warm_percent: f64,
    /// Turns in which it was in the window or among the first three results of a search, in percent.
    pub found_percent: f64,
    /// Summaries in the window under the plain rule, on average.
    pub plain_summaries: f64,
    /// Their tokens, on average.
    pub plain_tokens: f64,
}

/// Grows one session through the sizes, ascending, and measures it at each of them.
///
/// # Errors
/// Passes on a refusal of memory; there is none unless the rules of memory are broken.
pub fn measure(
    sizes: &[usize],
    rules: Rules,
    frame: Frame,
    counter: Arc<dyn CountTokens>,
) -> Result<Vec<Measure>, Rejected> {
    let mut grown = Grown {
        memory: Memory::new(rules, frame, counter),
        index: Index::default(),
        plain: PlainRule::default(),
        talk: Talk::new(0x5EED),
        topics: Vec::new(),
    };
    sizes
        .iter()
        .map(|&size| {
            grown.grow_to(size)?;
            Ok(grown.measure())
        })
        .collect()
}

/// A session on its way.
struct Grown {
    memory: Memory,
    index: Index,
    plain: PlainRule,
    talk: Talk,
    topics: Vec<Topic>,
}

impl Grown {
    fn grow_to(&mut self, efforts: usize) -> Result<(), Rejected> {
        while self.topics.len() < efforts {
            let topic = self.talk.topic(self.topics.len());
            let user = self.talk.about(&topic);
            let assistant = self.talk.reply(&user);
            self.memory.begin_turn();
            self.memory.open(&topic.id)?;
            let long = format!("{user} {assistant}");
            let source = self.memory.close_source(None, Some(&long))?;
            self.memory.conclude(&source, &topic.summary)?;
            self.memory.end_turn(&exchange(&long, "Concluded."));
            if let Some(effort) = self.memory.effort(&EffortId::stored(&topic.id)) {
                self.index.update(effort);
            }
            self.plain.add(&topic.id, &topic.summary);
            self.topics.push(topic);
        }
        Ok(())
    }

    /// Memory runs by itself first, so that what the measuring reads does not slow it down.
    fn measure(&mut self) -> Measure {
        let mut at = self.talk.below(self.topics.len());
        let mut said = Vec::with_capacity(SETTLING_TURNS + MEASURED_TURNS);
        for _ in 0..SETTLING_TURNS + MEASURED_TURNS {
            if self.talk.below(100) >= STAYS_PERCENT {
                at = self.talk.below(self.topics.len());
            }
            said.push(self.turn(at));
        }
        let mut sums = Sums::default();
        for (turn, said) in said.iter().enumerate() {
            self.plain.turn([&said.user, &said.assistant]);
            if turn >= SETTLING_TURNS {
                sums.take(said, self.is_found(said), self.plain_window());
            }
        }
        sums.measure(self.topics.len())
    }

    /// One turn about an effort.
    fn turn(&mut self, at: usize) -> Said {
        let user = self.talk.about(&self.topics[at]);
        let assistant = self.talk.reply(&user);
        let id = EffortId::stored(&self.topics[at].id);
        let exchange = exchange(&user, &assistant);
        let watch = Stopwatch::start();
        self.memory.begin_turn();
        let window = self.memory.window_with(&user, Tokens(0));
        self.memory.end_turn(&exchange);
        let micros = watch.elapsed().as_secs_f64() * 1e6;
        Said {
            micros,
            is_warm: self.memory.effort(&id).is_some_and(Effort::is_warm),
            tokens: window.layers.total(),
            summaries: self.memory.warm_efforts().count(),
            id,
            user,
            assistant,
        }
    }

    fn is_found(&self, said: &Said) -> bool {
        let hits = || self.index.search(&self.memory, &said.user, 3);
        said.is_warm || hits().iter().any(|hit| hit.id() == said.id.as_str())
    }

    /// Summaries under the plain rule, and their tokens: these are alike in size, so a sample will do.
    fn plain_window(&self) -> (usize, f64) {
        const SAMPLE: usize = 50;
        let line = |at: usize| {
            let topic = &self.topics[at];
            self.memory.count(&format!("- {}: {}\n", topic.id, topic.summary)).0
        };
        let sample: Vec<u64> = self.plain.warm().take(SAMPLE).map(line).collect();
        let average = sample.iter().sum::<u64>() as f64 / sample.len().max(1) as f64;
        let count = self.plain.warm().count();
        (count, average * count as f64)
    }
}

/// What one turn showed.
struct Said {
    id: EffortId,
    user: String,
    assistant: String,
    micros: f64,
    is_warm: bool,
    tokens: Tokens,
    summaries: usize,
}

#[derive(Default)]
struct Sums {
    micros: Vec<f64>,
    warm: usize,
    found: usize,
    tokens: u64,
    summaries: usize,
    most_summaries: usize,
    plain: usize,
    plain_tokens: f64,
}

impl Sums {
    fn take(&mut self, said: &Said, is_found: bool, (plain, plain_tokens): (usize, f64)) {
        self.micros.push(said.micros);
        self.warm += usize::from(said.is_warm);
        self.found += usize::from(is_found);
        self.tokens += said.tokens.0;
        self.summaries += said.summaries;
        self.most_summaries = self.most_summaries.max(said.summaries);
        self.plain += plain;
        self.plain_tokens += plain_tokens;
    }

    fn measure(mut self, efforts: usize) -> Measure {
        self.micros.sort_by(f64::total_cmp);
        let turns = self.micros.len().max(1) as f64;
        Measure {
            efforts,
            summaries: self.summaries as f64 / turns,
            most_summaries: self.most_summaries,
            tokens: self.tokens as f64 / turns,
            micros: self.micros.get(self.micros.len() / 2).copied().unwrap_or_default(),
            warm_percent: 100.0 * self.warm as f64 / turns,
            found_percent: 100.0 * self.found as f64 / turns,
            plain_summaries: self.plain as f64 / turns,
            plain_tokens: self.plain_tokens / turns,
        }
    }
}

fn exchange(user: &str, assistant: &str) -> Exchange {
    Exchange { user: user.into(), assistant: assistant.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words;

    impl CountTokens for Words {
        fn count(&self, text: &str) -> Tokens {
            Tokens(text.split_whitespace().count() as u64)
        }
    }

    #[test]
    fn the_window_of_a_large_session_is_that_of_a_small_one() {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let measures =
            measure(&[100, 3_000], Rules::default(), frame, Arc::new(Words)).expect("it grows");
        let (small, large) = (measures[0], measures[1]);
        assert!((large.tokens / small.tokens - 1.0).abs() < 0.05, "{small:?} {large:?}");
        for measure in measures {
            assert!(measure.most_summaries < 20 && measure.found_percent >= 95.0, "{measure:?}");
            assert!(measure.plain_summaries > 0.9 * measure.efforts as f64, "{measure:?}");
        }
    }
}
