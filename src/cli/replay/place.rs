//! Where a replayed session stands: for good, or until the program ends.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::super::{Error, Job};
use crate::cli::session::check_name;
use crate::store;

/// A directory of a session. It goes when this is dropped, unless it is named and its session is whole.
pub(super) struct Place {
    session: PathBuf,
    is_named: bool,
    /// What goes with it.
    goes: Option<PathBuf>,
}

impl Place {
    /// Where a session of this name stays, once it is settled.
    ///
    /// # Errors
    /// The name is unsafe or taken, or the directory cannot be made.
    pub(super) fn named(job: &Job<'_>, name: &str) -> Result<Self, Error> {
        check_name(name)?;
        let root = job.settings.sessions_dir();
        let session = root.join(name);
        fs::create_dir_all(&root).map_err(|reason| cannot(&root, &reason))?;
        match fs::create_dir(&session) {
            Ok(()) => Ok(Self { goes: Some(session.clone()), is_named: true, session }),
            Err(reason) if reason.kind() == ErrorKind::AlreadyExists => Err(Error::Failed(
                format!("there is a session {name} already; choose another name"),
            )),
            Err(reason) => Err(cannot(&session, &reason)),
        }
    }

    /// One that nobody else can read and that is gone in the end.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn for_now() -> Result<Self, Error> {
        let own =
            store::fresh_dir("replay").map_err(|reason| cannot(&std::env::temp_dir(), &reason))?;
        let session = own.join("replay");
        Ok(Self { session, is_named: false, goes: Some(own) })
    }

    /// The session's directory.
    pub(super) fn session(&self) -> &Path {
        &self.session
    }

    /// Whether a session stays here.
    pub(super) fn is_named(&self) -> bool {
        self.is_named
    }

    /// The session is whole: one with a name stays.
    pub(super) fn settle(&mut self) {
        if self.is_named {
            self.goes = None;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(goes) = &self.goes {
            // What cannot be taken away does no harm in a folder for what is temporary.
            let _ = fs::remove_dir_all(goes);
        }
    }
}

fn cannot(path: &Path, reason: &std::io::Error) -> Error {
    Error::Failed(format!("{} cannot be made: {reason}", path.display()))
}
