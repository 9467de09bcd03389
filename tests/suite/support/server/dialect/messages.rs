//! Anthropic Messages.

use serde_json::{Value, json};

use super::{Chat, Dialect, Told, chat_call, chat_tool, check_fields, counted};
use crate::support::server::Received;

pub(super) struct Messages;

/// What the model thinks before it calls, and how the server signs it.
const THOUGHT: &str = "A tool knows.";

fn signed(thought: &str) -> String {
    format!("signed:{thought}")
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Dialect for Messages {
    fn violations(&self, request: &Received) -> Vec<String> {
        let mut found = Vec::new();
        if request.header("anthropic-version") != Some("2023-06-01") {
            found.push("anthropic-version: header is required".to_owned());
        }
        let body = &request.body;
        let known = [
            "model",
            "max_tokens",
            "system",
            "messages",
            "tools",
            "tool_choice",
            "stream",
            "thinking",
            "output_config",
            "temperature",
        ];
        check_fields("body", body, &known, &mut found);
        let most = body["max_tokens"].as_u64().unwrap_or(0);
        if most == 0 {
            found.push("max_tokens: Field required".to_owned());
        }
        check_thinking(body, most, &mut found);
        check_marks(body, &mut found);
        check_turns(body, &mut found);
        for tool in list(&body["tools"]) {
            let known = ["name", "description", "input_schema", "cache_control"];
            check_fields("tools", tool, &known, &mut found);
        }
        found
    }

    fn as_chat(&self, request: &Value) -> Value {
        let mut chat = Chat::default();
        let system: Vec<&str> =
            list(&request["system"]).filter_map(|b| b["text"].as_str()).collect();
        chat.say("system", &system.join("\n"));
        for message in list(&request["messages"]) {
            for block in list(&message["content"]) {
                let role = message["role"].as_str().unwrap_or_default();
                match block["type"].as_str().unwrap_or_default() {
                    "text" => chat.say(role, block["text"].as_str().unwrap_or_default()),
                    "tool_use" => {
                        chat.call(chat_call(
                            &block["id"],
                            &block["name"],
                            &block["input"].to_string(),
                        ));
                    }
                    "tool_result" => chat.result(&block["tool_use_id"], &block["content"]),
                    _ => {}
                }
            }
        }
        let tool =
            |tool: &Value| chat_tool(&tool["name"], &tool["description"], &tool["input_schema"]);
        let tools: Vec<Value> = list(&request["tools"]).map(tool).collect();
        chat.request(&request["model"], &tools, &request["tool_choice"]["type"])
    }

    fn events(&self, told: &Told, request: &Value) -> Vec<String> {
        let (all, cached) = counted(request);
        let usage = json!({
            "input_tokens": all - cached - 3, "cache_read_input_tokens": cached,
            "cache_creation_input_tokens": 3, "output_tokens": 1,
        });
        let message = json!({"id": "msg_1", "type": "message", "role": "assistant", "content": [],
            "model": request["model"], "stop_reason": null, "usage": usage});
        let mut events =
            vec![json!({"type": "message_start", "message": message}), json!({"type": "ping"})];
        let mut index = 0;
        let mut block = |start: Value, deltas: Vec<Value>, events: &mut Vec<Value>| {
            events.push(
                json!({"type": "content_block_start", "index": index, "content_block": start}),
            );
            for delta in deltas {
                events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
            }
            events.push(json!({"type": "content_block_stop", "index": index}));
            index += 1;
        };
        if thinks(request) && !told.calls.is_empty() {
            let start = json!({"type": "thinking", "thinking": "", "signature": ""});
            let deltas = vec![
                json!({"type": "thinking_delta", "thinking": THOUGHT}),
                json!({"type": "signature_delta", "signature": signed(THOUGHT)}),
            ];
            block(start, deltas, &mut events);
        }
        if !told.texts.is_empty() {
            let delta = |text: &String| json!({"type": "text_delta", "text": text});
            let deltas = told.texts.iter().map(delta).collect();
            block(json!({"type": "text", "text": ""}), deltas, &mut events);
        }
        for call in &told.calls {
            let start = json!({"type": "tool_use", "id": call.id, "name": call.name, "input": {}});
            let middle = call.arguments.len() / 2;
            let (first, second) = call.arguments.split_at(middle);
            let delta = |part: &str| json!({"type": "input_json_delta", "partial_json": part});
            block(start, vec![delta(first), delta(second)], &mut events);
        }
        if let Some(finish) = &told.finish {
            let reason = match &**finish {
                "stop" => "end_turn",
                "tool_calls" => "tool_use",
                "length" => "max_tokens",
                other => other,
            };
            let usage = json!({"output_tokens": 10});
            let delta = json!({"stop_reason": reason, "stop_sequence": null});
            events.push(json!({"type": "message_delta", "delta": delta, "usage": usage}));
            events.push(json!({"type": "message_stop"}));
        } else {
            events.pop();
        }
        let event = |event: Value| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        };
        events.into_iter().map(event).collect()
    }

    fn refusal(&self, message: &str) -> String {
        let error = json!({"type": "invalid_request_error", "message": message});
        json!({"type": "error", "error": error}).to_string()
    }
}

