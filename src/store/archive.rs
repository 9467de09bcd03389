//! A whole session as one value: every file of it, byte for byte, but what is written and not sent yet. What export writes
//! and import reads.
//!
//! The file is JSON that people can read and search: an append-only log stands in it as its lines, each a
//! JSON object, and only what is not exactly that is kept as text. Offsets in the journal stay true,
//! because every byte comes back.

mod error;
mod read;
mod write;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Component, Path};

pub use error::ArchiveError;

use crate::store::Error;
use crate::store::disk::paths::Paths;
use crate::store::disk::{self, files};
use crate::store::open::look;
use crate::store::sessions::begun::Begun;

/// The mark of the format.
const FORMAT: &str = "ebbtide-session";

/// The newest version that is understood; every version before it is, too.
const VERSION: u64 = 1;

/// The log of what requests took, and the field that a line of a request alone has.
const BILL: &str = "bill.jsonl";
const PURPOSE: &[u8] = b"\"purpose\"";

/// What is written and not sent yet.
const DRAFT: &str = "draft.json";

/// Parts of a path inside a session; none of ours has more than two.
const DEEPEST: usize = 4;

/// Longest path inside a session, in bytes.
const LONGEST: usize = 1_000;

/// A session with all its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    /// The session's name.
    pub name: String,
    /// Its files, sorted by their paths.
    files: Vec<ArchivedFile>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ArchivedFile {
    /// Relative to the session, with slashes.
    path: String,
    content: Vec<u8>,
}

impl Archive {
    /// Reads all files of a session, but for the draft: what nobody has sent is not meant for whoever gets the file, and the
    /// command that exports would stand in it. Takes no lock: if a turn is being written just then, it is read
    /// again.
    ///
    /// # Errors
    /// No session is there, a file cannot be read, or it is written to all the time.
    pub fn of(dir: &Path) -> Result<Self, ArchiveError> {
        if !look::is_session(dir) {
            return Err(ArchiveError::NoSession(dir.to_owned()));
        }
        Paths::to_look_at(dir).check_links()?;
        let read = || {
            let mut files = Vec::new();
            gather(dir, "", 1, &mut files)?;
            files.retain(|file| file.path != DRAFT);
            Ok(files)
        };
        let (mut files, steady) = look::while_steady(dir, read)?;
        if !steady {
            return Err(ArchiveError::Busy(dir.to_owned()));
        }
        files.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Self { name: crate::store::disk::files::name_of(dir), files })
    }

    /// The files of a session without what only a chat needs: what was said, and what it took.
    ///
    /// # Errors
    /// As [`Archive::of`].
    pub fn said(dir: &Path) -> Result<Self, ArchiveError> {
        let mut session = Self::of(dir)?;
        session.files.retain(|file| {
            file.path.starts_with("efforts/")
                || ["raw.jsonl", BILL, "session_state.json"].contains(&file.path.as_str())
        });
        for bill in session.files.iter_mut().filter(|file| file.path == BILL) {
            let lines = bill.content.split_inclusive(|byte| *byte == b'\n');
            let requests = lines.filter(|line| line.windows(PURPOSE.len()).any(|at| at == PURPOSE));
            bill.content = requests.flatten().copied().collect();
        }
        Ok(session)
    }

    /// Writes the session into a directory that does not exist yet. It appears there complete or not at
    /// all.
    ///
    /// # Errors
    /// Something has that name already, or it cannot be written.
    pub fn unpack(&self, dir: &Path) -> Result<(), ArchiveError> {
        let unpacked = Begun::at(dir).and_then(|begun| {
            self.write_files(begun.session())?;
            begun.settle()
        });
        unpacked.map(drop).map_err(|error| match error {
            Error::Taken(dir) => ArchiveError::Taken(dir),
            other => other.into(),
        })
    }

    fn write_files(&self, dir: &Path) -> Result<(), Error> {
        for place in [dir.to_owned(), dir.join("efforts")] {
            files::create_dir(&place).map_err(Error::write(&place))?;
        }
        for file in &self.files {
            let path = dir.join(&file.path);
            let parent = path.parent().unwrap_or(dir);
            files::create_dir(parent).map_err(Error::write(parent))?;
            disk::replace_synced(&path, &file.content)?;
        }
        Ok(())
    }
}

/// Reads the files below a directory; a link is followed for the ambient log only, within the session.
fn gather(
    root: &Path,
    below: &str,
    depth: usize,
    found: &mut Vec<ArchivedFile>,
) -> Result<(), Error> {
    let dir = root.join(below);
    for item in fs::read_dir(&dir).map_err(Error::read(&dir))? {
        let item = item.map_err(Error::read(&dir))?;
        let Ok(name) = item.file_name().into_string() else { continue };
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = item.file_type().map_err(Error::read(&dir))?;
        if kind.is_dir() && depth < DEEPEST {
            gather(root, &path, depth + 1, found)?;
        } else if (kind.is_file() || path == "raw.jsonl") && is_kept(&path) {
            // What is gone since was a file of a moment.
            let content = files::read(&root.join(&path))?;
            found.extend(content.map(|content| ArchivedFile { path, content }));
        }
    }
    Ok(())
}

/// Whether a file belongs to the session: not the lock, nothing half-written, nothing that would be
/// somewhere else.
fn is_kept(path: &str) -> bool {
    let parts = Path::new(path).components();
    let normal = parts.clone().all(|part| matches!(part, Component::Normal(_)));
    let passing = [".tmp", ".part"].iter().any(|ending| path.ends_with(ending));
    let strange = path.contains(|c: char| c.is_control() || c == '\\') || path.contains("//");
    normal
        && (1..=DEEPEST).contains(&parts.count())
        && path.len() <= LONGEST
        && !passing
        && !strange
        && path != "lock"
        && !path.split('/').any(|part| part.starts_with('.'))
}
