//! The protocols beside Chat Completions, as strict servers of them speak: each request is checked by the rules of
//! its own protocol, and, laid out as Chat Completions, by those that hold for all. Rules and replies are written
//! once, in the form of Chat Completions, and go out in the protocol that was asked in.

mod messages;
mod ollama;
mod responses;

use serde_json::{Map, Value, json};

use super::Received;
use super::reply::{Reply, Step};

/// A protocol as a strict server speaks it.
pub(super) trait Dialect: Sync {
    /// All that the real server would refuse, beside what no server takes.
    fn violations(&self, request: &Received) -> Vec<String>;

    /// The request as Chat Completions would have it.
    fn as_chat(&self, request: &Value) -> Value;

    /// The answer as the real server streams it, an event a text.
    fn events(&self, told: &Told, request: &Value) -> Vec<String>;

    /// The body of a refusal.
    fn refusal(&self, message: &str) -> String {
        super::error_body(message)
    }
}

/// The protocol that is spoken at a path; `None` for Chat Completions.
pub(super) fn of_path(path: &str) -> Option<&'static dyn Dialect> {
    match path {
        "/v1/messages" => Some(&messages::Messages),
        "/v1/responses" => Some(&responses::Responses),
        "/api/chat" => Some(&ollama::Ollama),
        _ => None,
    }
}

/// What a reply says, whatever the protocol.
#[derive(Debug, Default)]
pub(super) struct Told {
    pub(super) texts: Vec<String>,
    pub(super) calls: Vec<Call>,
    /// The finish reason of Chat Completions; `None` where the answer breaks off.
    pub(super) finish: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

impl Told {
    fn take(&mut self, chunk: &Value) {
        let choice = &chunk["choices"][0];
        if let Some(text) = choice["delta"]["content"].as_str() {
            self.texts.push(text.to_owned());
        }
        for entry in choice["delta"]["tool_calls"].as_array().into_iter().flatten() {
            let at = entry["index"].as_u64().unwrap_or(0) as usize;
            self.calls.resize_with(self.calls.len().max(at + 1), Call::default);
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            self.calls[at].id.push_str(&text(&entry["id"]));
            self.calls[at].name.push_str(&text(&entry["function"]["name"]));
            self.calls[at].arguments.push_str(&text(&entry["function"]["arguments"]));
        }
        if let Some(finish) = choice["finish_reason"].as_str() {
            self.finish = Some(finish.to_owned());
        }
    }
}

/// A reply of Chat Completions in another protocol; a failure stays as it is.
pub(super) fn translated(dialect: &dyn Dialect, mut reply: Reply, request: &Value) -> Reply {
    if reply.status != 200 || reply.steps.iter().any(|step| matches!(step, Step::Forever(..))) {
        return reply;
    }
    let mut told = Told::default();
    let mut rest = Vec::new();
    for step in std::mem::take(&mut reply.steps) {
        let Step::Bytes(bytes) = step else {
            rest.push(step);
            continue;
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter_map(|data| serde_json::from_str(data).ok()).for_each(|chunk| told.take(&chunk));
    }
    let events = dialect.events(&told, request).into_iter();
    reply.steps = events.map(|event| Step::Bytes(event.into_bytes())).chain(rest).collect();
    reply
}

/// Tokens of a request, as an honest server counts them, and those of them that came from its cache.
fn counted(request: &Value) -> (u64, u64) {
    let all = request.to_string().len() as u64 / 4;
    (all, all / 2)
}

/// Notes the fields that a protocol does not have.
fn check_fields(place: &str, value: &Value, known: &[&str], found: &mut Vec<String>) {
    for key in value.as_object().into_iter().flat_map(Map::keys) {
        if !known.contains(&key.as_str()) {
            found.push(format!("{place}.{key}: Extra inputs are not permitted"));
        }
    }
}

/// A call as Chat Completions has it.
fn chat_call(id: &Value, name: &Value, arguments: &str) -> Value {
    json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
}

/// The parts of a conversation, gathered into the messages of Chat Completions.
#[derive(Default)]
struct Chat(Vec<Value>);

impl Chat {
    fn say(&mut self, role: &str, text: &str) {
        let joins = role == "assistant" || role == "user";
        match self.0.last_mut().filter(|last| joins && last["role"] == role) {
            Some(last) => {
                let before = last["content"].as_str().unwrap_or_default();
                last["content"] = json!(format!("{before}{text}"));
            }
            None => self.0.push(json!({"role": role, "content": text})),
        }
    }

    fn call(&mut self, call: Value) {
        if self.0.last().is_none_or(|last| last["role"] != "assistant") {
            self.say("assistant", "");
        }
        let last = self.0.last_mut().expect("it is there");
        match &mut last["tool_calls"] {
            Value::Array(calls) => calls.push(call),
            none => *none = json!([call]),
        }
    }

    fn result(&mut self, id: &Value, content: &Value) {
        self.0.push(json!({"role": "tool", "tool_call_id": id, "content": content}));
    }

    /// The request, with tools in the form of Chat Completions.
    fn request(self, model: &Value, tools: &[Value], choice: &Value) -> Value {
        let mut request = json!({"model": model, "messages": self.0, "stream": true});
        if !tools.is_empty() {
            request["tools"] = json!(tools);
        }
        if !choice.is_null() {
            request["tool_choice"] = choice.clone();
        }
        request
    }
}

fn chat_tool(name: &Value, description: &Value, parameters: &Value) -> Value {
    json!({"type": "function", "function": {
        "name": name, "description": description, "parameters": parameters,
    }})
}
