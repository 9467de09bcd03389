//! Which model answers: the servers that flags, settings and variables point at, in order.

use super::{Environment, Error, Key, Secret, Settings};

/// A key with the variable that it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiKey {
    /// For example `DEEPSEEK_API_KEY`.
    pub variable: String,
    /// The key itself.
    pub secret: Secret,
}

/// A server that can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
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
}

/// One of the ways to get answers, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// This server.
    Server(Provider),
    /// This server, if it runs; its model, if none is named, is the first that it lists.
    OllamaIfRunning(Provider),
    /// The built-in model, which is always there.
    Offline,
}

/// A provider that is known by name.
struct Known {
    name: &'static str,
    variable: &'static str,
    base_url: &'static str,
    host: &'static str,
    model: &'static str,
    context_window: Option<u64>,
    /// How the names of its models begin.
    families: &'static [&'static str],
}

const KNOWN: &[Known] = &[
    Known {
        name: "DeepSeek",
        variable: "DEEPSEEK_API_KEY",
        base_url: "https://api.deepseek.com",
        host: "api.deepseek.com",
        model: "deepseek-chat",
        context_window: Some(128_000),
        families: &["deepseek-"],
    },
    Known {
        name: "OpenAI",
        variable: "OPENAI_API_KEY",
        base_url: "https://api.openai.com/v1",
        host: "api.openai.com",
        model: "gpt-4.1-mini",
        context_window: Some(1_047_576),
        families: &["gpt-", "chatgpt-", "o1", "o3", "o4"],
    },
    Known {
        name: "OpenRouter",
        variable: "OPENROUTER_API_KEY",
        base_url: "https://openrouter.ai/api/v1",
        host: "openrouter.ai",
        model: "openrouter/auto",
        context_window: None,
        families: &[],
    },
];

const OLLAMA_PORT: u16 = 11_434;

/// The ways to get answers, best first; never empty, and the first one that works is to be used. A
/// server that was asked for is the only one: nothing else answers in its place.
///
/// # Errors
/// A key is named that is not there, or a key without a server.
pub fn candidates(settings: &Settings, environment: &Environment) -> Result<Vec<Candidate>, Error> {
    if settings.offline() {
        return Ok(vec![Candidate::Offline]);
    }
    let key = explicit_key(settings, environment)?;
    if let Some(base_url) = settings.base_url() {
        let key = key.or_else(|| key_of_host(base_url, environment));
        return Ok(vec![Candidate::Server(server(base_url, key, settings))]);
    }
    if let Some(key) = key {
        // The variable of a known provider says by its name for which server it is.
        let Some(known) = KNOWN.iter().find(|known| known.variable == key.variable) else {
            return Err(Error::NoServer { variable: key.variable });
        };
        return Ok(vec![Candidate::Server(known.provider(Some(key), settings, environment))]);
    }
    let mut found: Vec<Candidate> = KNOWN
        .iter()
        .filter_map(|known| known.found(settings, environment))
        .map(Candidate::Server)
        .collect();
    if let Some(model) = settings.model() {
        found.sort_by_key(|candidate| !serves(candidate, model));
    }
    found.push(Candidate::OllamaIfRunning(ollama(settings, environment)));
    found.push(Candidate::Offline);
    Ok(found)
}

/// Every key that the environment holds, so that none of them reaches a log.
pub fn secrets(settings: &Settings, environment: &Environment) -> Vec<Secret> {
    let known = KNOWN.iter().map(|known| known.variable);
    let others = ["EBBTIDE_API_KEY", "OLLAMA_API_KEY"].into_iter().chain(settings.api_key_env());
    known.chain(others).filter_map(|variable| environment.var(variable)).map(Secret::new).collect()
}

impl Known {
    /// This provider, if the environment has a key for it or an address in its place.
    fn found(&self, settings: &Settings, environment: &Environment) -> Option<Provider> {
        let key = key_from(self.variable, environment);
        let elsewhere = self.elsewhere(environment).is_some();
        (key.is_some() || elsewhere).then(|| self.provider(key, settings, environment))
    }

