//! Which messages of a log the window holds word for word.

use std::ops::Range;

use crate::memory::budget::Plan;
use crate::memory::pieces::pieces;
use crate::memory::{Effort, EffortId, Memory, Message, Piece};

/// The messages of a log that are in the window word for word, and not shortened, compressed or left out.
///
/// Messages are counted from the newest, 0, backwards: what is read of a log is its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verbatim(Vec<Range<usize>>);

impl Verbatim {
    /// The newest messages.
    pub fn newest(count: usize) -> Self {
        Self(std::iter::once(0..count).collect())
    }

    /// Whether a message is among them, counted from the newest.
    pub fn holds(&self, from_newest: usize) -> bool {
        self.0.iter().any(|run| run.contains(&from_newest))
    }

    /// Those that are sent whole of a log of so many messages.
    pub(in crate::memory) fn of_pieces(pieces: &[Piece], messages: usize) -> Self {
        let run = |piece: &Piece| match piece {
            Piece::Whole { from, count } => {
                let end = messages.saturating_sub(*from);
                Some(end.saturating_sub(*count)..end)
            }
            Piece::Block(_) | Piece::Words(..) => None,
        };
        Self(pieces.iter().filter_map(run).collect())
    }

    /// Those of an effort's log, of which `sent` is sent instead of all that stands for it.
    pub(in crate::memory) fn of_log(effort: &Effort, sent: Option<&Vec<Message>>) -> Self {
        if sent.is_none() && effort.blocks().is_empty() {
            return Self::newest(effort.log.raw.len());
        }
        let log: Vec<&Message> = effort.log.raw.iter().collect();
        let sent = sent.map_or(effort.log(), Vec::as_slice);
        Self::of_pieces(&pieces(sent, &log, effort.blocks()), log.len())
    }
}

impl Memory {
    /// Whether the window holds messages of a log word for word (`None`: ambient), counted from 0.
    pub fn holds_messages(&self, log: Option<&EffortId>, range: Range<u64>) -> bool {
        let plan = self.resting();
        let (verbatim, count) = match log {
            None => (self.ambient_verbatim(plan), self.ambient.total().0),
            Some(id) => match self.by_id.get(id) {
                Some(&at) if self.tier_at(at).holds_log() => {
                    let effort = &self.efforts[at];
                    (Verbatim::of_log(effort, plan.logs.get(&at)), effort.raw_messages)
                }
                _ => return false,
            },
        };
        let from_newest = |number: u64| count.checked_sub(number + 1).map(|one| one as usize);
        range.into_iter().all(|number| from_newest(number).is_some_and(|one| verbatim.holds(one)))
    }

    /// What is sent of the ambient exchanges.
    pub(super) fn ambient_sent<'a>(&'a self, plan: &'a Plan) -> impl Iterator<Item = &'a Message> {
        let all = plan.ambient.is_none().then(|| self.ambient.tail());
        all.into_iter().flatten().chain(plan.ambient.iter().flatten())
    }

    /// The ambient messages that are sent word for word.
    pub(super) fn ambient_verbatim(&self, plan: &Plan) -> Verbatim {
        let Some(sent) = &plan.ambient else { return Verbatim::newest(self.ambient.tail_len()) };
        let tail: Vec<&Message> = self.ambient.tail().collect();
        Verbatim::of_pieces(&pieces(sent, &tail, &[]), tail.len())
    }
}
