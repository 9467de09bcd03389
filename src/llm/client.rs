//! The client for servers, whatever protocol they speak.
//!
//! A request is repeated only before any part of its answer was shown, and only after failures that
//! pass. Dropping the stream drops the connection.

use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::connect::{client, obstacle};
use super::decode::Decoder;
use super::endpoint::address_of;
use super::error::StatusKind;
use super::failure::{Report, presentable};
use super::generate::{Emitter, generate};
use super::ids::Ids;
use super::limits::{Excess, FAILURE, FAILURE_TIME, MODELS, MOST_VECTORS, TAIL, VECTOR};
use super::omit::{self, Field, Omitted, Refused};
use super::patience::Patience;
use super::protocol::{Dialect, dialect};
use super::text_body::{BodyEnd, encoding, read_text};
use super::wait::requested_wait;
use super::{Completion, Embedder, Endpoint, Error, Event, EventStream, Model, ModelInfo, Request};
use crate::clock;

/// What is fetched: the most of it in bytes, what more is called, and what does not come to its end.
struct Bounds(usize, Excess, &'static str);

const LIST: Bounds = Bounds(MODELS, Excess::Models, "an unfinished list of models");

/// A model on a server.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

struct Shared {
    client: reqwest::Client,
    dialect: &'static dyn Dialect,
    endpoint: Endpoint,
    url: Url,
    address: String,
    /// What the server refused, for as long as the client lives.
    refused: Refused,
}

/// A request that the server did not take.
struct Failed {
    error: Error,
    /// All that the server said, to look for the field that it did not like.
    words: String,
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
        let dialect = dialect(endpoint.protocol);
        let url = endpoint.url(endpoint.protocol.path())?;
        let client = client(&endpoint, &url)?;
        let address = address_of(&url);
        let refused = Refused::default();
        Ok(Self { shared: Arc::new(Shared { client, dialect, endpoint, url, address, refused }) })
    }

    /// Asks the server for the names of its models, to see whether it can be used at all.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, or answers something else.
    pub async fn list_models(&self) -> Result<Vec<String>, Error> {
        self.list_within(self.patience()).await
    }

    /// The same, from a server that may take this long.
    pub(super) async fn list_within(&self, patience: Duration) -> Result<Vec<String>, Error> {
        let shared = &self.shared;
        let text = self.fetch_within(patience, "models", None, LIST).await?;
        super::discover::model_names(&text).ok_or_else(|| Error::Unreadable {
            address: shared.address.clone(),
            detail: shared.fit(&text),
        })
    }

    /// How long what is no answer of a model may take.
    fn patience(&self) -> Duration {
        self.shared.endpoint.timeouts.connect * 2
    }

    /// What a path of the API answers: to a GET, or to a POST of a body.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, or does not come to an end.
    pub(super) async fn fetch(&self, path: &str, body: Option<&Value>) -> Result<String, Error> {
        self.fetch_within(self.patience(), path, body, LIST).await
    }

    /// What a path answers to a POST with vectors for so many texts, from a server that may take this long.
    pub(super) async fn fetch_vectors(
        &self,
        patience: Duration,
        path: &str,
        body: &Value,
        texts: usize,
    ) -> Result<String, Error> {
        let bounds =
            Bounds((texts * VECTOR).min(MOST_VECTORS), Excess::Vectors, "unfinished vectors");
        self.fetch_within(patience, path, Some(body), bounds).await
    }

    /// The failure of a server that did not answer within a time.
    pub(super) fn late(&self, patience: Duration) -> Error {
        self.shared.timeout("no answer", patience)
    }

    /// What is wrong with an answer that should hold vectors, fit to show.
    pub(super) fn no_vectors(&self, why: &str) -> Error {
        Error::NoVectors { address: self.shared.address.clone(), why: self.shared.fit(why) }
    }

    /// Host and port.
    pub(super) fn address(&self) -> &str {
        &self.shared.address
    }

    async fn fetch_within(
        &self,
        patience: Duration,
        path: &str,
        body: Option<&Value>,
        Bounds(most, excess, unfinished): Bounds,
    ) -> Result<String, Error> {
        let shared = &self.shared;
        let url = shared.endpoint.url(path)?;
        let request = match body {
            None => shared.client.get(url),
            Some(body) => shared
                .client
                .post(url)
                .header(CONTENT_TYPE, "application/json")
                .body(body.to_string()),
        };
        let deadline = Instant::now() + patience;
        let response = shared.open(request, patience).await.map_err(|failed| failed.error)?;
        let address = shared.address.clone();
        let (text, end) = read_text(response, most, deadline).await;
        match end {
            BodyEnd::Whole => Ok(text),
            BodyEnd::TooLong => Err(Error::TooLarge { address, what: excess.to_string() }),
            BodyEnd::TooLate => Err(shared.timeout(unfinished, patience)),
            BodyEnd::Cut => Err(Error::Cut { address }),
        }
    }
}

