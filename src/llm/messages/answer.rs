//! Puts an answer together from the events of Anthropic Messages.

use serde_json::{Map, Value, json};

use crate::llm::answer::Answer;
use crate::llm::blocks::Blocks;
use crate::llm::failure::Report;
use crate::llm::ids::Ids;
use crate::llm::limits::{ARGUMENTS, CALLS, DETAIL_ENTRIES, Excess, weight};
use crate::llm::said::Said;
use crate::llm::usage::{keep_last, usage_in};
use crate::llm::{Completion, Event, FinishReason, Usage};

/// An answer while it arrives.
#[derive(Debug)]
pub(crate) struct Reading {
    model: String,
    said: Said,
    /// The blocks in the order of their beginnings.
    blocks: Vec<Block>,
    /// All that the events said of tokens.
    usage: Map<String, Value>,
    finish: Option<FinishReason>,
    /// All blocks came: the server said why it stops.
    stopped: bool,
    ended: bool,
    /// Something else came since the last text.
    apart: bool,
}

#[derive(Debug)]
struct Block {
    index: i64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// So many bytes of the text, and of the blank line before it.
    Text { bytes: usize, gap: usize },
    /// Thinking as it goes back: text and signature, or sealed.
    Thinking(Map<String, Value>),
    /// A call; its arguments, if they came with its beginning.
    Call { id: String, given: Option<Value> },
}

/// More blocks than any answer has.
const BLOCKS: usize = DETAIL_ENTRIES + 2 * CALLS;

impl Reading {
    /// Nothing of an answer of this model.
    pub(crate) fn of(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            said: Said::default(),
            blocks: Vec::new(),
            usage: Map::new(),
            finish: None,
            stopped: false,
            ended: false,
            apart: false,
        }
    }

    fn begin(&mut self, index: i64, block: &Value, out: &mut Vec<Event>) {
        if self.blocks.len() >= BLOCKS {
            return self.said.notice(true, Excess::Calls);
        }
        let of = |key: &str| block[key].as_str().unwrap_or_default();
        self.apart |= of("type") != "text";
        let kind = match of("type") {
            "text" => Kind::Text { bytes: 0, gap: 0 },
            "thinking" => Kind::Thinking(thought(of("thinking"), of("signature"))),
            "redacted_thinking" => {
                let sealed = block.as_object().cloned().unwrap_or_default();
                self.said.notice(weight(block) > ARGUMENTS, Excess::Reasoning);
                Kind::Thinking(sealed)
            }
            "tool_use" => {
                let given = block["input"].as_object().filter(|input| !input.is_empty());
                let call = json!({"id": of("id"), "function": {"name": of("name")}});
                self.push_call(index, call, out);
                Kind::Call { id: of("id").to_owned(), given: given.map(|_| block["input"].clone()) }
            }
            // What the server did with tools of its own is nothing to show or to send back.
            _ => return,
        };
        self.blocks.push(Block { index, kind });
        match of("type") {
            "text" => self.push_block_text(index, of("text"), out),
            "thinking" => self.said.push_reasoning(of("thinking"), out),
            _ => {}
        }
    }

    fn delta(&mut self, index: i64, delta: &Value, out: &mut Vec<Event>) {
        let of = |key: &str| delta[key].as_str().unwrap_or_default();
        match of("type") {
            "text_delta" => self.push_block_text(index, of("text"), out),
            "thinking_delta" => {
                self.said.push_reasoning(of("thinking"), out);
                self.extend_thought(index, "thinking", of("thinking"));
            }
            "signature_delta" => self.extend_thought(index, "signature", of("signature")),
            "input_json_delta" => {
                let arguments = of("partial_json");
                if let Some(Kind::Call { given, .. }) =
                    self.kind(index).filter(|_| !arguments.is_empty())
                {
                    *given = None;
                    self.push_call(index, json!({"function": {"arguments": arguments}}), out);
                }
            }
            _ => {}
        }
    }

    fn kind(&mut self, index: i64) -> Option<&mut Kind> {
        self.blocks.iter_mut().rev().find(|block| block.index == index).map(|block| &mut block.kind)
    }

    fn push_block_text(&mut self, index: i64, text: &str, out: &mut Vec<Event>) {
        let is_apart = !text.is_empty() && std::mem::take(&mut self.apart);
        let before = if is_apart { self.said.begin_paragraph(text, out) } else { 0 };
        let begin = self.said.text.len();
        self.said.push_text(text, out);
        self.count_text(index, self.said.text.len() - begin, before);
    }

    fn count_text(&mut self, index: i64, more: usize, before: usize) {
        if let Some(Kind::Text { bytes, gap }) = self.kind(index) {
            *bytes += more;
            *gap += before;
        } else if more > 0 {
            self.blocks.push(Block { index, kind: Kind::Text { bytes: more, gap: before } });
        }
    }

    fn extend_thought(&mut self, index: i64, key: &str, more: &str) {
        let Some(Kind::Thinking(thought)) = self.kind(index) else { return };
        let Some(Value::String(text)) = thought.get_mut(key) else { return };
        text.push_str(more);
        let too_long = text.len() > crate::llm::limits::REASONING;
        self.said.notice(too_long, Excess::Reasoning);
    }

    fn push_call(&mut self, index: i64, mut call: Value, out: &mut Vec<Event>) {
        call["index"] = json!(index);
        self.said.push_call(&call, out);
    }

    fn take_usage(&mut self, usage: &Value) {
        if let Some(usage) = usage.as_object() {
            keep_last(&mut self.usage, usage);
        }
    }

    fn usage(&self) -> Option<Usage> {
        usage_in(&json!({ "usage": self.usage }))
    }

    fn take_stop(&mut self, holder: &Value) {
        if let Some(reason) = holder["stop_reason"].as_str() {
            self.finish = Some(FinishReason::from_word(reason));
        }
    }

    /// A message that came as a whole.
    fn take_message(&mut self, message: &Value, out: &mut Vec<Event>) {
        for (index, block) in (0..).zip(message["content"].as_array().into_iter().flatten()) {
            self.begin(index, block, out);
        }
        self.take_usage(&message["usage"]);
        self.take_stop(message);
    }
}

