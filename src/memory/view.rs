//! Memory as the screen shows it: plain data, made between turns, never larger than a screen can use.

use std::sync::Arc;

use super::{Effort, EffortId, Layers, Memory, Metrics, NotesView, ScratchItem, Tokens, Turn};

/// How many items of the scratchpad a view lists.
const SCRATCH_SHOWN: usize = 20;

/// The state in which an item is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemState {
    /// Open, and the one that the conversation belongs to.
    Active,
    /// Open in the background.
    Open,
    /// Concluded, with its raw log in the window for a while.
    Expanded,
    /// Concluded, with its summary in the window.
    Warm,
    /// Concluded, only in the manifest.
    Evicted,
}

impl ItemState {
    /// The word shown for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Open => "open",
            Self::Expanded => "expanded",
            Self::Warm => "warm",
            Self::Evicted => "evicted",
        }
    }
}

/// One effort in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemView {
    /// The effort.
    pub id: EffortId,
    /// How it is held.
    pub state: ItemState,
    /// What it costs in the window now; for an evicted one, what its summary would cost (0 if that was
    /// never counted).
    pub tokens: Tokens,
    /// Cost of its raw log.
    pub raw_tokens: Option<Tokens>,
    /// Turns until it collapses or leaves, and the threshold it counts down from.
    pub turns_left: Option<(u64, u64)>,
    /// The turn of its last reference.
    pub last_referenced: Turn,
    /// What refreshed it then: `'refresh' and 'token'`.
    pub cause: Arc<str>,
    /// Without a countdown.
    pub pinned: bool,
    /// What stands for it once concluded.
    pub summary: Option<Arc<str>>,
    /// Messages of its open log that a compressed form stands for.
    pub compressed: usize,
}

/// The second tier: everything concluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestView {
    /// Concluded efforts in all.
    pub concluded: usize,
    /// Those whose summary is not in the window.
    pub evicted: usize,
    /// The most recently evicted ones, newest first; at most 200.
    pub recent: Vec<ItemView>,
}

/// The third tier: what was said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogsView {
    /// Effort logs.
    pub efforts: usize,
    /// Messages in them.
    pub effort_messages: u64,
    /// Their cost, as far as it has been counted.
    pub effort_tokens: Tokens,
    /// Messages in the ambient log.
    pub ambient_messages: u64,
    /// Its cost.
    pub ambient_tokens: Tokens,
}

/// Everything that the panel and the gauge show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryView {
    /// The last counted turn.
    pub turn: Turn,
    /// Tokens of the window by layer.
    pub layers: Layers,
    /// The most that the window may cost.
    pub budget: Tokens,
    /// Where the least salient items begin to leave.
    pub soft_line: Tokens,
    /// What sending everything would cost, and whether all logs have been counted.
    pub full_history: (Tokens, bool),
    /// Open efforts, the active one first.
    pub open: Vec<ItemView>,
    /// Expanded efforts, oldest expansion first.
    pub expanded: Vec<ItemView>,
    /// Warm summaries, the ones that leave soonest first.
    pub warm: Vec<ItemView>,
    /// What waits at the soft line for the user's consent, least salient first; empty but in mode `ask`.
    pub waiting: Vec<EffortId>,
    /// The notes and how full their budget is.
    pub notes: NotesView,
    /// The latest items of the scratchpad, newest first, and how many there are.
    pub scratchpad: (Vec<ScratchItem>, usize),
    /// Ambient messages in the window.
    pub ambient_messages: usize,
    /// The second tier.
    pub manifest: ManifestView,
    /// The third tier.
    pub logs: LogsView,
    /// The metrics of slice 3.
    pub metrics: Metrics,
}

impl Memory {
    /// Memory as the screen shows it.
    pub fn view(&self) -> MemoryView {
        let mut warm: Vec<ItemView> =
            self.warm_efforts().map(|effort| self.item(effort, ItemState::Warm)).collect();
        warm.sort_by_key(|item| item.turns_left.map_or(u64::MAX, |(left, _)| left));
        let mut open: Vec<ItemView> =
            self.open_efforts().rev().map(|effort| self.item(effort, ItemState::Open)).collect();
        if let Some(first) = open.first_mut() {
            first.state = ItemState::Active;
        }
        let (concluded, evicted) = self.concluded_count();
        MemoryView {
            turn: self.turn,
            layers: self.layers(),
            budget: self.rules.token_budget,
            soft_line: self.rules.soft_line(),
            full_history: self.full_history(),
            open,
            expanded: self
                .expanded_efforts()
                .map(|effort| self.item(effort, ItemState::Expanded))
                .collect(),
            warm,
            waiting: self.waiting_for_consent(),
            notes: self.notes_view(),
            scratchpad: self.scratchpad_view(),
            ambient_messages: self.ambient_messages(),
            manifest: ManifestView {
                concluded,
                evicted,
                recent: self
                    .evicted_efforts()
                    .map(|effort| self.item(effort, ItemState::Evicted))
                    .collect(),
            },
            logs: self.logs_view(),
            metrics: self.metrics,
        }
    }

    fn scratchpad_view(&self) -> (Vec<ScratchItem>, usize) {
        let items = self.scratchpad();
        (items.iter().rev().take(SCRATCH_SHOWN).cloned().collect(), items.len())
    }

    pub(super) fn logs_view(&self) -> LogsView {
        let (ambient_messages, ambient_tokens) = self.ambient.total();
        LogsView {
            efforts: self.efforts.len(),
            effort_messages: self.effort_log_messages,
            effort_tokens: self.effort_log_tokens,
            ambient_messages,
            ambient_tokens,
        }
    }

    fn item(&self, effort: &Effort, state: ItemState) -> ItemView {
        let threshold = match state {
            ItemState::Expanded => self.rules.decay_threshold,
            _ => self.rules.summary_eviction_threshold,
        };
        let tokens = match state {
            ItemState::Warm | ItemState::Evicted => effort.line_tokens,
            _ => Some(effort.log_tokens()),
        };
        ItemView {
            id: effort.id.clone(),
            state,
            tokens: tokens.unwrap_or_default(),
            raw_tokens: effort.raw_tokens,
            turns_left: self.turns_left(effort).map(|left| (left, threshold)),
            last_referenced: effort.last_referenced,
            cause: Arc::clone(&effort.cause),
            pinned: effort.pinned,
            summary: effort.summary.clone(),
            compressed: effort.blocks().iter().map(|block| block.places().len()).sum(),
        }
    }
}
