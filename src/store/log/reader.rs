//! Reading logs beside the chat, on any thread.

use std::path::PathBuf;
use std::sync::{Arc, RwLock};

use super::transcript::{self, Cursor, Page};
use crate::lock;
use crate::memory::{EffortId, Role};
use crate::store::disk::files;
use crate::store::disk::lock::Lock;
use crate::store::disk::paths::{EffortFiles, Paths};
use crate::store::log;
use crate::store::log::spooled::SpooledLogs;
use crate::store::{Error, Problem};

/// Reads the logs of an open session; cheap to clone and to send.
#[derive(Debug, Clone)]
pub struct LogReader {
    paths: Paths,
    files: Arc<RwLock<EffortFiles>>,
    /// Where the logs are instead, if the session is not kept.
    spooled: Option<Arc<SpooledLogs>>,
}

impl LogReader {
    pub(in crate::store) fn new(
        paths: Paths,
        files: Arc<RwLock<EffortFiles>>,
        spooled: Option<Arc<SpooledLogs>>,
    ) -> Self {
        Self { paths, files, spooled }
    }

    /// The files of the session.
    pub(in crate::store) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// Where the logs are, if not in the session's files.
    pub(in crate::store) fn spooled(&self) -> Option<&SpooledLogs> {
        self.spooled.as_deref()
    }

    /// Where an effort's log is.
    pub(in crate::store) fn path_of_log(&self, id: &EffortId) -> Result<PathBuf, Error> {
        self.paths.inside(&self.log_file(id))
    }

    /// The file of an effort's log, from the session's directory on.
    pub fn log_file(&self, id: &EffortId) -> String {
        lock::read(&self.files).of(id)
    }

    /// The messages of an effort's log: what the user and the model said, without markers. A missing
    /// log is an empty one.
    ///
    /// # Errors
    /// When the log cannot be read or leads out of the session.
    pub fn read_log(&self, id: &EffortId) -> Result<Vec<(Role, Arc<str>)>, Error> {
        let messages = match &self.spooled {
            Some(logs) => logs.messages(Some(id), 0..u64::MAX)?,
            None => log::read(&self.path_of_log(id)?)?.0,
        };
        Ok(log::plain(messages))
    }

    /// The messages of the whole ambient log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn ambient_log(&self) -> Result<Vec<(Role, Arc<str>)>, Error> {
        let messages = match &self.spooled {
            Some(logs) => logs.messages(None, 0..u64::MAX)?,
            None => log::read(&self.paths.ambient())?.0,
        };
        Ok(log::plain(messages))
    }

    /// The last messages of the ambient log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn ambient_tail(&self, most: usize) -> Result<Vec<(Role, Arc<str>)>, Error> {
        let messages = match &self.spooled {
            Some(logs) => {
                let mut all = logs.messages(None, 0..u64::MAX)?;
                all.split_off(all.len().saturating_sub(most))
            }
            None => log::read_tail(&self.paths.ambient(), None, most)?.messages,
        };
        Ok(log::plain(messages))
    }

    /// Bytes of the ambient log.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn ambient_bytes(&self) -> Result<u64, Error> {
        files::length(&self.paths.ambient())
    }

    /// Does something while nobody can open the session; nothing if somebody has it open, or it cannot be written.
    pub(super) fn while_closed(&self, work: impl FnOnce()) {
        if let Ok(_lock) = Lock::take(&self.paths.dir) {
            work();
        }
    }

    /// What is to be said of a page of the transcript that holds messages which the journal should tell of and does not.
    pub fn told_of(page: &Page) -> Option<Problem> {
        transcript::uncovered::told(page.uncovered)
    }

    /// About `most` entries of the transcript that come before a cursor; `None` means the end.
    ///
    /// # Errors
    /// When the journal or a log cannot be read.
    pub fn transcript_before(&self, before: Option<&Cursor>, most: usize) -> Result<Page, Error> {
        transcript::read(&self.paths, before, most)
    }
}
