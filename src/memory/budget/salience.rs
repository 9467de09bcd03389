//! How much an item of the window matters now: recency of its last mention, relevance to the current
//! message, and its own weight.

use crate::memory::reference::Weighed;
use crate::memory::{Memory, Tokens, Turn};

/// Shares of recency, relevance and lightness in salience; together 1.
const RECENCY: f64 = 0.4;
const RELEVANCE: f64 = 0.4;
const LIGHTNESS: f64 = 0.2;

/// Tokens of an ordinary summary: one of that size is half as light as one of none.
const ORDINARY: f64 = 100.0;

impl Memory {
    /// From 0 (nothing speaks for it) to 1, at a turn and for a weighed message.
    pub(super) fn salience(&self, at: usize, turn: Turn, message: &Weighed) -> f64 {
        let effort = &self.efforts[at];
        let (threshold, tokens) = match effort.log.expanded_at {
            Some(_) => (self.rules.decay_threshold, effort.raw_tokens),
            None => (self.rules.summary_eviction_threshold, effort.line_tokens),
        };
        let age = turn.since(effort.last_referenced) as f64;
        let recency = (1.0 - age / threshold.max(1) as f64).max(0.0);
        let relevance = self.index.relevance(message, at);
        let tokens = tokens.unwrap_or(Tokens(0)).0 as f64;
        RECENCY * recency + RELEVANCE * relevance + LIGHTNESS * ORDINARY / (ORDINARY + tokens)
    }

    /// Efforts with their salience, the least salient first; ties go by id.
    pub(super) fn by_salience(
        &self,
        efforts: impl Iterator<Item = usize>,
        turn: Turn,
        message: &Weighed,
    ) -> Vec<(f64, usize)> {
        let mut ranked: Vec<(f64, usize)> =
            efforts.map(|at| (self.salience(at, turn, message), at)).collect();
        ranked.sort_by(|(one, a), (other, b)| {
            one.total_cmp(other).then_with(|| self.efforts[*a].id.cmp(&self.efforts[*b].id))
        });
        ranked
    }
}
