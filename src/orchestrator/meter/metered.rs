//! What is told of a request that is over.

use crate::bill::{Kept, Looked, Paid, Purpose};

/// A request that is over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::orchestrator) struct Metered {
    pub(in crate::orchestrator) at: String,
    pub(in crate::orchestrator) purpose: Purpose,
    pub(in crate::orchestrator) model: String,
    pub(in crate::orchestrator) paid: Paid,
    /// How long what it wrote to a cache is kept, if the server said so.
    pub(in crate::orchestrator) kept: Kept,
    /// It failed or was stopped before its answer was whole.
    pub(in crate::orchestrator) is_cut: bool,
    /// Messages behind the system prompt.
    pub(in crate::orchestrator) messages: u64,
    /// What the server's cache did for it, in its tokens.
    pub(in crate::orchestrator) looked: Looked,
    /// Tokens of its beginning that this session had sent to the same server before, however long ago, where
    /// its cache is taken for cold.
    pub(in crate::orchestrator) before: u64,
}

impl Metered {
    /// Whether the server still held all that it had been sent of the beginning. It may count a part of that as fewer tokens
    /// than we do, and hold it in steps.
    pub(in crate::orchestrator) fn has_kept(&self) -> bool {
        let off = (self.before / 8).max(MOST_STEP);
        let read = self.looked.read;
        read > 0 && self.before > 0 && read.saturating_add(off) >= self.before
    }
}

/// The most tokens between two places at which a server's cache holds a beginning.
const MOST_STEP: u64 = 256;
