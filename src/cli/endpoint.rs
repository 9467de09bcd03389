//! Where a provider's model is: as the settings say it, and as its server does.

use std::time::Duration;

use tokio::time::timeout;

use super::Error;
use crate::config::{Provider, Settings};
use crate::llm::discover::facts;
use crate::llm::{Client, Endpoint, Timeouts, Wishes};
use crate::providers::Told;
use crate::text::joined;

/// How long the start waits for what a server tells of its model.
const TELLING: Duration = Duration::from_secs(2);

/// Where a provider's model is and how to treat it, as far as that is known without asking.
pub(super) fn endpoint_of(settings: &Settings, provider: &Provider, model: String) -> Endpoint {
    let timeouts = settings.timeouts();
    let manner = &provider.manner;
    Endpoint {
        protocol: provider.protocol,
        headers: manner.headers.clone(),
        fields: manner.fields.clone(),
        wishes: Wishes {
            effort: manner.effort,
            temperature: manner.temperature,
            max_tokens: manner.max_tokens,
        },
        api_key: provider.key.as_ref().map(|key| key.secret.clone()),
        provider: provider.name.clone(),
        context_window: settings.context_window().or(provider.context_window),
        timeouts: Timeouts {
            connect: timeouts.connect,
            first_byte: timeouts.first_byte,
            silence: timeouts.silence,
            keepalive_only: timeouts.keepalive,
        },
        ..Endpoint::new(provider.base_url.clone(), model)
    }
}

/// Why nobody can ask a provider, whatever runs at its address; `None` where that can be asked.
pub(super) fn unaskable(settings: &Settings, provider: &Provider) -> Option<String> {
    let endpoint = endpoint_of(settings, provider, String::new());
    let error = endpoint.url(endpoint.protocol.path()).err()?;
    Some(format!("{}: {}", provider.name, joined(&error.to_string(), &error.advice())))
}

/// The endpoint with what the server tells of its model in a moment; what it does not tell is as the table has it.
/// `keeps` says that the person said how much it takes.
pub(super) async fn with_facts(mut endpoint: Endpoint, told: Told, keeps: bool) -> Endpoint {
    // A server on this machine may be loading a model, and what it tells decides how much it is sent.
    let is_here = matches!(told, Told::Ollama | Told::LlamaCpp | Told::LmStudio);
    let patience = if is_here { 5 * TELLING } else { TELLING };
    if told != Told::Nowhere
        && let Ok(Ok(facts)) = timeout(patience, facts(&endpoint, told)).await
    {
        tracing::info!(model = endpoint.model, ?facts, "what the server tells of the model");
        if !keeps {
            endpoint.context_window = facts.context.or(endpoint.context_window);
        }
        endpoint.facts = facts;
    }
    endpoint
}

/// The model at an endpoint.
pub(super) fn client(endpoint: Endpoint) -> Result<Client, Error> {
    Client::new(endpoint).map_err(|error| Error::Usage(joined(&error.to_string(), &error.advice())))
}

/// Where a provider tells of its models; a server without a row of its own is asked for its list.
pub(super) fn how_told(provider: &Provider) -> Told {
    provider.listed.map_or(Told::List, |listed| listed.told)
}
