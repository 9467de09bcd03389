//! From the window to the messages of a request: the only place where one becomes the other.

use std::sync::Arc;

use serde_json::Map;

use crate::llm::{self, Completion};
use crate::memory::{self, Window};

/// The messages of a request: the window, then what happened in this turn so far.
pub(super) fn messages(window: &Window, turn: &[llm::Message]) -> Vec<llm::Message> {
    let window = window.messages().into_iter();
    window
        .map(|(role, text)| llm::Message::text(wire_role(role), text))
        .chain(turn.iter().cloned())
        .collect()
}

/// The messages of a prompt, given as role and content.
pub(super) fn prompt_messages(prompt: Vec<(&'static str, String)>) -> Vec<llm::Message> {
    let role = |word: &str| if word == "system" { llm::Role::System } else { llm::Role::User };
    prompt.into_iter().map(|(word, text)| llm::Message::text(role(word), text)).collect()
}

/// An answer that called tools, as it goes back to the model.
pub(super) fn calling_message(completion: &Completion) -> llm::Message {
    llm::Message {
        role: llm::Role::Assistant,
        content: Arc::from(completion.text.as_str()),
        calls: completion.calls.clone(),
        call_id: None,
        replay: completion.replay.clone(),
    }
}

/// The result of a call, as it goes back to the model.
pub(super) fn result_message(call: &llm::ToolCall, result: &serde_json::Value) -> llm::Message {
    llm::Message {
        replay: Map::new(),
        ..llm::Message::tool_result(call.id.clone(), result.to_string())
    }
}

fn wire_role(role: memory::Role) -> llm::Role {
    match role {
        memory::Role::System => llm::Role::System,
        memory::Role::User => llm::Role::User,
        memory::Role::Assistant => llm::Role::Assistant,
    }
}
