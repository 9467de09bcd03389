//! Memory's own requests, for summaries and compressions: behind the chat's where that pays, with the same tools and
//! messages, then an instruction, so that a server need not read again what it has read.

use std::sync::Arc;

use super::assemble;
use super::driver::Driver;
use super::gatekeeper::first_words;
use super::notice::Notice;
use super::turn::Progress;
use crate::llm::{self, Purpose, Request};
use crate::memory::{Archived, CountTokens, EffortId, Message, Source, Tokens, Window, WindowItem};
use crate::prompt::{self, Named};

/// What is read again from a cache costs about so many times less than what is new.
pub(super) const READ_AGAIN: u64 = 10;

/// The most tokens that are compressed with one request, where that extends the chat's.
const MOST_BEHIND: u64 = 12_000;

/// Runs of messages that such a request can name without confusion.
pub(super) const MOST_RUNS: usize = 4;

/// A request that memory makes for itself.
#[derive(Clone)]
pub(super) struct OwnRequest {
    messages: Vec<llm::Message>,
    /// The message that holds the instructions.
    instructions: usize,
    pub(super) cost: Tokens,
    /// It begins as the chat's requests do, with the same tools.
    extends_chat: bool,
}

impl OwnRequest {
    /// A prompt of its own.
    pub(super) fn alone(prompt: Vec<(&'static str, String)>, counter: &dyn CountTokens) -> Self {
        let cost = prompt.iter().map(|(_, text)| counter.count(text)).sum();
        let messages = assemble::prompt_messages(prompt);
        Self { messages, instructions: 0, cost, extends_chat: false }
    }

    /// The front of a window, then these words.
    pub(super) fn behind(window: &Window, words: String, counter: &dyn CountTokens) -> Self {
        let cost = front_cost(window) + counter.count(&words);
        let mut messages = assemble::front_messages(window);
        messages.push(llm::Message::text(llm::Role::User, words));
        Self { instructions: messages.len() - 1, messages, cost, extends_chat: true }
    }

    /// The same when its answer was too long.
    pub(super) fn shorter(mut self, counter: &dyn CountTokens) -> Self {
        let instructions = &mut self.messages[self.instructions].content;
        let words: Arc<str> = prompt::shorter(instructions).into();
        self.cost += counter.count(&words).saturating_sub(counter.count(instructions));
        *instructions = words;
        self
    }

    /// It as it goes out.
    pub(super) fn request(
        &self,
        purpose: Purpose,
        temperature: Option<f32>,
        model: Option<String>,
    ) -> Request {
        let tools = self.extends_chat.then(crate::tools::definitions);
        let messages = self.messages.clone();
        Request { tools, temperature, model, ..Request::plain(purpose, messages) }
    }
}

/// Whether a request reads what the chat's cache holds: one of the chat, or one of memory's that extends it. Those have its
/// tools; a prompt of its own and another model's have none.
pub(super) fn keeps_warm(request: &Request) -> bool {
    request.purpose == Purpose::Chat || request.tools.is_some()
}

impl Driver {
    /// The most tokens of a request of memory's own to this model, or to the one that chats.
    pub(super) fn allowed(&self, name: Option<&str>) -> Tokens {
        self.allowance.of(&*self.model, name, self.memory.rules().limit())
    }

    /// Remembers where the refusal of such a request says how much less the model takes. What the chat's own takes the chat
    /// keeps to as well.
    pub(super) fn keep_allowed(
        &mut self,
        name: Option<&str>,
        refusal: &llm::Error,
        sent: Tokens,
        progress: &mut Progress,
    ) {
        let own = self.model.info().name;
        let name = name.unwrap_or(&own);
        let Some(told) = self.allowance.learn(name, refusal, sent) else { return };
        if *name != own || !self.keeps_to(refusal, sent, progress) {
            self.notify(Notice::Info(told));
        }
    }

    /// Whether a request of memory's own may extend the chat's: the same model answers it, and a server still holds
    /// what it has read.
    pub(super) fn extends_chat(&self, model: Option<&str>) -> bool {
        let is_same = model.is_none_or(|name| name == self.model.info().name);
        is_same && (self.under_way.is_some() || !self.is_cache_cold())
    }

