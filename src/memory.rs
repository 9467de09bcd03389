//! The core: decides what is in the model's window, and says why.
//!
//! Owns efforts, notes, the window with its layers, references, decay and eviction (design sections 1
//! to 5; seeds of slices 1, 3 and 4 and of the working-memory budget). It is pure and synchronous: no
//! clock, no files, no network, no async; time is counted in turns, raw logs are handed in by the
//! driver, tokens by a [`CountTokens`].
//!
//! Invariants:
//! - Nothing is deleted. An item only moves between the window, the manifest and the raw logs.
//! - The same calls in the same order give the same window and the same changes.
//! - Every effect on the window is a [`Change`] with its cause, or a refresh with its cause.
//! - A turn's work does not grow with the number of efforts or ambient exchanges: words and ids are indexed.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod ambient;
pub mod ascending;
mod budget;
mod by_word;
mod change;
mod compare;
mod compression;
mod effort;
mod layout;
mod lifecycle;
mod lines;
mod metrics;
mod note;
pub mod numbers;
mod order;
mod past;
mod pieces;
mod recalled;
mod reference;
mod rejected;
mod restore;
mod saved;
mod scratchpad;
mod specifics;
mod steer;
mod stem;
mod summary;
mod tier;
pub(crate) mod tight;
mod turn;
mod undo;
mod units;
mod view;
mod warm;
mod window;
mod words;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, OnceLock};

pub use ambient::NextTide;
pub use budget::{BudgetMode, RulesError, sandwich};
pub use change::{
    ASKED_FOR, Change, ChangeKind, EntryChange, KindRow, Leads, Of, Subject, Tail, Was,
};
pub use compare::{Compared, Mark, compare, unmarked};
pub use compression::{Archived, Block, CONVERSATION_SUMMARY, CompressionSource, LogPart, Refused};
pub use effort::{Effort, EffortId, Status};
pub use layout::{memory_block, with_instructions};
pub use lifecycle::CloseSource;
pub use lines::Lines;
pub use metrics::{Faults, Metrics, Needed, knows_nothing};
pub use note::{
    BadLimits, LogLevel, LogLine, Note, NoteCheck, NoteEdit, NoteId, NoteLimits, NoteOrder,
    NotePreset, NoteState, NoteStats, NoteStatus, NoteUse, NoteView, NotesView, Salience, UNDONE,
    Usage, check_note, is_tag,
};
pub use past::{Forms, PastEffort, PastMemory, Totals};
pub use pieces::Piece;
pub use recalled::{Recalled, RecalledKind};
pub use reference::WordsAhead;
pub use rejected::Rejected;
pub use restore::{Restored, RestoredEffort, RestoredExpansion};
pub use saved::without_labels;
pub use scratchpad::{ARCHIVE, INPUT, RETURNED, ScratchItem};
pub use stem::stem;
pub use summary::Shelf;
pub use tier::Tier;
pub use turn::{Ended, Exchange};
pub use undo::{REDONE, is_undoable};
pub use units::{CountTokens, FullHistory, Message, Role, Tokens, Turn};
pub use view::{ItemView, LogsView, ManifestView, MemoryView, SlotsView, TextView, Verbatim};
pub use window::{Layer, Layers, Part, Source, Window, WindowItem};
pub use words::{EVERYDAY, is_stop_word, keywords, sought_words, word_parts};

use ambient::Ambient;
use effort::Anchor;
use note::Notes;
use order::Order;
use reference::ReferenceIndex;
use scratchpad::Scratch;
use specifics::Riding;
use turn::UnderWay;

