//! What the command line needs from the machine, as values and functions, so that tests bring their own.

use std::fmt::{self, Display, Formatter};
use std::io::{IsTerminal, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use reqwest::Url;

use crate::config::{Environment, Provider};
use crate::llm::discover::through_proxy;
use crate::llm::probe::{chosen_of, facts_or_fault};
use crate::llm::{self, Embedder, Endpoint, Facts};
use crate::plain::without_codes;
use crate::providers::Told;
pub use crate::store::SessionSummary;

/// Where output goes.
pub struct Streams<'a> {
    /// What was asked for.
    pub out: &'a mut dyn Write,
    /// Everything else.
    pub err: &'a mut dyn Write,
}

impl Streams<'_> {
    /// Says something beside what was asked for, such as how far it has come. Who cannot be told misses nothing else.
    pub fn tell(&mut self, what: impl Display) {
        let _ = writeln!(self.err, "{}", without_codes(&what.to_string()));
    }
}

/// The machine around the program.
pub struct Host {
    /// The environment variables.
    pub environment: Environment,
    /// Whether somebody sits at the input and looks at the output.
    pub interactive: bool,
    /// Lists the sessions of a directory, the one used last first.
    pub sessions: fn(&Path) -> Vec<SessionSummary>,
    /// Asks whether a server can be reached; the error is the reason, in words.
    pub reachable: fn(&Provider) -> Result<Way, Unreached>,
    /// Asks a model for embeddings for the vector of a word, and gives its length; the error is why there is none.
    pub embeds: fn(&Embedder) -> Result<usize, llm::Error>,
    /// Asks a server what it tells of a model; the error is why it does not, or what is there instead of one.
    pub facts: fn(&Endpoint, Told) -> Result<Facts, llm::Error>,
    /// Asks a server which of its models answers where nobody names one; `None` where none does.
    pub chosen: fn(&Endpoint, Vec<String>) -> Option<String>,
}

/// How a server was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// At its own address.
    Straight,
    /// Through the proxy that this variable names, as the chat goes.
    Proxy(&'static str),
}

/// Why a server was not reached, and what to do where that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreached {
    /// The reason, in words.
    pub why: String,
    /// What to do.
    pub advice: Option<String>,
}

impl From<String> for Unreached {
    fn from(why: String) -> Self {
        Self { why, advice: None }
    }
}

impl Display for Way {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Straight => Ok(()),
            Self::Proxy(variable) => write!(out, " through the proxy that {variable} names"),
        }
    }
}

impl Host {
    /// This machine.
    pub fn of_process(sessions: fn(&Path) -> Vec<SessionSummary>) -> Self {
        Self {
            environment: Environment::of_process(),
            interactive: std::io::stdin().is_terminal() && std::io::stdout().is_terminal(),
            sessions,
            reachable: connects,
            embeds: embedded,
            facts: asked,
            chosen,
        }
    }
}

/// The model that answers where nobody names one.
fn chosen(endpoint: &Endpoint, models: Vec<String>) -> Option<String> {
    super::runtime::run(async { Ok(chosen_of(endpoint, models).await) }).ok().flatten()
}

/// What a server tells of a model; nothing where it cannot be asked.
fn asked(endpoint: &Endpoint, told: Told) -> Result<Facts, llm::Error> {
    super::runtime::run(async { Ok(facts_or_fault(endpoint, told).await) })
        .unwrap_or_else(|_| Ok(Facts::default()))
}

fn embedded(embedder: &Embedder) -> Result<usize, llm::Error> {
    /// A local server may have to load the model first.
    const LOADING: Duration = Duration::from_secs(20);
    let texts = ["hello".to_owned()];
    let asked = async { Ok(embedder.embed(&texts, LOADING).await) };
    let vectors = super::runtime::run(asked).unwrap_or_else(|_| Ok(Vec::new()));
    Ok(vectors?.first().map_or(0, Vec::len))
}

/// How long a server may take to accept a connection before it counts as not running.
const PATIENCE: Duration = Duration::from_secs(3);

/// Whether something listens at a server's address, or a request comes to it through the proxy that stands before it. Says
/// nothing about its answers.
///
/// # Errors
/// The reason in words: the name does not resolve, nothing accepts, or the proxy lets nothing through.
pub fn connects(provider: &Provider) -> Result<Way, Unreached> {
    let asked = async { Ok(through_proxy(&provider.base_url, PATIENCE).await) };
    match super::runtime::run(asked).ok().flatten() {
        Some(Ok(variable)) => Ok(Way::Proxy(variable)),
        Some(Err(error)) => Err(Unreached {
            advice: Some(error.advice().into_owned()),
            why: match error {
                llm::Error::Connect { detail, .. } => detail,
                other => other.to_string(),
            },
        }),
        None => Ok(listens(provider).map(|()| Way::Straight)?),
    }
}

/// Whether something accepts connections at a server's own address.
fn listens(provider: &Provider) -> Result<(), String> {
    let none = "its name has no address".to_owned();
    let connected = sockets(&provider.base_url)?.iter().try_fold(none, |_, address| {
        match TcpStream::connect_timeout(address, PATIENCE) {
            Ok(_) => Err(()),
            Err(reason) => Ok(reason.to_string()),
        }
    });
    // The fold stops early, with `Err`, at the first address that accepts.
    connected.map_or(Ok(()), Err)
}

/// Where requests to an address go, at the scheme's port if it names none.
fn sockets(base_url: &str) -> Result<Vec<SocketAddr>, String> {
    let url = Url::parse(base_url).map_err(|reason| reason.to_string())?;
    url.socket_addrs(|| None).map_err(|reason| reason.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(base_url: String) -> Provider {
        Provider {
            name: "test".into(),
            base_url,
            key: None,
            model: None,
            context_window: None,
            listed: None,
            protocol: crate::providers::Protocol::Chat,
            manner: crate::config::Manner::default(),
        }
    }

    #[test]
    fn a_listening_server_is_reached_and_a_closed_port_gives_a_reason() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        assert_eq!(connects(&server(format!("http://{address}/v1"))), Ok(Way::Straight));
        drop(listener);
        assert!(connects(&server(format!("http://{address}/v1"))).is_err());
    }

    #[test]
    fn addresses_without_a_port_get_the_one_of_their_scheme() {
        for (url, expected) in [
            ("https://192.0.2.1/v1", "192.0.2.1:443"),
            ("http://user:word@[::1]/v1", "[::1]:80"),
            ("http://[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(sockets(url).unwrap(), [expected.parse().unwrap()], "{url}");
        }
        assert!(sockets("192.0.2.1/v1").is_err(), "no request goes there");
    }
}
