//! Parts of an effort's entry in the manifest, as lines of the journal carry them.

use serde_json::{Map, Value, json};

use super::block;
use crate::memory::{Effort, EffortId, Tokens};
use crate::store::record::object;

/// Fields of an entry.
pub(crate) type Patch = Map<String, Value>;

/// All that an entry holds. `raw_file` is the effort's log.
pub(crate) fn whole(effort: &Effort, is_out: bool, raw_file: &str, now: &str) -> Patch {
    let (messages, tokens) = effort.said();
    let mut patch = object(json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "summary": effort.summary().as_deref(),
        "raw_file": raw_file,
        "tags": effort.tags,
        "pinned": effort.pinned,
        "evicted": is_out,
        "updated": now,
        "last_referenced_turn": effort.last_referenced.0,
        "cause": &*effort.cause,
        "last_used_turn": effort.last_used.0,
        "raw_tokens": tokens.map(|tokens| tokens.0),
        "raw_messages": messages,
        "summary_tokens": effort.summary_tokens().map(|tokens| tokens.0),
        "compressed": block::write(effort.blocks()),
    }));
    add_nth_used(&mut patch, effort);
    patch
}

/// Tells behind the turn in which an effort was used that others were used in it before.
fn add_nth_used(patch: &mut Patch, effort: &Effort) {
    if effort.nth_used > 0 {
        patch.insert("nth_used".into(), effort.nth_used.into());
    }
}

/// What is held of an effort in the window, or of one that left it.
pub(crate) fn held(effort: &Effort) -> Patch {
    let (messages, tokens) = effort.said();
    object(json!({
        "id": effort.id.as_str(),
        "status": effort.status.as_str(),
        "summary": effort.summary().as_deref(),
        "pinned": effort.pinned,
        "last_referenced_turn": effort.last_referenced.0,
        "cause": &*effort.cause,
        "raw_tokens": tokens.map(|tokens| tokens.0),
        "raw_messages": messages,
        "summary_tokens": effort.summary_tokens().map(|tokens| tokens.0),
        "compressed": block::write(effort.blocks()),
    }))
}

/// What an exchange changes.
pub(crate) fn worked_on(effort: &Effort) -> Patch {
    let mut patch = object(json!({"id": effort.id.as_str(), "last_used_turn": effort.last_used.0}));
    add_nth_used(&mut patch, effort);
    if let (messages, Some(tokens)) = effort.said() {
        patch.extend(size(&effort.id, messages, tokens));
    }
    patch
}

/// How large a log is.
pub(crate) fn size(id: &EffortId, messages: u64, tokens: Tokens) -> Patch {
    object(json!({"id": id.as_str(), "raw_tokens": tokens.0, "raw_messages": messages}))
}

/// When an effort was last mentioned.
pub(crate) fn mentioned(id: &EffortId, turn: u64) -> Patch {
    object(json!({"id": id.as_str(), "last_referenced_turn": turn}))
}
