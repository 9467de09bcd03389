//! Puts an answer together from the lines of Ollama's protocol.

use serde_json::{Map, Value, json};

use crate::llm::answer::Answer;
use crate::llm::calls::Calls;
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
    calls: Calls,
    /// The calls so far: each comes whole, and not every server numbers them.
    called: usize,
    finish: FinishReason,
    usage: Option<Usage>,
    ended: bool,
}

impl Reading {
    fn push_call(&mut self, call: &Value, out: &mut Vec<Event>) {
        let call = json!([{
            "index": self.called, "id": call["id"],
            "function": {"name": call["function"]["name"], "arguments": call["function"]["arguments"]},
        }]);
        self.called += 1;
        let delta = Map::from_iter([("tool_calls".to_owned(), call)]);
        let pushed = self.calls.push(&delta, out);
        self.said.notice_of(pushed);
    }
}

impl Answer for Reading {
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        let message = &part["message"];
        if let Some(thinking) = message[THINKING].as_str() {
            self.said.push_reasoning(thinking, out);
        }
        if let Some(content) = message["content"].as_str() {
            self.push_text(content, out);
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

    fn push_text(&mut self, text: &str, out: &mut Vec<Event>) {
        self.said.push_text(text, out);
    }

    fn text_key(&self) -> &'static str {
        "content"
    }

    fn close(&mut self, out: &mut Vec<Event>) {
        self.said.close(out);
        self.calls.close(out);
    }

    fn progress(&self) -> usize {
        self.said.bytes() + self.calls.bytes()
    }

    fn has_finished(&self) -> bool {
        self.ended
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn has_content(&self) -> bool {
        !(self.said.is_empty() && self.calls.is_empty())
    }

    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion {
        let calls = self.calls.complete(ids);
        let finish = self.finish.beside(&calls);
        let (text, reasoning) = self.said.into_parts();
        let mut replay = Map::new();
        if !reasoning.is_empty() {
            replay.insert(THINKING.to_owned(), json!(reasoning));
        }
        Completion { text, reasoning, calls, replay, finish, usage: self.usage, aside: false }
    }
}
