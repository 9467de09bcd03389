//! What ends a command early.

use std::io;

use crate::config;
use crate::plain::without_codes;
use crate::read;
use crate::store::{self, ArchiveError};

/// A command that did not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A setting makes no sense.
    #[error(transparent)]
    Config(#[from] config::Error),
    /// The arguments make no sense together or with what is there.
    #[error("{0}")]
    Usage(String),
    /// It was tried and did not work.
    #[error("{0}")]
    Failed(String),
    /// A signal asked for the end.
    #[error("ended by signal {0}")]
    Signal(i32),
    /// The output could not be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// The exit status: 2 if another command line would help, else 1; 0 if the reader of the output
    /// just had enough.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Config(config::Error::Unwritable { .. }) => 1,
            Self::Config(config::Error::Unreadable { reason, .. }) if !is_misnamed(reason) => 1,
            Self::Config(_) | Self::Usage(_) => 2,
            Self::Output(reason) if reason.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Failed(_) | Self::Output(_) => 1,
            // As shells number it.
            Self::Signal(number) => 128_u8.saturating_add(u8::try_from(*number).unwrap_or(0)),
        }
    }

    /// What came of a file or folder that the arguments name: where another name would help they make no sense, else it
    /// did not work.
    pub(super) fn at_named(reason: &io::Error, words: String) -> Self {
        if is_misnamed(reason) { Self::Usage(words) } else { Self::Failed(words) }
    }

    /// What came of a conversation that the arguments name.
    pub(super) fn unread(error: &read::Error, words: String) -> Self {
        match error {
            read::Error::Io(reason) => Self::at_named(reason, words),
            _ => Self::Failed(words),
        }
    }

    /// The error as a sentence for people.
    pub fn sentence(&self) -> String {
        sentence(&self.to_string())
    }

    /// Whether there is anything to tell.
    pub fn is_silent(&self) -> bool {
        self.exit_code() == 0 || matches!(self, Self::Signal(_))
    }
}

/// Whether a name is the matter: nothing is there, or something is already, or something of another kind.
fn is_misnamed(reason: &io::Error) -> bool {
    use io::ErrorKind::{
        AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
    };
    matches!(
        reason.kind(),
        NotFound | AlreadyExists | IsADirectory | NotADirectory | InvalidFilename | InvalidInput
    )
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        let words = error.to_string();
        match error {
            store::Error::BadName { .. }
            | store::Error::NoSession(_)
            | store::Error::NotADirectory(_)
            | store::Error::NotEmpty(_)
            | store::Error::Taken(_) => Self::Usage(words),
            store::Error::Directory { source, .. } => Self::at_named(&source, words),
            _ => Self::Failed(words),
        }
    }
}

impl From<ArchiveError> for Error {
    fn from(error: ArchiveError) -> Self {
        match error {
            ArchiveError::NoSession(_) | ArchiveError::Taken(_) => Self::Usage(error.to_string()),
            ArchiveError::Store(error) => error.into(),
            other => Self::Failed(other.to_string()),
        }
    }
}

/// A text with the full stop that it lacks.
pub(super) fn sentence(text: &str) -> String {
    let text = &without_codes(text);
    let ended = text.contains('\n') || text.ends_with(['.', '?', '!', ':']);
    if ended { text.to_owned() } else { format!("{text}.") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_command_line_helps_where_a_name_is_the_matter_and_nowhere_else() {
        let code = |kind: io::ErrorKind| {
            let named = Error::at_named(&kind.into(), String::new()).exit_code();
            let read = config::Error::Unreadable { path: "a".into(), reason: kind.into() };
            assert_eq!(Error::Config(read).exit_code(), named, "{kind:?}");
            named
        };
        for (kind, expected) in [
            (io::ErrorKind::NotFound, 2),
            (io::ErrorKind::AlreadyExists, 2),
            (io::ErrorKind::IsADirectory, 2),
            (io::ErrorKind::PermissionDenied, 1),
            (io::ErrorKind::StorageFull, 1),
            (io::ErrorKind::InvalidData, 1),
        ] {
            assert_eq!(code(kind), expected, "{kind:?}");
        }
        let reason = io::ErrorKind::NotFound.into();
        let unwritable = config::Error::Unwritable { path: "a".into(), reason };
        assert_eq!(Error::Config(unwritable).exit_code(), 1);
        assert_eq!(Error::from(store::Error::Taken("a".into())).exit_code(), 2);
        assert_eq!(Error::from(ArchiveError::NotJson(1)).exit_code(), 1);
    }
}
