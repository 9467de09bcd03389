//! `pending.json`: the turn under way.
//!
//! It holds the user's words before the first request, and the reply before it is logged, so that a
//! kill at any instant costs neither. It is gone once the turn is counted or stopped.

use std::sync::Arc;

use serde_json::{Value, json};

use super::entry::{MOST, MOST_STATED_TURN, bounded, text};
use super::files;
use super::log;
use super::paths::{AMBIENT, Paths};
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
    /// Reads the record; one without words is set aside. A turn that cannot be is `next`, the one that would
    /// come now, and a place that cannot be is the end of the log: the words come first.
    pub(super) fn read(
        paths: &Paths,
        next: Turn,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Self>, Error> {
        let path = paths.pending();
        let Some(bytes) = files::read(&path)? else { return Ok(None) };
        let value: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let Some(mut pending) = Self::from_json(&value, next) else {
            let done = paths.mend.move_aside(&path)?;
            problems.push(Problem(format!(
                "pending.json, the record of a turn under way, is broken: it {done}"
            )));
            return Ok(None);
        };
        if let Some(mut reply) = pending.reply.take() {
            if reply.offset > MOST {
                reply.offset = pending.at_end(paths, &reply)?;
            }
            pending.reply = Some(reply);
        }
        Ok(Some(pending))
    }

    /// Where the exchange stands at the end of its log, or where it would be appended.
    fn at_end(&self, paths: &Paths, reply: &Reply) -> Result<u64, Error> {
        let path = match paths.inside(&reply.file) {
            Ok(path) => path,
            Err(_) => paths.ambient(),
        };
        let Some(mut log) = files::open_existing(&path)? else { return Ok(0) };
        let (expected, end) = (self.lines(reply), files::length(&path)?);
        let start = end.saturating_sub(expected.len() as u64);
        let last = files::read_range(&mut log, start, end - start).map_err(Error::read(&path))?;
        Ok(if last == expected { start } else { end })
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

    fn from_json(value: &Value, next: Turn) -> Option<Self> {
        let reply = value.get("reply").and_then(|reply| {
            let file = reply.get("file").and_then(Value::as_str).unwrap_or(AMBIENT);
            Some(Reply {
                text: reply.get("text")?.as_str()?.into(),
                at: reply.get("ts").and_then(text).unwrap_or_default(),
                log: reply.get("log").and_then(text).map(|id| EffortId::stored(&id)),
                file: file.to_owned(),
                offset: reply.get("offset").and_then(bounded).unwrap_or(u64::MAX),
            })
        });
        let turn = value.get("turn").and_then(bounded).map(Turn);
        Some(Self {
            turn: turn.filter(|&turn| turn.0 <= MOST_STATED_TURN).unwrap_or(next),
            user: value.get("user")?.as_str()?.into(),
            shown: value.get("shown").and_then(Value::as_str).map(Into::into),
            asked: value.get("ts").and_then(text).unwrap_or_default(),
            entered: value.get("entered").and_then(Value::as_u64),
            reply,
        })
    }
}
