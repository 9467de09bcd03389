//! What every command that looks at a session starts from.

use std::path::PathBuf;

use super::{Arguments, Error, Host, Streams, configure, session};
use crate::config::{Candidate, Key, Paths, Settings, Source, candidates, secrets};
use crate::logging::{self, Place};

/// One command, with what holds for it.
pub struct Job<'a> {
    /// The arguments.
    pub arguments: &'a Arguments,
    /// The settings in force.
    pub settings: Settings,
    /// The machine.
    pub host: &'a Host,
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
        let settings = load_settings(arguments, host)?;
        for remark in settings.notes().iter().chain(&configure::faults(&settings)) {
            streams.tell(remark);
        }
        let usual = Paths::of(&host.environment).log_file();
        let log = match (&arguments.log_file, &usual) {
            (Some(file), _) => Ok(Place::Named(file)),
            (None, Ok(usual)) => Ok(Place::Usual(usual)),
            (None, Err(reason)) => {
                Err(format!("There is no log: {reason}, or name a file with --log-file."))
            }
        };
        let secrets = secrets(&settings, &host.environment);
        let logs = log.and_then(|log| logging::start(log, settings.log_level(), secrets));
        if let Err(reason) = logs {
            streams.tell(reason);
        }
        Ok(Self { arguments, settings, host })
    }

    /// The directory that holds the sessions.
    ///
    /// # Errors
    /// Nothing says where it is.
    pub(super) fn sessions_dir(&self) -> Result<PathBuf, Error> {
        sessions_dir(&self.settings, self.host)
    }

    /// The directory of the session that is meant; it need not exist yet.
    ///
    /// # Errors
    /// The name is unsafe, or no session has it.
    pub fn session_directory(&self) -> Result<PathBuf, Error> {
        let root = self.sessions_dir()?;
        let known = || (self.host.sessions)(&root);
        session::directory(&self.arguments.session, &root, &known())
    }

    /// The session that the chat begins with; `None` if it is to be chosen from the list.
    pub(super) fn first_directory(&self) -> Result<Option<PathBuf>, Error> {
        let root = self.sessions_dir()?;
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

/// The settings of a command that looks at a session.
///
/// # Errors
/// A setting makes no sense.
pub(super) fn load_settings(arguments: &Arguments, host: &Host) -> Result<Settings, Error> {
    let mut settings = Settings::load(&host.environment, &arguments.settings.overrides())?;
    if let (Some(session), false) = (&arguments.session.directory, settings.has_sessions_dir()) {
        // Others are kept beside the one that is named.
        let beside = session.parent().filter(|parent| !parent.as_os_str().is_empty());
        let beside = beside.map_or_else(|| ".".to_owned(), |parent| parent.display().to_string());
        settings.set(Key::SessionsDir.name(), &beside, Source::Flag("--session"))?;
    }
    Ok(settings)
}

/// The directory that holds the sessions.
///
/// # Errors
/// Nothing says where it is.
pub(super) fn sessions_dir(settings: &Settings, host: &Host) -> Result<PathBuf, Error> {
    if settings.has_sessions_dir() {
        return Ok(settings.sessions_dir());
    }
    Ok(Paths::of(&host.environment).sessions()?)
}
