//! What of the window is sent when not all of it fits: worked out from memory, the same every time,
//! and dropped whenever something changes.
//!
//! The order in which things give way is the design's (section 6). Each step goes only as far as
//! needed. Nothing here changes memory: a request that is larger than usual leaves things out for
//! itself alone.

use std::collections::{BTreeMap, BTreeSet};

use super::LEAST_LOG;
use super::squeeze::{self, LEAST_PREVIEW};
use crate::counted::counted;
use crate::memory::reference::Weighed;
use crate::memory::{ChangeKind, Layer, Layers, Memory, Message, NoteId, Role, Subject, Tokens};

/// Exchanges that stay: the two before the newest user message.
pub(in crate::memory) const KEPT_EXCHANGES: usize = 2;

/// Something that gave way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::memory) struct Step {
    pub(in crate::memory) kind: ChangeKind,
    pub(in crate::memory) subject: Subject,
    pub(in crate::memory) cause: String,
    pub(in crate::memory) before: Tokens,
    pub(in crate::memory) after: Tokens,
}

/// The forms in which the window is sent.
#[derive(Debug, Clone, Default)]
pub(in crate::memory) struct Plan {
    /// Tokens as sent, without what a tool exchange costs.
    pub(in crate::memory) layers: Layers,
    /// Summaries that are left out.
    pub(in crate::memory) summaries: BTreeSet<usize>,
    /// The specifics beside the summaries are left out.
    pub(in crate::memory) unaccompanied: bool,
    /// Notes that are left out.
    pub(in crate::memory) notes: BTreeSet<NoteId>,
    /// What is sent of a log instead of the whole; empty: nothing.
    pub(in crate::memory) logs: BTreeMap<usize, Vec<Message>>,
    /// What is sent of the ambient exchanges instead of all.
    pub(in crate::memory) ambient: Option<Vec<Message>>,
    /// The newest user message, if it is sent in another form.
    pub(in crate::memory) user: Option<Message>,
    /// The lists of open and expanded efforts and the index of the scratchpad are left out.
    pub(in crate::memory) unlisted: bool,
    /// How much of what was recalled for the newest message is sent, best first.
    pub(in crate::memory) recalled: usize,
    /// What gave way, in order.
    pub(in crate::memory) steps: Vec<Step>,
}

impl Memory {
    /// The forms of a request with a user message (its log layer is counted with it) beside a tool
    /// exchange of `reserved` tokens.
    pub(in crate::memory) fn plan(&self, user: Option<&Message>, reserved: Tokens) -> Plan {
        let mut layers = self.whole_layers();
        if let Some(user) = user {
            layers.add(self.layer_of_turn(), user.tokens);
        }
        let mut plan = Plan { layers, ..Plan::default() };
        plan.recalled = user.map_or(0, |_| self.recalled_now());
        if plan.recalled > 0 {
            plan.layers.add(Layer::Recalled, self.recalled_tokens(plan.recalled));
            plan.recount_lists(self);
        }
        let limit = self.rules.limit().saturating_sub(reserved);
        if plan.layers.total() <= limit {
            return plan;
        }
        let message = self.index.weigh(user.map_or(&*self.last_said, |user| &*user.content));
        let mut planner = Planner { memory: self, limit, user, message, plan };
        planner.give_way();
        planner.plan
    }

    /// Tokens by layer if everything is sent whole.
    pub(in crate::memory) fn whole_layers(&self) -> Layers {
        let mut layers = self.frame_layers;
        layers.add(Layer::Summaries, self.warm_tokens + self.riding().tokens);
        if !self.warm.is_empty() {
            layers.add(Layer::Summaries, self.heading_tokens);
        }
        layers.add(Layer::Lists, self.lists_tokens(&Plan::default()));
        layers.add(Layer::Notes, self.note_tokens(&BTreeSet::new()));
        layers.add(Layer::Scratchpad, self.scratchpad_tokens());
        layers.add(Layer::Ambient, self.ambient.tail_tokens());
        for (layer, efforts) in [(Layer::Expanded, &self.expanded), (Layer::Open, &self.open)] {
            for &at in efforts {
                layers.add(layer, self.efforts[at].log_tokens());
            }
        }
        layers
    }

    /// The layer that a message of the turn under way counts for.
    pub fn layer_of_turn(&self) -> Layer {
        if self.open.is_empty() { Layer::Ambient } else { Layer::Open }
    }

    /// How many of the last two user messages are in a log (`None`: ambient).
    pub(in crate::memory) fn recent_in(&self, log: Option<usize>) -> usize {
        self.recent_logs.iter().filter(|&&recent| recent == log).count()
    }
}

