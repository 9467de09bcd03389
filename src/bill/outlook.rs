//! Whether memory has paid, and if not, when it will have.

use super::{Bill, Prices};

/// Turns ahead beyond which a trend tells nothing.
const FORESEEABLE: f64 = 100_000.0;

/// Where a bill stands against full history with the same cache. Costs are in tokens of plain input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Outlook {
    /// No turn has counted yet.
    Nothing,
    /// Memory has saved so much, or cost no more.
    Ahead {
        /// What it has saved.
        saved: f64,
    },
    /// Memory has cost more than it saved.
    Behind {
        /// How much more.
        behind: f64,
        /// When it will have paid, if the next turns are like the last ones: the turn, and the tokens of
        /// history up to which sending all of it is the cheaper one. `None` if that is out of sight.
        pays: Option<(u64, u64)>,
    },
}

impl Outlook {
    fn of(bill: &Bill, prices: &Prices) -> Self {
        if bill.turns() == 0 {
            return Self::Nothing;
        }
        let net = bill.net(prices);
        if net >= 0.0 {
            return Self::Ahead { saved: net };
        }
        let history = bill.baselines().with_cache.history;
        let pays = Trend::of(bill, prices).and_then(|trend| {
            let turns = trend.turns_to_make_good(-net)?;
            let growth = trend.growth * turns;
            Some((bill.turns() + turns as u64, history.saturating_add(growth as u64)))
        });
        Self::Behind { behind: -net, pays }
    }
}

impl Bill {
    /// Whether memory has paid, or when it will have.
    pub fn outlook(&self, prices: &Prices) -> Outlook {
        Outlook::of(self, prices)
    }
}

/// What a turn costs lately; costs in tokens of plain input.
struct Trend {
    /// What full history would pay for the next turn beyond what memory does.
    difference: f64,
    /// By how much that grows each turn.
    slope: f64,
    /// Tokens that a turn adds to the history.
    growth: f64,
}

impl Trend {
    fn of(bill: &Bill, prices: &Prices) -> Option<Self> {
        // The first turn of all fills the caches of both sides.
        let first = usize::from(bill.turns() == bill.recent().len() as u64 && bill.turns() > 1);
        let turns = (bill.recent().len() - first) as f64;
        if turns < 1.0 {
            return None;
        }
        let mean = |of: &dyn Fn(&super::TurnBill) -> f64| {
            bill.recent().skip(first).map(of).sum::<f64>() / turns
        };
        let growth = mean(&|turn| turn.growth as f64);
        let slope = growth * prices.cached;
        let lately = mean(&|turn| prices.cost(&turn.full) - prices.cost(&turn.own));
        // The mean stands for the middle of these turns.
        let difference = lately + slope * turns.midpoint(1.0);
        Some(Self { difference, slope, growth })
    }

    /// After how many more turns a deficit is made good: the sum of a series that grows evenly.
    fn turns_to_make_good(&self, deficit: f64) -> Option<f64> {
        let (half, linear) = (self.slope / 2.0, self.difference - self.slope / 2.0);
        let turns = if half > 0.0 {
            let root = (linear * linear + 4.0 * half * deficit).sqrt();
            // The form that does not lose digits.
            if linear > 0.0 {
                2.0 * deficit / (linear + root)
            } else {
                (root - linear) / (2.0 * half)
            }
        } else {
            deficit / linear
        };
        let turns = turns.ceil().max(1.0);
        ((linear > 0.0 || half > 0.0) && turns <= FORESEEABLE).then_some(turns)
    }
}
