//! Where a server is and how to treat it: address, key, patience.

use std::time::Duration;

use reqwest::Url;

use serde_json::{Map, Value};

use super::{Error, Facts};
use crate::address::{Address, HOLDS_USER, without_password};
use crate::providers::{Protocol, Thinking};
use crate::secret::Secret;

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For the first byte of an answer. Long: a local server may have to load its model, and a busy
    /// one holds a request for minutes.
    pub first_byte: Duration,
    /// Between two bytes of an answer.
    pub silence: Duration,
    /// For content while only comments and empty lines come.
    pub keepalive_only: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            first_byte: Duration::from_secs(900),
            silence: Duration::from_secs(300),
            keepalive_only: Duration::from_secs(660),
        }
    }
}

/// How often to repeat a request that failed in a way that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// The wait before the second attempt when the server names none; doubles each time.
    pub backoff: Duration,
    /// The longest wait that a server may ask for; a longer one is reported instead.
    pub longest_wait: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            attempts: 4,
            backoff: Duration::from_secs(1),
            longest_wait: Duration::from_secs(300),
        }
    }
}

/// How a server's models shall answer, as far as a person says so.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Wishes {
    /// How hard to think.
    pub effort: Option<Thinking>,
    /// The sampling temperature.
    pub temperature: Option<f32>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u64>,
}

/// A server and a model on it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// What is spoken there.
    pub protocol: Protocol,
    /// The address of the API, most often ending in `/v1`.
    pub base_url: String,
    /// The key, if the server wants one.
    pub api_key: Option<Secret>,
    /// The model's name as the server knows it.
    pub model: String,
    /// The server's name for people.
    pub provider: String,
    /// Tokens that the model takes, when known.
    pub context_window: Option<u64>,
    /// How long to wait.
    pub timeouts: Timeouts,
    /// How often to try.
    pub retries: Retries,
    /// Further headers of every request. Their values may be secrets.
    pub headers: Vec<(String, Secret)>,
    /// Further fields of every request; they go before our own.
    pub fields: Map<String, Value>,
    /// How it shall answer, as far as a person says so.
    pub wishes: Wishes,
    /// A name under which the server may keep the beginnings of our prompts; made where it is empty.
    pub cache_key: String,
    /// What the server told of the model.
    pub facts: Facts,
}

impl Endpoint {
    /// An endpoint with nothing but an address and a model.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            protocol: Protocol::Chat,
            base_url: base_url.into(),
            api_key: None,
            model: model.into(),
            provider: String::new(),
            context_window: None,
            timeouts: Timeouts::default(),
            retries: Retries::default(),
            headers: Vec::new(),
            fields: Map::new(),
            wishes: Wishes::default(),
            cache_key: String::new(),
            facts: Facts::default(),
        }
    }

    /// The full address of one of the API's paths, as in `chat/completions`, whichever way people write the
    /// address of that API.
    ///
    /// # Errors
    /// Fails when the base URL is none, or not of HTTP.
    pub(crate) fn url(&self, path: &str) -> Result<Url, Error> {
        let base = self.base_url.trim();
        let bad = |why: &str| {
            Error::Setup(format!(
                "the base URL {:?} cannot be used: {why}; it should look like http://127.0.0.1:8080/v1",
                without_password(base)
            ))
        };
        let parsed = Url::parse(base);
        let holds_user = match &parsed {
            Ok(url) => !url.username().is_empty() || url.password().is_some(),
            Err(_) => Address::of(base).holds_user(),
        };
        if holds_user {
            return Err(Error::Setup(format!("the base URL {HOLDS_USER}")));
        }
        let mut url = parsed.map_err(|error| bad(&error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("it must begin with http:// or https://"));
        }
        // Many copy the address of the request itself.
        let root = url.path().trim_end_matches('/');
        let request = format!("/{}", self.protocol.path());
        let root = root.strip_suffix(&*request).unwrap_or(root).trim_end_matches('/');
        let version = match self.protocol {
            Protocol::Messages if !root.ends_with("/v1") => "/v1",
            Protocol::Ollama if !path.starts_with("api/") => "/v1",
            _ => "",
        };
        let root = match self.protocol {
            Protocol::Ollama => root.trim_end_matches("/v1").trim_end_matches("/api"),
            _ => root,
        };
        let full = format!("{root}{version}/{path}");
        url.set_path(&full);
        url.set_fragment(None);
        Ok(url)
    }

    /// Whether an address is on this very server: scheme, host and port are the same.
    pub fn is_at(&self, url: &str) -> bool {
        let origin = |url: &str| Url::parse(url.trim()).ok().map(|url| url.origin());
        let own = origin(&self.base_url);
        own.is_some() && own == origin(url)
    }

    /// A text from the server without our secrets in it.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let headers = self.headers.iter().map(|(_, value)| value);
        self.api_key.iter().chain(headers).fold(text.to_owned(), |text, secret| secret.scrub(&text))
    }
}

