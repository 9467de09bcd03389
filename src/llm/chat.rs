//! OpenAI Chat Completions, as all the servers speak it that call themselves compatible.

pub(super) mod answer;
mod reasoning;
pub(super) mod request;

pub use request::wire_body;
