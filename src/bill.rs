//! What a conversation cost, and what others would have paid for the same turns.
//!
//! A pure leaf: tokens in, sums out; no clock, no files, no async. Whoever sends the requests says what they
//! were for and what they took; [`PrefixCache`] estimates what came from a cache where the server is silent;
//! [`Baselines`] go along with three others, from what each turn said; [`Bill`] holds the sums, and [`Prices`]
//! make them comparable, in tokens that cost as much as one of plain input.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod baselines;
mod least;
mod outlook;
mod paid;
mod prefix;
mod prices;
mod retold;
mod running;
mod scale;

#[cfg(test)]
mod tests;

pub use baselines::{Baselines, COMPACTED_TO, COMPACTION_WRITES, COMPACTS_AT, Other, Said};
pub use least::{Least, Looked, is_often};
pub use outlook::Outlook;
pub use paid::{Paid, Purpose, Sum};
pub use prefix::{PrefixCache, Prompt};
pub use prices::{CacheKind, Kept, Money, Prices};
pub use retold::{Retold, Tools};
pub use running::{Bill, Figures, RECENT_TURNS, TurnBill};
pub use scale::{Counted, Scale};
