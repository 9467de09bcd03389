//! From the bytes of a response body to events: chooses the form by the body, not by its headers.
//!
//! The texts in its errors are as the server sent them; who shows them makes them fit to show.

use serde_json::Value;

use super::answer::Answer;
use super::error::StatusKind;
use super::failure::Report;
use super::ids::Ids;
use super::limits::{ANSWER, Excess, HEAD, PIECE};

use super::sse::{SseEvent, SseParser};
use super::surrogate::SurrogateRepair;
use super::usage::{is_zero, usage_in};
use super::wait::wait_in_words;
use super::{Completion, Error, Event, protocol};
use crate::providers::Protocol;

/// How a connection ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// In order: the server had no more to send.
    InOrder,
    /// It broke off.
    Broken,
}

/// Reads a body of Chat Completions that was recorded, in these pieces. Whatever the pieces are, the events come to the same
/// texts, and the result is the same.
pub fn replay<'a>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
    ended: Ended,
) -> (Vec<Event>, Result<Completion, Error>) {
    replay_as(Protocol::Chat, pieces, ended)
}

/// Reads a body of any protocol that was recorded, as [`replay`] does.
pub fn replay_as<'a>(
    protocol: Protocol,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    ended: Ended,
) -> (Vec<Event>, Result<Completion, Error>) {
    let mut decoder = Decoder::new("the recording", Ids::seeded(0), protocol, "");
    let mut events = Vec::new();
    for piece in pieces {
        if let Err(error) = decoder.feed(piece, &mut events) {
            return (events, Err(error));
        }
        if decoder.is_done() {
            break;
        }
    }
    let result = decoder.finish(ended == Ended::InOrder, &mut events);
    (events, result)
}

/// Reads one response body as it arrives.
#[derive(Debug)]
pub(crate) struct Decoder {
    address: String,
    ids: Ids,
    form: Form,
    head: Vec<u8>,
    repair: SurrogateRepair,
    answer: Box<dyn Answer>,
    /// The error that the server reported; of what follows only the usage counts.
    failed: Option<Error>,
    /// The usage came after it.
    is_told: bool,
    protocol: Protocol,
    /// The one in which the answer comes, as far as its parts tell.
    spoken: Option<Protocol>,
    /// Bytes that came.
    read: usize,
    /// Anything but comments and empty lines.
    payloads: u64,
    comments: u64,
}

#[derive(Debug)]
enum Form {
    /// Nothing but white space so far.
    Unknown,
    /// Server-sent events.
    Stream(SseParser),
    /// One JSON text.
    Document(Vec<u8>),
}

impl Decoder {
    /// A decoder for the answer to a request for `model`, from `address`.
    pub(crate) fn new(address: &str, ids: Ids, protocol: Protocol, model: &str) -> Self {
        Self {
            address: address.to_owned(),
            ids,
            form: Form::Unknown,
            head: Vec::new(),
            repair: SurrogateRepair::default(),
            answer: protocol::answer(protocol, model),
            failed: None,
            is_told: false,
            protocol,
            spoken: None,
            read: 0,
            payloads: 0,
            comments: 0,
        }
    }

