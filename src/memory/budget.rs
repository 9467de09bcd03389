//! The ceiling (design section 6): what leaves the window when it grows too large, and in which order.
//!
//! Two things hold it. At the end of a turn the least salient items leave for good, that is until
//! somebody mentions them ([`Memory::hold_lines`]). And every request is laid out by a [`Plan`], which
//! leaves out or shortens what does not fit beside a large message or tool exchange, for that request
//! alone. The raw logs stay whole and keep their true size.

mod plan;
mod preview;
mod rules;
mod salience;
mod squeeze;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

pub(super) use plan::{Plan, Step};
pub use preview::sandwich;
pub use rules::{BudgetMode, RulesError};
pub(in crate::memory) use squeeze::grouped;

use super::reference::Weighed;
use super::{Change, ChangeKind, EffortId, Memory, Message, Role, Subject, Tier, Tokens, Turn};

/// From this many concluded efforts on the number of items in the window is limited by itself.
const LARGE_SESSION: usize = 100;

/// Items that the window of a large session holds at most.
const MOST_IN_LARGE: usize = 19;

impl Memory {
    /// Tokens that the tool exchange of a turn may cost at most beside a user message, so that the
    /// request can hold both: what exceeds it has to be shortened by whoever sends it.
    pub fn room_for_tools(&self, user_message: &str) -> Tokens {
        let room = self.rules.limit().saturating_sub(self.frame_layers.total());
        let user = self.counter.count(user_message).0.min(room.0 / 4);
        Tokens(room.0 - user)
    }

    /// The user agrees: what waits at the soft line leaves now.
    pub fn let_leave(&mut self) -> Vec<Change> {
        let waiting = self.waiting_to_leave();
        let changes = waiting.into_iter().flat_map(|(at, cause)| self.send_away(at, &cause));
        let changes = changes.collect();
        self.settled(changes)
    }

    /// What waits for the user's consent in mode `ask`, least salient first.
    pub fn waiting_for_consent(&self) -> Vec<EffortId> {
        if self.rules.budget_mode != BudgetMode::Ask {
            return Vec::new();
        }
        let waiting = self.waiting_to_leave().into_iter();
        waiting.map(|(at, _)| self.efforts[at].id.clone()).collect()
    }

    /// What the soft line and the slots ask to leave, least salient first.
    fn waiting_to_leave(&self) -> Vec<(usize, String)> {
        let message = self.index.weigh(&self.last_said);
        self.over_soft_line(self.current_turn(), &message)
    }

    /// Lets the lines of the budget take effect at the end of a turn.
    pub(super) fn hold_lines(&mut self, said: &Arc<str>) -> Vec<Change> {
        self.last_said = Arc::clone(said);
        self.replan();
        let turn = self.current_turn();
        let message = self.index.weigh(said);
        let mut changes = Vec::new();
        if self.rules.budget_mode == BudgetMode::Auto {
            for (at, cause) in self.over_soft_line(turn, &message) {
                changes.extend(self.send_away(at, &cause));
            }
        }
        changes.extend(self.hold_hard_line(turn, &message));
        changes.extend(self.report_forms());
        self.settled(changes)
    }

    /// The most summaries and expanded logs in the window: the slots, if they are limited; in a large
    /// session fewer than twenty in any case, because a lively talk mentions more in twenty turns than it
    /// is about.
    fn most_items(&self) -> usize {
        let is_large = self.concluded > LARGE_SESSION && !self.rules.seeds;
        let usual = if is_large { MOST_IN_LARGE } else { usize::MAX };
        self.rules.slots.unwrap_or(usual)
    }

    /// Items that leave at the soft line: neither pinned nor mentioned in the turn under way.
    fn over_soft_line(&self, turn: Turn, message: &Weighed) -> Vec<(usize, String)> {
        let mut over = self.whole_layers().total().saturating_sub(self.rules.soft_line()).0;
        let held = self.warm.len() + self.expanded.len();
        let most = self.most_items();
        let mut surplus = held.saturating_sub(most);
        if over == 0 && surplus == 0 {
            return Vec::new();
        }
        let free = |at: &usize| {
            let effort = &self.efforts[*at];
            !effort.pinned && (surplus > 0 || turn.since(effort.last_referenced) > 0)
        };
        let items = self.warm.values().chain(&self.expanded).copied().filter(free);
        let mut leaving = Vec::new();
        for (salience, at) in self.by_salience(items, turn, message) {
            let cause = if surplus > 0 {
                format!("least salient ({salience:.2}), more than {most} items")
            } else if over > 0 && turn.since(self.efforts[at].last_referenced) > 0 {
                format!("least salient ({salience:.2}), {over} tokens over the soft line")
            } else {
                continue;
            };
            surplus = surplus.saturating_sub(1);
            over = over.saturating_sub(self.freed_by(at).0);
            leaving.push((at, cause));
        }
        leaving
    }

