//! Ollama's own protocol.

use serde_json::{Value, json};

use super::{Chat, Dialect, Told, chat_call, chat_tool, check_fields, counted};
use crate::support::server::Received;

pub(super) struct Ollama;

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

impl Dialect for Ollama {
    fn violations(&self, request: &Received) -> Vec<String> {
        let mut found = Vec::new();
        let body = &request.body;
        let known = [
            "model",
            "messages",
            "tools",
            "stream",
            "think",
            "options",
            "keep_alive",
            "truncate",
            "shift",
        ];
        check_fields("body", body, &known, &mut found);
        check_fields(
            "options",
            &body["options"],
            &["num_ctx", "temperature", "num_predict"],
            &mut found,
        );
        let room = body["options"]["num_ctx"].as_u64().unwrap_or(4_096);
        if body["truncate"] != false || body["shift"] != false {
            found.push("the front of the prompt was cut without a word".to_owned());
        }
        if counted(body).0 > room {
            found.push(format!("the input length exceeds the context length of {room}"));
        }
        for message in list(&body["messages"]) {
            let known = ["role", "content", "thinking", "tool_calls", "tool_name", "tool_call_id"];
            check_fields("messages", message, &known, &mut found);
            for call in list(&message["tool_calls"]) {
                if !call["function"]["arguments"].is_object() {
                    found.push(
                        "json: cannot unmarshal string into Go struct field arguments".to_owned(),
                    );
                }
            }
            if message["role"] == "tool" && message["tool_name"].as_str().is_none_or(str::is_empty)
            {
                found.push("a result without the name of its tool".to_owned());
            }
        }
        found
    }

    fn as_chat(&self, request: &Value) -> Value {
        let mut chat = Chat::default();
        for message in list(&request["messages"]) {
            if message["role"] == "tool" {
                chat.result(&message["tool_call_id"], &message["content"]);
                continue;
            }
            let role = message["role"].as_str().unwrap_or_default();
            chat.say(role, message["content"].as_str().unwrap_or_default());
            for call in list(&message["tool_calls"]) {
                let function = &call["function"];
                let arguments = function["arguments"].to_string();
                chat.call(chat_call(&call["id"], &function["name"], &arguments));
            }
        }
        let mut tools: Vec<Value> = list(&request["tools"]).cloned().collect();
        if tools.is_empty() && request["messages"].to_string().contains("tool_calls") {
            // Here calls may stand in a conversation without tools: there is no other word that forbids more.
            let nothing = json!({"type": "object", "properties": {}});
            tools.push(chat_tool(&json!("none"), &json!("None."), &nothing));
        }
        chat.request(&request["model"], &tools, &Value::Null)
    }

    fn events(&self, told: &Told, request: &Value) -> Vec<String> {
        let line =
            |message: Value| json!({"model": request["model"], "message": message, "done": false});
        let mut lines = Vec::new();
        if !told.calls.is_empty() {
            lines.push(line(
                json!({"role": "assistant", "content": "", "thinking": "A tool knows."}),
            ));
        }
        for text in &told.texts {
            lines.push(line(json!({"role": "assistant", "content": text})));
        }
        for (index, call) in told.calls.iter().enumerate() {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or_default();
            let function = json!({"index": index, "name": call.name, "arguments": arguments});
            let calls = json!([{"id": call.id, "function": function}]);
            lines.push(line(json!({"role": "assistant", "content": "", "tool_calls": calls})));
        }
        if let Some(finish) = &told.finish {
            let mut last = line(json!({"role": "assistant", "content": ""}));
            last["done"] = json!(true);
            last["done_reason"] = json!(if finish == "length" { "length" } else { "stop" });
            last["prompt_eval_count"] = json!(counted(request).0);
            last["eval_count"] = json!(10);
            lines.push(last);
        }
        lines.into_iter().map(|line| format!("{line}\n")).collect()
    }

    fn refusal(&self, message: &str) -> String {
        json!({"error": message}).to_string()
    }
}
