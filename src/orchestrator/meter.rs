//! Counts what every request takes, whoever sends it: it stands in front of the model.

mod metered;
mod open;
mod pushed;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::Value;

pub(super) use self::metered::Metered;
use self::open::{CountedStream, Open, Reach};
use self::pushed::{push, push_message};
use crate::bill::{CacheKind, Kept, Looked, Paid, PrefixCache, Prompt, Purpose};
use crate::clock;
use crate::llm::{self, Embedder, EventStream, Message, Model, ModelInfo, Request, Role, Usage};
use crate::lock::locked;
use crate::memory::CountTokens;
use crate::store::StoredBill;

/// Takes what requests took.
#[derive(Clone)]
pub(super) struct Meter {
    state: Arc<Mutex<State>>,
    counter: Arc<dyn CountTokens>,
}

struct State {
    cache: PrefixCache,
    kind: CacheKind,
    /// Seconds for which a cache keeps what it holds.
    lifetime: u64,
    /// Tokens of the request of a turn that goes out next, as counted by whoever made it.
    next: Option<u64>,
    /// Models whose server has said once what came from its cache; from then on its silence means nothing did.
    tells_cache: BTreeSet<String>,
    /// When the last request of the chat went out or was over, in seconds since 1970. What memory alone asks keeps the
    /// cache of a full history no warmer.
    last: Option<u64>,
    /// The model that the chat was last answered by.
    chats: Option<String>,
    /// When the last request of this run was over.
    last_over: Option<String>,
    /// The pause before the turn was longer than a cache keeps what it holds.
    is_cold: bool,
    /// The same of the turn that comes next, where it is told again.
    comes_cold: bool,
    /// What the last request of the chat began with.
    front: Option<Front>,
    over: Vec<Metered>,
}

/// The tools and the system prompt, with which a model's requests of the chat begin.
struct Front {
    model: String,
    tools: Arc<Value>,
    system: Arc<str>,
    prompt: Prompt,
}

impl Meter {
    /// A meter for a session with such a bill.
    pub(super) fn new(counter: Arc<dyn CountTokens>, lifetime: u64, bill: &StoredBill) -> Self {
        let mut cache = PrefixCache::new(lifetime);
        cache.restore(bill.sent.clone(), bill.last.unwrap_or(0));
        let state = State {
            cache,
            kind: CacheKind::default(),
            lifetime,
            next: None,
            tells_cache: BTreeSet::new(),
            last: bill.last,
            chats: bill.model.clone(),
            last_over: None,
            is_cold: false,
            comes_cold: false,
            front: None,
            over: Vec::new(),
        };
        Self { state: Arc::new(Mutex::new(state)), counter }
    }

    /// The same model, with every request counted.
    pub(super) fn before(&self, model: Arc<dyn Model>) -> Arc<dyn Model> {
        Arc::new(Counted { model, meter: self.clone() })
    }

    /// The next request of a turn has so many tokens, and goes to a server with a cache that keeps what it
    /// holds for so many seconds.
    pub(super) fn expect(&self, tokens: u64, kind: CacheKind, lifetime: u64) {
        let mut state = self.state();
        (state.next, state.kind, state.lifetime) = (Some(tokens), kind, lifetime);
        state.cache.set_lifetime(lifetime);
    }

    /// That cache keeps nothing that has fewer tokens.
    pub(super) fn expect_least(&self, tokens: u64) {
        self.state().cache.set_least(tokens);
    }

    /// The requests that are over, in the order in which they ended.
    pub(super) fn take(&self) -> Vec<Metered> {
        std::mem::take(&mut self.state().over)
    }

    /// The model that the chat was last answered by.
    pub(super) fn last_answered_by(&self) -> Option<String> {
        self.state().chats.clone()
    }

    /// Whether the last turn began after a pause in which a cache forgets.
    pub(super) fn is_cold(&self) -> bool {
        self.state().is_cold
    }

    /// The turn that comes next came, where it was said, after a pause in which a cache forgets.
    pub(super) fn forget(&self) {
        let mut state = self.state();
        state.cache.forget();
        state.comes_cold = true;
    }

    /// Whether the chat was last answered by another model than this one, whose cache is another.
    pub(super) fn is_new(&self, model: &str) -> bool {
        self.state().chats.as_ref().is_some_and(|last| last != model)
    }

