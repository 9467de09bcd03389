//! Puts an answer together from the events of OpenAI Responses.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::llm::answer::Answer;
use crate::llm::blocks::Blocks;
use crate::llm::failure::Report;
use crate::llm::ids::Ids;
use crate::llm::limits::{ARGUMENTS, CALLS, DETAIL_ENTRIES, Excess, weight};
use crate::llm::said::Said;
use crate::llm::usage::usage_in;
use crate::llm::{Completion, Event, FinishReason, Usage};

/// An answer while it arrives.
#[derive(Debug)]
pub(crate) struct Reading {
    model: String,
    said: Said,
    /// The items by their place in the answer.
    items: BTreeMap<i64, Item>,
    /// What came of items that are not whole yet, in bytes.
    bytes: usize,
    finish: FinishReason,
    usage: Option<Usage>,
    ended: bool,
}

#[derive(Debug, Default)]
struct Item {
    /// As the server told it last; arguments that came in pieces are in it.
    value: Value,
    /// Text of it came.
    is_told: bool,
    /// Bytes of its text that were shown.
    shown: usize,
    /// Bytes of the blank line before it.
    gap: usize,
    /// Its reasoning was shown.
    is_thought_shown: bool,
    /// Its call was announced.
    is_announced: bool,
}

/// More items than any answer has.
const ITEMS: usize = CALLS + DETAIL_ENTRIES;

impl Item {
    fn kind(&self) -> &str {
        self.value["type"].as_str().unwrap_or_default()
    }

    /// What tells it from others.
    fn name(&self) -> Option<&str> {
        let id = if self.kind() == "function_call" { "call_id" } else { "id" };
        self.value[id].as_str().filter(|id| !id.is_empty())
    }
}

impl Reading {
    /// Nothing of an answer of this model.
    pub(crate) fn of(model: &str) -> Self {
        Self {
            model: model.to_owned(),
            said: Said::default(),
            items: BTreeMap::new(),
            bytes: 0,
            finish: FinishReason::Stop,
            usage: None,
            ended: false,
        }
    }

    /// The place of the item that an event is about. Some servers give no place: there it goes by the item's name,
    /// and what has none is about the newest.
    fn place(&self, part: &Value) -> i64 {
        if let Some(index) = part["output_index"].as_i64() {
            return index;
        }
        let new = &part["item"];
        let names = [&part["item_id"], &new["id"], &new["call_id"]];
        let is_named = |item: &Item| {
            let own = [&item.value["id"], &item.value["call_id"]];
            own.iter().any(|name| name.is_string() && names.contains(name))
        };
        let known = self.items.iter().find(|(_, item)| is_named(item)).map(|(index, _)| *index);
        let last = self.items.last_key_value().map(|(index, _)| *index);
        let next = last.map_or(0, |last| last + 1);
        known.unwrap_or_else(|| if new.is_object() { next } else { last.unwrap_or(0) })
    }

    fn item(&mut self, index: i64) -> &mut Item {
        let too_many = self.items.len() >= ITEMS && !self.items.contains_key(&index);
        self.said.notice(too_many, Excess::Calls);
        let index = if too_many { 0 } else { index };
        self.items.entry(index).or_default()
    }

    fn measure(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.said.notice(self.bytes > 2 * ARGUMENTS, Excess::Arguments);
    }

    /// Takes an item as it stands now: empty at its beginning, whole at its end.
    fn take_item(&mut self, index: i64, value: &Value, is_whole: bool, out: &mut Vec<Event>) {
        let Some(value) = value.as_object().filter(|value| !value.is_empty()) else { return };
        let value = Value::Object(value.clone());
        self.measure(weight(&value));
        let item = self.item(index);
        item.value = value;
        if is_whole {
            self.show_rest(index, out);
        }
        let item = self.item(index);
        let name = item.value["name"].as_str().unwrap_or_default().to_owned();
        if item.kind() == "function_call" && !item.is_announced && !name.is_empty() {
            item.is_announced = true;
            out.push(Event::ToolCallStarted { name });
        }
    }

