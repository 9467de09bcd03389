//! What becomes of a conversation that another program kept: what its own compactions lost.
//!
//! Events of [`crate::read`] in, figures out. No clock, no files.

mod lost;

#[cfg(test)]
mod tests;

pub use lost::{Loss, Losses};
