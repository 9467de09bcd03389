//! How far "on disk" goes: what the store asks the disk itself to keep, and when.
//!
//! A write is safe against the end of the process at once. Against a loss of power it is safe once the file
//! was synced, and a new name once its directory was. Everything that a promise rests on goes through here, so
//! that the tests can build what a power cut would leave (see `power_cut`), and see that each sync is needed:
//! they know it by the line that asks for it.

pub(super) mod appender;
pub(super) mod files;
pub(super) mod hidden;
pub(super) mod lock;
pub(super) mod new_file;
pub(super) mod object;
pub(super) mod paths;
pub(super) mod place;
pub(super) mod spool;
pub(super) mod temporary;

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::Error;
use files::Replacement;

#[cfg(test)]
pub(crate) mod power_cut;
#[cfg(test)]
pub(crate) mod refused;
#[cfg(test)]
mod tests;

/// What "on disk" is safe against.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Durability {
    /// The end of the program, however sudden.
    Process,
    /// The end of the whole machine as well.
    #[default]
    Power,
}

/// The disk under one session; its copies share the setting.
#[derive(Debug, Clone, Default)]
pub(super) struct Disk {
    unsynced: Arc<AtomicBool>,
}

impl PartialEq for Disk {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.unsynced, &other.unsynced)
    }
}

impl Eq for Disk {}

impl Disk {
    /// Changes what "on disk" means from now on.
    pub(super) fn set(&self, durability: Durability) {
        self.unsynced.store(durability == Durability::Process, Ordering::Relaxed);
    }

    fn is_synced(&self) -> bool {
        !self.unsynced.load(Ordering::Relaxed)
    }

    /// Asks for a file's content.
    #[cfg_attr(test, track_caller)]
    pub(super) fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        if self.is_synced() { sync_content(file, path) } else { Ok(()) }
    }

    /// Asks for the names in a directory.
    #[cfg_attr(test, track_caller)]
    pub(super) fn sync_names(&self, dir: &Path) -> io::Result<()> {
        if self.is_synced() { sync_names(dir) } else { Ok(()) }
    }

    /// Replaces a file in one step, its content synced if that is set: it holds either its old content or the new one,
    /// whatever happens.
    #[cfg_attr(test, track_caller)]
    pub(super) fn replace(&self, path: &Path, content: &[u8]) -> Result<(), Error> {
        let new = Replacement::write(path, content)?;
        let synced = self.sync(new.file(), new.path());
        new.put(synced)
    }

    /// The same, and when this returns it holds the new one for good.
    #[cfg_attr(test, track_caller)]
    pub(super) fn replace_for_good(&self, path: &Path, content: &[u8]) -> Result<(), Error> {
        self.replace(path, content)?;
        self.sync_names(directory_of(path)).map_err(Error::write(path))
    }
}

/// Asks for a file's content, whatever is set.
#[cfg_attr(test, track_caller)]
pub(super) fn sync_content(file: &File, path: &Path) -> io::Result<()> {
    #[cfg(test)]
    refused::check(path, refused::Deed::Sync)?;
    file.sync_data()?;
    #[cfg(test)]
    power_cut::synced(file, path);
    // The path is for the tests.
    let _ = path;
    Ok(())
}

/// Replaces a file in one step, its content synced whatever is set.
#[cfg_attr(test, track_caller)]
pub(super) fn replace_synced(path: &Path, content: &[u8]) -> Result<(), Error> {
    let new = Replacement::write(path, content)?;
    let synced = sync_content(new.file(), new.path());
    new.put(synced)
}

/// Asks for the names in a directory, whatever is set. Where directories cannot be opened, their names
/// are safe by themselves.
#[cfg_attr(test, track_caller)]
pub(super) fn sync_names(dir: &Path) -> io::Result<()> {
    #[cfg(test)]
    refused::check(dir, refused::Deed::Sync)?;
    #[cfg(unix)]
    File::open(dir)?.sync_all()?;
    #[cfg(test)]
    power_cut::synced_names(dir);
    let _ = dir;
    Ok(())
}

/// Makes a directory with its parents, for its owner only, and asks for the names of those that are new.
#[cfg_attr(test, track_caller)]
pub(super) fn create_dir_for_good(dir: &Path) -> io::Result<()> {
    let missing = |dir: &&Path| fs::symlink_metadata(dir).is_err();
    let new: Vec<&Path> = dir.ancestors().take_while(missing).collect();
    files::create_dir(dir)?;
    for new in new {
        sync_names(directory_of(new))?;
    }
    Ok(())
}

/// The directory that a name stands in.
pub(super) fn directory_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}
