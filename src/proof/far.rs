//! How far a proof is: it is told from several threads, and whoever waits may ask at any time.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Parts of a proof's work, done and in all.
#[derive(Debug, Clone, Default)]
pub struct Far(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    done: AtomicU64,
    of: AtomicU64,
}

impl Far {
    /// So many parts are to be done, beside those that are known.
    pub(super) fn expect(&self, parts: u64) {
        self.0.of.fetch_add(parts, Ordering::Relaxed);
    }

    /// So many more are done.
    pub(super) fn add(&self, parts: u64) {
        self.0.done.fetch_add(parts, Ordering::Relaxed);
    }

    /// The parts that are done, and all that are known.
    pub fn parts(&self) -> (u64, u64) {
        (self.0.done.load(Ordering::Relaxed), self.0.of.load(Ordering::Relaxed))
    }
}
