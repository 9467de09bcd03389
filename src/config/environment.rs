//! The environment as a value, and the places for files that follow from it.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::no_place::NoPlace;
use super::{Error, Key};
use crate::home::expanded;

/// The environment variables of the process, or made-up ones in a test.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<OsString, OsString>,
}

const HOME: &str = "HOME";

/// Variables that begin like settings and are none.
const OTHER_VARIABLES: &[&str] = &["EBBTIDE_API_KEY"];

impl<K: Into<OsString>, V: Into<OsString>> FromIterator<(K, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(variables: I) -> Self {
        let pair = |(name, value): (K, V)| (name.into(), value.into());
        Self { variables: variables.into_iter().map(pair).collect() }
    }
}

impl Environment {
    /// The environment of this process.
    pub fn of_process() -> Self {
        std::env::vars_os().collect()
    }

    /// A variable's text; `None` if it is not set, empty, or no Unicode.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.os(name)?.to_str().filter(|value| !value.trim().is_empty())
    }

    fn os(&self, name: &str) -> Option<&OsStr> {
        self.variables.get(OsStr::new(name)).map(OsString::as_os_str)
    }

    /// A variable that holds an absolute path; others count as not set, as the XDG rules say.
    fn directory(&self, name: &str) -> Option<PathBuf> {
        self.os(name).map(PathBuf::from).filter(|path| path.is_absolute())
    }

    /// A sentence for each variable that looks like a setting and has no effect.
    pub(super) fn oddities(&self) -> Vec<String> {
        let ours = self.variables.iter().filter_map(|(name, value)| Some((name.to_str()?, value)));
        ours.filter(|(name, _)| name.starts_with("EBBTIDE_") && !OTHER_VARIABLES.contains(name))
            .filter_map(|(name, value)| {
                if !Key::all().iter().any(|key| key.variable() == name) {
                    Some(format!(
                        "The environment variable {name} is no setting and has no effect."
                    ))
                } else if value.to_str().is_none() {
                    Some(format!(
                        "The environment variable {name} is no Unicode and has no effect."
                    ))
                } else {
                    None
                }
            })
            .collect()
    }
}

/// The directories of the program's files: `$XDG_CONFIG_HOME/ebbtide` and so on, else the usual places below the home
/// directory. Only what needs one that is not known complains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Holds `config.toml`.
    config: Result<PathBuf, NoPlace>,
    /// Holds `sessions/`.
    data: Result<PathBuf, NoPlace>,
    /// Holds `ebbtide.log` and `hints`.
    state: Result<PathBuf, NoPlace>,
}

impl Paths {
    /// What follows from the environment.
    pub fn of(environment: &Environment) -> Self {
        let place = |variable: &'static str, usual: &str| {
            let below_home = || environment.directory(HOME).map(|home| home.join(usual));
            let base = environment.directory(variable).or_else(below_home);
            let held = |name| {
                let held = environment.os(name).filter(|held| !held.is_empty());
                (name, held.map(PathBuf::from))
            };
            base.map(|base| base.join("ebbtide")).ok_or_else(|| NoPlace([variable, HOME].map(held)))
        };
        Self {
            config: place("XDG_CONFIG_HOME", ".config"),
            data: place("XDG_DATA_HOME", ".local/share"),
            state: place("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// The usual config file.
    ///
    /// # Errors
    /// Neither the XDG variable nor `HOME` holds an absolute path.
    pub fn config_file(&self) -> Result<PathBuf, Error> {
        below(&self.config, "config.toml")
    }

    /// The usual directory of the sessions.
    ///
    /// # Errors
    /// As for [`Paths::config_file`].
    pub fn sessions(&self) -> Result<PathBuf, Error> {
        below(&self.data, "sessions")
    }

    /// The usual log file.
    ///
    /// # Errors
    /// As for [`Paths::config_file`].
    pub fn log_file(&self) -> Result<PathBuf, Error> {
        below(&self.state, "ebbtide.log")
    }

    /// The file of the hints that a person was given.
    ///
    /// # Errors
    /// As for [`Paths::config_file`].
    pub fn hints(&self) -> Result<PathBuf, Error> {
        below(&self.state, "hints")
    }
}

fn below(place: &Result<PathBuf, NoPlace>, name: &str) -> Result<PathBuf, Error> {
    place.as_ref().map(|place| place.join(name)).map_err(|none| Error::NoHome(none.clone()))
}

/// A configured path, in which `~/` stands for the home directory.
pub(super) fn expand_home(path: &str, environment: &Environment) -> PathBuf {
    expanded(Path::new(path), environment.directory(HOME).as_deref())
}
