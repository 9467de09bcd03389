//! What can be wrong with the index, in sentences for people.

use std::io;
use std::path::PathBuf;

/// Why the index is not all that it could be. What was said is not touched by any of it.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file cannot be opened for writing.
    #[error(
        "the search index {} cannot be written ({source}); searching works, and what is new is indexed again at \
         the next start. Make the file writable to avoid that",
        path.display()
    )]
    ReadOnly {
        /// The log of the index.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process writes it.
    #[error(
        "another process writes the search index {}; searching works here too, and what is new here is indexed \
         again once that process has ended",
        path.display()
    )]
    InUse {
        /// The log of the index.
        path: PathBuf,
    },
    /// A part of it is broken.
    #[error(
        "the search index {} was damaged; its sound part is kept and the rest is made anew from the session. \
         Nothing that was said is lost",
        path.display()
    )]
    Torn {
        /// The log of the index.
        path: PathBuf,
    },
    /// A write failed.
    #[error(
        "the search index {} could not be saved ({source}); searching works, and it is tried again after the \
         next turn. Is the disk full?",
        path.display()
    )]
    NotSaved {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
