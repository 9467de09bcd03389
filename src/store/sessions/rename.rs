//! Another name for a session: its directory moves, nothing in it changes.

use std::fs;
use std::path::{Path, PathBuf};

use crate::letters::is_part_of_word;
use crate::store::disk::lock::Lock;
use crate::store::journal::Journal;
use crate::store::log::logs::Logs;
use crate::store::turn::pending::PendingFile;
use crate::store::{Error, Store};

/// Renames a session that nobody has open.
///
/// # Errors
/// It is open, the new name is taken, or the directory cannot be renamed. Nothing has changed then.
pub fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    let _lock = Lock::take(from)?;
    move_dir(from, to)
}

/// Moves a session's directory. A session that has the name already is never replaced.
fn move_dir(from: &Path, to: &Path) -> Result<(), Error> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(Error::Taken(to.to_owned()));
    }
    fs::rename(from, to).map_err(Error::write(to))
}

impl Store {
    /// Renames the open session; the lock stays.
    ///
    /// # Errors
    /// The new name is taken, or the directory cannot be renamed. Nothing has changed then.
    pub fn rename(&mut self, to: &Path) -> Result<(), Error> {
        move_dir(&self.paths.dir, to)?;
        self.paths.dir = PathBuf::from(to);
        self.logs = Logs::new(self.paths.clone());
        self.pending_file = PendingFile::default();
        self.scratchpad.follow(&self.paths);
        self.ledger.follow();
        // The open journal is the same file under its new name; opened anew, its messages name it right.
        if let Ok(journal) = Journal::open(&self.paths, &mut self.problems) {
            self.journal = journal;
        }
        Ok(())
    }
}

/// The most characters that a session's name may have.
const LONGEST_NAME: usize = 64;

/// Checks a session's name: it becomes the name of a directory.
///
/// # Errors
/// What a name may be.
pub fn check_name(name: &str) -> Result<(), Error> {
    let sign = |c: char| is_part_of_word(c) || matches!(c, '-' | '_' | '.' | ' ');
    // A space at the end, or one beside another, could not be seen.
    let fits = name.chars().all(sign)
        && name.starts_with(char::is_alphanumeric)
        && !name.ends_with(' ')
        && !name.contains("  ")
        && name.chars().count() <= LONGEST_NAME
        && name.len() <= 255;
    if fits {
        return Ok(());
    }
    // What cannot be seen is why it does not fit: it is shown as it would be typed.
    let shown = |sign: char| {
        if sign.is_control() { sign.escape_default().to_string() } else { sign.to_string() }
    };
    let name = name.chars().take(LONGEST_NAME).map(shown).collect();
    Err(Error::BadName { name, most: LONGEST_NAME })
}
