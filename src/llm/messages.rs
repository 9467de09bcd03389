//! Anthropic Messages. Written here like the others, and not taken from a crate: those that there are read an
//! answer that was cut as a whole one, and give up signatures and unknown fields.

pub(super) mod answer;
pub(super) mod request;
