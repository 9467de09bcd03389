//! What this memory and others cost, beside each other.

use super::replayed::Replayed;
use super::rounds::ReadAgain;
use crate::bill::{Baselines, Other, Prices};

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

    /// The part of the cost of a program that compacts that is saved; `None` if it never compacted, as that is full history once
    /// more.
    pub fn net_of_compacting(&self) -> Option<f64> {
        self.is_compacting.then(|| self.net_of(self.compacting))
    }

    /// The part of the program's own cost that is saved; it compacted where the log says so.
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
        self.beside(self.cost(prices), (&self.others, &self.then), prices)
    }

    /// A cost of this memory, and what others cost with these prices.
    fn beside(&self, own: f64, (others, then): (&Baselines, &Other), prices: &Prices) -> Costs {
        let all = [&others.with_cache, &others.compacting, then];
        let [full, compacting, then] = all.map(|other| prices.cost(&other.paid()));
        Costs {
            own,
            full,
            compacting,
            is_compacting: others.compactions > 0,
            then: (self.compacted > 0).then_some(then),
        }
    }
}

impl ReadAgain {
    /// What it and others cost with these.
    pub fn costs(&self, replayed: &Replayed, prices: &Prices) -> Costs {
        let own = replayed.cost(prices) + prices.cost(&self.own);
        replayed.beside(own, (&self.others, &self.then), prices)
    }

    /// Tokens of prompts that were sent more than the rows of the bill count: this memory's, full history's, those of the
    /// program that compacts, and of the program itself.
    pub fn tokens(&self, replayed: &Replayed) -> [u64; 4] {
        let more =
            |now: &Other, row: &Other| now.paid().prompt().saturating_sub(row.paid().prompt());
        let (now, rows) = (&self.others, &replayed.others);
        [
            self.own.prompt(),
            more(&now.with_cache, &rows.with_cache),
            more(&now.compacting, &rows.compacting),
            more(&self.then, &replayed.then),
        ]
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
