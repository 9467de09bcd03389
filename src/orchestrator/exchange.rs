//! The tool exchange of a turn: what the model called, with the reasoning that goes back beside it, and the
//! results. It keeps to its room in every request: the oldest rounds give way first, and what the model just
//! asked for stays readable.

mod round;

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::Value;

use crate::llm::ids::Ids;
use crate::llm::{self, Completion};
use crate::memory::{CountTokens, Layer, Tokens, Window};
use round::Round;

/// Calls of one answer that are run; a model that makes hundreds at once is confused, and their results
/// would not fit. The others were never made, as far as the model is told.
const MOST_CALLS: usize = 32;

/// A part of the room (one in so many) that is kept free for the rounds to come, where the window or the oldest rounds give
/// way to them.
const SPARE_PART: u64 = 4;

/// A part of the room (one in so many) that the window keeps beside what is kept free for rounds to come.
const LEFT_PART: u64 = 8;

/// How often the front of the window gives way to the rounds of one turn, the second time twice as far as the first. Then
/// the oldest rounds do: a cache loses less with them.
const MOST_BREAKS: u32 = 2;

/// Room for one call and as much of its result as can be read: where there is less, fewer calls are run.
const ROOM_FOR_CALL: u64 = 64;

/// The rounds of a turn so far, the newest last.
pub(super) struct ToolExchange {
    room: Tokens,
    counter: Arc<dyn CountTokens>,
    rounds: Vec<Round>,
    /// What the window leaves free for it, so that one that had to give way need not do so in each round.
    reserved: Tokens,
    /// The window with nothing reserved, as it was when the one that is sent was laid out.
    whole: Option<Window>,
    /// How often the front gave way.
    breaks: u32,
}

impl ToolExchange {
    /// An exchange without rounds, with the most that it may cost in a request.
    pub(super) fn new(room: Tokens, counter: Arc<dyn CountTokens>) -> Self {
        Self { room, counter, rounds: Vec::new(), reserved: Tokens(0), whole: None, breaks: 0 }
    }

    /// How many calls of one answer are run.
    pub(super) fn most_calls(&self) -> usize {
        let fitting = usize::try_from(self.room.0 / ROOM_FOR_CALL).unwrap_or(usize::MAX);
        fitting.clamp(1, MOST_CALLS)
    }

    /// Takes the calls of an answer, which are to be run and answered next.
    pub(super) fn begin(&mut self, completion: &mut Completion) {
        self.tell_apart(&mut completion.calls);
        self.rounds.push(Round::of(completion, &*self.counter));
    }

    /// Calls that a server names as it named others in an earlier round get ids of their own: a result belongs to one call.
    fn tell_apart(&self, calls: &mut [llm::ToolCall]) {
        let mut ids = Ids::seeded(self.rounds.len() as u64);
        for call in calls {
            while self.rounds.iter().any(|round| round.calls(&call.id)) {
                call.id = ids.next();
            }
        }
    }

    /// Takes the result of the next call of the newest round.
    pub(super) fn answer(&mut self, call: &llm::ToolCall, result: &Value) {
        if let Some(newest) = self.rounds.last_mut() {
            newest.answer(call, result, &*self.counter);
        }
    }

    /// Its messages, as they go back to the model.
    pub(super) fn messages(&self) -> Vec<llm::Message> {
        self.rounds.iter().flat_map(Round::messages).cloned().collect()
    }

    /// What it will cost in the next request, as far as is known while its calls are being run.
    pub(super) fn cost_to_come(&self) -> Tokens {
        self.cost().min(self.room)
    }

    /// What it costs: every text that a model reads, and what is sealed.
    pub(super) fn cost(&self) -> Tokens {
        self.rounds.iter().map(Round::cost).sum()
    }

    /// Every text that can be read, with its cost.
    pub(super) fn texts(&self) -> Vec<(Cow<'_, str>, Tokens)> {
        self.rounds.iter().flat_map(Round::texts).collect()
    }

    /// Gives way until it costs no more than its room, which it always can. Only for whole rounds, whose
    /// calls all have their results.
    fn keep_to(&mut self, room: Tokens) {
        self.older_give_way(room);
        let Some(mut newest) = self.rounds.pop() else { return };
        // What is sealed is wanted back with what the model just asked for; a round that is over can be spared.
        if self.cost() + newest.cost() > room {
            let least = newest.least(&*self.counter);
            while !self.rounds.is_empty() && self.cost() + least > room {
                self.rounds.remove(0);
            }
        }
        newest.keep_to(room.saturating_sub(self.cost()), &*self.counter);
        if self.cost() + newest.cost() > room {
            self.rounds.clear();
        }
        if newest.cost() <= room {
            self.rounds.push(newest);
        }
    }

