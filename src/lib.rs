//! Ebbtide: a terminal chat whose memory you can watch.
pub mod clock;
pub mod llm;
pub mod memory;
pub mod orchestrator;
pub mod store;
pub mod tools;
