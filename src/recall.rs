//! Finds efforts again: an index over ids and summaries, and the ranking of what it finds.
//!
//! The index is derived; it can be rebuilt from memory at any time. It never decides what is in the
//! window.
//!
//! [`said`] is the index of everything said, passage by passage, on disk.

mod index;
mod rank;
pub mod said;
mod text;

pub use index::Index;
pub use rank::{Found, Hit};
