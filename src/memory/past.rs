//! Memory as it was after some turn, rebuilt from plain data for the time machine.
//!
//! What was said and what stood where comes from the store. The words and the sums are made by the same
//! code that lays out the window of today, so that the past reads as the present does. Nothing that
//! depends on the whole session is worked out again: the order in which things gave way, what waited for
//! consent and the totals were recorded when they were true.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use super::ambient::Ambient;
use super::budget::Plan;
use super::order::{Order, Run};
use super::pieces::{Piece, pieces};
use super::specifics::Riding;
use super::{
    Anchor, Block, CountTokens, Effort, EffortId, Frame, FullHistory, LogsView, Memory, MemoryView,
    Message, Metrics, Note, NoteId, NoteLimits, Role, Rules, ScratchItem, Status, Tokens, Turn,
    Verbatim, Window,
};

/// What memory held after a turn.
#[derive(Debug, Clone)]
pub struct PastMemory {
    /// The turn.
    pub turn: Turn,
    /// The rules that were in force.
    pub rules: Rules,
    /// The limits of the notes that were in force.
    pub limits: NoteLimits,
    /// The system prompt and the tools of that time.
    pub frame: Frame,
    /// Open efforts, least recently used first, each with its log unless its form says what was sent.
    pub open: Vec<PastEffort>,
    /// Expanded efforts, oldest expansion first, with their logs likewise.
    pub expanded: Vec<PastEffort>,
    /// Warm summaries in window order.
    pub warm: Vec<PastEffort>,
    /// The most recently evicted efforts, newest last.
    pub evicted: Vec<PastEffort>,
    /// The ambient messages in the window.
    pub ambient: Vec<(Role, Arc<str>)>,
    /// The notes of the session and the newest permanent ones.
    pub notes: Vec<Note>,
    /// The texts that were held by reference, oldest first.
    pub scratchpad: Vec<ScratchItem>,
    /// What was sent in another form than whole.
    pub forms: Forms<(Role, Arc<str>)>,
    /// What was sent of the logs in another form than whole, by their pieces.
    pub pieces: Vec<(EffortId, Vec<Piece>)>,
    /// What waited at the soft line for consent.
    pub waiting: Vec<EffortId>,
    /// Sums over the whole session.
    pub totals: Totals,
}

/// An effort as it was.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PastEffort {
    /// The slug.
    pub id: String,
    /// What stood for it, if it was concluded.
    pub summary: Option<Arc<str>>,
    /// Whether it had no countdown.
    pub pinned: bool,
    /// The turn of its last reference.
    pub last_referenced: Turn,
    /// What refreshed it then.
    pub cause: Arc<str>,
    /// Cost of its raw log, if it was counted.
    pub raw_tokens: Option<Tokens>,
    /// Messages in its raw log.
    pub raw_messages: u64,
    /// Cost of the line that stood for it, if it was counted.
    pub line_tokens: Option<Tokens>,
    /// Its log, if all of it was in the window.
    pub raw: Vec<(Role, Arc<str>)>,
    /// The compressed parts of its log, and what the log cost with them.
    pub compressed: (Vec<Block>, Tokens),
}

/// Sums over the whole session at some moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    /// Concluded efforts, and how many of them were only in the manifest.
    pub concluded: (usize, usize),
    /// What sending everything would have cost.
    pub full_history: FullHistory,
    /// The third tier.
    pub logs: LogsView,
    /// The metrics of slice 3.
    pub metrics: Metrics,
    /// Archived notes.
    pub permanent_notes: usize,
    /// Items of the scratchpad.
    pub scratchpad: usize,
}

/// What of the window is sent in another form than whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms<Message> {
    /// The lines of specifics beside the summaries.
    pub specifics: Vec<(EffortId, Arc<str>)>,
    /// Summaries that are left out.
    pub summaries: Vec<EffortId>,
    /// Notes that are left out.
    pub notes: Vec<NoteId>,
    /// The lists of efforts and the index of the scratchpad are left out.
    pub unlisted: bool,
    /// What is sent of the ambient exchanges instead of all.
    pub ambient: Option<Vec<Message>>,
    /// What is sent of a log instead of all.
    pub logs: Vec<(EffortId, Vec<Message>)>,
    /// Expanded logs that do not stand behind all of ambient: the log that each stands in (`None`: ambient), and
    /// how many messages of that stand behind it.
    pub anchors: Vec<(EffortId, Option<EffortId>, usize)>,
    /// The runs of messages in which the logs stand (`None`: ambient), each with how many messages of its log, as sent,
    /// stand behind it; none where each log stands together, in the order of use.
    pub runs: Vec<(Option<EffortId>, usize)>,
}

