//! Exchanges that belong to no effort: the window holds the last few, the log all of them.
//!
//! They stand at the front of the window, where each break costs the cache of everything behind it. So they leave
//! as a tide: some more than the window asks for gather, then all of these leave at once.

mod kept;
mod room;

use std::collections::VecDeque;
use std::sync::Arc;

use super::{BudgetMode, Change, ChangeKind, Memory, Message, Role, Rules, Subject, Tokens};
use crate::counted::noun;

/// The tail of the ambient log, and the size of the whole.
#[derive(Debug, Clone, Default)]
pub(super) struct Ambient {
    tail: VecDeque<Message>,
    tail_tokens: Tokens,
    /// Messages that stay in the window: two for each exchange.
    window: usize,
    /// Messages that gather beyond these before they leave.
    tide: usize,
    messages: u64,
    /// Messages before those that were said since it was restored.
    restored: u64,
    /// Of all messages; until they are counted, of those that were said since it was restored.
    tokens: Tokens,
    counted: bool,
}

impl Ambient {
    pub(super) fn restored(tail: Vec<Message>, messages: u64, tokens: Option<Tokens>) -> Self {
        let mut ambient = Self { window: usize::MAX, ..Self::default() };
        ambient.extend(tail);
        (ambient.messages, ambient.restored) = (messages, messages);
        ambient.tokens = tokens.unwrap_or_default();
        ambient.counted = tokens.is_some();
        ambient
    }

    /// Sets how many exchanges the window holds; what is too many then leaves with the next turn.
    pub(super) fn set_window(&mut self, rules: &Rules) {
        self.window = rules.ambient_window.saturating_mul(2);
        self.tide = rules.tide().saturating_mul(2);
        self.counted |= self.messages == 0;
    }

    /// At the start of a session: what the end of a turn that was killed would have taken is not there. That the newest
    /// messages are `uncounted` tells how many there were before it; with more than a tide waits for they were held.
    pub(super) fn settle(&mut self, uncounted: usize) {
        let was_full =
            self.tail.len().saturating_sub(uncounted) > self.window.saturating_add(self.tide);
        if self.is_full() && !was_full {
            self.ebb(self.gathered());
        }
    }

    /// Takes older messages back, as many as the window has room for: they are the last ones before the tail.
    fn fill(&mut self, older: Vec<Message>) -> usize {
        let room = self.window.saturating_sub(self.tail.len()).min(older.len());
        for message in older.into_iter().rev().take(room) {
            self.tail_tokens += message.tokens;
            self.tail.push_front(message);
        }
        room
    }

    /// Whether more exchanges have gathered than a tide waits for.
    fn is_full(&self) -> bool {
        self.tail.len() > self.window.saturating_add(self.tide)
    }

    /// Messages beyond those that stay.
    fn gathered(&self) -> usize {
        self.tail.len().saturating_sub(self.window)
    }

    /// What the oldest messages cost.
    fn tokens_of(&self, messages: usize) -> Tokens {
        self.tail.iter().take(messages).map(|message| message.tokens).sum()
    }

    /// How many of the oldest messages cost no more than so much.
    fn within(&self, most: Tokens) -> usize {
        let mut sum = Tokens(0);
        let fits = |message: &&Message| {
            sum += message.tokens;
            sum <= most
        };
        self.tail.iter().take_while(fits).count()
    }

    /// The oldest messages leave; tells how many did.
    fn ebb(&mut self, messages: usize) -> usize {
        let gone = messages.min(self.tail.len());
        for message in self.tail.drain(..gone) {
            self.tail_tokens = self.tail_tokens.saturating_sub(message.tokens);
        }
        gone
    }

    pub(super) fn extend(&mut self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            self.messages += 1;
            self.tokens += message.tokens;
            self.tail_tokens += message.tokens;
            self.tail.push_back(message);
        }
    }

    pub(super) fn tail(&self) -> impl Iterator<Item = &Message> {
        self.tail.iter()
    }

    pub(super) fn tail_len(&self) -> usize {
        self.tail.len()
    }

    pub(super) fn tail_tokens(&self) -> Tokens {
        self.tail_tokens
    }

    /// Messages and tokens of the whole log, as far as they are counted.
    pub(super) fn total(&self) -> (u64, Tokens) {
        (self.messages, self.tokens)
    }

    pub(super) fn is_counted(&self) -> bool {
        self.counted
    }

    /// Takes the size that the log had when it was restored.
    pub(super) fn set_total(&mut self, messages: u64, tokens: Tokens) {
        if !self.counted {
            self.messages = messages + (self.messages - self.restored);
            self.tokens += tokens;
            self.counted = true;
        }
    }
}

