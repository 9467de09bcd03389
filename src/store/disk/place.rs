//! Whether a session's directory is still where it was opened: files that are open are written to wherever they went,
//! even if they have no name any more.

use std::fs::{self, File};
use std::path::Path;

/// Where a directory that was opened is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// At its path.
    Here,
    /// It was deleted.
    Deleted,
    /// It was moved, or another one is at its path.
    Elsewhere,
}

/// A directory, held open so that it is known again.
#[derive(Debug)]
pub(crate) struct Place {
    /// `None` where directories cannot be opened; they cannot be deleted or moved under whoever writes there then.
    held: Option<File>,
}

impl Place {
    /// The directory that is at a path now.
    pub(crate) fn of(dir: &Path) -> Self {
        Self { held: if cfg!(unix) { File::open(dir).ok() } else { None } }
    }

    /// Where it is now that was at this path.
    pub(crate) fn standing(&self, dir: &Path) -> Standing {
        let Some(held) = self.held.as_ref().and_then(|held| held.metadata().ok()) else {
            return Standing::Here;
        };
        match fs::metadata(dir) {
            Ok(now) if is_same(&held, &now) => Standing::Here,
            Err(_) if names(&held) == 0 => Standing::Deleted,
            _ => Standing::Elsewhere,
        }
    }
}

/// Whether a file that is open has no name any more.
pub(crate) fn is_deleted(file: &File) -> bool {
    file.metadata().is_ok_and(|data| names(&data) == 0)
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(unix)]
fn names(data: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(data)
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

#[cfg(not(unix))]
fn names(_: &fs::Metadata) -> u64 {
    1
}
