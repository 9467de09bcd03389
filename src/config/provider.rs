//! Which model answers: the servers that flags, settings and variables point at, in order.

mod beside;
mod manner;
mod rows;

use std::collections::BTreeSet;

use super::error::shortened;
use super::{Environment, Error, Key, Settings};
use crate::address::Address;
use crate::nearest::nearest;
use crate::providers::{LISTED, Listed, Protocol};
use crate::secret::Secret;

pub use beside::{Beside, models_beside};
pub use manner::Manner;
use rows::rows;
pub(super) use rows::{Own, Row, TableFault};

/// A key with the variable that it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// For example `DEEPSEEK_API_KEY`.
    pub variable: String,
    /// The key itself.
    pub secret: Secret,
}

/// A server that can be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Provider {
    /// For the screen: `DeepSeek`, or host and port of a server without a name.
    pub name: String,
    /// The address that `/chat/completions` is appended to; no slash at its end.
    pub base_url: String,
    /// The key; `None` for servers that want none.
    pub key: Option<ApiKey>,
    /// The model to ask for; `None` if only the server knows which it has.
    pub model: Option<String>,
    /// Tokens that the model takes, if known.
    pub context_window: Option<u64>,
    /// Its row in the table of known providers, if it has one.
    pub listed: Option<&'static Listed>,
    /// What is spoken with it.
    pub protocol: Protocol,
    /// What is different in the requests to it.
    pub manner: Manner,
}

/// One of the ways to get answers, best first.
#[derive(Debug, Clone, PartialEq)]
pub enum Candidate {
    /// This server.
    Server(Provider),
    /// This server, if it runs; its model, if none is named, is one that it lists.
    IfRunning(Provider),
    /// The built-in model, which is always there.
    Offline,
}

const OLLAMA_PORT: u16 = 11_434;

/// The ways to get answers, best first; never empty, and the first one that works is to be used. A
/// server that was asked for is the only one: nothing else answers in its place.
///
/// # Errors
/// A key or a provider is named that is not there, or a key without a server; what says who answers makes no
/// sense.
pub fn candidates(settings: &Settings, environment: &Environment) -> Result<Vec<Candidate>, Error> {
    if settings.offline() {
        return Ok(vec![Candidate::Offline]);
    }
    if let Some(why) = settings.in_doubt() {
        return Err(Error::WhoAnswers(why.to_owned()));
    }
    let key = explicit_key(settings, environment)?;
    let all = rows(settings, environment);
    if let Some(base_url) = settings.base_url() {
        let key = key.or_else(|| key_of_host(base_url, environment));
        return Ok(vec![Candidate::Server(server(base_url, key, settings))]);
    }
    if let Some(name) = settings.provider() {
        let row = all.iter().find(|row| row.is_called(name));
        let row = row.ok_or_else(|| no_provider(name, settings, &all))?;
        return Ok(vec![Candidate::Server(row.asked_for(key, settings)?)]);
    }
    if let Some(key) = key {
        // The variable of a known provider says by its name for which server it is.
        let Some(row) = all.iter().find(|row| row.variables.contains(&key.variable)) else {
            return Err(Error::NoServer { variable: key.variable });
        };
        return Ok(vec![Candidate::Server(row.provider(Some(key), settings))]);
    }
    let (keyed, local): (Vec<&Row>, Vec<&Row>) = all.iter().partition(|row| row.wants_key());
    let mut found: Vec<&Row> = keyed;
    found.retain(|row| row.key.is_some() || row.moved);
    // Who has an address for Claude's own tools and no key for it may have another provider's.
    found.sort_by_key(|row| row.key.is_none() && row.speaks_own());
    if let Some(model) = settings.model() {
        found.sort_by_key(|row| !row.serves(model));
    }
    let keyed = found.into_iter().map(|row| Candidate::Server(row.provider(None, settings)));
    let local = local.into_iter().map(|row| Candidate::IfRunning(row.provider(None, settings)));
    Ok(keyed.chain(local).chain([Candidate::Offline]).collect())
}

/// The server that settings and keys point at, as far as that is known without asking anybody: one that is named,
/// with or without its key, or the first whose key is there.
pub fn pointed_at(settings: &Settings, environment: &Environment) -> Option<Provider> {
    if let Some(name) = deciding(settings) {
        let all = rows(settings, environment);
        return all.iter().find(|row| row.is_called(name)).map(|row| row.provider(None, settings));
    }
    match candidates(settings, environment).ok()?.into_iter().next()? {
        Candidate::Server(server) => Some(server),
        Candidate::IfRunning(_) | Candidate::Offline => None,
    }
}

/// The name of the provider that is set, where nothing else decides who is asked.
fn deciding(settings: &Settings) -> Option<&str> {
    settings.provider().filter(|_| !settings.offline() && settings.base_url().is_none())
}

/// Whether there is a provider of the name that is set, where that decides whom [`pointed_at`] names.
///
/// # Errors
/// There is none.
pub fn check_deciding(settings: &Settings) -> Result<(), Error> {
    deciding(settings).map_or(Ok(()), |_| check_name(settings))
}

/// Whether there is a provider of the name that is set.
///
/// # Errors
/// There is none.
pub(super) fn check_name(settings: &Settings) -> Result<(), Error> {
    let Some(name) = settings.provider() else { return Ok(()) };
    let all = rows(settings, &Environment::default());
    let is_there = all.iter().any(|row| row.is_called(name));
    if is_there { Ok(()) } else { Err(no_provider(name, settings, &all)) }
}

