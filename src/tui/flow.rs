//! The window on its way from one state to the next: what leaves drains, what comes rises. A function of time:
//! each moment can be asked for.

use std::time::Duration;

use super::window_layers::STACKED;
use crate::memory::{Layer, Layers};

/// How long what leaves takes to drain.
const DRAIN: Duration = Duration::from_millis(900);

/// How long what comes takes to rise.
const RISE: Duration = Duration::from_millis(400);

/// A change of the window that is being shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flow {
    before: Layers,
    after: Layers,
    /// When it began, since the app began.
    since: Duration,
}

impl Flow {
    /// From one window to the next; `None` if they are the same beside prompt and tools.
    pub fn new(before: &Layers, after: &Layers, since: Duration) -> Option<Self> {
        let differs = STACKED.iter().any(|layer| before.of(*layer) != after.of(*layer));
        differs.then_some(Self { before: *before, after: *after, since })
    }

    /// Whether it still moves.
    pub fn moves(&self, now: Duration) -> bool {
        now < self.since + DRAIN
    }

    /// Tokens of a layer at a moment: between what it held and what it holds.
    pub fn tokens(&self, layer: Layer, now: Duration) -> u64 {
        let (before, after) = (self.before.of(layer).0, self.after.of(layer).0);
        if before > after {
            before - part(before - after, self.share(now, DRAIN))
        } else {
            before + part(after - before, self.share(now, RISE))
        }
    }

    /// What all layers that hold less have lost together, while it drains.
    pub fn lost(&self, now: Duration) -> Option<u64> {
        let lost = |layer: &Layer| self.before.of(*layer).0.saturating_sub(self.after.of(*layer).0);
        Some(STACKED.iter().map(lost).sum()).filter(|lost| *lost > 0 && self.moves(now))
    }

    /// How far it has drained, in thousandths: fast at first, slow at the end.
    pub fn progress(&self, now: Duration) -> u64 {
        self.share(now, DRAIN)
    }

    fn share(&self, now: Duration, length: Duration) -> u64 {
        let age = now.saturating_sub(self.since).min(length).as_millis() as u64;
        let left = 1_000 - age * 1_000 / length.as_millis() as u64;
        1_000 - left * left / 1_000
    }
}

/// So many thousandths of a number.
fn part(number: u64, thousandths: u64) -> u64 {
    (u128::from(number) * u128::from(thousandths) / 1_000) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Tokens;

    fn layers(open: u64, summaries: u64) -> Layers {
        let mut layers = Layers::default();
        layers.add(Layer::Open, Tokens(open));
        layers.add(Layer::Summaries, Tokens(summaries));
        layers
    }

    #[test]
    fn what_leaves_drains_and_what_comes_rises_within_a_second() {
        let (before, after) = (layers(596, 0), layers(0, 42));
        let flow = Flow::new(&before, &after, Duration::from_secs(5)).unwrap();
        let at = |millis| {
            let now = Duration::from_millis(millis);
            [Layer::Open, Layer::Summaries].map(|layer| flow.tokens(layer, now))
        };
        assert_eq!(at(5_000), [596, 0]);
        assert_eq!(at(5_400), [185, 42]);
        assert_eq!(at(5_900), [0, 42]);
        assert_eq!(at(60_000), [0, 42]);
        assert_eq!(flow.lost(Duration::from_millis(5_100)), Some(596));
        assert_eq!(flow.lost(Duration::from_millis(5_900)), None);
        assert!(Flow::new(&before, &before, Duration::ZERO).is_none());
    }
}
