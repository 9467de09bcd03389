//! What differs from protocol to protocol: how a request is written and how an answer is read. Everything
//! between the two, from the connection to the time-outs, is the same for all.

use serde_json::Value;

use super::answer::Answer;
use super::omit::{Field, Omitted};
use super::{Endpoint, Request, chat, messages, ollama, responses};
use crate::providers::Protocol;

/// The body of a request, with only what is set and what the server is not known to refuse.
pub(crate) fn body(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    match endpoint.protocol {
        Protocol::Chat => chat::request::body(request, endpoint, omitted),
        Protocol::Responses => responses::request::body(request, endpoint, omitted),
        Protocol::Messages => messages::request::body(request, endpoint, omitted),
        Protocol::Ollama => ollama::request::body(request, endpoint, omitted),
    }
}

/// The field of a body that a refusal names, if the request can go out without it, or, where that is what
/// the server wants, with it.
pub(crate) fn refused_field(protocol: Protocol, body: &Value, refusal: &str) -> Option<Field> {
    match protocol {
        Protocol::Chat => chat::request::refused_field(body, refusal),
        Protocol::Responses => responses::request::refused_field(body, refusal),
        Protocol::Messages => messages::request::refused_field(body, refusal),
        Protocol::Ollama => ollama::request::refused_field(body, refusal),
    }
}

/// How long an answer to ask for instead, in tokens, where a refusal speaks of its length and the protocol cannot do
/// without one.
pub(crate) fn shorter_answer(protocol: Protocol, body: &Value, refusal: &str) -> Option<u64> {
    match protocol {
        Protocol::Messages => messages::request::shorter_answer(body, refusal),
        Protocol::Chat | Protocol::Responses | Protocol::Ollama => None,
    }
}

/// What puts an answer together, to a request for this model.
pub(crate) fn answer(protocol: Protocol, model: &str) -> Box<dyn Answer> {
    match protocol {
        Protocol::Chat => Box::new(chat::answer::Accumulator::default()),
        Protocol::Responses => Box::new(responses::answer::Reading::of(model)),
        Protocol::Messages => Box::new(messages::answer::Reading::of(model)),
        Protocol::Ollama => Box::new(ollama::answer::Reading::default()),
    }
}

/// The protocol of which a JSON text is a part of an answer, where its shape tells that.
pub(crate) fn spoken(part: &Value) -> Option<Protocol> {
    let kind = part["type"].as_str().unwrap_or_default();
    let begins = |names: &[&str]| names.iter().any(|name| kind.starts_with(name));
    if part["choices"].is_array() {
        Some(Protocol::Chat)
    } else if begins(&["response."]) || part["object"] == "response" {
        Some(Protocol::Responses)
    } else if begins(&["message", "content_block"]) {
        Some(Protocol::Messages)
    } else {
        part["done"].is_boolean().then_some(Protocol::Ollama)
    }
}

/// Whether each line of an answer is a JSON text of its own.
pub(crate) fn is_by_line(protocol: Protocol) -> bool {
    protocol == Protocol::Ollama
}
