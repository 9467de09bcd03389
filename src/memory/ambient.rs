//! Exchanges that belong to no effort: the window holds the last few, the log all of them.
//!
//! They stand at the front of the window, where each break costs the cache of everything behind it. So they leave
//! as a tide: some more than the window asks for gather, then all of these leave at once.

use std::collections::VecDeque;

use super::{Change, ChangeKind, Memory, Message, Rules, Subject, Tokens};

/// The tail of the ambient log, and the size of the whole.
#[derive(Debug, Default)]
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

    /// Sets how many exchanges the window holds. A larger window fills again as the talk goes on.
    pub(super) fn set_window(&mut self, rules: &Rules) {
        self.window = rules.ambient_window.saturating_mul(2);
        self.tide = rules.tide().saturating_mul(2);
        self.counted |= self.messages == 0;
        if self.is_full() {
            self.ebb();
        }
    }

    /// Whether more exchanges have gathered than a tide waits for.
    fn is_full(&self) -> bool {
        self.tail.len() > self.window.saturating_add(self.tide)
    }

    /// All but what stays leave; tells how many messages did.
    fn ebb(&mut self) -> usize {
        let gone = self.tail.len().saturating_sub(self.window);
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

/// The next tide, if the talk goes on outside any effort.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NextTide {
    /// Turns until it; 1 means that it comes with the end of the next one.
    pub turns: u64,
    /// Exchanges that leave the window then.
    pub exchanges: usize,
    /// What these cost in the window now; the ones that are yet to be said are not counted.
    pub tokens: Tokens,
    /// Whether an effort is open, so that what is said belongs to it and the tide waits.
    pub waits: bool,
}

impl Memory {
    /// At the end of a turn: the exchanges that have gathered leave together, once there are enough of them.
    pub(super) fn tide(&mut self) -> Option<Change> {
        self.ambient.is_full().then(|| self.ebb(""))?
    }

    /// The cache of the model is cold, so that nothing is lost with the front of the window: what the next tide
    /// would take leaves now.
    pub fn cache_is_cold(&mut self) -> Option<Change> {
        self.ebb(", and the cache was cold")
    }

    pub(super) fn ebb(&mut self, why: &str) -> Option<Change> {
        let before = self.layers().total();
        let exchanges = self.ambient.ebb().div_ceil(2);
        self.order.keep_ambient(self.ambient.tail_len());
        self.replan();
        if exchanges == 0 || self.rules.tide() == 0 {
            return None;
        }
        let (noun, kept) = (noun(exchanges), self.rules.ambient_window);
        let cause = format!("tide: {exchanges} {noun} gathered beyond the last {kept}{why}");
        let (turn, after) = (self.current_turn(), self.layers().total());
        let (kind, subject) = (ChangeKind::Tide, Subject::Ambient);
        Some(Change { turn, kind, subject, cause, before, after, note: None, was: None })
    }

    /// When the next tide is and what it takes; `None` where exchanges leave one by one.
    pub fn next_tide(&self) -> Option<NextTide> {
        let (tail, window) = (&self.ambient.tail, self.rules.ambient_window);
        let exchanges = Some(self.rules.tide()).filter(|&tide| tide > 0)?.saturating_add(1);
        let until = window.saturating_add(exchanges).saturating_sub(tail.len() / 2);
        let taken = tail.iter().take(exchanges.saturating_mul(2));
        Some(NextTide {
            turns: until.max(1) as u64,
            exchanges,
            tokens: taken.map(|message| message.tokens).sum(),
            waits: !self.open.is_empty(),
        })
    }
}

fn noun(exchanges: usize) -> &'static str {
    if exchanges == 1 { "exchange" } else { "exchanges" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{Exchange, Frame, Role};
    use std::sync::Arc;

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
            assert_eq!((memory.next_tide(), memory.cache_is_cold()), (None, None));
        }
    }

    #[test]
    fn a_cold_cache_lets_what_has_gathered_leave_at_once() {
        let mut memory = memory(3, 4);
        say(&mut memory, 5);
        memory.begin_turn();
        let change = memory.cache_is_cold().unwrap();
        let cause = "tide: 2 exchanges gathered beyond the last 3, and the cache was cold";
        assert_eq!((change.turn.0, &*change.cause), (6, cause));
        assert_eq!(memory.ambient_messages(), 6);
        assert_eq!(memory.cache_is_cold(), None, "there is nothing left to leave");
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
}
