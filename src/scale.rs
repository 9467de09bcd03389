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
    CountTokens, EffortId, Exchange, Frame, Memory, Rejected, Rules, Source, Tokens, Window,
};
use crate::recall::said::{self, Index, Said as Saying};
use talk::{Talk, Topic};

/// Turns that are measured at each size, and those before them that are not: what was concluded last
/// has left by then.
const MEASURED_TURNS: usize = 120;
const SETTLING_TURNS: usize = 40;

/// Turns whose time is taken.
const TIMED_TURNS: usize = 400;

/// How many of a hundred turns go on with the topic of the turn before.
pub(crate) const STAYS_PERCENT: usize = 65;

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
    /// Turns whose first request held the summary of the effort talked about, in percent. What the message
    /// brings back comes after it and does not count.
    pub given_percent: f64,
    /// Turns in which it was given or among the first three results of a search, in percent.
    pub found_percent: f64,
    /// Summaries in the window under the plain rule, on average.
    pub plain_summaries: f64,
    /// Their tokens, on average.
    pub plain_tokens: f64,
}

/// Grows a session of each size and measures all of them side by side: every turn is taken in each
/// session before the next, so that a busy machine slows all sizes alike.
///
/// The time of each session is the least median of so many rounds.
///
/// # Errors
/// Passes on a refusal of memory; there is none unless the rules of memory are broken.
pub fn measure(
    sizes: &[usize],
    rules: Rules,
    frame: &Frame,
    rounds: usize,
    counter: &Arc<dyn CountTokens>,
) -> Result<Vec<Measure>, Rejected> {
    let grow = |&size: &usize| Grown::new(size, rules, frame.clone(), Arc::clone(counter));
    let mut sessions = sizes.iter().map(grow).collect::<Result<Vec<Grown>, Rejected>>()?;
    for _ in 0..SETTLING_TURNS + MEASURED_TURNS {
        for session in &mut sessions {
            session.next_turn();
        }
    }
    let times = best_times(&mut sessions, rounds);
    Ok(sessions.iter_mut().zip(times).map(|(session, micros)| session.measure(micros)).collect())
}

/// The least of the medians of several rounds, for each session: what else the machine does only ever
/// adds to a time.
fn best_times(sessions: &mut [Grown], rounds: usize) -> Vec<f64> {
    let all: Vec<Vec<f64>> = (0..rounds.max(1)).map(|round| times(sessions, round)).collect();
    let least = |at: usize| all.iter().map(|times| times[at]).fold(f64::INFINITY, f64::min);
    (0..sessions.len()).map(least).collect()
}

