//! One writer at a time: a lock that dies with its process.

use std::fs::{self, File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use super::files::{self, read_range};
use crate::store::Error;

/// How often the lock is tried again, and how long after.
const TRIES: u32 = 3;
const MOMENT: Duration = Duration::from_millis(2);

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

/// Tries a few times: whoever looks whether a lock is held holds it for a moment.
fn patiently(lock: impl Fn() -> Result<(), TryLockError>) -> Result<(), TryLockError> {
    for _ in 0..TRIES {
        match lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(MOMENT),
            other => return other,
        }
    }
    lock()
}

impl Lock {
    /// Whether a program holds the lock of a session, this one included.
    pub(crate) fn is_held(dir: &Path) -> bool {
        let path = dir.join("lock");
        // A pipe would be waited for without end.
        if !fs::symlink_metadata(&path).is_ok_and(|data| data.is_file()) {
            return false;
        }
        let Ok(file) = File::open(path) else { return false };
        let held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        if !held {
            // It goes with the file in any case.
            let _ = file.unlock();
        }
        held
    }

    /// Takes the lock, and leaves the process id in it for whoever comes second.
    pub(crate) fn take(dir: &Path) -> Result<Self, Error> {
        let path = dir.join("lock");
        match fs::symlink_metadata(&path) {
            Ok(data) if data.is_symlink() => return Err(Error::LeadsOut(path)),
            Ok(data) if !data.is_file() => return Err(Error::InTheWay { path, what: "file" }),
            _ => {}
        }
        let mut file = files::private()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|source| Error::Directory { dir: dir.to_owned(), source })?;
        match patiently(|| file.try_lock()) {
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
