//! Another name for a session: its directory moves, nothing in it changes.

use std::fs;
use std::path::Path;

use super::Error;
use super::lock::Lock;

/// Renames a session that nobody has open.
///
/// # Errors
/// It is open, the new name is taken, or the directory cannot be renamed. Nothing has changed then.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let _lock = Lock::take(from)?;
    move_dir(from, to)
}

/// Moves a session's directory. A session that has the name already is never replaced.
fn move_dir(from: &Path, to: &Path) -> Result<(), Error> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(Error::Taken { dir: to.to_owned() });
    }
    fs::rename(from, to).map_err(Error::write(to))
}
