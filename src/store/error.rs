//! What can go wrong with the files of a session, as sentences that say what to do.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// A failure of the store. Nothing that was stored before is lost by any of them.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process has the session open.
    #[error(
        "the session {} is already open in another Ebbtide{}: close that one, or choose another \
         session with -s NAME",
        dir.display(),
        pid.map(|pid| format!(" (process {pid})")).unwrap_or_default()
    )]
    InUse {
        /// The session's directory.
        dir: PathBuf,
        /// The process that has it open, if it said so.
        pid: Option<u32>,
    },
    /// A file is in the place of a directory.
    #[error(
        "{} is a file, but a session is a directory: choose another place with --session DIR",
        .0.display()
    )]
    NotADirectory(PathBuf),
    /// The directory cannot be made or written to.
    #[error(
        "cannot keep a session in {}: {source}; check its permissions, or choose another place with \
         --session DIR",
        dir.display()
    )]
    Directory {
        /// The session's directory.
        dir: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something else is where a file of the session belongs.
    #[error(
        "{} is no {what}, so the session cannot be opened: move it away. Nothing was changed",
        path.display()
    )]
    InTheWay {
        /// What is there.
        path: PathBuf,
        /// What belongs there: `file` or `directory`.
        what: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {source}; check its permissions", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written; it is as it was before.
    #[error(
        "cannot write {}: {source}; make room on the disk or check the permissions, then try again",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A directory or a pipe is where a file is to be read.
    #[error(
        "{} is no file but a directory or a pipe, so it cannot be read: move it away. Nothing was changed",
        .0.display()
    )]
    NotAFile(PathBuf),
    /// A log lies outside the session's directory, or its link leads nowhere, and is not followed.
    #[error(
        "{} lies outside the session {} or leads nowhere: it is not followed",
        path.display(),
        dir.display()
    )]
    Outside {
        /// The file.
        path: PathBuf,
        /// The session's directory.
        dir: PathBuf,
    },
    /// A file of the session is a link that leads out of it, or nowhere.
    #[error(
        "{} is a link that leads out of its session or nowhere, so it is not followed: put the file itself in its place, or \
         move the link away. Nothing was changed",
        .0.display()
    )]
    LeadsOut(PathBuf),
    /// What belongs to the open session was moved away, or something else is in its place.
    #[error(
        "{} was moved or replaced while the session was open, so nothing is written any more: put it back, or close the \
         chat and open the session where it is now",
        .0.display()
    )]
    Moved(PathBuf),
    /// Somebody asked for the end before a session was loaded.
    #[error("the session was closed before it was loaded")]
    Stopped,
    /// A name that cannot be the name of a directory.
    #[error(
        "\"{name}\" cannot be the name of a session. A name has 1 to {most} letters, digits, dots, hyphens, \
         underscores and single spaces, begins with a letter or digit and does not end with a space"
    )]
    BadName {
        /// The name, shortened.
        name: String,
        /// The most characters of a name.
        most: usize,
    },
    /// A session that was to be deleted is a link.
    #[error(
        "{} is a link to a session that is somewhere else, and it is not followed: remove the link itself. Nothing was \
         changed",
        .0.display()
    )]
    IsLink(PathBuf),
    /// No session is there.
    #[error("there is no session at {}. `ebbtide sessions` lists them", .0.display())]
    NoSession(PathBuf),
    /// A session is deleted, and some of its files are still there.
    #[error(
        "{name} is deleted, but not all of its files could be removed from {}: {source}; the next start tries again, or \
         remove that folder yourself",
        path.display()
    )]
    LeftOver {
        /// The session's name.
        name: String,
        /// Where they are.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A session was to get a name that is taken.
    #[error("{} already: choose another name", what_has(.0))]
    Taken(PathBuf),
    /// A starting state was to be written into a session that already holds something.
    #[error(
        "the session {} is not empty: choose an empty directory, or delete that one first",
        .0.display()
    )]
    NotEmpty(PathBuf),
}

/// What has the name that a session was to get.
fn what_has(path: &Path) -> String {
    if path.is_dir() {
        format!("there is a session {}", super::name_of(path))
    } else {
        format!("there is something at {}", path.display())
    }
}

impl Error {
    /// What to do when a turn failed with it; `None` where its sentence says that already.
    pub fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Write { .. } => None,
            _ => Some("Mend the cause, then send again."),
        }
    }

    /// For `map_err`: a failed read of a file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| match source.kind() {
            ErrorKind::IsADirectory | ErrorKind::NotSeekable => Self::NotAFile(path.to_owned()),
            _ => Self::Read { path: path.to_owned(), source },
        }
    }

    /// For `map_err`: a failed write of a file.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }
}

/// Something that was repaired or set aside, as a sentence for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem(pub String);

impl std::fmt::Display for Problem {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_is_said_once_whatever_the_paths_and_the_system_say() {
        let path = Path::new("/a/then try again");
        let source = || io::Error::other("wait, then try again");
        let told = "Mend the cause, then send again.";
        for (error, advice) in [
            (Error::write(path)(source()), None),
            (Error::read(path)(source()), Some(told)),
            (Error::Directory { dir: path.to_owned(), source: source() }, Some(told)),
            (Error::Stopped, Some(told)),
        ] {
            assert_eq!(error.advice(), advice, "{error}");
            assert_eq!(error.to_string().ends_with("then try again"), advice.is_none(), "{error}");
        }
    }
}
