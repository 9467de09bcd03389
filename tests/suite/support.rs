//! What several parts of the suite need.

pub(crate) mod dialogue;
pub(crate) mod driver;
pub(crate) mod kills;
pub(crate) mod program;
pub(crate) mod pty;
pub(crate) mod screen;
pub(crate) mod server;
pub(crate) mod session;
pub(crate) mod sources;
