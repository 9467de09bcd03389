//! Why a session was not exported or imported.

use std::path::PathBuf;

use crate::store::Error;

/// A failure of export or import. Nothing was written by any of them.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The directory holds no session.
    #[error("there is no session in {}: `ebbtide sessions` lists them", .0.display())]
    NoSession(PathBuf),
    /// The session changes all the time.
    #[error("the session {} is being written to just now: try again in a moment", .0.display())]
    Busy(PathBuf),
    /// A session of that name exists.
    #[error(
        "there is something at {} already, and an import never replaces anything: choose another name \
         with --name NAME",
        .0.display()
    )]
    Taken(PathBuf),
    /// The file is no JSON.
    #[error(
        "this is no exported session: it is not JSON (line {0}). `ebbtide export --format json` makes \
         one"
    )]
    NotJson(usize),
    /// The file is JSON of another kind.
    #[error(
        "this is no exported session: {0}. `ebbtide export --format json` makes one; nothing was \
         imported"
    )]
    NotOurs(String),
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
