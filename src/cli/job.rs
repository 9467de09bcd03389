//! What every command that looks at a session starts from.

use std::cell::RefCell;
use std::path::PathBuf;

use super::{Arguments, Error, Host, Streams, configure, session};
use crate::config::{Candidate, Paths, Settings, candidates, secrets};
use crate::logging::{self, Place};

/// One command, with what holds for it.
pub struct Job<'a> {
    /// The arguments.
    pub arguments: &'a Arguments,
    /// The settings in force.
    pub settings: Settings,
    /// The machine.
    pub host: &'a Host,
    /// What was found out while a model was looked for, as sentences.
    pub(super) found: RefCell<Vec<String>>,
}

impl<'a> Job<'a> {
    /// Loads the settings and opens the log file; what is odd about them is told.
    ///
    /// # Errors
    /// A setting makes no sense.
    pub(super) fn prepare(
        arguments: &'a Arguments,
        host: &'a Host,
        streams: &mut Streams<'_>,
    ) -> Result<Self, Error> {
        let settings = Settings::load(&host.environment, &arguments.settings.overrides())?;
        for remark in settings.notes().iter().chain(&configure::faults(&settings)) {
            streams.tell(remark);
        }
        let usual;
        let log = if let Some(file) = &arguments.log_file {
            Place::Named(file)
        } else {
            usual = Paths::of(&host.environment)?.log_file();
            Place::Usual(&usual)
        };
        let secrets = secrets(&settings, &host.environment);
        if let Err(reason) = logging::start(log, settings.log_level(), secrets) {
            streams.tell(reason);
        }
        Ok(Self { arguments, settings, host, found: RefCell::default() })
    }

    /// The directory of the session that is meant; it need not exist yet.
    ///
    /// # Errors
    /// The name is unsafe, or no session has it.
    pub fn session_directory(&self) -> Result<PathBuf, Error> {
        let root = self.settings.sessions_dir();
        let known = || (self.host.sessions)(&root);
        session::directory(&self.arguments.session, &root, &known())
    }

    /// The session that the chat begins with; `None` if it is to be chosen from the list.
    pub(super) fn first_directory(&self) -> Result<Option<PathBuf>, Error> {
        let root = self.settings.sessions_dir();
        let choose = self.arguments.session.resume == Some(None);
        if choose && !(self.host.sessions)(&root).is_empty() {
            return Ok(None);
        }
        self.session_directory().map(Some)
    }

    /// The ways to get answers, best first.
    ///
    /// # Errors
    /// As for [`candidates`].
    pub fn candidates(&self) -> Result<Vec<Candidate>, Error> {
        Ok(candidates(&self.settings, &self.host.environment)?)
    }
}
