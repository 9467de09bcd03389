//! A log in the form in which it is sent.

use std::ops::{Deref, DerefMut};

use super::Block;
use crate::memory::{Message, Tokens};

/// The form of a log, apart from its effort: nearly all efforts are concluded and have none.
#[derive(Debug, Clone, Default)]
pub(in crate::memory) struct CompressedLog(Option<Box<Form>>);

/// The form of a log that is sent raw.
static RAW: Form = Form {
    blocks: Vec::new(),
    sent: Vec::new(),
    tokens: Tokens(0),
    is_fresh: false,
    not_below: Tokens(0),
    anew_not_below: Tokens(0),
};

impl Deref for CompressedLog {
    type Target = Form;

    fn deref(&self) -> &Form {
        self.0.as_deref().unwrap_or(&RAW)
    }
}

impl DerefMut for CompressedLog {
    fn deref_mut(&mut self) -> &mut Form {
        self.0.get_or_insert_default()
    }
}

/// A log in the form in which it is sent, while parts of it are compressed or left out.
#[derive(Debug, Clone, Default)]
pub(in crate::memory) struct Form {
    pub(super) blocks: Vec<Block>,
    /// The log as sent.
    pub(super) sent: Vec<Message>,
    pub(super) tokens: Tokens,
    /// An excerpt was made in this turn, so that the front of the window breaks there anyway.
    pub(super) is_fresh: bool,
    /// A source is not tried again before it costs this much.
    pub(super) not_below: Tokens,
    /// Summaries are not made anew before they stand for so much.
    pub(super) anew_not_below: Tokens,
}

impl CompressedLog {
    /// That of a log that is sent raw.
    pub(in crate::memory) const RAW: Self = Self(None);
}

impl From<Form> for CompressedLog {
    fn from(form: Form) -> Self {
        Self(Some(form.into()))
    }
}

impl CompressedLog {
    /// It was sent as it is.
    pub(super) fn is_sent(&mut self) {
        if let Some(form) = &mut self.0 {
            form.is_fresh = false;
        }
    }
}

impl Form {
    /// Puts blocks in the place of what they stand for.
    pub(super) fn put_together(&mut self, raw: &[Message]) {
        self.sent.clear();
        for (at, message) in raw.iter().enumerate() {
            match self.blocks.iter().find(|block| block.places.contains(&at)) {
                Some(block) if block.places.first() == Some(&at) => {
                    self.sent.push(block.message.clone());
                }
                Some(_) => {}
                None => self.sent.push(message.clone()),
            }
        }
        self.tokens = self.sent.iter().map(|message| message.tokens).sum();
    }

    /// Takes messages that joined the log.
    pub(in crate::memory) fn extend(&mut self, messages: &[Message]) {
        if !self.blocks.is_empty() {
            self.tokens += messages.iter().map(|message| message.tokens).sum();
            self.sent.extend_from_slice(messages);
        }
    }
}