/// Whether the server knows the thinking only by its text.
pub(super) fn is_unsigned(thought: &Map<String, Value>) -> bool {
    thought.get("signature").is_some_and(|signature| signature == "")
}

fn is_blank(thought: &Map<String, Value>) -> bool {
    thought.get("thinking").is_none_or(|text| text == "")
}

/// Thinking as it goes back.
fn thought(text: &str, signature: &str) -> Map<String, Value> {
    let thought = json!({"type": "thinking", "thinking": text, "signature": signature});
    thought.as_object().cloned().unwrap_or_default()
}

impl Answer for Reading {
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        let index = part["index"].as_i64().unwrap_or(0);
        match part["type"].as_str().unwrap_or_default() {
            "message_start" => {
                self.take_message(&part["message"], out);
                // Of the answer it tells nothing yet.
                let told = self.usage().map(|usage| Usage { completion: 0, ..usage });
                out.extend(told.map(Event::Usage));
            }
            "content_block_start" => self.begin(index, &part["content_block"], out),
            "content_block_delta" => self.delta(index, &part["delta"], out),
            "message_delta" => {
                self.take_usage(&part["usage"]);
                self.take_stop(&part["delta"]);
                self.stopped |= part["delta"]["stop_reason"].is_string();
            }
            "message_stop" => self.ended = true,
            "message" => {
                self.take_message(part, out);
                self.ended = true;
            }
            // Pings, and whatever else is added to the protocol.
            _ => {}
        }
        self.said.check()
    }

    fn is_whole(&self, body: &Value) -> bool {
        body["type"] == "message"
    }

    fn failure(&self, part: &Value) -> Option<Report> {
        let kind = part["type"].as_str();
        if kind.is_some_and(|kind| kind != "error") { None } else { Report::in_success(part) }
    }

    fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    fn text_key(&self) -> &'static str {
        "text"
    }

    fn close(&mut self, out: &mut Vec<Event>) {
        let held = self.said.close_text(out);
        self.count_text(self.blocks.last().map_or(0, |block| block.index), held, 0);
        let given = self.blocks.iter_mut().filter_map(|block| match &mut block.kind {
            Kind::Call { given, .. } => given.take().map(|given| (block.index, given)),
            _ => None,
        });
        for (index, given) in given.collect::<Vec<_>>() {
            self.push_call(index, json!({"function": {"arguments": given}}), out);
        }
        self.said.close(out);
    }

    fn progress(&self) -> usize {
        self.said.bytes() + self.blocks.len()
    }

    fn has_finished(&self) -> bool {
        self.ended || self.stopped
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion {
        let usage = self.usage();
        let mut blocks = Blocks::default();
        let is_signed =
            |block: &Block| matches!(&block.kind, Kind::Thinking(thought) if !is_unsigned(thought));
        let signs = self.blocks.iter().any(is_signed);
        for block in self.blocks {
            match block.kind {
                Kind::Text { bytes, gap } => {
                    blocks.push_gap(gap);
                    blocks.push_text(bytes);
                }
                Kind::Call { id, .. } => blocks.push_call(&id),
                // A server that signs would not take back what it did not sign; others want it as it came.
                Kind::Thinking(thought)
                    if is_unsigned(&thought) && (signs || is_blank(&thought)) => {}
                // The bounds were kept while it came.
                Kind::Thinking(thought) => {
                    let _ = blocks.push_sealed(&Value::Object(thought));
                }
            }
        }
        let replay = blocks.replay(&self.model);
        let finish = self.finish.unwrap_or_default();
        Completion { replay, ..self.said.complete(finish, usage, ids) }
    }
}
