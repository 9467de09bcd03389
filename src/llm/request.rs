//! Builds request bodies that every known server takes, and learns what one of them refuses.

use serde_json::{Map, Value, json};

use super::{Message, Request, Role, ToolCall};

/// A field that some servers refuse and that a request can do without, or that some want.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    StreamOptions,
    ToolChoice,
    Temperature,
    Tools,
    /// `reasoning_effort`, which is sent, as `none`, to servers that take tools only with it.
    Effort,
}

impl Field {
    const ALL: [Self; 5] =
        [Self::StreamOptions, Self::ToolChoice, Self::Temperature, Self::Tools, Self::Effort];

    /// What leaving it out means, or sending it, for people.
    pub(crate) fn notice(self) -> &'static str {
        match self {
            Self::StreamOptions => {
                "The server takes no stream_options, so it may not say how many tokens it used."
            }
            Self::ToolChoice => {
                "The server takes no tool_choice, so it cannot be told to answer without tools."
            }
            Self::Temperature => "The server takes no temperature, so it uses its own.",
            Self::Tools => {
                "The server takes no tools, so the model cannot open or close efforts itself; use \
                 the slash commands."
            }
            Self::Effort => {
                "Over this protocol the model takes tools only without thinking, so it answers without."
            }
        }
    }

    fn key(self) -> &'static str {
        match self {
            Self::StreamOptions => "stream_options",
            Self::ToolChoice => "tool_choice",
            Self::Temperature => "temperature",
            Self::Tools => "tools",
            Self::Effort => "reasoning_effort",
        }
    }

    /// Other words by which servers name it.
    fn phrases(self) -> &'static [&'static str] {
        match self {
            Self::StreamOptions => &["stream options"],
            Self::ToolChoice => &["tool choice"],
            Self::Temperature | Self::Effort => &[],
            Self::Tools => {
                &["tool use", "tool calling", "function calling", "tool choice", "tool_choice"]
            }
        }
    }
}

/// The fields that a server refused; for [`Field::Effort`], that it wants it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Omitted([bool; Field::ALL.len()]);

impl Omitted {
    /// The same with one more.
    pub(crate) fn with(mut self, field: Field) -> Self {
        self.0[field as usize] = true;
        self
    }

    /// All that are in either.
    pub(crate) fn union(self, other: Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] || other.0[at]))
    }

    fn has(self, field: Field) -> bool {
        self.0[field as usize]
    }
}

/// The field of `body` that a refusal names, if the request can go out without it, or, where the refusal is
/// about thinking beside tools, with it.
pub(crate) fn refused_field(body: &Value, refusal: &str) -> Option<Field> {
    let refusal = refusal.to_lowercase();
    let about_effort = ["reasoning_effort", "reasoning effort", "reasoning.effort"];
    if about_effort.iter().any(|words| refusal.contains(words)) {
        // Whatever else it names: with the field as wanted there is no need to go without tools.
        let wanted = body.get("tools").is_some() && body.get(Field::Effort.key()).is_none();
        return wanted.then_some(Field::Effort);
    }
    let names = |field: &Field| {
        names_word(&refusal, field.key())
            || field.phrases().iter().any(|phrase| refusal.contains(phrase))
    };
    let refused = |field: &Field| body.get(field.key()).is_some() && names(field);
    Field::ALL
        .into_iter()
        .find(|field| refused(field) && (*field != Field::Tools || refuses_tools(&refusal)))
}

/// Whether a refusal that names the tools says that there may be none, and not that something about them, or
/// beside them, is wrong.
fn refuses_tools(refusal: &str) -> bool {
    const WITHOUT: [&str; 15] = [
        "not support",
        "unsupported",
        "n't support",
        "not permitted",
        "not allowed",
        "unknown",
        "unrecognized",
        "unexpected",
        "extra inputs",
        "no endpoints",
        "requires --",
        "require --",
        "not available",
        "not enabled",
        "not implemented",
    ];
    WITHOUT.iter().any(|words| refusal.contains(words))
}

/// Whether the word occurs and is not part of a longer one, nor the beginning of a place below it, as in
/// `tools[0].function`.
fn names_word(text: &str, word: &str) -> bool {
    let part_of_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let after = &text[at + word.len()..];
        let below = after.strip_prefix('.').is_some_and(|rest| rest.starts_with(part_of_word));
        let goes_on = below || after.starts_with('[') || after.starts_with(part_of_word);
        !goes_on && !text[..at].ends_with(part_of_word)
    })
}

