//! `pending.json`: the turn under way.
//!
//! It holds the user's words before the first request, and the reply before it is logged, so that a
//! kill at any instant costs neither. It is gone once the turn is counted or stopped.

use std::sync::Arc;

use serde_json::{Value, json};

use super::entry::{bounded, text};
use super::files;
use super::log;
use super::paths::Paths;
use super::{Error, Problem};
use crate::memory::{EffortId, Exchange, Turn};

/// The turn under way.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pending {
    /// Its number, if it ends well.
    pub(super) turn: Turn,
    /// The user's message, as typed.
    pub(super) user: Arc<str>,
    /// What the window holds in its place, if it is held by reference.
    pub(super) shown: Option<Arc<str>>,
    /// When it was sent.
    pub(super) asked: String,
    /// Its number, if it was entered as a draft.
    pub(super) entered: Option<u64>,
    /// The reply, once it is complete.
    pub(super) reply: Option<Reply>,
}

/// A complete reply and where the exchange is logged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The model's final words.
    pub(super) text: Arc<str>,
    /// When they were complete.
    pub(super) at: String,
    /// Whose log it is; `None` for ambient.
    pub(super) log: Option<EffortId>,
    /// The log's file, relative to the session.
    pub(super) file: String,
    /// Where the exchange begins in it.
    pub(super) offset: u64,
}

impl Pending {
    /// Reads the record; one that makes no sense is set aside.
    pub(super) fn read(paths: &Paths, problems: &mut Vec<Problem>) -> Result<Option<Self>, Error> {
        let path = paths.pending();
        let Some(bytes) = files::read(&path)? else { return Ok(None) };
        let pending = serde_json::from_slice(&bytes).ok().and_then(|value| Self::from_json(&value));
        if pending.is_none() {
            let done = paths.mend.move_aside(&path)?;
            problems.push(Problem(format!(
                "pending.json, the record of a turn under way, is broken: it {done}"
            )));
        }
        Ok(pending)
    }

    /// Replaces the record, for good: words and reply are safe when this returns.
    #[cfg_attr(test, track_caller)]
    pub(super) fn write(&self, paths: &Paths) -> Result<(), Error> {
        let reply = self.reply.as_ref().map(|reply| {
            json!({
                "text": &*reply.text,
                "ts": reply.at,
                "log": reply.log.as_ref().map(EffortId::as_str),
                "file": reply.file,
                "offset": reply.offset,
            })
        });
        let record = json!({
            "turn": self.turn.0,
            "user": &*self.user,
            "shown": self.shown.as_deref(),
            "ts": self.asked,
            "entered": self.entered,
            "reply": reply,
        });
        paths.disk.replace_for_good(&paths.pending(), record.to_string().as_bytes())
    }

    /// The exchange as it stands in the log.
    pub(super) fn lines(&self, reply: &Reply) -> Vec<u8> {
        let exchange =
            Exchange { user: Arc::clone(&self.user), assistant: Arc::clone(&reply.text) };
        log::exchange_lines(&exchange, self.shown.as_deref(), self.turn, &self.asked, &reply.at)
    }

    fn from_json(value: &Value) -> Option<Self> {
        let reply = match value.get("reply") {
            Some(reply) if !reply.is_null() => Some(Reply {
                text: reply.get("text")?.as_str()?.into(),
                at: reply.get("ts").and_then(text).unwrap_or_default(),
                log: reply.get("log").and_then(text).map(|id| EffortId::stored(&id)),
                file: reply.get("file")?.as_str()?.to_owned(),
                offset: bounded(reply.get("offset")?)?,
            }),
            _ => None,
        };
        Some(Self {
            turn: Turn(bounded(value.get("turn")?)?),
            user: value.get("user")?.as_str()?.into(),
            shown: value.get("shown").and_then(Value::as_str).map(Into::into),
            asked: value.get("ts").and_then(text).unwrap_or_default(),
            entered: value.get("entered").and_then(Value::as_u64),
            reply,
        })
    }
}