    /// When the last request was over, and what a cache holds of it; `None` if there was none in this run.
    pub(super) fn last_sent(&self) -> Option<(String, Vec<u64>)> {
        let state = self.state();
        let at = state.last_over.clone()?;
        Some((at, state.cache.last_sent().to_vec()))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        locked(&self.state)
    }

    fn begin(&self, request: &Request, model: &str) -> Open {
        let now = clock::seconds();
        let model = request.model.clone().unwrap_or_else(|| model.to_owned());
        let purpose = purpose_of(request);
        let mut state = self.state();
        let state = &mut *state;
        let prompt = state.prompt(request, &model, &*self.counter);
        let tokens = state.next.take_if(|_| request.purpose != llm::Purpose::Compress);
        let is_other = state.chats.as_ref().is_some_and(|last| *last != model);
        if purpose == Purpose::Chat {
            let is_late = |last: u64| now.saturating_sub(last) > state.lifetime;
            let is_told = std::mem::take(&mut state.comes_cold);
            state.is_cold = is_told || is_other || state.last.is_none_or(is_late);
        }
        let kind = state.kind;
        let lately = state.cache.sent_lately(&prompt, kind, now);
        let guessed = state.cache.estimate_of(&prompt, kind, lately);
        let guessed = guessed.of_prompt(tokens.unwrap_or(prompt.tokens()));
        let is_late = purpose == Purpose::Chat && state.is_cold;
        let is_soon = state.last.map(|_| !is_late);
        let is_asked = state.is_cold && !is_other;
        let before = if is_asked { state.sent_before(&prompt, now) } else { 0 };
        let messages = request.messages.iter().filter(|message| message.role != Role::System);
        let messages = messages.count() as u64;
        let unread = Some((prompt, kind, now));
        let (meter, reach) = (self.clone(), Reach::Unsent);
        let (heard, told) = (String::new(), None);
        Open {
            meter,
            model,
            purpose,
            messages,
            guessed,
            lately,
            before,
            is_soon,
            unread,
            reach,
            heard,
            told,
        }
    }
}

impl State {
    /// Tokens of the beginning of a prompt that this session has sent before, however long ago. A cache with marks forgets to
    /// the second: of the system prompt and the tools alone another session may have been the last to send them.
    fn sent_before(&self, prompt: &Prompt, now: u64) -> u64 {
        let front = self.front.as_ref().map_or(0, |front| front.prompt.tokens());
        let shared = if self.kind == CacheKind::Breakpoints { front } else { 0 };
        let before = self.cache.sent_before(prompt, self.kind, now);
        if before > shared { before } else { 0 }
    }

    /// A request as its server's cache sees it: the tools, then each message, with what each costs: of what is read again
    /// and what is not the one may have twice as many bytes for a token as the other. Marks stand behind the system
    /// prompt, before the newest words of the user, and at the end.
    fn prompt(&mut self, request: &Request, model: &str, counter: &dyn CountTokens) -> Prompt {
        let (mut prompt, begun) = match (&request.tools, request.messages.first()) {
            (Some(tools), Some(first)) if first.role == Role::System => {
                (self.front(model, tools, first, counter), 1)
            }
            (tools, _) => {
                let mut prompt = Prompt::for_model(model);
                if let Some(tools) = tools {
                    push(&mut prompt, &tools.to_string(), counter);
                }
                (prompt, 0)
            }
        };
        let newest = request.messages.iter().rposition(|message| message.role == Role::User);
        for (at, message) in request.messages.iter().enumerate().skip(begun) {
            if Some(at) == newest {
                prompt.mark();
            }
            push_message(&mut prompt, message, counter);
        }
        prompt.mark();
        prompt
    }

    /// The tools and the system prompt, which are the same in each request of the chat.
    fn front(
        &mut self,
        model: &str,
        tools: &Arc<Value>,
        system: &Message,
        counter: &dyn CountTokens,
    ) -> Prompt {
        let is_it = |front: &&Front| {
            let is_same = front.model == model && front.system == system.content;
            is_same && Arc::ptr_eq(&front.tools, tools)
        };
        if let Some(front) = self.front.as_ref().filter(is_it) {
            return front.prompt.clone();
        }
        let mut prompt = Prompt::for_model(model);
        push(&mut prompt, &tools.to_string(), counter);
        push_message(&mut prompt, system, counter);
        self.front = Some(Front {
            model: model.to_owned(),
            tools: Arc::clone(tools),
            system: Arc::clone(&system.content),
            prompt: prompt.clone(),
        });
        prompt
    }

