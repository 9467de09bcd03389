//! The command line: what can be asked for, and the commands that need no conversation.
//!
//! Output goes through the streams that the caller hands over; nothing here prints by itself. A reader
//! that goes away (`ebbtide config | head -1`) is no error. Usage errors end with 2, failures with 1.

mod again;
mod arguments;
mod command;
mod configure;
mod connect;
mod context;
mod converse;
mod demo;
mod doctor;
mod editor;
mod elsewhere;
mod endpoint;
mod error;
mod hints;
mod host;
mod input;
mod inspect;
mod job;
mod market;
mod model;
mod parser;
mod places;
mod progress;
mod proof;
mod replay;
mod run;
mod runtime;
mod scripted;
mod session;
mod sessions;
mod since;
mod terminal;
mod transfer;
mod uncompact;
mod waiting;

#[cfg(test)]
mod tests;

pub use arguments::in_our_words;
pub use arguments::{
    Arguments, Command, ConfigAction, ContextArguments, DeleteArguments, DemoArguments, Format,
    Origin, PlayArguments, ProofArguments, ReplayArguments, SearchArguments, SessionArguments,
    SessionsAction, SettingArguments, UncompactArguments,
};
pub use error::Error;
pub use host::{Host, SessionSummary, Streams, Unreached, Way, connects};
pub use job::Job;
pub use run::run;
pub use session::{DEFAULT_NAME, check_name};
pub use since::Since;
pub use terminal::Cleaned;
