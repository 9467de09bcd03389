//! One round of a tool exchange: an answer with calls, and their results.

use std::borrow::Cow;
use std::cmp::Reverse;

use serde_json::{Map, Value};

use crate::llm::{self, Completion};
use crate::memory::{CountTokens, Tokens, sandwich};
use crate::orchestrator::sealed;

const TEXT_LEFT_OUT: &str = "[left out to keep to the token budget]";

const ARGUMENTS_LEFT_OUT: &str = r#"{"left_out":"too long for the token budget"}"#;

const RESULT_LEFT_OUT: &str = "[result left out to keep to the token budget; call again if needed]";

const RESULT_CUT: &str = "[cut to keep to the token budget: what the call did is done; to read all of it, ask again with \
                          fewer calls beside it]";

/// A message with what each of its texts costs.
#[derive(Clone)]
struct Counted {
    message: llm::Message,
    costs: Vec<Tokens>,
    /// What only the server can read of it costs so much.
    sealed: Tokens,
}

/// An answer that called tools, and the results so far, in the order of its calls.
#[derive(Clone)]
pub(super) struct Round {
    asks: Counted,
    results: Vec<Counted>,
}

impl Counted {
    fn of(message: llm::Message, counter: &dyn CountTokens) -> Self {
        let costs = texts(&message).map(|text| counter.count(&text)).collect();
        let sealed = kept(&message).map(|value| sealed::split(value).1).sum();
        Self { message, costs, sealed }
    }

    fn cost(&self) -> Tokens {
        self.costs.iter().copied().sum::<Tokens>() + self.sealed
    }

    /// What its content costs, which is the first of its texts.
    fn content(&self) -> Tokens {
        self.costs.first().copied().unwrap_or_default()
    }

    /// Puts another content in its place; returns the tokens saved.
    fn put(&mut self, content: String, counter: &dyn CountTokens) -> Tokens {
        let (before, after) = (self.content(), counter.count(&content));
        self.message.content = content.into();
        self.costs[0] = after;
        before.saturating_sub(after)
    }

    /// Puts a short content in the place of a longer one, where something is over; returns what still is.
    fn put_if_over(&mut self, over: Tokens, short: &str, counter: &dyn CountTokens) -> Tokens {
        if over == Tokens(0) || self.content() <= counter.count(short) {
            return over;
        }
        over.saturating_sub(self.put(short.to_owned(), counter))
    }
}

/// Everything in a message that a model reads, its content first.
fn texts(message: &llm::Message) -> impl Iterator<Item = Cow<'_, str>> {
    let calls = message.calls.iter();
    let of_calls = calls.flat_map(|call| [&*call.id, &*call.name, &*call.arguments]);
    std::iter::once(&*message.content)
        .chain(message.call_id.as_deref())
        .chain(of_calls)
        .map(Cow::from)
        .chain(kept(message).map(|value| sealed::split(value).0))
}

/// What a server sent along to have it back.
fn kept(message: &llm::Message) -> impl Iterator<Item = &Value> {
    message.calls.iter().flat_map(|call| call.extra.values()).chain(message.replay.values())
}

impl Round {
    /// The calls of an answer, in the form in which every server takes them: what is no JSON object goes back as
    /// an empty one.
    pub(super) fn of(completion: &Completion, counter: &dyn CountTokens) -> Self {
        let mut calls = completion.calls.clone();
        for call in &mut calls {
            if serde_json::from_str::<Map<String, Value>>(&call.arguments).is_err() {
                "{}".clone_into(&mut call.arguments);
            }
        }
        let asks = llm::Message {
            calls,
            replay: completion.replay.clone(),
            ..llm::Message::text(llm::Role::Assistant, completion.text.as_str())
        };
        Self { asks: Counted::of(asks, counter), results: Vec::new() }
    }

    /// Adds the result of the next call.
    pub(super) fn answer(
        &mut self,
        call: &llm::ToolCall,
        result: &Value,
        counter: &dyn CountTokens,
    ) {
        let result = llm::Message::tool_result(call.id.clone(), result.to_string());
        self.results.push(Counted::of(result, counter));
    }

    fn parts(&self) -> impl Iterator<Item = &Counted> {
        std::iter::once(&self.asks).chain(&self.results)
    }

    /// Its messages in order.
    pub(super) fn messages(&self) -> impl Iterator<Item = &llm::Message> {
        self.parts().map(|part| &part.message)
    }

    /// Whether one of its calls has an id.
    pub(super) fn calls(&self, id: &str) -> bool {
        self.asks.message.calls.iter().any(|call| call.id == id)
    }

    /// What it costs.
    pub(super) fn cost(&self) -> Tokens {
        self.parts().map(Counted::cost).sum()
    }

