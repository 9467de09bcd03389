//! Memory as the screen shows it: plain data, made after each change, never larger than a screen can use.
//!
//! Everything that costs tokens in the window is told once: the prompt and the tools by their layers, each
//! item by its own tokens, the rest by [`MemoryView::headings`], [`MemoryView::ambient_tokens`] and
//! [`MemoryView::under_way`]. Together they are the total of [`MemoryView::layers`].

mod cost;
mod verbatim;

use std::sync::Arc;

use super::budget::Plan;
use super::{
    EffortId, FullHistory, Layers, MOST_LISTED, Memory, Metrics, NextTide, NotesView, Recalled,
    ScratchItem, Tier, Tokens, Turn,
};

pub use verbatim::Verbatim;

/// How many items of the scratchpad a view lists.
const SCRATCH_SHOWN: usize = 20;

/// One effort in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemView {
    /// The effort.
    pub id: EffortId,
    /// Where it is.
    pub state: Tier,
    /// What it costs in the window now: 0 if it is left out or evicted.
    pub tokens: Tokens,
    /// What it would cost sent whole: an open or expanded one its log, any other its summary (0 if that was
    /// never counted).
    pub whole: Tokens,
    /// The messages of its log that are in the window word for word.
    pub verbatim: Verbatim,
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

/// A text held by reference in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextView {
    /// The text.
    pub item: ScratchItem,
    /// What its pointer costs in the window now: 0 if it is not listed there.
    pub tokens: Tokens,
}

/// Summaries and expanded logs in the window, beside the most that it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotsView {
    /// How many are there, pinned ones only where a person set the number.
    pub taken: usize,
    /// The most that may be.
    pub most: usize,
    /// The least salient one, which leaves when one more comes in; `None` while there is room.
    pub next: Option<EffortId>,
}

/// The second tier: everything concluded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestView {
    /// Concluded efforts in all.
    pub concluded: usize,
    /// Concluded efforts whose summary is not in the window.
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
    /// Logs that are known not to hold all that was said, and texts kept by reference that are gone.
    pub damaged: usize,
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
    /// What the next request begins with, where something leaves the window before it or comes back into it.
    pub before_next: Option<Tokens>,
    /// The most that the window may cost.
    pub budget: Tokens,
    /// Where the least salient items begin to leave.
    pub soft_line: Tokens,
    /// What sending everything would cost.
    pub full_history: FullHistory,
    /// What was said and is held by reference; the logs hold pointers to it.
    pub said_by_reference: Tokens,
    /// What is held by reference beside what was said: attached files, results of tools.
    pub unsaid: Tokens,
    /// Open efforts, the active one first.
    pub open: Vec<ItemView>,
    /// Expanded efforts, oldest expansion first.
    pub expanded: Vec<ItemView>,
    /// Warm summaries, the ones that leave soonest first.
    pub warm: Vec<ItemView>,
    /// How many more the window takes; `None` where their number is not limited.
    pub slots: Option<SlotsView>,
    /// What waits at the soft line for the user's consent, least salient first; empty but in mode `ask`.
    pub waiting: Vec<EffortId>,
    /// Exchanges outside any effort that wait there with it.
    pub exchanges_waiting: usize,
    /// The notes and how full their budget is.
    pub notes: NotesView,
    /// The latest items of the scratchpad, those listed in the window first and the newest in front, and how
    /// many there are.
    pub scratchpad: (Vec<TextView>, usize),
    /// Ambient messages in the window, word for word or shortened.
    pub ambient_messages: usize,
    /// What they cost there.
    pub ambient_tokens: Tokens,
    /// Messages of the ambient log that are in the window word for word.
    pub ambient_verbatim: Verbatim,
    /// The least that the model's cache keeps, in tokens, while more exchanges stay for it than usual.
    pub kept_for_cache: Option<Tokens>,
    /// When ambient exchanges leave next; `None` where they leave one by one.
    pub next_tide: Option<NextTide>,
    /// What was recalled for the message of the turn under way, best first; with its heading it costs
    /// `layers.of(Layer::Recalled)`.
    pub recalled: Vec<Recalled>,
    /// Tokens of headings and of the lists of names, which are no item.
    pub headings: Tokens,
    /// Tokens of the turn under way: its message and its tool exchange.
    pub under_way: Tokens,
    /// The second tier.
    pub manifest: ManifestView,
    /// The third tier.
    pub logs: LogsView,
    /// The metrics of slice 3.
    pub metrics: Metrics,
}

impl MemoryView {
    /// What the next request begins with.
    pub fn next_request(&self) -> Tokens {
        self.before_next.unwrap_or_else(|| self.layers.total())
    }
}

