//! What can go wrong with the scratchpad, as sentences that say what to do.

use std::io;
use std::path::PathBuf;

/// A failure of the scratchpad. Nothing is half-stored by any of them.
#[derive(Debug, thiserror::Error)]
pub enum PadError {
    /// The key cannot be used.
    #[error(
        "'{key}' cannot be a key: use letters, digits, '-', '_' and single dots, at most {most} \
         characters"
    )]
    BadKey {
        /// The key, shortened.
        key: String,
        /// The most characters.
        most: usize,
    },
    /// Something is stored under the key.
    #[error("ref:{0} exists already and is never overwritten; choose another key")]
    Taken(String),
    /// Nothing is stored under the key.
    #[error("there is no ref:{key}{}; scratchpad_list shows all",
        if known.is_empty() { String::new() } else { format!(" (the latest are {known})") })]
    Unknown {
        /// The key.
        key: String,
        /// Some that exist.
        known: String,
    },
    /// There is no such chunk.
    #[error("ref:{key} has no chunk {asked}: its chunks are 1 to {most}")]
    NoChunk {
        /// The key.
        key: String,
        /// The number asked for.
        asked: u64,
        /// The last number.
        most: u64,
    },
    /// A directory was given for a file.
    #[error("{} is a directory; name a file in it", .0.display())]
    Directory(PathBuf),
    /// A pipe, a device or a socket was given for a file: reading it might never end.
    #[error(
        "{} is no ordinary file but a pipe, a device or a socket; write its content into a file and \
         name that",
        .0.display()
    )]
    NoFile(PathBuf),
    /// The content is no text.
    #[error(
        "{what} is no text (byte {at} is {why}); only UTF-8 text can be kept. Convert it to text first"
    )]
    Binary {
        /// The file or the input.
        what: String,
        /// Where, in bytes from 0.
        at: u64,
        /// What stands there.
        why: &'static str,
    },
    /// There is nothing to keep.
    #[error("{0} is empty: there is nothing to keep")]
    Empty(String),
    /// The target of a copy exists.
    #[error("{} exists already and is not overwritten; choose another name", .0.display())]
    Exists(PathBuf),
    /// A file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written; nothing was stored.
    #[error("cannot write {}: {source}; nothing was stored", path.display())]
    Write {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody asked for the end before everything was stored.
    #[error("stopped; nothing of {0} was stored")]
    Stopped(String),
    /// Somebody asked for the end before everything was searched.
    #[error("the search was stopped")]
    SearchStopped,
}

impl PadError {
    /// What it says to a person, who types commands.
    pub fn for_people(&self) -> String {
        let text = self.to_string();
        match self {
            Self::Unknown { .. } => text.replace("scratchpad_list", "/pad-list"),
            _ => text,
        }
    }
}
