//! Finds efforts again: an index over ids and summaries, and the ranking of what it finds.
//!
//! The index is derived; it can be rebuilt from memory at any time. It never decides what is in the
//! window.

mod index;
mod rank;
mod text;

pub use index::Index;
pub use rank::{Found, Hit};
