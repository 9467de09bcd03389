//! What the integration tests share.
pub(crate) mod dialogue;
pub(crate) mod plain_rule;
