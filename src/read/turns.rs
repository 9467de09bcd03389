//! A record of a log of dialogues that holds turns, each as it is written. Nothing else that stands in it can make it
//! unreadable, and where a turn is, the others are read.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::lines;

/// The keys that hold the turns of a whole conversation; where both do, the first.
pub(super) const TURNS: [&str; 2] = ["messages", "conversations"];

/// What stands beside the turns and is told with them.
const HEAD: [&str; 3] = ["id", "title", "created_at"];

/// A record with turns.
#[derive(Debug)]
pub(super) struct Record {
    /// What stands beside them.
    pub head: Value,
    /// They themselves, of which there is one at least.
    pub turns: Vec<Box<RawValue>>,
}

impl Record {
    /// A record as it is written; `None` if it holds no turns or is damaged.
    pub(super) fn of(written: &[u8]) -> Option<Self> {
        let fields: HashMap<String, Box<RawValue>> = lines::record(written)?;
        let turns = TURNS.iter().find_map(|key| {
            let list: Vec<Box<RawValue>> = serde_json::from_str(fields.get(*key)?.get()).ok()?;
            (!list.is_empty()).then_some(list)
        })?;
        let told =
            HEAD.iter().filter_map(|key| Some(((*key).to_owned(), turn(fields.get(*key)?)?)));
        Some(Self { head: told.collect(), turns })
    }
}

/// A turn, or another value; `None` if it is damaged.
pub(super) fn turn(written: &RawValue) -> Option<Value> {
    lines::record(written.get().as_bytes())
}
