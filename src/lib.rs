//! Ebbtide: a terminal chat whose memory you can watch.
//!
//! The modules in reading order, those that others rest on first, and what each owns.
//!
//! Leaves, which know nothing else of the program, or one another at most:
//!
//! - [`address`], [`clock`], [`lock`], [`chunk`], [`nearest`], [`fuzzy`], [`heap`], [`home`], [`beside`], [`counted`],
//!   [`plain`], [`escapes`], [`letters`], [`lines`], [`fence`], [`text`], [`shell`], [`xml`], [`secret`], [`varint`],
//!   `random`: one thing each.
//! - [`bill`]: what the conversation cost and what others would have paid. Pure.
//! - [`providers`]: the table of known providers and their prices, as data with the day it was checked.
//! - [`read`]: conversations that other programs keep, as a stream of events. Bytes in, events out.
//! - [`tools`]: what the model may call, which is also what a slash command does. Executes nothing.
//! - [`prompt`]: the prompts, one typed function each.
//! - [`logging`]: the log file.
//!
//! The core:
//!
//! - [`memory`]: decides what is in the model's window and says why. Pure: no clock, no files, no async.
//! - [`tokens`]: counts tokens as the core wants them counted.
//! - [`specifics`]: lifts paths, numbers, commands and other details out of a log. Pure as well.
//! - [`recall`]: finds again what was said. Its index is derived.
//!
//! The middle:
//!
//! - [`store`]: the session directory. One writer, append-only logs, every half-written state opens.
//! - [`llm`]: the model behind one trait: a real server, the built-in offline model, a script.
//! - [`config`]: the settings, where each came from, and what suits which model.
//! - [`orchestrator`]: the one async driver that runs a turn over all of these and reports what happens.
//!
//! Clients of the orchestrator:
//!
//! - [`tui`]: the full-screen app, a pure client.
//! - [`scenario`]: scripted conversations. [`scale`]: grows a session to any size and measures its window beside the
//!   seeds' plain rule. [`proof`]: the claims that both show.
//! - [`replay`]: what became of a conversation that another program kept, and what compactions lost of it.
//! - [`cli`]: the command line over everything.
//!
//! Arrows point one way: `cli -> {tui, proof, replay} -> orchestrator -> {config, store, recall, specifics} -> memory`. The
//! orchestrator also uses `llm`, `tools` and `prompt`, which import nothing of memory; `proof` and `replay` play scenarios.
//!
//! What always holds:
//!
//! - Nothing is deleted; things only move between the window, the manifest and the raw logs.
//! - What a person typed is on disk before the first request goes out.
//! - Only a turn that ended well counts: failures and cancelled turns age nothing.
//! - Only what the user and the model said is logged; never summaries, expansions or banners.
//! - Text from a model, a file or a person reaches the terminal only through [`text::clean`].
//! - The core, the store and the driver do work that does not grow with the history in each turn.

pub mod address;
pub mod beside;
pub mod bill;
pub mod chunk;
pub mod cli;
pub mod clock;
pub mod config;
pub mod counted;
pub mod escapes;
pub mod fence;
pub mod fuzzy;
pub mod heap;
pub mod home;
pub mod letters;
pub mod lines;
pub mod llm;
pub mod lock;
pub mod logging;
pub mod memory;
pub mod nearest;
pub mod orchestrator;
pub mod plain;
pub mod prompt;
pub mod proof;
pub mod providers;
mod random;
pub mod read;
pub mod recall;
pub mod replay;
pub mod scale;
pub mod scenario;
pub mod secret;
pub mod shell;
pub mod specifics;
pub mod store;
pub mod text;
pub mod tokens;
pub mod tools;
pub mod tui;
pub mod varint;
pub mod xml;