/// The median time of a turn in each session, in microseconds. All sessions hear the same words, about
/// efforts that all of them hold, one turn after the other.
fn times(sessions: &mut [Grown], round: usize) -> Vec<f64> {
    let shared = sessions.iter().map(|session| session.topics.len()).min().unwrap_or(0);
    let mut talk = Talk::new(0x71C5 + 2 * round as u64);
    let mut times = vec![Vec::with_capacity(TIMED_TURNS); sessions.len()];
    for _ in 0..TIMED_TURNS {
        let at = talk.below(shared);
        let Some(topic) = sessions.first().and_then(|session| session.topics.get(at)) else {
            break;
        };
        let user = talk.about(topic);
        let assistant = talk.reply(&user);
        for (session, times) in sessions.iter_mut().zip(&mut times) {
            times.push(session.take_turn(&user, &assistant).0);
        }
    }
    times.into_iter().map(median).collect()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// A session on its way.
struct Grown {
    memory: Memory,
    index: Index,
    plain: PlainRule,
    talk: Talk,
    topics: Vec<Topic>,
    /// The topic of the last turn.
    at: usize,
    said: Vec<Said>,
}

impl Grown {
    fn new(
        efforts: usize,
        rules: Rules,
        frame: Frame,
        counter: Arc<dyn CountTokens>,
    ) -> Result<Self, Rejected> {
        let mut grown = Self {
            memory: Memory::new(rules, frame, counter),
            index: Index::in_memory(),
            plain: PlainRule::default(),
            talk: Talk::new(0x5EED),
            topics: Vec::new(),
            at: 0,
            said: Vec::new(),
        };
        for _ in 0..efforts {
            grown.add_effort()?;
        }
        grown.at = grown.talk.below(efforts);
        Ok(grown)
    }

    fn add_effort(&mut self) -> Result<(), Rejected> {
        let topic = self.talk.topic(self.topics.len());
        let user = self.talk.about(&topic);
        let assistant = self.talk.reply(&user);
        self.memory.begin_turn();
        self.memory.open(&topic.id)?;
        let long = format!("{user} {assistant}");
        let source = self.memory.close_source(None, Some(&long))?;
        self.memory.conclude(&source, &topic.summary)?;
        self.memory.end_turn(&exchange(&long, "Concluded."));
        let source = said::Source::Effort(topic.id.clone());
        let said = Saying { source: &source, turn: 0, day: None };
        self.index.add_summary(said, &format!("{} {}", topic.id, topic.summary));
        self.plain.add(&topic.id, &topic.summary);
        self.topics.push(topic);
        Ok(())
    }

    fn next_turn(&mut self) {
        if self.talk.below(100) >= STAYS_PERCENT {
            self.at = self.talk.below(self.topics.len());
        }
        let said = self.turn(self.at);
        self.said.push(said);
    }

    fn measure(&mut self, micros: f64) -> Measure {
        let mut sums = Sums::default();
        for (turn, said) in std::mem::take(&mut self.said).iter().enumerate() {
            self.plain.turn([&said.user, &said.assistant]);
            if turn >= SETTLING_TURNS {
                sums.take(said, self.is_found(said), self.plain_window());
            }
        }
        sums.measure(self.topics.len(), micros)
    }

    /// One turn about an effort.
    fn turn(&mut self, at: usize) -> Said {
        let user = self.talk.about(&self.topics[at]);
        let assistant = self.talk.reply(&user);
        let id = EffortId::stored(&self.topics[at].id);
        let (_, window) = self.take_turn(&user, &assistant);
        let summary = Source::Summary(id.clone());
        Said {
            is_given: window.items.iter().any(|item| item.source == summary),
            tokens: window.layers.total(),
            summaries: self.memory.warm_efforts().count(),
            id,
            user,
            assistant,
        }
    }

    /// The time of a turn in microseconds, and the window of its request.
    fn take_turn(&mut self, user: &str, assistant: &str) -> (f64, Window) {
        let exchange = exchange(user, assistant);
        let watch = Stopwatch::start();
        self.memory.begin_turn();
        let window = self.memory.window_with(user, Tokens(0));
        self.memory.end_turn(&exchange);
        (watch.elapsed().as_secs_f64() * 1e6, window)
    }

    fn is_found(&self, said: &Said) -> bool {
        let hits = || self.index.search(&said.user, 3, None);
        said.is_given || hits().iter().any(|hit| hit.source.to_string() == said.id.as_str())
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
    is_given: bool,
    tokens: Tokens,
    summaries: usize,
}

#[derive(Default)]
struct Sums {
    turns: usize,
    given: usize,
    found: usize,
    tokens: u64,
    summaries: usize,
    most_summaries: usize,
    plain: usize,
    plain_tokens: f64,
}

impl Sums {
    fn take(&mut self, said: &Said, is_found: bool, (plain, plain_tokens): (usize, f64)) {
        self.turns += 1;
        self.given += usize::from(said.is_given);
        self.found += usize::from(is_found);
        self.tokens += said.tokens.0;
        self.summaries += said.summaries;
        self.most_summaries = self.most_summaries.max(said.summaries);
        self.plain += plain;
        self.plain_tokens += plain_tokens;
    }

    fn measure(&self, efforts: usize, micros: f64) -> Measure {
        let turns = self.turns.max(1) as f64;
        Measure {
            efforts,
            summaries: self.summaries as f64 / turns,
            most_summaries: self.most_summaries,
            tokens: self.tokens as f64 / turns,
            micros,
            given_percent: 100.0 * self.given as f64 / turns,
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
    use crate::memory::tests::Words;

    #[test]
    fn the_window_of_a_large_session_is_that_of_a_small_one() {
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        let counter: Arc<dyn CountTokens> = Arc::new(Words);
        let measures =
            measure(&[100, 3_000], Rules::default(), &frame, 1, &counter).expect("it grows");
        let (small, large) = (measures[0], measures[1]);
        assert!((large.tokens / small.tokens - 1.0).abs() < 0.05, "{small:?} {large:?}");
        for measure in measures {
            assert!(measure.most_summaries < 20 && measure.found_percent >= 95.0, "{measure:?}");
            assert!(measure.given_percent >= 55.0, "{measure:?}");
            assert!(measure.plain_summaries > 0.9 * measure.efforts as f64, "{measure:?}");
        }
    }
}
