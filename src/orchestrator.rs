//! One async driver that runs a turn over the core and reports typed notices. The full-screen app,
//! `play`, `proof` and `-p` are all clients of it: they send an [`Op`] and listen for a [`Notice`].

pub mod notice;

pub use notice::{CallReport, Entry, EntryKind, Notice, Op, SessionInfo, Stopped, TurnReport};
