//! Which parts of the conversation the model gets word for word, now or as it was after a turn.

use std::collections::{HashMap, VecDeque};

use crate::memory::{EffortId, MemoryView, Verbatim};

/// Where a block is logged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Home {
    /// In the turn under way, or in no log that is known.
    #[default]
    Unknown,
    /// Outside any effort.
    Ambient,
    /// In the log of an effort.
    Effort(EffortId),
}

/// The logs that are in a window, each with its messages that are there word for word.
type Held = HashMap<Home, Verbatim>;

/// What of the conversation is in the window.
#[derive(Debug, Clone, Default)]
pub(super) struct Presence {
    /// In the window of now; `None` while memory is not known.
    now: Option<Held>,
    /// In the window of the turn that is shown instead, and the block that the conversation had reached.
    then: Option<(Held, usize)>,
    /// The first blocks of all messages that are shown, by the log that holds them, oldest first.
    messages: HashMap<Home, VecDeque<usize>>,
}

impl Presence {
    /// Takes over what memory holds now.
    pub(super) fn set(&mut self, memory: &MemoryView) {
        if memory.budget.0 > 0 {
            self.now = Some(held(memory));
        }
    }

    /// Shows what memory held when the conversation had reached a block.
    pub(super) fn look_back(&mut self, memory: &MemoryView, end: usize) {
        self.then = Some((held(memory), end));
    }

    /// More of the conversation was read: what was shown reaches further than was known.
    pub(super) fn move_end(&mut self, to: usize) {
        if let Some((_, end)) = &mut self.then {
            *end = to;
        }
    }

    /// Shows what memory holds now.
    pub(super) fn return_to_now(&mut self) {
        self.then = None;
    }

    /// Notes where a message begins and what log holds it. Those of one turn come together.
    pub(super) fn note(&mut self, block: usize, home: &Home) {
        let messages = self.messages.entry(home.clone()).or_default();
        match messages.front() {
            Some(&first) if block < first => messages.push_front(block),
            _ => messages.push_back(block),
        }
    }

    /// Whether the model gets the block word for word.
    pub(super) fn holds(&self, block: usize, home: &Home) -> bool {
        let (held, end) = match (&self.then, &self.now) {
            (Some((then, end)), _) => (then, *end),
            (None, Some(now)) => (now, usize::MAX),
            (None, None) => return true,
        };
        if *home == Home::Unknown {
            return true;
        }
        let Some((verbatim, messages)) = held.get(home).zip(self.messages.get(home)) else {
            return false;
        };
        let said = messages.partition_point(|&first| first < end);
        let up_to_this = messages.partition_point(|&first| first <= block);
        verbatim.holds(said.saturating_sub(up_to_this))
    }
}

fn held(memory: &MemoryView) -> Held {
    let logs = memory.open.iter().chain(&memory.expanded);
    let efforts = logs.map(|item| (Home::Effort(item.id.clone()), item.verbatim.clone()));
    efforts.chain([(Home::Ambient, memory.ambient_verbatim.clone())]).collect()
}
