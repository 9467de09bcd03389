//! Puts an answer together from the chunks of its stream.
//!
//! Every field may be absent, null, or of another type than documented; only too much of anything fails.
//! Text is emitted as it comes, and what a later chunk could still change is held back.

use serde_json::{Map, Value};

use super::reasoning::Reasoning;
use crate::llm::answer::Answer;
use crate::llm::failure::Report;
use crate::llm::ids::Ids;
use crate::llm::limits::{self, Excess};
use crate::llm::said::Said;
use crate::llm::usage::{is_zero, usage_in};
use crate::llm::{Completion, Event, FinishReason, Usage};

/// An answer while it arrives.
#[derive(Debug, Default)]
pub(crate) struct Accumulator {
    said: Said,
    reasoning: Reasoning,
    finish: Option<FinishReason>,
    /// The server gave an error as the reason of the end.
    failed: bool,
    usage: Option<Usage>,
    /// The stream's end mark came.
    ended: bool,
}

impl Answer for Accumulator {
    fn push(&mut self, chunk: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        let told = usage_in(chunk).filter(|usage| self.usage.is_none() || !is_zero(*usage));
        if let Some(usage) = told {
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
            let delta = part("delta").or_else(|| part("message").filter(|_| self.said.is_empty()));
            if let Some(delta) = delta {
                self.push_delta(delta, out);
            }
            self.push_finish(choice);
        }
        // Some tell with every piece what it has come to, which counts if no more comes.
        if self.finish.is_none() || self.failed {
            out.extend(told.and(self.usage).map(Event::Usage));
        }
        self.said.check()
    }

    fn take_end_mark(&mut self) {
        self.ended = true;
    }

    fn is_whole(&self, body: &Value) -> bool {
        let chunks = body.as_array().map_or(std::slice::from_ref(body), Vec::as_slice);
        chunks.iter().any(|chunk| chunk.get("choices").is_some())
    }

    fn failure(&self, part: &Value) -> Option<Report> {
        Report::in_success(part)
    }

    fn text_key(&self) -> &'static str {
        "content"
    }

    fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    fn progress(&self) -> usize {
        self.said.bytes() + self.reasoning.bytes()
    }

    fn has_finished(&self) -> bool {
        self.ended || self.finish.is_some()
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn has_failed(&self) -> bool {
        self.failed
    }

    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion {
        let replay = self.reasoning.replay();
        let finish = self.finish.unwrap_or_default();
        Completion { replay, ..self.said.complete(finish, self.usage, ids) }
    }
}

impl Accumulator {
    fn push_delta(&mut self, delta: &Map<String, Value>, out: &mut Vec<Event>) {
        if let Some(text) = self.reasoning.push(delta) {
            self.said.push_reasoning(&text, out);
        }
        if let Some(content) = delta.get("content") {
            self.push_content(content, out);
        }
        if let Some(refusal) = delta.get("refusal").and_then(Value::as_str) {
            self.push_refusal(refusal, out);
        }
        self.said.notice(self.reasoning.bytes() > limits::REASONING, Excess::Reasoning);
        self.said.push_calls(delta, out);
    }

    fn push_refusal(&mut self, text: &str, out: &mut Vec<Event>) {
        self.said.note_refusal(text);
        self.said.push_text(text, out);
    }

    /// Reads content, which is a text or a list of parts.
    fn push_content(&mut self, content: &Value, out: &mut Vec<Event>) {
        match content {
            Value::String(text) => self.said.push_text(text, out),
            Value::Array(parts) => {
                for part in parts {
                    self.push_content(part, out);
                }
            }
            Value::Object(part) => {
                for key in ["thinking", "reasoning"] {
                    let text = part.get(key).map(plain_text).unwrap_or_default();
                    self.said.push_reasoning(&text, out);
                }
                let text = |key| part.get(key).and_then(Value::as_str).unwrap_or_default();
                self.said.push_text(text("text"), out);
                self.push_refusal(text("refusal"), out);
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
