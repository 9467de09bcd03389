//! Topics and summaries by a model, where somebody wants one to be asked. What it is sent can be measured before, and
//! what it does not answer is made without it.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use futures_util::future::FutureExt as _;
use futures_util::stream::{self, StreamExt as _};

use super::conversation::Conversation;
use super::phases::{Phase, given};
use crate::lines::one_line;
use crate::llm::{Event, EventStream, Message, Model, ModelInfo, Purpose, Request, Role};
use crate::lock::locked;
use crate::memory::CountTokens;
use crate::prompt;

/// Characters of each message that are sent to find the topics.
const WORDS: usize = 160;

/// Turns of one such request.
const TURNS: usize = 150;

/// Requests in a row that fail before no more are sent: a server that is gone need not be waited for each time.
const MOST_FAILURES: u64 = 3;

/// What was asked of a model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asked {
    /// Requests.
    pub requests: u64,
    /// Tokens of these, about.
    pub tokens: u64,
    /// Requests that led to nothing.
    pub failed: u64,
    /// Why the first of these did.
    pub why: Option<String>,
    /// Failures since the last answer.
    in_a_row: u64,
}

impl Asked {
    /// So many requests of so many tokens that are yet to be sent.
    pub fn about(requests: u64, tokens: u64) -> Self {
        Self { requests, tokens, ..Self::default() }
    }

    /// Whether it was asked and no request led to anything.
    pub fn is_in_vain(&self) -> bool {
        self.failed > 0 && self.failed >= self.requests
    }

    fn fail(&mut self, why: String) {
        self.failed += 1;
        self.in_a_row += 1;
        self.why.get_or_insert(why);
    }
}

/// A model whose place another one takes where it fails; and how often it was asked.
pub struct WithFallback {
    model: Option<Arc<dyn Model>>,
    fallback: Arc<dyn Model>,
    counter: Arc<dyn CountTokens>,
    asked: Arc<Mutex<Asked>>,
}

impl WithFallback {
    /// Asks `model` first; without one only what it would be asked is measured.
    pub fn new(
        model: Option<Arc<dyn Model>>,
        fallback: Arc<dyn Model>,
        counter: Arc<dyn CountTokens>,
    ) -> Self {
        Self { model, fallback, counter, asked: Arc::default() }
    }

    /// What was asked so far.
    pub fn asked(&self) -> Asked {
        locked(&self.asked).clone()
    }

    fn cost(&self, request: &Request) -> u64 {
        let texts = request.messages.iter().flat_map(|message| {
            [Some(&*message.content), message.memory.as_deref()].into_iter().flatten()
        });
        let tools =
            request.tools.as_ref().map_or(0, |tools| self.counter.count(&tools.to_string()).0);
        tools + texts.map(|text| self.counter.count(text).0).sum::<u64>()
    }
}

impl Model for WithFallback {
    fn info(&self) -> ModelInfo {
        self.model.as_ref().unwrap_or(&self.fallback).info()
    }

    fn stream(&self, request: Request) -> EventStream {
        let cost = self.cost(&request);
        let is_asked = {
            let mut asked = locked(&self.asked);
            asked.requests += 1;
            asked.tokens += cost;
            asked.in_a_row < MOST_FAILURES
        };
        let Some(model) = &self.model else { return self.fallback.stream(request) };
        if !is_asked {
            locked(&self.asked).failed += 1;
            return self.fallback.stream(request);
        }
        let (events, fallback) = (model.stream(request.clone()), Arc::clone(&self.fallback));
        let asked = Arc::clone(&self.asked);
        let answered = async move {
            match whole(events).await {
                Ok(events) => {
                    locked(&asked).in_a_row = 0;
                    stream::iter(events.into_iter().map(Ok)).boxed()
                }
                Err(why) => {
                    locked(&asked).fail(why);
                    fallback.stream(request)
                }
            }
        };
        Box::pin(answered.flatten_stream())
    }

    fn foretell(&self, message: &str) {
        self.model.as_ref().unwrap_or(&self.fallback).foretell(message);
    }
}

/// The events of an answer with words, or why there is none.
async fn whole(mut events: EventStream) -> Result<Vec<Event>, String> {
    let mut all = Vec::new();
    while let Some(event) = events.next().await {
        let event = event.map_err(|error| error.to_string())?;
        if let Event::Done(completion) = &event {
            let short = completion.finish.unfit().map(|why| format!("the answer {why}"));
            let empty =
                completion.text.trim().is_empty().then(|| "the answer was empty".to_owned());
            if let Some(why) = short.or(empty) {
                return Err(why);
            }
            all.push(event);
            return Ok(all);
        }
        all.push(event);
    }
    Err("the answer ended early".to_owned())
}

/// What a model is asked to find the topics in a stretch of turns, which the answer numbers from 1.
///
/// # Errors
/// What was said cannot be read.
pub fn ask_for_topics(talk: &Conversation, stretch: Range<usize>) -> io::Result<Request> {
    let line = |(nth, turn): (usize, usize)| {
        let said: String = one_line(&talk.user(turn)?).chars().take(WORDS).collect();
        Ok(format!("{nth}: {said}\n"))
    };
    let lines: String = (1..).zip(stretch).map(line).collect::<io::Result<_>>()?;
    let role = |word: &str| if word == "system" { Role::System } else { Role::User };
    let prompt = prompt::topics(&lines).into_iter();
    let messages = prompt.map(|(word, text)| Message::text(role(word), text)).collect();
    Ok(Request::plain(Purpose::Summarize, messages))
}

/// Stretches as they are asked for: none of too many turns.
pub fn in_requests(stretches: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let parts = |stretch: Range<usize>| {
        let starts = stretch.clone().step_by(TURNS);
        starts.map(move |from| from..stretch.end.min(from + TURNS)).collect::<Vec<_>>()
    };
    stretches.into_iter().flat_map(parts).collect()
}

/// The topics that an answer names in a stretch of turns.
///
/// # Errors
/// The model fails, or its answer names none that make sense.
pub async fn topics(
    model: &dyn Model,
    talk: &Conversation,
    stretch: Range<usize>,
) -> Result<Vec<Phase>, String> {
    let request = ask_for_topics(talk, stretch.clone()).map_err(|reason| reason.to_string())?;
    let events = whole(model.stream(request)).await?;
    let said = events.iter().find_map(|event| match event {
        Event::Done(completion) => Some(completion.text.as_str()),
        _ => None,
    });
    let is_phase = |line: &&str| line.trim().starts_with(|sign: char| sign.is_ascii_digit());
    let lines: Vec<&str> = said.unwrap_or_default().lines().filter(is_phase).collect();
    let found = given(&lines.join("\n"), stretch.len()).map_err(|error| error.to_string())?;
    if found.is_empty() {
        return Err("the answer names no topic".to_owned());
    }
    let there = |phase: Phase| Phase {
        from: phase.from + stretch.start,
        to: phase.to + stretch.start,
        ..phase
    };
    Ok(found.into_iter().map(there).collect())
}