fn thinks(body: &Value) -> bool {
    ["adaptive", "enabled"].iter().any(|kind| body["thinking"]["type"] == **kind)
}

fn check_thinking(body: &Value, most: u64, found: &mut Vec<String>) {
    if !thinks(body) {
        return;
    }
    let budget = body["thinking"]["budget_tokens"].as_u64();
    if body["thinking"]["type"] == "enabled"
        && budget.is_none_or(|budget| budget < 1024 || budget >= most)
    {
        found.push(
            "thinking.budget_tokens: must be at least 1024 and less than max_tokens".to_owned(),
        );
    }
    if body.get("temperature").is_some() {
        found.push("`temperature` may only be set to 1 when thinking is enabled".to_owned());
    }
    if ["any", "tool"].iter().any(|choice| body["tool_choice"]["type"] == **choice) {
        found.push("Thinking may not be enabled when tool_choice forces tool use.".to_owned());
    }
    // Only what follows the last words of the user belongs to the turn.
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let has_text = |message: &&Value| {
        message["role"] == "user" && list(&message["content"]).any(|block| block["type"] == "text")
    };
    let turn = messages.iter().rposition(|message| has_text(&message)).unwrap_or(0);
    for message in &messages[turn..] {
        let calls = list(&message["content"]).any(|block| block["type"] == "tool_use");
        let first = message["content"][0]["type"].as_str().unwrap_or_default();
        if calls && !first.contains("thinking") {
            found.push(
                "Expected `thinking` or `redacted_thinking`, but found `tool_use`".to_owned(),
            );
        }
    }
}

fn check_marks(body: &Value, found: &mut Vec<String>) {
    let blocks = list(&body["messages"]).flat_map(|message| list(&message["content"]));
    let all = list(&body["tools"]).chain(list(&body["system"])).chain(blocks);
    let marked: Vec<&Value> = all.filter(|block| block.get("cache_control").is_some()).collect();
    if marked.len() > 4 {
        found.push(format!(
            "A maximum of 4 blocks with cache_control may be provided. Found {}.",
            marked.len()
        ));
    }
    let mut is_short = false;
    for block in marked {
        let mark = &block["cache_control"];
        let is_hour = *mark == json!({"type": "ephemeral", "ttl": "1h"});
        let is_known = is_hour || *mark == json!({"type": "ephemeral"});
        // What is kept longer stands before what is kept for some minutes.
        if !is_known || is_hour && is_short || block["type"] == "thinking" {
            found.push(format!("cache_control: not accepted in {block}"));
        }
        is_short |= !is_hour;
    }
}

fn check_turns(body: &Value, found: &mut Vec<String>) {
    let messages = body["messages"].as_array().map_or(&[][..], Vec::as_slice);
    let mut open: Vec<&Value> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let expected = if at % 2 == 0 { "user" } else { "assistant" };
        if message["role"] != expected {
            found.push(format!("messages.{at}: role must be {expected}"));
        }
        let blocks: Vec<&Value> = list(&message["content"]).collect();
        if blocks.is_empty() {
            found.push(format!("messages.{at}: content must not be empty"));
        }
        let results = blocks.iter().take_while(|block| block["type"] == "tool_result");
        let results: Vec<&Value> = results.map(|block| &block["tool_use_id"]).collect();
        if results != open {
            found.push(format!(
                "messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: {open:?}"
            ));
        }
        let calls = blocks.iter().filter(|block| block["type"] == "tool_use");
        open = calls.map(|block| &block["id"]).collect();
        for block in blocks {
            check_block(at, block, found);
        }
    }
}

fn check_block(at: usize, block: &Value, found: &mut Vec<String>) {
    let known: &[&str] = match block["type"].as_str().unwrap_or_default() {
        "text" => &["type", "text", "cache_control"],
        "thinking" => &["type", "thinking", "signature"],
        "tool_use" => &["type", "id", "name", "input", "cache_control"],
        "tool_result" => &["type", "tool_use_id", "content", "is_error", "cache_control"],
        other => {
            found.push(format!("messages.{at}: unknown block {other:?}"));
            return;
        }
    };
    check_fields(&format!("messages.{at}"), block, known, found);
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    if block["type"] == "text" && text("text").trim().is_empty() {
        found.push(format!("messages.{at}: text content blocks must contain non-whitespace text"));
    }
    if block["type"] == "thinking" && text("signature") != signed(text("thinking")) {
        found.push(format!("messages.{at}: Invalid `signature` in `thinking` block"));
    }
    if block["type"] == "tool_use" && !block["input"].is_object() {
        found.push(format!("messages.{at}: input must be an object"));
    }
}
