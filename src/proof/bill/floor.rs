//! The least that a memory by the seeds' rules could pay for a conversation, worked out beside it from what was said
//! and done: the logs of open efforts raw, the last ambient exchanges, an expanded log for its three turns, but no more of
//! them than this memory held. All of it is read from the cache with each request that the turn takes, every word is read
//! anew once, what is expanded once more. Nothing is recalled, no summary and no note is made or sent, nothing ever breaks
//! the front.

use std::collections::VecDeque;

use super::price::Price;
use crate::bill::Paid;
use crate::memory::{Change, ChangeKind, EffortId, Layer, MemoryView, Rules};
use crate::orchestrator::TurnReport;

/// What such a memory has paid so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Floor {
    read: u64,
    anew: u64,
    /// What is held by reference, which counts as read once by whoever holds it.
    held_once: u64,
    output: u64,
    /// What its front holds of what was said.
    held: u64,
    /// The last reply, until a request sends it.
    unsent: u64,
    /// The last ambient exchanges, and ambient messages in all.
    ambient: VecDeque<u64>,
    ambient_messages: u64,
    expanded: Vec<EffortId>,
}

/// What a turn took, in tokens.
pub(super) struct Took {
    /// Of system prompt and tools.
    pub(super) fixed: u64,
    /// The user's message, if it was not held by reference, and the reply.
    pub(super) said: [u64; 2],
    /// The user's message, if it was.
    pub(super) held: u64,
    /// Answers beside the reply, those to compressions not counted.
    pub(super) output: u64,
}

impl Floor {
    /// A turn ended well.
    pub(super) fn end_turn(&mut self, took: &Took, report: &TurnReport) {
        let view = &report.memory;
        let [user, reply] = took.said;
        let requests = u64::from(report.requests.max(1));
        let concluded = |change: &&Change| change.kind == ChangeKind::EffortConcluded;
        let own = report.changes.iter().filter(concluded).count() as u64;
        let front = (took.fixed + self.held).saturating_sub(self.unsent);
        self.read += requests * front + (requests - 1) * (user + self.unsent);
        self.held_once += took.held;
        let is_first = self.anew == 0;
        // The reply of a turn that concludes is in no request.
        let unsent = if own > 0 { 0 } else { reply };
        self.anew += user + std::mem::replace(&mut self.unsent, unsent) + self.newly_expanded(view);
        if is_first {
            self.read -= took.fixed;
            self.anew += took.fixed;
        }
        self.output += took.output;
        self.hold(view, user + reply, took.fixed);
    }

    /// Tokens of the logs that were expanded in this turn.
    fn newly_expanded(&mut self, view: &MemoryView) -> u64 {
        let known = std::mem::take(&mut self.expanded);
        self.expanded = view.expanded.iter().map(|item| item.id.clone()).collect();
        let new = view.expanded.iter().filter(|item| !known.contains(&item.id));
        new.map(|item| item.tokens.0).sum()
    }

    /// What the front holds from now on, which is never more than fits.
    fn hold(&mut self, view: &MemoryView, said: u64, fixed: u64) {
        let messages = view.logs.ambient_messages;
        if std::mem::replace(&mut self.ambient_messages, messages) < messages {
            self.ambient.push_back(said);
        }
        while self.ambient.len() > Rules::default().ambient_window {
            self.ambient.pop_front();
        }
        let logs = view.open.iter().chain(&view.expanded);
        let logs: u64 = logs.filter_map(|item| item.raw_tokens).map(|tokens| tokens.0).sum();
        let held = logs + self.ambient.iter().sum::<u64>();
        let raw =
            [Layer::Ambient, Layer::Expanded, Layer::Open].map(|layer| view.layers.of(layer).0);
        let most = raw.iter().sum::<u64>().min(view.budget.0.saturating_sub(fixed));
        self.held = held.min(most);
    }

    /// What it costs.
    pub(super) fn cost(&self, price: &Price) -> f64 {
        let Self { read, anew, held_once, output, .. } = *self;
        // Nobody has to keep what is read once.
        price.cost(&Paid { read, written: anew, uncached: held_once, output, ..Paid::default() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::memory::CountTokens;
    use crate::memory::tests::Words;
    use crate::proof::{PRICES, Shape, Sitting, Until};

    #[tokio::test]
    async fn the_least_possible_is_full_history_at_first_and_never_more_than_memory_costs() {
        let counter = Arc::new(Words) as Arc<dyn CountTokens>;
        let turns = [5, 30, 60].map(Until::Turns);
        for shape in [Shape::Plain, Shape::Efforts, Shape::Pastes] {
            let played = Sitting::as_sent(shape, &turns).play(&counter).await.expect("it plays");
            let [then, .., now] = &played.marks[..] else { panic!("three places") };
            assert!(now.floor(&PRICES[0]) < then.floor(&PRICES[0]) * 0.8, "{shape:?}");
            for price in &PRICES {
                let least: Vec<f64> = played.marks.iter().map(|mark| mark.floor(price)).collect();
                assert!((0.95..1.5).contains(&least[0]), "{shape:?} {price:?}: {least:?}");
                let costs = played.marks.iter().map(|mark| mark.ratios(price)[0]);
                for (cost, least) in costs.zip(least) {
                    assert!(cost >= least, "{shape:?} {price:?}: {cost} {least}");
                }
            }
        }
    }
}
