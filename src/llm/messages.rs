//! Anthropic Messages. Written here like the others, and not taken from a crate: those that there are read an
//! answer that was cut as a whole one, and give up signatures and unknown fields.

mod answer;
mod request;

use serde_json::Value;

use super::omit::{Field, Omitted};
use super::protocol::{Answer, Dialect};
use super::{Endpoint, Request};

/// The protocol.
pub(crate) struct Messages;

impl Dialect for Messages {
    fn body(&self, request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
        request::body(request, endpoint, omitted)
    }

    fn refused_field(&self, body: &Value, refusal: &str) -> Option<Field> {
        request::refused_field(body, refusal)
    }

    fn shorter_answer(&self, body: &Value, refusal: &str) -> Option<u64> {
        request::shorter_answer(body, refusal)
    }

    fn answer(&self, model: &str) -> Box<dyn Answer> {
        Box::new(answer::Reading::of(model))
    }
}
