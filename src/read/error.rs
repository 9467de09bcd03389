//! Why nothing was read, in sentences.

use std::io;

use super::{Format, Tally};

/// Why a file was not read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes could not be had.
    #[error("it cannot be read: {reason}{help}", reason = .0, help = advice(.0))]
    Io(#[from] io::Error),
    /// It has no bytes.
    #[error("it is empty")]
    Empty,
    /// It is of no known format.
    #[error("it holds no conversation in a form that is known. Known are: {}", Format::names())]
    Unknown,
    /// It is a database.
    #[error(
        "it is an SQLite database, which is not read. Let the program that keeps it export the conversation as \
         text: `opencode export ID`, or the export in the settings of Open WebUI, Cursor or goose"
    )]
    Sqlite,
    /// It is packed.
    #[error("it is packed ({packing}); unpack it first: `{command}`")]
    Packed {
        /// The packing.
        packing: &'static str,
        /// The command that unpacks it.
        command: &'static str,
    },
    /// Its letters are not UTF-8.
    #[error("it is saved as UTF-16; save it as UTF-8, which any editor can do")]
    Utf16,
    /// A file in an archive that cannot be read.
    #[error("{name} in the archive {why}")]
    Archive {
        /// The file.
        name: String,
        /// Why, and what to do.
        why: String,
    },
    /// An archive without conversations; the names of some files in it.
    #[error(
        "it is a ZIP archive without conversations.json, which the exports of ChatGPT and Claude.ai have (in it: {0}); if \
         other files in it hold conversations, unpack it and name those"
    )]
    NoMember(String),
    /// It is no whole JSON.
    #[error("it looks like {} but breaks off or is damaged: {why}", format.row().name)]
    Broken {
        /// What it looked like.
        format: Format,
        /// Where and why.
        why: String,
    },
    /// It takes too much memory.
    #[error(
        "it is one document of more than 256 MB or of more than four million values, which is not read at once: let the \
         program export fewer conversations together"
    )]
    Heavy,
    /// Nobody says anything in it.
    #[error("{} was expected, with {}, but nobody says anything in it ({tally})", format.row().name, format.row().expected)]
    Nothing {
        /// What it looked like.
        format: Format,
        /// What was in it instead.
        tally: Tally,
    },
}

/// What to do about what the system says.
fn advice(reason: &io::Error) -> &'static str {
    match reason.kind() {
        io::ErrorKind::NotFound => "; check the name",
        _ => "",
    }
}
