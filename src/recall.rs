//! Finds again what was said: [`said`] is the index of everything, passage by passage, on disk; which of what it
//! finds is worth a place before the answer is chosen here.
//!
//! The index is derived; it can be made anew from the logs at any time.

mod choose;
pub mod said;

pub use choose::{
    MOST_HITS, asks, excerpt, in_order, is_called_for, is_match, may_mean, passages_for, tells,
};
