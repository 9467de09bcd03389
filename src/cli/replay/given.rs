//! `replay --phases FILE`: topics that a person gives.

use std::fs;
use std::path::Path;

use crate::cli::Error;
use crate::cli::input::named;
use crate::replay::{self, Phase};

/// A file of topics that a person gives.
pub(super) struct Given<'a> {
    file: &'a Path,
    text: String,
}

impl<'a> Given<'a> {
    /// Reads it.
    ///
    /// # Errors
    /// It cannot be read, or makes no sense whatever the conversation is.
    pub(super) fn read(file: &'a Path) -> Result<Self, Error> {
        let text = fs::read_to_string(file).map_err(|reason| {
            let help =
                "name a file that holds a line FROM-TO NAME for each topic, such as 1-12 auth bug";
            Error::Failed(format!("{} cannot be read: {reason}; {help}", named(file)))
        })?;
        let given = Self { file, text };
        if given.phases(usize::MAX)?.is_empty() {
            let why =
                "it names no topic; write a line FROM-TO NAME for each, such as 1-12 auth bug";
            return Err(Error::Failed(format!("{}: {why}", named(file))));
        }
        Ok(given)
    }

    /// The topics of so many turns.
    pub(super) fn phases(&self, turns: usize) -> Result<Vec<Phase>, Error> {
        replay::given(&self.text, turns)
            .map_err(|reason| Error::Failed(format!("{}: {reason}", named(self.file))))
    }
}
