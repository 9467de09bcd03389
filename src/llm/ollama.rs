//! Ollama's own protocol. Written here like the others, and not taken from a crate: those that there are cannot
//! refuse a prompt that is too long, and take an answer that was cut for a whole one.

pub(super) mod answer;
pub(super) mod request;