/// The body that a request goes out with, to a server that refuses no field.
pub fn wire_body(request: &Request, model: &str) -> Value {
    body(request, model, Omitted::default())
}

/// The body of a request, with only what is set and what the server is not known to refuse.
pub(crate) fn body(request: &Request, model: &str, omitted: Omitted) -> Value {
    let messages: Vec<Value> = request.messages.iter().map(message).collect();
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(request.model.as_deref().unwrap_or(model)));
    body.insert("messages".to_owned(), Value::Array(messages));
    body.insert("stream".to_owned(), json!(true));
    let mut set = |field: Field, value: Value| {
        if !omitted.has(field) {
            body.insert(field.key().to_owned(), value);
        }
    };
    set(Field::StreamOptions, json!({"include_usage": true}));
    if let Some(temperature) = request.temperature {
        // Rounded, because 0.1 as a wider float is 0.10000000149.
        set(Field::Temperature, json!((f64::from(temperature) * 1000.0).round() / 1000.0));
    }
    let tools =
        request.tools.as_deref().filter(|tools| tools.as_array().is_some_and(|t| !t.is_empty()));
    if let Some(tools) = tools.filter(|_| !omitted.has(Field::Tools)) {
        set(Field::Tools, tools.clone());
        if !request.may_call {
            set(Field::ToolChoice, json!("none"));
        }
        if omitted.has(Field::Effort) {
            body.insert(Field::Effort.key().to_owned(), json!("none"));
        }
    }
    Value::Object(body)
}

fn message(message: &Message) -> Value {
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
    add_missing(&mut fields, &message.replay);
    Value::Object(fields)
}

fn call(call: &ToolCall) -> Value {
    let is_object = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
    let arguments = if is_object { call.arguments.as_str() } else { "{}" };
    let function = json!({"name": valid_name(&call.name), "arguments": arguments});
    let mut fields = Map::new();
    fields.insert("id".to_owned(), json!(call.id));
    fields.insert("type".to_owned(), json!("function"));
    fields.insert("function".to_owned(), function);
    add_missing(&mut fields, &call.extra);
    Value::Object(fields)
}

/// A name in the form that servers demand, also where a model invented another.
fn valid_name(name: &str) -> String {
    let valid = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
    let name: String = name.chars().take(64).map(valid).collect();
    if name.is_empty() { "unnamed".to_owned() } else { name }
}

fn add_missing(fields: &mut Map<String, Value>, more: &Map<String, Value>) {
    for (key, value) in more {
        if !fields.contains_key(key) {
            fields.insert(key.clone(), value.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::{Field, Omitted, body, refused_field};
    use crate::llm::wire::Purpose;
    use crate::llm::{Message, Request, Role, ToolCall};

    fn request(messages: Vec<Message>) -> Request {
        let tools = json!([{"type": "function", "function": {"name": "f"}}]);
        Request {
            purpose: Purpose::Chat,
            messages,
            tools: Some(Arc::new(tools)),
            may_call: true,
            temperature: None,
            model: None,
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

        let effort = Omitted::default().with(Field::Effort);
        assert_eq!(body(&request, "m", effort)["reasoning_effort"], "none");

        request.tools = Some(Arc::new(json!([])));
        assert_eq!(body(&request, "m", effort).get("reasoning_effort"), None);
        let bare = Omitted::default().with(Field::StreamOptions).with(Field::Temperature);
        let bare = body(&request, "m", bare);
        let keys: Vec<&String> = bare.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["model", "messages", "stream"]);
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
    fn a_refused_field_is_recognised_only_if_it_was_sent() {
        let all =
            json!({"stream_options": {}, "tools": [], "tool_choice": "none", "temperature": 1});
        let few = json!({"tools": []});
        let bare = json!({"messages": []});
        let with_effort = json!({"tools": [], "reasoning_effort": "none"});
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
                Some(Field::Effort),
            ),
            (&bare, "reasoning_effort is not supported", None),
            (&with_effort, "reasoning_effort must be low, medium or high", None),
        ];
        for (body, refusal, expected) in cases {
            assert_eq!(refused_field(body, refusal), expected, "{refusal}");
        }
    }
}
