//! What several parts of the suite need.

pub(crate) mod server;