    /// Its texts that can be read, each with its cost.
    pub(super) fn texts(&self) -> impl Iterator<Item = (Cow<'_, str>, Tokens)> {
        self.parts().flat_map(|part| texts(&part.message).zip(part.costs.iter().copied()))
    }

    /// Leaves its texts out as far as needed: results, then arguments, then reasoning. Returns what is still
    /// over. Every call keeps its result.
    pub(super) fn leave_out(&mut self, over: Tokens, counter: &dyn CountTokens) -> Tokens {
        let put = |over, result: &mut Counted| result.put_if_over(over, RESULT_LEFT_OUT, counter);
        let over = self.results.iter_mut().fold(over, put);
        self.asks_leave_out(over, counter)
    }

    /// Keeps the newest round to its room: the results share what the calls leave of it, which is half of it at
    /// least, if they need so much and what is sealed leaves as much.
    pub(super) fn keep_to(&mut self, room: Tokens, counter: &dyn CountTokens) {
        if self.cost() <= room {
            return;
        }
        let results: Tokens = self.results.iter().map(Counted::cost).sum();
        let for_calls = room.saturating_sub(results.min(Tokens(room.0 / 2)));
        let over = self.asks.cost().saturating_sub(for_calls);
        self.asks_leave_out(over, counter);
        // Without it servers refuse the request, or think no more: everything else goes before.
        if self.asks.cost() + self.fixed() > room {
            self.leave_out_sealed(counter);
        }
        self.share(room.saturating_sub(self.asks.cost()), counter);
    }

    /// The longest arguments go first, then the reasoning, which stays there empty because servers demand its
    /// field, then what was said beside the calls.
    fn asks_leave_out(&mut self, over: Tokens, counter: &dyn CountTokens) -> Tokens {
        if over == Tokens(0) {
            return over;
        }
        let (before, needed) = (self.asks.cost(), over);
        let mut over = over;
        let mut calls: Vec<_> = self.asks.message.calls.iter_mut().collect();
        calls.sort_by_key(|call| Reverse(call.arguments.len()));
        let short = counter.count(ARGUMENTS_LEFT_OUT);
        for call in calls {
            let long = counter.count(&call.arguments);
            if over == Tokens(0) || long <= short {
                break;
            }
            ARGUMENTS_LEFT_OUT.clone_into(&mut call.arguments);
            over = over.saturating_sub(long.saturating_sub(short));
        }
        for value in self.asks.message.replay.values_mut() {
            if let (Value::String(text), true) = (value, over > Tokens(0)) {
                over = over.saturating_sub(counter.count(text));
                text.clear();
            }
        }
        self.asks = Counted::of(self.asks.message.clone(), counter);
        self.asks.put_if_over(over, TEXT_LEFT_OUT, counter);
        needed.saturating_sub(before.saturating_sub(self.asks.cost()))
    }

    /// What it costs when all has been left out of it but what is sealed.
    pub(super) fn least(&self, counter: &dyn CountTokens) -> Tokens {
        let mut least = self.clone();
        least.leave_out(Tokens(u64::MAX), counter);
        least.cost()
    }

    /// What its results cost beside their contents.
    fn fixed(&self) -> Tokens {
        self.results.iter().map(|result| result.cost().saturating_sub(result.content())).sum()
    }

    /// What cannot be shortened, because only the server can read it, leaves as a whole.
    fn leave_out_sealed(&mut self, counter: &dyn CountTokens) {
        let asks = &mut self.asks.message;
        asks.replay.retain(|_, value| value.is_string());
        asks.calls.iter_mut().for_each(|call| call.extra.clear());
        self.asks = Counted::of(asks.clone(), counter);
    }

    /// The results share a room fairly: none is cut below an equal share of it, and what short ones leave goes
    /// to the long ones.
    fn share(&mut self, room: Tokens, counter: &dyn CountTokens) {
        let mut left = room.saturating_sub(self.fixed()).0;
        let mut results: Vec<_> = self.results.iter_mut().collect();
        results.sort_by_key(|result| result.content());
        for (to_come, result) in (1..=results.len() as u64).rev().zip(results) {
            let share = Tokens(left / to_come);
            if result.content() > share {
                let cut = cut(&result.message.content, share, counter);
                result.put(cut, counter);
            }
            left = left.saturating_sub(result.content().0);
        }
    }
}

/// A result within a room, with a word on how to read the rest; nothing where there is no room for a word.
fn cut(result: &str, room: Tokens, counter: &dyn CountTokens) -> String {
    let forms = [sandwich(result, RESULT_CUT, room, counter), "[cut]".to_owned()];
    forms.into_iter().find(|form| counter.count(form) <= room).unwrap_or_default()
}
