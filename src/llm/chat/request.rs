//! Builds request bodies that every known server takes.

use serde_json::{Map, Value, json};

use super::reasoning::{REASONING_CONTENT, REPLAYED};
use crate::llm::alternate::taking_turns;
use crate::llm::omit::{self, Field, Named, Omitted};
use crate::llm::{Endpoint, Message, Request, Role, Thinking, ToolCall};

/// What some servers refuse, or want.
const FIELDS: &[Named] = &[
    Named(Field::StreamOptions, "stream_options", &["stream options"]),
    Named(Field::ToolChoice, "tool_choice", &["tool choice"]),
    Named(Field::Temperature, "temperature", &[]),
    Named(Field::MaxTokens, MAX_TOKENS, &[NEW_LIMIT]),
    Named(Field::MaxTokens, NEW_LIMIT, &[]),
    Named(
        Field::Tools,
        "tools",
        // A refusal of another choice is none of the tools.
        &[
            "tool use",
            "tool calling",
            "function calling",
            "\"auto\" tool choice",
            "auto-tool-choice",
        ],
    ),
];

const EFFORT: &str = "reasoning_effort";
const MAX_TOKENS: &str = "max_tokens";
/// The name for it that newer models take alone.
const NEW_LIMIT: &str = "max_completion_tokens";

/// The field of `body` that a refusal names, if the request can go out without it, or, where the refusal is
/// about thinking beside tools, with it.
pub(crate) fn refused_field(body: &Value, refusal: &str) -> Option<Field> {
    let lower = refusal.to_lowercase();
    let about_effort = [EFFORT, "reasoning effort", "reasoning.effort"];
    if about_effort.iter().any(|words| lower.contains(words)) {
        // Whatever else it names: with the field as wanted there is no need to go without tools.
        let about_tools = ["tool", "function"].iter().any(|words| lower.contains(words));
        let with_tools = body.get("tools").is_some();
        return match body.get(EFFORT).and_then(Value::as_str) {
            Some("none") => Some(Field::NoEffort),
            Some(_) if !(with_tools && about_tools) => Some(Field::Effort),
            _ => with_tools.then_some(Field::NoThinking),
        };
    }
    if wants_reasoning(&lower) && lacks_reasoning(body) {
        return Some(Field::EmptyReasoning);
    }
    if refuses_rules(&lower) && body["messages"][0]["role"] == "system" {
        return Some(Field::SystemRole);
    }
    let wants_other = lower.contains(NEW_LIMIT) && lower.contains("instead");
    if wants_other && body.get(MAX_TOKENS).is_some() {
        return Some(Field::OldLimit);
    }
    if omit::says_without(&lower) && sends_thoughts(body, &lower) {
        return Some(Field::Thoughts);
    }
    omit::refused_field(FIELDS, body, refusal)
}

/// Whether reasoning goes back in a field that a refusal names.
fn sends_thoughts(body: &Value, refusal: &str) -> bool {
    let messages = body["messages"].as_array().into_iter().flatten();
    let mut sent =
        messages.flat_map(|message| REPLAYED.iter().filter(|key| message.get(**key).is_some()));
    sent.any(|key| omit::names_word(refusal, key))
}

/// Whether a refusal says that nobody may speak but user and model.
fn refuses_rules(refusal: &str) -> bool {
    const WORDS: [&str; 6] = [
        "system role not supported",
        "system role is not supported",
        "does not support the system role",
        "does not support system",
        "only user and assistant roles are supported",
        "developer instruction is not enabled",
    ];
    WORDS.iter().any(|words| refusal.contains(words))
}

/// A message whose rules the user says, where nobody else may.
fn said_by_user(mut message: Value, omitted: Omitted) -> Value {
    if omitted.has(Field::SystemRole) && message["role"] == "system" {
        message["role"] = json!("user");
    }
    message
}

/// Whether a refusal says that reasoning must come back.
fn wants_reasoning(refusal: &str) -> bool {
    let demands = ["passed back", "missing", "required", "must be"];
    refusal.contains(REASONING_CONTENT) && demands.iter().any(|words| refusal.contains(words))
}

