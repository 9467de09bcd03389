//! Why a session was not exported or imported.

use std::path::PathBuf;

use crate::store::Error;

/// A failure of export or import. Nothing was written by any of them.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The directory holds no session.
    #[error("there is no session in {}: `ebbtide sessions` lists them", dir.display())]
    NoSession {
        /// The directory.
        dir: PathBuf,
    },
    /// The session changes all the time.
    #[error("the session {} is being written to just now: try again in a moment", dir.display())]
    Busy {
        /// Its directory.
        dir: PathBuf,
    },
    /// A session of that name exists.
    #[error(
        "there is something at {} already, and an import never replaces anything: choose another name \
         with --name NAME",
        dir.display()
    )]
    Taken {
        /// The directory that would be made.
        dir: PathBuf,
    },
    /// The file is no JSON.
    #[error(
        "this is no exported session: it is not JSON (line {line}). `ebbtide export --format json` makes \
         one"
    )]
    NotJson {
        /// Where reading stopped, from 1.
        line: usize,
    },
    /// The file is JSON of another kind.
    #[error(
        "this is no exported session: {why}. `ebbtide export --format json` makes one; nothing was \
         imported"
    )]
    NotOurs {
        /// What is missing or wrong.
        why: String,
    },
    /// A newer program wrote the file.
    #[error(
        "the session was exported by a newer Ebbtide (version {version} of the format, this one reads up \
         to {newest}): update the program, then import again"
    )]
    Newer {
        /// The version of the file.
        version: u64,
        /// The newest that is read.
        newest: u64,
    },
    /// The disk.
    #[error(transparent)]
    Store(#[from] Error),
}