/// The numbers that memory obeys. Those of slices 3 and 4 default to the seeds' numbers, the others, which the seeds do not
/// have, to what was measured to serve. All of them may change between turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Turns without a reference after which an expansion collapses (slice 3).
    pub decay_threshold: u64,
    /// Turns without a reference after which a summary leaves the window (slice 4).
    pub summary_eviction_threshold: u64,
    /// Ambient exchanges in the window (slice 4).
    pub ambient_window: usize,
    /// Exchanges that gather beyond these before they leave together; 0 lets each leave by itself.
    pub ambient_tide: usize,
    /// Keywords that a message must share with a summary to refer to it (slice 3).
    pub min_keyword_overlap: usize,
    /// The most that the window may cost, in tokens (design section 6).
    pub token_budget: Tokens,
    /// Percentage of the budget above which the least salient items leave.
    pub soft_percent: u64,
    /// Percentage of the budget down to which they leave then.
    pub low_percent: u64,
    /// Whether items leave by themselves at the lines of the budget.
    pub budget_mode: BudgetMode,
    /// The most summaries and expanded logs in the window (Cowan's 4, or 7 plus or minus 2), if limited.
    pub slots: Option<usize>,
    /// The most that the model takes, in tokens, if known.
    pub context_window: Option<Tokens>,
    /// The most that specifics beside the summaries may cost in the window, in tokens; 0 for none. None is
    /// the default, because the seeds' token numbers are those of summaries alone.
    pub specifics_in_window: Tokens,
    /// The most that what is recalled for a message may cost, in tokens; 0 for none.
    pub recall_tokens: Tokens,
    /// Tokens, as we count, from which on the model's cache keeps the beginning of a prompt; 0 where nobody knows.
    pub cache_least: Tokens,
    /// What a token from that cache costs on the average, in percent of another.
    pub cached_percent: u64,
    /// Everything to the letter of the seeds: no tides, nothing recalled, and two shared words are a mention in any session.
    pub seeds: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            decay_threshold: 3,
            summary_eviction_threshold: 20,
            ambient_window: 10,
            ambient_tide: 12,
            min_keyword_overlap: 2,
            token_budget: Tokens(16_000),
            soft_percent: 90,
            low_percent: 50,
            budget_mode: BudgetMode::Auto,
            slots: None,
            context_window: None,
            specifics_in_window: Tokens(0),
            recall_tokens: Tokens(800),
            cache_least: Tokens(0),
            cached_percent: 0,
            seeds: false,
        }
    }
}

/// The parts of every request that memory does not decide about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The system prompt; sent with a line end behind it.
    pub system_prompt: Arc<str>,
    /// The serialised tool definitions; counted, not sent as a message.
    pub tools: Arc<str>,
}

/// The memory of one session.
#[derive(Clone)]
pub struct Memory {
    rules: Rules,
    counter: Arc<dyn CountTokens>,
    frame: Frame,
    frame_layers: Layers,
    /// What the window begins with: the frame's items.
    frame_items: Vec<WindowItem>,
    heading_tokens: Tokens,
    /// What the lines around the memory block cost.
    block_tokens: [Tokens; 2],
    /// The last turn that ended well.
    turn: Turn,
    /// The turn under way, of which commands are part then.
    under_way: Option<UnderWay>,
    /// All efforts, in the order of their creation.
    efforts: Vec<Effort>,
    by_id: BTreeMap<EffortId, usize>,
    index: ReferenceIndex,
    /// Open efforts, least recently used first; the active one is last.
    open: Vec<usize>,
    /// How what was said of them and outside any effort stands in the window.
    order: Order,
    /// Expanded efforts, oldest expansion first.
    expanded: Vec<usize>,
    /// Warm summaries, in the order in which their efforts were opened, as the manifest has them: whoever opens the
    /// session later tells them alike.
    warm: BTreeSet<usize>,
    /// Warm, unpinned summaries by the turn of their last reference.
    expiry: BTreeSet<(Turn, usize)>,
    warm_tokens: Tokens,
    /// The most recently evicted efforts, newest last, for the panel.
    evicted: VecDeque<usize>,
    /// Why an effort was concluded last: most have the same cause.
    last_cause: Arc<str>,
    /// Where the summaries of those are put that were evicted before these.
    shelf: Option<summary::Shared>,
    concluded: usize,
    ambient: Ambient,
    notes: Notes,
    scratch: Scratch,
    /// What was recalled for the newest message.
    recalled: recalled::Held,
    /// Cost of all effort logs that have been counted.
    effort_log_tokens: Tokens,
    effort_log_messages: u64,
    /// Effort logs that nobody has counted yet.
    uncounted: usize,
    /// Efforts whose log is known not to hold all that was said.
    damaged: BTreeSet<EffortId>,
    /// Messages that are gone from the ambient log, if it is known not to hold all that was said.
    ambient_lost: Option<u64>,
    /// Texts kept by reference that are gone.
    lost_texts: usize,
    metrics: Metrics,
    /// When decay collapsed an effort, for `false_decay_rate`; only the last few turns.
    auto_collapsed: Vec<(usize, Turn)>,
    /// The user's last message: what relevance is measured against between turns.
    last_said: Arc<str>,
    /// The logs that hold the last two exchanges (`None`: ambient), newest last.
    recent_logs: VecDeque<Option<usize>>,
    /// What the last turn left in another form than whole.
    in_other_form: BTreeSet<budget::OtherForm>,
    /// The front of the window as the turn under way began with it.
    front_sent: Vec<Arc<str>>,
    /// The forms of the resting window; empty after a change.
    plan: OnceLock<budget::Plan>,
    /// The specifics that ride along in the window; empty after a change.
    riding: OnceLock<Riding>,
}