impl Client {
    /// Words of the server, fit to show: without secrets, short, on one line.
    pub(super) fn fit(&self, words: &str) -> String {
        self.shared.fit(words)
    }

    /// Reads an answer that comes line by line, each a JSON text, for as long as the server goes on.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, falls silent, or sends what is too long.
    pub(super) async fn fetch_lines(
        &self,
        path: &str,
        body: &Value,
        mut take: impl FnMut(&Value),
    ) -> Result<(), Error> {
        let shared = &self.shared;
        let timeouts = shared.endpoint.timeouts;
        let request = shared.client.post(shared.endpoint.url(path)?);
        let request = request.header(CONTENT_TYPE, "application/json").body(body.to_string());
        let opened = shared.open(request, timeouts.first_byte).await;
        let mut response = opened.map_err(|failed| failed.error)?;
        let mut waiting = Vec::new();
        while let Ok(chunk) = timeout(timeouts.silence, response.chunk()).await {
            // A connection that breaks off ends what came.
            let Ok(Some(bytes)) = chunk else { return Ok(()) };
            waiting.extend_from_slice(&bytes);
            while let Some(end) = waiting.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = waiting.drain(..=end).collect();
                take(&serde_json::from_slice(&line).unwrap_or_default());
            }
            if waiting.len() > FAILURE {
                let what = Excess::Piece.to_string();
                return Err(Error::TooLarge { address: shared.address.clone(), what });
            }
        }
        Err(shared.timeout("no data", timeouts.silence))
    }
}

#[cfg(test)]
impl Client {
    /// The address of a path, for tests.
    pub(super) fn url_of(&self, path: &str) -> Result<Url, Error> {
        self.shared.endpoint.url(path)
    }

    /// Whether a key goes with its requests, for tests.
    pub(super) fn has_key(&self) -> bool {
        self.shared.endpoint.api_key.is_some()
    }
}

impl Model for Client {
    fn info(&self) -> ModelInfo {
        let Shared { endpoint, address, .. } = &*self.shared;
        let named = !endpoint.provider.is_empty();
        ModelInfo {
            name: endpoint.model.clone(),
            provider: if named { endpoint.provider.clone() } else { address.clone() },
            context_window: endpoint.context_window,
            offline: false,
        }
    }

    fn embedder(&self, model: &str, base_url: Option<&str>) -> Result<Option<Embedder>, String> {
        Embedder::beside(&self.shared.endpoint, model, base_url).map(Some)
    }

    fn stream(&self, request: Request) -> EventStream {
        let shared = Arc::clone(&self.shared);
        generate(move |out| async move { shared.answer(&request, &out).await })
    }
}

impl Shared {
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
        let retries = &self.endpoint.retries;
        if matches!(error, Error::Status { kind: StatusKind::Loading, .. }) {
            let waited = retries.backoff.saturating_mul(attempt);
            return (waited < self.endpoint.timeouts.first_byte).then_some(retries.backoff);
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
        let model = request.model_at(&self.endpoint);
        let mut omitted = self.refused.by(model);
        loop {
            let patience = self.endpoint.timeouts.first_byte;
            let deadline = Instant::now() + patience;
            let body = self.body(request, omitted);
            let failed = match self.open(self.post(&body), patience).await {
                Ok(response) => {
                    // Only now that the server took the request.
                    self.refused.remember(model, omitted);
                    if omitted.has(Field::Tools) && request.tools_to_send().is_some() {
                        out.send(Event::WithoutTools);
                    }
                    return self.read(response, request, deadline, out).await;
                }
                Err(failed) => failed,
            };
            let Some((without, notice)) = self.without_refused(omitted, &failed, &body) else {
                return Err(failed.error);
            };
            tracing::info!(%notice, words = %self.fit(&failed.words), "the server refused a field");
            out.send(Event::Notice(notice));
            omitted = without;
        }
    }

    /// The body of a request, with what a person adds to it.
    fn body(&self, request: &Request, omitted: Omitted) -> Value {
        let mut body = self.dialect.body(request, &self.endpoint, omitted);
        if let Value::Object(body) = &mut body {
            body.extend(self.endpoint.fields.clone());
        }
        body
    }

