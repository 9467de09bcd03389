//! A session as one file: Markdown to read, or JSON from which it can be imported again.
//!
//! Reads the session without its lock, so that it works beside a running chat.

mod markdown;
mod target;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub use target::Target;

use crate::store::{self, Archive, ArchiveError, NewFile, Readers, look};

/// The form of an exported session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ExportFormat {
    /// For people: the conversation, the efforts with their summaries, the notes.
    #[default]
    Markdown,
    /// For `ebbtide import`: every file of the session, byte for byte.
    Json,
}

impl ExportFormat {
    /// How the names of such files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Json => "json",
        }
    }
}

/// Why a session was not exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The session cannot be read.
    #[error(transparent)]
    Session(#[from] ArchiveError),
    /// The file exists.
    #[error("{} exists already, and an export never replaces a file: name another one", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// It is a folder.
    #[error("{} is a folder; name a file in it", .0.display())]
    Folder(PathBuf),
    /// The folder of the file is not there.
    #[error(
        "cannot write {}: there is no folder {}; make it, or name another place",
        path.display(),
        folder.display()
    )]
    NoFolder {
        /// The file.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write {}: {source}; {}", path.display(), way_out(source))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// What to do where a file cannot be written.
fn way_out(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on the disk or name another place"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "check the permissions of its folder or name another place"
        }
        _ => "name another file",
    }
}

/// Writes a session in a form.
///
/// # Errors
/// There is no session, it cannot be read, or the output cannot be written.
pub fn export(dir: &Path, format: ExportFormat, out: &mut dyn Write) -> Result<(), ExportError> {
    match format {
        ExportFormat::Json => Archive::of(dir)?.write_json(out)?,
        ExportFormat::Markdown => {
            if !dir.is_dir() {
                return Err(ArchiveError::NoSession(dir.to_owned()).into());
            }
            let looked = look(dir, 0).map_err(ArchiveError::from)?;
            let name = store::name_of(dir);
            out.write_all(markdown::render(&name, &looked)?.as_bytes())?;
        }
    }
    Ok(())
}

/// Writes a session into a new file, complete or not at all. An existing file is never replaced.
///
/// # Errors
/// As for [`export`], and when the file exists.
pub fn export_to_file(dir: &Path, format: ExportFormat, path: &Path) -> Result<(), ExportError> {
    let mut content = Vec::new();
    export(dir, format, &mut content)?;
    // What was said is as private in the copy as in the session.
    NewFile::write(path, Readers::Owner, &content).map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists if path.is_dir() => ExportError::Folder(path.to_owned()),
        io::ErrorKind::AlreadyExists => ExportError::Exists { path: path.to_owned() },
        io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).to_owned();
            ExportError::NoFolder { path: path.to_owned(), folder }
        }
        _ => ExportError::Write { path: path.to_owned(), source },
    })
}