/// Whether an answer with calls goes back without the field for its reasoning.
fn lacks_reasoning(body: &Value) -> bool {
    let messages = body["messages"].as_array().into_iter().flatten();
    let mut calling = messages.filter(|message| message.get("tool_calls").is_some());
    calling.any(|message| message.get(REASONING_CONTENT).is_none())
}

/// The body that a request goes out with, to a server that refuses no field.
pub fn wire_body(request: &Request, model: &str) -> Value {
    body(request, &Endpoint::new("", model), Omitted::default())
}

/// The body of a request, with only what is set and what the server is not known to refuse.
pub(crate) fn body(request: &Request, endpoint: &Endpoint, omitted: Omitted) -> Value {
    // What wants it back from one round of a turn wants it from each.
    let came = request.messages.iter().any(|one| one.replay.contains_key(REASONING_CONTENT));
    let fills = came || omitted.has(Field::EmptyReasoning);
    let thoughts = Thoughts { fills, goes_back: !omitted.has(Field::Thoughts) };
    let messages = request.messages.iter().map(|one| message(one, thoughts));
    let messages = messages.map(|message| said_by_user(message, omitted));
    let messages = taking_turns(messages);
    let mut body = Map::new();
    let mut set = |field: Option<Field>, key: &str, value: Value| {
        if field.is_none_or(|field| !omitted.has(field)) {
            body.insert(key.to_owned(), value);
        }
    };
    set(None, "model", json!(request.model_at(endpoint)));
    set(None, "messages", Value::Array(messages));
    let streams = !omitted.has(Field::Stream);
    set(None, "stream", json!(streams));
    if streams {
        set(Some(Field::StreamOptions), "stream_options", json!({"include_usage": true}));
    }
    if let Some(temperature) = request.temperature_at(endpoint) {
        set(Some(Field::Temperature), "temperature", json!(temperature));
    }
    if let Some(most) = endpoint.wishes.max_tokens {
        let name = if omitted.has(Field::OldLimit) { NEW_LIMIT } else { MAX_TOKENS };
        set(Some(Field::MaxTokens), name, json!(most.min(omitted.most(request))));
    }
    let tools = request.tools_to_send().filter(|_| !omitted.has(Field::Tools));
    if let Some(tools) = tools {
        set(None, "tools", tools.clone());
        if !request.may_call {
            set(Some(Field::ToolChoice), "tool_choice", json!("none"));
        }
    }
    let effort = request.effort_at(endpoint).map(Thinking::as_str);
    match effort {
        _ if tools.is_some() && omitted.has(Field::NoThinking) => {
            set(Some(Field::NoEffort), EFFORT, json!("none"));
        }
        Some("none") => set(Some(Field::NoEffort), EFFORT, json!("none")),
        Some(effort) => set(Some(Field::Effort), EFFORT, json!(effort)),
        None => {}
    }
    Value::Object(body)
}

/// How reasoning goes back.
#[derive(Clone, Copy)]
struct Thoughts {
    /// Whether an answer with calls and without reasoning has an empty field for it.
    fills: bool,
    /// Whether reasoning goes back at all: some servers refuse what they sent themselves.
    goes_back: bool,
}

/// A message as the protocol has it.
fn message(message: &Message, Thoughts { fills, goes_back }: Thoughts) -> Value {
    let mut fields = Map::new();
    fields.insert("role".to_owned(), json!(message.role.as_str()));
    // Always a text, also beside calls: some servers refuse null. The memory block is no message of its
    // own: many servers take system text only first, and some no two messages of one role in a row.
    let memory = message.memory.as_deref().unwrap_or_default();
    fields.insert("content".to_owned(), json!(format!("{memory}{}", message.content)));
    if let Some(id) = message.call_id.as_ref().filter(|_| message.role == Role::Tool) {
        fields.insert("tool_call_id".to_owned(), json!(id));
    }
    if !message.calls.is_empty() {
        let calls = message.calls.iter().map(call).collect();
        fields.insert("tool_calls".to_owned(), Value::Array(calls));
    }
    let replayed = message.replay.iter().filter(|(key, _)| REPLAYED.contains(&key.as_str()));
    add_missing(&mut fields, replayed.filter(|_| goes_back));
    if goes_back && fills && !message.calls.is_empty() {
        fields.entry(REASONING_CONTENT).or_insert_with(|| json!(""));
    }
    Value::Object(fields)
}

