//! The ceiling (design section 6): what leaves the window when it grows too large, and in which order.
//!
//! Two things hold it. At the end of a turn the least salient items leave for good, that is until
//! somebody mentions them ([`Memory::hold_lines`]). And every request is laid out by a [`Plan`], which
//! leaves out or shortens what does not fit beside a large message or tool exchange, for that request
//! alone. The raw logs stay whole and keep their true size.

mod middle;
mod plan;
mod preview;
mod rules;
mod salience;
mod squeeze;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

pub(super) use plan::{KEPT_EXCHANGES, Plan, Step};
pub use preview::sandwich;
pub use rules::{BudgetMode, RulesError};

use super::reference::Weighed;
use super::{
    Change, ChangeKind, EffortId, Memory, Message, Role, SlotsView, Subject, Tier, Tokens, Turn,
};

/// With more concluded efforts than this the number of items in the window is limited by itself.
const LARGE_SESSION: usize = 100;

/// A part of the budget (one in so many) that each long log keeps while others can be shortened.
const LARGE_FORM_PART: u64 = 8;

/// A log in shortened form gets at least this many tokens while others can give way.
const LEAST_LOG: u64 = 160;

/// A tide at the soft line is worth it when it takes one in so many of the tokens that stay behind it.
const EBB_PAYS: u64 = 4;

/// Items that the window of a large session holds at most.
const MOST_IN_LARGE: usize = 19;

/// With more concluded efforts than this they are fewer where what a message needs is recalled before it is answered: then
/// what was mentioned a while ago is worth less than its place, which is paid for anew with each message.
const MANY_WITH_RECALL: usize = 8;

/// How many these are. What a message needs is in the window as often with three as with five (`ebbtide proof recall`), and
/// how much stands there hangs less on how long the topics are (`ebbtide proof paper`).
const MOST_WITH_RECALL: usize = 3;

/// Why something is sent whole again.
const ROOM_AGAIN: &str = "there is room again";

impl Memory {
    /// Tokens that the tool exchange of a turn may cost at most beside a user message, so that the
    /// request can hold both: what exceeds it has to be shortened by whoever sends it.
    pub fn room_for_tools(&self, user_message: &str) -> Tokens {
        let user = self.counter.count(user_message);
        self.room_beside_frame().saturating_sub(self.kept_of_message(user))
    }

    /// What the limit leaves beside system prompt and tools.
    fn room_beside_frame(&self) -> Tokens {
        self.rules.limit().saturating_sub(self.frame_layers.total())
    }

    /// The tokens of a newest user message that no tool exchange takes from it: all, of one that leaves a quarter of the
    /// room.
    fn kept_of_message(&self, user: Tokens) -> Tokens {
        user.min(Tokens(self.room_beside_frame().0 / 4 * 3))
    }

    /// The user agrees: what waits at the soft line leaves now.
    pub fn let_leave(&mut self) -> Vec<Change> {
        let said = Arc::clone(&self.last_said);
        let (turn, message) = (self.current_turn(), self.index.weigh(&said));
        let changes = self.hold_soft_line(turn, &message, false);
        self.settled(changes)
    }

    /// The cache of the model is cold, so that nothing is lost with the front of the window: what a tide would take, and
    /// what would leave soon at the soft line, leaves now.
    pub fn leave_while_cold(&mut self) -> Vec<Change> {
        let cut = self.cut_logs();
        let mut changes: Vec<Change> = self.ebb_while_cold().into_iter().collect();
        if self.rules.budget_mode == BudgetMode::Auto {
            let said = Arc::clone(&self.last_said);
            let (turn, message) = (self.current_turn(), self.index.weigh(&said));
            changes.extend(self.hold_soft_line(turn, &message, true));
        }
        self.make_whole(&cut, &mut changes);
        self.settled(changes)
    }

    /// What it will be after that, for whoever looks at it before; of itself nothing leaves.
    #[must_use]
    pub fn left_while_cold(&self) -> Self {
        // What is evicted in a copy is put away by nobody.
        let mut copy = Self { shelf: None, ..self.clone() };
        copy.leave_while_cold();
        copy
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
        let (turn, message) = (self.current_turn(), self.index.weigh(&self.last_said));
        let mut waiting = self.over_slots(turn, &message);
        let over = self.whole_layers().total().saturating_sub(self.rules.soft_line());
        if over > Tokens(0) {
            let long = self.long_logs(LEAST_LOG, turn, &message).into_iter();
            waiting.extend(
                long.map(|at| (at, format!("a long log, {over} tokens over the soft line"))),
            );
            let goals = [self.rules.low_line(), self.rules.soft_line()];
            for (at, cause) in self.leaving(&goals, true, turn, &message) {
                if waiting.iter().all(|(other, _)| *other != at) {
                    waiting.push((at, cause));
                }
            }
        }
        waiting
    }