/// The error for a provider that nobody knows.
fn no_provider(name: &str, settings: &Settings, rows: &[Row]) -> Error {
    let names = || rows.iter().map(Row::name);
    let hint = match nearest(name, names()) {
        Some(name) => format!("Did you mean {name}?"),
        None => format!("There are {}.", names().collect::<Vec<_>>().join(", ")),
    };
    let from = settings.source(Key::Provider).clone();
    Error::NoProvider { name: shortened(name), from, hint }
}

/// All that can be asked, whichever of them was chosen for this run, that one first: every provider whose key is
/// there, and the servers that may run here.
pub fn all_candidates(settings: &Settings, environment: &Environment) -> Vec<Candidate> {
    let mut all = candidates(settings, environment).unwrap_or_default();
    let rows = rows(settings, environment);
    let usable = rows.iter().filter(|row| !row.wants_key() || row.key.is_some());
    for provider in usable.map(|row| row.provider(None, settings)) {
        let is_known = |known: &Candidate| match known {
            Candidate::Server(known) | Candidate::IfRunning(known) => {
                known.name == provider.name || known.base_url == provider.base_url
            }
            Candidate::Offline => false,
        };
        if !all.iter().any(is_known) {
            all.push(Candidate::IfRunning(provider));
        }
    }
    all
}

/// Every key that the environment holds, so that none of them reaches a log.
pub fn secrets(settings: &Settings, environment: &Environment) -> Vec<Secret> {
    let rows = rows(settings, environment);
    let known = LISTED.iter().flat_map(|listed| listed.variables).copied();
    let own = rows.iter().flat_map(|row| &row.variables).map(String::as_str);
    let others = ["EBBTIDE_API_KEY", "OLLAMA_API_KEY", "ANTHROPIC_AUTH_TOKEN"]
        .into_iter()
        .chain(settings.api_key_env());
    let variables: BTreeSet<&str> = known.chain(own).chain(others).collect();
    let held = variables.into_iter().filter_map(|variable| environment.var(variable));
    let headers = rows.iter().flat_map(|row| &row.manner.headers).map(|(_, value)| value.clone());
    held.map(Secret::new).chain(headers).collect()
}

/// The key that the person chose: by `api_key_env`, else `EBBTIDE_API_KEY`.
fn explicit_key(settings: &Settings, environment: &Environment) -> Result<Option<ApiKey>, Error> {
    let Some(variable) = settings.api_key_env() else {
        return Ok(key_from("EBBTIDE_API_KEY", environment));
    };
    key_from(variable, environment).map(Some).ok_or_else(|| Error::NoKey {
        variable: variable.to_owned(),
        from: settings.source(Key::ApiKeyEnv).clone(),
    })
}

/// The key of a known provider, for its own host and for no other, and never in the clear.
fn key_of_host(base_url: &str, environment: &Environment) -> Option<ApiKey> {
    if !base_url.starts_with("https://") {
        return None;
    }
    let host = Address::of(base_url).host();
    let listed = LISTED.iter().find(|listed| !listed.is_local() && listed.host() == host)?;
    listed.variables.iter().find_map(|variable| key_from(variable, environment))
}

fn key_from(variable: &str, environment: &Environment) -> Option<ApiKey> {
    let secret = Secret::new(environment.var(variable)?);
    Some(ApiKey { variable: variable.to_owned(), secret })
}

/// A server by its address; a known one by its name.
fn server(base_url: &str, key: Option<ApiKey>, settings: &Settings) -> Provider {
    let address = Address::of(base_url);
    let host = address.host();
    let listed = LISTED.iter().find(|listed| !listed.is_local() && listed.host() == host);
    let spoken = settings.protocol().or_else(|| protocol_of(&address));
    let protocol = spoken.or(listed.map(|listed| listed.protocol)).unwrap_or_default();
    let usual_model = listed.map(|listed| listed.model);
    let known_window = listed
        .filter(|listed| settings.model().is_none_or(|model| model == listed.model))
        .and_then(|listed| listed.context_window);
    Provider {
        name: listed.map_or_else(|| address.server.to_owned(), |listed| listed.name.to_owned()),
        base_url: base_url.trim_end_matches('/').to_owned(),
        key,
        model: settings.model().or(usual_model).map(str::to_owned),
        context_window: settings.context_window().or(known_window),
        listed,
        protocol,
        manner: Manner::default(),
    }
}

/// What is spoken at an address, if it says so: by the path of its requests, or by Ollama's port.
fn protocol_of(address: &Address) -> Option<Protocol> {
    let path = address.path();
    let named = |protocol: &Protocol| path.ends_with(&format!("/{}", protocol.path()));
    let by_port = (address.port() == Some(OLLAMA_PORT)).then_some(Protocol::Ollama);
    Protocol::ALL.into_iter().find(named).or(by_port)
}

/// The address of Ollama's OpenAI interface from `OLLAMA_HOST`: a URL, `host`, `host:port` or
/// `:port`. The addresses that a server listens on everywhere are asked on this machine.
fn ollama_url(host: &str) -> String {
    let address = Address::of(host.trim().trim_end_matches('/'));
    let name = match address.host() {
        "" | "0.0.0.0" | "[::]" => "127.0.0.1",
        name => name,
    };
    let usual = match address.scheme {
        Some("https") => 443,
        Some(_) => 80,
        None => OLLAMA_PORT,
    };
    let scheme = address.scheme.unwrap_or("http");
    let user = address.user.map(|user| format!("{user}@")).unwrap_or_default();
    let port = address.port().unwrap_or(usual);
    format!("{scheme}://{user}{name}:{port}{}/v1", address.rest)
}

#[cfg(test)]
mod tests;
