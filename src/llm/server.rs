//! A server that is spoken with over HTTP: sends a request, reads what is no answer of a model, and tells why a request
//! failed.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{RequestBuilder, Response, Url};
use serde_json::Value;
use tokio::time::{Instant, timeout};

use super::connect::{client, obstacle};
use super::endpoint::address_of;
use super::error::StatusKind;
use super::failure::{Report, presentable};
use super::limits::{Excess, FAILURE, FAILURE_TIME, MODELS, MOST_VECTORS, VECTOR};
use super::names::model_names;
use super::text_body::{BodyEnd, encoding, read_text};
use super::wait::requested_wait;
use super::{Endpoint, Error};
use crate::clock;

/// What is fetched: the most of it in bytes, what more is called, and what does not come to its end.
struct Bounds(usize, Excess, &'static str);

const LIST: Bounds = Bounds(MODELS, Excess::Models, "an unfinished list of models");

/// A server, and the connection to it.
pub(crate) struct Server {
    /// Where it is and how to treat it.
    pub(crate) endpoint: Endpoint,
    /// Host and port.
    pub(crate) address: String,
    client: reqwest::Client,
    /// Where the requests to a model go.
    url: Url,
}

/// A request that the server did not take.
pub(crate) struct Failed {
    /// Why.
    pub(crate) error: Error,
    /// All that the server said, to look for the field that it did not like.
    pub(crate) words: String,
}

impl Server {
    /// Prepares a connection; connects to nothing yet.
    ///
    /// # Errors
    /// Fails with [`Error::Setup`] when the address, the key or a header cannot be used.
    pub(crate) fn new(endpoint: Endpoint) -> Result<Self, Error> {
        let url = endpoint.url(endpoint.protocol.path())?;
        let client = client(&endpoint, &url)?;
        let address = address_of(&url);
        Ok(Self { endpoint, address, client, url })
    }

    /// The names of its models.
    ///
    /// # Errors
    /// Fails when it cannot be reached, refuses, or answers something else.
    pub(crate) async fn list_models(&self) -> Result<Vec<String>, Error> {
        self.list_within(self.patience()).await
    }

    /// The same, from a server that may take this long.
    pub(crate) async fn list_within(&self, patience: Duration) -> Result<Vec<String>, Error> {
        let text = self.fetch_within(patience, "models", None, LIST).await?;
        model_names(&text).ok_or_else(|| self.unreadable(&text))
    }

    /// The failure of a server that answered something else than was asked for.
    pub(crate) fn unreadable(&self, text: &str) -> Error {
        Error::Unreadable { address: self.address.clone(), detail: self.fit(text) }
    }

    /// How long what is no answer of a model may take.
    fn patience(&self) -> Duration {
        self.endpoint.timeouts.connect * 2
    }

    /// What a path of the API answers: to a GET, or to a POST of a body.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, or does not come to an end.
    pub(crate) async fn fetch(&self, path: &str, body: Option<&Value>) -> Result<String, Error> {
        self.fetch_within(self.patience(), path, body, LIST).await
    }

    /// What a path answers to a POST with vectors for so many texts, from a server that may take this long.
    pub(crate) async fn fetch_vectors(
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
    pub(crate) fn late(&self, patience: Duration) -> Error {
        self.timeout("no answer", patience)
    }

    /// What is wrong with an answer that should hold vectors, fit to show.
    pub(crate) fn no_vectors(&self, why: &str) -> Error {
        Error::NoVectors { address: self.address.clone(), why: self.fit(why) }
    }

    async fn fetch_within(
        &self,
        patience: Duration,
        path: &str,
        body: Option<&Value>,
        Bounds(most, excess, unfinished): Bounds,
    ) -> Result<String, Error> {
        let url = self.endpoint.url(path)?;
        let request = match body {
            None => self.client.get(url),
            Some(body) => self.post_to(url, body),
        };
        let deadline = Instant::now() + patience;
        let response = self.open(request, patience).await.map_err(|failed| failed.error)?;
        let address = self.address.clone();
        let (text, end) = read_text(response, most, deadline).await;
        match end {
            BodyEnd::Whole => Ok(text),
            BodyEnd::TooLong => Err(Error::TooLarge { address, what: excess.to_string() }),
            BodyEnd::TooLate => Err(self.timeout(unfinished, patience)),
            BodyEnd::Cut => Err(Error::Cut { address }),
        }
    }

    /// Reads an answer that comes line by line, each a JSON text, for as long as the server goes on.
    ///
    /// # Errors
    /// Fails when the server cannot be reached, refuses, falls silent, or sends what is too long.
    pub(crate) async fn fetch_lines(
        &self,
        path: &str,
        body: &Value,
        mut take: impl FnMut(&Value),
    ) -> Result<(), Error> {
        let timeouts = self.endpoint.timeouts;
        let request = self.post_to(self.endpoint.url(path)?, body);
        let opened = self.open(request, timeouts.first_byte).await;
        let mut response = opened.map_err(|failed| failed.error)?;
        let mut waiting = Vec::new();
        while let Ok(chunk) = timeout(timeouts.silence, response.chunk()).await {
            let Ok(Some(bytes)) = chunk else {
                // A connection that breaks off ends what came. The last line need not have an end.
                let last = serde_json::from_slice(&waiting).ok();
                last.iter().for_each(take);
                return Ok(());
            };
            waiting.extend_from_slice(&bytes);
            while let Some(end) = waiting.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = waiting.drain(..=end).collect();
                take(&serde_json::from_slice(&line).unwrap_or_default());
            }
            if waiting.len() > FAILURE {
                let what = Excess::Piece.to_string();
                return Err(Error::TooLarge { address: self.address.clone(), what });
            }
        }
        Err(self.timeout("no data", timeouts.silence))
    }
}

impl Server {
    /// Asks a model.
    pub(crate) fn post(&self, body: &Value) -> RequestBuilder {
        let request = self.post_to(self.url.clone(), body);
        request.header(ACCEPT, "text/event-stream, application/json")
    }

    fn post_to(&self, url: Url, body: &Value) -> RequestBuilder {
        self.client.post(url).header(CONTENT_TYPE, "application/json").body(body.to_string())
    }

    /// Sends a request and gives the response if its status is a success.
    pub(crate) async fn open(
        &self,
        request: RequestBuilder,
        patience: Duration,
    ) -> Result<Response, Failed> {
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

    /// The failure of a server that did not send something, for so long.
    pub(crate) fn timeout(&self, missing: &'static str, waited: Duration) -> Error {
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
        let is_unexplained = message.is_empty();
        if is_unexplained {
            code.canonical_reason().unwrap_or("no explanation").clone_into(&mut message);
        }
        let kind = match report.kind(status) {
            StatusKind::Key if self.endpoint.api_key.is_none() => StatusKind::NoKey,
            StatusKind::Refused if is_unexplained => StatusKind::Unexplained,
            StatusKind::NotFound if !report.is_about(&self.endpoint.model) => StatusKind::NoPath,
            kind => kind,
        };
        let address = self.address.clone();
        let retry_after = requested_wait(header, json.as_ref(), clock::seconds());
        let takes = report.takes.filter(|_| kind == StatusKind::TooLong);
        let error = Error::Status { address, status, message, retry_after, kind, takes };
        Failed { error, words: report.message }
    }

    /// Words of the server, fit to show: without secrets, short, on one line.
    pub(crate) fn fit(&self, text: &str) -> String {
        presentable(&self.endpoint.scrub(text))
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self { error, words: String::new() }
    }
}

#[cfg(test)]
impl Server {
    /// The address of a path, for tests.
    pub(crate) fn url_of(&self, path: &str) -> Result<Url, Error> {
        self.endpoint.url(path)
    }

    /// Whether a key goes with its requests, for tests.
    pub(crate) fn has_key(&self) -> bool {
        self.endpoint.api_key.is_some()
    }
}