struct Planner<'a> {
    memory: &'a Memory,
    limit: Tokens,
    user: Option<&'a Message>,
    message: Weighed<'a>,
    plan: Plan,
}

impl Planner<'_> {
    fn give_way(&mut self) {
        self.leave_out_recalled();
        self.leave_out_specifics();
        self.squeeze_expanded(false);
        self.squeeze_background();
        self.shorten_ambient(self.memory.rules.ambient_window.max(KEPT_EXCHANGES));
        // What cannot be whole whatever leaves is no reason for anything else to leave.
        self.shorten_ambient_messages(self.room());
        self.leave_out_expanded(false);
        self.leave_out_summaries(false);
        self.leave_out_notes(false);
        self.shorten_ambient(KEPT_EXCHANGES);
        self.squeeze_active(LEAST_LOG, true);
        self.shorten_oversized();
        self.last_resort();
    }

    fn over(&self) -> u64 {
        self.plan.layers.total().saturating_sub(self.limit).0
    }

    /// What matched least leaves first.
    fn leave_out_recalled(&mut self) {
        let (over, before) = (self.over(), self.plan.layers.total());
        while self.over() > 0 && self.plan.recalled > 0 {
            self.plan.recalled -= 1;
            let left = self.memory.recalled_tokens(self.plan.recalled);
            self.plan.layers.take(Layer::Recalled, self.plan.layers.of(Layer::Recalled));
            self.plan.layers.add(Layer::Recalled, left);
            self.recount_lists();
        }
        if self.plan.layers.total() < before {
            self.step(ChangeKind::LeftOut, Subject::Recalled, "what matched least", over, before);
        }
    }

    fn leave_out_specifics(&mut self) {
        let cost = self.memory.riding().tokens;
        let (over, before) = (self.over(), self.plan.layers.total());
        if over > 0 && cost > Tokens(0) {
            self.plan.unaccompanied = true;
            self.plan.layers.take(Layer::Summaries, cost);
            let what = "the details beside the summaries";
            self.step(ChangeKind::LeftOut, Subject::Specifics, what, over, before);
        }
    }

    fn leave_out_summaries(&mut self, pinned: bool) {
        if self.over() == 0 {
            return;
        }
        let memory = self.memory;
        let warm = memory.warm.iter().copied();
        let efforts = warm.filter(|&at| memory.efforts[at].pinned == pinned);
        for (salience, at) in memory.by_salience(efforts, memory.current_turn(), &self.message) {
            let over = self.over();
            if over == 0 {
                return;
            }
            let before = self.plan.layers.total();
            let mut cost = memory.efforts[at].line_tokens.unwrap_or_default();
            self.plan.summaries.insert(at);
            if self.plan.summaries.len() == memory.warm.len() {
                cost += memory.heading_tokens;
            }
            self.plan.layers.take(Layer::Summaries, cost);
            self.recount_lists();
            let subject = Subject::Effort(memory.efforts[at].id.clone());
            let what = format!("least salient ({salience:.2})");
            self.step(ChangeKind::LeftOut, subject, &what, over, before);
        }
    }

    /// Notes have limits of their own, so this is for a budget that is small beside them, or for notes of
    /// another program that are long.
    fn leave_out_notes(&mut self, pinned: bool) {
        let memory = self.memory;
        for (id, tokens) in memory.notes_to_give_way(pinned) {
            let over = self.over();
            if over == 0 {
                return;
            }
            let before = self.plan.layers.total();
            self.plan.notes.insert(id);
            let heading = memory.note_tokens(&self.plan.notes).0 == 0;
            let heading = if heading { memory.notes_heading() } else { Tokens(0) };
            self.plan.layers.take(Layer::Notes, tokens + heading);
            self.recount_lists();
            self.step(ChangeKind::LeftOut, Subject::Note(id), "least of the notes", over, before);
        }
    }

    /// Expanded logs, the least salient first; none if nothing has to give way.
    fn expanded(&self, pinned: bool) -> Vec<usize> {
        if self.over() == 0 {
            return Vec::new();
        }
        let memory = self.memory;
        let expanded = memory.expanded.iter().copied();
        let expanded = expanded.filter(|&at| memory.efforts[at].pinned == pinned);
        let ranked = memory.by_salience(expanded, memory.current_turn(), &self.message);
        ranked.into_iter().map(|(_, at)| at).collect()
    }

    /// As much of an expanded log as fits.
    fn squeeze_expanded(&mut self, pinned: bool) {
        for at in self.expanded(pinned) {
            self.squeeze_log(at, Layer::Expanded, LEAST_LOG, 0);
        }
    }

    fn leave_out_expanded(&mut self, pinned: bool) {
        for at in self.expanded(pinned) {
            if self.over() > 0 {
                self.hide_log(at, Layer::Expanded);
            }
        }
    }

    /// The oldest ambient exchanges leave, down to the last few.
    fn shorten_ambient(&mut self, kept: usize) {
        let over = self.over();
        if over == 0 {
            return;
        }
        let mut gone = 0;
        let tail = self.shown_ambient();
        let mut skip = 0;
        while gone < over && tail.len() >= (kept + 1).saturating_mul(2).saturating_add(skip) {
            gone += tail[skip].tokens.0 + tail[skip + 1].tokens.0;
            skip += 2;
        }
        if skip > 0 {
            let shown = tail.into_iter().skip(skip).collect();
            let left = counted(skip as u64 / 2, "exchange");
            self.show_ambient(shown, &format!("{left} left out"), over);
        }
    }

    /// Background logs, the least recently used first.
    fn squeeze_background(&mut self) {
        let background = self.memory.open.len().saturating_sub(1);
        for &at in &self.memory.open[..background] {
            let recent = self.memory.recent_in(Some(at));
            self.squeeze_log(at, Layer::Open, LEAST_LOG, recent);
        }
    }

    fn squeeze_active(&mut self, least: u64, protect: bool) {
        if let Some(&at) = self.memory.open.last() {
            let recent = if protect { self.memory.recent_in(Some(at)) } else { 0 };
            self.squeeze_log(at, Layer::Open, least, recent);
        }
    }

    /// Any single message over three quarters of the window, newest last.
    fn shorten_oversized(&mut self) {
        let large = Tokens(self.limit.0 / 4 * 3);
        for at in self.memory.open.clone() {
            let log = self.shown(at);
            if self.over() > 0 && log.iter().any(|message| message.tokens > large) {
                let log = self.shorten_messages(&log, large, &place_of(self.memory, at));
                self.show_log(at, Layer::Open, log, "one message is larger than the window");
            }
        }
        self.shorten_ambient_messages(large);
        // Only if it cannot be whole whatever leaves.
        if self.user.is_some_and(|user| user.tokens > self.room()) {
            self.shorten_user();
        }
    }

    /// What a single message can take at most, whatever leaves.
    fn room(&self) -> Tokens {
        self.limit.saturating_sub(self.memory.frame_layers.total())
    }

    fn shorten_ambient_messages(&mut self, large: Tokens) {
        let (over, ambient) = (self.over(), self.shown_ambient());
        if over > 0 && ambient.iter().any(|message| message.tokens > large) {
            let shown = self.shorten_messages(&ambient, large, "the ambient log");
            self.show_ambient(shown, "one message is larger than the window", over);
        }
    }

    /// When even that is not enough: background logs, replies, pinned logs and summaries, lists, then the two
    /// user messages before the newest, and at the very last the newest itself.
    fn last_resort(&mut self) {
        for at in self.memory.open.clone() {
            if self.over() > 0 && self.memory.recent_in(Some(at)) == 0 {
                self.hide_log(at, Layer::Open);
            }
        }
        if self.over() > 0 {
            let over = self.over();
            let recent = self.memory.recent_in(None);
            let shown = self.shown_ambient().into_iter().rev();
            let users = shown.filter(|message| message.role == Role::User).take(recent);
            let mut users: Vec<Message> = users.collect();
            users.reverse();
            self.show_ambient(users, "replies left out", over);
        }
        self.squeeze_active(0, true);
        self.squeeze_expanded(true);
        self.leave_out_expanded(true);
        self.leave_out_summaries(true);
        self.leave_out_notes(true);
        if self.over() > 0 {
            self.plan.unlisted = true;
            let index = self.plan.layers.of(Layer::Scratchpad);
            self.plan.layers.take(Layer::Scratchpad, index);
            self.recount_lists();
        }
        for at in self.memory.open.clone() {
            self.squeeze_log(at, Layer::Open, 0, 0);
            if self.over() > 0 {
                self.hide_log(at, Layer::Open);
            }
        }
        if self.over() > 0 {
            let over = self.over();
            self.show_ambient(Vec::new(), "all exchanges left out", over);
        }
        self.shorten_user();
    }

    /// The newest user message gives way as far as needed, but no further than a tool exchange may push it: that gives
    /// way instead. Without words of it nobody knows what is asked.
    fn shorten_user(&mut self) {
        let Some(user) = self.user.filter(|_| self.over() > 0) else { return };
        let shown = self.plan.user.as_ref().unwrap_or(user).clone();
        let (over, before) = (self.over(), self.plan.layers.total());
        let kept = self.memory.kept_of_message(user.tokens);
        let target = Tokens(shown.tokens.0.saturating_sub(over)).max(kept);
        if target >= shown.tokens {
            return;
        }
        let place = "the session's log: this message alone is larger than the window";
        let short = squeeze::shorten(user, target, place, &*self.memory.counter);
        let Some(short) = short else { return };
        let layer = self.memory.layer_of_turn();
        self.plan.layers.take(layer, shown.tokens);
        self.plan.layers.add(layer, short.tokens);
        self.plan.user = Some(short);
        self.step(ChangeKind::Shortened, Subject::Message, "your message", over, before);
    }

    /// Each message over `large` gives way as far as needed.
    fn shorten_messages(&self, log: &[Message], large: Tokens, place: &str) -> Vec<Message> {
        let mut over = self.over();
        let counter = &*self.memory.counter;
        let shorten = |message: &Message| {
            if over == 0 || message.tokens <= large {
                return message.clone();
            }
            let target = Tokens(message.tokens.0.saturating_sub(over).max(LEAST_PREVIEW));
            let Some(short) = squeeze::shorten(message, target, place, counter) else {
                return message.clone();
            };
            over = over.saturating_sub(message.tokens.0 - short.tokens.0);
            short
        };
        log.iter().map(shorten).collect()
    }

    fn squeeze_log(&mut self, at: usize, layer: Layer, least: u64, protected: usize) {
        let over = self.over();
        let now = squeeze::cost(&self.shown(at)).0;
        let target = now.saturating_sub(over).max(least);
        if over == 0 || now <= target {
            return;
        }
        let place = place_of(self.memory, at);
        let log = self.memory.efforts[at].log();
        let counter = &*self.memory.counter;
        let log = squeeze::squeeze(log, Tokens(target), protected, &place, counter);
        if squeeze::cost(&log).0 < now {
            self.show_log(at, layer, log, "the middle of its log is left out");
        }
    }

    fn hide_log(&mut self, at: usize, layer: Layer) {
        if self.shown(at).is_empty() {
            return;
        }
        self.show_log(at, layer, Vec::new(), "its log is left out");
        self.recount_lists();
    }

    fn show_log(&mut self, at: usize, layer: Layer, log: Vec<Message>, what: &str) {
        let (over, before) = (self.over(), self.plan.layers.total());
        self.plan.layers.take(layer, squeeze::cost(&self.shown(at)));
        self.plan.layers.add(layer, squeeze::cost(&log));
        let kind = if log.is_empty() { ChangeKind::LeftOut } else { ChangeKind::Shortened };
        self.plan.logs.insert(at, log);
        let subject = Subject::Effort(self.memory.efforts[at].id.clone());
        self.step(kind, subject, what, over, before);
    }

    fn show_ambient(&mut self, shown: Vec<Message>, what: &str, over: u64) {
        let before = self.plan.layers.total();
        if shown.len() == self.shown_ambient().len() && squeeze::cost(&shown).0 == 0 {
            return;
        }
        self.plan.layers.take(Layer::Ambient, squeeze::cost(&self.shown_ambient()));
        self.plan.layers.add(Layer::Ambient, squeeze::cost(&shown));
        self.plan.ambient = Some(shown);
        self.step(ChangeKind::Shortened, Subject::Ambient, what, over, before);
    }

    fn recount_lists(&mut self) {
        self.plan.recount_lists(self.memory);
    }

    fn shown(&self, at: usize) -> Vec<Message> {
        self.plan.logs.get(&at).map_or_else(|| self.memory.efforts[at].log().to_vec(), Vec::clone)
    }

    fn shown_ambient(&self) -> Vec<Message> {
        let all = || self.memory.ambient.tail().cloned().collect();
        self.plan.ambient.clone().unwrap_or_else(all)
    }

    fn step(&mut self, kind: ChangeKind, subject: Subject, what: &str, over: u64, before: Tokens) {
        let cause = format!("{what}, {over} tokens over the budget");
        let after = self.plan.layers.total();
        self.plan.steps.push(Step { kind, subject, cause, before, after });
    }
}

impl Plan {
    /// Counts the lists anew, with the lines around the memory block.
    fn recount_lists(&mut self, memory: &Memory) {
        let cost = memory.lists_tokens(self);
        self.layers.take(Layer::Lists, self.layers.of(Layer::Lists));
        self.layers.add(Layer::Lists, cost);
    }

    /// The lists of expanded and open efforts, as far as they are sent.
    pub(in crate::memory) fn lines(&self, memory: &Memory) -> Vec<String> {
        if self.unlisted { Vec::new() } else { memory.listing_lines(&self.logs) }
    }
}

pub(super) fn place_of(memory: &Memory, at: usize) -> String {
    format!("the log of effort {}", memory.efforts[at].id)
}
