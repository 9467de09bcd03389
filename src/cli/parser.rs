//! The parser of the command line. The help of a command lists only flags that do something there: the others are taken
//! anywhere on a line, so that they can be refused in a sentence, or do no harm.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use super::{Arguments, elsewhere};
use crate::home::at_home;

/// Flags that name a session.
const BY_NAME: &[&str] = &["name", "latest", "resume"];
const SESSION: &[&str] = &["name", "latest", "resume", "directory"];
/// Flags that say who answers, and how it looks.
const WHO: &[&str] = &["model", "base_url", "api_key_env", "offline"];
const LOOK: &[&str] = &["theme", "ascii"];
const LOG: &[&str] = &["log_file"];
const ANY: &[&str] = &["set", "config"];

/// What each command does nothing with.
const WITHOUT: &[(&str, &[&[&str]])] = &[
    ("demo", &[BY_NAME]),
    ("play", &[BY_NAME]),
    ("proof", &[SESSION]),
    ("sessions", &[SESSION, WHO, LOOK]),
    ("export", &[WHO, LOOK]),
    ("import", &[BY_NAME, WHO, LOOK]),
    ("connect", &[SESSION]),
    ("replay", &[SESSION]),
    ("uncompact", &[SESSION, WHO, &["theme"], LOG]),
    ("config", &[SESSION, LOG]),
    ("completions", &[SESSION, WHO, LOOK, LOG, ANY]),
];

/// Whether a command does nothing with a flag.
pub(super) fn is_without(command: &str, flag: &str) -> bool {
    let groups =
        WITHOUT.iter().filter(|(name, _)| *name == command).flat_map(|(_, groups)| *groups);
    groups.copied().any(|ids| ids.contains(&flag))
}

/// The command line with all commands.
pub(super) fn command() -> Command {
    let whole = with_home(Arguments::command());
    WITHOUT.iter().fold(whole, |whole, (name, flags)| {
        // A flag that a command has itself is not handed down to it.
        let hidden: Vec<_> = whole
            .get_arguments()
            .filter(|flag| flags.iter().any(|ids| ids.contains(&flag.get_id().as_str())))
            .map(|flag| flag.clone().hide(true))
            .collect();
        whole.mut_subcommand(name, |command| command.args(hidden))
    })
}

/// The same with `~/` meaning the home in every path: no shell reads it behind `--session=`.
fn with_home(command: Command) -> Command {
    let read = |arg: Arg| {
        let is_path = arg.get_value_parser().type_id() == TypeId::of::<PathBuf>();
        if !is_path {
            return arg;
        }
        arg.value_parser(PathBufValueParser::new().map(at_home))
    };
    command.mut_args(read).mut_subcommands(with_home)
}

impl Arguments {
    /// Reads a command line.
    ///
    /// # Errors
    /// It makes no sense, or asks for help or the version.
    pub fn read(
        line: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Self, clap::Error> {
        let mut parser = command();
        let line: Vec<OsString> = line.into_iter().map(Into::into).collect();
        let matches = parser
            .try_get_matches_from_mut(&line)
            .map_err(|error| elsewhere::told(error, &line, &mut parser))?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut parser))
    }
}
