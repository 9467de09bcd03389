//! One integration-test binary; each module is one part of the program seen from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends with a panic, also where it fails in a function that it calls"
)]

mod bill;
mod bill_screen;
mod boundaries;
mod ceiling;
mod chart;
mod chat;
mod circles;
mod cli;
mod coloured;
mod compression;
mod damaged_logs;
mod demo;
mod dialogs;
mod ebb;
mod endings;
mod families;
mod faults;
mod foretold;
mod hands_on;
mod hub;
mod inspector;
mod intake;
mod kept;
mod keys;
mod kill;
mod layers;
mod leaks;
mod lifecycle;
mod live;
mod llm;
mod local;
mod looks;
mod meaning;
mod models;
mod notes;
mod orchestrator;
mod pairs;
mod panel;
mod past;
mod past_screen;
mod play;
mod precision;
mod prefix;
mod proofs;
mod protocols;
mod pty;
mod pty_chat;
mod public_data;
mod readme;
mod recall;
mod reopened;
mod replay;
mod scratchpad;
mod specifics;
mod stand_in;
mod steer;
mod stopped;
mod store;
mod summaries;
mod support;
mod switching;
mod tides;
mod toolless;
mod totals;
mod transfer;
mod tui;
mod typing;
mod uncompact;
mod undoing;
mod versus;

// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
