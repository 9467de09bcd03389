//! Finds out what a server offers, and whether one runs at an address.

use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::facts::{self, Facts};
use super::limits::NAME;
use super::{Client, Endpoint, Error, Offer, Secret, Timeouts};
use crate::providers::{Protocol, Told};

/// What a server tells of the endpoint's model.
///
/// # Errors
/// Fails when its list of models cannot be had; whatever else it does not answer is not known.
pub async fn facts(endpoint: &Endpoint, told: Told) -> Result<Facts, Error> {
    let client = Client::new(listing(endpoint, told))?;
    let text = client.fetch("models", None).await?;
    let list: Value = serde_json::from_str(text.trim()).unwrap_or_default();
    let Some(entry) = facts::entry(&list, &endpoint.model) else {
        let others = model_names(&text);
        let there = others.as_ref().map(|_| false);
        return Ok(Facts { there, others: others.unwrap_or_default(), ..Facts::default() });
    };
    let more = more(endpoint, told, entry).await.unwrap_or_default();
    Ok(Facts::of_entry(entry).after(more))
}

/// What servers for one's own machine tell beside their list, in which they are known by the owner that they
/// name, wherever they are.
async fn more(endpoint: &Endpoint, told: Told, entry: &Value) -> Option<Facts> {
    match (told, entry.get("owned_by").and_then(Value::as_str)) {
        (Told::Ollama, _) | (_, Some("library")) => ollama(endpoint).await,
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
        listing.headers.push(("anthropic-version".to_owned(), Secret::new("2023-06-01")));
    }
    listing
}

async fn ollama(endpoint: &Endpoint) -> Option<Facts> {
    let asked = serde_json::json!({"model": endpoint.model});
    let show = client_of_root(endpoint)?.fetch("api/show", Some(&asked)).await.ok()?;
    let show = serde_json::from_str(&show).ok()?;
    let loaded = own(endpoint, "api/ps").await.unwrap_or_default();
    Some(facts::of_ollama(&endpoint.model, &show, &loaded, endpoint.protocol == Protocol::Ollama))
}

/// What a path outside the API answers, in JSON.
async fn own(endpoint: &Endpoint, path: &str) -> Option<Value> {
    let text = client_of_root(endpoint)?.fetch(path, None).await.ok()?;
    serde_json::from_str(&text).ok()
}

fn client_of_root(endpoint: &Endpoint) -> Option<Client> {
    let base_url = endpoint.base_url.trim_end_matches('/').trim_end_matches("/v1").to_owned();
    let protocol = Protocol::Chat;
    Client::new(Endpoint { protocol, base_url, ..endpoint.clone() }).ok()
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
    let client = Client::new(Endpoint { timeouts, ..Endpoint::new(base_url, "") }).ok()?;
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

/// The models that a provider offers to chat with.
///
/// # Errors
/// Fails when its list of models cannot be had.
pub async fn offers(endpoint: &Endpoint, told: Told) -> Result<Vec<Offer>, Error> {
    let text = Client::new(listing(endpoint, told))?.fetch("models", None).await?;
    let list: Value = serde_json::from_str(text.trim()).unwrap_or_default();
    let lists = [list.get("data"), list.get("models"), Some(&list)];
    let entries = lists.into_iter().flatten().find_map(Value::as_array);
    let offer = |entry: &Value| Offer::of_entry(&endpoint.provider, entry);
    Ok(entries.into_iter().flatten().filter_map(offer).collect())
}

/// The first model that is not, by its name, for something else than chatting.
pub fn first_that_chats(models: impl IntoIterator<Item = String>) -> Option<String> {
    models.into_iter().find(|name| seems_to_chat(name))
}

/// Whether a model's name does not say that it is for something else than chatting.
pub(super) fn seems_to_chat(name: &str) -> bool {
    const OTHERS: [&str; 10] = [
        "embed",
        "bge-",
        "minilm",
        "rerank",
        "whisper",
        "tts",
        "moderation",
        "guard",
        "dall-e",
        "-ocr",
    ];
    let name = name.to_lowercase();
    !OTHERS.iter().any(|other| name.contains(other))
}

/// Reads the names from a list of models in any of the known forms.
pub(super) fn model_names(text: &str) -> Option<Vec<String>> {
    let value: Value = serde_json::from_str(text.trim()).ok()?;
    let null_list = value.get("data").is_some_and(Value::is_null);
    let lists = [value.get("data"), value.get("models"), Some(&value)];
    let Some(list) = lists.into_iter().flatten().find_map(Value::as_array) else {
        // Ollama without a model says `"data": null`.
        return null_list.then(Vec::new);
    };
    let name = |entry: &Value| {
        let named = ["id", "name", "model"].iter().find_map(|key| entry.get(key)?.as_str());
        named.or(entry.as_str()).filter(|name| name.len() <= NAME).map(str::to_owned)
    };
    Some(list.iter().filter_map(name).collect())
}

#[cfg(test)]
mod tests {
    use super::{first_that_chats, model_names};

    #[test]
    fn a_model_for_embeddings_is_not_chosen() {
        let names = ["nomic-embed-text:latest", "bge-m3", "all-minilm", "qwen3:8b", "gemma3"];
        assert_eq!(first_that_chats(names.map(str::to_owned)).as_deref(), Some("qwen3:8b"));
        assert_eq!(first_that_chats(["mxbai-embed-large".to_owned()]), None);
    }

    #[test]
    fn model_lists_are_read_in_all_their_forms() {
        let cases = [
            (r#"{"object":"list","data":[{"id":"a"},{"id":"b"}]}"#, Some(vec!["a", "b"])),
            (r#"{"models":[{"name":"a"}]}"#, Some(vec!["a"])),
            (r#"[{"id":"a"},"b"]"#, Some(vec!["a", "b"])),
            (r#"{"data":null}"#, Some(vec![])),
            ("<html>", None),
            (r#"{"a":1}"#, None),
        ];
        for (text, expected) in cases {
            let expected = expected.map(|names| names.into_iter().map(str::to_owned).collect());
            assert_eq!(model_names(text), expected, "{text}");
        }
    }
}
