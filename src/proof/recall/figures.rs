//! What a way of finding is worth for a question, and how sure a mean of it is.

use super::set::Question;
use crate::random::Random;

/// A text at hand when a question is answered.
#[derive(Debug, Clone)]
pub(in crate::proof) struct At {
    /// The session that it is of.
    pub(in crate::proof) id: String,
    /// What it says.
    pub(in crate::proof) text: String,
}

/// The share of the sessions that a question takes of which something is at hand. Of ambient talk, which all has one
/// name, it must be what answers.
pub(in crate::proof) fn evidence(question: &Question, at_hand: &[At]) -> f64 {
    let is_there = |id: &&String| {
        let mut own = at_hand.iter().filter(|at| at.id == **id);
        own.any(|at| **id != "ambient" || holds(question, at))
    };
    question.ids.iter().filter(is_there).count() as f64 / question.ids.len() as f64
}

/// Whether the answer stands in what is at hand, its words side by side.
pub(super) fn answered(question: &Question, at_hand: &[At]) -> f64 {
    f64::from(u8::from(at_hand.iter().any(|at| holds(question, at))))
}

fn holds(question: &Question, at: &At) -> bool {
    at.text.to_lowercase().contains(&question.answer)
}

/// Recall at k: the share of all sessions that a question takes which is among the first so many. It never falls as k
/// grows, and cannot be whole where k is less than what is taken.
pub fn recall(question: &Question, found: &[String], most: usize) -> f64 {
    let top = &found[..most.min(found.len())];
    let count = question.ids.iter().filter(|id| top.contains(id)).count();
    count as f64 / question.ids.len().max(1) as f64
}

/// The mean of some values, with the interval that holds it in 95 of 100 drawings with replacement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean itself; 0 of no values.
    pub value: f64,
    low: f64,
    high: f64,
}

impl Mean {
    /// Of some values. The drawings are the same in every run.
    pub fn of(values: &[f64]) -> Self {
        const DRAWINGS: usize = 1_000;
        let mut random = Random::new(7);
        let mean = |sum: f64| sum / values.len().max(1) as f64;
        let mut one = || mean(values.iter().map(|_| values[random.below(values.len())]).sum());
        let mut means: Vec<f64> = (0..DRAWINGS).map(|_| one()).collect();
        means.sort_by(f64::total_cmp);
        let (low, high) = (means[DRAWINGS / 40], means[DRAWINGS - 1 - DRAWINGS / 40]);
        Self { value: mean(values.iter().sum()), low, high }
    }
}

impl std::fmt::Display for Mean {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { value, low, high } = self;
        write!(f, "{value:.3} [{low:.2} {high:.2}]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recall_at_more_is_never_less() {
        let [cited, found] = [["a", "b"], ["a", "c"]].map(|ids| ids.map(str::to_owned).to_vec());
        let empty = String::new;
        let question = Question { kind: empty(), ids: cited, answer: empty(), text: empty() };
        let at = |most| recall(&question, &found, most);
        assert_eq!([at(1), at(2), at(10)].map(|share| (share * 100.0) as u64), [50, 50, 50]);
    }
}
