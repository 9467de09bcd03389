//! Where a replayed session stands: for good, or until the program ends.

use std::path::{Path, PathBuf};

use super::super::{Error, Job};
use crate::cli::session::directory_of;
use crate::cli::waiting::FolderForNow;
use crate::config::Settings;
use crate::store::{self, Begun};

/// Where it stands.
pub(super) enum Place {
    /// Beside the place where it stays once it is whole.
    Begun(Begun),
    /// There.
    Settled(PathBuf),
    /// Where it is gone in the end.
    ForNow(ForNow),
}

/// A session in a directory of its own that goes with this.
pub(super) struct ForNow {
    /// Goes with this.
    _own: FolderForNow,
    session: PathBuf,
}

impl Place {
    /// A session of this name stays, once it is settled.
    ///
    /// # Errors
    /// The name is unsafe or taken, or nothing can be made where sessions are.
    pub(super) fn named(job: &Job<'_>, name: &str) -> Result<Self, Error> {
        let begun = Begun::at(&directory_of(&job.sessions_dir()?, name)?);
        Ok(begun.map(Self::Begun)?)
    }

    /// One that nobody else can read and that is gone in the end.
    ///
    /// # Errors
    /// It cannot be made.
    pub(super) fn for_now() -> Result<Self, Error> {
        let own = store::fresh_dir("replay").map(FolderForNow::of).map_err(|reason| {
            let place = std::env::temp_dir();
            Error::Failed(format!("nothing can be made in {}: {reason}", place.display()))
        })?;
        Ok(Self::ForNow(ForNow { session: own.path().join("replay"), _own: own }))
    }

    /// The session's directory.
    pub(super) fn session(&self) -> &Path {
        match self {
            Self::Begun(begun) => begun.session(),
            Self::Settled(session) | Self::ForNow(ForNow { session, .. }) => session,
        }
    }

    /// The session is whole: one with a name stays, and where `durability` says so whatever becomes of the machine.
    ///
    /// # Errors
    /// The name was taken meanwhile, or it cannot be moved there.
    pub(super) fn settle(self, settings: &Settings) -> Result<Self, Error> {
        let Self::Begun(begun) = self else { return Ok(self) };
        let for_good = settings.survives_power_loss();
        let settled = if for_good { begun.settle_for_good() } else { begun.settle() };
        Ok(settled.map(Self::Settled)?)
    }
}
