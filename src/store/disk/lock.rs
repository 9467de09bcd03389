//! One writer at a time: a lock that dies with its process.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;

use super::files::{self, read_range};
use crate::store::Error;

/// The lock of a session; released when dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Closing the file is not enough: a process that is just being started elsewhere in this one holds
    /// a copy of it for a moment.
    fn drop(&mut self) {
        // A lock that cannot be released goes with the process.
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock, and leaves the process id in it for whoever comes second.
    pub(crate) fn take(dir: &Path) -> Result<Self, Error> {
        let path = dir.join("lock");
        let mut file = files::private()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|source| Error::Directory { dir: dir.to_owned(), source })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let pid = read_range(&mut file, 0, 20).ok();
                let pid = pid.and_then(|text| String::from_utf8(text).ok()?.trim().parse().ok());
                return Err(Error::InUse { dir: dir.to_owned(), pid });
            }
            // A file system without locks: better an unguarded session than none.
            Err(TryLockError::Error(source)) if source.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(source)) => {
                return Err(Error::Directory { dir: dir.to_owned(), source });
            }
        }
        // The number only makes a message nicer; a full disk must not keep the session closed.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        Ok(Self { file })
    }
}
