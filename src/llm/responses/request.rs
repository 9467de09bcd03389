//! Builds the bodies of OpenAI Responses. Nothing is stored at the server: what it needs again goes back sealed.

use serde_json::{Map, Value, json};

use crate::llm::blocks::{Part, parts};
use crate::llm::omit::{self, Field, Named, Omitted};
use crate::llm::{Endpoint, Message, Request, Role};

/// What some servers refuse.
const FIELDS: &[Named] = &[
    Named(Field::SealedReasoning, "include", &["encrypted content", "encrypted_content"]),
    Named(Field::ReasoningSummary, "reasoning.summary", &["reasoning summar"]),
    Named(Field::Effort, "reasoning.effort", &["reasoning_effort", "reasoning effort"]),
    Named(Field::Thinking, "reasoning", &[]),
    Named(Field::CacheKey, "prompt_cache_key", &[]),
    Named(Field::CacheMarks, "prompt_cache_breakpoint", &[]),
    Named(Field::Temperature, "temperature", &[]),
    Named(Field::MaxTokens, "max_output_tokens", &[]),
    Named(Field::ToolChoice, "tool_choice", &["tool choice"]),
    Named(Field::Tools, "tools", &["tool use", "tool calling", "function calling"]),
];

/// The field of a body that a refusal names, if the request can go out without it.
pub(crate) fn refused_field(body: &Value, refusal: &str) -> Option<Field> {
    omit::refused_field(FIELDS, body, refusal)
}

/// The body of a request.
pub(crate) fn body(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    let model = request.model_at(endpoint);
    let mut body = Map::new();
    let mut set = |field: Option<Field>, key: &str, value: Value| {
        if field.is_none_or(|field| !omitted.has(field)) {
            body.insert(key.to_owned(), value);
        }
    };
    set(None, "model", json!(model));
    set(None, "input", input(request, endpoint, omitted));
    set(None, "stream", json!(!omitted.has(Field::Stream)));
    set(None, "store", json!(false));
    set(Some(Field::SealedReasoning), "include", json!(["reasoning.encrypted_content"]));
    let reasoning = reasoning(request, endpoint, omitted);
    if reasoning.as_object().is_some_and(|wishes| !wishes.is_empty()) {
        set(Some(Field::Thinking), "reasoning", reasoning);
    }
    if let Some(tools) = request.tools_to_send().filter(|_| !omitted.has(Field::Tools)) {
        set(None, "tools", definitions(tools));
        if !request.may_call {
            set(Some(Field::ToolChoice), "tool_choice", json!("none"));
        }
        // What is asked once need not be kept near.
        let key = request.cache_key.as_deref().unwrap_or(&endpoint.cache_key);
        set(Some(Field::CacheKey), "prompt_cache_key", json!(key));
    }
    if let Some(temperature) = request.temperature_at(endpoint) {
        set(Some(Field::Temperature), "temperature", json!(temperature));
    }
    if let Some(most) = endpoint.wishes.max_tokens {
        set(Some(Field::MaxTokens), "max_output_tokens", json!(most.min(omitted.most(request))));
    }
    Value::Object(body)
}

/// The conversation. Where the cache ends at marks, they stand behind what the person said last before now, and the
/// time before that: a beginning is found again only where an earlier request had a mark as well.
fn input(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    let model = request.model_at(endpoint);
    let mut input: Vec<Value> =
        request.messages.iter().flat_map(|message| items(message, model)).collect();
    // Whose seals are refused takes none back, either.
    input.retain(|item| !omitted.has(Field::SealedReasoning) || item["type"] != "reasoning");
    let marks = request.tools.is_some() && !omitted.has(Field::CacheMarks);
    if marks && takes_marks(model, endpoint) {
        let said = input.iter_mut().filter(|item| item["role"] == "user").rev();
        for item in said.skip(1).take(2) {
            if let Some(part) = item["content"].as_array_mut().and_then(|parts| parts.last_mut()) {
                part["prompt_cache_breakpoint"] = json!({"mode": "explicit"});
            }
        }
    }
    Value::Array(input)
}

