//! What a session is about: the first words of its user.

use std::path::{Path, PathBuf};

use crate::escapes::visible;
use crate::memory::Role;
use crate::store::disk::files;
use crate::store::disk::paths::Paths;
use crate::store::log;
use crate::store::record::{Line, Record};

/// Longest title, in characters.
const TITLE_CHARS: usize = 60;

/// How much of a log is read for a title.
const TITLE_BYTES: u64 = 64 * 1024;

/// The first thing that was said, shortened: in the ambient log, else in the first turn of the journal.
pub(crate) fn first_message(dir: &Path) -> Option<String> {
    let first_of = |file: PathBuf, offset| -> Option<Vec<u8>> {
        files::read_range(&mut files::open(&file).ok()?, offset, TITLE_BYTES).ok()
    };
    let ambient = first_of(dir.join("raw.jsonl"), 0).unwrap_or_default();
    first_words(dir, &ambient).or_else(|| {
        let journal = first_of(dir.join("journal.jsonl"), 0)?;
        let mut records = journal.split(|&byte| byte == b'\n').filter_map(Record::parse);
        let turn = records.find_map(|record| match record.line {
            Line::Turn(turn) => Some(turn),
            _ => None,
        })?;
        let log = Paths::to_look_at(dir).inside(&turn.file).ok()?;
        first_words(dir, &first_of(log, turn.offset?)?)
    })
}

/// The key of the text for which a line of a log stands, if it is the pointer to a message too large for it.
pub fn held_by(content: &str) -> Option<&str> {
    let key = content.strip_prefix("[Full input saved as ref:")?.split(':').next()?;
    Some(key).filter(|key| !key.contains(['/', '\\']) && !key.contains(".."))
}

fn first_words(dir: &Path, lines: &[u8]) -> Option<String> {
    let said = lines
        .split(|&byte| byte == b'\n')
        .find_map(|line| log::parse(line).message().filter(|message| message.role == Role::User))?;
    let held = held_by(&said.content).and_then(|key| {
        let text = files::open(&dir.join(format!("scratchpad/{key}.txt"))).ok();
        let text = files::read_range(&mut text?, 0, TITLE_BYTES).ok()?;
        shortened(&String::from_utf8_lossy(&text))
    });
    held.or_else(|| shortened(&said.content))
}

/// A message as a title: one line of at most 60 characters; `None` if nothing is left of it.
pub(crate) fn shortened(message: &str) -> Option<String> {
    let plain = visible(message);
    // A pasted file must not be walked through for a few words.
    let words = plain.split_whitespace().take(TITLE_CHARS);
    let line = words.collect::<Vec<_>>().join(" ");
    if line.chars().count() <= TITLE_CHARS {
        return Some(line).filter(|line| !line.is_empty());
    }
    Some(line.chars().take(TITLE_CHARS - 1).chain(['…']).collect())
}
