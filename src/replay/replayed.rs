//! What came of a conversation that was played: turn by turn, topic by topic, and what it cost whom.

use super::phases::Phase;
use super::rounds::ReadAgain;
use super::rows::{Row, Rows};
use crate::bill::{Baselines, CacheKind, Other, Paid, Prices};
use crate::memory::tight;
use crate::memory::{Change, ChangeKind, EffortId, Faults, ItemView, Layers, MemoryView, Tokens};

/// After a turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Step {
    /// The turn, from 1.
    pub turn: u64,
    /// Tokens of all that was said, in all conversations up to here.
    pub full_history: u64,
    /// Tokens of the window that the next turn begins with.
    pub window: u64,
    /// Summaries in it.
    pub warm: u64,
    /// Summaries that left it.
    pub evicted: u64,
    /// Tokens that had been said when the conversation under way began, without those that it goes on from.
    pub began: u64,
}

impl Step {
    /// Tokens of the full history of the conversation under way: nobody sends one conversation with another.
    pub fn under_way(self) -> u64 {
        self.full_history - self.began
    }
}

impl Row for Step {
    fn numbers(self) -> [u64; 6] {
        [self.turn, self.full_history, self.window, self.warm, self.evicted, self.began]
    }

    fn of([turn, full_history, window, warm, evicted, began]: [u64; 6]) -> Self {
        Self { turn, full_history, window, warm, evicted, began }
    }
}

/// A topic that was concluded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhaseRow {
    /// Its name in the session.
    pub name: EffortId,
    /// Turns that it took, from 1, the last one included.
    pub turns: (u64, u64),
    /// Tokens of its log.
    pub raw: u64,
    /// Tokens of its summary.
    pub summary: u64,
}

/// Pauses that the log tells, behind which a cache holds nothing any more.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pauses {
    /// Seconds for which it holds what was sent.
    pub lifetime: u64,
    /// How many turns came later than that.
    pub turns: u64,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Replayed {
    /// Turn by turn.
    pub steps: Rows<Step>,
    /// Behind the last turn, once the last topic is concluded, if it lasted to the end: nothing is said there.
    pub concluded: Option<Step>,
    /// The topics in the order in which they were concluded.
    pub phases: Vec<PhaseRow>,
    /// The window at the end.
    pub end: Layers,
    /// Tokens of the largest request of the chat, with what a message recalled, the message itself, and what its tools had
    /// returned until then.
    pub largest_request: u64,
    /// How many requests of the chat were smaller than what the server's cache keeps.
    pub small: u64,
    /// What all requests took, those of memory included.
    pub own: Paid,
    /// Tokens of texts held by reference, which `own` does not count; each counts as read once, in its turn.
    pub by_reference: u64,
    /// What others would have paid, who keep those in the history, and begin a new one with each conversation.
    pub others: Baselines,
    /// What the program itself would have paid that compacted where the log says so.
    pub then: Other,
    /// How often it did.
    pub compacted: u64,
    /// Pauses between turns that a cache does not outlast.
    pub pauses: Pauses,
    /// What is paid with a request for each round of tools; not in what was paid above.
    pub again: ReadAgain,
    /// Tokens of all that was said.
    pub said: u64,
    /// How much of that was said before the last conversation.
    pub began: u64,
    /// How many conversations it was said in.
    pub conversations: u64,
    /// The most tokens that a message recalled; none if recall was off.
    pub recall: Tokens,
    /// How often something was needed and not in the window.
    pub faults: Faults,
}

impl Replayed {
    /// What it cost, in tokens that cost as much as one of input.
    pub fn cost(&self, prices: &Prices) -> f64 {
        prices.cost(&self.paid(prices.cache))
    }

    /// What all requests took, with the texts held by reference: new to a cache, which may take its price for that.
    pub fn paid(&self, cache: CacheKind) -> Paid {
        let mut paid = self.own;
        let new =
            if cache == CacheKind::Breakpoints { &mut paid.written } else { &mut paid.uncached };
        *new += self.by_reference;
        paid
    }

    /// The part of all that was said that is not in the window at the end.
    pub fn saved(&self) -> f64 {
        saved_of(self.end.total().0, self.said)
    }

    /// After the last turn, and once the last topic is concluded behind it.
    pub fn ends(&self) -> impl Iterator<Item = Step> {
        self.steps.last().into_iter().chain(self.concluded)
    }

    /// Whether a turn has more requests than one, as tools were called in it.
    pub fn has_rounds(&self) -> bool {
        self.again.requests > self.steps.len() as u64
    }

    /// Whether messages recalled what was said, as they do in a chat.
    pub fn is_recall_on(&self) -> bool {
        self.recall > Tokens(0)
    }

    /// So many tokens of what the requests took were held by reference, and are told apart.
    pub(super) fn hold_apart(&mut self, tokens: u64) {
        self.by_reference += tokens;
        let written = self.own.written.min(tokens);
        self.own.written -= written;
        self.own.uncached = self.own.uncached.saturating_sub(tokens - written);
    }

    /// What stands after a turn.
    pub(super) fn step(&self, turn: u64, view: &MemoryView) -> Step {
        Step {
            turn,
            full_history: self.said,
            window: view.layers.total().0,
            warm: view.warm.len() as u64,
            evicted: view.manifest.evicted as u64,
            began: self.began,
        }
    }

    /// Takes down what memory did in a turn, and where the last topic is concluded behind them, and what that took.
    pub(super) fn take(&mut self, changes: &[Change], view: &MemoryView, paid: Paid) {
        self.end = view.layers;
        self.faults = view.metrics.faults;
        self.own += paid;
        let concluded = changes.iter().filter(|change| change.kind == ChangeKind::EffortConcluded);
        for item in concluded.filter_map(|change| item(view, change.effort()?.as_str())) {
            let row = PhaseRow {
                name: item.id.clone(),
                turns: (0, 0),
                raw: item.raw_tokens.map_or(0, |tokens| tokens.0),
                summary: item.whole.0,
            };
            tight::push(&mut self.phases, row);
        }
    }
}

/// The part of so many tokens that a window does not hold; below 0 if it holds more.
pub(super) fn saved_of(window: u64, said: u64) -> f64 {
    1.0 - window as f64 / said.max(1) as f64
}

fn item<'a>(view: &'a MemoryView, id: &str) -> Option<&'a ItemView> {
    let all = view.warm.iter().chain(&view.expanded).chain(&view.manifest.recent);
    all.into_iter().find(|item| item.id.as_str() == id)
}

impl Replayed {
    /// The topics were concluded in the order in which they began.
    pub(super) fn place(&mut self, phases: &[Phase]) {
        let mut phases = phases.iter();
        for row in &mut self.phases {
            let is_it = |phase: &&Phase| EffortId::from_name(&phase.name).as_ref() == Ok(&row.name);
            if let Some(phase) = phases.find(is_it) {
                row.turns = (phase.from as u64 + 1, phase.to as u64);
            }
        }
    }
}