    /// A request is over, of which the server told so much, and of whose answer these are our own count.
    fn end(&mut self, open: &Open, is_cut: bool, usage: Option<Usage>, counted: Option<u64>) {
        if open.is_of_the_chat() {
            self.last = Some(clock::seconds());
        }
        // What is told of the answer may be true where what is told of the prompt is not: some leave out what their cache held.
        let output = counted.or(usage.map(|usage| usage.completion)).unwrap_or(0);
        let usage = usage.filter(|usage| is_possible(usage.prompt, open.guessed.prompt()));
        if usage.is_some_and(|usage| usage.cached.is_some()) {
            self.tells_cache.insert(open.model.clone());
        }
        let paid = match usage {
            Some(usage) if self.tells_cache.contains(&open.model) => {
                let cached = usage.cached.unwrap_or(0);
                Paid::reported(usage.prompt, cached, usage.written, output)
            }
            Some(usage) => Paid { output, ..open.guessed.scaled_to(usage.prompt) },
            None => Paid { output, ..open.guessed },
        };
        // What an answer came to that broke off is our own count, if nobody told.
        let paid = Paid { estimated: paid.estimated || is_cut && counted.is_some(), ..paid };
        let tells = usage.is_some_and(|usage| usage.cached.is_some());
        let kept = usage.and_then(|usage| Some(Kept::told(usage.written, usage.hour?)));
        let read = if paid.estimated { 0 } else { paid.read };
        let expected = tells.then(|| open.in_its_tokens(open.lately, paid.prompt()));
        let at = clock::timestamp();
        self.last_over = Some(at.clone());
        self.over.push(Metered {
            at,
            purpose: open.purpose,
            model: open.model.clone(),
            paid,
            kept: kept.unwrap_or_default(),
            is_cut,
            messages: open.messages,
            looked: Looked { prompt: paid.prompt(), read, expected, is_soon: open.is_soon },
            before: open.in_its_tokens(open.before, paid.prompt()),
        });
    }
}

/// Whether a server's count of a prompt can be true beside our own: tokenizers differ by a factor of less than
/// eight, and a small request by what its template adds.
fn is_possible(told: u64, ours: u64) -> bool {
    let reach = |tokens: u64| tokens.saturating_mul(8).saturating_add(4_000);
    told > 0 && told <= reach(ours) && ours <= reach(told)
}

fn purpose_of(request: &Request) -> Purpose {
    match request.purpose {
        llm::Purpose::Summarize => Purpose::Summary,
        llm::Purpose::Compress => Purpose::Compression,
        llm::Purpose::Chat | llm::Purpose::Compare => {
            let has_result = request.messages.last().is_some_and(|last| last.role == Role::Tool);
            if has_result { Purpose::ToolRound } else { Purpose::Chat }
        }
    }
}

/// A model whose requests are counted.
struct Counted {
    model: Arc<dyn Model>,
    meter: Meter,
}

impl Model for Counted {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    fn stream(&self, request: Request) -> EventStream {
        // Nothing of memory: whoever compares counts it.
        if request.purpose == llm::Purpose::Compare {
            return self.model.stream(request);
        }
        let open = self.meter.begin(&request, &self.model.info().name);
        let events = self.model.stream(request);
        Box::pin(CountedStream { events, open: Some(open) })
    }

    fn answers(&self, purpose: llm::Purpose) -> bool {
        self.model.answers(purpose)
    }

    fn shop(&self) -> Option<Arc<dyn llm::Shop>> {
        self.model.shop()
    }

    fn takes(&self, model: &str) -> Option<u64> {
        self.model.takes(model)
    }

    fn embedder(&self, model: &str, base_url: Option<&str>) -> Result<Option<Embedder>, String> {
        self.model.embedder(model, base_url)
    }
}

#[cfg(test)]
mod tests;