    /// Takes the next bytes and appends the events that they complete, also before a failure.
    ///
    /// # Errors
    /// Fails when the server reports an error, or sends what cannot be read.
    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), Error> {
        let result = self.try_feed(bytes, out);
        if result.is_err() {
            self.close(out);
        }
        result
    }

    /// Emits what is held back in the hope of more.
    pub(crate) fn close(&mut self, out: &mut Vec<Event>) {
        if self.repair.is_waiting(self.answer.text_key()) {
            self.answer.said().push_text("\u{fffd}", out);
        }
        self.answer.close(out);
    }

    /// Whether the server said that nothing follows.
    pub(crate) fn is_done(&self) -> bool {
        self.answer.has_ended() || self.is_told
    }

    /// Whether the answer is complete, or failed, though more may follow (its usage, for example).
    pub(crate) fn has_finished(&self) -> bool {
        self.failed.is_some() || self.answer.has_finished()
    }

    /// How much of the answer came, in bytes; what says nothing does not count.
    pub(crate) fn progress(&self) -> usize {
        let document = if let Form::Document(document) = &self.form { document.len() } else { 0 };
        document + self.answer.progress()
    }

    /// Ends the body; `whole` says whether the connection ended in order.
    ///
    /// # Errors
    /// Fails when the answer is cut off, empty or unreadable.
    pub(crate) fn finish(mut self, whole: bool, out: &mut Vec<Event>) -> Result<Completion, Error> {
        let result = self.read_rest(whole, out);
        self.close(out);
        result?;
        if let Some(error) = self.failed {
            return Err(error);
        }
        if !self.answer.has_finished() {
            return Err(self.unfinished(whole));
        }
        let address = self.address;
        if self.answer.has_failed() {
            let message = "it did not say what went wrong".to_owned();
            let kind = StatusKind::Server;
            return Err(Error::MidStream { address, message, kind, takes: None });
        }
        let completion = self.answer.complete(&mut self.ids);
        if completion.is_nothing() {
            return Err(Error::Empty { address, usage: completion.usage, is_ended: true });
        }
        Ok(completion)
    }

    /// Why there is no whole answer at the end of the body.
    fn unfinished(&mut self, whole: bool) -> Error {
        if let Some(foreign) = self.foreign() {
            return foreign;
        }
        let (address, head) = (self.address.clone(), String::from_utf8_lossy(&self.head));
        let start = head.trim();
        let is_page = start.starts_with('<');
        if (self.payloads > 0 || !whole) && !is_page {
            return Error::Cut { address };
        }
        let nothing = start.is_empty() || self.comments > 0 || start.starts_with("data:");
        if nothing && !is_page {
            return Error::Empty { address, usage: None, is_ended: false };
        }
        Error::Unreadable { address, detail: head.into_owned() }
    }

    /// The failure of a server that answers in another protocol, if that is what it does.
    fn foreign(&mut self) -> Option<Error> {
        let spoken = self.spoken.filter(|spoken| *spoken != self.protocol)?;
        let (address, asked) = (self.address.clone(), self.protocol);
        (!self.answer.has_content()).then_some(Error::Foreign { address, asked, spoken })
    }

    fn try_feed(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), Error> {
        let room = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..room]);
        self.read += bytes.len();
        if self.read > ANSWER {
            return Err(self.too_large(Excess::Answer));
        }
        let bytes = match self.form {
            Form::Unknown => {
                let bytes = bytes.trim_ascii_start();
                if bytes.starts_with(GZIP) {
                    let (address, encoding) = (self.address.clone(), "gzip".to_owned());
                    return Err(Error::Compressed { address, encoding });
                }
                match bytes.first() {
                    None => return Ok(()),
                    Some(b'{' | b'[') if !protocol::is_by_line(self.protocol) => {
                        self.form = Form::Document(Vec::new());
                    }
                    Some(_) => self.form = Form::Stream(SseParser::default()),
                }
                bytes
            }
            Form::Stream(_) | Form::Document(_) => bytes,
        };
        match &mut self.form {
            Form::Document(document) if document.len() + bytes.len() > PIECE => {
                Err(self.too_large(Excess::Piece))
            }
            Form::Document(document) => {
                document.extend_from_slice(bytes);
                Ok(())
            }
            Form::Stream(parser) => {
                let mut events = Vec::new();
                let result = parser.feed(bytes, &mut events);
                self.take_events(events, out)?;
                result.map_err(|excess| self.too_large(excess))
            }
            Form::Unknown => Ok(()),
        }
    }

    fn read_rest(&mut self, whole: bool, out: &mut Vec<Event>) -> Result<(), Error> {
        match std::mem::replace(&mut self.form, Form::Unknown) {
            Form::Unknown => Ok(()),
            Form::Stream(_) if self.is_done() => Ok(()),
            Form::Stream(parser) => {
                self.comments = parser.comments();
                let mut events = Vec::new();
                parser.finish(&mut events);
                // A last line without an end may itself be cut; then it says nothing.
                events.retain(|event| match event {
                    SseEvent::Data(data) => {
                        !data.starts_with(['{', '[']) || is_json(data) || is_end_mark(data)
                    }
                    SseEvent::Error(_) => true,
                });
                self.take_events(events, out)
            }
            Form::Document(document) => self.read_document(&document, whole, out),
        }
    }

    fn read_document(
        &mut self,
        document: &[u8],
        whole: bool,
        out: &mut Vec<Event>,
    ) -> Result<(), Error> {
        self.payloads += 1;
        let text = String::from_utf8_lossy(document);
        let address = self.address.clone();
        let value: Value = match serde_json::from_str(&self.repair.repair(text.trim())) {
            Ok(value) => value,
            Err(error) if error.is_eof() || !whole => return Err(Error::Cut { address }),
            Err(_) => {
                // A stream of lines, where none was expected.
                let first = text.lines().find_map(|line| serde_json::from_str(line).ok());
                self.listen(&first.unwrap_or_default());
                return Err(self.foreign().unwrap_or_else(|| self.unreadable(&text)));
            }
        };
        if self.has_reported(&value, out) {
            return Ok(());
        }
        if !self.answer.is_whole(&value) {
            self.listen(&value);
            return Err(self.foreign().unwrap_or_else(|| self.unreadable(&text)));
        }
        let chunks = value.as_array().map_or(std::slice::from_ref(&value), Vec::as_slice);
        for chunk in chunks {
            self.answer.push(chunk, out).map_err(|excess| self.too_large(excess))?;
        }
        self.answer.take_end_mark();
        Ok(())
    }

    fn take_events(&mut self, events: Vec<SseEvent>, out: &mut Vec<Event>) -> Result<(), Error> {
        for event in events {
            if self.is_done() {
                return Ok(());
            }
            self.payloads += 1;
            match event {
                SseEvent::Data(data) if is_end_mark(&data) => self.answer.take_end_mark(),
                SseEvent::Data(data) => self.take_data(&data, out)?,
                SseEvent::Error(data) => self.fail(&Report::of_body(&data)),
            }
        }
        Ok(())
    }

    fn take_data(&mut self, data: &str, out: &mut Vec<Event>) -> Result<(), Error> {
        let value = serde_json::from_str::<Value>(&self.repair.repair(data));
        if self.failed.is_some() {
            self.is_told |= value.is_ok_and(|value| take_usage(&value, out));
            return Ok(());
        }
        match value {
            Ok(value) if self.has_reported(&value, out) => Ok(()),
            Ok(value) => {
                self.listen(&value);
                self.answer.push(&value, out).map_err(|excess| self.too_large(excess))
            }
            Err(_) if data.trim_start().starts_with(['{', '[']) => Err(self.unreadable(data)),
            // Words instead of JSON are some gateway's way to keep the connection alive.
            Err(_) => Ok(()),
        }
    }

    /// Notes in which protocol a part is. What is known from one that was asked for stays.
    fn listen(&mut self, part: &Value) {
        if self.spoken != Some(self.protocol) {
            self.spoken = protocol::spoken(part).or(self.spoken);
        }
    }

    /// Whether the value is, or holds, an error. What the answer took until then may stand beside it, or follow.
    fn has_reported(&mut self, value: &Value, out: &mut Vec<Event>) -> bool {
        let Some(report) = self.answer.failure(value) else { return false };
        self.is_told |= take_usage(value, out);
        self.fail(&report);
        true
    }

    /// Keeps the first error that is reported.
    fn fail(&mut self, report: &Report) {
        if self.failed.is_none() {
            self.failed = Some(self.reported(report));
            // Nothing was taken of an answer that had not begun.
            self.is_told |= !self.answer.has_content();
        }
    }

    fn reported(&mut self, report: &Report) -> Error {
        let address = self.address.clone();
        let message = report.message.clone();
        // After output nothing is repeated, and the words matter more than the number.
        let is_before = !self.answer.has_content();
        let takes = |kind| report.takes.filter(|_| is_before && kind == StatusKind::TooLong);
        if let Some(status) = report.status.or_else(|| report.named_status()).filter(|_| is_before)
        {
            let kind = report.kind(status);
            let (retry_after, takes) = (wait_in_words(&message), takes(kind));
            return Error::Status { address, status, message, retry_after, kind, takes };
        }
        let kind = report.kind_in_stream();
        Error::MidStream { address, message, kind, takes: takes(kind) }
    }

    fn unreadable(&mut self, text: &str) -> Error {
        let head = String::from_utf8_lossy(&self.head);
        // A line of a page says less than its title.
        let text = if head.trim_start().starts_with('<') { &head } else { text };
        let (address, detail) = (self.address.clone(), text.to_owned());
        // Who sent a part of an answer speaks the protocol.
        if self.answer.has_content() {
            Error::Garbled { address, detail }
        } else {
            Error::Unreadable { address, detail }
        }
    }

    fn too_large(&self, excess: Excess) -> Error {
        Error::TooLarge { address: self.address.clone(), what: excess.to_string() }
    }
}

/// Emits the usage that a value tells, if it does.
fn take_usage(value: &Value, out: &mut Vec<Event>) -> bool {
    let usage = usage_in(value).or_else(|| value.get("response").and_then(usage_in));
    let usage = usage.filter(|usage| !is_zero(*usage));
    out.extend(usage.map(Event::Usage));
    usage.is_some()
}

/// What a body begins with that was compressed without a word.
const GZIP: &[u8] = &[0x1f, 0x8b];

fn is_end_mark(data: &str) -> bool {
    data.trim() == "[DONE]"
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

#[cfg(test)]
mod tests;
