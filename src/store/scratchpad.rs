//! The scratchpad: large texts that are held by reference, one file each.
//!
//! A text is streamed to disk and never whole in memory. Its chunks are found by offset (see
//! [`crate::chunk`]), so that one in the middle of a large file is read without the rest. `index.jsonl`
//! holds what the files do not tell; it is derived, and a missing line is made anew from its file.

mod error;
mod read;
mod sought;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

pub use error::PadError;
pub use read::{Chunk, PadHit, Sample};
pub use write::Label;

use crate::escapes;
use crate::letters::is_part_of_word;
use crate::lines::one_line;
use crate::memory::{EffortId, ScratchItem, Tokens};
use crate::store::disk::Disk;
use crate::store::disk::appender::Appender;
use crate::store::disk::files::{self, Mend, appended};
use crate::store::disk::paths::Paths;
use crate::store::record::bounded;
use crate::store::{Error, Problem};

/// Bytes of a chunk: some 500 tokens of prose.
pub const CHUNK_BYTES: u64 = 2_000;

/// Longest key, in characters.
const MOST_KEY_CHARS: usize = 64;

/// Longest description, in characters: it is in the window with the item's pointer.
const MOST_DESCRIPTION_CHARS: usize = 120;

/// The scratchpad of an open session.
#[derive(Debug)]
pub struct Scratchpad {
    dir: PathBuf,
    /// Oldest first.
    items: Vec<ScratchItem>,
    /// Keys that were given to texts which are kept elsewhere.
    reserved: BTreeSet<Box<str>>,
    index: Option<Appender>,
    disk: Disk,
}

impl Scratchpad {
    /// Reads what is stored below a session's directory. What a crash left half-written is removed; an
    /// item without an index line gets an estimate.
    pub(super) fn open(session: &Paths, problems: &mut Vec<Problem>) -> Result<Self, Error> {
        let dir = session.scratchpad();
        let disk = session.disk.clone();
        let mut pad = Self { dir, items: Vec::new(), reserved: BTreeSet::new(), index: None, disk };
        if pad.dir.is_dir() {
            pad.read_index()?;
            let known = pad.items.len();
            pad.adopt_files(session.mend, problems)?;
            let index = pad.dir.join("index.jsonl");
            if session.mend == Mend::OnDisk && index.is_file() {
                // Opening it sets a torn end aside, so that the next line does not join it.
                pad.index = Some(Appender::open(&index, &session.disk, problems)?);
            }
            if session.mend == Mend::OnDisk {
                let found = pad.items.split_off(known);
                for item in &found {
                    pad.index_item(item);
                }
                pad.items.extend(found);
            }
        }
        Ok(pad)
    }

    /// Goes on in the session's directory under its new name.
    pub(super) fn follow(&mut self, session: &Paths) {
        self.dir = session.scratchpad();
        self.index = None;
    }

    /// A copy for reading beside the chat, on any thread; it does not see later items.
    #[must_use]
    pub fn reader(&self) -> Self {
        let (dir, items) = (self.dir.clone(), self.items.clone());
        Self { dir, items, reserved: BTreeSet::new(), index: None, disk: self.disk.clone() }
    }

    /// An item that holds just this text, if there is one: what is sent again needs no second copy.
    pub fn same_text(&self, text: &str) -> Option<&ScratchItem> {
        let same_size = self.items.iter().rev().filter(|item| item.bytes == text.len() as u64);
        let is_same = |item: &&ScratchItem| {
            let stored = files::read(&self.path(&item.key)).ok().flatten();
            stored.is_some_and(|stored| stored == text.as_bytes())
        };
        same_size.take(3).find(is_same)
    }

    /// A description as it is kept: on one line, and no longer than all of them.
    pub fn described(description: &str) -> String {
        one_line(&escapes::visible(description)).chars().take(MOST_DESCRIPTION_CHARS).collect()
    }

    /// How many chunks a text of so many bytes has.
    pub fn chunks(bytes: u64) -> u64 {
        crate::chunk::count(bytes, CHUNK_BYTES)
    }

    /// All items, oldest first.
    pub fn items(&self) -> &[ScratchItem] {
        &self.items
    }

    /// The item of a key, with or without `ref:`.
    ///
    /// # Errors
    /// The key makes no sense, or nothing is stored under it; the text names some keys that exist.
    pub fn item(&self, key: &str) -> Result<&ScratchItem, PadError> {
        let key = bare(key);
        check_key(key)?;
        self.items.iter().find(|item| &*item.key == key).ok_or_else(|| {
            let known = self.items.iter().rev().take(5).map(|item| format!("ref:{}", item.key));
            PadError::Unknown { key: key.to_owned(), known: known.collect::<Vec<_>>().join(", ") }
        })
    }

