//! Ebbtide: a terminal chat whose memory you can watch.
//!
//! The modules in reading order, and what each owns:
//!
//! - [`memory`]: the core. Decides what is in the model's window and says why. Pure: no clock, no files,
//!   no async.
//! - [`tools`]: what the model may call, which is also what a slash command does. Executes nothing.
//! - [`specifics`]: lifts paths, numbers, commands and other details out of a log. Pure as well.
//! - [`recall`]: finds again what was said. Its index is derived.
//! - [`store`]: the session directory. One writer, append-only logs, every half-written state opens.
//! - [`llm`]: the model behind one trait: a real server, the built-in offline model, a script.
//! - [`prompt`]: the prompts, one typed function each.
//! - [`orchestrator`]: the one async driver that runs a turn over all of these and reports what happens.
//! - [`tui`]: the full-screen app, a pure client of the orchestrator.
//! - [`scenario`] and [`proof`]: scripted conversations and the claims that they show; clients as well.
//! - [`scale`]: grows a session to any size and measures its window beside the seeds' plain rule.
//! - [`cli`]: the command line over everything.
//! - [`bill`]: what the conversation cost and what others would have paid. Pure, and a leaf.
//! - [`providers`]: the table of known providers and their prices, as data with the day it was checked.
//! - [`read`]: conversations that other programs keep, as a stream of events. Bytes in, events out.
//! - [`replay`]: what became of such a conversation, and what compactions lost of it.
//! - [`config`]: the settings, where each came from, and what suits which model.
//! - [`tokens`]: counts tokens as the core wants them counted. [`logging`]: the log file.
//! - [`clock`], [`chunk`], [`nearest`], [`fuzzy`], [`heap`], [`beside`], [`counted`], [`plain`], [`escapes`], [`text`],
//!   [`secret`], [`varint`], `random`: leaves.
//!
//! Arrows point one way: `cli -> tui -> orchestrator -> {tools, recall, store, llm, prompt} -> memory`.
//!
//! What always holds:
//!
//! - Nothing is deleted; things only move between the window, the manifest and the raw logs.
//! - What a person typed is on disk before the first request goes out.
//! - Only a turn that ended well counts: failures and cancelled turns age nothing.
//! - Only what the user and the model said is logged; never summaries, expansions or banners.
//! - Text from a model, a file or a person reaches the terminal only through [`text::clean`].
//! - The core, the store and the driver do work that does not grow with the history in each turn.

pub mod beside;
pub mod bill;
pub mod chunk;
pub mod cli;
pub mod clock;
pub mod config;
pub mod counted;
pub mod escapes;
pub mod fuzzy;
pub mod heap;
pub mod llm;
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
pub mod specifics;
pub mod store;
pub mod text;
pub mod tokens;
pub mod tools;
pub mod tui;
pub mod varint;