/// Turns ahead for which the soft line is foretold.
const FORETOLD: u64 = 10;

/// Exchanges of which the growth of the window is the average.
const GROWTH_EXCHANGES: usize = 3;

/// The next tide, if the talk goes on as it does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextTide {
    /// Turns until it; 1 means that it comes with the end of the next one, 0 that it comes before that is answered, as the
    /// model's cache went cold.
    pub turns: u64,
    /// Exchanges outside any effort that leave the window then; 0 where it is the soft line that is crossed, at which the
    /// middles of long logs leave first.
    pub exchanges: usize,
    /// What these cost in the window now, the ones that are yet to be said not counted; at the soft line, about how much
    /// leaves.
    pub tokens: Tokens,
    /// Whether an effort is open, so that what is said belongs to it and the tide waits.
    pub waits: bool,
}

impl Memory {
    /// At the end of a turn: the exchanges that have gathered leave together, once there are enough of them.
    pub(super) fn tide(&mut self) -> Option<Change> {
        self.tide_is_due().then(|| self.ebb(self.leaving_at_tide(), ""))?
    }

    /// The cache of the model is cold, so that nothing is lost with the front of the window: what the next tide
    /// would take leaves now.
    pub(super) fn ebb_while_cold(&mut self) -> Option<Change> {
        self.ebb(self.leaving_at_tide(), ", and the cache was cold")
    }

    /// A tide that makes room at a line of the budget. Exchanges that cost nothing stay: they would free nothing.
    pub(super) fn ebb_for_room(&mut self, why: &str) -> Option<Change> {
        let leaving = self.leaving_for_room();
        let frees = self.ambient.tokens_of(leaving) > Tokens(0);
        frees.then(|| self.ebb(leaving, why))?
    }

    /// The oldest messages leave as one change, with the cost of the window as it is sent before and after.
    fn ebb(&mut self, messages: usize, why: &str) -> Option<Change> {
        let before = self.layers().total();
        let gathered = self.ambient.gathered();
        let is_deep = messages > gathered;
        let exchanges = self.ambient.ebb(messages).div_ceil(2);
        self.order.keep_ambient(self.ambient.tail_len());
        // What has left is not sent whole again.
        self.in_other_form.retain(|(_, subject, _)| *subject != Subject::Ambient);
        self.replan();
        // Where exchanges leave one by one, nobody is told of each.
        if exchanges == 0 || (self.rules.tide() == 0 && exchanges == 1 && !is_deep) {
            return None;
        }
        let noun = noun(exchanges as u64, "exchange");
        let left = self.ambient.tail_len() / 2;
        let cause = if is_deep {
            format!("tide: {exchanges} {noun} before the last {left}{why}")
        } else if messages < gathered {
            format!("tide: {exchanges} {noun} beyond the last {left}, which the cache keeps{why}")
        } else {
            let kept = self.rules.ambient_window;
            let is_held = self.rules.cache_least > Tokens(0) && messages > self.ambient.tide + 2;
            let held = if is_held { ", as the cache keeps nothing smaller" } else { "" };
            format!("tide: {exchanges} {noun} gathered beyond the last {kept}{held}{why}")
        };
        let (turn, after) = (self.current_turn(), self.layers().total());
        Some(Change::new(turn, ChangeKind::Tide, Subject::Ambient, cause, (before, after)))
    }

    /// After the window was made larger: the last messages of the ambient log, of which those come back that it has room
    /// for.
    pub fn fill_ambient(&mut self, last: Vec<(Role, Arc<str>)>) {
        let older = last.len().saturating_sub(self.ambient.tail_len());
        let older = self.messages(last.into_iter().take(older).collect());
        if self.ambient.fill(older) > 0 {
            self.replan();
        }
    }

    /// When the next tide is and what it takes, as far as it can be foretold; `None` where exchanges leave one by one
    /// and the soft line is far.
    pub fn next_tide(&self) -> Option<NextTide> {
        let (soft, ambient) = (self.next_soft_line(), self.next_ambient_tide());
        let comes_first = |soft: &NextTide| {
            ambient.is_none_or(|ambient| ambient.waits || soft.turns < ambient.turns)
        };
        soft.filter(comes_first).or(ambient)
    }

