//! Builds the bodies of Ollama's protocol, in which a request says how much context the model shall have.

use serde_json::{Map, Value, json};

use super::answer::THINKING;
use crate::llm::alternate::taking_turns;
use crate::llm::omit::{self, Field, Named, Omitted};
use crate::llm::{Endpoint, Message, Request, Role, Thinking, ToolCall};

/// What some models refuse.
const FIELDS: &[Named] = &[
    Named(Field::Thinking, "think", &["thinking"]),
    Named(Field::Tools, "tools", &["tool use", "tool calling", "function calling"]),
];

/// A budget where nobody says one, in tokens.
const USUAL_BUDGET: u64 = 16_000;

/// Room for an answer with its thinking, in tokens.
const ANSWER: u64 = 4_096;

/// Contexts are made in such steps, in tokens.
const STEP: u64 = 2_048;

/// A model stays loaded over the pauses of a conversation.
const KEEP_ALIVE: &str = "30m";

/// The field of a body that a refusal names, if the request can go out without it.
pub(crate) fn refused_field(body: &Value, refusal: &str) -> Option<Field> {
    omit::refused_field(FIELDS, body, refusal)
}

/// The body of a request. What does not fit is refused and not cut: keeping to the context is our own work.
pub(crate) fn body(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_owned(), value);
    set("model", json!(request.model_at(endpoint)));
    set("messages", messages(&request.messages));
    set("stream", json!(!omitted.has(Field::Stream)));
    // There is no word that forbids calls; what is asked behind the chat has the same beginning all the same.
    let may_have = request.may_call || !request.purpose.is_talk();
    if let Some(tools) = request.tools_to_send().filter(|_| may_have && !omitted.has(Field::Tools))
    {
        set("tools", tools.clone());
    }
    if let Some(think) = think(request, endpoint).filter(|_| !omitted.has(Field::Thinking)) {
        set("think", think);
    }
    set("options", options(request, endpoint));
    set("keep_alive", json!(KEEP_ALIVE));
    set("truncate", json!(false));
    set("shift", json!(false));
    Value::Object(body)
}

fn options(request: &Request, endpoint: &Endpoint) -> Value {
    let mut options = Map::new();
    options.insert("num_ctx".to_owned(), json!(context(request.budget, endpoint.context_window)));
    if let Some(temperature) = request.temperature_at(endpoint) {
        options.insert("temperature".to_owned(), json!(temperature));
    }
    if let Some(most) = endpoint.wishes.max_tokens {
        options.insert("num_predict".to_owned(), json!(most));
    }
    Value::Object(options)
}

/// The context that holds a budget and an answer, within what the model takes: the same in every request of a
/// conversation, because another one loads the model anew. Its own tokenizer may count a quarter more than ours.
fn context(budget: Option<u64>, most: Option<u64>) -> u64 {
    let budget = budget.unwrap_or(USUAL_BUDGET);
    let wanted = budget.saturating_add(budget / 4).saturating_add(ANSWER);
    let wanted = wanted.div_ceil(STEP).saturating_mul(STEP);
    wanted.min(most.unwrap_or(u64::MAX)).max(1)
}

/// Whether to think. Who can does so by itself, and to ask one who cannot is a mistake.
fn think(request: &Request, endpoint: &Endpoint) -> Option<Value> {
    let can = request.model.is_some() || endpoint.facts.thinks != Some(false);
    let effort = request.effort_at(endpoint).filter(|_| can)?;
    // This family knows words alone, and cannot be kept from thinking.
    let by_word = request.model_at(endpoint).contains("gpt-oss");
    Some(match effort {
        Thinking::None if by_word => json!("low"),
        Thinking::None => json!(false),
        effort if by_word => json!(effort.as_str()),
        _ => json!(true),
    })
}

fn messages(messages: &[Message]) -> Value {
    let calls = || messages.iter().flat_map(|message| &message.calls);
    let name_of = |id: &str| calls().find(|call| call.id == id).map(ToolCall::valid_name);
    let sent = messages.iter().map(|one| {
        let name = one.call_id.as_deref().and_then(name_of);
        message(one, name.as_deref().unwrap_or_default())
    });
    taking_turns(sent).into()
}

fn message(message: &Message, tool: &str) -> Value {
    let memory = message.memory.as_deref().unwrap_or_default();
    let mut fields = Map::new();
    let mut set = |key: &str, value: Value| fields.insert(key.to_owned(), value);
    set("role", json!(message.role.as_str()));
    set("content", json!(format!("{memory}{}", message.content)));
    if let Some(thinking) = message.replay.get(THINKING) {
        set(THINKING, thinking.clone());
    }
    if !message.calls.is_empty() {
        set("tool_calls", (0..).zip(&message.calls).map(call).collect());
    }
    if message.role == Role::Tool {
        // Newer servers go by the id, and the templates of older models by the name.
        set("tool_name", json!(tool));
        set("tool_call_id", json!(message.call_id));
    }
    Value::Object(fields)
}

fn call((index, call): (usize, &ToolCall)) -> Value {
    let function = json!({"index": index, "name": call.valid_name(), "arguments": call.input()});
    json!({"id": call.id, "function": function})
}

#[cfg(test)]
mod tests {
    use super::context;

    #[test]
    fn the_context_holds_the_budget_within_what_the_model_takes() {
        assert_eq!(context(None, None), 24_576);
        assert_eq!(context(Some(16_000), Some(131_072)), 24_576);
        assert_eq!(context(Some(16_000), Some(8_192)), 8_192);
        assert_eq!(context(Some(1_000), None), 6_144);
        assert_eq!(context(Some(u64::MAX), Some(40_960)), 40_960);
    }
}