    /// What to leave out after a refusal, with what that means for people; `None` if it is not about a field, or
    /// leaving it out changes nothing.
    fn without_refused(
        &self,
        omitted: Omitted,
        failed: &Failed,
        body: &Value,
    ) -> Option<(Omitted, String)> {
        // What goes out all the same, because a person says so, would be refused for ever.
        let field = self.refused_field(failed, body)?;
        if field == Field::MaxTokens
            && let Some(most) = self.dialect.shorter_answer(body, &failed.words)
        {
            let is_news = most < omitted.most();
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
            } => self.dialect.refused_field(body, &failed.words),
            _ => None,
        }
    }

    fn post(&self, body: &Value) -> RequestBuilder {
        self.client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "text/event-stream, application/json")
            .body(body.to_string())
    }

    /// Sends a request and gives the response if its status is a success.
    async fn open(&self, request: RequestBuilder, patience: Duration) -> Result<Response, Failed> {
        let response = match timeout(patience, request.send()).await {
            Err(_) => return Err(self.timeout("no answer", patience).into()),
            Ok(Err(error)) => return Err(self.connect_error(error).into()),
            Ok(Ok(response)) => response,
        };
        match (response.status().is_success(), encoding(&response)) {
            (true, Some(encoding)) => {
                Err(Error::Compressed { address: self.address.clone(), encoding }.into())
            }
            (true, None) => Ok(response),
            (false, _) => Err(self.refusal(response).await),
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
        let model = request.model_at(&self.endpoint);
        let mut decoder = Decoder::new(&self.address, Ids::random(), self.dialect, model);
        let mut patience = Patience::new(self.endpoint.timeouts, first_byte);
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
                    return Err(self.timeout(missing, waited));
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

    fn timeout(&self, missing: &'static str, waited: Duration) -> Error {
        Error::Timeout { address: self.address.clone(), missing, waited }
    }

    /// What went wrong before there was a response.
    fn connect_error(&self, error: reqwest::Error) -> Error {
        let error = error.without_url();
        let (obstacle, mut detail) = obstacle(&error, &self.url);
        if error.is_timeout() {
            let seconds = self.endpoint.timeouts.connect.as_secs();
            detail = format!("no connection within {seconds} seconds");
        }
        Error::Connect { address: self.address.clone(), detail: self.fit(&detail), obstacle }
    }

    /// What a failed status and its body say.
    async fn refusal(&self, response: Response) -> Failed {
        let code = response.status();
        let status = code.as_u16();
        let headers = response.headers().clone();
        let encoding = encoding(&response);
        let patience = FAILURE_TIME.min(self.endpoint.timeouts.silence);
        let mut text = read_text(response, FAILURE, Instant::now() + patience).await.0;
        if let Some(encoding) = encoding {
            text = format!("its explanation is compressed ({encoding})");
        }
        let json: Option<Value> = serde_json::from_str(text.trim()).ok();
        let report = Report::of_body(&text);
        let header = |name: &str| Some(headers.get(name)?.to_str().ok()?.to_owned());
        let mut message = self.fit(&report.message);
        if let Some(target) = header("location").filter(|_| code.is_redirection()) {
            message = format!("it has moved to {}; use that address", self.fit(&target));
        }
        if message.is_empty() {
            code.canonical_reason().unwrap_or("no explanation").clone_into(&mut message);
        }
        let kind = match report.kind(status) {
            StatusKind::Key if self.endpoint.api_key.is_none() => StatusKind::NoKey,
            StatusKind::NotFound if !report.is_about(&self.endpoint.model) => StatusKind::NoPath,
            kind => kind,
        };
        let address = self.address.clone();
        let retry_after = requested_wait(header, json.as_ref(), clock::seconds());
        let error = Error::Status { address, status, message, retry_after, kind };
        Failed { error, words: report.message }
    }

    /// Server text fit to show: without secrets, short, on one line.
    fn fit(&self, text: &str) -> String {
        presentable(&self.endpoint.scrub(text))
    }

    /// The error with whatever the server sent made fit to show.
    fn fit_to_show(&self, mut error: Error) -> Error {
        if let Error::Status { message: text, .. }
        | Error::MidStream { message: text, .. }
        | Error::Unreadable { detail: text, .. } = &mut error
        {
            *text = self.fit(text);
            if text.is_empty() {
                "no explanation".clone_into(text);
            }
        }
        error
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, words: String::new() }
    }
}
