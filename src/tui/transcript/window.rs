//! Which parts of the conversation the model still gets word for word.

use std::collections::{HashSet, VecDeque};

use crate::memory::{EffortId, MemoryView};

/// Where a block is logged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Home {
    /// In the turn under way, or in no log that is known.
    #[default]
    Unknown,
    /// Outside any effort.
    Ambient,
    /// In the log of an effort.
    Effort(EffortId),
}

/// What of the conversation is in the window.
#[derive(Debug, Clone, Default)]
pub(super) struct Presence {
    /// Efforts whose raw logs are in the window; `None` while memory is not known.
    efforts: Option<HashSet<EffortId>>,
    /// Ambient messages in the window.
    ambient: usize,
    /// All ambient messages that are shown, oldest first.
    messages: VecDeque<usize>,
}

impl Presence {
    /// Takes over what memory holds now.
    pub(super) fn set(&mut self, memory: &MemoryView) {
        if memory.budget.0 == 0 {
            return;
        }
        let raw = memory.open.iter().chain(&memory.expanded);
        self.efforts = Some(raw.map(|item| item.id.clone()).collect());
        self.ambient = memory.ambient_messages;
    }

    /// Notes that a block, by its number, is an ambient message. Those of one turn come together.
    pub(super) fn note_ambient(&mut self, block: usize) {
        match self.messages.front() {
            Some(&first) if block < first => self.messages.push_front(block),
            _ => self.messages.push_back(block),
        }
    }

    /// Whether the model gets the block word for word.
    pub(super) fn holds(&self, block: usize, home: &Home) -> bool {
        let Some(efforts) = &self.efforts else { return true };
        match home {
            Home::Unknown => true,
            Home::Effort(id) => efforts.contains(id),
            Home::Ambient => {
                let before = self.messages.len().saturating_sub(self.ambient);
                self.messages.get(before).is_some_and(|&first| first <= block)
            }
        }
    }
}