    /// A key that nothing has yet, made of some words.
    pub fn free_key(&self, words: &str) -> String {
        let short: String = escapes::without(words).chars().take(40).collect();
        let slug = EffortId::from_name(&short).map(|id| id.to_string());
        let base = slug.unwrap_or_else(|_| "text".to_owned());
        let is_free = |key: &str| {
            !self.reserved.contains(key) && !self.items.iter().any(|item| &*item.key == key)
        };
        if is_free(&base) {
            return base;
        }
        let numbered = (2_u64..).map(|number| format!("{base}-{number}"));
        numbered.into_iter().find(|key| is_free(key)).unwrap_or(base)
    }

    /// A free key for a text that is kept elsewhere; nothing else gets it.
    pub fn reserve(&mut self, words: &str) -> String {
        let key = self.free_key(words);
        self.reserved.insert(key.as_str().into());
        key
    }

    fn path(&self, key: &str) -> PathBuf {
        self.dir.join(format!("{key}.txt"))
    }

    fn read_index(&mut self) -> Result<(), Error> {
        let index = files::read(&self.dir.join("index.jsonl"))?.unwrap_or_default();
        let mut known = BTreeSet::new();
        for line in index.split(|&byte| byte == b'\n') {
            let read = |line| item_of(&serde_json::from_slice(line).ok()?);
            let Some(item) = read(line).or_else(|| read(appended(line, b"{\"key\"")?)) else {
                continue;
            };
            let stored = std::fs::metadata(self.path(&item.key)).map_or(0, |data| data.len());
            let is_there = stored == item.bytes && check_key(&item.key).is_ok();
            if is_there && known.insert(item.key.clone()) {
                self.items.push(item);
            }
        }
        Ok(())
    }

    /// Files that the index does not know, in the order of their names.
    fn adopt_files(&mut self, mend: Mend, problems: &mut Vec<Problem>) -> Result<(), Error> {
        let read = std::fs::read_dir(&self.dir).map_err(Error::read(&self.dir))?;
        let mut names: Vec<String> =
            read.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort_unstable();
        let known: BTreeSet<_> = self.items.iter().map(|item| item.key.clone()).collect();
        for name in names {
            if name.strip_suffix(".part").is_some() && mend == Mend::OnDisk {
                files::remove(&self.dir.join(&name))?;
            }
            let Some(key) = name.strip_suffix(".txt") else { continue };
            if known.contains(key) || check_key(key).is_err() {
                continue;
            }
            let path = self.dir.join(&name);
            let bytes = std::fs::metadata(&path).map_err(Error::read(&path))?.len();
            problems.push(Problem(format!("ref:{key} was missing from the scratchpad's index")));
            self.items.push(ScratchItem {
                key: key.into(),
                description: "found on disk".into(),
                bytes,
                lines: 0,
                chunks: Self::chunks(bytes),
                tokens: Tokens(bytes / 4),
                exact: false,
            });
        }
        Ok(())
    }
}

/// A key without `ref:`.
fn bare(key: &str) -> &str {
    let key = key.trim();
    key.strip_prefix("ref:").unwrap_or(key)
}

/// Whether a key can be a file's name wherever the session is kept.
fn check_key(key: &str) -> Result<(), PadError> {
    let is_sign = |sign: char| is_part_of_word(sign) || "-_.".contains(sign);
    let fits = !key.is_empty() && key.chars().count() <= MOST_KEY_CHARS && key.len() <= 180;
    if fits && key.chars().all(is_sign) && !key.starts_with('.') && !key.contains("..") {
        return Ok(());
    }
    let shown = escapes::visible(key).chars().take(MOST_KEY_CHARS).collect();
    Err(PadError::BadKey { key: shown, most: MOST_KEY_CHARS })
}

fn item_fields(item: &ScratchItem) -> Value {
    json!({
        "key": &*item.key, "description": &*item.description, "bytes": item.bytes,
        "lines": item.lines, "tokens": item.tokens.0, "exact": item.exact,
    })
}

fn item_of(fields: &Value) -> Option<ScratchItem> {
    let bytes = bounded(&fields["bytes"])?;
    Some(ScratchItem {
        key: fields["key"].as_str()?.into(),
        description: Scratchpad::described(fields["description"].as_str().unwrap_or_default())
            .into(),
        bytes,
        chunks: Scratchpad::chunks(bytes),
        lines: bounded(&fields["lines"]).unwrap_or(0),
        tokens: Tokens(bounded(&fields["tokens"])?),
        exact: fields["exact"].as_bool().unwrap_or(false),
    })
}
