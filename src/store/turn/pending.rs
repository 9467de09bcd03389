//! `pending.json`: the turn under way.
//!
//! It holds the user's words before the first request, and the reply before it is logged, a line each, so that a
//! kill at any instant costs neither. The last line that can be read is what counts: a torn one was never
//! promised. While the reply arrives its parts are added, a line each, which a kill leaves and a cut of power may take:
//! what had arrived of a reply that was never complete is readable afterwards. Once the turn is counted or stopped the
//! file is empty; its name stays as long as the session is open, so that a turn asks the disk for no name.
//!
//! The words tell the place where the exchange is expected to be logged. Where it is logged there, the log is
//! the reply's safe place, and the reply's own line is for the end of the process only: when a cut of power took
//! it, the exchange is found in the log. Where the turn went on in another log, the line is safe first.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::memory::{EffortId, Exchange, Role, Turn};
use crate::store::disk::appender::Appender;
use crate::store::disk::files;
use crate::store::disk::paths::{AMBIENT, Paths};
use crate::store::log::{self, Parsed};
use crate::store::record::entry::MOST_STATED_TURN;
use crate::store::record::{MOST, TurnLine, bounded, object, text};
use crate::store::{Error, LoggedMessage, Problem};

/// The field of a line that holds a part of the reply.
const ARRIVED: &str = "arrived";

/// The turn under way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Pending {
    /// Its number, if it ends well.
    pub(crate) turn: Turn,
    /// The user's message, as typed.
    pub(crate) user: Arc<str>,
    /// What the window holds in its place, if it is held by reference.
    pub(crate) shown: Option<Arc<str>>,
    /// When it was sent.
    pub(crate) asked: String,
    /// Its number, if it was entered as a draft.
    pub(crate) entered: Option<u64>,
    /// The model that is asked, if known.
    pub(crate) model: Option<String>,
    /// Where the exchange is expected to be logged.
    pub(crate) place: Option<Place>,
    /// The reply, once it is complete.
    pub(crate) reply: Option<Reply>,
    /// What had arrived of it before.
    pub(crate) arrived: String,
}

/// A complete reply and where the exchange is logged.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reply {
    /// The model's final words.
    pub(crate) text: Arc<str>,
    /// How they ended, if they are not whole, in the word of the server.
    pub(crate) finish: Option<Arc<str>>,
    /// When they were complete.
    pub(crate) at: String,
    /// Where they are logged.
    pub(crate) place: Place,
}

/// A place in a log.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// Whose log it is; `None` for ambient.
    pub(crate) log: Option<EffortId>,
    /// The log's file, relative to the session.
    pub(crate) file: String,
    /// Where the exchange begins in it, in bytes.
    pub(crate) offset: u64,
}

impl Place {
    /// The fields that tell it.
    fn fields(&self) -> Map<String, Value> {
        let log = self.log.as_ref().map(EffortId::as_str);
        object(json!({"log": log, "file": self.file, "offset": self.offset}))
    }

    /// The line of a turn whose exchange is there.
    pub(crate) fn turn_line(&self) -> TurnLine {
        TurnLine {
            log: self.log.as_ref().map(EffortId::to_string),
            file: self.file.clone(),
            offset: Some(self.offset),
            ..TurnLine::default()
        }
    }

    /// A place without a possible position is the end of its log.
    fn from_json(value: &Value) -> Self {
        let offset = value.get("offset").and_then(bounded);
        Self {
            log: value.get("log").and_then(text).map(|id| EffortId::stored(&id)),
            file: value.get("file").and_then(Value::as_str).unwrap_or(AMBIENT).to_owned(),
            offset: offset.unwrap_or(u64::MAX),
        }
    }

    /// The log's path; `None` where the file may not be one.
    pub(crate) fn path(&self, paths: &Paths) -> Option<std::path::PathBuf> {
        // The ambient log was looked at when the session was opened.
        if self.file == AMBIENT { Some(paths.ambient()) } else { paths.inside(&self.file).ok() }
    }
}

