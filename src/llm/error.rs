//! How a request can fail, in kinds that decide what happens next.

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Duration;

use super::Usage;
use crate::address::Address;
use crate::counted::{counted, noun};
use crate::providers::Protocol;

/// A request that failed. The texts are what happened; [`Error::advice`] adds why and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// Nothing listens at the address, or its name does not resolve, or no connection comes about.
    #[error("{} {address}: {detail}", obstacle.failed())]
    Connect {
        /// Host and port.
        address: String,
        /// The system's words, or ours where those say nothing.
        detail: String,
        /// What stands in the way.
        obstacle: Obstacle,
    },
    /// The server said nothing, or nothing of use, for too long.
    #[error("{address} sent {missing} for {}", seconds(*waited))]
    Timeout {
        /// Host and port.
        address: String,
        /// `no answer`, `no data`, `only keep-alives`, or what did not come to its end.
        missing: &'static str,
        /// How long we waited.
        waited: Duration,
    },
    /// The server answered with a status that is a failure.
    #[error("{address} answered {status}: {message}")]
    Status {
        /// Host and port.
        address: String,
        /// The HTTP status.
        status: u16,
        /// The server's explanation, without markup or secrets, at most a few hundred characters.
        message: String,
        /// How long the server asks us to wait.
        retry_after: Option<Duration>,
        /// The kind of failure, from status and body.
        kind: StatusKind,
        /// Tokens that the model takes, where the request had more and the server says how many it may have.
        takes: Option<u64>,
    },
    /// The server reported an error inside the stream of an answer.
    #[error("{address} reported an error while answering: {message}")]
    MidStream {
        /// Host and port.
        address: String,
        /// The server's explanation.
        message: String,
        /// The kind of failure, from its words.
        kind: StatusKind,
        /// Tokens that the model takes, where nothing of the answer came and the server says how many they are.
        takes: Option<u64>,
    },
    /// The stream ended without a sign that the answer was complete.
    #[error("the answer from {address} was cut off")]
    Cut {
        /// Host and port.
        address: String,
    },
    /// A success without content, calls or reasoning.
    #[error("{}{address} sent an empty answer", if *is_ended { "the model at " } else { "" })]
    Empty {
        /// Host and port.
        address: String,
        /// What it says that it took, as it is paid all the same.
        usage: Option<Usage>,
        /// It came to its end in order: the model had nothing to say.
        is_ended: bool,
    },
    /// A success whose body is compressed, which was not asked for.
    #[error("{address} sent a compressed answer ({encoding}), although none was asked for")]
    Compressed {
        /// Host and port.
        address: String,
        /// How it is compressed.
        encoding: String,
    },
    /// A part of an answer under way that cannot be read.
    #[error("the answer from {address} was garbled on its way: {detail}")]
    Garbled {
        /// Host and port.
        address: String,
        /// The start of what came.
        detail: String,
    },
    /// A body that is no answer in any known form.
    #[error("{address} sent something that is no model's answer: {detail}")]
    Unreadable {
        /// Host and port.
        address: String,
        /// What was wrong, or the start of what came.
        detail: String,
    },
    /// An answer in another protocol than the one that was asked in.
    #[error("{address} sent what looks like an answer in {}, not in {}", spoken.name(), asked.name())]
    Foreign {
        /// Host and port.
        address: String,
        /// The protocol of the request.
        asked: Protocol,
        /// That of the answer.
        spoken: Protocol,
    },
    /// What should be vectors of texts is none.
    #[error("{address} sent no vectors of texts: {why}")]
    NoVectors {
        /// Host and port.
        address: String,
        /// What was wrong.
        why: String,
    },
    /// More came than any model sends; the rest was not read.
    #[error("{address} sent {what}; the rest was not read")]
    TooLarge {
        /// Host and port.
        address: String,
        /// What came, with the bound that it passed.
        what: String,
    },
    /// A scripted model was asked for more than its script holds.
    #[error("{0}")]
    Script(String),
    /// The settings cannot make a request: a bad URL, an impossible header.
    #[error("{0}")]
    Setup(String),
}

/// What stands in the way of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// Nothing answers there, now.
    Nobody,
    /// Somebody took the request and hung up.
    HungUp,
    /// The server's certificate is not trusted.
    Certificate,
    /// `https` where the server speaks `http`.
    NoTls,
    /// `http` where the server speaks `https`, or something that is no HTTP at all.
    NoHttp,
    /// A proxy that the environment names.
    Proxy,
}

impl Obstacle {
    /// What failed, before the address.
    fn failed(self) -> &'static str {
        if self == Self::HungUp { "no answer from" } else { "could not connect to" }
    }

    /// Whether the next attempt may find it gone.
    fn passes(self) -> bool {
        matches!(self, Self::Nobody | Self::HungUp)
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Nobody => {
                "Is the server running, and is --base-url right? `ebbtide doctor` checks each step."
            }
            Self::HungUp => {
                "The server was there, so it may have failed: its own log may say why. Try again."
            }
            Self::Certificate => {
                "Ebbtide trusts the certificates that this machine trusts. Is --base-url right, and this \
                 machine's clock? If the server, or your company's network, has a certificate of its own, \
                 add its authority to the machine's, or name its file in SSL_CERT_FILE."
            }
            Self::NoTls => "Write http:// instead of https:// in --base-url.",
            Self::NoHttp => {
                "If it wants an encrypted connection, write https:// instead of http:// in --base-url."
            }
            Self::Proxy => {
                "Correct the variable, or add the server's host to NO_PROXY to reach it directly."
            }
        }
    }
}

