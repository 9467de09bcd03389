//! What is told of a session by its files alone: when it began, and how large it is.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::store::disk::files;

/// How much of a file is read for its first time stamp.
const HEAD_BYTES: u64 = 64 * 1024;

/// When the first thing in a session was written, as a time stamp; `None` if its files do not tell.
pub fn begun(dir: &Path) -> Option<String> {
    ["journal.jsonl", "raw.jsonl"].iter().filter_map(|name| first_stamp(&dir.join(name))).min()
}

fn first_stamp(path: &Path) -> Option<String> {
    let head = files::read_range(&mut files::open(path).ok()?, 0, HEAD_BYTES).ok()?;
    let stamp = |line: &[u8]| {
        let line: Value = serde_json::from_slice(line).ok()?;
        line.get("ts")?.as_str().filter(|stamp| !stamp.is_empty()).map(str::to_owned)
    };
    head.split(|&byte| byte == b'\n').find_map(stamp)
}

/// The bytes of all files of a session; what a link leads to is not its own.
pub fn bytes_of(dir: &Path) -> u64 {
    let items = fs::read_dir(dir).into_iter().flatten().flatten();
    let bytes = items.map(|item| match fs::symlink_metadata(item.path()) {
        Ok(data) if data.is_dir() => bytes_of(&item.path()),
        Ok(data) if data.is_file() => data.len(),
        _ => 0,
    });
    bytes.sum()
}
