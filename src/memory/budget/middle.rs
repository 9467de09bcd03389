//! The middles of long logs, which leave first at the soft line.
//!
//! What stands for a middle is kept while the log only grows behind it, so that a provider's cache keeps the
//! beginning of the log; it is made anew when the line is crossed again. It is a [`Block`](crate::memory::Block) without
//! a source, so it is stored, restored and looked back at like a compressed part, and gives way to one.

use super::plan::place_of;
use super::{BudgetMode, LARGE_FORM_PART, LEAST_LOG, ROOM_AGAIN, squeeze};
use crate::counted::grouped;
use crate::memory::ASKED_FOR;
use crate::memory::compression::{CompressedLog, Excerpt, LAST_USER_MESSAGES, may_compress};
use crate::memory::reference::Weighed;
use crate::memory::{Change, ChangeKind, CountTokens, Memory, Message, Tokens, Turn};

impl Memory {
    /// Long logs give way down to the low line, as far as `least` tokens each: expanded ones first, the least salient
    /// in front, then background ones, the active one last.
    pub(super) fn shorten_logs(
        &mut self,
        least: u64,
        turn: Turn,
        message: &Weighed,
    ) -> Vec<Change> {
        let mut changes = Vec::new();
        for at in self.long_logs(least, turn, message) {
            let over = self.over_for(at, least, turn);
            if over > 0 {
                changes.extend(self.shorten(at, over, least));
            }
        }
        changes
    }

    /// Tokens that a log gives way by. One that was expanded only now is there to be read: above the soft line alone, and
    /// once it is in a large form by no more than what is over that.
    fn over_for(&self, at: usize, least: u64, turn: Turn) -> u64 {
        let over_soft = self.whole_layers().total().saturating_sub(self.rules.soft_line()).0;
        let is_large = least >= self.rules.limit().0 / LARGE_FORM_PART;
        if self.is_new(at, turn) && (over_soft == 0 || !is_large) {
            over_soft
        } else {
            self.over_low()
        }
    }

    /// Whether a log was expanded in this turn or the one before, so that hardly anybody has read it.
    pub(super) fn is_new(&self, at: usize, turn: Turn) -> bool {
        self.efforts[at].expanded_at().is_some_and(|since| turn.since(since) <= 1)
    }

    /// The expanded logs without their middles, the newest expansion first.
    pub(super) fn cut_logs(&self) -> Vec<usize> {
        let expanded = self.expanded.iter().rev().copied();
        expanded.filter(|&at| self.efforts[at].has_excerpt()).collect()
    }

    /// Expanded logs are whole again where the front of the window is read anew in any case, as far as there is room.
    /// `cut` were those without their middles before these changes; of others nobody has to know.
    pub(super) fn make_whole(&mut self, cut: &[usize], changes: &mut Vec<Change>) {
        let (turn, soft) = (self.current_turn(), self.rules.soft_line());
        for at in self.cut_logs() {
            let effort = &self.efforts[at];
            let line = if effort.pinned || self.is_new(at, turn) {
                soft
            } else {
                Tokens(self.rules.low_line().0.midpoint(soft.0))
            };
            let whole = effort.raw_tokens.unwrap_or_default();
            let more = whole.saturating_sub(effort.log_tokens());
            if self.whole_layers().total() + more > line {
                continue;
            }
            let change = self.noting(at, ChangeKind::WholeAgain, ROOM_AGAIN, |memory| {
                memory.efforts[at].take_form(CompressedLog::RAW);
                memory.replan();
            });
            let is_cut = |one: &Change| {
                one.kind == ChangeKind::EffortShortened && one.subject == change.subject
            };
            changes.retain(|one| !is_cut(one));
            changes.extend(cut.contains(&at).then_some(change));
        }
    }

    /// The logs that can give way, in that order; those that are pinned do not.
    pub(super) fn long_logs(&self, least: u64, turn: Turn, message: &Weighed) -> Vec<usize> {
        let expanded = self.expanded.iter().copied().filter(|&at| !self.efforts[at].pinned);
        let expanded = self.by_salience(expanded, turn, message);
        let mut logs: Vec<usize> = expanded.into_iter().map(|(_, at)| at).collect();
        logs.extend(&self.open);
        // A form that is hardly shorter is not worth the break.
        logs.retain(|&at| self.efforts[at].log_tokens().0 > least + least / 4);
        logs
    }

