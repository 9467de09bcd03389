//! What differs from protocol to protocol: how a request is written and how an answer is read. Everything
//! between the two, from the connection to the time-outs, is the same for all.

use std::fmt::Debug;

use serde_json::Value;

use super::failure::Report;
use super::ids::Ids;
use super::limits::Excess;
use super::omit::{Field, Omitted};
use super::{Completion, Endpoint, Event, Request};
use crate::providers::Protocol;

/// A protocol.
pub(crate) trait Dialect: Sync {
    /// The body of a request, with only what is set and what the server is not known to refuse.
    fn body(&self, request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value;

    /// The field of a body that a refusal names, if the request can go out without it, or, where that is what
    /// the server wants, with it.
    fn refused_field(&self, body: &Value, refusal: &str) -> Option<Field>;

    /// How long an answer to ask for instead, in tokens, where a refusal speaks of its length and the protocol cannot do
    /// without one.
    fn shorter_answer(&self, _body: &Value, _refusal: &str) -> Option<u64> {
        None
    }

    /// What puts an answer together, to a request for this model.
    fn answer(&self, model: &str) -> Box<dyn Answer>;

    /// Whether each line of an answer is a JSON text of its own.
    fn is_by_line(&self) -> bool {
        false
    }
}

/// An answer while it arrives. Every field may be absent, null, or of another type than documented; only too much
/// of anything fails.
pub(crate) trait Answer: Debug + Send {
    /// Takes the next JSON text of the stream, or the only one, and appends the events that it causes.
    ///
    /// # Errors
    /// Fails when the answer grows beyond a bound; what it may hold is emitted all the same.
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess>;

    /// Takes the mark by which some servers end a stream: `[DONE]`.
    fn take_end_mark(&mut self) {}

    /// Whether a JSON text that came as the whole body is an answer.
    fn is_whole(&self, body: &Value) -> bool;

    /// The error in a JSON text that came with a success status, if there is one.
    fn failure(&self, part: &Value) -> Option<Report>;

    /// The status that an error inside the stream stands for, if it says so.
    fn status_of(&self, report: &Report) -> Option<u16> {
        report.status
    }

    /// Adds what the parts did not hold: the end of a text that was held back.
    fn push_text(&mut self, text: &str, out: &mut Vec<Event>);

    /// The name under which its parts hold text.
    fn text_key(&self) -> &'static str;

    /// Emits what was held back, because nothing follows.
    fn close(&mut self, out: &mut Vec<Event>);

    /// How much came of the answer, in bytes; what says nothing does not count.
    fn progress(&self) -> usize;

    /// Whether the answer is whole, though more may follow.
    fn has_finished(&self) -> bool;

    /// Whether nothing follows.
    fn has_ended(&self) -> bool;

    /// Whether the reason for the end was an error of which the server says no more.
    fn has_failed(&self) -> bool {
        false
    }

    /// Whether any text, reasoning or call came.
    fn has_content(&self) -> bool;

    /// The complete answer. Call [`Self::close`] before.
    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion;
}

/// How a protocol is spoken.
pub(crate) fn dialect(protocol: Protocol) -> &'static dyn Dialect {
    match protocol {
        Protocol::Chat => &super::chat::Chat,
        Protocol::Responses => &super::responses::Responses,
        Protocol::Messages => &super::messages::Messages,
        Protocol::Ollama => &super::ollama::Ollama,
    }
}
