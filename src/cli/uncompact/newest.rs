//! The session that was written last: of a folder, or about the folder in which the program was started.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use crate::cli::{Error, Host};

/// Folders below one another that are looked into.
const DEEPEST: usize = 6;

/// Rollouts of Codex that are asked for their folder; it keeps them all in one place.
const MOST_ROLLOUTS: usize = 500;

/// Longest first line in bytes that is looked at.
const LONGEST_HEAD: u64 = 1 << 20;

/// The newest session below a folder.
///
/// # Errors
/// There is none.
pub(super) fn below(folder: &Path) -> Result<PathBuf, Error> {
    let newest = sessions_below(folder).into_iter().next();
    newest.ok_or_else(|| Error::Failed(format!("{}: no .jsonl file is in it", folder.display())))
}

/// The newest session of Claude Code or Codex about the folder in which the program was started.
///
/// # Errors
/// There is none, or the folder cannot be read.
pub(super) fn of_this_folder(host: &Host) -> Result<PathBuf, Error> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    let here =
        here.map_err(|reason| Error::Failed(format!("cannot read the current folder: {reason}")))?;
    let home = host.environment.var("HOME").map(PathBuf::from).unwrap_or_default();
    let place = |variable: &str, usual: &str| {
        host.environment.var(variable).map_or_else(|| home.join(usual), PathBuf::from)
    };
    let claude_code = place("CLAUDE_CONFIG_DIR", ".claude").join("projects").join(slug(&here));
    let codex = place("CODEX_HOME", ".codex").join("sessions");
    let own = sessions_below(&claude_code).into_iter().find(|path| !is_aside(path));
    let rollouts = sessions_below(&codex).into_iter().take(MOST_ROLLOUTS);
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
fn is_aside(path: &Path) -> bool {
    let agent = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("agent-"));
    agent || path.components().any(|part| part.as_os_str() == "subagents")
}

/// Whether a rollout's first line names the folder.
fn is_about(path: &Path, folder: &Path) -> bool {
    let mut line = Vec::new();
    let read = fs::File::open(path)
        .and_then(|file| BufReader::new(file.take(LONGEST_HEAD)).read_until(b'\n', &mut line));
    let head: Option<Value> = read.ok().and_then(|_| serde_json::from_slice(&line).ok());
    let about =
        head.as_ref().and_then(|head| head["payload"]["cwd"].as_str().or(head["cwd"].as_str()));
    about.is_some_and(|about| Path::new(about) == folder)
}

/// All sessions below a folder, the one that was written last first.
fn sessions_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    gather(folder, 0, &mut found);
    found.sort_by_key(|path| std::cmp::Reverse(written(path)));
    found
}

fn gather(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for item in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = item.path();
        let kind = item.file_type();
        if kind.as_ref().is_ok_and(fs::FileType::is_dir) && depth < DEEPEST {
            gather(&path, depth + 1, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
}

fn written(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|known| known.modified()).ok()
}
