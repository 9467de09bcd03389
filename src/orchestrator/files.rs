//! Names of files, to complete a path that is being written. Read beside the chat, also during a turn.

use std::fs;
use std::path::Path;

use super::driver::Driver;
use super::notice::Notice;
use crate::home::expanded;

/// Entries of a directory that are looked at; a huge one must not keep the list waiting.
const MOST_READ: usize = 20_000;

/// Names that are told.
const MOST_TOLD: usize = 50;

impl Driver {
    /// Looks for files and directories whose path begins like this; answered by [`Notice::Files`].
    pub(super) fn list_files(&self, begun: String) {
        let home = std::env::home_dir();
        self.notices.answer_beside(move || {
            let paths = matching(&begun, home.as_deref());
            [Notice::Files { begun, paths }]
        });
    }
}

/// Paths that begin like this, as they would be written; directories end with a slash. Hidden ones only if
/// the dot is written. A directory that cannot be read offers nothing.
fn matching(begun: &str, home: Option<&Path>) -> Vec<String> {
    let (parent, start) =
        begun.rsplit_once('/').map_or(("", begun), |(p, s)| (&begun[..=p.len()], s));
    let directory = if parent.is_empty() { "." } else { parent };
    let directory = expanded(Path::new(directory), home);
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut found: Vec<String> = entries
        .take(MOST_READ)
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hidden = name.starts_with('.') && !start.starts_with('.');
            if hidden || !name.starts_with(start) || name.contains(['"', '\n']) {
                return None;
            }
            let slash = if entry.path().is_dir() { "/" } else { "" };
            Some(format!("{parent}{name}{slash}"))
        })
        .collect();
    found.sort_unstable_by_key(|path| (path.ends_with('/'), path.to_lowercase()));
    found.truncate(MOST_TOLD);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed_below_a_directory_and_hidden_ones_only_when_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["notes.txt", "north east.md", ".hidden", "other"] {
            fs::write(dir.path().join(name), "x").unwrap();
        }
        fs::create_dir(dir.path().join("nested")).unwrap();
        let root = format!("{}/", dir.path().display());
        let names = |start: &str| -> Vec<String> {
            let found = matching(&format!("{root}{start}"), None);
            found.into_iter().map(|path| path.replace(&root, "")).collect()
        };
        assert_eq!(names("n"), ["north east.md", "notes.txt", "nested/"]);
        assert_eq!(names(""), ["north east.md", "notes.txt", "other", "nested/"]);
        assert_eq!(names("."), [".hidden"]);
        assert_eq!(names("gone/x"), [""; 0]);
        let at_home = matching("~/no", Some(dir.path()));
        assert_eq!(at_home, ["~/north east.md", "~/notes.txt"]);
    }
}
