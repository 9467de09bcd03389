//! Bringing `manifest.yaml` and `notes.json` up to the journal, beside the chat.

use std::fs::File;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::load;
use crate::lock::locked;
use crate::memory::Turn;
use crate::store::disk::paths::Paths;
use crate::store::disk::{self, files};
use crate::store::history;
use crate::store::manifest::notes::StoredNotes;
use crate::store::{Error, StopFlag, Store};

/// The manifest is written anew when the journal is ahead by this many bytes, even if no effort was
/// opened or concluded, so that loading stays fast.
const MOST_BEHIND: u64 = 1024 * 1024;

/// How far the manifest is; shared by the store and the job that writes it.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    running: AtomicBool,
    /// Bytes of the journal that the manifest includes.
    written: AtomicU64,
    /// Held while the file is being written.
    writing: Mutex<()>,
}

impl Progress {
    /// Notes what the manifest on disk includes.
    pub(crate) fn set_written(&self, bytes: u64) {
        self.written.store(bytes, Ordering::Release);
    }
}

/// A job that writes the manifest; it touches nothing that a turn needs.
#[derive(Debug)]
pub struct Checkpoint {
    paths: Paths,
    upto: u64,
    /// The last counted turn.
    turn: Turn,
    progress: Arc<Progress>,
    /// The journal and the logs, whose content should reach the disk itself first.
    appended: Vec<(File, PathBuf)>,
}

impl Store {
    /// A job that writes the manifest, if it is behind the journal and no other job is under way.
    pub fn checkpoint(&mut self) -> Option<Checkpoint> {
        if !self.is_kept() {
            return None;
        }
        let upto = self.journal.len().ok()?;
        let written = self.progress.written.load(Ordering::Acquire);
        let due = self.changed_upto > written || upto.saturating_sub(written) > MOST_BEHIND;
        if !due || self.progress.running.swap(true, Ordering::AcqRel) {
            return None;
        }
        Some(self.job(upto))
    }

    /// Writes the manifest a last time, if anything happened since, and gives the session free.
    ///
    /// # Errors
    /// When the manifest cannot be written; the journal holds everything all the same.
    pub fn close(mut self) -> Result<(), Error> {
        if !self.is_kept() {
            return Ok(());
        }
        self.check_place()?;
        self.settle_logged()?;
        let upto = self.journal.len()?;
        if upto > self.progress.written.load(Ordering::Acquire) {
            self.job(upto).write()?;
        }
        if self.pending.is_none() {
            files::remove(&self.paths.pending())?;
        }
        Ok(())
    }

    fn job(&mut self, upto: u64) -> Checkpoint {
        let mut appended = self.logs.handles();
        appended.extend(self.journal.handle());
        Checkpoint {
            paths: self.paths.clone(),
            upto,
            turn: self.session.turn,
            progress: Arc::clone(&self.progress),
            appended,
        }
    }
}

impl Checkpoint {
    /// Writes the manifest. Takes as long as there are many efforts, so it belongs on a thread of its
    /// own. A failure loses nothing: the next job tries again.
    ///
    /// # Errors
    /// When the manifest cannot be read or written.
    pub fn write(self) -> Result<(), Error> {
        let _alone = locked(&self.progress.writing);
        if self.progress.written.load(Ordering::Acquire) >= self.upto {
            return Ok(());
        }
        for (log, path) in &self.appended {
            // A disk that cannot sync has nothing better to offer; the data is with the system.
            let _ = disk::sync_content(log, path);
        }
        let mut problems = Vec::new();
        let mut current =
            load::current(&self.paths, self.upto, &StopFlag::default(), &mut problems)?;
        for problem in problems {
            tracing::warn!("{problem}");
        }
        let written = current.manifest.journal_bytes;
        disk::replace_synced(&self.paths.manifest(), current.manifest.render().as_bytes())?;
        StoredNotes::current(&self.paths, self.upto, &mut Vec::new())?.write(&self.paths)?;
        self.progress.set_written(written.max(self.upto));
        // The time machine's own file is derived, and the manifest is written.
        if let Err(error) = history::keep_up(&self.paths, self.turn) {
            tracing::warn!("the time machine begins later: {error}");
        }
        Ok(())
    }
}

impl Drop for Checkpoint {
    fn drop(&mut self) {
        self.progress.running.store(false, Ordering::Release);
    }
}
