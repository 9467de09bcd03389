//! Puts an answer together from the chunks of its stream.
//!
//! Every field may be absent, null, or of another type than documented; only too much of anything fails.
//! Text is emitted as it comes, and what a later chunk could still change is held back.

use serde_json::{Map, Value};

use super::calls::Calls;
use super::ids::Ids;
use super::limits::{self, Excess};
use super::reasoning::Reasoning;
use super::think::{Piece, ThinkSplitter, split_unopened};
use super::usage::{is_zero, usage_in};
use super::{Completion, Event, FinishReason, Usage};

/// An answer while it arrives.
#[derive(Debug, Default)]
pub(crate) struct Accumulator {
    text: String,
    shown_reasoning: String,
    think: ThinkSplitter,
    reasoning: Reasoning,
    calls: Calls,
    finish: Option<FinishReason>,
    /// The server gave an error as the reason of the end.
    failed: bool,
    usage: Option<Usage>,
    /// The first bound that was passed.
    excess: Option<Excess>,
}

impl Accumulator {
    /// Takes a chunk, or a whole completion, and appends the events that it causes.
    ///
    /// # Errors
    /// Fails when the answer grows beyond a bound; what it may hold is emitted all the same.
    pub(crate) fn push(&mut self, chunk: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        if let Some(usage) = usage_in(chunk)
            && (self.usage.is_none() || !is_zero(usage))
        {
            self.usage = Some(self.usage.map_or(usage, |earlier| usage.or(earlier)));
        }
        let choices = chunk.get("choices").and_then(Value::as_array);
        for choice in choices.into_iter().flatten() {
            // Of several answers only the first is read.
            if choice.get("index").and_then(Value::as_i64).unwrap_or(0) != 0 {
                continue;
            }
            let part =
                |key| choice.get(key).and_then(Value::as_object).filter(|part| !part.is_empty());
            // A message beside an empty delta is the whole answer, unless that came already.
            let delta = part("delta").or_else(|| part("message").filter(|_| !self.has_content()));
            if let Some(delta) = delta {
                self.push_delta(delta, out);
            }
            self.push_finish(choice);
        }
        self.excess.map_or(Ok(()), Err)
    }

    /// Adds text that the chunks did not hold.
    pub(crate) fn push_text(&mut self, text: &str, out: &mut Vec<Event>) {
        for piece in self.think.feed(text) {
            self.emit(&piece, out);
        }
    }

    /// Emits what was held back, because nothing follows.
    pub(crate) fn close(&mut self, out: &mut Vec<Event>) {
        if let Some(piece) = self.think.finish() {
            self.emit(&piece, out);
        }
        self.calls.close(out);
    }

    /// How much came of the answer, in bytes; what says nothing does not count.
    pub(crate) fn progress(&self) -> usize {
        let reasoning = self.shown_reasoning.len() + self.reasoning.bytes();
        self.text.len() + reasoning + self.calls.bytes()
    }

    /// Whether the server gave a reason for the end.
    pub(crate) fn has_finished(&self) -> bool {
        self.finish.is_some()
    }

    /// Whether the reason for the end was an error.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Whether any text, reasoning or call came.
    pub(crate) fn has_content(&self) -> bool {
        !(self.text.is_empty() && self.shown_reasoning.is_empty() && self.calls.is_empty())
    }

    /// The complete answer, or `None` when nothing is in it. Call [`Self::close`] before.
    pub(crate) fn complete(self, ids: &mut Ids) -> Option<Completion> {
        let calls = self.calls.complete(ids);
        let finish = match self.finish.unwrap_or_default() {
            // Servers contradict themselves here; what came decides.
            FinishReason::Stop if !calls.is_empty() => FinishReason::ToolCalls,
            FinishReason::ToolCalls if calls.is_empty() => FinishReason::Stop,
            other => other,
        };
        let (mut text, mut reasoning) = (self.text, self.shown_reasoning);
        if reasoning.is_empty()
            && let Some((before, after)) = split_unopened(&text)
        {
            (reasoning, text) = (before.to_owned(), after.to_owned());
        }
        let explained = !matches!(finish, FinishReason::Stop | FinishReason::ToolCalls);
        if text.is_empty() && reasoning.is_empty() && calls.is_empty() && !explained {
            return None;
        }
        let replay = self.reasoning.replay();
        Some(Completion { text, reasoning, calls, replay, finish, usage: self.usage, aside: false })
    }

    fn push_delta(&mut self, delta: &Map<String, Value>, out: &mut Vec<Event>) {
        if let Some(text) = self.reasoning.push(delta) {
            self.emit(&Piece::Reasoning(text), out);
        }
        if let Some(content) = delta.get("content") {
            self.push_content(content, out);
        }
        if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
            self.push_text(refusal, out);
        }
        if self.reasoning.bytes() > limits::REASONING {
            self.excess.get_or_insert(Excess::Reasoning);
        }
        if let Err(excess) = self.calls.push(delta, out) {
            self.excess.get_or_insert(excess);
        }
    }

    /// Reads content, which is a text or a list of parts.
    fn push_content(&mut self, content: &Value, out: &mut Vec<Event>) {
        match content {
            Value::String(text) => self.push_text(text, out),
            Value::Array(parts) => {
                for part in parts {
                    self.push_content(part, out);
                }
            }
            Value::Object(part) => {
                for key in ["thinking", "reasoning"] {
                    let text = part.get(key).map(plain_text).unwrap_or_default();
                    self.emit(&Piece::Reasoning(text), out);
                }
                for key in ["text", "refusal"] {
                    if let Some(text) = part.get(key).and_then(Value::as_str) {
                        self.push_text(text, out);
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn push_finish(&mut self, choice: &Value) {
        let reason = choice.get("finish_reason").and_then(Value::as_str).unwrap_or_default();
        self.failed |= ["error", "network_error", "insufficient_system_resource"].contains(&reason);
        // Once cut by length, always cut: the calls may be incomplete.
        if !reason.is_empty() && self.finish != Some(FinishReason::Length) {
            self.finish = Some(FinishReason::from_word(reason));
        }
    }

    /// Takes what there is room for. What comes together is shown together: an event for each letter would
    /// take a hundred times the memory.
    fn emit(&mut self, piece: &Piece, out: &mut Vec<Event>) {
        let (text, kept, most, excess) = match piece {
            Piece::Text(text) => (text, &mut self.text, limits::TEXT, Excess::Text),
            Piece::Reasoning(text) => {
                (text, &mut self.shown_reasoning, limits::REASONING, Excess::Reasoning)
            }
        };
        let taken = beginning(text, most - kept.len());
        if taken.len() < text.len() {
            self.excess.get_or_insert(excess);
        }
        kept.push_str(taken);
        match (piece, out.last_mut()) {
            _ if taken.is_empty() => {}
            (Piece::Text(_), Some(Event::Text(last)))
            | (Piece::Reasoning(_), Some(Event::Reasoning(last))) => last.push_str(taken),
            (Piece::Text(_), _) => out.push(Event::Text(taken.to_owned())),
            (Piece::Reasoning(_), _) => out.push(Event::Reasoning(taken.to_owned())),
        }
    }
}

/// The text of a value that is a string or a list of parts.
fn plain_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(plain_text).collect(),
        Value::Object(part) => part.get("text").map(plain_text).unwrap_or_default(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// As much of a text's beginning as fits.
fn beginning(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or(0)]
}
