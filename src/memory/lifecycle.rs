//! Opening, concluding, expanding, collapsing, switching and reopening efforts.

use std::sync::Arc;

use super::compression::CompressedLog;
use super::effort::Log;
use super::{
    ASKED_FOR, Anchor, Change, ChangeKind, Effort, EffortId, Memory, Message, Rejected, Role,
    Status, Tier, Tokens,
};
use crate::lines::one_line;
use crate::memory::tight;

/// Below this many tokens a log needs no summary: it may stand for itself (design section 3).
const STANDS_FOR_ITSELF: u64 = 100;

/// Up to so many tokens no summary is worth a request: two sentences have as many, and the request reads the whole chat.
const NEEDS_NO_SUMMARY: u64 = 40;

/// Why an effort counts as mentioned whose log was put into the window, and one that was reopened.
pub(super) const EXPANDED: &str = "expanded";
pub(super) const REOPENED: &str = "reopened";

/// What is to be summarised when an effort is concluded: its raw log, never an older summary of all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CloseSource {
    /// The effort.
    pub id: EffortId,
    /// Its raw log and, in the middle of a turn, the user's message that brought the end.
    pub messages: Vec<Message>,
    /// Their cost.
    pub tokens: Tokens,
    /// The last of them is of the turn under way: whose log it joins is known when that has ended.
    pub holds_newest: bool,
}

impl CloseSource {
    /// Whether the log is so short that it may stand for itself when no smaller summary is found.
    pub fn may_stand_for_itself(&self) -> bool {
        self.tokens.0 < STANDS_FOR_ITSELF
    }

    /// Whether the log is so short that nobody needs to be asked for a summary.
    pub fn needs_no_summary(&self) -> bool {
        self.tokens.0 <= NEEDS_NO_SUMMARY
    }

    /// Whether a summary is the log itself, which is short enough for that.
    pub fn is_itself(&self, summary: &str) -> bool {
        self.may_stand_for_itself() && summary == self.text()
    }