impl Pending {
    /// Reads the record; one without words is set aside. A turn that cannot be is `next`, the one that would
    /// come now, and a place that cannot be is the end of the log: the words come first.
    pub(crate) fn read(
        paths: &Paths,
        next: Turn,
        problems: &mut Vec<Problem>,
    ) -> Result<Option<Self>, Error> {
        let path = paths.pending();
        let bytes = files::read(&path)?.unwrap_or_default();
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut parts = Vec::new();
        let parse = |line| {
            let value: Value = serde_json::from_slice(line).ok()?;
            parts.extend(value.get(ARRIVED).and_then(Value::as_str).map(str::to_owned));
            Self::from_json(&value, next)
        };
        let Some(mut pending) = bytes.split(|&byte| byte == b'\n').rev().find_map(parse) else {
            let done = paths.mend.move_aside(&path)?;
            problems.push(Problem(format!(
                "pending.json, the record of a turn under way, is broken: it {done}"
            )));
            return Ok(None);
        };
        pending.arrived = parts.iter().rev().map(String::as_str).collect();
        if let Some(mut reply) = pending.reply.take() {
            if reply.place.offset > MOST {
                reply.place.offset = pending.at_end(paths, &reply)?;
            }
            pending.reply = Some(reply);
            return Ok(Some(pending));
        }
        Ok(Some(pending.as_logged(paths)?.unwrap_or(pending)))
    }

    /// Where the exchange stands at the end of its log, or where it would be appended.
    fn at_end(&self, paths: &Paths, reply: &Reply) -> Result<u64, Error> {
        let path = reply.place.path(paths).unwrap_or_else(|| paths.ambient());
        let Some(mut log) = files::open_existing(&path)? else { return Ok(0) };
        let (expected, end) = (self.lines(reply), files::length(&path)?);
        let start = end.saturating_sub(expected.len() as u64);
        let last = files::read_range(&mut log, start, end - start).map_err(Error::read(&path))?;
        Ok(if last == expected { start } else { end })
    }

    /// The turn with its reply, if the log has the exchange where it was expected.
    fn as_logged(&self, paths: &Paths) -> Result<Option<Self>, Error> {
        let Some(place) = self.place.as_ref().filter(|place| place.offset <= MOST) else {
            return Ok(None);
        };
        let Some(path) = place.path(paths) else { return Ok(None) };
        let Some(log) = files::open_existing(&path)? else { return Ok(None) };
        let lines = files::lines_from(log, place.offset, 2).map_err(Error::read(&path))?;
        let [user, reply] = lines.as_slice() else { return Ok(None) };
        let (Some(user), Parsed::Message(said)) = (self.words_in(user), log::parse(reply)) else {
            return Ok(None);
        };
        let (text, finish, at) = (said.content, said.finish, said.at);
        let reply = Reply { text, finish, at, place: place.clone() };
        let logged = Self { user: user.content, shown: user.shown, ..self.clone() };
        // The lines tell the turn as well.
        let is_whole = logged.lines(&reply) == lines.concat();
        Ok(is_whole.then_some(Self { reply: Some(reply), ..logged }))
    }

    /// What a line of a log holds, if it is that of the user's words.
    pub(crate) fn words_in(&self, line: &[u8]) -> Option<log::LogLine> {
        let message = log::parse(line).message()?;
        (message.role == Role::User && message.at == self.asked).then_some(message)
    }

    /// The record's line.
    fn line(&self) -> Vec<u8> {
        let reply = self.reply.as_ref().map(|reply| {
            let (text, finish) = (&*reply.text, reply.finish.as_deref());
            let mut fields = object(json!({"text": text, "finish_reason": finish, "ts": reply.at}));
            fields.extend(reply.place.fields());
            fields
        });
        let record = json!({
            "turn": self.turn.0,
            "user": &*self.user,
            "shown": self.shown.as_deref(),
            "ts": self.asked,
            "entered": self.entered,
            "model": self.model,
            "place": self.place.as_ref().map(Place::fields),
            "reply": reply,
        });
        (record.to_string() + "\n").into_bytes()
    }

    /// The exchange as it stands in the log.
    pub(crate) fn lines(&self, reply: &Reply) -> Vec<u8> {
        let exchange =
            Exchange { user: Arc::clone(&self.user), assistant: Arc::clone(&reply.text) };
        let more = (self.shown.as_deref(), reply.finish.as_deref());
        log::exchange_lines(&exchange, more, self.turn, &self.asked, &reply.at)
    }