/// The kinds of failed status that a person would act on differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusKind {
    /// The key is wrong or not allowed (401, 403, and 400s that say so).
    Key,
    /// A key is wanted, and none was sent.
    NoKey,
    /// The proxy wants a name and a password (407).
    Proxy,
    /// No money or quota left (402, `insufficient_quota`).
    Quota,
    /// No such model or address (404).
    NotFound,
    /// Nothing is at this address (404), whatever the model is.
    NoPath,
    /// A server on one's own machine has not fetched the model yet.
    NotPulled,
    /// A server is still loading its model (503 with these words).
    Loading,
    /// The model is there, and is for embeddings or something else than chatting.
    NoChat,
    /// The request is longer than the model takes (413, `context_length_exceeded`).
    TooLong,
    /// Too many requests (429).
    RateLimit,
    /// The server is overloaded or broken (408, 5xx).
    Server,
    /// What was at the address is somewhere else now (3xx).
    Moved,
    /// The model made a call that the server itself did not take (`tool_use_failed`).
    Slip,
    /// The server refused the request's form (400, 422 and the rest).
    Refused,
    /// The server refused the request's form without a word on why.
    Unexplained,
}

impl Error {
    /// Whether the server wants a key, or another one.
    pub fn wants_key(&self) -> bool {
        matches!(self, Self::Status { kind: StatusKind::Key | StatusKind::NoKey, .. })
    }

    /// Whether the same request may succeed later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Connect { obstacle, .. } => obstacle.passes(),
            Self::Timeout { .. } => true,
            Self::Status { kind, .. } => {
                use StatusKind::{Loading, RateLimit, Server, Slip};
                matches!(kind, RateLimit | Server | Loading | Slip)
            }
            _ => false,
        }
    }

    /// How long the server asks us to wait before the next attempt.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Self::Status { retry_after, .. } => *retry_after,
            _ => None,
        }
    }

    /// Tokens that the model takes, where the request had more and the server says how many it may have.
    pub fn takes(&self) -> Option<u64> {
        match self {
            Self::Status { takes, .. } | Self::MidStream { takes, .. } => *takes,
            _ => None,
        }
    }

    /// Why it probably happened and what to do about it, as sentences for people.
    pub fn advice(&self) -> Cow<'static, str> {
        match self {
            Self::Status { retry_after: Some(wait), kind, .. } if *wait > A_MOMENT => {
                kind.advice_after(*wait)
            }
            Self::Status { kind: StatusKind::TooLong, address, takes, .. }
            | Self::MidStream { kind: StatusKind::TooLong, address, takes, .. } => {
                lower(*takes, is_near(address)).into()
            }
            Self::Foreign { spoken, .. } => format!(
                "Is the protocol right, and does --base-url point at its address? --set protocol={} is that of the answer.",
                spoken.as_str()
            )
            .into(),
            other => other.usual_advice().into(),
        }
    }

    fn usual_advice(&self) -> &'static str {
        match self {
            Self::Connect { obstacle, .. } => obstacle.advice(),
            Self::Timeout { .. } => {
                "The server may be busy or still loading. Send again, or raise the time-outs in the \
                 settings."
            }
            Self::Status { kind, .. } => kind.advice(),
            // What does not pass by itself.
            Self::MidStream { kind, .. } if kind.stays() => kind.advice(),
            Self::MidStream { .. } | Self::Cut { .. } | Self::Garbled { .. } => "Send again.",
            Self::Empty { is_ended: true, .. } => "Send the message again, or put it another way.",
            Self::Compressed { .. } => {
                "The server, or a proxy before it, must send plain text: switch compression off there."
            }
            Self::Empty { .. } => {
                "Some servers do this when a request fails. Look at the server's own log, then send \
                 again."
            }
            Self::TooLarge { .. } => {
                "No model sends as much: the server is out of order. Look at the server's own log, then send \
                 again."
            }
            Self::Unreadable { .. } | Self::Foreign { .. } => {
                "Does --base-url point at the API (often it ends in /v1), not at a web page?"
            }
            Self::NoVectors { .. } => {
                "Is embedding_model a model for embeddings, and embedding_url its server?"
            }
            Self::Script(_) => "Correct the scenario file.",
            Self::Setup(_) => "Correct the setting and start again.",
        }
    }
}

/// A budget that most models have room for, in tokens.
const SMALL_BUDGET: u64 = 8_000;

/// What the system prompt, the tools and two exchanges need, about, in tokens.
const LEAST_BUDGET: u64 = 1_700;

