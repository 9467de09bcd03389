//! The end of a turn: the exchange joins its log, then references, decay and eviction run
//! (slices 3 and 4). Only a turn that ended well gets here, so a failure ages nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::reference::Weighed;
use super::{
    Anchor, Change, ChangeKind, EffortId, Memory, Message, NoteId, Role, Status, Tokens, Turn,
};
use crate::counted::noun;

/// Exchanges before the newest message that the budget leaves alone.
const RECENT_EXCHANGES: usize = 2;

/// What was said in a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    /// The user's message.
    pub user: Arc<str>,
    /// The model's final reply.
    pub assistant: Arc<str>,
}

/// A counted turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ended {
    /// Its number.
    pub turn: Turn,
    /// The effort whose log holds the exchange; `None` for ambient.
    pub log: Option<EffortId>,
    /// What memory did afterwards.
    pub changes: Vec<Change>,
    /// The notes that were used, by number.
    pub used_notes: Vec<NoteId>,
}

/// What a turn has done so far that says where its exchange belongs.
#[derive(Debug, Clone, Default)]
pub(super) struct UnderWay {
    /// The effort that was concluded.
    pub(super) closed: Option<usize>,
    /// The expanded logs that stood in its log, and where.
    pub(super) lifted: Vec<(usize, Anchor)>,
    /// The effort that was opened, reopened or switched to.
    pub(super) begun: Option<usize>,
    /// The exchange belongs to no effort.
    aside: bool,
}

impl Memory {
    /// A turn begins: from now on commands belong to it.
    pub fn begin_turn(&mut self) -> Turn {
        self.under_way = Some(UnderWay::default());
        self.recall(Vec::new(), "");
        self.front_sent = self.front();
        for &at in self.open.iter().chain(&self.expanded) {
            self.efforts[at].form_is_sent();
        }
        self.current_turn()
    }

    /// The turn failed or was cancelled: it does not count. What a tool already did stays.
    pub fn abandon_turn(&mut self) {
        self.under_way = None;
    }

    /// The exchange of the turn under way is small talk: it belongs to no effort, whichever is open or concluded in it.
    pub fn set_aside(&mut self) {
        self.in_turn(|turn| turn.aside = true);
    }

    /// The log that the exchange of the turn under way belongs to: the effort that was closed in it, unless another one
    /// was begun in it, which goes on from there; else the active one, else ambient (`None`), where small talk goes.
    pub fn log_of_turn(&self) -> Option<&EffortId> {
        self.target().map(|at| &self.efforts[at].id)
    }

    /// The messages of the last exchange, as far as its log is in the window.
    pub fn last_exchange(&self) -> Vec<&Message> {
        /// Messages of an exchange.
        const EACH: usize = 2;
        if let Some(Some(at)) = self.recent_logs.back() {
            let raw = &self.efforts[*at].log.raw;
            return raw[raw.len().saturating_sub(EACH)..].iter().collect();
        }
        let earlier = self.ambient.tail_len().saturating_sub(EACH);
        self.ambient.tail().skip(earlier).collect()
    }

    /// The turn ended well: logs the exchange and lets references, decay, eviction and the soft line
    /// take effect.
    pub fn end_turn(&mut self, exchange: &Exchange) -> Ended {
        let target = self.target();
        self.log_exchange(target, exchange);
        self.recent_logs.push_back(target);
        if self.recent_logs.len() > RECENT_EXCHANGES {
            self.recent_logs.pop_front();
        }
        let turn = Turn(self.turn.0 + 1);
        let messages = [&exchange.user, &exchange.assistant];
        let weighed = messages.map(|text| self.index.weigh(text));
        let mut changes = self.take_references(messages, &weighed);
        changes.extend(self.decay_expansions());
        changes.extend(self.evict_forgotten());
        let tide = self.tide();
        changes.extend(self.hold_lines(&exchange.user, &weighed[0], tide));
        self.turn = turn;
        self.under_way = None;
        self.auto_collapsed.retain(|&(_, when)| turn.since(when) <= 2);
        let log = target.map(|at| self.efforts[at].id.clone());
        Ended { turn, log, changes, used_notes: self.take_used_notes() }
    }

    fn target(&self) -> Option<usize> {
        if self.is_aside() {
            return None;
        }
        let closed = self.under_way.as_ref().and_then(|turn| turn.closed);
        self.begun_in_turn().or(closed).or_else(|| self.open.last().copied())
    }

    /// The effort that the turn under way turned to, as long as it is the active one. Small talk turns to none.
    pub(super) fn begun_in_turn(&self) -> Option<usize> {
        let begun = self.under_way.as_ref()?.begun;
        begun.filter(|at| !self.is_aside() && self.open.last() == Some(at))
    }

    pub(super) fn is_aside(&self) -> bool {
        self.under_way.as_ref().is_some_and(|turn| turn.aside)
    }