/// How many evicted efforts, and how many permanent notes, a view lists, the newest; manifest and search hold all of them.
/// What the journal keeps for a view of the past is as much.
pub(crate) const MOST_LISTED: usize = 200;

impl Memory {
    /// An empty memory.
    pub fn new(rules: Rules, frame: Frame, counter: Arc<dyn CountTokens>) -> Self {
        let mut memory = Self {
            rules,
            counter,
            frame,
            frame_layers: Layers::default(),
            frame_items: Vec::new(),
            heading_tokens: Tokens(0),
            block_tokens: [Tokens(0); 2],
            turn: Turn(0),
            under_way: None,
            efforts: Vec::new(),
            by_id: BTreeMap::new(),
            index: ReferenceIndex::default(),
            open: Vec::new(),
            order: Order::default(),
            expanded: Vec::new(),
            warm: BTreeSet::new(),
            expiry: BTreeSet::new(),
            warm_tokens: Tokens(0),
            evicted: VecDeque::new(),
            last_cause: Arc::from(""),
            shelf: None,
            concluded: 0,
            ambient: Ambient::default(),
            notes: Notes::default(),
            scratch: Scratch::default(),
            recalled: recalled::Held::default(),
            effort_log_tokens: Tokens(0),
            effort_log_messages: 0,
            uncounted: 0,
            damaged: BTreeSet::new(),
            ambient_lost: None,
            lost_texts: 0,
            metrics: Metrics::default(),
            auto_collapsed: Vec::new(),
            last_said: Arc::from(""),
            recent_logs: VecDeque::new(),
            in_other_form: BTreeSet::new(),
            front_sent: Vec::new(),
            plan: OnceLock::new(),
            riding: OnceLock::new(),
        };
        memory.count_frame();
        memory
    }

    /// From now on summaries that left the window long ago are put on a shelf, and memory does not hold them.
    pub fn put_away_on(&mut self, away: Box<dyn Shelf>) {
        self.shelf = Some(Arc::new(away));
    }

    /// The last turn that ended well; 0 before the first.
    pub fn turn(&self) -> Turn {
        self.turn
    }

    /// The turn that something done now belongs to: the one under way, else the last one.
    pub fn current_turn(&self) -> Turn {
        Turn(self.turn.0 + u64::from(self.under_way.is_some()))
    }

    /// The system prompt and the tools.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The metrics of slice 3.
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// All efforts, in the order of their creation.
    pub fn efforts(&self) -> &[Effort] {
        &self.efforts
    }

    /// One effort by its exact id.
    pub fn effort(&self, id: &EffortId) -> Option<&Effort> {
        self.by_id.get(id).map(|&at| &self.efforts[at])
    }

    /// The effort that the conversation belongs to.
    pub fn active(&self) -> Option<&Effort> {
        self.open.last().map(|&at| &self.efforts[at])
    }

    /// Open efforts, the active one last.
    pub fn open_efforts(&self) -> impl DoubleEndedIterator<Item = &Effort> {
        self.open.iter().map(|&at| &self.efforts[at])
    }

    /// Expanded efforts, oldest expansion first.
    pub fn expanded_efforts(&self) -> impl Iterator<Item = &Effort> {
        self.expanded.iter().map(|&at| &self.efforts[at])
    }

    /// Efforts whose summary is in the window, in window order.
    pub fn warm_efforts(&self) -> impl Iterator<Item = &Effort> {
        self.warm.iter().map(|&at| &self.efforts[at])
    }

    /// The most recently evicted efforts, newest first; at most 200 of them.
    pub fn evicted_efforts(&self) -> impl DoubleEndedIterator<Item = &Effort> {
        self.evicted.iter().rev().map(|&at| &self.efforts[at])
    }

    /// Concluded efforts, and how many of them are only in the manifest.
    pub fn concluded_count(&self) -> (usize, usize) {
        (self.concluded, self.concluded - self.warm.len() - self.expanded.len())
    }

