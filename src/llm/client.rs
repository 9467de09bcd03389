//! The client for servers, whatever protocol they speak.
//!
//! A request is repeated only before any part of its answer was shown, and only after failures that
//! pass. Dropping the stream drops the connection.

use std::sync::Arc;
use std::time::Duration;

use reqwest::Response;
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::decode::Decoder;
use super::error::StatusKind;
use super::failure::takes::sum_in;
use super::generate::{Emitter, generate};
use super::ids::Ids;
use super::limits::TAIL;
use super::omit::{self, Field, Omitted, Refused, Room};
use super::patience::Patience;
use super::protocol;
use super::server::{Failed, Server};
use super::{
    Completion, Embedder, Endpoint, Error, Event, EventStream, Model, ModelInfo, Request, Usage,
};
use crate::providers::Protocol;

/// A model on a server.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    server: Server,
    /// What the server refused, for as long as the client lives.
    refused: Refused,
}

impl Client {
    /// Prepares a client; connects to nothing yet.
    ///
    /// # Errors
    /// Fails with [`Error::Setup`] when the address, the key or a header cannot be used.
    pub fn new(mut endpoint: Endpoint) -> Result<Self, Error> {
        if endpoint.cache_key.is_empty() {
            endpoint.cache_key = format!("ebbtide-{}", Ids::random().next());
        }
        let server = Server::new(endpoint)?;
        Ok(Self { shared: Arc::new(Shared { server, refused: Refused::default() }) })
    }

    /// Asks the server for the names of its models, to see whether it can be used at all.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, or answers something else.
    pub async fn list_models(&self) -> Result<Vec<String>, Error> {
        self.shared.server.list_models().await
    }
}

impl Model for Client {
    fn info(&self) -> ModelInfo {
        let Server { endpoint, address, .. } = &self.shared.server;
        let named = !endpoint.provider.is_empty();
        ModelInfo {
            name: endpoint.model.clone(),
            provider: if named { endpoint.provider.clone() } else { address.clone() },
            context_window: endpoint.context_window,
            offline: false,
        }
    }

    fn takes(&self, model: &str) -> Option<u64> {
        self.shared.server.endpoint.facts.listed.takes(model)
    }

    fn embedder(&self, model: &str, base_url: Option<&str>) -> Result<Option<Embedder>, String> {
        Embedder::beside(&self.shared.server.endpoint, model, base_url).map(Some)
    }

    fn stream(&self, request: Request) -> EventStream {
        let shared = Arc::clone(&self.shared);
        generate(move |out| async move { shared.answer(&request, &out).await })
    }
}

impl Shared {
    fn protocol(&self) -> Protocol {
        self.server.endpoint.protocol
    }

    /// Asks until there is an answer or a failure that repeating does not cure.
    async fn answer(&self, request: &Request, out: &Emitter) -> Result<Completion, Error> {
        let mut attempt = 1;
        loop {
            let error = match self.attempt(request, out).await {
                Ok(completion) => return Ok(completion),
                Err(error) => self.fit_to_show(error),
            };
            let Some(wait) = self.wait_before_retry(&error, attempt) else { return Err(error) };
            if out.has_produced() {
                return Err(error);
            }
            attempt += 1;
            tracing::info!(attempt, ?wait, %error, "repeating a request");
            let is_known =
                matches!(error, Error::Status { kind: StatusKind::Loading, .. }) && attempt > 2;
            if !is_known {
                out.send(Event::Retrying { wait, attempt, reason: error.to_string() });
            }
            tokio::time::sleep(wait).await;
        }
    }

