//! Finds out what a server offers, and whether one runs at an address.

use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::connect::{MESSAGES_VERSION, proxy_variable};
use super::error::StatusKind;
use super::facts::{self, Facts, Listed};
use super::names::{entries, model_names};
use super::server::Server;
use super::{Endpoint, Error, Offer, Secret, Timeouts};
use crate::providers::{Protocol, Told};

/// What a server tells of the endpoint's model.
///
/// # Errors
/// Fails when its list of models cannot be had; whatever else it does not answer is not known.
pub async fn facts(endpoint: &Endpoint, told: Told) -> Result<Facts, Error> {
    let client = Server::new(listing(endpoint, told))?;
    let text = match client.fetch("models", None).await {
        // Its own protocol has its own questions, and older servers no such list.
        Err(error) if endpoint.protocol == Protocol::Ollama => {
            return ollama(endpoint).await.ok_or(error);
        }
        listed => listed?,
    };
    let others = model_names(&text).ok_or_else(|| client.unreadable(&text))?;
    let list: Value = serde_json::from_str(text.trim()).unwrap_or_default();
    let listed = Listed::of(&list);
    let Some(entry) = facts::entry(&list, &endpoint.model) else {
        return Ok(Facts { there: Some(false), others, listed, ..Facts::default() });
    };
    let more = more(endpoint, told, entry).await.unwrap_or_default();
    Ok(Facts { listed, ..Facts::of_entry(entry).after(more) })
}

/// What servers for one's own machine tell beside their list, in which they are known by the owner that they
/// name, wherever they are.
async fn more(endpoint: &Endpoint, told: Told, entry: &Value) -> Option<Facts> {
    match (told, entry.get("owned_by").and_then(Value::as_str)) {
        (Told::Ollama, _) | (_, Some("library")) => ollama(endpoint).await,
        _ if endpoint.protocol == Protocol::Ollama => ollama(endpoint).await,
        (Told::LlamaCpp, _) | (_, Some("llamacpp")) if entry.pointer("/meta/n_ctx").is_none() => {
            own(endpoint, "props").await.map(|props| Facts::of_entry(&props))
        }
        (Told::LmStudio, _) | (_, Some("organization_owner")) => {
            let list = own(endpoint, "api/v0/models").await?;
            facts::entry(&list, &endpoint.model).map(Facts::of_entry)
        }
        _ => None,
    }
}

/// The endpoint at which the list of models is, with the key in the place where it is looked for.
fn listing(endpoint: &Endpoint, told: Told) -> Endpoint {
    let mut listing = endpoint.clone();
    let (header, query) = match told {
        Told::Anthropic => ("x-api-key", "limit=1000"),
        Told::Gemini => ("x-goog-api-key", "pageSize=1000"),
        _ => return listing,
    };
    listing.protocol = Protocol::Chat;
    let root = listing.base_url.trim_end_matches('/').trim_end_matches("/openai");
    listing.base_url = format!("{root}?{query}");
    listing.headers.extend(listing.api_key.take().map(|key| (header.to_owned(), key)));
    if told == Told::Anthropic {
        listing.headers.push((MESSAGES_VERSION.0.to_owned(), Secret::new(MESSAGES_VERSION.1)));
    }
    listing
}

/// What Ollama says of a model that it has.
pub(super) async fn shown(endpoint: &Endpoint, model: &str) -> Option<Value> {
    let asked = serde_json::json!({ "model": model });
    let show = client_of_root(endpoint)?.fetch("api/show", Some(&asked)).await.ok()?;
    serde_json::from_str(&show).ok()
}

async fn ollama(endpoint: &Endpoint) -> Option<Facts> {
    let show = shown(endpoint, &endpoint.model).await?;
    let loaded = own(endpoint, "api/ps").await.unwrap_or_default();
    Some(facts::of_ollama(&endpoint.model, &show, &loaded, endpoint.protocol == Protocol::Ollama))
}

/// What a path outside the API answers, in JSON.
async fn own(endpoint: &Endpoint, path: &str) -> Option<Value> {
    let text = client_of_root(endpoint)?.fetch(path, None).await.ok()?;
    serde_json::from_str(&text).ok()
}

fn client_of_root(endpoint: &Endpoint) -> Option<Server> {
    let base_url = endpoint.base_url.trim_end_matches('/').trim_end_matches("/v1").to_owned();
    let protocol = Protocol::Chat;
    Server::new(Endpoint { protocol, base_url, ..endpoint.clone() }).ok()
}

/// How long a server on this machine may take to accept a connection: where there is none, it is refused at once.
const LOCAL_CONNECT: Duration = Duration::from_millis(500);

/// How long one that accepted it may take to answer; it may be busy with loading a model.
const LOCAL_ANSWER: Duration = Duration::from_secs(10);

/// How long one may say that it is loading its model.
const LOCAL_LOADING: Duration = Duration::from_secs(60);

/// The models of a server that may run at an address; `None` if none answers there with a list of models. Takes no
/// time where nobody listens.
pub async fn find(base_url: &str) -> Option<Vec<String>> {
    let timeouts = Timeouts { connect: LOCAL_CONNECT, ..Timeouts::default() };
    let client = Server::new(Endpoint { timeouts, ..Endpoint::new(base_url, "") }).ok()?;
    let is_loading = |error: &Error| matches!(error, Error::Status { status: 503, .. });
    let until = Instant::now() + LOCAL_LOADING;
    loop {
        match client.list_within(LOCAL_ANSWER).await {
            Ok(models) => return Some(models),
            Err(error) if is_loading(&error) && Instant::now() < until => {
                sleep(LOCAL_CONNECT).await;
            }
            Err(_) => return None,
        }
    }
}

/// How a server is reached that a proxy of the environment stands before: the variable that names the proxy, once a request
/// went through it and came back, whatever it says. `None` where no proxy stands there.
///
/// # Errors
/// Fails when the proxy lets nothing through, or does not reach the server.
pub async fn through_proxy(
    base_url: &str,
    patience: Duration,
) -> Option<Result<&'static str, Error>> {
    let endpoint = Endpoint::new(base_url, "");
    let variable = proxy_variable(&endpoint.url("models").ok()?)?;
    let timeouts = Timeouts { connect: patience, ..Timeouts::default() };
    let server = Server::new(Endpoint { timeouts, ..endpoint }).ok()?;
    let failed = match server.list_within(patience).await {
        Err(error) => Some(error).filter(is_of_proxy),
        Ok(_) => None,
    };
    Some(failed.map_or(Ok(variable), Err))
}

/// Whether a failure says that a request did not come through the proxy, which answers so itself where it finds no server: one
/// that does is as good as none, unless it is loading its model.
fn is_of_proxy(error: &Error) -> bool {
    match error {
        Error::Connect { .. } | Error::Timeout { .. } => true,
        Error::Status { status, kind, .. } => match kind {
            StatusKind::Proxy => true,
            StatusKind::Loading => false,
            _ => matches!(status, 502..=504),
        },
        _ => false,
    }
}

/// The models that a provider offers to chat with.
///
/// # Errors
/// Fails when its list of models cannot be had.
pub async fn offers(endpoint: &Endpoint, told: Told) -> Result<Vec<Offer>, Error> {
    let text = Server::new(listing(endpoint, told))?.fetch("models", None).await?;
    let list: Value = serde_json::from_str(text.trim()).unwrap_or_default();
    let offer = |entry: &Value| Offer::of_entry(&endpoint.provider, entry);
    Ok(entries(&list).into_iter().flatten().filter_map(offer).collect())
}