    /// Lets the lines of the budget take effect at the end of a turn, in which exchanges may have left already.
    pub(super) fn hold_lines(
        &mut self,
        said: &Arc<str>,
        message: &Weighed,
        tide: Option<Change>,
    ) -> Vec<Change> {
        self.last_said = Arc::clone(said);
        self.replan();
        let (turn, cut) = (self.current_turn(), self.cut_logs());
        let mut changes: Vec<Change> = tide.into_iter().collect();
        let is_auto = self.rules.budget_mode == BudgetMode::Auto;
        if is_auto {
            let is_free = self.over_low() > 0 && self.front_breaks_early();
            changes.extend(self.hold_soft_line(turn, message, is_free));
        }
        if self.whole_layers().total() > self.rules.limit() {
            let goals = [self.rules.limit()];
            let leaving = self.leaving(&goals, false, turn, message);
            for (at, cause) in &leaving {
                changes.extend(self.leave(*at, cause));
            }
            // What helped nothing while these were there may help now.
            if is_auto && !leaving.is_empty() {
                changes.extend(self.hold_soft_line(turn, message, false));
            }
        }
        if changes.iter().any(|change| change.kind == ChangeKind::Tide) {
            self.make_whole(&cut, &mut changes);
        }
        changes.extend(self.report_forms());
        self.settled(changes)
    }

    /// The rules have changed, and with them what fits: what is sent in another form from now on, or whole again.
    pub fn forms_changed(&mut self) -> Vec<Change> {
        let changes = self.report_forms();
        self.settled(changes)
    }

    /// The most summaries and expanded logs in the window: the slots, if they are limited; in a large
    /// session fewer than twenty in any case, because a lively talk mentions more in twenty turns than it
    /// is about.
    fn most_items(&self) -> usize {
        let usual = match self.rules.recall() {
            _ if self.rules.seeds => usize::MAX,
            Tokens(1..) if self.concluded > MANY_WITH_RECALL => MOST_WITH_RECALL,
            _ if self.concluded > LARGE_SESSION => MOST_IN_LARGE,
            _ => usize::MAX,
        };
        self.rules.slots.unwrap_or(usual)
    }

    /// Above the soft line things leave in one go, down to the low line, and only as far as that helps: the middles
    /// of long logs, ambient exchanges beyond those that stay (and of these as many as do not fit), expanded logs,
    /// summaries. Where that is free, because the front of the window is read anew in any case, they leave when half of
    /// the way to it is gone.
    fn hold_soft_line(&mut self, turn: Turn, message: &Weighed, is_free: bool) -> Vec<Change> {
        let mut changes = Vec::new();
        for (at, cause) in self.over_slots(turn, message) {
            changes.extend(self.send_away(at, &cause));
        }
        let (soft, low) = (self.rules.soft_line(), self.rules.low_line());
        let is_early = is_free && !self.rules.seeds;
        let (line, name) = if is_early {
            (Tokens(low.0.midpoint(soft.0)), "half of the way to the soft line")
        } else {
            (soft, "the soft line")
        };
        let over = self.whole_layers().total().saturating_sub(line);
        if over == Tokens(0) {
            return changes;
        }
        let large = self.rules.limit().0 / LARGE_FORM_PART;
        changes.extend(self.shorten_logs(large.max(LEAST_LOG), turn, message));
        let why = format!(", {over} tokens over {name}");
        if self.over_low() > 0 && (is_early || self.ebb_pays()) {
            changes.extend(self.ebb_for_room(&why));
        }
        changes.extend(self.shorten_logs((large / 2).max(LEAST_LOG), turn, message));
        // What would then be lost is more than the room for the next turns is worth.
        if self.whole_layers().total() > line {
            changes.extend(self.shorten_logs(LEAST_LOG, turn, message));
            changes.extend(self.leave_for_soft_line(&why, turn, message));
        }
        changes
    }

    /// What leaves when long logs are as short as they may be: ambient exchanges, then expanded logs and summaries.
    fn leave_for_soft_line(&mut self, why: &str, turn: Turn, message: &Weighed) -> Vec<Change> {
        let goals = [self.rules.low_line(), self.rules.soft_line()];
        let leaving = |memory: &Self| memory.leaving(&goals, true, turn, message);
        let mut changes = Vec::new();
        if self.whole_layers().total() > goals[1] || !leaving(self).is_empty() {
            changes.extend(self.ebb_for_room(why));
        }
        for (at, cause) in leaving(self) {
            changes.extend(self.leave(at, &cause));
        }
        changes
    }

