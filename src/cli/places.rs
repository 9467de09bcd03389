//! Where other programs keep their conversations: all of them, or the one that was written last.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use super::{Error, Host, Origin};
use crate::read::{Bytes, Seekable, unpacked};

/// Folders below one another that are looked into.
const DEEPEST: usize = 6;

/// Rollouts of Codex that are asked for their folder; it keeps them all in one place.
const MOST_ROLLOUTS: usize = 500;

/// Longest first line in bytes that is looked at.
const LONGEST_HEAD: u64 = 1 << 20;

/// A file that is read from its beginning.
pub(super) struct OnDisk<'a>(pub(super) &'a Path);

impl Bytes for OnDisk<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(BufReader::with_capacity(1 << 18, File::open(self.0)?)))
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(File::open(self.0)?))
    }
}

/// The same, where somebody hears how many bytes are read.
pub(super) struct Watched<'a> {
    pub(super) path: &'a Path,
    pub(super) seen: &'a dyn Fn(u64),
}

impl Bytes for Watched<'_> {
    fn open(&self) -> io::Result<Box<dyn BufRead + '_>> {
        let seen = Seen { file: File::open(self.path)?, seen: self.seen };
        Ok(Box::new(BufReader::with_capacity(1 << 18, seen)))
    }

    fn seekable(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(File::open(self.path)?))
    }
}

struct Seen<'a> {
    file: File,
    seen: &'a dyn Fn(u64),
}

impl Read for Seen<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(room)?;
        (self.seen)(count as u64);
        Ok(count)
    }
}

/// The folder in which a program keeps its conversations.
pub(super) fn home_of(origin: Origin, host: &Host) -> PathBuf {
    let home = host.environment.var("HOME").map(PathBuf::from).unwrap_or_default();
    let place = |variable: &str, usual: &str| {
        host.environment.var(variable).map_or_else(|| home.join(usual), PathBuf::from)
    };
    match origin {
        Origin::ClaudeCode => place("CLAUDE_CONFIG_DIR", ".claude").join("projects"),
        Origin::Codex => place("CODEX_HOME", ".codex").join("sessions"),
        Origin::Gemini => home.join(".gemini/tmp"),
        Origin::Aider => PathBuf::from("."),
    }
}

/// The files of a program, of one project if one is named, the one that was written last first.
pub(super) fn files_of(origin: Origin, project: Option<&Path>, host: &Host) -> Vec<PathBuf> {
    let folder = home_of(origin, host);
    let about =
        project.map(|project| project.canonicalize().unwrap_or_else(|_| project.to_owned()));
    match (origin, about) {
        (Origin::ClaudeCode, Some(about)) => files_below(&folder.join(slug(&about))),
        (Origin::Codex, Some(about)) => {
            files_below(&folder).into_iter().filter(|path| is_about(path, &about)).collect()
        }
        (Origin::Aider, about) => {
            let file = about.unwrap_or(folder).join(".aider.chat.history.md");
            if file.is_file() { vec![file] } else { Vec::new() }
        }
        (Origin::Gemini, _) => {
            let chat = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "chats");
            files_below(&folder).into_iter().filter(chat).collect()
        }
        (_, None) => files_below(&folder),
    }
}

/// The newest session below a folder.
///
/// # Errors
/// There is none.
pub(super) fn below(folder: &Path) -> Result<PathBuf, Error> {
    let newest = files_below(folder).into_iter().find(|path| !is_aside(path));
    newest.ok_or_else(|| Error::Failed(format!("{}: no conversation is in it", folder.display())))
}

/// The newest session of Claude Code or Codex about the folder in which the program was started.
///
/// # Errors
/// There is none, or the folder cannot be read.
pub(super) fn of_this_folder(host: &Host) -> Result<PathBuf, Error> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here =
        here.map_err(|reason| Error::Failed(format!("cannot read the current folder: {reason}")))?;
    let claude_code = home_of(Origin::ClaudeCode, host).join(slug(&here));
    let codex = home_of(Origin::Codex, host);
    let own = files_below(&claude_code).into_iter().find(|path| !is_aside(path));
    let rollouts = files_below(&codex).into_iter().take(MOST_ROLLOUTS);
    let rollout = rollouts.into_iter().find(|path| is_about(path, &here));
    let newest = own.into_iter().chain(rollout).max_by_key(|path| written(path));
    newest.ok_or_else(|| {
        Error::Failed(format!(
            "no session of Claude Code is in {} and none of Codex about this folder in {}; name a file: `ebbtide \
             uncompact PATH`",
            claude_code.display(),
            codex.display()
        ))
    })
}

/// The folder's name in Claude Code: every unit that is no letter or digit is a dash.
fn slug(folder: &Path) -> String {
    let plain =
        |unit: u16| char::from_u32(unit.into()).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    folder.to_string_lossy().encode_utf16().map(plain).collect()
}

/// Whether a file is a subagent's.
pub(super) fn is_aside(path: &Path) -> bool {
    let agent = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
    agent || path.components().any(|part| part.as_os_str() == "subagents")
}

/// Whether a rollout's first line names the folder.
fn is_about(path: &Path, folder: &Path) -> bool {
    let mut line = Vec::new();
    let file = OnDisk(path);
    let read =
        unpacked(&file).and_then(|bytes| bytes.take(LONGEST_HEAD).read_until(b'\n', &mut line));
    let head: Option<Value> = read.ok().and_then(|_| serde_json::from_slice(&line).ok());
    let about =
        head.as_ref().and_then(|head| head["payload"]["cwd"].as_str().or(head["cwd"].as_str()));
    about.is_some_and(|about| Path::new(about) == folder)
}

/// Endings of files that may hold a conversation.
const ENDINGS: [&str; 5] = ["jsonl", "json", "md", "zip", "zst"];

/// All files below a folder that may hold a conversation, the one that was written last first.
pub(super) fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(folder, 0, &mut found);
    // What is there in full as well is not read a second time.
    let is_twice = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ending == "zst") && path.with_extension("").is_file()
    };
    found.retain(|path| !is_twice(path));
    found.sort_by_key(|path| std::cmp::Reverse(written(path)));
    found
}

fn gather(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        let kind = item.file_type();
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && depth < DEEPEST {
            gather(&path, depth + 1, found);
        } else if path
            .extension()
            .is_some_and(|extension| ENDINGS.iter().any(|ending| extension == *ending))
        {
            found.push(path);
        }
    }
}

/// When a file was written last.
pub(super) fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|known| known.modified()).ok()
}