    /// What leaves before the next request if the model's cache is cold by then, and memory is as it is `after` that;
    /// `None` where that changes nothing.
    pub(super) fn tide_while_cold(&self, after: &Self) -> Option<NextTide> {
        let messages = |memory: &Self| memory.ambient_messages();
        let exchanges = messages(self).saturating_sub(messages(after)).div_ceil(2);
        let [before, then] = [self, after].map(|memory| memory.resting().layers.total());
        let tokens = before.saturating_sub(then);
        let leaves = tokens > Tokens(0);
        leaves.then_some(NextTide { turns: 0, exchanges, tokens, waits: false })
    }

    /// When the window will be over the soft line, if the talk goes on as in the last turns, and how much leaves then.
    fn next_soft_line(&self) -> Option<NextTide> {
        let total = self.whole_layers().total();
        let growth = self.growth();
        let room = self.rules.soft_line().saturating_sub(total).0;
        let turns = room.checked_div(growth.0)? + 1;
        // Larger it is never sent.
        let then = (total + Tokens(turns * growth.0)).min(self.rules.limit());
        let is_soon = turns <= FORETOLD && self.rules.budget_mode == BudgetMode::Auto;
        let over = then.saturating_sub(self.rules.low_line());
        let tokens = over.min(self.may_leave(turns, growth));
        let comes = is_soon && tokens > Tokens(0);
        comes.then_some(NextTide { turns, exchanges: 0, tokens, waits: false })
    }

    /// What an exchange costs, on the average of the last ones in the log of the talk.
    fn growth(&self) -> Tokens {
        let log = self.shown(self.resting(), self.open.last().copied());
        let last = log.iter().rev().take(2 * GROWTH_EXCHANGES);
        let tokens: Vec<u64> = last.map(|message| message.tokens.0).collect();
        let exchanges = tokens.len().div_ceil(2).max(1) as u64;
        Tokens(tokens.iter().sum::<u64>() / exchanges)
    }

    /// Turns until more exchanges have gathered than a tide waits for, if all that is said is outside any effort.
    fn turns_until_full(&self) -> u64 {
        let full = self.rules.ambient_window.saturating_add(self.rules.tide()).saturating_add(1);
        full.saturating_sub(self.ambient.tail.len() / 2).max(1) as u64
    }

