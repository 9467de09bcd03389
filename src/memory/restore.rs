//! Memory as it was when the session was last saved.

mod expanded;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::ambient::Ambient;
use super::order::Order;
use super::reference::HANDFUL;
use super::{
    Block, CountTokens, Effort, EffortId, Frame, Layer, Memory, Message, Metrics, Note, Role,
    Rules, Status, Tier, Tokens, Turn,
};
use crate::memory::tight;

pub use expanded::RestoredExpansion;

/// What the store read, in plain data. Expansions are transient: whoever opens a session restores none.
#[derive(Debug, Clone, Default)]
pub struct Restored {
    /// The last counted turn.
    pub turn: Turn,
    /// All efforts in the order of their creation. A repeated id is taken once, the first time.
    pub efforts: Vec<RestoredEffort>,
    /// Efforts that left the window last, the latest last, as far as it is known.
    pub departed: Vec<EffortId>,
    /// What a chat has expanded that goes on while the session is only looked at, oldest expansion first.
    pub expanded: Vec<RestoredExpansion>,
    /// Efforts whose log is known not to hold all that was said.
    pub damaged: Vec<EffortId>,
    /// Messages that are gone from the ambient log, if it is known not to hold all that was said.
    pub ambient_lost: Option<u64>,
    /// Texts kept by reference that are gone.
    pub lost_texts: usize,
    /// The active effort; if it is not open, the most recently used open one is active.
    pub active: Option<EffortId>,
    /// The end of the ambient log: what of it was in the window, at least as many messages as the ambient
    /// window holds.
    pub ambient: Vec<(Role, Arc<str>)>,
    /// How many of these were said in turns at whose end the program was killed, so that no tide came with it.
    pub ambient_uncounted: usize,
    /// The turn of each of these messages; those that none is told of were said last.
    pub ambient_turns: Vec<Turn>,
    /// Messages in the whole ambient log.
    pub ambient_messages: u64,
    /// Cost of the whole ambient log, if it was stored.
    pub ambient_tokens: Option<Tokens>,
    /// Metrics so far.
    pub metrics: Metrics,
    /// The notes, permanent ones included.
    pub notes: Vec<Note>,
    /// The highest number ever given to a note, so that none is given twice.
    pub last_note: u64,
}

/// One effort as it was stored.
#[derive(Debug, Clone)]
pub struct RestoredEffort {
    /// The slug.
    pub id: EffortId,
    /// Open or concluded.
    pub status: Status,
    /// Its summary, if concluded.
    pub summary: Option<Arc<str>>,
    /// Free labels.
    pub tags: Vec<String>,
    /// Details of its raw log that a summary may lose.
    pub specifics: Vec<String>,
    /// A pinned summary has no countdown.
    pub pinned: bool,
    /// When it was last mentioned; `None` counts as turn 0.
    pub last_referenced: Option<Turn>,
    /// Why it was refreshed then.
    pub cause: Option<Arc<str>>,
    /// When it was last worked on; 0 if unknown.
    pub last_used: Turn,
    /// Its place among those that were turned to in that turn.
    pub nth_used: u64,
    /// Cost of its raw log, if it was stored.
    pub raw_tokens: Option<Tokens>,
    /// Messages in its raw log.
    pub raw_messages: u64,
    /// It was sent out before its countdown ended and stays out until it is mentioned.
    pub evicted: bool,
    /// Its raw log, if it is open.
    pub raw: Vec<(Role, Arc<str>)>,
    /// The turn in which each message of its raw log entered the window; those that none is told of were said last.
    pub turns: Vec<Turn>,
    /// What stands for parts of it in the window; blocks that do not fit the log are left out.
    pub blocks: Vec<Block>,
}

