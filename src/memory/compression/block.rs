//! What stands for compressed or left-out messages.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::memory::{EffortId, Message, Role, Tokens};

/// What stands in the window for some messages of an open log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub(super) id: EffortId,
    pub(super) places: BTreeSet<usize>,
    pub(super) key: String,
    pub(super) message: Message,
}

impl Block {
    /// A block as it was stored.
    pub fn stored(id: EffortId, places: BTreeSet<usize>, key: String, content: Arc<str>) -> Self {
        let message = Message { role: Role::User, content, tokens: Tokens(0) };
        Self { id, places, key, message }
    }

    /// The places of the messages in the log, from 0.
    pub fn places(&self) -> &BTreeSet<usize> {
        &self.places
    }

    /// The key of the archived messages on the scratchpad; empty for an excerpt, whose source is the log alone.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Whether it only says what is left out and gives an excerpt: nobody has compressed these messages yet.
    pub fn is_excerpt(&self) -> bool {
        self.key.is_empty()
    }

    /// The block as somebody says it.
    #[must_use]
    pub fn said_by(mut self, role: Role) -> Self {
        self.message.role = role;
        self
    }

    /// What is sent in their place.
    pub fn message(&self) -> &Message {
        &self.message
    }
}