    /// Whether the exchanges that a tide would take are worth reading all behind them anew.
    fn ebb_pays(&self) -> bool {
        let (leaving, all) = (self.leaving_for_room_tokens(), self.whole_layers().total());
        let behind = all.saturating_sub(self.frame_layers.total() + leaving);
        leaving.0.saturating_mul(EBB_PAYS) >= behind.0
    }

    /// Tokens over the low line.
    fn over_low(&self) -> u64 {
        self.whole_layers().total().saturating_sub(self.rules.low_line()).0
    }

    /// Items beyond the most that the window may hold, least salient first.
    fn over_slots(&self, turn: Turn, message: &Weighed) -> Vec<(usize, String)> {
        let most = self.most_items();
        if self.warm.len() + self.expanded.len() <= most {
            return Vec::new();
        }
        let surplus = self.slots_taken().saturating_sub(most);
        let ranked = self.in_slots(turn, message).into_iter().take(surplus);
        let cause = |salience| format!("least salient ({salience:.2}), more than {most} items");
        ranked.map(|(salience, at)| (at, cause(salience))).collect()
    }

    /// What may leave the slots, with its salience, in the order in which it leaves: summaries first. Whoever expands a log
    /// asks for it, and a long one would be the least salient of all before it was sent once.
    fn in_slots(&self, turn: Turn, message: &Weighed) -> Vec<(f64, usize)> {
        let mut ranked = self.by_salience(self.unpinned(), turn, message);
        ranked.sort_by_key(|(_, at)| self.efforts[*at].expanded_at().is_some());
        ranked
    }

    /// The summaries and expanded logs in the window that are not pinned.
    fn unpinned(&self) -> impl Iterator<Item = usize> {
        let items = self.warm.iter().chain(&self.expanded).copied();
        items.filter(|&at| !self.efforts[at].pinned)
    }

    /// How many summaries and expanded logs in the window are pinned, and the tokens that they would free.
    fn pinned(&self) -> (usize, Tokens) {
        let items = self.warm.iter().chain(&self.expanded).copied();
        let pinned: Vec<usize> = items.filter(|&at| self.efforts[at].pinned).collect();
        (pinned.len(), pinned.iter().map(|&at| self.freed_by(at)).sum())
    }

    /// What a person pinned takes the place of nothing else, unless the places are what that person counted.
    fn slots_taken(&self) -> usize {
        match self.rules.slots {
            Some(_) => self.warm.len() + self.expanded.len(),
            None => self.unpinned().count(),
        }
    }

    /// How full the slots are, and what leaves when one more item comes in; `None` where their number is not limited.
    pub(super) fn slots_view(&self) -> Option<SlotsView> {
        let (most, taken) = (self.most_items(), self.slots_taken());
        if most == usize::MAX {
            return None;
        }
        let mut next = None;
        if taken >= most {
            let message = self.index.weigh(&self.last_said);
            let ranked = self.in_slots(self.current_turn(), &message);
            next = ranked.first().map(|(_, at)| self.efforts[*at].id.clone());
        }
        Some(SlotsView { taken, most, next })
    }

    /// The expanded logs, then the summaries, that leave so that the window comes down to the first of the goals that
    /// can be reached, least salient first; none if that helps nothing. Pinned ones stay, and with `unmentioned` those
    /// that the turn under way mentions.
    fn leaving(
        &self,
        goals: &[Tokens],
        unmentioned: bool,
        turn: Turn,
        message: &Weighed,
    ) -> Vec<(usize, String)> {
        let total = self.whole_layers().total();
        let is_free = |at: &usize| self.is_free(*at, unmentioned, turn);
        let expanded = self.expanded.iter().copied().filter(is_free);
        let mut ranked = self.by_salience(expanded, turn, message);
        let warm = self.warm.iter().copied().filter(is_free);
        ranked.extend(self.by_salience(warm, turn, message));
        let all: Tokens = ranked.iter().map(|(_, at)| self.freed_by(*at)).sum();
        let reached = |goal: &&Tokens| total.saturating_sub(all) <= **goal && total > **goal;
        // Whoever is asked decides what helps.
        let asked = self.rules.budget_mode == BudgetMode::Ask;
        let last = goals.last().filter(|_| asked);
        let Some(goal) = goals.iter().find(reached).or(last) else { return Vec::new() };
        let mut over = total.saturating_sub(*goal).0;
        let line = match *goal {
            goal if goal == self.rules.low_line() => "the low line",
            goal if goal == self.rules.soft_line() => "the soft line",
            _ => "the budget",
        };
        let mut leaving = Vec::new();
        for (salience, at) in ranked {
            if over == 0 {
                break;
            }
            let cause = format!("least salient ({salience:.2}), {over} tokens over {line}");
            over = over.saturating_sub(self.freed_by(at).0);
            leaving.push((at, cause));
        }
        leaving
    }

