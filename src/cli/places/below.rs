//! What is below a folder: what may be a conversation, and what is passed over.

use std::cmp::Reverse;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{is_claude_codes, is_log, real, written};
use crate::cli::input::{OnDisk, named};
use crate::read::{self, Format};

/// Folders below one another that are looked into: this only keeps the stack.
const DEEPEST: usize = 64;

/// Endings of files that may hold a conversation, in whatever letters they are written.
const ENDINGS: [&str; 7] = ["jsonl", "ndjson", "json", "md", "markdown", "zip", "zst"];

/// The endings as a list for people.
pub(in crate::cli) fn endings() -> String {
    let [first @ .., last] = ENDINGS.map(|ending| format!(".{ending}"));
    format!("{} or {last}", first.join(", "))
}

/// Whether a file's name ends like this, in whatever letters.
pub(super) fn ends_with(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// All files below a folder that may hold a conversation, the one that was written last first. A session of Ebbtide's own is
/// one, whatever files it has.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    Below::of(folder).found
}

/// Files that are passed over by their names and are looked into for why.
const MOST_LOOKED_INTO: usize = 200;

/// Why nothing that a folder holds is read, of the first thing in it that tells: what it is, and what to do.
/// A file that is to be named itself is one of a program that `suits`.
pub(in crate::cli) fn why_nothing(folder: &Path, suits: fn(Format) -> bool) -> Option<String> {
    let mut all = Below::of(folder);
    all.closed.sort_by(|one, other| one.0.cmp(&other.0));
    let why = |path: &PathBuf| {
        let why = match read::format(&OnDisk(path)) {
            _ if is_in_pieces(path) => {
                "it holds sessions of opencode in pieces, which are not read; let `opencode export ID > FILE` write each as \
                 one file, and name those"
                    .to_owned()
            }
            Ok(format) if !suits(format) => return None,
            Ok(format) => format!("it holds {}; name it itself", format.row().name),
            Err(
                error @ (read::Error::Sqlite | read::Error::Packed { .. } | read::Error::Utf16),
            ) => error.to_string(),
            Err(_) => return None,
        };
        Some(format!("{}: {why}", named(path)))
    };
    let closed = || {
        let (folder, reason) = all.closed.first()?;
        Some(format!("{} cannot be read: {reason}", named(folder)))
    };
    all.passed_over.iter().take(MOST_LOOKED_INTO).find_map(why).or_else(closed)
}

/// What is below a folder.
#[derive(Debug, Default)]
pub(in crate::cli) struct Below {
    /// What may be a conversation, by its name; the file that was written last first.
    pub(in crate::cli) found: Vec<PathBuf>,
    /// What may not.
    passed_over: Vec<PathBuf>,
    /// Folders that cannot be read, each with the reason.
    pub(in crate::cli) closed: Vec<(PathBuf, io::Error)>,
    /// Links to folders.
    links: Vec<PathBuf>,
}

impl Below {
    /// All that is below a folder, and behind the links to folders in it, each folder once: links may go round in circles.
    pub(in crate::cli) fn of(folder: &Path) -> Self {
        let mut all = Self::default();
        all.gather(folder, 0);
        let mut known = vec![real(folder)];
        while let Some(link) = all.links.pop() {
            let folder = real(&link);
            // What contains all of it, or is a part of it, is no other folder.
            if folder.is_dir()
                && !known.iter().any(|one| one.starts_with(&folder) || folder.starts_with(one))
            {
                known.push(folder);
                all.gather(&link, 0);
            }
        }
        all.put_in_order();
        all
    }

    fn put_in_order(&mut self) {
        // What is there in full as well is not read a second time.
        let is_twice = |path: &PathBuf| ends_with(path, "zst") && path.with_extension("").is_file();
        self.found.retain(|path| !is_twice(path));
        self.found.sort_by_cached_key(|path| (Reverse(written(path)), path.clone()));
        self.passed_over.sort();
    }

    /// Files that may be conversations but for their names, apart from those that programs hide.
    pub(in crate::cli) fn files_passed_over(&self) -> impl Iterator<Item = &PathBuf> {
        let is_hidden =
            |path: &Path| path.file_name().is_some_and(|name| name.as_encoded_bytes()[0] == b'.');
        self.passed_over.iter().filter(move |path| !is_hidden(path) && path.is_file())
    }

    /// Whether a file is packed in a way that is not read.
    pub(in crate::cli) fn is_packed(path: &Path) -> bool {
        ends_with(path, "gz")
    }

    fn gather(&mut self, folder: &Path, depth: usize) {
        if is_session(folder) {
            return self.found.push(folder.to_owned());
        }
        if is_in_pieces(folder) {
            return self.passed_over.push(folder.to_owned());
        }
        let items = match fs::read_dir(folder) {
            Ok(items) => items,
            Err(reason) => return self.closed.push((folder.to_owned(), reason)),
        };
        for item in items.flatten() {
            let path = item.path();
            let kind = item.file_type();
            let is = |kind_of: fn(&fs::FileType) -> bool| kind.as_ref().is_ok_and(kind_of);
            if is(fs::FileType::is_symlink) && path.is_dir() {
                self.links.push(path);
            } else if is(fs::FileType::is_dir) && is_kept_beside(&path) {
                self.passed_over.push(path);
            } else if is(fs::FileType::is_dir) && depth < DEEPEST {
                self.gather(&path, depth + 1);
            } else if ENDINGS.iter().any(|ending| ends_with(&path, ending)) {
                self.found.extend((!is_note(&path)).then_some(path));
            } else {
                self.passed_over.push(path);
            }
        }
    }
}

/// Whether a folder is a session of Ebbtide's own.
pub(in crate::cli) fn is_session(folder: &Path) -> bool {
    folder.join("session_state.json").is_file()
        && (folder.join("raw.jsonl").is_file() || folder.join("efforts").is_dir())
}

/// Whether a folder is where opencode kept its sessions before it had a database: a file for each part of a message.
fn is_in_pieces(folder: &Path) -> bool {
    ["session", "message", "part"].iter().all(|name| folder.join(name).is_dir())
}

/// Whether a file is what Claude Code notes of the conversation that stands beside it, or of when its subagents ran.
fn is_note(path: &Path) -> bool {
    let is_of_subagents = || path.components().any(|part| part.as_os_str() == "subagents");
    if path.file_name().is_some_and(|name| name == "journal.jsonl") && is_of_subagents() {
        return true;
    }
    let name = path.to_string_lossy();
    name.strip_suffix(".meta.json")
        .is_some_and(|stem| Path::new(&format!("{stem}.jsonl")).is_file())
}

/// Whether a folder is one that Claude Code keeps beside sessions and that holds none: results of tools that were too long
/// for one, or what it is to remember of a project.
fn is_kept_beside(folder: &Path) -> bool {
    let Some(around) = folder.parent() else { return false };
    match folder.file_name().and_then(|name| name.to_str()) {
        // Of a session that may be gone by now.
        Some("tool-results") => around.parent().is_some_and(is_project_of_claude_code),
        Some("memory") => is_project_of_claude_code(around),
        _ => false,
    }
}

/// Whether a folder is one in which Claude Code keeps the sessions of a project.
fn is_project_of_claude_code(folder: &Path) -> bool {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut logs = items.map(|item| item.path()).filter(|path| is_log(path));
    logs.next().is_some_and(|log| is_claude_codes(&log))
}
