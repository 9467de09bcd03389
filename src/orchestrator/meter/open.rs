//! A request that is counted while its answer comes.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;

use super::Meter;
use crate::bill::{CacheKind, Paid, Prompt, Purpose};
use crate::llm::{Completion, Error, Event, EventStream, Usage};

/// More tokens of an answer than any model gives, hidden reasoning included.
const MOST_OUTPUT: u64 = 1_000_000;

/// How far a request has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Nobody has waited for it yet, so it has not gone out.
    Unsent,
    /// It is on its way, or the server reads it.
    Sent,
    /// The server refused it or could not be reached; it is tried again.
    Refused,
    /// Something of an answer came.
    Answered,
}

/// A request under way.
pub(super) struct Open {
    pub(super) meter: Meter,
    pub(super) model: String,
    pub(super) purpose: Purpose,
    pub(super) messages: u64,
    /// What it takes if the server does not say.
    pub(super) guessed: Paid,
    /// Tokens of its beginning that went out so lately that a cache still holds them.
    pub(super) lately: u64,
    /// Those that went out before, however long ago, where the cache is taken for cold.
    pub(super) before: u64,
    /// Whether the request before it went out so lately that a cache still holds it, if there was one.
    pub(super) is_soon: Option<bool>,
    /// The prompt, the cache it goes to and when it went out, until the server has begun to answer.
    pub(super) unread: Option<(Prompt, CacheKind, u64)>,
    pub(super) reach: Reach,
    /// What came of the answer.
    pub(super) heard: String,
    /// What the server told of tokens before the answer was whole.
    pub(super) told: Option<Usage>,
}

impl Open {
    /// The server has begun to answer: its cache holds the prompt from now on.
    fn answered(&mut self) {
        self.reach = Reach::Answered;
        if let Some((prompt, kind, at)) = self.unread.take() {
            let mut state = self.meter.state();
            if self.is_of_the_chat() {
                (state.last, state.chats) = (Some(at), Some(self.model.clone()));
            }
            state.cache.keep(&prompt, kind, at);
        }
    }

    /// Whether full history would have sent it too.
    pub(super) fn is_of_the_chat(&self) -> bool {
        matches!(self.purpose, Purpose::Chat | Purpose::ToolRound)
    }

    /// So many of its tokens, as the server counts that has counted it so.
    pub(super) fn in_its_tokens(&self, tokens: u64, prompt: u64) -> u64 {
        let part = Paid { read: tokens, ..Paid::default() }.of_prompt(self.guessed.prompt());
        part.scaled_to(prompt).read
    }

    /// Whether a server charges for it that was dropped: it may have read the prompt of whoever stopped waiting,
    /// but what is left behind when a session closes was hardly begun.
    fn is_charged(&self) -> bool {
        match self.reach {
            Reach::Unsent | Reach::Refused => false,
            Reach::Sent => self.purpose != Purpose::Compression,
            Reach::Answered => true,
        }
    }

    fn end(&self, completion: Option<&Completion>) {
        // Of an answer that broke off what was told before.
        let usage = completion.map_or(self.told, |completion| completion.usage);
        let is_told = usage.is_some_and(|usage| (1..=MOST_OUTPUT).contains(&usage.completion));
        let counted = (!is_told).then(|| self.output(completion));
        self.meter.state().end(self, completion.is_none(), usage, counted);
    }

    /// Tokens of an answer that nobody has counted.
    fn output(&self, completion: Option<&Completion>) -> u64 {
        let count = |text: &str| self.meter.counter.count(text).0;
        let Some(completion) = completion else { return count(&self.heard) };
        let calls: u64 = completion.calls.iter().map(|call| count(&call.arguments)).sum();
        count(&completion.text) + count(&completion.reasoning) + calls
    }
}

/// The events of a request that is counted. One that is dropped was stopped.
pub(super) struct CountedStream {
    pub(super) events: EventStream,
    pub(super) open: Option<Open>,
}

impl CountedStream {
    fn see(&mut self, item: &Result<Event, Error>) {
        let Some(open) = &mut self.open else { return };
        match item {
            Ok(Event::Text(text) | Event::Reasoning(text)) => {
                open.answered();
                open.heard.push_str(text);
            }
            // A call that began has been paid for, also if nothing more came of it.
            Ok(Event::ToolCallStarted { name }) => {
                open.answered();
                open.heard.push_str(name);
            }
            Ok(Event::Done(completion)) => {
                open.answered();
                open.end(Some(completion));
                self.open = None;
            }
            // An answer without words was one all the same.
            Err(Error::Empty { usage: Some(usage), .. }) => {
                open.answered();
                let completion = Completion { usage: Some(*usage), ..Completion::default() };
                open.end(Some(&completion));
                self.open = None;
            }
            // A server that refused has read nothing that it charges for.
            Err(_) => {
                if open.reach == Reach::Answered {
                    open.end(None);
                }
                self.open = None;
            }
            Ok(Event::Usage(usage)) => open.told = Some(*usage),
            Ok(Event::Retrying { .. }) => (open.reach, open.told) = (Reach::Refused, None),
            Ok(Event::Notice(_) | Event::WithoutTools) => {}
        }
    }
}

impl Stream for CountedStream {
    type Item = Result<Event, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(open) = self.open.as_mut().filter(|open| open.reach == Reach::Unsent) {
            open.reach = Reach::Sent;
        }
        let polled = self.events.as_mut().poll_next(context);
        if let Poll::Ready(Some(item)) = &polled {
            self.see(item);
        }
        polled
    }
}

impl Drop for CountedStream {
    fn drop(&mut self) {
        if let Some(open) = self.open.take().filter(Open::is_charged) {
            open.end(None);
        }
    }
}
