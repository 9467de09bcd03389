//! The model behind one trait: a real server, the built-in offline model, or a script.
//!
//! Owns bytes, wire types and everything that real servers do differently from their documentation.
//! Knows nothing of efforts, windows or screens, and imports leaves and the table of providers alone.

pub mod client;
pub mod discover;
pub mod embed;
pub mod endpoint;
pub mod error;
pub mod facts;
pub mod offer;
pub mod offline;
pub mod probe;
mod recite;
pub mod scripted;
pub mod wire;

mod alternate;
mod answer;
mod blocks;
mod calls;
mod chat;
mod connect;
mod decode;
mod failure;
mod generate;
pub(crate) mod ids;
mod json_end;
mod limits;
mod messages;
mod names;
mod ollama;
mod omit;
mod patience;
mod protocol;
mod pull;
mod responses;
mod said;
mod server;
mod sse;
mod surrogate;
mod text_body;
mod think;
mod usage;
mod wait;

use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use futures_util::Stream;

pub use crate::providers::{Protocol, Thinking};
pub use crate::secret::Secret;
pub use chat::wire_body;
pub use client::Client;
pub use decode::{Ended, replay, replay_as};
pub use embed::Embedder;
pub use endpoint::{Endpoint, Retries, Timeouts, Wishes};
pub use error::Error;
pub use facts::Facts;
pub use offer::{Later, Offer, Offers, Shop};
pub use pull::{Fetched, pull};
pub use usage::Usage;
pub use wire::{FinishReason, Message, Purpose, Request, Role, ToolCall};

/// What a model reports while it answers.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// More of the answer's text. Never holds half a character; may hold control characters, which
    /// whoever draws it must strip.
    Text(String),
    /// More of the model's reasoning, shown apart from the answer.
    Reasoning(String),
    /// A tool call began to arrive; its name is known.
    ToolCallStarted {
        /// The tool's name.
        name: String,
    },
    /// The request failed in a way that passes; it is repeated after the wait. Dropping the stream
    /// stops it. Repeated each time the plan changes, not each second.
    Retrying {
        /// Time until the next attempt.
        wait: Duration,
        /// The next attempt's number, from 2.
        attempt: u32,
        /// The failure, as a sentence for people.
        reason: String,
    },
    /// Something the user should know that is no failure, for example that the server took no tools
    /// and the request went out once more without.
    Notice(String),
    /// The request went out without the tools, which the server does not take.
    WithoutTools,
    /// What the server told of tokens before the answer is complete; a later one replaces it. Where it told nothing of the
    /// answer, that is 0.
    Usage(Usage),
    /// The answer is complete. Always the last event of a stream that did not fail.
    Done(Completion),
}

/// A complete answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Completion {
    /// The answer's whole text; empty when the model only called tools. What counts if it differs from
    /// the text events: a server that swallowed an opening tag shows its reasoning too late to tell.
    pub text: String,
    /// The reasoning's whole text, for the screen.
    pub reasoning: String,
    /// Tool calls in the order of their arrival.
    pub calls: Vec<ToolCall>,
    /// Fields of the assistant message that must go back unchanged in later requests of the same
    /// turn: `reasoning_content`, `reasoning`, `reasoning_details`.
    pub replay: serde_json::Map<String, serde_json::Value>,
    /// Why the answer ended.
    pub finish: FinishReason,
    /// What the server measured, if it said.
    pub usage: Option<Usage>,
    /// Whether the exchange is small talk, which belongs to no effort. Only the built-in model says so.
    pub aside: bool,
}

impl Completion {
    /// Whether nothing is in it, and nothing says why.
    pub(crate) fn is_nothing(&self) -> bool {
        let is_silent = self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty();
        is_silent && self.finish.explains_nothing()
    }
}

/// The events of one answer. Dropping it cancels the request.
pub type EventStream = Pin<Box<dyn Stream<Item = Result<Event, Error>> + Send>>;

/// What the status line and the gauge say about a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    /// The model's name as sent: `deepseek-chat`, or `offline`.
    pub name: String,
    /// Who serves it: `DeepSeek`, `127.0.0.1:8080`, `built in`.
    pub provider: String,
    /// Tokens that the model takes, when known.
    pub context_window: Option<u64>,
    /// No language model: pattern rules and extraction, with no network.
    pub offline: bool,
}

/// Anything that answers requests.
pub trait Model: Send + Sync {
    /// Describes the model for the screen.
    fn info(&self) -> ModelInfo;

    /// Sends a request and streams the answer. Never blocks; a failure is the stream's last item.
    fn stream(&self, request: Request) -> EventStream;

    /// A message that a later request may hold, for a model on this machine that can read it now. Takes its time, and
    /// changes no answer.
    fn foretell(&self, _message: &str) {}

    /// The other models that can be had instead; `None` where there are none.
    fn shop(&self) -> Option<Arc<dyn Shop>> {
        None
    }

    /// Tokens that another model takes which the same server would answer with, as far as that told of it.
    fn takes(&self, _model: &str) -> Option<u64> {
        None
    }

    /// What turns texts into vectors, by a model of this name at an address, or at the chat's own server where none is
    /// given; `None` where nobody shall be asked.
    ///
    /// # Errors
    /// Why there is none, in words.
    fn embedder(&self, _model: &str, _base_url: Option<&str>) -> Result<Option<Embedder>, String> {
        Ok(None)
    }

    /// Whether requests of a purpose can be answered at all now.
    fn answers(&self, _purpose: Purpose) -> bool {
        true
    }
}
