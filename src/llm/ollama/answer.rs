//! Puts an answer together from the lines of Ollama's protocol.

use serde_json::{Value, json};

use crate::llm::answer::Answer;
use crate::llm::failure::Report;
use crate::llm::ids::Ids;
use crate::llm::limits::Excess;
use crate::llm::said::Said;
use crate::llm::usage::usage_in;
use crate::llm::{Completion, Event, FinishReason, Usage};

/// The field that holds the reasoning, and in which it goes back.
pub(super) const THINKING: &str = "thinking";

/// An answer while it arrives.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    said: Said,
    /// The calls so far: each comes whole, and not every server numbers them.
    called: usize,
    finish: FinishReason,
    usage: Option<Usage>,
    ended: bool,
}

impl Reading {
    fn push_call(&mut self, call: &Value, out: &mut Vec<Event>) {
        let call = json!({
            "index": self.called, "id": call["id"],
            "function": {"name": call["function"]["name"], "arguments": call["function"]["arguments"]},
        });
        self.called += 1;
        self.said.push_call(&call, out);
    }
}

impl Answer for Reading {
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        let message = &part["message"];
        if let Some(thinking) = message[THINKING].as_str() {
            self.said.push_reasoning(thinking, out);
        }
        if let Some(content) = message["content"].as_str() {
            self.said.push_text(content, out);
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            self.push_call(call, out);
        }
        if part["done"] == true {
            self.ended = true;
            self.finish = FinishReason::from_word(part["done_reason"].as_str().unwrap_or("stop"));
            self.usage = usage_in(part);
        }
        self.said.check()
    }

    fn is_whole(&self, body: &Value) -> bool {
        body["done"] == true
    }

    fn failure(&self, part: &Value) -> Option<Report> {
        let error = part.get("error").filter(|error| !error.is_null());
        error.map(|_| Report::of_value(part))
    }

    fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    fn text_key(&self) -> &'static str {
        "content"
    }

    fn progress(&self) -> usize {
        self.said.bytes()
    }

    fn has_finished(&self) -> bool {
        self.ended
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion {
        let mut answer = self.said.complete(self.finish, self.usage, ids);
        if !answer.reasoning.is_empty() {
            answer.replay.insert(THINKING.to_owned(), json!(answer.reasoning));
        }
        answer
    }
}
