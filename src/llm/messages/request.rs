//! Builds the bodies of Anthropic Messages, with the marks up to which the server keeps what it has read.

use serde_json::{Map, Value, json};

use super::answer::is_unsigned;
use crate::llm::blocks::{Part, parts};
use crate::llm::omit::{self, Field, Named, Omitted};
use crate::llm::{Endpoint, Message, Request, Role, Thinking, ToolCall};
use crate::providers::keeps_hour;

/// What some servers refuse.
const FIELDS: &[Named] = &[
    Named(Field::CacheHour, "ttl", &[]),
    Named(Field::CacheMarks, "cache_control", &[]),
    Named(Field::Temperature, "temperature", &[]),
    Named(Field::Effort, "output_config", &["effort"]),
    Named(Field::Thinking, "thinking", &["reasoning"]),
    Named(Field::MaxTokens, "max_tokens", &[]),
    Named(Field::ToolChoice, "tool_choice", &["tool choice"]),
    Named(Field::Tools, "tools", &["tool use", "tool calling", "function calling"]),
];

/// The most tokens of an answer where the server does not say what its model can.
const UNTOLD_ANSWER: u64 = 8_192;

/// An answer that is short enough for every model.
const SHORT_ANSWER: u64 = 256;

/// More tokens than an answer with its thinking needs.
const LONG_ANSWER: u64 = 32_000;

/// The least that may be given to thinking, in tokens.
const LEAST_THINKING: u64 = 1_024;

/// Stands where a conversation, whose beginning has left the window, would begin with the model's words.
const BEGINNING: &str = "[The conversation goes on.]";

/// The field of a body that a refusal names, if the request can go out without it.
pub(crate) fn refused_field(body: &Value, refusal: &str) -> Option<Field> {
    let lower = refusal.to_lowercase();
    let of_thinking = lower.contains("thinking");
    let of_blocks = ["block", "content", "tag"].iter().any(|words| lower.contains(words));
    if (lower.contains("signature") || of_thinking && of_blocks) && sends(body, is_unsigned_block) {
        return Some(Field::UnsignedThinking);
    }
    if lower.contains("signature") && sends(body, is_thought_block) {
        return Some(Field::Thoughts);
    }
    let names_both = lower.contains("enabled") && lower.contains("adaptive");
    if names_both && body["thinking"]["type"] == "enabled" {
        return Some(Field::ThinkingBudget);
    }
    let field = omit::refused_field(FIELDS, body, refusal)?;
    // The protocol wants a length: a shorter one, or none helps.
    let helps = field != Field::MaxTokens || shorter_answer(body, refusal).is_some();
    helps.then_some(field)
}

/// Whether a block of such a kind goes back.
fn sends(body: &Value, is_it: fn(&Value) -> bool) -> bool {
    let messages = body["messages"].as_array().into_iter().flatten();
    messages.filter_map(|message| message["content"].as_array()).flatten().any(is_it)
}

fn is_thought_block(block: &Value) -> bool {
    block["type"].as_str().is_some_and(|kind| kind.contains("thinking"))
}

fn is_unsigned_block(block: &Value) -> bool {
    block.as_object().is_some_and(is_unsigned)
}

/// The body of a request.
pub(crate) fn body(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    let model = request.model_at(endpoint);
    let tools = request.tools_to_send().filter(|_| !omitted.has(Field::Tools));
    // What is asked once is not worth the price of keeping it.
    let is_kept = tools.is_some() && !omitted.has(Field::CacheMarks);
    let mark = is_kept.then(|| mark_of(request, model, omitted));
    let mark = mark.as_ref();
    let most = most_tokens(request, endpoint, omitted);
    let mut body = Map::new();
    let mut set = |key: &str, value: Value| body.insert(key.to_owned(), value);
    set("model", json!(model));
    set("max_tokens", json!(most));
    if let Some(system) = system(request, mark) {
        set("system", system);
    }
    let unsigned_thinking = !omitted.has(Field::UnsignedThinking);
    let takes = Takes { mark, thoughts: !omitted.has(Field::Thoughts), unsigned_thinking };
    set("messages", conversation(request, model, takes));
    set("stream", json!(!omitted.has(Field::Stream)));
    if let Some(tools) = tools {
        set("tools", definitions(tools, mark));
        // What is asked behind the chat says so in words: this one would void what is kept of the messages.
        let forbids = !request.may_call && request.purpose.is_talk();
        if forbids && !omitted.has(Field::ToolChoice) {
            set("tool_choice", json!({"type": "none"}));
        }
    }
    for (key, value) in thinking(request, endpoint, omitted, most) {
        set(key, value);
    }
    // Current models refuse any, so that only the person's own wish is sent.
    let wished = request.temperature_at(endpoint).filter(|_| endpoint.wishes.temperature.is_some());
    let temperature = wished.filter(|_| !omitted.has(Field::Temperature));
    let thinks = body.get("thinking").is_some_and(|thinking| thinking["type"] != "disabled");
    // Beside thinking there is but one temperature.
    if let Some(temperature) = temperature.filter(|_| !thinks) {
        body.insert("temperature".to_owned(), json!(temperature));
    }
    Value::Object(body)
}