impl Memory {
    /// Builds memory from what was stored.
    ///
    /// Warm are the summaries mentioned within the eviction threshold, most recent first, as far as the
    /// soft line allows: a session with a hundred thousand summaries does not start with all of them in
    /// the window. Of those that no counted turn has mentioned only a handful starts there, the newest,
    /// because nothing says that the talk is about them. Being left out at the start is no change; nothing was in the window before.
    pub fn restore(
        rules: Rules,
        frame: Frame,
        counter: Arc<dyn CountTokens>,
        mut restored: Restored,
    ) -> Self {
        let mut memory = Self::new(rules, frame, counter);
        memory.turn = restored.turn;
        memory.metrics = restored.metrics;
        memory.damaged = std::mem::take(&mut restored.damaged).into_iter().collect();
        memory.ambient_lost = restored.ambient_lost;
        memory.lost_texts = restored.lost_texts;
        memory.restore_notes(std::mem::take(&mut restored.notes), restored.last_note);
        let mut said: BTreeMap<EffortId, Vec<Turn>> = BTreeMap::new();
        let ambient = memory.messages(restored.ambient);
        let ambient_turns: Vec<Turn> =
            turns_of(&restored.ambient_turns).take(ambient.len()).collect();
        memory.ambient =
            Ambient::restored(ambient, restored.ambient_messages, restored.ambient_tokens);
        memory.ambient.set_window(&rules);
        memory.ambient.settle(restored.ambient_uncounted);
        memory.efforts.reserve(restored.efforts.len());
        let unnamed: Arc<str> = "stored".into();
        let early: BTreeSet<usize> = restored
            .efforts
            .into_iter()
            .filter_map(|effort| {
                let evicted = effort.evicted;
                if !effort.turns.is_empty() {
                    said.entry(effort.id.clone()).or_insert_with(|| effort.turns.clone());
                }
                memory.add_restored(effort, &unnamed).filter(|_| evicted)
            })
            .collect();
        memory.order_open(restored.active.as_ref());
        memory.order = memory.order_said(&ambient_turns, &said);
        memory.recent_logs = [memory.open.last().copied(); 2].into();
        memory.take_expansions(restored.expanded);
        memory.warm_recent(&early, &restored.departed);
        memory.count_evicted();
        memory.replan();
        memory
    }

    /// The order in which what is in the window was said.
    fn order_said(&self, ambient: &[Turn], efforts: &BTreeMap<EffortId, Vec<Turn>>) -> Order {
        let logs = self.open.iter().map(|&at| {
            let effort = &self.efforts[at];
            (Some(at), effort.log.raw.len(), efforts.get(&effort.id).map_or(&[][..], Vec::as_slice))
        });
        let tail = self.ambient.tail_len();
        let before = ambient.len().saturating_sub(tail);
        let logs = std::iter::once((None, tail, &ambient[before..])).chain(logs);
        let said = logs.flat_map(|(log, messages, turns)| {
            turns_of(turns).take(messages).scan(Turn(0), move |last, turn| {
                *last = turn.max(*last);
                Some((*last, log))
            })
        });
        Order::of_said(said.collect())
    }

    pub(super) fn messages(&self, raw: Vec<(Role, Arc<str>)>) -> Vec<Message> {
        raw.into_iter().map(|(role, content)| self.message(role, content)).collect()
    }

    /// Adds an effort; `unnamed` is why it was mentioned where nobody knows.
    fn add_restored(&mut self, stored: RestoredEffort, unnamed: &Arc<str>) -> Option<usize> {
        if self.by_id.contains_key(&stored.id) {
            return None;
        }
        let at = self.efforts.len();
        let raw = self.messages(stored.raw);
        let (raw_tokens, raw_messages) = match stored.status {
            Status::Open => (Some(raw.iter().map(|m| m.tokens).sum()), raw.len() as u64),
            Status::Concluded => (stored.raw_tokens, stored.raw_messages),
        };
        let mut lost = (0, Tokens(0));
        if self.damaged.contains(&stored.id) {
            let said = stored.raw_tokens.unwrap_or_default();
            lost.0 = stored.raw_messages.saturating_sub(raw_messages);
            lost.1 = said.saturating_sub(raw_tokens.unwrap_or_default());
        }
        match stored.status {
            Status::Open => self.open.push(at),
            Status::Concluded => {
                let summary = stored.summary.as_deref().unwrap_or_default();
                self.index.insert(at, stored.id.as_str(), summary);
                self.concluded += 1;
            }
        }
        match raw_tokens {
            Some(tokens) => self.effort_log_tokens += tokens + lost.1,
            None => self.uncounted += 1,
        }
        self.effort_log_messages += raw_messages + lost.0;
        self.by_id.insert(stored.id.clone(), at);
        let effort = Effort {
            status: stored.status,
            summary: stored.summary.map(Into::into),
            tags: stored.tags,
            specifics: stored.specifics.iter().collect(),
            pinned: stored.pinned,
            cause: stored.cause.unwrap_or_else(|| Arc::clone(unnamed)),
            last_used: stored.last_used,
            nth_used: stored.nth_used,
            raw_tokens,
            raw_messages,
            log: raw.into(),
            last_referenced: stored.last_referenced.unwrap_or_default(),
            ..Effort::opened(stored.id, self.turn)
        };
        tight::push(&mut self.efforts, effort);
        if lost.0 > 0 {
            self.efforts[at].log.lost = lost;
        }
        if stored.status == Status::Open {
            let counter = Arc::clone(&self.counter);
            self.efforts[at].restore_blocks(stored.blocks, &*counter);
        }
        Some(at)
    }