impl<Message> Default for Forms<Message> {
    fn default() -> Self {
        let (summaries, notes, logs) = (Vec::new(), Vec::new(), Vec::new());
        let (specifics, anchors, runs) = (Vec::new(), Vec::new(), Vec::new());
        Self { specifics, summaries, notes, unlisted: false, ambient: None, logs, anchors, runs }
    }
}

impl<Message> Forms<Message> {
    /// Whether everything is sent whole.
    pub fn is_whole(&self) -> bool {
        self.specifics.is_empty()
            && self.summaries.is_empty()
            && self.notes.is_empty()
            && !self.unlisted
            && self.ambient.is_none()
            && self.logs.is_empty()
            && self.anchors.is_empty()
            && self.runs.is_empty()
    }
}

impl Memory {
    /// In which form the window is sent as it rests, for the record.
    pub fn forms(&self) -> Forms<Piece> {
        let plan = self.resting();
        let id = |at: &usize| self.efforts[*at].id.clone();
        let tail: Vec<&Message> = self.ambient.tail().collect();
        let of_log = |at: &usize, shown: &[Message]| {
            let effort = &self.efforts[*at];
            pieces(shown, &effort.log.raw.iter().collect::<Vec<_>>(), effort.blocks())
        };
        let mut logs: Vec<(EffortId, Vec<Piece>)> =
            plan.logs.iter().map(|(at, shown)| (id(at), of_log(at, shown))).collect();
        logs.sort_by(|one, other| one.0.cmp(&other.0));
        let lines = self.riding().lines.iter().filter(|_| !plan.unaccompanied);
        Forms {
            specifics: lines.map(|(at, (line, _))| (id(at), Arc::clone(line))).collect(),
            summaries: plan.summaries.iter().map(id).collect(),
            notes: plan.notes.iter().copied().collect(),
            unlisted: plan.unlisted,
            ambient: plan.ambient.as_ref().map(|shown| pieces(shown, &tail, &[])),
            logs,
            anchors: self.anchors(),
            runs: self.recorded_runs(),
        }
    }

    fn anchors(&self) -> Vec<(EffortId, Option<EffortId>, usize)> {
        let id = |at: usize| self.efforts[at].id.clone();
        let anchored = self.expanded.iter().map(|&at| (at, self.efforts[at].log.anchor));
        let anchored = anchored.filter(|(_, anchor)| *anchor != Anchor::default());
        anchored.map(|(at, anchor)| (id(at), anchor.log.map(id), anchor.later)).collect()
    }

    /// Sums over the whole session, for the record.
    pub fn totals(&self) -> Totals {
        Totals {
            concluded: self.concluded_count(),
            full_history: self.full_history(),
            logs: self.logs_view(),
            metrics: self.metrics,
            permanent_notes: self.note_stats().permanent,
            scratchpad: self.scratchpad().len() + self.lost_texts,
        }
    }

    /// Where a summary stands among the others in the window, or stood while its log takes its place.
    pub fn place_of(&self, id: &EffortId) -> Option<u64> {
        let at = *self.by_id.get(id)?;
        let effort = &self.efforts[at];
        (effort.warm || effort.expanded_at().is_some()).then_some(at as u64 + 1)
    }

    /// Memory and window as they were, as the screen shows them.
    pub fn as_it_was(past: PastMemory, counter: Arc<dyn CountTokens>) -> (MemoryView, Window) {
        let (waiting, totals) = (past.waiting.clone(), past.totals);
        let pieces = past.pieces.clone();
        let memory = Self::rebuilt(past, counter);
        let mut view = memory.view();
        for item in view.open.iter_mut().chain(&mut view.expanded) {
            let sent = pieces.iter().find(|(id, _)| *id == item.id);
            if let Some((effort, (_, sent))) = memory.effort(&item.id).zip(sent) {
                item.verbatim = Verbatim::of_pieces(sent, effort.raw_messages as usize);
            }
        }
        view.waiting = waiting;
        view.full_history = totals.full_history;
        (view.manifest.concluded, view.manifest.evicted) = totals.concluded;
        view.logs = totals.logs;
        view.metrics = totals.metrics;
        view.notes.stats.permanent = totals.permanent_notes;
        view.scratchpad.1 = totals.scratchpad;
        (view, memory.window())
    }