    /// The messages of the exchange, as they are read from the log.
    pub(crate) fn messages(&self, reply: &Reply) -> Vec<LoggedMessage> {
        let message = |role, text: &Arc<str>, at: &String| {
            let (text, at, turn) = (Arc::clone(text), at.clone(), Some(self.turn));
            LoggedMessage { role, text, at, turn }
        };
        let user = message(Role::User, self.shown.as_ref().unwrap_or(&self.user), &self.asked);
        vec![user, message(Role::Assistant, &reply.text, &reply.at)]
    }

    fn from_json(value: &Value, next: Turn) -> Option<Self> {
        let reply = value.get("reply").and_then(|reply| {
            Some(Reply {
                text: reply.get("text")?.as_str()?.into(),
                finish: reply.get("finish_reason").and_then(Value::as_str).map(Into::into),
                at: reply.get("ts").and_then(text).unwrap_or_default(),
                place: Place::from_json(reply),
            })
        });
        let turn = value.get("turn").and_then(bounded).map(Turn);
        Some(Self {
            turn: turn.filter(|&turn| turn.0 <= MOST_STATED_TURN).unwrap_or(next),
            user: value.get("user")?.as_str()?.into(),
            shown: value.get("shown").and_then(Value::as_str).map(Into::into),
            asked: value.get("ts").and_then(text).unwrap_or_default(),
            entered: value.get("entered").and_then(Value::as_u64),
            model: value.get("model").and_then(text),
            place: value.get("place").filter(|place| place.is_object()).map(Place::from_json),
            reply,
            arrived: String::new(),
        })
    }
}

/// The file, open for writing once a turn began.
#[derive(Debug, Default)]
pub(crate) struct PendingFile {
    file: Option<Appender>,
    /// Bytes of the words' line.
    words: u64,
}

impl PendingFile {
    /// Adds the words of a turn, for good. What it still holds stays before them: a turn whose end could not be
    /// written has its words nowhere else, and these may find no room either.
    pub(crate) fn begin(&mut self, paths: &Paths, pending: &Pending) -> Result<(), Error> {
        let file = self.opened(paths)?;
        file.append(&pending.line())?;
        file.sync()?;
        self.words = file.len()?;
        Ok(())
    }

    /// Adds a part of the reply that has arrived.
    pub(crate) fn add_arrived(&mut self, paths: &Paths, part: &str) -> Result<(), Error> {
        let line = json!({ ARRIVED: part }).to_string() + "\n";
        self.opened(paths)?.append(line.as_bytes()).map(drop)
    }

    /// Adds the reply to the words.
    pub(crate) fn add_reply(&mut self, paths: &Paths, pending: &Pending) -> Result<(), Error> {
        self.opened(paths)?.append(&pending.line()).map(drop)
    }

    /// The same, for good.
    pub(crate) fn add_reply_for_good(
        &mut self,
        paths: &Paths,
        pending: &Pending,
    ) -> Result<(), Error> {
        self.add_reply(paths, pending)?;
        self.opened(paths)?.sync()
    }

    /// Takes the reply back, for good.
    pub(crate) fn take_back(&mut self, paths: &Paths) -> Result<(), Error> {
        let words = self.words;
        let file = self.opened(paths)?;
        file.cut(words)?;
        file.sync()
    }

    /// The turn is over.
    pub(crate) fn clear(&mut self, paths: &Paths) -> Result<(), Error> {
        self.words = 0;
        match &mut self.file {
            Some(file) => file.cut(0),
            None => files::remove(&paths.pending()),
        }
    }

    /// Writes it again, if it has no name any more.
    pub(crate) fn write_again(&mut self) -> Result<(), Error> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_again().map(drop))
    }

    fn opened(&mut self, paths: &Paths) -> Result<&mut Appender, Error> {
        let file = match self.file.take() {
            Some(file) => file,
            // Opening the session has read it; only whole lines are left.
            None => Appender::open(&paths.pending(), &paths.disk, &mut Vec::new())?,
        };
        Ok(self.file.insert(file))
    }
}