    fn order_open(&mut self, active: Option<&EffortId>) {
        let efforts = &self.efforts;
        self.open.sort_by_key(|&at| (efforts[at].last_used, efforts[at].nth_used, at));
        let active = active.and_then(|id| self.by_id.get(id)).copied();
        if let Some(at) = active.filter(|at| self.open.contains(at)) {
            self.open.retain(|&open| open != at);
            self.open.push(at);
        }
    }

    fn warm_recent(&mut self, evicted_early: &BTreeSet<usize>, departed: &[EffortId]) {
        let is_recent = |effort: &Effort| {
            let age = self.turn.since(effort.last_referenced);
            effort.pinned || age < self.rules.summary_eviction_threshold
        };
        let concluded = |at: &usize| matches!(self.tier_at(*at), Tier::Warm | Tier::Evicted);
        let (mut recent, mut out): (Vec<usize>, Vec<usize>) = (0..self.efforts.len())
            .filter(concluded)
            .partition(|at| is_recent(&self.efforts[*at]) && !evicted_early.contains(at));
        let efforts = &self.efforts;
        recent.sort_by_key(|&at| {
            let last = efforts[at].last_referenced;
            (!efforts[at].pinned, Reverse(last), Reverse(at))
        });
        let mut unmentioned = 0;
        let (mut recent, beyond): (Vec<usize>, Vec<usize>) = recent.into_iter().partition(|&at| {
            let effort = &efforts[at];
            unmentioned += usize::from(effort.last_referenced == Turn(0) && !effort.pinned);
            unmentioned <= HANDFUL || effort.pinned || self.rules.seeds
        });
        out.extend(beyond);
        let fitting = self.fitting(&recent);
        out.extend(recent.split_off(fitting));
        self.list_departed(out, departed);
        for at in recent {
            self.warm_up(at);
        }
    }

    /// Lists what is out of the window, in the order in which it left; where nobody tells that, in the order of the last
    /// mention.
    fn list_departed(&mut self, mut out: Vec<usize>, departed: &[EffortId]) {
        let nth = departed.iter().enumerate();
        let nth: BTreeMap<usize, usize> =
            nth.filter_map(|(nth, id)| Some((*self.by_id.get(id)?, nth))).collect();
        out.sort_by_key(|at| (nth.get(at), self.efforts[*at].last_referenced, *at));
        for at in out {
            self.list_evicted(at);
        }
    }

    /// Counts the summaries that are listed as evicted: no more than a view shows.
    fn count_evicted(&mut self) {
        for &at in &self.evicted {
            self.efforts[at].line_tokens = Some(self.summary_cost(&self.efforts[at]));
        }
    }

    /// How many of the summaries, from the front, fit below the soft line.
    fn fitting(&mut self, recent: &[usize]) -> usize {
        let layers = self.layers();
        // Nothing was expanded when the chat that has it so was opened.
        let before = layers.total().saturating_sub(layers.of(Layer::Expanded));
        let fixed = before + self.counter.count(super::layout::SUMMARIES_HEADING);
        let mut room = self.rules.soft_line().saturating_sub(fixed).0;
        for (nth, &at) in recent.iter().enumerate() {
            let line = super::layout::summary_line(&self.efforts[at]);
            let cost = self.counter.count(&line);
            self.efforts[at].line_tokens = Some(cost);
            match room.checked_sub(cost.0) {
                Some(left) => room = left,
                None if self.efforts[at].pinned => room = 0,
                None => return nth,
            }
        }
        recent.len()
    }
}

/// The turns that are told, then the last one for ever.
fn turns_of(told: &[Turn]) -> impl Iterator<Item = Turn> + '_ {
    told.iter().copied().chain(std::iter::repeat(Turn(u64::MAX)))
}
