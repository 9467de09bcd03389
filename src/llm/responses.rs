//! OpenAI Responses. Written here like the others, and not taken from a crate: the one that knows it all refuses
//! unknown values, and takes an answer that was cut for a whole one.

mod answer;
mod request;

use serde_json::Value;

use super::omit::{Field, Omitted};
use super::protocol::{Answer, Dialect};
use super::{Endpoint, Request};

/// The protocol.
pub(crate) struct Responses;

impl Dialect for Responses {
    fn body(&self, request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
        request::body(request, endpoint, omitted)
    }

    fn refused_field(&self, body: &Value, refusal: &str) -> Option<Field> {
        request::refused_field(body, refusal)
    }

    fn answer(&self, model: &str) -> Box<dyn Answer> {
        Box::new(answer::Reading::of(model))
    }
}
