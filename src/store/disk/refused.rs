//! A disk that refuses, without one: a test says which file does not take what, and how often.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

static REFUSED: Mutex<Vec<Refusal>> = Mutex::new(Vec::new());

/// What the disk is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A file is opened to append to it.
    Open,
    /// Lines are appended.
    Append,
    /// What was written is asked for.
    Sync,
    /// A large text is read.
    Read,
}

struct Refusal {
    path: PathBuf,
    deed: Deed,
    times: usize,
}

/// The next deeds of this kind fail on this file.
pub(crate) fn refuse(path: &Path, deed: Deed, times: usize) {
    REFUSED.lock().unwrap().push(Refusal { path: path.to_owned(), deed, times });
}

/// Whether what was refused has been asked for as often as that.
pub(crate) fn all_were_asked(below: &Path) -> bool {
    !REFUSED.lock().unwrap().iter().any(|refusal| refusal.path.starts_with(below))
}

/// Fails if a test wants it to.
pub(in super::super) fn check(path: &Path, deed: Deed) -> io::Result<()> {
    let mut refused = REFUSED.lock().unwrap();
    let found = refused.iter().position(|it| it.deed == deed && it.path == path);
    let Some(at) = found else { return Ok(()) };
    refused[at].times -= 1;
    if refused[at].times == 0 {
        refused.remove(at);
    }
    Err(io::ErrorKind::StorageFull.into())
}
