//! Ebbtide: a terminal chat whose memory you can watch.
pub mod cli;
pub mod clock;
pub mod config;
pub mod llm;
pub mod logging;
pub mod memory;
pub mod nearest;
pub mod orchestrator;
pub mod prompt;
pub mod proof;
pub mod recall;
pub mod scale;
pub mod scenario;
pub mod store;
pub mod tokens;
pub mod tools;
pub mod tui;