fn most_tokens(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> u64 {
    let told = endpoint.facts.most_output.filter(|_| is_of_facts(request, endpoint));
    let room = endpoint.context_window.map_or(u64::MAX, |context| room(context, request.budget));
    let usual = told.unwrap_or(UNTOLD_ANSWER).min(LONG_ANSWER).min(room);
    let wanted = endpoint.wishes.max_tokens.map(|most| most.min(told.unwrap_or(u64::MAX)));
    wanted.unwrap_or(usual).min(omitted.most(request))
}

/// A shorter answer to ask for, as the protocol wants a length: the highest that the refusal names below what was asked
/// for, else half of it; `None` where it is short, or too short for what goes with it.
pub(crate) fn shorter_answer(body: &Value, refusal: &str) -> Option<u64> {
    if ["greater than `thinking", "greater than thinking", "budget_tokens"]
        .iter()
        .any(|words| refusal.contains(words))
    {
        return None;
    }
    let asked = body["max_tokens"].as_u64().filter(|asked| *asked > SHORT_ANSWER)?;
    let numbers = refusal.split(|c: char| !c.is_ascii_digit() && c != ',' && c != '_');
    let number = |digits: &str| digits.replace([',', '_'], "").parse::<u64>().ok();
    let named = numbers.filter_map(number).filter(|most| (SHORT_ANSWER..asked).contains(most));
    Some(named.max().unwrap_or(asked / 2).max(SHORT_ANSWER))
}

/// What a context leaves for an answer beside a prompt of so many tokens: servers refuse what may come to more.
fn room(context: u64, budget: Option<u64>) -> u64 {
    (context / 2).min(context.saturating_sub(budget.unwrap_or(0))).max(1)
}

/// Whether the server told of the very model that is asked.
fn is_of_facts(request: &Request, endpoint: &Endpoint) -> bool {
    request.model_at(endpoint) == endpoint.model
}

/// How the model shall think. A request with a temperature of its own is one that needs no thought, but behind the
/// chat another way of thinking would void what is kept of the messages.
fn thinking(
    request: &Request,
    endpoint: &Endpoint,
    omitted: Omitted,
    most: u64,
) -> Vec<(&'static str, Value)> {
    let effort = request.effort_at(endpoint).filter(|_| !omitted.has(Field::Effort));
    let needs_none = request.temperature.is_some() && request.tools.is_none();
    if omitted.has(Field::Thinking) || needs_none {
        return Vec::new();
    }
    let how = |kind: &str| ("thinking", json!({ "type": kind }));
    let adapts = adapts(request, endpoint) || omitted.has(Field::ThinkingBudget);
    match (adapts, effort) {
        (_, Some(Thinking::None)) => vec![how("disabled")],
        (true, None) => vec![how("adaptive")],
        (true, Some(effort)) => {
            vec![how("adaptive"), ("output_config", json!({ "effort": effort.as_str() }))]
        }
        (false, None) => Vec::new(),
        (false, Some(effort)) => {
            let share = if effort == Thinking::Low {
                8
            } else if effort == Thinking::Medium {
                4
            } else {
                2
            };
            let budget = (most / share).max(LEAST_THINKING);
            let fits = budget < most;
            let how = json!({ "type": "enabled", "budget_tokens": budget });
            Vec::from_iter(fits.then_some(("thinking", how)))
        }
    }
}

/// Whether the model decides by itself how much it thinks: as the server says, else by its name.
fn adapts(request: &Request, endpoint: &Endpoint) -> bool {
    let told = endpoint.facts.adapts.filter(|_| is_of_facts(request, endpoint));
    let name = request.model_at(endpoint);
    told.unwrap_or_else(|| name.starts_with("claude-") && !is_older(name))
}

/// Whether a model of this name came before 4.6.
fn is_older(name: &str) -> bool {
    let numbers = |word: &str| word.parse::<u32>().ok().filter(|number| *number < 100);
    let mut version = name.split(['-', '.', '@']).filter_map(numbers);
    let version = (version.next(), version.next().unwrap_or(0));
    version.0.is_some_and(|first| (first, version.1) < (4, 6))
}

/// A mark up to which the server keeps what it has read: for an hour where that is wished, else for some minutes.
fn mark_of(request: &Request, model: &str, omitted: Omitted) -> Value {
    if request.keeps_hour && keeps_hour(model) && !omitted.has(Field::CacheHour) {
        json!({"type": "ephemeral", "ttl": "1h"})
    } else {
        json!({"type": "ephemeral"})
    }
}

fn set_mark(block: &mut Value, mark: &Value) {
    block["cache_control"] = mark.clone();
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn system(request: &Request, mark: Option<&Value>) -> Option<Value> {
    let systems = request.messages.iter().filter(|message| message.role == Role::System);
    let mut blocks: Vec<Value> = systems.filter_map(|message| spoken(&message.content)).collect();
    if let (Some(last), Some(mark)) = (blocks.last_mut(), mark) {
        set_mark(last, mark);
    }
    (!blocks.is_empty()).then_some(Value::Array(blocks))
}

/// A text as a block; servers refuse one that is blank.
fn spoken(content: &str) -> Option<Value> {
    (!content.trim().is_empty()).then(|| text(content))
}

fn definitions(tools: &Value, mark: Option<&Value>) -> Value {
    let definition = |tool: &Value| {
        let function = &tool["function"];
        json!({
            "name": function["name"],
            "description": function["description"],
            "input_schema": function["parameters"],
        })
    };
    let mut tools: Vec<Value> = tools.as_array().into_iter().flatten().map(definition).collect();
    if let (Some(last), Some(mark)) = (tools.last_mut(), mark) {
        set_mark(last, mark);
    }
    Value::Array(tools)
}

/// What may stand in the messages.
#[derive(Clone, Copy)]
struct Takes<'a> {
    /// The mark up to which the server keeps what it has read.
    mark: Option<&'a Value>,
    /// Thinking at all.
    thoughts: bool,
    /// Thinking that the server did not sign.
    unsigned_thinking: bool,
}

/// The messages: what one side says in a row is one message. Marks stand at the end of what the next request
/// begins with as well, which is all before the newest words of the user, and at the end of all.
fn conversation(request: &Request, model: &str, takes: Takes<'_>) -> Value {
    let mut said: Vec<(&str, Vec<Value>)> = Vec::new();
    let newest = request.messages.iter().rposition(|message| message.role == Role::User);
    for (at, message) in request.messages.iter().enumerate() {
        if let Some(mark) = takes.mark.filter(|_| Some(at) == newest) {
            mark_last(&mut said, mark);
        }
        let mut blocks = blocks(message, model);
        blocks.retain(|block| takes.thoughts || !is_thought_block(block));
        blocks.retain(|block| takes.unsigned_thinking || !is_unsigned_block(block));
        let role = if message.role == Role::Assistant { "assistant" } else { "user" };
        if said.is_empty() && role == "assistant" && !blocks.is_empty() {
            said.push(("user", vec![text(BEGINNING)]));
        }
        match said.last_mut() {
            _ if blocks.is_empty() => {}
            Some((last, all)) if *last == role => all.extend(blocks),
            _ => said.push((role, blocks)),
        }
    }
    if said.last().is_none_or(|(role, _)| *role != "user") {
        said.push(("user", vec![text(BEGINNING)]));
    }
    if let Some(mark) = takes.mark {
        mark_last(&mut said, mark);
    }
    let message = |(role, content): (&str, Vec<Value>)| json!({"role": role, "content": content});
    said.into_iter().map(message).collect()
}

/// Marks the last block that may hold a mark.
fn mark_last(said: &mut [(&str, Vec<Value>)], mark: &Value) {
    let blocks = said.iter_mut().flat_map(|(_, blocks)| blocks);
    let takes_mark = |block: &&mut Value| !is_thought_block(block);
    if let Some(last) = blocks.rev().find(takes_mark) {
        set_mark(last, mark);
    }
}

fn blocks(message: &Message, model: &str) -> Vec<Value> {
    match message.role {
        Role::System => Vec::new(),
        Role::User => {
            let memory = message.memory.as_deref().and_then(spoken);
            memory.into_iter().chain(spoken(&message.content)).collect()
        }
        Role::Assistant => parts(message, model).into_iter().filter_map(block).collect(),
        Role::Tool => vec![json!({
            "type": "tool_result",
            "tool_use_id": message.call_id.as_deref().map(valid_id),
            "content": &*message.content,
        })],
    }
}

fn block(part: Part<'_>) -> Option<Value> {
    match part {
        Part::Sealed(block) => Some(block.clone()),
        Part::Text(text) => spoken(text),
        Part::Call(call) => Some(tool_use(call)),
    }
}

fn tool_use(call: &ToolCall) -> Value {
    json!({"type": "tool_use", "id": valid_id(&call.id), "name": call.valid_name(), "input": call.input()})
}

/// An id in the form that the server demands, also where another one made it.
fn valid_id(id: &str) -> String {
    id.chars()
        .map(|c| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' })
        .collect()
}
