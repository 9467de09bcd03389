//! A record of a log of dialogues that holds turns, each as it is written. Nothing else that stands in it can make it
//! unreadable, and where a turn is, the others are read.

use std::collections::HashMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::lines;
use super::value::{hash, plain};

/// The keys that hold the turns of a whole conversation; where both do, the first.
pub(super) const TURNS: [&str; 2] = ["messages", CONVERSATIONS];

/// The one that ShareGPT has.
const CONVERSATIONS: &str = "conversations";

/// What stands beside the turns and is told with them.
const HEAD: [&str; 3] = ["id", "title", "created_at"];

/// A record with turns.
#[derive(Debug)]
pub(super) struct Record {
    /// What stands beside them.
    pub head: Value,
    /// They themselves, of which there is one at least.
    pub turns: Vec<Box<RawValue>>,
    /// What its turns have in common with those of no other record: ShareGPT's conversations have names, and two of them may
    /// begin alike. A log of requests has none, or one for each request.
    pub name: Option<u64>,
}

impl Record {
    /// A record as it is written; `None` if it holds no turns or is damaged.
    pub(super) fn of(written: &[u8]) -> Option<Self> {
        let fields: HashMap<String, Box<RawValue>> = lines::record(written)?;
        let (key, turns) = TURNS.iter().find_map(|key| {
            let list: Vec<Box<RawValue>> = serde_json::from_str(fields.get(*key)?.get()).ok()?;
            (!list.is_empty()).then_some((*key, list))
        })?;
        let told =
            HEAD.iter().filter_map(|key| Some(((*key).to_owned(), turn(fields.get(*key)?)?)));
        let head: Value = told.collect();
        let id = plain(head.get("id"));
        let name = (key == CONVERSATIONS && !id.is_empty()).then(|| hash(id));
        Some(Self { head, turns, name })
    }
}

/// A turn, or another value; `None` if it is damaged.
pub(super) fn turn(written: &RawValue) -> Option<Value> {
    lines::record(written.get().as_bytes())
}