    /// The time until the next attempt, or `None` when there shall be none.
    fn wait_before_retry(&self, error: &Error, attempt: u32) -> Option<Duration> {
        let retries = &self.server.endpoint.retries;
        if matches!(error, Error::Status { kind: StatusKind::Loading, .. }) {
            let waited = retries.backoff.saturating_mul(attempt);
            return (waited < self.server.endpoint.timeouts.first_byte).then_some(retries.backoff);
        }
        // After a time-out nobody wants to wait as long once more.
        let passes = error.is_transient() && !matches!(error, Error::Timeout { .. });
        // A model that slips twice slips again.
        let is_slip = matches!(error, Error::Status { kind: StatusKind::Slip, .. });
        let attempts = if is_slip { retries.attempts.min(2) } else { retries.attempts };
        if !passes || attempt >= attempts {
            return None;
        }
        let doubled = retries.backoff.saturating_mul(2_u32.saturating_pow(attempt - 1));
        let wait = error.retry_after().unwrap_or(doubled);
        (wait <= retries.longest_wait).then_some(wait)
    }

    /// Asks once, and once more without each field that the server refuses.
    async fn attempt(&self, request: &Request, out: &Emitter) -> Result<Completion, Error> {
        let model = request.model_at(&self.server.endpoint);
        let mut omitted = self.refused.by(model);
        if !omitted.has(Field::Tools) && self.is_told_without_tools(request) {
            out.send(Event::Notice(Field::Tools.notice().to_owned()));
            omitted = omitted.with(Field::Tools);
        }
        loop {
            let patience = self.server.endpoint.timeouts.first_byte;
            let deadline = Instant::now() + patience;
            let body = self.body(request, omitted);
            let failed = match self.server.open(self.server.post(&body), patience).await {
                Ok(response) => {
                    // Only now that the server took the request.
                    self.refused.remember(model, omitted);
                    if omitted.has(Field::Tools) && request.tools_to_send().is_some() {
                        out.send(Event::WithoutTools);
                    }
                    let answered = self.read(response, request, deadline, out).await;
                    return answered.map(|answer| self.kept_for(answer, request, omitted));
                }
                Err(failed) => failed,
            };
            let Some((without, notice)) = self.without_refused(omitted, &failed, request, &body)
            else {
                return Err(failed.error);
            };
            tracing::info!(%notice, words = %self.server.fit(&failed.words), "the server refused a field");
            out.send(Event::Notice(notice));
            omitted = without;
        }
    }

    /// The answer to a request that was to be kept for an hour, where it could not ask for that: it is kept for minutes, whether
    /// the server says so or not.
    fn kept_for(&self, answer: Completion, request: &Request, omitted: Omitted) -> Completion {
        let asks = self.protocol() == Protocol::Messages && !omitted.has(Field::CacheHour);
        if asks || !request.keeps_hour {
            return answer;
        }
        let for_minutes = |usage: Usage| Usage { hour: usage.hour.or(Some(0)), ..usage };
        Completion { usage: answer.usage.map(for_minutes), ..answer }
    }

    /// Whether the server told beforehand that the model takes no tools. Only Ollama is certain of that: others list what
    /// they know of.
    fn is_told_without_tools(&self, request: &Request) -> bool {
        let endpoint = &self.server.endpoint;
        let is_of_facts = request.model_at(endpoint) == endpoint.model;
        endpoint.protocol == Protocol::Ollama
            && is_of_facts
            && endpoint.facts.tools == Some(false)
            && request.tools_to_send().is_some()
    }

    /// The body of a request, with what a person adds to it.
    fn body(&self, request: &Request, omitted: Omitted) -> Value {
        let mut body = protocol::body(request, &self.server.endpoint, omitted);
        if let Value::Object(body) = &mut body {
            body.extend(self.server.endpoint.fields.clone());
        }
        body
    }

