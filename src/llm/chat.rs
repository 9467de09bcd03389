//! OpenAI Chat Completions, as all the servers speak it that call themselves compatible.

mod answer;
mod reasoning;
mod request;

use serde_json::Value;

use super::omit::{Field, Omitted};
use super::protocol::{Answer, Dialect};
use super::{Endpoint, Request};

pub use request::wire_body;

/// The protocol.
pub(crate) struct Chat;

impl Dialect for Chat {
    fn body(&self, request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
        request::body(request, endpoint, omitted)
    }

    fn refused_field(&self, body: &Value, refusal: &str) -> Option<Field> {
        request::refused_field(body, refusal)
    }

    fn answer(&self, _model: &str) -> Box<dyn Answer> {
        Box::new(answer::Accumulator::default())
    }
}
