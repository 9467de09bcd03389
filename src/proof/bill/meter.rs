//! A model that says what a script tells it to, and keeps the bill of every request as it goes out.

use std::sync::{Arc, Mutex, MutexGuard};

use futures_util::StreamExt;
use serde_json::Value;

use super::floor::Took;
use super::parts::{Part, Parts, sections};
use super::price::KINDS;
use crate::bill::{Bill, CacheKind, PrefixCache, Prompt, Purpose, Said};
use crate::llm::scripted::Scripted;
use crate::llm::{self, Event, EventStream, Model, ModelInfo, Request, wire_body};
use crate::lock::locked;
use crate::memory::{CountTokens, Tokens};

/// Where the memory block stands in what is billed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// As it was sent.
    AsSent,
    /// In front of the logs, in the system message.
    InFront,
}

/// A request, and how far its beginning was that of an earlier one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// The turn.
    pub turn: u64,
    /// The word for what it was for.
    pub purpose: &'static str,
    /// Tokens of the prompt.
    pub prompt: u64,
    /// Tokens at the prompt's unchanged beginning.
    pub unchanged: u64,
    /// How the first message begins that is not unchanged as a whole.
    pub changed_at: String,
}

/// The model.
#[derive(Clone)]
pub(super) struct Meter {
    script: Scripted,
    ledger: Arc<Mutex<Ledger>>,
}

/// What has been paid.
pub(super) struct Ledger {
    counter: Arc<dyn CountTokens>,
    placement: Placement,
    /// Tokens below which the caches keep nothing.
    least: u64,
    caches: [PrefixCache; 2],
    /// A bill for each of [`KINDS`].
    pub(super) bills: [Bill; 2],
    /// Tokens of answers, replies included.
    pub(super) output: u64,
    /// Tokens of messages that were held by reference.
    pub(super) held: u64,
    /// Those of the turn under way, but for those to compressions.
    needed: u64,
    /// Tokens of system prompt and tools.
    fixed: u64,
    /// Chat requests of this turn so far.
    asked: u32,
    pub(super) sent: Vec<Sent>,
    /// Of what all tokens were.
    pub(super) parts: Parts,
}

impl Meter {
    pub(super) fn new(
        script: Scripted,
        placement: Placement,
        counter: Arc<dyn CountTokens>,
    ) -> Self {
        let ledger = Ledger {
            counter,
            placement,
            least: 0,
            caches: KINDS.map(|_| PrefixCache::new(u64::MAX)),
            bills: KINDS.map(|_| Bill::default()),
            output: 0,
            held: 0,
            needed: 0,
            fixed: 0,
            asked: 0,
            sent: Vec::new(),
            parts: Parts::default(),
        };
        Self { script, ledger: Arc::new(Mutex::new(ledger)) }
    }

    /// The same with caches that keep nothing below so many tokens.
    pub(super) fn from(self, least: u64) -> Self {
        let mut ledger = self.ledger();
        ledger.least = least;
        ledger.caches.iter_mut().for_each(|cache| cache.set_least(least));
        drop(ledger);
        self
    }

    pub(super) fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // Sums that are a request short are no reason to lose the run.
        locked(&self.ledger)
    }
}

impl Model for Meter {
    fn info(&self) -> ModelInfo {
        self.script.info()
    }

    fn answers(&self, purpose: llm::Purpose) -> bool {
        self.script.answers(purpose)
    }

    fn stream(&self, request: Request) -> EventStream {
        self.ledger().send(&request);
        let is_needed = request.purpose != llm::Purpose::Compress;
        let meter = self.clone();
        Box::pin(self.script.stream(request).inspect(move |event| {
            if let Ok(Event::Done(answer)) = event {
                let mut ledger = meter.ledger();
                let calls = answer.calls.iter().map(|call| &call.arguments);
                let output: u64 = calls.chain([&answer.text]).map(|text| ledger.count(text)).sum();
                ledger.output += output;
                ledger.needed += if is_needed { output } else { 0 };
            }
        }))
    }
}

/// Up to which token each message goes, and how it begins.
type Borders = Vec<(u64, String)>;

/// What each part of a request is, and up to which token it goes.
type Pieces = Vec<(Part, u64)>;

impl Ledger {
    /// The turn ended well; a message of more than so many tokens was held by reference. Returns what it took.
    pub(super) fn end_turn(&mut self, user: &str, reply: &str, limit: Tokens) -> Took {
        let (user, reply) = (self.count(user), self.count(reply));
        for (bill, cache) in self.bills.iter_mut().zip(KINDS) {
            // The answer that holds the reply costs all sides the same and is left out.
            let (fixed, least) = (self.fixed, self.least);
            let said = Said { user, reply, fixed, cache, least, ..Said::default() };
            bill.end_turn(&said);
        }
        self.asked = 0;
        let output = std::mem::take(&mut self.needed).saturating_sub(reply);
        let is_held = user > limit.0;
        let (said, held) = if is_held { (0, user) } else { (user, 0) };
        self.held += held;
        Took { fixed: self.fixed, said: [said, reply], held, output }
    }