    /// Summaries, then expanded logs, until the window fits or none are left to leave.
    fn hold_hard_line(&mut self, turn: Turn, message: &Weighed) -> Vec<Change> {
        let limit = self.rules.limit();
        let mut over = self.whole_layers().total().saturating_sub(limit).0;
        let mut changes = Vec::new();
        for efforts in [self.warm.values().copied().collect::<Vec<_>>(), self.expanded.clone()] {
            if over == 0 {
                break;
            }
            let free = efforts.into_iter().filter(|&at| !self.efforts[at].pinned);
            for (salience, at) in self.by_salience(free, turn, message) {
                if over == 0 {
                    break;
                }
                let cause = format!("least salient ({salience:.2}), {over} tokens over the budget");
                changes.extend(self.send_away(at, &cause));
                over = self.whole_layers().total().saturating_sub(limit).0;
            }
        }
        changes
    }

    /// Tokens that the window loses when an item leaves.
    fn freed_by(&self, at: usize) -> Tokens {
        let effort = &self.efforts[at];
        match effort.expanded_at {
            Some(_) => effort.raw_tokens.unwrap_or_default(),
            None => effort.line_tokens.unwrap_or_default(),
        }
    }

    /// Sends an item down to the manifest: a log collapses first, then its summary leaves too.
    fn send_away(&mut self, at: usize, cause: &str) -> Vec<Change> {
        let mut changes = Vec::with_capacity(2);
        if self.tier_at(at) == Tier::Expanded {
            self.metrics.budget_collapses += 1;
            let kind = ChangeKind::EffortAutoCollapsed;
            changes.push(self.noting(at, kind, cause, |memory| {
                memory.stop_expansion(at);
            }));
        }
        changes.push(self.noting(at, ChangeKind::SummaryEvicted, cause, |memory| {
            memory.cool_down(at);
            memory.list_evicted(at);
        }));
        changes
    }

    /// A change, with the cost of the window sent whole: working out its forms for each of many
    /// changes would be wasted, only the last of them is settled.
    fn noting(
        &mut self,
        at: usize,
        kind: ChangeKind,
        cause: &str,
        act: impl FnOnce(&mut Self),
    ) -> Change {
        let (before, was) = (self.whole_layers().total(), Some(Box::new(self.was(at))));
        act(self);
        let after = self.whole_layers().total();
        let subject = Subject::Effort(self.efforts[at].id.clone());
        let turn = self.current_turn();
        Change { turn, kind, subject, cause: cause.to_owned(), before, after, note: None, was }
    }

    /// Says what is sent in another form from now on, and what is sent whole again.
    fn report_forms(&mut self) -> Vec<Change> {
        let steps = self.resting().steps.clone();
        let now: BTreeSet<(ChangeKind, Subject)> =
            steps.iter().map(|step| (step.kind, step.subject.clone())).collect();
        let then = std::mem::replace(&mut self.in_other_form, now);
        let turn = self.current_turn();
        let mut changes: Vec<Change> = steps
            .into_iter()
            .filter(|step| !then.contains(&(step.kind, step.subject.clone())))
            .map(|step| step.into_change(turn))
            .collect();
        let total = self.layers().total();
        let is_shown =
            |subject: &Subject| !self.in_other_form.iter().any(|(_, other)| other == subject);
        let whole: BTreeSet<Subject> =
            then.into_iter().map(|(_, subject)| subject).filter(is_shown).collect();
        changes.extend(whole.into_iter().map(|subject| Change {
            turn,
            kind: ChangeKind::WholeAgain,
            subject,
            cause: "there is room again".into(),
            before: total,
            after: total,
            note: None,
            was: None,
        }));
        changes
    }

    /// The last of several changes carries what the window costs in the end.
    fn settled(&self, mut changes: Vec<Change>) -> Vec<Change> {
        if let Some(last) = changes.last_mut() {
            last.after = self.layers().total();
        }
        changes
    }

    /// The forms of the window as it rests between turns; worked out once after each change.
    pub(super) fn resting(&self) -> &Plan {
        self.plan.get_or_init(|| self.plan(None, Tokens(0)))
    }

    /// Something in the window changed.
    pub(super) fn replan(&mut self) {
        self.plan = OnceLock::new();
        self.riding = OnceLock::new();
    }

    /// The user's message of the turn that is about to be sent.
    pub(super) fn new_message(&self, text: &str) -> Message {
        self.message(Role::User, text.into())
    }
}

impl plan::Step {
    /// The step as a change of a turn.
    pub(super) fn into_change(self, turn: Turn) -> Change {
        let Self { kind, subject, cause, before, after } = self;
        Change { turn, kind, subject, cause, before, after, note: None, was: None }
    }
}