/// Whether the model's cache ends at marks: from 5.6 on, and at the provider itself.
fn takes_marks(model: &str, endpoint: &Endpoint) -> bool {
    let version = model.strip_prefix("gpt-").unwrap_or_default().split('-').next();
    let version = version.and_then(|version| version.parse::<f64>().ok());
    endpoint.provider == "OpenAI" && version.is_some_and(|version| version >= 5.6)
}

fn reasoning(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    let mut wishes = Map::new();
    if let Some(effort) = request.effort_at(endpoint).filter(|_| !omitted.has(Field::Effort)) {
        wishes.insert("effort".to_owned(), json!(effort.as_str()));
    }
    if !omitted.has(Field::ReasoningSummary) {
        wishes.insert("summary".to_owned(), json!("auto"));
    }
    Value::Object(wishes)
}

fn definitions(tools: &Value) -> Value {
    let definition = |tool: &Value| {
        let function = &tool["function"];
        json!({
            "type": "function",
            "name": function["name"],
            "description": function["description"],
            "parameters": function["parameters"],
            "strict": false,
        })
    };
    tools.as_array().into_iter().flatten().map(definition).collect()
}

fn items(message: &Message, model: &str) -> Vec<Value> {
    let words = |role: &str, content: &str| json!({"role": role, "content": content});
    match message.role {
        Role::System => vec![words("system", &message.content)],
        Role::User => {
            // Two parts, so that what was said stays the same when the block in front of it has gone.
            let memory = message.memory.as_deref().into_iter().map(text);
            let said = Some(&*message.content).filter(|said| !said.is_empty()).map(text);
            let parts: Vec<Value> = memory.chain(said).collect();
            if parts.is_empty() {
                Vec::new()
            } else {
                vec![json!({"role": "user", "content": parts})]
            }
        }
        Role::Assistant => parts(message, model).into_iter().filter_map(item).collect(),
        Role::Tool => vec![json!({
            "type": "function_call_output",
            "call_id": message.call_id,
            "output": &*message.content,
        })],
    }
}

fn text(text: &str) -> Value {
    json!({"type": "input_text", "text": text})
}

fn item(part: Part<'_>) -> Option<Value> {
    match part {
        Part::Sealed(item) => Some(item.clone()),
        Part::Text("") => None,
        Part::Text(text) => Some(json!({
            "type": "message", "role": "assistant",
            "content": [{"type": "output_text", "text": text}],
        })),
        Part::Call(call) => Some(json!({
            "type": "function_call", "call_id": call.id, "name": call.valid_name(),
            "arguments": call.valid_arguments(),
        })),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Field, Omitted, body, refused_field, takes_marks};
    use crate::llm::{Endpoint, Message, Purpose, Request, Role};

    #[test]
    fn an_answer_is_asked_for_as_a_whole_where_it_may_not_come_in_pieces() {
        let request = Request::plain(Purpose::Chat, vec![Message::text(Role::User, "Hi")]);
        let at = Endpoint::new("", "m");
        let words = "Your organization must be verified to stream this model.";
        let field = refused_field(&body(&request, &at, Omitted::default()), words);
        assert_eq!(field, Some(Field::Stream));
        let whole = body(&request, &at, Omitted::default().with(Field::Stream));
        assert_eq!((&whole["stream"], refused_field(&whole, words)), (&json!(false), None));
    }

    #[test]
    fn marks_go_to_models_that_know_them() {
        let at =
            |provider: &str| Endpoint { provider: provider.to_owned(), ..Endpoint::new("", "") };
        for (provider, model, expected) in [
            ("OpenAI", "gpt-6-luna", true),
            ("OpenAI", "gpt-5.6-sol", true),
            ("OpenAI", "gpt-5.5", false),
            ("OpenAI", "gpt-4.1-mini", false),
            ("OpenAI", "o3", false),
            ("xAI", "grok-4.6", false),
            ("a proxy", "gpt-6-luna", false),
        ] {
            assert_eq!(takes_marks(model, &at(provider)), expected, "{provider} {model}");
        }
    }
}
