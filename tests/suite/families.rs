//! A request of a turn as it goes over the wire to each family of servers that speak Chat Completions: with the memory
//! block, a tool round and an expanded log.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use ebbtide::orchestrator::{Notice, Op};
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::support::driver::{client_of, drive, outcome};
use super::support::server::{CallStyle, Reply, Server, chunk, said};

type Call = (&'static str, Value);

/// How the servers of a family answer with a call.
#[derive(Debug, Clone, Copy)]
enum Family {
    /// As documented.
    OpenAi,
    /// With what the model thought, which has to be sent back.
    DeepSeek,
    /// Calls without an index; user and assistant take turns.
    Mistral,
    /// Calls without an id, from a machine of one's own.
    Local,
}

impl Family {
    fn reply(self, call: Call) -> Reply {
        match self {
            Self::OpenAi => Reply::calls(&[call]),
            Self::Mistral => Reply::calls_in(CallStyle::NoIndex, &[call]),
            Self::Local => Reply::calls_in(CallStyle::NoId, &[call]),
            Self::DeepSeek => {
                let function = json!({"name": call.0, "arguments": call.1.to_string()});
                let calls =
                    json!([{"index": 0, "id": "call_0", "type": "function", "function": function}]);
                let thought = chunk(json!({"reasoning_content": format!("Now {}.", call.0)}));
                Reply::answer(vec![thought, chunk(json!({ "tool_calls": calls }))], "tool_calls")
            }
        }
    }
}

/// What the model calls in each turn.
fn turns() -> Vec<Vec<Call>> {
    let id = |id: &str| json!({ "id": id });
    vec![
        vec![("remember", json!({ "content": "the ferry leaves at nine" }))],
        vec![("open_effort", json!({ "name": "tea" }))],
        vec![("close_effort", json!({}))],
        vec![("open_effort", json!({ "name": "bread" }))],
        vec![("expand_effort", id("tea"))],
        vec![("effort_status", id("tea")), ("remember", json!({ "content": "rye" }))],
    ]
}

fn is_chat(request: &Value) -> bool {
    !request["tools"].is_null() && !said(request).contains("The program asks")
}

/// The last request of the last turn.
async fn last_request(family: Family) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let calls: Arc<Mutex<VecDeque<Call>>> = Arc::default();
    let to_make = Arc::clone(&calls);
    let server = Server::following(move |request| {
        if !is_chat(request) {
            return Reply::text("The tea was settled.");
        }
        let next = to_make.lock().unwrap().pop_front();
        next.map_or_else(
            || Reply::text(format!("As for {}", said(request))),
            |call| family.reply(call),
        )
    });
    let (handle, mut notices) = drive(dir.path(), client_of(&server));
    for (nth, turn) in turns().into_iter().enumerate() {
        *calls.lock().unwrap() = turn.into();
        handle.send(Op::Send(format!("say{nth} {}", "and so on ".repeat(12))));
        outcome(&mut notices).await.unwrap();
    }
    handle.send(Op::Shutdown);
    while !matches!(notices.recv().await, Some(Notice::Closed) | None) {}
    server.requests().pop().unwrap()
}

/// The body, a line for each message, without the prompt and the definitions that all have in common.
fn listing(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap().iter().map(|message| {
        let mut fields = message.as_object().unwrap().clone();
        if fields["role"] == "system" {
            fields["content"] = "(the system prompt)".into();
        }
        let role = fields.remove("role").unwrap();
        let fields = fields.iter().map(|(key, value)| format!("  {key}: {value}\n"));
        format!("{}\n{}", role.as_str().unwrap(), fields.collect::<String>())
    });
    let mut beside = request.as_object().unwrap().clone();
    beside.remove("messages");
    let tools = beside["tools"].as_array().unwrap().len();
    beside["tools"] = format!("({tools} definitions)").into();
    let text: String = messages.chain([Value::Object(beside).to_string()]).collect();
    ids(request).iter().fold(text, |text, id| text.replace(id, "(an id)"))
}

/// The ids of calls; where a server gives none, they are drawn.
fn ids(request: &Value) -> Vec<String> {
    let messages = request["messages"].as_array().unwrap().iter();
    messages.filter_map(|message| message["tool_call_id"].as_str().map(str::to_owned)).collect()
}

/// The roles, a tool exchange counted as the answer that it becomes part of.
fn take_turns(request: &Value) -> bool {
    let mut roles: Vec<&str> = request["messages"].as_array().unwrap()[1..]
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .map(|role| if role == "tool" { "assistant" } else { role })
        .collect();
    let users = roles.iter().filter(|role| **role == "user").count();
    roles.dedup();
    roles.first() == Some(&"user") && roles.iter().filter(|role| **role == "user").count() == users
}

#[tokio::test]
async fn every_family_gets_the_request_as_it_takes_it() {
    for family in [Family::OpenAi, Family::DeepSeek, Family::Mistral, Family::Local] {
        let request = last_request(family).await;
        assert!(take_turns(&request), "{request:#}");
        assert_snapshot!(format!("{family:?}"), listing(&request));
    }
}