    fn provider(
        &self,
        key: Option<ApiKey>,
        settings: &Settings,
        environment: &Environment,
    ) -> Provider {
        if let Some(base_url) = self.elsewhere(environment)
            && host_of(base_url) != self.host
        {
            return server(base_url, key, settings);
        }
        let asked_for = settings.model().filter(|model| *model != self.model);
        let known_window = if asked_for.is_none() { self.context_window } else { None };
        Provider {
            name: self.name.to_owned(),
            base_url: self
                .elsewhere(environment)
                .unwrap_or(self.base_url)
                .trim_end_matches('/')
                .to_owned(),
            key,
            model: Some(asked_for.unwrap_or(self.model).to_owned()),
            context_window: settings.context_window().or(known_window),
        }
    }

    /// Another address for the same protocol, from the variables that OpenAI's own tools read.
    fn elsewhere<'a>(&self, environment: &'a Environment) -> Option<&'a str> {
        if self.variable != "OPENAI_API_KEY" {
            return None;
        }
        environment.var("OPENAI_BASE_URL").or_else(|| environment.var("OPENAI_API_BASE"))
    }
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
    let host = host_of(base_url);
    let known = KNOWN.iter().find(|known| known.host == host)?;
    key_from(known.variable, environment)
}

fn key_from(variable: &str, environment: &Environment) -> Option<ApiKey> {
    let secret = Secret::new(environment.var(variable)?);
    Some(ApiKey { variable: variable.to_owned(), secret })
}

/// A server by its address; a known one by its name.
fn server(base_url: &str, key: Option<ApiKey>, settings: &Settings) -> Provider {
    let host = host_of(base_url);
    let known = KNOWN.iter().find(|known| known.host == host);
    let usual_model = known.map(|known| known.model);
    let known_window = known
        .filter(|known| settings.model().is_none_or(|model| model == known.model))
        .and_then(|known| known.context_window);
    Provider {
        name: known
            .map_or_else(|| authority_of(base_url).to_owned(), |known| known.name.to_owned()),
        base_url: base_url.trim_end_matches('/').to_owned(),
        key,
        model: settings.model().or(usual_model).map(str::to_owned),
        context_window: settings.context_window().or(known_window),
    }
}

fn ollama(settings: &Settings, environment: &Environment) -> Provider {
    Provider {
        name: "Ollama".to_owned(),
        base_url: ollama_url(environment.var("OLLAMA_HOST").unwrap_or_default()),
        key: key_from("OLLAMA_API_KEY", environment),
        model: settings.model().map(str::to_owned),
        context_window: settings.context_window(),
    }
}

/// The address of Ollama's OpenAI interface from `OLLAMA_HOST`: a URL, `host`, `host:port` or
/// `:port`. The addresses that a server listens on everywhere are asked on this machine.
fn ollama_url(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (name, port) = split_port(authority);
    let name = match name {
        "" | "0.0.0.0" | "[::]" => "127.0.0.1",
        name => name,
    };
    let usual = match scheme {
        "https" => 443,
        _ if host.contains("://") => 80,
        _ => OLLAMA_PORT,
    };
    let port = port.unwrap_or(usual);
    let slash = if path.is_empty() { "" } else { "/" };
    format!("{scheme}://{name}:{port}{slash}{path}/v1")
}

fn split_port(authority: &str) -> (&str, Option<u16>) {
    match authority.rsplit_once(':') {
        Some((name, port)) if !port.contains(']') => (name, port.parse().ok()),
        _ => (authority, None),
    }
}

/// Host and port of an address, without a password.
fn authority_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn host_of(url: &str) -> &str {
    split_port(authority_of(url)).0
}

/// Whether a model's name looks like one of this provider.
fn serves(candidate: &Candidate, model: &str) -> bool {
    let Candidate::Server(provider) = candidate else { return false };
    match KNOWN.iter().find(|known| known.name == provider.name) {
        Some(known) if known.families.is_empty() => model.contains('/'),
        Some(known) => known.families.iter().any(|family| model.starts_with(family)),
        None => false,
    }
}

#[cfg(test)]
mod tests;
