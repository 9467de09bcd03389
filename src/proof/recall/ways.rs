//! Other ways to have something at hand: the seeds' rule, recency and plain BM25, each filled up to a number of tokens.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::figures::At;
use super::set::Session;
use crate::memory::{CountTokens, keywords};

/// Messages of a passage.
const MESSAGES: usize = 3;

/// A way to have something at hand for a question, best first.
pub(in crate::proof) trait Way {
    /// What it is called in the table.
    fn name(&self) -> &'static str;

    /// What it would have at hand if there were room for everything.
    fn rank(&self, question: &str) -> Vec<&At>;
}

/// As much of some texts, in order, as fits in some tokens.
pub(in crate::proof) fn fill(texts: &[&At], tokens: u64, counter: &dyn CountTokens) -> Vec<At> {
    let mut room = tokens;
    let mut fits = |at: &&&At| {
        let cost = counter.count(&at.text).0;
        let fits = cost <= room;
        room -= if fits { cost } else { 0 };
        fits
    };
    // What comes behind so many that do not fit is small change.
    texts.iter().take(200).filter(&mut fits).map(|at| (*at).clone()).collect()
}

/// The last that was said, whatever is asked.
#[derive(Debug)]
pub(in crate::proof) struct Recency(Vec<At>);

/// Summaries that share two words with the message, those of the last sessions first.
#[derive(Debug)]
pub(in crate::proof) struct Seeds(Vec<(BTreeSet<String>, At)>);

/// BM25 over words in lower case, without stems, of passages or of summaries.
#[derive(Debug)]
pub(in crate::proof) struct Plain {
    name: &'static str,
    texts: Vec<At>,
    with: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
}

fn summary(session: &Session) -> At {
    At { id: session.id.clone(), text: session.summary.clone() }
}

fn passages(session: &Session) -> impl DoubleEndedIterator<Item = At> + '_ {
    session.messages.chunks(MESSAGES).map(|some| {
        let text: Vec<&str> = some.iter().map(|(_, text)| text.as_str()).collect();
        At { id: session.id.clone(), text: text.join("\n") }
    })
}

impl Recency {
    /// Over sessions in order of time.
    pub(in crate::proof) fn new(sessions: &[Session]) -> Self {
        // More does not fit in what is compared.
        Self(sessions.iter().rev().take(100).flat_map(|one| passages(one).rev()).collect())
    }
}

impl Seeds {
    /// Over sessions in order of time.
    pub(in crate::proof) fn new(sessions: &[Session]) -> Self {
        let with_words =
            |one: &Session| (keywords(&one.summary).map(Cow::into_owned).collect(), summary(one));
        Self(sessions.iter().rev().map(with_words).collect())
    }
}

impl Plain {
    /// Over summaries.
    pub(in crate::proof) fn of_summaries(sessions: &[Session]) -> Self {
        Self::new("plain BM25, summaries", sessions.iter().map(summary).collect())
    }

    /// Over passages of what was said.
    pub(in crate::proof) fn of_passages(sessions: &[Session]) -> Self {
        Self::new("plain BM25, passages", sessions.iter().flat_map(passages).collect())
    }

    fn new(name: &'static str, texts: Vec<At>) -> Self {
        let (mut with, mut lengths) = (HashMap::<_, Vec<_>>::new(), Vec::new());
        for (at, text) in texts.iter().enumerate() {
            let mut counts: HashMap<String, f64> = HashMap::new();
            words(&text.text).for_each(|word| *counts.entry(word).or_default() += 1.0);
            lengths.push(counts.values().sum());
            for (word, count) in counts {
                with.entry(word).or_default().push((at, count));
            }
        }
        Self { name, texts, with, lengths }
    }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

impl Way for Recency {
    fn name(&self) -> &'static str {
        "recency"
    }

    fn rank(&self, _: &str) -> Vec<&At> {
        self.0.iter().collect()
    }
}

impl Way for Seeds {
    fn name(&self) -> &'static str {
        "seeds' rule"
    }

    fn rank(&self, question: &str) -> Vec<&At> {
        let said: BTreeSet<String> = keywords(question).map(Cow::into_owned).collect();
        let shares = |words: &BTreeSet<String>| words.intersection(&said).count() >= 2;
        self.0.iter().filter(|(words, _)| shares(words)).map(|(_, at)| at).collect()
    }
}

impl Way for Plain {
    fn name(&self) -> &'static str {
        self.name
    }

    fn rank(&self, question: &str) -> Vec<&At> {
        let all = self.texts.len() as f64;
        let average = self.lengths.iter().sum::<f64>() / all;
        let mut scores: HashMap<usize, f64> = HashMap::new();
        for holding in words(question).filter_map(|word| self.with.get(&word)) {
            let rarity =
                (1.0 + (all - holding.len() as f64 + 0.5) / (holding.len() as f64 + 0.5)).ln();
            for (at, often) in holding {
                let length = 0.25 + 0.75 * self.lengths[*at] / average;
                *scores.entry(*at).or_default() += rarity * often * 2.2 / (often + 1.2 * length);
            }
        }
        let mut ranked: Vec<(usize, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked.into_iter().map(|(at, _)| &self.texts[at]).collect()
    }
}
