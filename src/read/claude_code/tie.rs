//! What ties the record of a line to others.

use std::num::NonZero;

use serde::Deserialize;
use serde_json::Value;

use super::record::QUEUED;
use crate::read::Moment;
use crate::read::lines::Line;
use crate::read::value::{hash, list, loose_flag, loose_moment, loose_text, text};

/// What ties a record to others.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Tie {
    #[serde(rename = "type", deserialize_with = "loose_text")]
    pub kind: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    subtype: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    parent_uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    logical_parent_uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    session_id: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub leaf_uuid: Option<String>,
    #[serde(deserialize_with = "loose_flag")]
    is_sidechain: bool,
    #[serde(deserialize_with = "loose_flag")]
    is_compact_summary: bool,
    #[serde(deserialize_with = "loose_moment")]
    pub timestamp: Moment,
    #[serde(deserialize_with = "loose_text")]
    pub custom_title: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub ai_title: Option<String>,
    message: Option<MessageTie>,
    compact_metadata: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MessageTie {
    #[serde(deserialize_with = "loose_text")]
    id: Option<String>,
}

/// A hash, so that none at all takes no room: there may be millions of records.
pub(super) type Hash = NonZero<u64>;

pub(super) fn hashed(text: &str) -> Hash {
    Hash::new(hash(text)).unwrap_or(Hash::MIN)
}

/// A record that has a place in the tree.
#[expect(clippy::struct_excessive_bools, reason = "as its line has them")]
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub uuid: Hash,
    /// The session that it is of, if it names one.
    pub session: Option<Hash>,
    /// The record before it, if it names one.
    pub parent: Option<Hash>,
    /// The message that it is a line of, for a reply.
    pub message: Option<Hash>,
    /// Its line, from 1, and what stands there, as a number.
    pub line: u32,
    pub words: u32,
    pub is_reply: bool,
    /// Somebody says something in it, or what was said is compacted.
    pub is_said: bool,
    /// A tool's answer.
    pub is_result: bool,
    /// Of a subagent.
    pub aside: bool,
    /// A compaction, or the summary of one, which goes on from what stands before it in the file if it does not say from
    /// what: old ones have nothing but the summary.
    pub is_boundary: bool,
}

impl Node {
    /// Whether something stands before it, even if that is not told or not there any more.
    pub(super) fn follows(&self) -> bool {
        self.parent.is_some() || self.is_boundary
    }
}

impl Tie {
    /// The session that it is of.
    pub(super) fn session(&self) -> Option<Hash> {
        self.session_id.as_deref().map(hashed)
    }

    /// The last record that a compaction leaves in the window, which what follows may hang on.
    pub(super) fn tail(&self) -> Option<Hash> {
        let known = self.compact_metadata.as_ref()?;
        let named = text(&known["preservedSegment"], "tailUuid");
        let last = || list(&known["preservedMessages"], "uuids").last().and_then(Value::as_str);
        Some(named).filter(|named| !named.is_empty()).or_else(last).map(hashed)
    }

    pub(super) fn node(&self, line: &Line<'_>) -> Option<Node> {
        let uuid = hashed(self.uuid.as_deref()?);
        let parent = self.parent_uuid.as_deref().or(self.logical_parent_uuid.as_deref());
        let is_reply = self.kind.as_deref() == Some("assistant");
        let is_boundary = self.subtype.as_deref() == Some("compact_boundary");
        let is_user = self.kind.as_deref() == Some("user");
        // What was typed while the model worked.
        let is_queued = || {
            self.kind.as_deref() == Some("attachment")
                && parent.is_some()
                && line.holds(QUEUED.as_bytes())
        };
        let message = self.message.as_ref().and_then(|message| message.id.as_deref());
        Some(Node {
            uuid,
            session: self.session(),
            parent: parent.map(hashed),
            line: u32::try_from(line.number).ok()?,
            words: hash(line.bytes) as u32,
            message: message.filter(|_| is_reply).map(hashed),
            is_reply,
            is_said: is_reply || is_boundary || is_user || is_queued(),
            is_result: !is_reply && line.holds(b"\"tool_result\""),
            aside: self.is_sidechain,
            is_boundary: is_boundary || is_user && self.is_compact_summary,
        })
    }
}