fn call(call: &ToolCall) -> Value {
    let function = json!({"name": call.valid_name(), "arguments": call.valid_arguments()});
    let mut fields = Map::new();
    fields.insert("id".to_owned(), json!(call.id));
    fields.insert("type".to_owned(), json!("function"));
    fields.insert("function".to_owned(), function);
    add_missing(&mut fields, &call.extra);
    Value::Object(fields)
}

fn add_missing<'a>(
    fields: &mut Map<String, Value>,
    more: impl IntoIterator<Item = (&'a String, &'a Value)>,
) {
    for (key, value) in more {
        if !fields.contains_key(key) {
            fields.insert(key.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Map, Value, json};

    use super::{Field, Omitted, refused_field};
    use crate::llm::wire::Purpose;
    use crate::llm::{Endpoint, Message, Request, Role, ToolCall};

    fn body(request: &Request, model: &str, omitted: Omitted) -> Value {
        super::body(request, &Endpoint::new("", model), omitted)
    }

    fn request(messages: Vec<Message>) -> Request {
        let tools = json!([{"type": "function", "function": {"name": "f"}}]);
        Request {
            tools: Some(Arc::new(tools)),
            may_call: true,
            ..Request::plain(Purpose::Chat, messages)
        }
    }

    #[test]
    fn only_what_is_set_is_sent() {
        let mut request = request(vec![Message::text(Role::System, "s")]);
        let tools = json!([{"type": "function", "function": {"name": "f"}}]);
        let expected = json!({
            "model": "m", "messages": [{"role": "system", "content": "s"}], "stream": true,
            "stream_options": {"include_usage": true}, "tools": tools,
        });
        assert_eq!(body(&request, "m", Omitted::default()), expected);

        request.may_call = false;
        request.temperature = Some(0.1);
        request.model = Some("other".to_owned());
        let full = body(&request, "m", Omitted::default());
        assert_eq!((&full["tool_choice"], &full["model"]), (&json!("none"), &json!("other")));
        assert_eq!(full["temperature"].to_string(), "0.1");

        let effort = Omitted::default().with(Field::NoThinking);
        assert_eq!(body(&request, "m", effort)["reasoning_effort"], "none");
        // A server may know no effort at all; that it refuses another one says nothing of the word.
        let neither = body(&request, "m", effort.with(Field::NoEffort));
        assert_eq!(neither.get("reasoning_effort"), None);
        let wanted = effort.with(Field::Effort);
        assert_eq!(body(&request, "m", wanted)["reasoning_effort"], "none");

        request.tools = Some(Arc::new(json!([])));
        assert_eq!(body(&request, "m", effort).get("reasoning_effort"), None);
        let bare = Omitted::default().with(Field::StreamOptions).with(Field::Temperature);
        let bare = body(&request, "m", bare);
        let keys: Vec<&String> = bare.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["model", "messages", "stream"]);
    }

    #[test]
    fn rules_that_nobody_may_say_stand_before_the_first_words_of_the_user() {
        let said = vec![
            Message::text(Role::System, "Be brief."),
            Message::text(Role::User, "Hi"),
            Message::text(Role::Assistant, "Hello"),
        ];
        let whole = body(&request(said.clone()), "m", Omitted::default());
        for words in ["System role not supported", "Only user and assistant roles are supported!"] {
            assert_eq!(refused_field(&whole, words), Some(Field::SystemRole), "{words}");
        }
        let without = body(&request(said), "m", Omitted::default().with(Field::SystemRole));
        let expected = json!([{"role": "user", "content": "Be brief.\n\nHi"},
            {"role": "assistant", "content": "Hello"}]);
        assert_eq!(without["messages"], expected);
        assert_eq!(refused_field(&without, "System role not supported"), None);
    }

    #[test]
    fn an_answer_is_asked_for_as_a_whole_where_it_may_not_come_in_pieces() {
        let said = vec![Message::text(Role::User, "Hi")];
        let whole = body(&request(said.clone()), "m", Omitted::default());
        for (words, field) in [
            ("stream: Streaming is not supported for this model.", Some(Field::Stream)),
            ("Your organization must be verified to stream this model.", Some(Field::Stream)),
            (
                "Unsupported value: 'stream' does not support true with this model.",
                Some(Field::Stream),
            ),
            ("stream_options is not supported", Some(Field::StreamOptions)),
            ("the upstream does not support this", None),
            ("the stream broke off", None),
        ] {
            assert_eq!(refused_field(&whole, words), field, "{words}");
        }
        let at_once = body(&request(said), "m", Omitted::default().with(Field::Stream));
        assert_eq!((&at_once["stream"], at_once.get("stream_options")), (&json!(false), None));
    }

    #[test]
    fn reasoning_does_not_go_back_to_whom_does_not_take_it() {
        let mut thought = Message::text(Role::Assistant, "Hello");
        thought.replay.insert("reasoning".to_owned(), json!("hm"));
        let request = request(vec![Message::text(Role::User, "Hi"), thought]);
        let whole = body(&request, "m", Omitted::default());
        let groq = "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property \
                    'reasoning' is unsupported)]";
        assert_eq!(refused_field(&whole, groq), Some(Field::Thoughts));
        let other = "messages.2.reasoning_content: Extra inputs are not permitted";
        assert_eq!(refused_field(&whole, other), None, "that is not what was sent");
        let without = body(&request, "m", Omitted::default().with(Field::Thoughts));
        assert_eq!(without["messages"][1], json!({"role": "assistant", "content": "Hello"}));
        assert_eq!(refused_field(&without, groq), None);
    }

    #[test]
    fn a_limit_goes_out_under_the_name_that_the_model_takes() {
        let mut at = Endpoint::new("", "m");
        at.wishes.max_tokens = Some(500);
        let request = request(vec![Message::text(Role::User, "Hi")]);
        let whole = super::body(&request, &at, Omitted::default());
        let words = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' \
                     instead.";
        assert_eq!(refused_field(&whole, words), Some(Field::OldLimit));
        let renamed = super::body(&request, &at, Omitted::default().with(Field::OldLimit));
        let sent = (renamed.get("max_tokens"), &renamed["max_completion_tokens"]);
        assert_eq!(sent, (None, &json!(500)));
        let neither = "max_completion_tokens is not supported";
        assert_eq!(refused_field(&renamed, neither), Some(Field::MaxTokens));
    }

    #[test]
    fn calls_and_their_results_go_back_in_the_form_that_all_servers_take() {
        let call = |arguments: &str| ToolCall {
            id: "a".to_owned(),
            name: "f x".to_owned(),
            arguments: arguments.to_owned(),
            extra: json!({"extra_content": 1, "id": "no"}).as_object().unwrap().clone(),
        };
        let mut assistant = Message::text(Role::Assistant, "");
        assistant.calls = vec![call("{\"x\":1}"), call("{\"x\""), call("[]")];
        assistant.replay.insert("reasoning_content".to_owned(), json!("r"));
        assistant.replay.insert("content".to_owned(), json!("no"));
        let body = body(
            &request(vec![assistant, Message::tool_result("a", "ok")]),
            "m",
            Omitted::default(),
        );
        let sent = |arguments: &str| {
            json!({
                "id": "a", "type": "function", "extra_content": 1,
                "function": {"name": "f_x", "arguments": arguments},
            })
        };
        assert_eq!(
            body["messages"],
            json!([
                {"role": "assistant", "content": "", "reasoning_content": "r",
                 "tool_calls": [sent("{\"x\":1}"), sent("{}"), sent("{}")]},
                {"role": "tool", "content": "ok", "tool_call_id": "a"},
            ])
        );
    }

    #[test]
    fn reasoning_goes_back_from_each_round_of_a_turn_where_its_server_wants_it() {
        let round = |reasoning: Option<&str>| {
            let call = ToolCall {
                id: "a".to_owned(),
                name: "f".to_owned(),
                arguments: "{}".to_owned(),
                extra: Map::new(),
            };
            let replay = reasoning.map(|text| ("reasoning_content".to_owned(), json!(text)));
            let replay = replay.into_iter().collect();
            Message { calls: vec![call], replay, ..Message::text(Role::Assistant, "") }
        };
        let sent = |rounds: &[Option<&str>], omitted: Omitted| -> Vec<Value> {
            let mut said =
                vec![Message::text(Role::User, "Hi"), Message::text(Role::Assistant, "hi")];
            said.push(Message::text(Role::User, "Do it."));
            for reasoning in rounds {
                said.extend([round(*reasoning), Message::tool_result("a", "ok")]);
            }
            let body = body(&request(said), "m", omitted);
            let messages = body["messages"].as_array().unwrap();
            let messages = messages.iter().filter(|message| message["role"] == "assistant");
            messages.map(|message| message["reasoning_content"].clone()).collect()
        };
        let (none, empty) = (Omitted::default(), Omitted::default().with(Field::EmptyReasoning));
        assert_eq!(sent(&[Some("r"), None], none), [json!(null), json!("r"), json!("")]);
        assert_eq!(sent(&[None, None], none), [json!(null), json!(null), json!(null)]);
        assert_eq!(sent(&[None, None], empty), [json!(null), json!(""), json!("")]);
    }

    #[test]
    fn a_refused_field_is_recognised_only_if_it_was_sent() {
        let all =
            json!({"stream_options": {}, "tools": [], "tool_choice": "none", "temperature": 1});
        let few = json!({"tools": []});
        let bare = json!({"messages": []});
        let with_effort = json!({"tools": [], "reasoning_effort": "none"});
        let high = json!({"tools": [], "reasoning_effort": "high"});
        let calling = json!({"messages": [{"role": "assistant", "tool_calls": [{}]}]});
        let wanted = "The `reasoning_content` in the thinking mode must be passed back to the API.";
        let cases: Vec<(&Value, &str, Option<Field>)> = vec![
            (
                &all,
                "body.stream_options: Extra inputs are not permitted",
                Some(Field::StreamOptions),
            ),
            (&all, "gemma does not support tools", Some(Field::Tools)),
            (&all, "No endpoints found that support tool use.", Some(Field::Tools)),
            (&all, "Unknown parameter: 'tool_choice'", Some(Field::ToolChoice)),
            (&few, "\"auto\" tool choice requires --enable-auto-tool-choice", Some(Field::Tools)),
            (&few, "Unknown parameter: 'tool_choice'", None),
            (&few, "Tool choice is none, but model called a tool", None),
            (&all, "invalid Temperature: only 1 is allowed", Some(Field::Temperature)),
            (&few, "Unknown field temperature", None),
            (&all, "tool_calls must be followed by messages with role 'tool'", None),
            (&all, "the model is overloaded", None),
            (&few, "tools[0].function.parameters: additionalProperties is not supported", None),
            (&few, "Invalid tools: too many", None),
            (
                &few,
                "Function tools with reasoning_effort are not supported for gpt-6-luna in \
                 /v1/chat/completions. To use function tools, use /v1/responses or set \
                 reasoning_effort to 'none'.",
                Some(Field::NoThinking),
            ),
            (&bare, "reasoning_effort is not supported", None),
            (&calling, wanted, Some(Field::EmptyReasoning)),
            (&bare, wanted, None),
            (&calling, "reasoning_content: Extra inputs are not permitted", None),
            (&with_effort, "reasoning_effort must be low, medium or high", Some(Field::NoEffort)),
            (&high, "reasoning_effort is not supported with this model", Some(Field::Effort)),
            (
                &high,
                "Function tools with reasoning_effort are not supported. Set reasoning_effort to 'none'.",
                Some(Field::NoThinking),
            ),
        ];
        for (body, refusal, expected) in cases {
            assert_eq!(refused_field(body, refusal), expected, "{refusal}");
        }
    }
}