    /// Turns until the effort collapses or leaves, if nobody mentions it; `None` without a countdown.
    pub fn turns_left(&self, effort: &Effort) -> Option<u64> {
        let age = self.turn.since(effort.last_referenced);
        let threshold = self.threshold(self.tier(effort)).filter(|_| !effort.pinned);
        threshold.map(|threshold| threshold.saturating_sub(age))
    }

    /// The turns that a countdown begins with; `None` where nothing counts down.
    fn threshold(&self, tier: Tier) -> Option<u64> {
        match tier {
            Tier::Active | Tier::Open | Tier::Evicted => None,
            Tier::Expanded => Some(self.rules.decay_threshold),
            Tier::Warm => Some(self.rules.summary_eviction_threshold),
        }
    }

    /// What sending every message ever said would cost, system prompt and tools included. What nobody said, such as an
    /// attached file, is not part of it.
    pub fn full_history(&self) -> FullHistory {
        let said = self.effort_log_tokens + self.ambient.total().1 + self.scratchpad_said();
        FullHistory {
            tokens: self.frame_layers.total() + said,
            is_counted: self.uncounted == 0 && self.ambient.is_counted(),
        }
    }

    /// Tokens of a text, by the counter of this memory.
    pub fn count(&self, text: &str) -> Tokens {
        self.counter.count(text)
    }

    /// The counter, to count beside the chat.
    pub fn counter(&self) -> Arc<dyn CountTokens> {
        Arc::clone(&self.counter)
    }

    /// Another thread reads the words of messages before they are said, from now on; what refers to what is the same.
    pub fn read_ahead(&mut self, words: Arc<WordsAhead>) {
        self.index.read_ahead(words);
    }

    /// Takes the cost of a log that another program wrote, once somebody has counted it.
    pub fn set_log_size(&mut self, id: &EffortId, messages: u64, tokens: Tokens) {
        let Some(&at) = self.by_id.get(id) else { return };
        let effort = &mut self.efforts[at];
        if effort.raw_tokens.is_none() {
            self.uncounted -= 1;
            self.effort_log_messages += messages.saturating_sub(effort.raw_messages);
            effort.raw_tokens = Some(tokens);
            effort.raw_messages = messages;
            self.effort_log_tokens += tokens;
        }
    }

    /// Compares what the log of an effort gives with what was said in it; that of a concluded one before it goes into the
    /// window in place of the summary.
    ///
    /// # Errors
    /// Rejects a log that gives fewer messages: the summary may be all that is left of the others.
    pub fn check_log(&mut self, id: &EffortId, messages: usize) -> Result<(), Rejected> {
        let Some(&at) = self.by_id.get(id) else { return Ok(()) };
        let effort = &self.efforts[at];
        let (found, of) = (messages as u64, effort.said().0);
        if effort.raw_tokens.is_none() || found >= of {
            self.damaged.remove(id);
            return Ok(());
        }
        self.damaged.insert(id.clone());
        Err(Rejected::LogDamaged { id: id.clone(), found, of })
    }

    /// Whether the log of an effort is known not to hold all that was said.
    pub fn is_damaged(&self, id: &EffortId) -> bool {
        self.damaged.contains(id)
    }

    /// How many messages are gone from the ambient log, if it is known not to hold all that was said.
    pub fn ambient_lost(&self) -> Option<u64> {
        self.ambient_lost
    }

    /// How many texts kept by reference are gone.
    pub fn lost_texts(&self) -> usize {
        self.lost_texts
    }

    /// Takes the size that the ambient log had when memory was restored, once somebody has counted it.
    pub fn set_ambient_size(&mut self, messages: u64, tokens: Tokens) {
        self.ambient.set_total(messages, tokens);
    }

    /// Messages of the whole ambient log, and their cost once somebody has counted it.
    pub fn ambient_size(&self) -> (u64, Option<Tokens>) {
        let (messages, tokens) = self.ambient.total();
        (messages, self.ambient.is_counted().then_some(tokens))
    }

    /// Efforts whose logs nobody has counted yet.
    pub fn uncounted(&self) -> impl Iterator<Item = &Effort> {
        self.efforts.iter().filter(|effort| effort.raw_tokens.is_none())
    }

    /// Whether the size of the whole ambient log is known.
    pub fn is_ambient_counted(&self) -> bool {
        self.ambient.is_counted()
    }
}