    /// The log as one line of text. Who said what is not told: with that it would be longer than the log.
    pub fn text(&self) -> String {
        let said = self.messages.iter().map(|message| one_line(&message.content));
        said.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

impl Memory {
    /// Starts an effort and makes it the active one.
    ///
    /// # Errors
    /// Rejects an unusable name and an id that exists; the text names the way out.
    pub fn open(&mut self, name: &str) -> Result<Change, Rejected> {
        if let Some(at) = self.find(name) {
            let id = self.efforts[at].id.clone();
            return Err(match self.efforts[at].status {
                Status::Open => Rejected::AlreadyOpen(id),
                Status::Concluded => Rejected::AlreadyConcluded(id),
            });
        }
        let id = EffortId::from_name(name)?;
        let before = self.before_new();
        let at = self.efforts.len();
        let effort = Effort::opened(id.clone(), self.current_turn());
        tight::push(&mut self.efforts, effort);
        self.by_id.insert(id, at);
        self.turn_to(at);
        self.order.enter(at);
        self.replan();
        Ok(self.change(at, ChangeKind::EffortOpened, ASKED_FOR.into(), before))
    }

    fn turn_to(&mut self, at: usize) {
        let turn = self.current_turn();
        let efforts = self.open.iter().map(|&open| &self.efforts[open]);
        let before =
            efforts.filter(|effort| effort.last_used == turn).map(|effort| effort.nth_used);
        let nth = before.max().map_or(0, |last| last + 1);
        let effort = &mut self.efforts[at];
        (effort.last_used, effort.nth_used) = (turn, nth);
        self.open.push(at);
        self.in_turn(|turn| turn.begun = Some(at));
    }

    /// Gathers what has to be summarised to conclude an effort: the named one or the active one.
    /// `user_message` is the message of the turn under way, which will join the log or tells of the conclusion; not where
    /// the turn has turned to another effort already.
    ///
    /// # Errors
    /// Rejects when nothing is open, the id is unknown, or the effort is concluded already.
    pub fn close_source(
        &self,
        id: Option<&str>,
        user_message: Option<&str>,
    ) -> Result<CloseSource, Rejected> {
        let at = self.open_at(id)?;
        let effort = &self.efforts[at];
        let mut messages = effort.log.raw.clone();
        let begins = self.begun_in_turn().is_some_and(|begun| begun != at);
        let is_elsewhere = begins || self.is_aside();
        let joins = user_message.filter(|_| !is_elsewhere);
        messages.extend(joins.map(|text| self.message(Role::User, text.into())));
        let tokens = messages.iter().map(|message| message.tokens).sum();
        Ok(CloseSource { id: effort.id.clone(), messages, tokens, holds_newest: joins.is_some() })
    }

    /// Concludes an effort: its summary takes the place of its raw log in the window.
    ///
    /// # Errors
    /// Rejects a summary that is empty or costs no less than its source, unless the source is so short
    /// that it may stand for itself. The effort stays open then.
    pub fn conclude(&mut self, source: &CloseSource, summary: &str) -> Result<Change, Rejected> {
        let at = self.resolve(source.id.as_str())?;
        let summary = one_line(summary);
        let cost = self.counter.count(&summary);
        if !source.is_itself(&summary) && (summary.is_empty() || cost >= source.tokens) {
            let id = source.id.clone();
            return Err(Rejected::SummaryNotSmaller {
                id,
                summary: cost,
                source_tokens: source.tokens,
            });
        }
        if self.efforts[at].status != Status::Open {
            return Err(Rejected::NotOpen(source.id.clone()));
        }
        Ok(self.settle(at, summary.into()))
    }

    /// A summary takes the place of an open log.
    pub(super) fn settle(&mut self, at: usize, summary: Arc<str>) -> Change {
        let before = self.before(at);
        let turn = self.current_turn();
        self.open.retain(|&open| open != at);
        let lifted = self.leave_order(at);
        self.replan();
        self.index.insert(at, self.efforts[at].id.clone().as_str(), &summary);
        if &*self.last_cause != "concluded" {
            self.last_cause = "concluded".into();
        }
        let effort = &mut self.efforts[at];
        effort.status = Status::Concluded;
        effort.summary = Some(summary.into());
        (effort.raw_messages, effort.raw_tokens) = effort.said();
        effort.log = Log::default();
        effort.line_tokens = None;
        (effort.last_referenced, effort.last_used, effort.nth_used) = (turn, turn, 0);
        effort.cause = Arc::clone(&self.last_cause);
        self.concluded += 1;
        self.in_turn(|turn| (turn.closed, turn.lifted) = (Some(at), lifted));
        self.warm_up(at);
        self.change(at, ChangeKind::EffortConcluded, ASKED_FOR.into(), before)
    }

    /// Puts a concluded effort's raw log into the window for a while.
    ///
    /// # Errors
    /// Rejects an unknown or open effort and one that is expanded already.
    pub fn expand(&mut self, id: &str, raw: Vec<(Role, Arc<str>)>) -> Result<Change, Rejected> {
        let at = self.expandable(id)?;
        let before = self.before(at);
        self.cool_down(at);
        self.load_raw(at, raw);
        let turn = self.current_turn();
        let effort = &mut self.efforts[at];
        effort.log.expanded_at = Some(turn);
        effort.log.anchor = Anchor { log: self.order.end(), later: 0 };
        effort.last_referenced = turn;
        effort.cause = EXPANDED.into();
        self.expanded.push(at);
        self.put_back(at);
        self.replan();
        self.evicted.retain(|&gone| gone != at);
        self.note_false_decay(at);
        let cause = self.fit_expanded(at);
        Ok(self.change(at, ChangeKind::EffortExpanded, cause, before))
    }

    /// Whether an effort could be expanded now, so that its log is read only when it can be used.
    ///
    /// # Errors
    /// As [`Memory::expand`].
    pub fn check_expandable(&self, id: &str) -> Result<EffortId, Rejected> {
        self.expandable(id).map(|at| self.efforts[at].id.clone())
    }

    /// Sends an expanded raw log out of the window; its summary takes its place again.
    ///
    /// # Errors
    /// Rejects an unknown effort and one that is not expanded.
    pub fn collapse(&mut self, id: &str) -> Result<Change, Rejected> {
        let at = self.resolve(id)?;
        if self.tier_at(at) != Tier::Expanded {
            return Err(Rejected::NotExpanded(self.efforts[at].id.clone()));
        }
        self.metrics.manual_collapses += 1;
        Ok(self.end_expansion(at, ChangeKind::EffortCollapsed, ASKED_FOR.into()))
    }

    /// Makes an open effort the active one.
    ///
    /// # Errors
    /// Rejects an unknown or concluded effort and the one that is active already.
    pub fn switch(&mut self, id: &str) -> Result<Change, Rejected> {
        let at = self.resolve(id)?;
        let effort = &self.efforts[at];
        if effort.status != Status::Open {
            return Err(Rejected::NotOpen(effort.id.clone()));
        }
        if self.open.last() == Some(&at) {
            let id = effort.id.clone();
            // It may be so only because another one was concluded just now: that is where the turn goes on.
            self.in_turn(|turn| turn.begun = Some(at));
            return Err(Rejected::AlreadyActive(id));
        }
        let before = self.before(at);
        self.open.retain(|&open| open != at);
        self.turn_to(at);
        self.replan();
        Ok(self.change(at, ChangeKind::EffortSwitched, ASKED_FOR.into(), before))
    }

    /// Whether an effort could be reopened now, so that its log is read only when it can be used.
    ///
    /// # Errors
    /// As [`Memory::reopen`].
    pub fn check_reopenable(&self, id: &str) -> Result<EffortId, Rejected> {
        self.reopenable(id).map(|at| self.efforts[at].id.clone())
    }

    /// Goes on with a concluded effort: its whole raw log is in the window again and it is active.
    ///
    /// # Errors
    /// Rejects an unknown effort and one that is open.
    pub fn reopen(&mut self, id: &str, raw: Vec<(Role, Arc<str>)>) -> Result<Change, Rejected> {
        let at = self.reopenable(id)?;
        let before = self.before(at);
        self.cool_down(at);
        self.expanded.retain(|&expanded| expanded != at);
        self.evicted.retain(|&gone| gone != at);
        self.index.remove(at, self.efforts[at].id.clone().as_str());
        self.load_raw(at, raw);
        let turn = self.current_turn();
        let effort = &mut self.efforts[at];
        effort.status = Status::Open;
        effort.summary = None;
        effort.log.expanded_at = None;
        effort.last_referenced = turn;
        effort.cause = REOPENED.into();
        self.concluded -= 1;
        self.turn_to(at);
        self.order.enter(at);
        self.replan();
        Ok(self.change(at, ChangeKind::EffortReopened, ASKED_FOR.into(), before))
    }

    /// Resets an effort's countdown because somebody searched for it, asked for its status or wants to
    /// keep it. Reports the change when that brought an evicted summary back.
    pub fn refresh(&mut self, id: &EffortId, cause: &str) -> Option<Change> {
        let at = *self.by_id.get(id)?;
        self.touch(at, self.current_turn(), cause)
    }

    /// The effort that a person or a model means by an id or a name.
    ///
    /// # Errors
    /// Rejects what matches nothing, with the nearest ids.
    pub fn lookup(&self, id: &str) -> Result<&Effort, Rejected> {
        self.resolve(id).map(|at| &self.efforts[at])
    }

    pub(super) fn message(&self, role: Role, content: Arc<str>) -> Message {
        let tokens = self.counter.count(&content);
        Message { role, content, tokens }
    }

    fn find(&self, name: &str) -> Option<usize> {
        let exact = self.by_id.get(&EffortId::stored(name));
        exact.or_else(|| self.by_id.get(&EffortId::from_name(name).ok()?)).copied()
    }

    pub(super) fn resolve(&self, id: &str) -> Result<usize, Rejected> {
        self.find(id).ok_or_else(|| {
            let similar = self.index.similar(id, 3);
            Rejected::Unknown {
                id: id.chars().take(64).collect(),
                nearest: similar.into_iter().map(|at| self.efforts[at].id.clone()).collect(),
            }
        })
    }

    /// The open effort of a name, or the active one.
    pub(super) fn open_at(&self, id: Option<&str>) -> Result<usize, Rejected> {
        let at = match id {
            Some(id) => self.resolve(id)?,
            None => *self.open.last().ok_or(Rejected::NothingOpen)?,
        };
        let effort = &self.efforts[at];
        if effort.status == Status::Open {
            Ok(at)
        } else {
            Err(Rejected::NotOpen(effort.id.clone()))
        }
    }

    fn expandable(&self, id: &str) -> Result<usize, Rejected> {
        let at = self.resolve(id)?;
        let id = || self.efforts[at].id.clone();
        match self.tier_at(at) {
            Tier::Active | Tier::Open => Err(Rejected::StillOpen(id())),
            Tier::Expanded => Err(Rejected::AlreadyExpanded(id())),
            Tier::Warm | Tier::Evicted => Ok(at),
        }
    }

    fn reopenable(&self, id: &str) -> Result<usize, Rejected> {
        let at = self.resolve(id)?;
        match self.efforts[at].status {
            Status::Open => Err(Rejected::AlreadyOpen(self.efforts[at].id.clone())),
            Status::Concluded => Ok(at),
        }
    }

    /// Takes a raw log into the effort and corrects its size, which another program may have changed.
    pub(super) fn load_raw(&mut self, at: usize, raw: Vec<(Role, Arc<str>)>) {
        let raw: Vec<Message> =
            raw.into_iter().map(|(role, content)| self.message(role, content)).collect();
        let tokens: Tokens = raw.iter().map(|message| message.tokens).sum();
        let effort = &mut self.efforts[at];
        match effort.raw_tokens.replace(tokens) {
            Some(old) => self.effort_log_tokens = self.effort_log_tokens.saturating_sub(old),
            None => self.uncounted -= 1,
        }
        self.effort_log_tokens += tokens;
        self.effort_log_messages =
            self.effort_log_messages - effort.raw_messages + raw.len() as u64;
        effort.raw_messages = raw.len() as u64;
        effort.log.raw = raw;
        effort.log.compressed = CompressedLog::default();
    }

    pub(super) fn end_expansion(&mut self, at: usize, kind: ChangeKind, cause: String) -> Change {
        let before = self.before(at);
        self.stop_expansion(at);
        self.change(at, kind, cause, before)
    }

    /// An open log leaves the front. The expanded logs that stand in it stay where it ended, if that was the end of the
    /// front, and move to the end of ambient else; returns them with their former places.
    fn leave_order(&mut self, log: usize) -> Vec<(usize, Anchor)> {
        let was_last = self.order.end() == Some(log);
        self.order.leave(log);
        self.lift(log, Anchor { log: self.order.end().filter(|_| was_last), later: 0 })
    }

    /// The expanded logs that stand in a log that leaves the window move to a place; returns them with their former ones.
    fn lift(&mut self, log: usize, to: Anchor) -> Vec<(usize, Anchor)> {
        let anchor = |&at: &usize| (at, self.efforts[at].log.anchor);
        let stand_there = self.expanded.iter().map(anchor).filter(|(_, one)| one.log == Some(log));
        let lifted: Vec<(usize, Anchor)> = stand_there.collect();
        for (at, _) in &lifted {
            self.efforts[*at].log.anchor = to;
        }
        lifted
    }

    /// A log that is concluded and expanded in one turn was sent all the time: what stood in it stands there again, so
    /// that nothing moves.
    fn put_back(&mut self, log: usize) {
        let closed = self.under_way.as_mut().filter(|turn| turn.closed == Some(log));
        let lifted = closed.map(|turn| std::mem::take(&mut turn.lifted)).unwrap_or_default();
        for (at, anchor) in lifted.into_iter().filter(|(at, _)| self.expanded.contains(at)) {
            self.efforts[at].log.anchor = anchor;
        }
    }

    /// A raw log leaves the window and its summary takes its place.
    pub(super) fn stop_expansion(&mut self, at: usize) {
        self.expanded.retain(|&expanded| expanded != at);
        self.lift(at, self.efforts[at].log.anchor);
        self.replan();
        let turn = self.current_turn();
        let effort = &mut self.efforts[at];
        let log = std::mem::take(&mut effort.log);
        if let Some(since) = log.expanded_at {
            self.metrics.expansion_turns += turn.since(since);
        }
        self.warm_up(at);
    }

    fn note_false_decay(&mut self, at: usize) {
        let turn = self.current_turn();
        let recent = |&(effort, when): &(usize, super::Turn)| effort == at && turn.since(when) <= 2;
        if self.auto_collapsed.iter().any(recent) {
            self.metrics.false_decays += 1;
        }
        self.auto_collapsed.retain(|&(effort, _)| effort != at);
    }
}
