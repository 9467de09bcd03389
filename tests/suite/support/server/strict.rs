//! The rules of the strictest providers for a chat request.

use serde_json::{Map, Value, json};

/// Everything about a request that some provider would refuse.
pub(super) fn violations(request: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let Some(request) = request.as_object() else {
        return vec!["the body is no JSON object".to_owned()];
    };
    check_fields(request, &mut found);
    match request.get("messages").and_then(Value::as_array) {
        Some(messages) if !messages.is_empty() => check_messages(messages, &mut found),
        _ => found.push("messages are missing".to_owned()),
    }
    let messages = request.get("messages").and_then(Value::as_array);
    let has_calls =
        messages.into_iter().flatten().any(|message| message.get("tool_calls").is_some());
    match request.get("tools") {
        Some(tools) => check_tools(tools, &mut found),
        None if has_calls => {
            found.push("tools must be given when a message has tool_calls".to_owned());
        }
        None => {}
    }
    found
}

/// What today's models of OpenAI answer here to tools, unless they are told not to think; nobody who does not know
/// the model can know it before.
pub(super) fn thinks_beside_tools(request: &Value) -> Option<String> {
    let model = request["model"].as_str().filter(|model| model.starts_with("gpt-6"))?;
    let takes = request.get("tools").is_none() || request["reasoning_effort"] == "none";
    let message = format!(
        "Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. To use \
         function tools, use /v1/responses or set reasoning_effort to 'none'."
    );
    let error =
        json!({"message": message, "type": "invalid_request_error", "param": "reasoning_effort"});
    (!takes).then(|| json!({ "error": error }).to_string())
}

fn check_fields(request: &Map<String, Value>, found: &mut Vec<String>) {
    const KNOWN: [&str; 8] = [
        "model",
        "messages",
        "stream",
        "stream_options",
        "temperature",
        "tools",
        "tool_choice",
        "reasoning_effort",
    ];
    for key in request.keys().filter(|key| !KNOWN.contains(&key.as_str())) {
        found.push(format!("{key}: extra inputs are not permitted"));
    }
    if request.get("model").and_then(Value::as_str).is_none_or(str::is_empty) {
        found.push("model is missing".to_owned());
    }
    if request.get("stream") != Some(&Value::Bool(true)) {
        found.push("stream is not true".to_owned());
    }
    match request.get("tool_choice") {
        None => {}
        Some(_) if !request.contains_key("tools") => {
            found.push("tool_choice without tools".to_owned());
        }
        Some(choice) if choice == "none" || choice == "auto" => {}
        Some(choice) => found.push(format!("tool_choice {choice} is not accepted")),
    }
}

fn check_messages(messages: &[Value], found: &mut Vec<String>) {
    let roles: Vec<&str> =
        messages.iter().map(|message| message["role"].as_str().unwrap_or_default()).collect();
    let systems = roles.iter().filter(|role| **role == "system").count();
    if systems != 1 || roles[0] != "system" {
        found.push(format!("there must be one system message, first; roles are {roles:?}"));
    }
    if !matches!(roles.last(), Some(&("user" | "tool"))) {
        found.push(format!("the last message must be of the user or a tool; roles are {roles:?}"));
    }
    let mut open: Vec<String> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let mut complain = |what: &str| found.push(format!("message {at}: {what}"));
        if !open.is_empty() && roles[at] != "tool" {
            complain(&format!("tool calls {open:?} were not answered"));
            open.clear();
        }
        if message.get("content").and_then(Value::as_str).is_none() {
            complain("content is no string");
        }
        match roles[at] {
            "tool" => {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                if open.first().is_none_or(|expected| expected != id) {
                    complain(&format!("result of {id:?} where the open calls are {open:?}"));
                }
                open.retain(|expected| expected != id);
            }
            "user" if at > 0 && ["tool", "user"].contains(&roles[at - 1]) => {
                complain(&format!("unexpected role user after role {}", roles[at - 1]));
            }
            "user" if message["content"] == "" => complain("a message of the user without words"),
            "assistant" => open = check_assistant(message, &mut complain),
            "system" | "user" => {}
            other => complain(&format!("unknown role {other:?}")),
        }
        if roles[at] != "assistant" && message.get("tool_calls").is_some() {
            complain("only an assistant message may hold tool_calls");
        }
    }
    if !open.is_empty() {
        found.push(format!("at the end: tool calls {open:?} were not answered"));
    }
    let calls = messages.iter().filter_map(|message| message["tool_calls"].as_array()).flatten();
    let mut ids: Vec<&str> = calls.filter_map(|call| call["id"].as_str()).collect();
    ids.sort_unstable();
    let (named, mut once) = (ids.len(), ids);
    once.dedup();
    if once.len() < named {
        found.push(format!("an id names two calls; the ids are {once:?}"));
    }
}

