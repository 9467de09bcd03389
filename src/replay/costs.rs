//! What this memory and others cost, beside each other.

use super::play::Replayed;
use super::rounds::ReadAgain;
use crate::bill::{CacheKind, Paid, Prices};

/// Costs in tokens that cost as much as one of input.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Costs {
    /// This memory.
    pub own: f64,
    /// Full history.
    pub full: f64,
    /// The program that compacts, which pays what full history does until it ever does.
    pub compacting: f64,
    /// It ever did.
    pub is_compacting: bool,
    /// The program itself, which compacted where the log says so; `None` if it never did.
    pub then: Option<f64>,
}

impl Costs {
    /// The part of full history's cost that is saved; below 0 if this memory costs more.
    pub fn net(&self) -> f64 {
        self.net_of(self.full)
    }

    /// The same of a program that compacts; `None` if it never did, as that is full history once more.
    pub fn net_of_compacting(&self) -> Option<f64> {
        self.is_compacting.then(|| self.net_of(self.compacting))
    }

    /// The same of the program itself, which compacted where the log says so.
    pub fn net_of_then(&self) -> Option<f64> {
        self.then.map(|then| self.net_of(then))
    }

    fn net_of(&self, other: f64) -> f64 {
        1.0 - self.own / other.max(1.0)
    }
}

impl Replayed {
    /// What it and others cost.
    pub fn costs(&self, prices: &Prices) -> Costs {
        let others = [&self.others.with_cache, &self.others.compacting, &self.then];
        let [full, compacting, then] = others.map(|other| prices.cost(&other.paid()));
        Costs {
            own: self.cost(prices),
            full,
            compacting,
            is_compacting: self.others.compactions > 0,
            then: (self.compacted > 0).then_some(then),
        }
    }
}

impl ReadAgain {
    /// What it and others cost with these.
    pub fn costs(&self, replayed: &Replayed, prices: &Prices) -> Costs {
        let again = |tokens| match prices.cache {
            CacheKind::None => prices.cost(&Paid { uncached: tokens, ..Paid::default() }),
            CacheKind::Prefix | CacheKind::Breakpoints => {
                prices.cost(&Paid { read: tokens, ..Paid::default() })
            }
        };
        let costs = replayed.costs(prices);
        Costs {
            own: costs.own + again(self.own),
            full: costs.full + again(self.full),
            compacting: costs.compacting + again(self.compacting),
            is_compacting: costs.is_compacting || self.compacting < self.full,
            then: costs.then.map(|then| then + again(self.then)),
        }
    }
}

/// Prices, and whose they are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Priced {
    /// The prices.
    pub prices: Prices,
    /// Whose: a provider's name.
    pub of: String,
    /// Why these.
    pub why: String,
}