    /// What an expansion tells as its cause. A log with which the window would be over the soft line comes without its
    /// middle, as it will stay.
    pub(in crate::memory) fn fit_expanded(&mut self, at: usize) -> String {
        let is_over = self.whole_layers().total() > self.rules.soft_line();
        let least = (self.rules.limit().0 / LARGE_FORM_PART).max(LEAST_LOG);
        if !is_over || self.rules.budget_mode == BudgetMode::Off {
            return ASKED_FOR.into();
        }
        match self.shorten(at, self.over_low(), least) {
            Some(change) => format!("expanded, {}", change.cause),
            None => ASKED_FOR.into(),
        }
    }

    /// What an excerpt stood for that a compressed form does not is left out again, as far as the window would be larger
    /// than that.
    pub(in crate::memory) fn shorten_again(&mut self, at: usize, most: Tokens) {
        let over = self.whole_layers().total().saturating_sub(most).0;
        if over > 0 {
            self.shorten(at, over, LEAST_LOG);
        }
    }

    fn shorten(&mut self, at: usize, over: u64, least: u64) -> Option<Change> {
        let effort = &self.efforts[at];
        let now = effort.log_tokens();
        let protected = if self.tier_at(at).is_open() { LAST_USER_MESSAGES } else { 0 };
        let target = Tokens(now.0.saturating_sub(over).max(least));
        let place = place_of(self, at);
        let log = effort.without_excerpts();
        let excerpts = excerpts(&log, target, protected, &place, &*self.counter);
        let before = effort.clone_form();
        let total = self.whole_layers().total();
        self.efforts[at].leave_out(excerpts);
        let then = self.efforts[at].log_tokens();
        if then >= now {
            self.efforts[at].take_form(before);
            return None;
        }
        self.replan();
        let (now, then) = (grouped(now.0), grouped(then.0));
        let cause = format!("the middle is left out, {now} tokens to {then}");
        let mut change = self.noting(at, ChangeKind::EffortShortened, &cause, |_| ());
        change.before = total;
        Some(change)
    }
}

/// What stands for the messages that a log of so many tokens leaves out.
fn excerpts(
    log: &[(Option<usize>, &Message)],
    target: Tokens,
    protected: usize,
    place: &str,
    counter: &dyn CountTokens,
) -> Vec<Excerpt> {
    let whole: Vec<Message> = log.iter().map(|(_, message)| (*message).clone()).collect();
    let shown = squeeze::squeeze(&whole, target, protected, place, counter);
    let (mut excerpts, mut words, mut next) = (Vec::new(), Vec::new(), 0);
    for message in shown {
        let is_it = |one: &Message| std::sync::Arc::ptr_eq(&one.content, &message.content);
        match whole[next..].iter().position(is_it) {
            None => words.push(message),
            Some(ahead) => {
                let gap = next..next + ahead;
                excerpts.extend(stand_ins(log, gap.start, gap.end, &mut words, place, counter));
                next += ahead + 1;
            }
        }
    }
    excerpts.extend(stand_ins(log, next, log.len(), &mut words, place, counter));
    excerpts
}

/// The words that stand for a run of messages: the last of them for all that no other stands for.
fn stand_ins(
    log: &[(Option<usize>, &Message)],
    start: usize,
    end: usize,
    words: &mut Vec<Message>,
    place: &str,
    counter: &dyn CountTokens,
) -> Vec<Excerpt> {
    // What is held by reference is short and says where the rest is.
    let free = log[start..end].iter().filter(|(_, message)| may_compress(message));
    let gone: Vec<(usize, Message)> =
        free.filter_map(|(place, message)| Some(((*place)?, (*message).clone()))).collect();
    let mut words = std::mem::take(words);
    words.truncate(gone.len());
    // The last of the words counts the messages of the form that was shortened, not of the log.
    if words.last().is_none_or(|last| last.content.starts_with("[… ")) {
        let room = words.pop().map_or(Tokens(0), |last| last.tokens);
        let rest: Vec<Message> =
            gone.iter().skip(words.len()).map(|(_, one)| one.clone()).collect();
        let (Some((first, _)), Some((last, _))) = (gone.get(words.len()), gone.last()) else {
            return Vec::new();
        };
        words.push(squeeze::stand_in(&rest, *first..last + 1, room, place, counter));
    }
    let cost = |messages: &mut dyn Iterator<Item = &Message>| {
        messages.map(|one| one.tokens).sum::<Tokens>()
    };
    if cost(&mut words.iter()) >= cost(&mut gone.iter().map(|(_, one)| one)) {
        return Vec::new();
    }
    let last = words.len() - 1;
    let of = |nth: usize| if nth < last { nth..nth + 1 } else { nth..gone.len() };
    let excerpt = |(nth, message)| Excerpt {
        places: gone[of(nth)].iter().map(|(place, _)| *place).collect(),
        message,
    };
    words.into_iter().enumerate().map(excerpt).collect()
}
