//! One line of a session. Everything may be missing, and what is not named here is not looked at: the local copies of
//! tool results are many times larger than what the model was given.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::read::lines;
use crate::read::value::{self, count, hash, loose_flag, loose_moment, loose_text, text};
use crate::read::{Compaction, Moment};

/// What an attachment is called that is typed while the model works.
pub(super) const QUEUED: &str = "queued_command";

/// What came while the model worked.
pub(super) struct Queued {
    pub text: String,
    /// The person typed it.
    pub is_typed: bool,
}

/// A record.
#[expect(clippy::struct_excessive_bools, reason = "as the line has them")]
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Record {
    #[serde(rename = "type", deserialize_with = "loose_text")]
    pub kind: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub subtype: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub parent_uuid: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub session_id: Option<String>,
    #[serde(deserialize_with = "loose_moment")]
    pub timestamp: Moment,
    #[serde(deserialize_with = "loose_text")]
    pub cwd: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub git_branch: Option<String>,
    #[serde(deserialize_with = "loose_text")]
    pub request_id: Option<String>,
    #[serde(deserialize_with = "loose_flag")]
    pub is_sidechain: bool,
    #[serde(deserialize_with = "loose_flag")]
    pub is_meta: bool,
    #[serde(deserialize_with = "loose_flag")]
    pub is_compact_summary: bool,
    #[serde(deserialize_with = "loose_flag")]
    pub is_api_error_message: bool,
    pub turn_companion: Option<Value>,
    pub origin: Option<Value>,
    pub prompt_source: Option<Value>,
    pub compact_metadata: Option<Value>,
    pub message: Option<Value>,
    /// As it is written: half of all lines have one, and hardly any is looked at.
    pub attachment: Option<Box<RawValue>>,
}

impl Record {
    pub(super) fn at(&self) -> Moment {
        self.timestamp
    }

    /// The branch of the repository, where one is checked out.
    pub(super) fn branch(&self) -> Option<&str> {
        self.git_branch.as_deref().filter(|branch| !matches!(*branch, "" | "HEAD"))
    }

    /// Whether somebody may be saying something in it.
    pub(super) fn is_said(&self) -> bool {
        matches!(self.kind.as_deref(), Some("user" | "assistant"))
    }

    /// A number that a copy has, too, in which every record has got another name: who said what in which millisecond, or
    /// when it was compacted. `None` where there is neither.
    pub(super) fn likeness(&self) -> Option<u64> {
        let at = self.timestamp?;
        if self.subtype.as_deref() == Some("compact_boundary") {
            return Some(hash(at));
        }
        let message = self.message.as_ref().filter(|_| self.is_said())?;
        Some(hash((&self.kind, at, text(message, "id"), message.get("content")?)))
    }

    /// Whether the program says itself that nobody typed it.
    pub(super) fn is_from_harness(&self) -> bool {
        let origin = self.origin.as_ref().map(|origin| text(origin, "kind")).unwrap_or_default();
        let companion = self
            .turn_companion
            .as_ref()
            .is_some_and(|value| *value != Value::Bool(false) && !value.is_null());
        let is_system = self.prompt_source.as_ref().is_some_and(|source| source == "system");
        companion || is_system || !matches!(origin, "" | "human")
    }

    /// What came while the model worked, and it was given with what tools returned.
    pub(super) fn queued(&self) -> Option<Queued> {
        let written = self.attachment.as_ref()?.get();
        if !written.contains(QUEUED) {
            return None;
        }
        let attachment: Value = lines::record(written.as_bytes())?;
        let is_typed = matches!(text(&attachment, "commandMode"), "" | "prompt")
            && !(self.is_meta || value::is(&attachment, "isMeta"))
            && matches!(text(&attachment["origin"], "kind"), "" | "human");
        let is_queued = text(&attachment, "type") == QUEUED;
        is_queued.then(|| Queued { text: value::said(&attachment["prompt"]), is_typed })
    }

    pub(super) fn compaction(&self) -> Compaction {
        let known = self.compact_metadata.as_ref().unwrap_or(&Value::Null);
        let tokens = |key: &str| Some(count(known, key)).filter(|tokens| *tokens > 0);
        Compaction {
            trigger: text(known, "trigger").to_owned(),
            before: tokens("preTokens"),
            after: tokens("postTokens"),
            at: self.at(),
            ..Compaction::default()
        }
    }
}
