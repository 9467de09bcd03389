//! Which session is opened.

use std::path::{Path, PathBuf};

use super::arguments::SessionArguments;
use super::{Error, SessionSummary};
use crate::counted::noun;
use crate::escapes::visible;
use crate::letters::composed;
use crate::nearest::nearest;
use crate::store::{self, numbers};

/// The session of someone who has none yet and names none.
pub const DEFAULT_NAME: &str = "default";

/// Checks a session's name: it becomes the name of a directory.
///
/// # Errors
/// What a name may be.
pub fn check_name(name: &str) -> Result<(), Error> {
    store::check_name(name)
        .map_err(|error| Error::Usage(format!("{error}. To open a directory, use --session DIR")))
}

/// The directory of a session of this name; both spellings of an accent are one name.
///
/// # Errors
/// What a name may be.
pub(super) fn directory_of(root: &Path, name: &str) -> Result<PathBuf, Error> {
    check_name(name)?;
    Ok(root.join(&*composed(name)))
}

/// The directory of the session that the arguments mean.
///
/// `root` holds the sessions, `known` lists those that exist, the one used last first.
pub(super) fn directory(
    arguments: &SessionArguments,
    root: &Path,
    known: &[SessionSummary],
) -> Result<PathBuf, Error> {
    if let Some(directory) = &arguments.directory {
        return Ok(directory.clone());
    }
    if let Some(name) = &arguments.name {
        return directory_of(root, name);
    }
    if let Some(wanted) = &arguments.resume {
        return resume(wanted.as_deref(), root, known);
    }
    match known.first() {
        Some(latest) => Ok(latest.directory.clone()),
        None if arguments.latest => Err(Error::Usage(format!(
            "there is no session to continue in {}. Start one with `ebbtide` or `ebbtide -s NAME`",
            root.display()
        ))),
        None => Ok(root.join(DEFAULT_NAME)),
    }
}

fn resume(wanted: Option<&str>, root: &Path, known: &[SessionSummary]) -> Result<PathBuf, Error> {
    match wanted {
        Some(wanted) => Ok(existing(wanted, root, known)?.directory.clone()),
        None => Err(Error::Usage(question(root, known))),
    }
}

/// A session that exists, by its name or its number in the list.
pub(super) fn existing<'a>(
    wanted: &str,
    root: &Path,
    known: &'a [SessionSummary],
) -> Result<&'a SessionSummary, Error> {
    let spelt_so = |session: &&SessionSummary| session.name == wanted;
    let same_name = |session: &&SessionSummary| composed(&session.name) == composed(wanted);
    let named = known.iter().find(spelt_so).or_else(|| known.iter().find(same_name));
    let numbered = || {
        let number: usize = wanted.parse().ok()?;
        known.get(number.checked_sub(1)?)
    };
    if let Some(session) = named.or_else(numbered) {
        return Ok(session);
    }
    let hint = match nearest(wanted, known.iter().map(|session| session.name.as_str())) {
        Some(name) => format!("Did you mean {name}?"),
        None => "`ebbtide sessions` lists them; `ebbtide -s NAME` starts a new one.".to_owned(),
    };
    Err(Error::Usage(format!("there is no session {wanted:?} in {}. {hint}", root.display())))
}

/// Why nothing is shown of a session that is not there.
pub(super) fn none_at(directory: &Path) -> Error {
    let none = format!("there is no session at {}", directory.display());
    Error::Usage(format!("{none}. `ebbtide sessions` lists them"))
}

fn question(root: &Path, known: &[SessionSummary]) -> String {
    if known.is_empty() {
        return format!("there is no session in {} yet. Start one with `ebbtide`", root.display());
    }
    let lines: Vec<String> = numbered(known).collect();
    format!("which session? Open one with `ebbtide -r NUMBER`:\n{}", lines.join("\n"))
}

/// The sessions, a line each that begins with the number that `-r` takes, if there is one.
pub(super) fn numbered(sessions: &[SessionSummary]) -> impl Iterator<Item = String> {
    sessions.iter().zip(numbers(sessions)).map(|(session, number)| {
        let number = number.map(|number| number.to_string()).unwrap_or_default();
        format!("{number:>4}  {}", line(session))
    })
}

/// One session on one line, without anything that could steer the terminal.
fn line(session: &SessionSummary) -> String {
    let SessionSummary { name, turns, updated, title, .. } = session;
    let unit = noun(*turns, "turn");
    let line = format!("{name:<20}  {turns:>6} {unit:<5}  {updated:<20}  {title}");
    visible(&line).trim_end().to_owned()
}