    /// Shows what no delta told of an item.
    fn show_rest(&mut self, index: i64, out: &mut Vec<Event>) {
        let item = self.item(index);
        let text = match item.kind() {
            "message" => {
                let content = &item.value["content"];
                let text = texts(content, &["text", "refusal"], "");
                let refusal = texts(content, &["refusal"], "");
                self.said.note_refusal(&refusal);
                text
            }
            "reasoning" if !item.is_thought_shown => {
                let text = texts(&item.value["summary"], &["text"], PARAGRAPHS);
                item.is_thought_shown = true;
                return self.said.push_reasoning(&text, out);
            }
            _ => return,
        };
        if !self.item(index).is_told {
            self.show_text(index, &text, out);
        }
    }

    fn show_text(&mut self, index: i64, delta: &str, out: &mut Vec<Event>) {
        // Each message of an answer is a paragraph of its own.
        let is_told = std::mem::replace(&mut self.item(index).is_told, true);
        if !is_told {
            let gap = self.said.begin_paragraph(delta, out);
            self.item(index).gap += gap;
        }
        let before = self.said.text.len();
        self.said.push_text(delta, out);
        let more = self.said.text.len() - before;
        let item = self.item(index);
        item.shown += more;
        if item.value.is_null() {
            item.value = json!({"type": "message"});
        }
    }

    fn show_thought(&mut self, index: i64, delta: &str, out: &mut Vec<Event>) {
        self.item(index).is_thought_shown = true;
        self.said.push_reasoning(delta, out);
    }

    /// A summary comes in paragraphs.
    fn part_thought(&mut self, out: &mut Vec<Event>) {
        if !self.said.reasoning.is_empty() {
            self.said.push_reasoning("\n\n", out);
        }
    }

    /// Adds a piece of a call's arguments, or puts the whole in their place.
    fn argue(&mut self, index: i64, more: &str, is_whole: bool) {
        self.measure(more.len());
        let item = self.item(index);
        if !item.value.is_object() {
            item.value = json!({"type": "function_call"});
        }
        match &mut item.value["arguments"] {
            Value::String(arguments) if !is_whole => arguments.push_str(more),
            place => *place = json!(more),
        }
    }

    /// Takes the whole response, which ends the stream.
    fn end(&mut self, response: &Value, out: &mut Vec<Event>) {
        self.ended = true;
        self.usage = usage_in(response).or(self.usage);
        let why = response["incomplete_details"]["reason"].as_str();
        self.finish = match why {
            Some("max_output_tokens") => FinishReason::Length,
            Some(reason) => FinishReason::from_word(reason),
            None if response["status"] == "incomplete" => FinishReason::Length,
            None => FinishReason::Stop,
        };
        for (index, value) in (0..).zip(response["output"].as_array().into_iter().flatten()) {
            let told = Item { value: value.clone(), ..Item::default() };
            let is_known = |item: &Item| item.name().is_some_and(|name| Some(name) == told.name());
            if !self.items.values().any(is_known) && !self.is_same_place(index, &told) {
                let free = self.items.last_key_value().map_or(0, |(last, _)| last + 1);
                self.take_item(free, value, true, out);
            }
        }
    }

    /// Whether an item of the same kind stands at this place already; some go-betweens name it anew.
    fn is_same_place(&self, index: i64, told: &Item) -> bool {
        self.items.get(&index).is_some_and(|item| item.kind() == told.kind())
    }

    fn take_calls(&mut self) {
        for (index, item) in self.items.iter().filter(|(_, item)| item.kind() == "function_call") {
            let call = json!({
                "index": index, "id": item.value["call_id"],
                "function": {"name": item.value["name"], "arguments": item.value["arguments"]},
            });
            // What passed a bound was refused, and what there is was announced, when it came.
            self.said.push_call(&call, &mut Vec::new());
        }
    }
}

/// What stands between the parts of a summary.
const PARAGRAPHS: &str = "\n\n";

/// The texts of a list of parts.
fn texts(parts: &Value, keys: &[&str], between: &str) -> String {
    let text = |part: &Value| {
        keys.iter().find_map(|key| part[key].as_str()).unwrap_or_default().to_owned()
    };
    let parts: Vec<String> = parts.as_array().into_iter().flatten().map(text).collect();
    parts.join(between)
}