    /// The rounds before the newest leave their texts out, the oldest first, and so far that some more find room: a
    /// cache keeps a prompt only up to where something left it. What then stands for them takes no more than a quarter
    /// of a room that is too small for all.
    fn older_give_way(&mut self, room: Tokens) {
        if self.cost() <= room {
            return;
        }
        let mut over = self.cost().saturating_sub(Tokens(room.0 - room.0 / SPARE_PART));
        let older = self.rounds.len().saturating_sub(1);
        for round in &mut self.rounds[..older] {
            over = round.leave_out(over, &*self.counter);
        }
        let older = |rounds: &[Round]| rounds.iter().rev().skip(1).map(Round::cost).sum::<Tokens>();
        if self.cost() > room && older(&self.rounds).0 > room.0 / 4 {
            while older(&self.rounds).0 > room.0 / 8 {
                self.rounds.remove(0);
            }
        }
    }

    /// The window of the last request of the turn, to be sent again, and how much of it has left memory's since: if nothing
    /// entered that one. What gave way in a turn stays away until it ends.
    pub(super) fn kept(
        &self,
        sent: &Window,
        now: &Window,
        layer: Layer,
    ) -> Option<(Window, Tokens)> {
        let (again, left) = self.whole.as_ref()?.instead_of(now, layer)?;
        if again.items == sent.items {
            return Some((again, left));
        }
        let more = sent.layers.total().saturating_sub(now.layers.total());
        Some((sent.clone(), left.min(more)))
    }

    /// Whether it goes with the window of the last request of the turn. Where the front gave way often enough, it gives
    /// way itself.
    pub(super) fn goes_with(&mut self, sent: &Window, limit: Tokens) -> bool {
        let room = limit.saturating_sub(sent.layers.total());
        if self.cost() > room {
            self.keep_to(if self.breaks < MOST_BREAKS { self.room } else { self.room.min(room) });
        }
        !self.rounds.is_empty() && self.cost() <= room
    }

    /// The window of the next request, with which all of it keeps to the limit. The exchange gives way to its
    /// room, and beyond it as long as they do not fit together. A window that gives way to it since the earlier request of
    /// the turn does so far enough for some rounds more.
    ///
    /// # Errors
    /// Fails with what the window costs when that alone is over the limit.
    pub(super) fn beside(
        &mut self,
        limit: Tokens,
        earlier: Option<&Window>,
        window: impl Fn(Tokens) -> Window,
    ) -> Result<Window, Tokens> {
        self.keep_to(self.room);
        if let Some(earlier) = earlier {
            self.reserve(earlier, &window);
        }
        let mut room = self.room;
        loop {
            self.keep_to(room);
            let cost = self.cost();
            let window_now = window(cost.max(self.reserved));
            let total = window_now.layers.total() + cost;
            match total.saturating_sub(limit) {
                Tokens(0) => {
                    self.whole = Some(window(Tokens(0)));
                    return Ok(window_now);
                }
                _ if self.rounds.is_empty() => return Err(total),
                over => room = cost.saturating_sub(over),
            }
        }
    }

    /// Reserves room for the rounds to come, where what was sent earlier in the turn gives way to those so far. The memory
    /// block gives way alone while that is enough.
    fn reserve(&mut self, earlier: &Window, window: &impl Fn(Tokens) -> Window) {
        let cost = self.cost();
        // What was said last stays, unless the rounds themselves need its place.
        let most = Tokens(self.room.0 - self.room.0 / LEFT_PART).max(cost);
        let ahead = |part: u64| (cost + Tokens(self.room.0 / part)).min(most);
        let (needed, whole) = (window(cost.max(self.reserved)), window(Tokens(0)));
        let keeps_front = |window: &Window| window.front().starts_with(earlier.front());
        if needed == whole {
            return;
        }
        let reserved = if keeps_front(&needed) {
            let parts = [SPARE_PART, SPARE_PART * 2, SPARE_PART * 4];
            parts.map(ahead).into_iter().find(|ahead| keeps_front(&window(*ahead)))
        } else {
            self.breaks += 1;
            Some(ahead(if self.breaks < MOST_BREAKS { SPARE_PART } else { SPARE_PART / 2 }))
        };
        self.reserved = self.reserved.max(reserved.unwrap_or_default());
    }
}
