//! OpenAI Responses. Written here like the others, and not taken from a crate: the one that knows it all refuses
//! unknown values, and takes an answer that was cut for a whole one.

pub(super) mod answer;
pub(super) mod request;