    /// Notes something of the turn under way, if there is one.
    pub(super) fn in_turn(&mut self, note: impl FnOnce(&mut UnderWay)) {
        if let Some(turn) = &mut self.under_way {
            note(turn);
        }
    }

    fn log_exchange(&mut self, target: Option<usize>, exchange: &Exchange) {
        let messages: Vec<Message> = [
            self.message(Role::User, Arc::clone(&exchange.user)),
            self.message(Role::Assistant, Arc::clone(&exchange.assistant)),
        ]
        .into();
        self.replan();
        for &at in &self.expanded {
            let anchor = &mut self.efforts[at].log.anchor;
            anchor.later += if anchor.log == target { messages.len() } else { 0 };
        }
        let Some(at) = target else {
            self.order.extend(None, messages.len());
            self.ambient.extend(messages);
            return;
        };
        let tokens: Tokens = messages.iter().map(|message| message.tokens).sum();
        let turn = self.current_turn();
        let holds_log = self.tier_at(at).holds_log();
        let effort = &mut self.efforts[at];
        effort.raw_messages += messages.len() as u64;
        if effort.last_used < turn {
            (effort.last_used, effort.nth_used) = (turn, 0);
        }
        self.effort_log_messages += messages.len() as u64;
        if let Some(total) = &mut effort.raw_tokens {
            *total += tokens;
            self.effort_log_tokens += tokens;
        }
        let count = messages.len();
        if holds_log {
            effort.log.compressed.extend(&messages);
            effort.log.raw.extend(messages);
        }
        // An expanded log stands at its anchor, and not among what is open as well.
        if effort.status == Status::Open {
            self.order.extend(Some(at), count);
        } else {
            self.stand_before_end(at, count);
        }
    }

    /// The logs that were expanded behind one in the turn that it was concluded and expanded in stand before the messages
    /// that it gains at the end of that turn: they were sent before these.
    fn stand_before_end(&mut self, log: usize, gained: usize) {
        let anchor = self.efforts[log].log.anchor;
        let behind = self.expanded.iter().skip_while(|at| **at != log).skip(1);
        let there: Vec<usize> =
            behind.copied().filter(|&at| self.efforts[at].log.anchor == anchor).collect();
        for at in there {
            self.efforts[at].log.anchor = Anchor { log: Some(log), later: gained };
        }
    }

    /// Both messages refresh what they refer to; each is checked for itself.
    fn take_references(&mut self, messages: [&Arc<str>; 2], weighed: &[Weighed; 2]) -> Vec<Change> {
        let turn = self.current_turn();
        let mut changes = Vec::new();
        // A note that both mention was mentioned in one turn.
        let mentioned = messages.map(|text| self.mentioned_notes(text));
        self.count_mentions(mentioned.into_iter().flatten().collect::<BTreeSet<NoteId>>());
        for (text, weighed) in messages.into_iter().zip(weighed) {
            for reference in self.index.references(text, weighed, &self.rules, &self.efforts) {
                changes.extend(self.mention(reference.at, turn, &reference.cause));
            }
        }
        for (at, cause) in self.recalled_mentions() {
            changes.extend(self.mention(at, turn, &cause));
        }
        changes
    }

    fn decay_expansions(&mut self) -> Vec<Change> {
        let turn = self.current_turn();
        let threshold = self.rules.decay_threshold;
        let faded: Vec<(usize, u64)> = self
            .expanded
            .iter()
            .filter(|&&at| !self.efforts[at].pinned)
            .map(|&at| (at, turn.since(self.efforts[at].last_referenced)))
            .filter(|&(_, age)| age >= threshold)
            .collect();
        faded.into_iter().map(|(at, age)| self.auto_collapse(at, age)).collect()
    }

    fn auto_collapse(&mut self, at: usize, age: u64) -> Change {
        let turn = self.current_turn();
        self.metrics.auto_collapses += 1;
        self.metrics.tokens_saved_by_decay += self.efforts[at].raw_tokens.unwrap_or_default().0;
        self.auto_collapsed.push((at, turn));
        let cause = format!("inactive for {age} {}", noun(age, "turn"));
        self.end_expansion(at, ChangeKind::EffortAutoCollapsed, cause)
    }

    fn evict_forgotten(&mut self) -> Vec<Change> {
        let turn = self.current_turn();
        let threshold = self.rules.summary_eviction_threshold;
        let forgotten: Vec<(Turn, usize)> = self
            .expiry
            .iter()
            .take_while(|(last, _)| turn.since(*last) >= threshold)
            .copied()
            .collect();
        forgotten
            .into_iter()
            .map(|(last, at)| {
                let age = turn.since(last);
                self.evict(at, format!("not mentioned for {age} {}", noun(age, "turn")))
            })
            .collect()
    }
}