/// Host and port of a URL, for messages.
pub(crate) fn address_of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// Whether a URL points at this very machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost"
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, Protocol, Secret, address_of, is_loopback};

    #[test]
    fn addresses_are_read_as_people_write_them() {
        let cases = [
            ("http://h:1/v1", "http://h:1/v1/chat/completions"),
            (" http://h:1/v1/ ", "http://h:1/v1/chat/completions"),
            ("https://h", "https://h/chat/completions"),
            ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
            ("https://h/v1?api-version=3", "https://h/v1/chat/completions?api-version=3"),
        ];
        for (base, full) in cases {
            assert_eq!(Endpoint::new(base, "m").url("chat/completions").unwrap().as_str(), full);
        }
        let cases = [
            (Protocol::Messages, "https://h", "https://h/v1/messages"),
            (Protocol::Messages, "https://h/anthropic/", "https://h/anthropic/v1/messages"),
            (Protocol::Messages, "https://h/v1/messages", "https://h/v1/messages"),
            (Protocol::Responses, "https://h/v1/responses", "https://h/v1/responses"),
            (Protocol::Ollama, "http://h:1/v1", "http://h:1/api/chat"),
            (Protocol::Ollama, "http://h:1/api/chat", "http://h:1/api/chat"),
            (Protocol::Ollama, "http://h:1", "http://h:1/api/chat"),
        ];
        for (protocol, base, full) in cases {
            let endpoint = Endpoint { protocol, ..Endpoint::new(base, "m") };
            assert_eq!(endpoint.url(protocol.path()).unwrap().as_str(), full, "{base}");
        }
        let ollama = Endpoint { protocol: Protocol::Ollama, ..Endpoint::new("http://h/v1", "m") };
        assert_eq!(ollama.url("models").unwrap().as_str(), "http://h/v1/models");
        for base in [
            "",
            "h:1/v1",
            "ftp://h/",
            "/v1",
            "http://user:pass@h/v1",
            "http://u:pass@h:x",
            "http://u:b/pass@h",
            "u:pass@h",
        ] {
            let error = Endpoint::new(base, "m").url("x").unwrap_err().to_string();
            assert!(error.contains("base URL") && !error.contains("pass@"), "{error}");
        }
    }

    #[test]
    fn the_machine_itself_is_known() {
        let cases = [
            ("http://127.0.0.1:1", true),
            ("http://[::1]:1", true),
            ("http://localhost", true),
            ("http://h", false),
        ];
        for (base, expected) in cases {
            let url = Endpoint::new(base, "m").url("x").unwrap();
            assert_eq!(is_loopback(&url), expected, "{base}");
        }
        let url = Endpoint::new("http://127.0.0.1:81/v1", "m").url("x").unwrap();
        assert_eq!(address_of(&url), "127.0.0.1:81");
    }

    #[test]
    fn secrets_are_never_printed() {
        let mut endpoint = Endpoint::new("http://h", "m");
        endpoint.api_key = Some(Secret::new(" sk-12345678\n"));
        endpoint.headers.push(("x-token".to_owned(), Secret::new("abcdefgh")));
        assert!(!format!("{endpoint:?}").contains("12345678"));
        assert_eq!(Secret::new("sk-12345678").to_string(), "[secret]");
        assert_eq!(endpoint.scrub("bad sk-12345678, abcdefgh"), "bad [secret], [secret]");
    }
}