    /// Whether an item may leave, and that frees something.
    fn is_free(&self, at: usize, unmentioned: bool, turn: Turn) -> bool {
        let effort = &self.efforts[at];
        let is_spared = || {
            let is_over = self.whole_layers().total() > self.rules.soft_line();
            self.is_new(at, turn) && !is_over
        };
        let recent = unmentioned && (turn.since(effort.last_referenced) == 0 || is_spared());
        !effort.pinned && !recent && self.freed_by(at) > Tokens(0)
    }

    /// What the window loses if all leaves that may leave at the soft line, exchanges besides.
    pub(super) fn free_tokens(&self) -> Tokens {
        let (turn, items) = (self.current_turn(), self.expanded.iter().chain(&self.warm));
        let free = items.filter(|&&at| self.is_free(at, true, turn));
        free.map(|&at| self.freed_by(at)).sum()
    }

    /// Tokens that the window loses when an item leaves: a log leaves its summary there.
    fn freed_by(&self, at: usize) -> Tokens {
        let effort = &self.efforts[at];
        let line = effort.line_tokens.unwrap_or_default();
        match effort.log.expanded_at {
            Some(_) => effort.log_tokens().saturating_sub(line),
            None => line,
        }
    }

    /// Sends an item down one tier: a log leaves its summary in the window.
    fn leave(&mut self, at: usize, cause: &str) -> Vec<Change> {
        if self.tier_at(at) == Tier::Expanded {
            vec![self.collapse_for_room(at, cause)]
        } else {
            self.send_away(at, cause)
        }
    }

    fn collapse_for_room(&mut self, at: usize, cause: &str) -> Change {
        self.metrics.budget_collapses += 1;
        self.noting(at, ChangeKind::EffortAutoCollapsed, cause, |memory| {
            memory.stop_expansion(at);
        })
    }

    /// Sends an item down to the manifest: a log collapses first, then its summary leaves too.
    fn send_away(&mut self, at: usize, cause: &str) -> Vec<Change> {
        let mut changes = Vec::with_capacity(2);
        if self.tier_at(at) == Tier::Expanded {
            changes.push(self.collapse_for_room(at, cause));
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
        let (before, was) = (self.whole_layers().total(), self.was(at));
        act(self);
        let after = self.whole_layers().total();
        let subject = Subject::Effort(self.efforts[at].id.clone());
        let turn = self.current_turn();
        Change::new(turn, kind, subject, cause, (before, after)).with_was(Some(was))
    }

    /// Says what is sent in another form from now on, and what is sent whole again.
    fn report_forms(&mut self) -> Vec<Change> {
        let steps = self.resting().steps.clone();
        let now: BTreeSet<OtherForm> = steps.iter().map(plan::Step::form).collect();
        let then = std::mem::replace(&mut self.in_other_form, now);
        let turn = self.current_turn();
        let mut changes: Vec<Change> = steps
            .into_iter()
            .filter(|step| !then.contains(&step.form()))
            .map(|step| step.into_change(turn))
            .collect();
        let total = self.layers().total();
        let is_shown =
            |subject: &Subject| !self.in_other_form.iter().any(|(_, other, _)| other == subject);
        let whole: BTreeSet<Subject> =
            then.into_iter().map(|(_, subject, _)| subject).filter(is_shown).collect();
        changes.extend(whole.into_iter().map(|subject| {
            Change::new(turn, ChangeKind::WholeAgain, subject, ROOM_AGAIN, (total, total))
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

/// What gave way and how, and for the exchanges outside any effort how much: others of them do with each turn.
pub(super) type OtherForm = (ChangeKind, Subject, String);

impl plan::Step {
    /// What is told once, for as long as it is so.
    fn form(&self) -> OtherForm {
        let is_ambient = self.subject == Subject::Ambient;
        let how = if is_ambient { self.cause.clone() } else { String::new() };
        (self.kind, self.subject.clone(), how)
    }

    /// The step as a change of a turn.
    pub(super) fn into_change(self, turn: Turn) -> Change {
        let Self { kind, subject, cause, before, after } = self;
        Change::new(turn, kind, subject, cause, (before, after))
    }
}