/// Whether a server that stores nothing knows the item again.
fn is_sealed(item: &Value) -> bool {
    item["encrypted_content"].as_str().is_some_and(|seal| !seal.is_empty())
}

/// A sealed item without what a request may not hold.
fn as_input(item: &Value) -> Value {
    let kept = ["type", "id", "summary", "content", "encrypted_content"];
    let item = item.as_object().into_iter().flatten();
    let kept = item.filter(|(key, value)| kept.contains(&key.as_str()) && !value.is_null());
    let mut item: Map<String, Value> =
        kept.map(|(key, value)| (key.clone(), value.clone())).collect();
    item.entry("summary").or_insert_with(|| json!([]));
    Value::Object(item)
}

impl Answer for Reading {
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess> {
        let index = self.place(part);
        let delta = part["delta"].as_str().unwrap_or_default();
        match part["type"].as_str().unwrap_or_default() {
            "response.output_item.added" => self.take_item(index, &part["item"], false, out),
            "response.output_item.done" => self.take_item(index, &part["item"], true, out),
            "response.output_text.delta" => self.show_text(index, delta, out),
            "response.refusal.delta" => {
                self.said.note_refusal(delta);
                self.show_text(index, delta, out);
            }
            "response.reasoning_summary_part.added" => self.part_thought(out),
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                self.show_thought(index, delta, out);
            }
            "response.function_call_arguments.delta" => self.argue(index, delta, false),
            "response.function_call_arguments.done" => {
                if let Some(arguments) = part["arguments"].as_str() {
                    self.argue(index, arguments, true);
                }
            }
            "response.completed" | "response.incomplete" | "response.done" => {
                self.end(&part["response"], out);
            }
            _ if part["object"] == "response" && part["output"].is_array() => self.end(part, out),
            _ => {}
        }
        self.said.check()
    }

    fn is_whole(&self, body: &Value) -> bool {
        body["object"] == "response" && body["output"].is_array()
    }

    fn failure(&self, part: &Value) -> Option<Report> {
        match part["type"].as_str() {
            Some("response.failed") => {
                let error = part.pointer("/response/error").filter(|error| !error.is_null());
                let unnamed = json!({"message": "the server gave up on the answer"});
                Some(Report::of_value(error.unwrap_or(&unnamed)))
            }
            Some("error") | None => Report::in_success(part),
            Some(_) => None,
        }
    }

    fn said(&mut self) -> &mut Said {
        &mut self.said
    }

    fn text_key(&self) -> &'static str {
        "delta"
    }

    fn close(&mut self, out: &mut Vec<Event>) {
        let held = self.said.close_text(out);
        let last = self.items.values_mut().rev().find(|item| item.kind() == "message");
        if let Some(last) = last {
            last.shown += held;
        }
    }

    fn progress(&self) -> usize {
        self.said.bytes() + self.bytes
    }

    fn has_finished(&self) -> bool {
        self.ended
    }

    fn has_ended(&self) -> bool {
        self.ended
    }

    fn has_content(&mut self) -> bool {
        !self.said.is_empty() || self.items.values().any(|item| item.kind() == "function_call")
    }

    fn complete(mut self: Box<Self>, ids: &mut Ids) -> Completion {
        self.take_calls();
        let mut blocks = Blocks::default();
        for item in self.items.values() {
            match item.kind() {
                "message" => {
                    blocks.push_gap(item.gap);
                    blocks.push_text(item.shown);
                }
                "function_call" => {
                    blocks.push_call(item.value["call_id"].as_str().unwrap_or_default());
                }
                // Without its seal it is known only to a server that stores it.
                "reasoning" if is_sealed(&item.value) => {
                    // The bounds were kept while it came.
                    let _ = blocks.push_sealed(&as_input(&item.value));
                }
                _ => {}
            }
        }
        let replay = blocks.replay(&self.model);
        Completion { replay, ..self.said.complete(self.finish, self.usage, ids) }
    }
}
