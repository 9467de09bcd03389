//! Puts an answer together from the chunks of its stream.
//!
//! Every field may be absent, null, or of another type than documented; nothing here fails. Text is
//! emitted as it comes, and what a later chunk could still change is held back.

use serde_json::{Map, Value};

use super::calls::Calls;
use super::failure::presentable;
use super::ids::Ids;
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
}

impl Accumulator {
    /// Takes a chunk, or a whole completion, and appends the events that it causes.
    pub(crate) fn push(&mut self, chunk: &Value, out: &mut Vec<Event>) {
        if let Some(usage) = usage_in(chunk)
            && (self.usage.is_none() || !is_zero(usage))
        {
            self.usage = Some(usage);
        }
        let choices = chunk.get("choices").and_then(Value::as_array);
        for choice in choices.into_iter().flatten() {
            // Of several answers only the first is read.
            if choice.get("index").and_then(Value::as_i64).unwrap_or(0) != 0 {
                continue;
            }
            let delta = ["delta", "message"].iter().find_map(|key| choice.get(key)?.as_object());
            if let Some(delta) = delta {
                self.push_delta(delta, out);
            }
            self.push_finish(choice);
        }
    }

    /// Adds text that the chunks did not hold.
    pub(crate) fn push_text(&mut self, text: &str, out: &mut Vec<Event>) {
        for piece in self.think.feed(text) {
            self.emit(piece, out);
        }
    }

    /// Emits what was held back, because nothing follows.
    pub(crate) fn close(&mut self, out: &mut Vec<Event>) {
        if let Some(piece) = self.think.finish() {
            self.emit(piece, out);
        }
        self.calls.close(out);
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
        let explained = matches!(finish, FinishReason::Length | FinishReason::ContentFilter);
        if text.is_empty() && reasoning.is_empty() && calls.is_empty() && !explained {
            return None;
        }
        let replay = self.reasoning.replay();
        Some(Completion { text, reasoning, calls, replay, finish, usage: self.usage })
    }

    fn push_delta(&mut self, delta: &Map<String, Value>, out: &mut Vec<Event>) {
        if let Some(text) = self.reasoning.push(delta) {
            self.emit(Piece::Reasoning(text), out);
        }
        if let Some(content) = delta.get("content") {
            self.push_content(content, out);
        }
        if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
            self.push_text(refusal, out);
        }
        self.calls.push(delta, out);
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
                    self.emit(Piece::Reasoning(text), out);
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
        self.failed |= reason == "error";
        // Once cut by length, always cut: the calls may be incomplete.
        if !reason.is_empty() && self.finish != Some(FinishReason::Length) {
            self.finish = Some(finish_reason(reason));
        }
    }

    fn emit(&mut self, piece: Piece, out: &mut Vec<Event>) {
        match piece {
            Piece::Text(text) if !text.is_empty() => {
                self.text.push_str(&text);
                out.push(Event::Text(text));
            }
            Piece::Reasoning(text) if !text.is_empty() => {
                self.shown_reasoning.push_str(&text);
                out.push(Event::Reasoning(text));
            }
            Piece::Text(_) | Piece::Reasoning(_) => {}
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

fn finish_reason(word: &str) -> FinishReason {
    match word {
        "stop" | "eos" | "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_calls" | "function_call" | "tool_use" => FinishReason::ToolCalls,
        "length" | "max_tokens" => FinishReason::Length,
        "content_filter" => FinishReason::ContentFilter,
        other => FinishReason::Other(presentable(other)),
    }
}