    fn send(&mut self, request: &Request) {
        let purpose = self.purpose(request.purpose);
        let (prompt, borders, pieces) = self.prompt(request);
        for (at, kind) in KINDS.into_iter().enumerate() {
            let paid = self.caches[at].send(&prompt, kind, 0);
            self.bills[at].record(purpose, paid);
            if kind == CacheKind::Prefix {
                self.parts.add(purpose.as_str(), &pieces, paid.read);
                let changed_at = borders.iter().find(|(upto, _)| *upto > paid.read);
                self.sent.push(Sent {
                    turn: self.bills[at].turns() + 1,
                    purpose: purpose.as_str(),
                    prompt: paid.prompt(),
                    unchanged: paid.read,
                    changed_at: changed_at.map(|(_, text)| text.clone()).unwrap_or_default(),
                });
            }
        }
    }

    fn purpose(&mut self, purpose: llm::Purpose) -> Purpose {
        match purpose {
            llm::Purpose::Summarize => Purpose::Summary,
            llm::Purpose::Compress => Purpose::Compression,
            llm::Purpose::Chat | llm::Purpose::Compare => {
                self.asked += 1;
                if self.asked == 1 { Purpose::Chat } else { Purpose::ToolRound }
            }
        }
    }

    /// The request as it goes out: tools, then messages. Beside it, up to which token each message goes
    /// and how it begins, and the same of each part.
    fn prompt(&mut self, request: &Request) -> (Prompt, Borders, Pieces) {
        let request = placed(request, self.placement);
        let body = wire_body(&request, "scripted");
        let mut prompt = Prompt::for_model(body["model"].as_str().unwrap_or_default());
        let (mut borders, mut pieces) = (Vec::new(), Vec::new());
        if let Some(tools) = body.get("tools") {
            self.push(&mut prompt, &tools.to_string());
            prompt.mark();
        }
        let wire = body["messages"].as_array().map(Vec::as_slice).unwrap_or_default();
        let newest = request.messages.iter().rposition(|message| message.role == llm::Role::User);
        for (nth, (message, fields)) in request.messages.iter().zip(wire).enumerate() {
            if newest == Some(nth) {
                prompt.mark();
            }
            prompt.push(format!("\n<{}>", message.role.as_str()).as_bytes(), 0);
            for (part, text) in sections(message.memory.as_deref().unwrap_or_default()) {
                self.push(&mut prompt, text);
                pieces.push((part, prompt.tokens()));
            }
            self.push_fields(&mut prompt, message, fields);
            if nth == 0 {
                prompt.mark();
                self.fixed = if self.fixed == 0 { prompt.tokens() } else { self.fixed };
            }
            let part = self.part_of(&request, nth, newest);
            pieces.push((part, prompt.tokens()));
            let shown: String = message.content.chars().take(48).collect();
            borders.push((prompt.tokens(), format!("{}: {shown}", message.role.as_str())));
        }
        prompt.mark();
        (prompt, borders, pieces)
    }

    fn part_of(&mut self, request: &Request, nth: usize, newest: Option<usize>) -> Part {
        let (message, is_own) = (&request.messages[nth], request.purpose != llm::Purpose::Chat);
        match newest.map(|newest| nth.cmp(&newest)) {
            _ if request.tools.is_none() => Part::Asked,
            _ if nth == 0 => Part::Fixed,
            Some(std::cmp::Ordering::Less) => self.parts.of_front(message.role, &message.content),
            Some(std::cmp::Ordering::Equal) if is_own => Part::Asked,
            Some(std::cmp::Ordering::Equal) => self.parts.of_newest(&message.content),
            _ => Part::Rounds,
        }
    }

    /// The words of a message, then its calls.
    fn push_fields(&self, prompt: &mut Prompt, message: &llm::Message, fields: &Value) {
        self.push(prompt, &message.content);
        let Some(fields) = fields.as_object() else { return };
        for (key, value) in fields {
            if !["role", "content"].contains(&key.as_str()) {
                self.push(prompt, &value.to_string());
            }
        }
    }

    fn push(&self, prompt: &mut Prompt, text: &str) {
        let tokens = self.count(text);
        prompt.push(text.as_bytes(), tokens);
    }

    fn count(&self, text: &str) -> u64 {
        self.counter.count(text).0
    }
}

/// The request with its memory block where it is to stand.
fn placed(request: &Request, placement: Placement) -> Request {
    let mut request = request.clone();
    if placement == Placement::AsSent {
        return request;
    }
    let block = request.messages.iter_mut().find_map(|message| message.memory.take());
    if let (Some(block), Some(system)) = (block, request.messages.first_mut()) {
        system.content = format!("{}{block}", system.content).into();
    }
    request
}