/// What to do where a request is too long: with a budget within what the model takes, if the server says how much that is. One
/// that holds next to nothing is no budget.
fn lower(takes: Option<u64>, is_near: bool) -> String {
    let room = |takes: u64| takes / 4 * 3 / 100 * 100;
    let budget = takes.map_or(SMALL_BUDGET, |takes| room(takes).min(SMALL_BUDGET));
    let lower = if budget < LEAST_BUDGET {
        "Choose a model that takes more with /model.".to_owned()
    } else {
        format!(
            "Lower the window with /budget (for one run: --set token_budget={budget}), close an effort so that its summary \
             takes its place, or choose a model that takes more with /model."
        )
    };
    if is_near { format!("{lower} {GIVE_MORE}") } else { lower }
}

/// What may be done about a model that takes too little where its server is one's own.
const GIVE_MORE: &str = "Where it runs it may be given more (llama.cpp: -c 16384, Ollama: OLLAMA_CONTEXT_LENGTH=16384).";

/// Whether an address is on this machine or in the network around it.
fn is_near(address: &str) -> bool {
    let host = Address::of(address).host().trim_matches(['[', ']']);
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(host)) => host.is_loopback() || host.is_private(),
        Ok(IpAddr::V6(host)) => host.is_loopback() || host.is_unique_local(),
        Err(_) => host == "localhost" || host.rsplit('.').next() == Some("local"),
    }
}

fn seconds(waited: Duration) -> String {
    let seconds = waited.as_secs();
    format!("{seconds} {}", noun(seconds, "second"))
}

/// What is called a moment where a server says how long to wait.
const A_MOMENT: Duration = Duration::from_secs(10);

/// A wait as people say it, of at most two units and never too short: `40 seconds`, `2 hours`, `1 hour 5 minutes`.
fn spoken(wait: Duration) -> String {
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    if seconds < 120 {
        return counted(seconds, "second");
    }
    let minutes = seconds.div_ceil(60);
    let (large, small) = match minutes {
        ..60 => ((0, "hour"), (minutes, "minute")),
        60..1_440 => ((minutes / 60, "hour"), (minutes % 60, "minute")),
        _ => ((minutes / 1_440, "day"), ((minutes % 1_440).div_ceil(60), "hour")),
    };
    let told = [large, small].into_iter().filter(|(count, _)| *count > 0);
    told.map(|(count, unit)| counted(count, unit)).collect::<Vec<_>>().join(" ")
}

impl StatusKind {
    /// Whether sending the same again is in vain.
    fn stays(self) -> bool {
        matches!(self, Self::Quota | Self::TooLong | Self::NoChat)
    }

    /// What to do where the server says how long to wait.
    fn advice_after(self, wait: Duration) -> Cow<'static, str> {
        let then = format!("The server asks to wait: send again in {}", spoken(wait));
        match self {
            Self::RateLimit | Self::Loading => format!("{then}.").into(),
            Self::Server => format!("The trouble is at the server. {then}.").into(),
            Self::Quota => {
                let now = "Until then, choose another model with --model or --base-url";
                format!("The account's quota is used up. {then}, or add credit. {now}.").into()
            }
            other => other.advice().into(),
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Key => "Check the key: `ebbtide doctor` shows which variable it was read from.",
            Self::NoKey => {
                "No key was sent. Set the provider's variable to your key (`ebbtide doctor` lists them), or \
                 put it into EBBTIDE_API_KEY."
            }
            Self::Proxy => {
                "Put name and password into the proxy's address: http://name:password@proxy:port."
            }
            Self::Quota => {
                "The account has no credit or quota left. Add credit, or choose another model with \
                 --model or --base-url."
            }
            Self::NotFound => {
                "/model lists what the server has, and --model names one; `ebbtide doctor` checks --base-url."
            }
            Self::NoPath => {
                "Nothing is at this address. Is --base-url right (often it ends in /v1), and does the server \
                 speak this protocol? --set protocol=chat, responses, messages or ollama names another."
            }
            Self::NotPulled => {
                "/pull fetches it (outside the chat: ebbtide -p \"/pull NAME\"), and /model lists what is there."
            }
            Self::Loading => "It is still loading its model. Send again in a moment.",
            Self::NoChat => {
                "It is not for chatting (it may be for embeddings). Choose another: /model lists them."
            }
            Self::TooLong => {
                "Lower the window with /budget, close an effort so that its summary takes its place, or choose a model \
                 that takes more with /model."
            }
            Self::RateLimit => "Wait a moment, then send again.",
            Self::Server => "The trouble is at the server. Wait a moment, then send again.",
            Self::Moved => {
                "Is --base-url right? It has to name the address where the server is now."
            }
            Self::Slip => {
                "The model made a call in a form that the server does not take. Send again."
            }
            Self::Refused => "The server's words above say what it did not accept.",
            Self::Unexplained => {
                "The server does not say what it did not accept; its own log may. `ebbtide doctor` checks each step."
            }
        }
    }
}

#[cfg(test)]
mod tests;
