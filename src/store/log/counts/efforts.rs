//! `effort_counts.json`: what the efforts' logs of another program hold, as counted by whoever looked at the session.
//!
//! A derived file. A count holds as long as the log has the length that it had then; a chat takes it into its journal.

use std::collections::HashMap;

use crate::memory::{EffortId, Tokens};
use crate::store::LogReader;
use crate::store::disk::files;
use crate::store::disk::paths::Paths;

/// Of each effort the length of its log in bytes, its messages and their tokens.
#[derive(Debug, Default)]
pub struct CountedEfforts(HashMap<String, (u64, u64, u64)>);

impl CountedEfforts {
    /// What was kept; nothing, if that cannot be read.
    pub(in crate::store) fn read(paths: &Paths) -> Self {
        let bytes = files::read(&paths.effort_counts()).ok().flatten().unwrap_or_default();
        Self(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    /// Messages and tokens of an effort's log, if they were counted and it is as long as it was.
    pub fn size(&self, logs: &LogReader, id: &EffortId) -> Option<(u64, Tokens)> {
        let (bytes, messages, tokens) = self.0.get(id.as_str())?;
        (length(logs, id)? == *bytes).then_some((*messages, Tokens(*tokens)))
    }

    /// Keeps what was counted, messages and tokens. A disk that takes nothing costs time, no more.
    pub(in crate::store) fn keep(logs: &LogReader, counted: &[(EffortId, u64, Tokens)]) {
        let known = Self::read(logs.paths());
        if counted
            .iter()
            .all(|(id, messages, tokens)| known.size(logs, id) == Some((*messages, *tokens)))
        {
            return;
        }
        let one = |(id, messages, tokens): &(EffortId, u64, Tokens)| {
            Some((id.to_string(), (length(logs, id)?, *messages, tokens.0)))
        };
        let all: HashMap<String, (u64, u64, u64)> = counted.iter().filter_map(one).collect();
        let bytes = serde_json::to_vec(&all).unwrap_or_default();
        if let Err(error) = files::replace_unsynced(&logs.paths().effort_counts(), &bytes) {
            tracing::warn!("the sizes of the efforts' logs were not kept: {error}");
        }
    }
}

fn length(logs: &LogReader, id: &EffortId) -> Option<u64> {
    files::length(&logs.path_of_log(id).ok()?).ok()
}