    fn rebuilt(past: PastMemory, counter: Arc<dyn CountTokens>) -> Self {
        let mut memory = Self::new(past.rules, past.frame, counter);
        memory.turn = past.turn;
        memory.notes.limits = past.limits;
        memory.restore_notes(past.notes, 0);
        memory.set_scratchpad(past.scratchpad);
        let ambient = memory.messages(past.ambient);
        memory.ambient = Ambient::restored(ambient, 0, None);
        memory.ambient.set_window(&past.rules);
        memory.open = memory.add_past(past.open, Status::Open);
        memory.expanded = memory.add_past(past.expanded, Status::Concluded);
        memory.order = memory.past_order(&past.forms.runs);
        for &at in &memory.expanded {
            memory.efforts[at].log.expanded_at = Some(past.turn);
        }
        for (id, log, later) in &past.forms.anchors {
            let log = log.as_ref().and_then(|log| memory.by_id.get(log).copied());
            if let Some(&at) = memory.by_id.get(id) {
                memory.efforts[at].log.anchor = Anchor { log, later: *later };
            }
        }
        let warm = memory.add_past(past.warm, Status::Concluded);
        for at in warm {
            memory.efforts[at].warm = true;
            memory.warm_tokens += memory.efforts[at].line_tokens.unwrap_or_default();
            memory.warm.insert(at);
        }
        memory.evicted = VecDeque::from(memory.add_past(past.evicted, Status::Concluded));
        memory.concluded = memory.efforts.len() - memory.open.len();
        memory.riding = OnceLock::from(memory.past_riding(&past.forms.specifics));
        let plan = memory.past_plan(past.forms);
        memory.plan = OnceLock::from(plan);
        memory
    }

    fn past_order(&self, runs: &[(Option<EffortId>, usize)]) -> Order {
        if runs.is_empty() {
            return Order::of(&self.open);
        }
        let run = |(id, later): &(Option<EffortId>, usize)| {
            let log = id.as_ref().map(|id| self.by_id.get(id).copied());
            (log != Some(None)).then_some(Run { log: log.flatten(), later: *later })
        };
        Order::of_runs(runs.iter().filter_map(run).collect())
    }

    fn add_past(&mut self, efforts: Vec<PastEffort>, status: Status) -> Vec<usize> {
        let mut places = Vec::with_capacity(efforts.len());
        for past in efforts {
            let (id, at) = (EffortId::stored(&past.id), self.efforts.len());
            self.by_id.insert(id.clone(), at);
            let raw = self.messages(past.raw);
            let mut effort = Effort {
                status,
                summary: past.summary.map(Into::into),
                pinned: past.pinned,
                last_referenced: past.last_referenced,
                cause: past.cause,
                raw_tokens: past.raw_tokens,
                raw_messages: past.raw_messages,
                log: raw.into(),
                line_tokens: past.line_tokens,
                ..Effort::opened(id, past.last_referenced)
            };
            let (blocks, log_tokens) = past.compressed;
            effort.compressed_as_it_was(blocks, log_tokens);
            self.efforts.push(effort);
            places.push(at);
        }
        places
    }

    fn past_riding(&self, lines: &[(EffortId, Arc<str>)]) -> Riding {
        let mut riding = Riding::default();
        for (id, line) in lines {
            let Some(&at) = self.by_id.get(id) else { continue };
            let cost = self.counter.count(line);
            riding.tokens += cost;
            riding.lines.insert(at, (Arc::clone(line), cost));
        }
        riding
    }

    fn past_plan(&self, forms: Forms<(Role, Arc<str>)>) -> Plan {
        let at = |id: &EffortId| self.by_id.get(id).copied();
        let mut plan = Plan {
            summaries: forms.summaries.iter().filter_map(at).collect(),
            notes: forms.notes.into_iter().collect(),
            unlisted: forms.unlisted,
            ambient: forms.ambient.map(|shown| self.messages(shown)),
            ..Plan::default()
        };
        for (id, shown) in forms.logs {
            plan.logs.extend(at(&id).map(|at| (at, self.messages(shown))));
        }
        plan.layers = self.lay_out(&plan).layers;
        plan
    }
}
