//! For whom a session runs.

use std::sync::Arc;

use crate::beside::Beside;
use crate::memory::WordsAhead;
use crate::specifics::Finds;

/// For whom a session runs; what memory does is the same for all of them.
#[derive(Debug, Clone)]
pub enum Audience {
    /// A person who types here: a file whose path stands behind an `@` is attached.
    Person,
    /// A person who looks on while messages are told that nobody typed here, as those of a data set: a path in them names
    /// no file of this machine, so that nothing is attached.
    Recited,
    /// Nobody looks at the session while it runs, and nobody opens it again: of what is told and written only the reports of
    /// the turns and the logs are left.
    Nobody(Unwatched),
}

impl Audience {
    /// What is known of messages before they are summarised.
    pub(super) fn finds(&self) -> Arc<Finds> {
        match self {
            Self::Person | Self::Recited => Arc::default(),
            Self::Nobody(there) => Arc::clone(&there.finds),
        }
    }
}

/// What there is where nobody watches.
#[derive(Debug, Clone)]
pub struct Unwatched {
    /// What the messages hold that will be said, as far as it is known.
    pub finds: Arc<Finds>,
    /// Their words, as far as they are known.
    pub words: Arc<WordsAhead>,
    /// Does what can be done beside the turns.
    pub beside: Arc<Beside>,
}