impl Memory {
    /// Memory as the screen shows it, with the window as the next turn would start from it.
    pub fn view(&self) -> MemoryView {
        self.view_of(self.resting(), Tokens(0), MOST_LISTED)
    }

    /// Memory as the screen shows it between two turns: where the model's cache is cold, with what leaves before the next
    /// request.
    pub fn view_at_rest(&self, is_cold: bool) -> MemoryView {
        let view = self.view();
        if !is_cold {
            return view;
        }
        let after = self.left_while_cold();
        let (leaves, total) = (self.tide_while_cold(&after), after.resting().layers.total());
        let before_next = (total != view.layers.total()).then_some(total);
        MemoryView { next_tide: leaves.or(view.next_tide), before_next, ..view }
    }

    /// Memory as the screen shows it with so many of the evicted efforts at most, for whoever needs the newest alone.
    pub fn view_with(&self, evicted: usize) -> MemoryView {
        self.view_of(self.resting(), Tokens(0), evicted)
    }

    /// Memory as the screen shows it within a turn: the window is that of a request with this user message, beside
    /// a tool exchange of `exchanged` tokens.
    pub fn view_within(&self, user_message: &str, exchanged: Tokens) -> MemoryView {
        let message = self.new_message(user_message);
        let mut plan = self.plan(Some(&message), exchanged);
        plan.layers.add(self.layer_of_turn(), exchanged);
        let message = plan.user.as_ref().unwrap_or(&message).tokens;
        self.view_of(&plan, message + exchanged, MOST_LISTED)
    }

    fn view_of(&self, plan: &Plan, under_way: Tokens, shown: usize) -> MemoryView {
        let item = |at: &usize| self.item(plan, *at);
        let mut warm: Vec<ItemView> = self.warm.iter().map(item).collect();
        warm.sort_by_key(|item| item.turns_left.map_or(u64::MAX, |(left, _)| left));
        let (concluded, evicted) = self.concluded_count();
        let recent = self.evicted.iter().rev().take(shown).map(item).collect();
        MemoryView {
            turn: self.turn,
            layers: plan.layers,
            before_next: None,
            budget: self.rules.token_budget,
            soft_line: self.rules.soft_line(),
            full_history: self.full_history(),
            said_by_reference: self.scratchpad_said(),
            unsaid: self.scratchpad_unsaid(),
            open: self.open.iter().rev().map(item).collect(),
            expanded: self.expanded.iter().map(item).collect(),
            warm,
            slots: self.slots_view(),
            waiting: self.waiting_for_consent(),
            exchanges_waiting: self.exchanges_waiting(),
            notes: self.notes_view(&plan.notes),
            scratchpad: (self.scratchpad_view(plan.unlisted), self.scratchpad().len()),
            ambient_messages: self.ambient_sent(plan).count(),
            ambient_tokens: self.ambient_sent(plan).map(|message| message.tokens).sum(),
            ambient_verbatim: self.ambient_verbatim(plan),
            kept_for_cache: self.kept_for_cache(),
            next_tide: self.next_tide(),
            recalled: self.recalled().iter().take(plan.recalled).cloned().collect(),
            headings: self.headings(plan),
            under_way,
            manifest: ManifestView { concluded, evicted, recent },
            logs: self.logs_view(),
            metrics: self.metrics,
        }
    }

    pub(super) fn logs_view(&self) -> LogsView {
        let (ambient_messages, ambient_tokens) = self.ambient.total();
        LogsView {
            efforts: self.efforts.len(),
            effort_messages: self.effort_log_messages,
            effort_tokens: self.effort_log_tokens,
            damaged: self.damaged.len()
                + usize::from(self.ambient_lost.is_some())
                + self.lost_texts,
            ambient_messages: ambient_messages + self.ambient_lost.unwrap_or(0),
            ambient_tokens,
        }
    }

    fn item(&self, plan: &Plan, at: usize) -> ItemView {
        let (effort, state) = (&self.efforts[at], self.tier_at(at));
        let (tokens, whole) = self.costs(plan, at, state);
        let verbatim = if state.holds_log() {
            Verbatim::of_log(effort, plan.logs.get(&at))
        } else {
            Verbatim::default()
        };
        ItemView {
            id: effort.id.clone(),
            state,
            tokens,
            whole,
            verbatim,
            raw_tokens: effort.raw_tokens,
            turns_left: self.turns_left(effort).zip(self.threshold(state)),
            last_referenced: effort.last_referenced,
            cause: Arc::clone(&effort.cause),
            pinned: effort.pinned,
            summary: effort.summary(),
            compressed: effort.compressed_messages(),
        }
    }
}
