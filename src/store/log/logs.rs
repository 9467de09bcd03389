//! The raw logs that are written to: the last few stay open.

use std::path::PathBuf;

use crate::store::disk::appender::Appender;
use crate::store::disk::paths::{AMBIENT, Paths};
use crate::store::{Error, Problem};

/// Logs that are kept open; a person works on a handful of efforts at a time.
const OPEN_LOGS: usize = 8;

/// Raw logs, open for appending.
#[derive(Debug)]
pub(crate) struct Logs {
    paths: Paths,
    /// The most recently used one is last.
    open: Vec<(String, Appender)>,
}

impl Logs {
    /// No log is open yet.
    pub(crate) fn new(paths: Paths) -> Self {
        Self { paths, open: Vec::new() }
    }

    /// A log by its file, relative to the session. Opening it repairs a torn end.
    pub(crate) fn appender(
        &mut self,
        file: &str,
        problems: &mut Vec<Problem>,
    ) -> Result<&mut Appender, Error> {
        let known = self.open.iter().position(|(name, _)| name == file);
        let opened = if let Some(at) = known {
            self.open.remove(at)
        } else {
            // The ambient log was looked at when the session was opened.
            let path = match file {
                AMBIENT => self.paths.ambient(),
                _ => self.paths.inside(file)?,
            };
            (file.to_owned(), Appender::open(&path, &self.paths.disk, problems)?)
        };
        if self.open.len() >= OPEN_LOGS {
            // What belongs to no effort stays open: it is the most there is to lose.
            let oldest = self.open.iter().position(|(name, _)| name != AMBIENT);
            self.open.remove(oldest.unwrap_or(0));
        }
        self.open.push(opened);
        let last = self.open.len() - 1;
        Ok(&mut self.open[last].1)
    }

    /// Writes those again that have no name any more. Tells how many there were.
    pub(crate) fn write_again(&mut self) -> Result<usize, Error> {
        let mut made = 0;
        for (_, log) in &mut self.open {
            made += usize::from(log.write_again()?);
        }
        Ok(made)
    }

    /// Asks the system to put what was appended on the disk itself.
    pub(crate) fn handles(&self) -> Vec<(std::fs::File, PathBuf)> {
        self.open.iter().filter_map(|(_, log)| log.try_clone().ok()).collect()
    }
}
