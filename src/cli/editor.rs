//! Edits a text in the program that `VISUAL` or `EDITOR` names.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::config::Environment;
use crate::tui::editor::Editor;

/// The editor that the environment names.
pub(super) fn editor(environment: &Environment) -> Editor {
    let named = ["VISUAL", "EDITOR"].into_iter().find_map(|name| environment.var(name));
    let command = named.map(|command| command.trim().to_owned());
    Editor::new(move |text| match &command {
        Some(command) => edit(command, text, &std::env::temp_dir()),
        None => Err("No editor is set. Put the command of yours into VISUAL or EDITOR, for \
                     example EDITOR=nano, and start again."
            .to_owned()),
    })
}

/// Edits a text in a file of its own below `directory`.
fn edit(command: &str, text: &str, directory: &Path) -> Result<String, String> {
    let file = write_new(directory, text)
        .map_err(|reason| format!("The text could not be handed to the editor: {reason}."))?;
    let ended = run(command, &file);
    // Anything but an ordinary file, a pipe for example, could be waited for without end.
    let is_file = fs::symlink_metadata(&file).map(|data| data.is_file());
    let written = match is_file {
        Ok(false) => Err(io::Error::other("it is no ordinary file any more")),
        _ => fs::read(&file),
    };
    let outcome = match (ended, written.map(String::from_utf8)) {
        (Ok(status), Ok(Ok(edited))) if status.success() => Ok(edited),
        (Ok(_), Ok(Ok(edited))) if edited != text => {
            return Err(format!(
                "The editor ({command}) failed; the message is as it was, and what you changed is in \
                 {}.",
                file.display()
            ));
        }
        (Ok(status), Ok(Ok(_))) => Err(failed(command, status)),
        (Err(reason), _) => Err(format!(
            "The editor ({command}) could not be started: {reason}. Correct VISUAL or EDITOR, and \
             start again."
        )),
        (_, Ok(Err(_))) => {
            return Err(format!(
                "What the editor wrote is no Unicode text (UTF-8); it is in {}.",
                file.display()
            ));
        }
        (_, Err(reason)) => Err(format!("The edited text could not be read: {reason}.")),
    };
    // Best effort: a file that stays behind is readable by its owner only.
    let _ = fs::remove_file(&file);
    outcome
}

/// The command may have arguments, so a shell takes it apart, as other programs do.
#[cfg(unix)]
fn run(command: &str, file: &Path) -> io::Result<ExitStatus> {
    let line = format!("{command} \"$1\"");
    Command::new("/bin/sh").args(["-c", &line, "sh"]).arg(file).status()
}

#[cfg(not(unix))]
fn run(command: &str, file: &Path) -> io::Result<ExitStatus> {
    let mut words = command.split_whitespace();
    Command::new(words.next().unwrap_or_default()).args(words).arg(file).status()
}

fn failed(command: &str, status: ExitStatus) -> String {
    let why = match status.code() {
        Some(127) => "was not found; correct VISUAL or EDITOR, and start again".to_owned(),
        Some(code) => format!("ended with status {code}"),
        None => "was stopped".to_owned(),
    };
    format!("The editor ({command}) {why}. The message is as it was.")
}

/// A new file that only its owner can read.
fn write_new(directory: &Path, text: &str) -> io::Result<PathBuf> {
    let process = std::process::id();
    for number in 1_u32.. {
        let path = directory.join(format!("ebbtide-{process}-{number}.md"));
        let mut options = OpenOptions::new();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.write(true).create_new(true).open(&path) {
            Ok(mut file) => return file.write_all(text.as_bytes()).map(|()| path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn left(directory: &Path) -> usize {
        fs::read_dir(directory).unwrap().count()
    }

    #[test]
    fn a_command_with_arguments_gets_the_text_and_gives_it_back() {
        let home = tempfile::tempdir().unwrap();
        let edited = edit("sed -i -e s/old/new/ --", "an old text\n", home.path());
        assert_eq!(edited.unwrap(), "an new text\n");
        assert_eq!(left(home.path()), 0, "no file stays behind");
    }

    #[test]
    fn failures_are_said_and_lose_nothing() {
        let home = tempfile::tempdir().unwrap();
        let said = |command: &str| edit(command, "text", home.path()).unwrap_err();
        assert!(said("false").contains("(false) ended with status 1"));
        assert!(said("no-such-editor-here 2>/dev/null").contains("was not found"));
        assert_eq!(left(home.path()), 0);
        assert!(said("f() { echo more >> \"$1\"; exit 3; }; f").contains("what you changed is in"));
        assert!(said("f() { printf '\\377' > \"$1\"; }; f").contains("no Unicode"));
        assert_eq!(left(home.path()), 2, "what was changed is kept");
        assert!(said("rm").contains("could not be read"));
        let nowhere = edit("true", "text", &home.path().join("none")).unwrap_err();
        assert!(nowhere.contains("could not be handed"));
    }

    #[test]
    fn the_text_is_for_its_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let file = write_new(home.path(), "x").unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_ne!(write_new(home.path(), "y").unwrap(), file);
    }
}
