//! OpenAI Responses.

use serde_json::{Value, json};

use super::{Chat, Dialect, Told, chat_call, chat_tool, check_fields, counted};
use crate::support::server::Received;

pub(super) struct Responses;

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Dialect for Responses {
    fn violations(&self, request: &Received) -> Vec<String> {
        let mut found = Vec::new();
        let body = &request.body;
        let known = [
            "model",
            "input",
            "tools",
            "tool_choice",
            "stream",
            "store",
            "include",
            "reasoning",
            "max_output_tokens",
            "prompt_cache_key",
            "temperature",
        ];
        check_fields("body", body, &known, &mut found);
        if body["store"] != false {
            found.push("store: this organization keeps nothing".to_owned());
        }
        check_fields("reasoning", &body["reasoning"], &["effort", "summary"], &mut found);
        for tool in list(&body["tools"]) {
            let known = ["type", "name", "description", "parameters", "strict"];
            check_fields("tools", tool, &known, &mut found);
        }
        let items: Vec<&Value> = list(&body["input"]).collect();
        for (at, item) in items.iter().enumerate() {
            check_item(at, item, items.get(at + 1).copied(), &mut found);
        }
        found
    }

    fn as_chat(&self, request: &Value) -> Value {
        let mut chat = Chat::default();
        for item in list(&request["input"]) {
            match item["type"].as_str().unwrap_or("message") {
                "message" => {
                    let parts = list(&item["content"]).filter_map(|part| part["text"].as_str());
                    let text =
                        item["content"].as_str().map_or_else(|| parts.collect(), str::to_owned);
                    chat.say(item["role"].as_str().unwrap_or_default(), &text);
                }
                "function_call" => {
                    let arguments = item["arguments"].as_str().unwrap_or_default();
                    chat.call(chat_call(&item["call_id"], &item["name"], arguments));
                }
                "function_call_output" => chat.result(&item["call_id"], &item["output"]),
                _ => {}
            }
        }
        let tool =
            |tool: &Value| chat_tool(&tool["name"], &tool["description"], &tool["parameters"]);
        let tools: Vec<Value> = list(&request["tools"]).map(tool).collect();
        chat.request(&request["model"], &tools, &request["tool_choice"])
    }

    fn events(&self, told: &Told, request: &Value) -> Vec<String> {
        let mut events = vec![
            json!({"type": "response.created", "response": response("in_progress", &[], None)}),
        ];
        let mut output = Vec::new();
        if !told.calls.is_empty() && list(&request["include"]).count() > 0 {
            output.push(json!({"type": "reasoning", "id": "rs_1", "summary": [],
                "encrypted_content": "sealed", "status": null}));
            let index = output.len() - 1;
            let began = json!({"type": "reasoning", "id": "rs_1", "summary": []});
            events.push(
                json!({"type": "response.output_item.added", "output_index": index, "item": began}),
            );
            events.push(json!({"type": "response.output_item.done", "output_index": index, "item": output[index]}));
        }
        if !told.texts.is_empty() {
            let index = output.len();
            let item = |text: &str| {
                json!({"type": "message", "id": "msg_1", "role": "assistant",
                "status": "completed", "content": [{"type": "output_text", "text": text, "annotations": []}]})
            };
            events.push(json!({"type": "response.output_item.added", "output_index": index, "item": item("")}));
            for text in &told.texts {
                events.push(json!({"type": "response.output_text.delta", "output_index": index,
                    "item_id": "msg_1", "content_index": 0, "delta": text}));
            }
            output.push(item(&told.texts.concat()));
            events.push(json!({"type": "response.output_item.done", "output_index": index, "item": output[index]}));
        }
        for call in &told.calls {
            let index = output.len();
            let item = |arguments: &str| {
                json!({"type": "function_call", "id": format!("fc_{index}"),
                "call_id": call.id, "name": call.name, "arguments": arguments, "status": "completed"})
            };
            events.push(json!({"type": "response.output_item.added", "output_index": index, "item": item("")}));
            events.push(
                json!({"type": "response.function_call_arguments.delta", "output_index": index,
                "delta": call.arguments}),
            );
            output.push(item(&call.arguments));
            events.push(json!({"type": "response.output_item.done", "output_index": index, "item": output[index]}));
        }
        match told.finish.as_deref() {
            None => {}
            Some("length") => {
                let mut whole = response("incomplete", &output, Some(counted(request)));
                whole["incomplete_details"] = json!({"reason": "max_output_tokens"});
                events.push(json!({"type": "response.incomplete", "response": whole}));
            }
            Some(_) => {
                let whole = response("completed", &output, Some(counted(request)));
                events.push(json!({"type": "response.completed", "response": whole}));
            }
        }
        let numbered = events.into_iter().enumerate().map(|(number, mut event)| {
            event["sequence_number"] = json!(number);
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        });
        numbered.collect()
    }
}

fn response(status: &str, output: &[Value], tokens: Option<(u64, u64)>) -> Value {
    let usage = tokens.map(|(all, cached)| json!({
        "input_tokens": all, "input_tokens_details": {"cached_tokens": cached},
        "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 4}, "total_tokens": all + 10,
    }));
    json!({"id": "resp_1", "object": "response", "status": status, "error": null,
        "incomplete_details": null, "output": output, "usage": usage})
}

fn check_item(at: usize, item: &Value, next: Option<&Value>, found: &mut Vec<String>) {
    let kind = item["type"].as_str().unwrap_or("message");
    let known: &[&str] = match kind {
        "message" => &["type", "role", "content"],
        "function_call" => &["type", "call_id", "name", "arguments"],
        "function_call_output" => &["type", "call_id", "output"],
        "reasoning" => &["type", "id", "summary", "encrypted_content"],
        other => {
            found.push(format!("input[{at}]: unknown type {other:?}"));
            return;
        }
    };
    check_fields(&format!("input[{at}]"), item, known, found);
    if kind != "reasoning" {
        return;
    }
    if item["encrypted_content"] != "sealed" {
        found.push("Items are not persisted when `store` is set to false.".to_owned());
    }
    let follower = next.map(|next| next["type"].as_str().unwrap_or("message"));
    if !matches!(follower, Some("function_call" | "message")) {
        found.push(format!(
            "Item {} of type 'reasoning' was provided without its required following item.",
            item["id"]
        ));
    }
}