/// Checks an assistant message and gives the ids that must be answered next.
fn check_assistant(message: &Value, complain: &mut impl FnMut(&str)) -> Vec<String> {
    let calls = match message.get("tool_calls") {
        None => &[][..],
        Some(Value::Array(calls)) if !calls.is_empty() => calls,
        Some(_) => {
            complain("tool_calls must be absent or a list that is not empty");
            &[]
        }
    };
    if calls.is_empty() && message["content"].as_str().is_none_or(str::is_empty) {
        complain("an assistant message with neither content nor calls");
    }
    let mut ids = Vec::new();
    for call in calls {
        let id = call["id"].as_str().unwrap_or_default().to_owned();
        if id.is_empty() || ids.contains(&id) {
            complain(&format!("call id {id:?} is empty or used twice"));
        }
        if call["type"] != "function" {
            complain("a call's type is not function");
        }
        if !is_name(&call["function"]["name"]) {
            complain(&format!("{} is no function name", call["function"]["name"]));
        }
        let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
        if serde_json::from_str::<Map<String, Value>>(arguments).is_err() {
            complain(&format!("arguments {arguments:?} are no JSON object"));
        }
        ids.push(id);
    }
    ids
}

fn check_tools(tools: &Value, found: &mut Vec<String>) {
    let Some(tools) = tools.as_array().filter(|tools| !tools.is_empty()) else {
        found.push("tools must be absent or a list that is not empty".to_owned());
        return;
    };
    let mut names = Vec::new();
    for tool in tools {
        let function = &tool["function"];
        if tool["type"] != "function" || !is_name(&function["name"]) {
            found.push(format!("tool {tool} has no type function or no valid name"));
        }
        if names.contains(&&function["name"]) {
            found.push(format!("tool {} is defined twice", function["name"]));
        }
        names.push(&function["name"]);
        if function.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
            found.push(format!("tool {} has no description", function["name"]));
        }
        check_schema(&function["parameters"], &format!("tool {}", function["name"]), found);
    }
}

/// Checks the schema of an object, and of the objects and lists inside it.
fn check_schema(schema: &Value, place: &str, found: &mut Vec<String>) {
    const TYPES: [&str; 6] = ["object", "string", "integer", "number", "boolean", "array"];
    let kind = schema["type"].as_str().unwrap_or_default();
    if !TYPES.contains(&kind) {
        found.push(format!("{place}: schema type {} is unknown", schema["type"]));
    }
    if kind == "array" {
        check_schema(&schema["items"], &format!("{place}[]"), found);
    }
    if kind != "object" {
        return;
    }
    let Some(properties) = schema["properties"].as_object() else {
        found.push(format!("{place}: an object schema without properties"));
        return;
    };
    for (name, property) in properties {
        check_schema(property, &format!("{place}.{name}"), found);
    }
    let required = schema.get("required").and_then(Value::as_array);
    for name in required.into_iter().flatten() {
        if name.as_str().is_none_or(|name| !properties.contains_key(name)) {
            found.push(format!("{place}: requires {name}, which is no property"));
        }
    }
}

fn is_name(name: &Value) -> bool {
    let valid = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    name.as_str()
        .is_some_and(|name| !name.is_empty() && name.len() <= 64 && name.chars().all(valid))
}
