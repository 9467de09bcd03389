//! The prices that the proof reckons with.

use crate::bill::{CacheKind, Paid, Prices};

/// The kinds of caches that a bill is kept for.
pub(super) const KINDS: [CacheKind; 2] = [CacheKind::Prefix, CacheKind::Breakpoints];

/// What a token of an answer costs, relative to one of input.
pub(super) const OUTPUT: f64 = 4.0;

/// What is paid for the beginning of a prompt that the server has kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Its name in the table.
    pub name: &'static str,
    cached: f64,
    write: f64,
    pub(super) kind: usize,
}

/// The prices of the table, in its order.
pub const PRICES: [Price; 5] = [
    Price { name: "reads at 50 %", cached: 0.5, write: 1.0, kind: 0 },
    Price { name: "reads at 25 %", cached: 0.25, write: 1.0, kind: 0 },
    Price { name: "reads at 10 %", cached: 0.1, write: 1.0, kind: 0 },
    Price { name: "reads at 2 %", cached: 0.02, write: 1.0, kind: 0 },
    Price { name: "breakpoints", cached: 0.1, write: 1.25, kind: 1 },
];

/// The price that most providers ask, the lowest one, and that of caches with breakpoints, in [`PRICES`].
pub(in crate::proof) const TENTH: usize = 2;
/// See [`TENTH`].
pub(in crate::proof) const FIFTIETH: usize = 3;
/// See [`TENTH`].
pub(in crate::proof) const BREAKPOINTS: usize = 4;

impl Price {
    /// What something costs at it.
    pub(super) fn cost(&self, paid: &Paid) -> f64 {
        let Self { cached, write, kind, .. } = *self;
        let cache = KINDS[kind];
        Prices { cached, write, output: OUTPUT, cache, ..Prices::default() }.cost(paid)
    }
}