    fn next_ambient_tide(&self) -> Option<NextTide> {
        if let Some(least) = self.grows_to() {
            return Some(self.next_held_tide(least));
        }
        let exchanges = Some(self.rules.tide()).filter(|&tide| tide > 0)?.saturating_add(1);
        let taken = self.ambient.tail.iter().take(exchanges.saturating_mul(2));
        Some(NextTide {
            turns: self.turns_until_full(),
            exchanges,
            tokens: taken.map(|message| message.tokens).sum(),
            waits: !self.open.is_empty(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{Exchange, Frame};

    #[test]
    fn what_is_said_while_the_log_of_another_program_is_counted_is_counted_too() {
        let message =
            |tokens| Message { role: Role::User, content: "hm".into(), tokens: Tokens(tokens) };
        let mut ambient = Ambient::restored(vec![message(3)], 400, None);
        ambient.set_window(&Rules::default());
        ambient.extend([message(5), message(7)]);
        assert!(!ambient.is_counted());
        ambient.set_total(300, Tokens(1000));
        assert_eq!(ambient.total(), (302, Tokens(1012)), "300 of 400 lines hold a message");
    }

    fn memory(ambient_window: usize, ambient_tide: usize) -> Memory {
        let rules = Rules { ambient_window, ambient_tide, ..Rules::default() };
        let frame = Frame { system_prompt: "You are helpful.".into(), tools: "[]".into() };
        Memory::new(rules, frame, Arc::new(Words))
    }

    fn say(memory: &mut Memory, turns: u64) -> Vec<Change> {
        let mut one = || {
            memory.begin_turn();
            memory.end_turn(&Exchange { user: "how are you".into(), assistant: "fine".into() })
        };
        (0..turns).flat_map(|_| one().changes).collect()
    }

    #[test]
    fn exchanges_gather_and_leave_together() {
        let mut memory = memory(3, 4);
        let mut held = Vec::new();
        for turn in 1..=16 {
            let changes = say(&mut memory, 1);
            assert_eq!(changes.len(), usize::from(turn == 8 || turn == 13), "turn {turn}");
            for change in changes {
                let banner =
                    "--- Ebbed: ambient (tide: 5 exchanges gathered beyond the last 3) ---";
                assert_eq!(change.banner(), banner);
                assert_eq!(change.after, memory.layers().total());
                assert_eq!(change.before, change.after + Tokens(5 * 4));
            }
            held.push(memory.ambient_messages() / 2);
        }
        assert_eq!(held, [1, 2, 3, 4, 5, 6, 7, 3, 4, 5, 6, 7, 3, 4, 5, 6]);
    }

    #[test]
    fn without_a_tide_the_window_slides_and_says_nothing() {
        for mut memory in [memory(3, 0), {
            let mut memory = memory(3, 4);
            memory.set_rules(Rules { seeds: true, ..*memory.rules() }).unwrap();
            memory
        }] {
            assert_eq!((say(&mut memory, 9), memory.ambient_messages()), (Vec::new(), 6));
            assert_eq!((memory.next_tide(), memory.ebb_while_cold()), (None, None));
        }
    }

    #[test]
    fn a_cold_cache_lets_what_has_gathered_leave_at_once() {
        let mut memory = memory(3, 4);
        say(&mut memory, 5);
        memory.begin_turn();
        let change = memory.ebb_while_cold().unwrap();
        let cause = "tide: 2 exchanges gathered beyond the last 3, and the cache was cold";
        assert_eq!((change.turn.0, &*change.cause), (6, cause));
        assert_eq!(memory.ambient_messages(), 6);
        assert_eq!(memory.ebb_while_cold(), None, "there is nothing left to leave");
    }

    #[test]
    fn the_next_tide_is_told_before_it_comes() {
        let mut memory = memory(3, 4);
        let mut told = memory.next_tide().unwrap();
        assert_eq!((told.turns, told.exchanges, told.tokens), (8, 5, Tokens(0)));
        for left in (1..8).rev() {
            say(&mut memory, 1);
            told = memory.view().next_tide.unwrap();
            assert_eq!((told.turns, told.waits), (left, false));
        }
        let before = memory.layers().total();
        say(&mut memory, 1);
        let one_more = Tokens(4);
        assert_eq!(before + one_more, memory.layers().total() + told.tokens);
        memory.open("bread").unwrap();
        assert!(memory.next_tide().unwrap().waits);
    }

    #[test]
    fn the_soft_line_is_foretold_and_comes_then() {
        let budget = Tokens(1_000);
        for effort in [false, true] {
            let mut memory = memory(3, 40);
            memory.set_rules(Rules { token_budget: budget, ..*memory.rules() }).unwrap();
            if effort {
                memory.open("bread").unwrap();
            }
            let turn = |memory: &mut Memory| {
                memory.begin_turn();
                let exchange =
                    Exchange { user: "how are you".into(), assistant: "fine ".repeat(37).into() };
                memory.end_turn(&exchange).changes
            };
            let mut told = NextTide { exchanges: 1, ..NextTide::default() };
            while told.exchanges > 0 || told.waits {
                assert_eq!(turn(&mut memory), []);
                told = memory.next_tide().unwrap();
            }
            for left in (1..=told.turns).rev() {
                let now = memory.next_tide().unwrap();
                assert_eq!((now.turns, now.tokens), (left, told.tokens));
                assert_eq!(turn(&mut memory).is_empty(), left > 1, "{left} turns before");
            }
            let total = memory.layers().total();
            assert!(total <= memory.rules().low_line(), "{total}: as much left as was told");
        }
    }

    #[test]
    fn a_smaller_window_lets_the_rest_leave_with_a_word_and_a_larger_one_fills_at_once() {
        let mut memory = memory(3, 4);
        say(&mut memory, 7);
        memory.set_rules(Rules { ambient_window: 2, ambient_tide: 0, ..*memory.rules() }).unwrap();
        assert_eq!(memory.ambient_messages(), 14, "nothing leaves without a word");
        let changes = say(&mut memory, 1);
        assert_eq!(changes.len(), 1);
        assert_eq!(changes[0].cause, "tide: 6 exchanges gathered beyond the last 2");
        let all: Vec<(Role, Arc<str>)> =
            (0..20).map(|n| (Role::User, format!("said {n}").into())).collect();
        memory.set_rules(Rules { ambient_window: 5, ..*memory.rules() }).unwrap();
        memory.fill_ambient(all[20 - 10..].to_vec());
        let held: Vec<_> =
            memory.window().items[2..].iter().map(|item| item.content.to_string()).collect();
        assert_eq!(held[..6], ["said 10", "said 11", "said 12", "said 13", "said 14", "said 15"]);
        assert_eq!(memory.ambient_messages(), 10);
        let tokens: Tokens = memory.window().items.iter().map(|item| item.tokens).sum();
        assert_eq!(tokens, memory.layers().total());
    }
}