    /// What to leave out after a refusal, with what that means for people; `None` if it is not about a field, or
    /// leaving it out changes nothing.
    fn without_refused(
        &self,
        omitted: Omitted,
        failed: &Failed,
        request: &Request,
        body: &Value,
    ) -> Option<(Omitted, String)> {
        // What goes out all the same, because a person says so, would be refused for ever.
        if let Some((room, most)) = room(failed, request, body) {
            // A server whose numbers are none takes a bit less for ever.
            let is_news = most.saturating_add(most / LITTLE) < omitted.most(request);
            let omitted = omitted.within(room);
            let told = || omit::shorter_beside(room, omitted.most(request));
            return is_news.then(|| (omitted, told()));
        }
        let field = self.refused_field(failed, body)?;
        if field == Field::MaxTokens
            && let Some(most) = protocol::shorter_answer(self.protocol(), body, &failed.words)
        {
            let is_news = most < omitted.most(request);
            return is_news.then(|| (omitted.up_to(most), omit::shorter(most)));
        }
        (!omitted.has(field)).then(|| (omitted.with(field), field.notice().to_owned()))
    }

    /// The field that the request shall go out without, if that is what the server means.
    fn refused_field(&self, failed: &Failed, body: &Value) -> Option<Field> {
        use StatusKind::{NotFound, Refused, Server};
        match failed.error {
            Error::Status {
                status: 400 | 404 | 422 | 500 | 501,
                kind: Refused | NotFound | Server,
                ..
            } => protocol::refused_field(self.protocol(), body, &failed.words),
            _ => None,
        }
    }

    /// Reads the answer, event by event.
    async fn read(
        &self,
        mut response: Response,
        request: &Request,
        first_byte: Instant,
        out: &Emitter,
    ) -> Result<Completion, Error> {
        let model = request.model_at(&self.server.endpoint);
        let mut decoder = Decoder::new(&self.server.address, Ids::random(), self.protocol(), model);
        let mut patience = Patience::new(self.server.endpoint.timeouts, first_byte);
        let mut events = Vec::new();
        let send = |events: &mut Vec<Event>| events.drain(..).for_each(|event| out.send(event));
        let mut whole = true;
        while !decoder.is_done() {
            let (deadline, missing, waited) = patience.next(decoder.has_finished());
            let bytes = match timeout_at(deadline, response.chunk()).await {
                Err(_) if decoder.has_finished() => break,
                Err(_) => {
                    decoder.close(&mut events);
                    send(&mut events);
                    return Err(self.server.timeout(missing, waited));
                }
                Ok(Ok(Some(bytes))) => bytes,
                Ok(Ok(None)) => break,
                Ok(Err(_)) => {
                    whole = false;
                    break;
                }
            };
            let fed = decoder.feed(&bytes, &mut events);
            send(&mut events);
            fed?;
            patience.heard(decoder.progress());
        }
        if decoder.is_done() {
            // A body that was read to its end leaves a connection that can be used again.
            let _ = timeout(TAIL, response.chunk()).await;
        }
        let completion = decoder.finish(whole, &mut events);
        send(&mut events);
        completion
    }

    /// The error with whatever the server sent made fit to show.
    fn fit_to_show(&self, mut error: Error) -> Error {
        if let Error::Status { message: text, .. }
        | Error::MidStream { message: text, .. }
        | Error::Garbled { detail: text, .. }
        | Error::Unreadable { detail: text, .. } = &mut error
        {
            *text = self.server.fit(text);
            if text.is_empty() {
                "no explanation".clone_into(text);
            }
        }
        error
    }
}

/// One in so many tokens is little.
const LITTLE: u64 = 16;

/// Under which names requests say how long an answer may be.
const LIMITS: [&str; 3] = ["max_tokens", "max_completion_tokens", "max_output_tokens"];

/// The room for an answer, and how much of it there is, where a request was refused because that and the answer that it asked
/// for are more together than there may be. A shorter answer is asked for before anything leaves the window.
fn room(failed: &Failed, request: &Request, body: &Value) -> Option<(Room, u64)> {
    let Error::Status { kind: StatusKind::TooLong, .. } = failed.error else { return None };
    let asked = LIMITS.iter().find_map(|name| body.get(*name)?.as_u64())?;
    let (context, prompt) = sum_in(&failed.words, asked)?;
    let room = Room { context, prompt, bytes: request.bytes() };
    let left = context - prompt;
    (Room::LEAST..asked).contains(&left).then_some((room, left))
}