    /// A request for all of it that extends the chat's, where the same model answers both and that costs less than
    /// to send the messages again.
    pub(super) fn compression_behind_chat(&self, archived: &Archived) -> Option<OwnRequest> {
        let tokens = archived.tokens();
        let may = self.extends_chat(self.settings.compression_model());
        if !may || tokens.0 > MOST_BEHIND {
            return None;
        }
        let counter = self.memory.counter();
        // A server on one's own machine holds one prompt; others hold the one before it, too, and what was left out
        // in this turn stands there.
        let earlier = self.requests.of_turn_before.iter().filter(|_| self.prices().cached > 0.0);
        let windows = self.requests.last.iter().chain(earlier);
        let behind = windows.map(|window| {
            let above = Above::find(window, archived.id(), archived.messages());
            let read = Tokens(front_cost(window).0 / READ_AGAIN);
            (read + above.missing_cost(), window, above)
        });
        let few = behind.filter(|(cost, _, above)| above.runs.len() <= MOST_RUNS && *cost < tokens);
        let (_, window, above) = few.min_by_key(|(cost, ..)| *cost)?;
        let runs: Vec<Named> = above.runs.iter().filter_map(|run| named(run)).collect();
        let words = prompt::compress_above(
            archived.id().as_str(),
            &runs,
            above.told(),
            archived.target().0,
        );
        let request = OwnRequest::behind(window, words, &*counter);
        (request.cost <= self.allowed(self.settings.compression_model())).then_some(request)
    }
}

/// Neighbouring messages, as a request names them.
pub(super) fn named(run: &[WindowItem]) -> Option<Named> {
    let beginning = |item: &WindowItem| first_words(&item.content);
    Some((run.len(), beginning(run.first()?), beginning(run.last()?)))
}

/// What the front of a window costs.
pub(super) fn front_cost(window: &Window) -> Tokens {
    window.front().iter().map(|item| item.tokens).sum()
}

/// Messages of an open log, as far as they stand in the front of a window.
pub(super) struct Above<'a> {
    /// Those that stand there word for word, in runs of neighbours.
    pub(super) runs: Vec<&'a [WindowItem]>,
    /// The others, with their places among the messages that were looked for.
    pub(super) missing: Vec<(usize, &'a Message)>,
}

impl<'a> Above<'a> {
    /// Looks for messages of a log, in its order.
    pub(super) fn find(
        window: &'a Window,
        log: &EffortId,
        messages: impl Iterator<Item = &'a Message>,
    ) -> Self {
        let (front, source) = (window.front(), Source::Open(log.clone()));
        let (mut above, mut next, mut from) = (Self { runs: vec![], missing: vec![] }, 0, 0);
        for (nth, message) in messages.enumerate() {
            let is_it = |item: &WindowItem| {
                item.source == source
                    && (item.role, &item.content) == (message.role, &message.content)
            };
            let Some(ahead) = front[next..].iter().position(is_it) else {
                above.missing.push((nth, message));
                continue;
            };
            let at = next + ahead;
            match above.runs.last_mut() {
                Some(run) if at == next => *run = &front[from..=at],
                _ => {
                    from = at;
                    above.runs.push(&front[at..=at]);
                }
            }
            next = at + 1;
        }
        above
    }

    /// The messages that are not there, as they are told.
    pub(super) fn told(&self) -> Option<String> {
        let told = |(_, message): &(usize, &Message)| {
            format!("{}: {}", message.role.as_str(), message.content.trim())
        };
        let told: Vec<String> = self.missing.iter().map(told).collect();
        (!told.is_empty()).then(|| told.join("\n\n"))
    }

    /// What the messages that are not there cost.
    pub(super) fn missing_cost(&self) -> Tokens {
        self.missing.iter().map(|(_, message)| message.tokens).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_request_that_begins_as_the_chats_do_keeps_its_cache_warm() {
        let plain = |purpose| Request::plain(purpose, Vec::new());
        assert!(keeps_warm(&plain(Purpose::Chat)), "also where it has no tools");
        assert!(!keeps_warm(&plain(Purpose::Summarize)));
        let extending =
            Request { tools: Some(crate::tools::definitions()), ..plain(Purpose::Summarize) };
        assert!(keeps_warm(&extending));
    }
}
