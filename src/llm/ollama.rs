//! Ollama's own protocol. Written here like the others, and not taken from a crate: those that there are cannot
//! refuse a prompt that is too long, and take an answer that was cut for a whole one.

mod answer;
mod request;

use serde_json::Value;

use super::omit::{Field, Omitted};
use super::protocol::{Answer, Dialect};
use super::{Endpoint, Request};

/// The protocol.
pub(crate) struct Ollama;

impl Dialect for Ollama {
    fn body(&self, request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
        request::body(request, endpoint, omitted)
    }

    fn refused_field(&self, body: &Value, refusal: &str) -> Option<Field> {
        request::refused_field(body, refusal)
    }

    fn answer(&self, _model: &str) -> Box<dyn Answer> {
        Box::new(answer::Reading::default())
    }

    fn is_by_line(&self) -> bool {
        true
    }
}
