//! What ends a command early.

use std::io;

use crate::config;
use crate::plain::without_codes;

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
            Self::Config(_) | Self::Usage(_) => 2,
            Self::Output(reason) if reason.kind() == io::ErrorKind::BrokenPipe => 0,
            Self::Failed(_) | Self::Output(_) => 1,
            // As shells number it.
            Self::Signal(number) => 128_u8.saturating_add(u8::try_from(*number).unwrap_or(0)),
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

/// A text with the full stop that it lacks.
pub(super) fn sentence(text: &str) -> String {
    let text = &without_codes(text);
    let ended = text.contains('\n') || text.ends_with(['.', '?', '!', ':']);
    if ended { text.to_owned() } else { format!("{text}.") }
}
