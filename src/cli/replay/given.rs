//! `replay --phases FILE`: topics that a person gives.

use std::path::Path;
use std::{fs, io};

use crate::cli::Error;
use crate::cli::input::{is_standard_input, named};
use crate::replay::{self, Phase};

/// Longest file of topics in bytes: a line has some tens, and no conversation a million topics.
const LONGEST: u64 = 64 << 20;

/// What a file of topics says.
fn text_of(file: &Path) -> io::Result<String> {
    let known = fs::metadata(file)?;
    let refused = |why: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, why.to_owned()));
    match known.len() {
        _ if known.is_dir() => refused("it is a folder"),
        _ if !known.is_file() => refused("it is no plain file"),
        LONGEST.. => refused("it is longer than any list of topics"),
        _ => fs::read_to_string(file),
    }
}

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
        let text = text_of(file).map_err(|reason| {
            let help =
                "name a file that holds a line FROM-TO NAME for each topic, such as 1-12 auth bug";
            // It is a file's name here.
            let name = if is_standard_input(file) { "-".into() } else { named(file) };
            Error::at_named(&reason, format!("{name} cannot be read: {reason}; {help}"))
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
