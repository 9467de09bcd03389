//! What goes over the wire, after every server's peculiarities have been taken away.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::failure::presentable;

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Instructions; always the first message, and only one.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The result of a tool call.
    Tool,
}

impl Role {
    /// The protocol's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::Tool => "tool",
        }
    }
}

/// One message of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// The program's memory block, which goes in front of the user's words; `None` for none.
    pub memory: Option<Arc<str>>,
    /// Its text; empty for an assistant message that only calls tools.
    pub content: Arc<str>,
    /// Calls made by an assistant message.
    pub calls: Vec<ToolCall>,
    /// For a tool message: the call that it answers.
    pub call_id: Option<String>,
    /// Fields to send back as they came (see [`super::Completion::replay`]).
    pub replay: Map<String, Value>,
}

impl Message {
    /// A message that is only text.
    pub fn text(role: Role, content: impl Into<Arc<str>>) -> Self {
        let (calls, replay) = (Vec::new(), Map::new());
        Self { role, memory: None, content: content.into(), calls, call_id: None, replay }
    }

    /// The result of a tool call.
    pub fn tool_result(call_id: impl Into<String>, content: impl Into<Arc<str>>) -> Self {
        Self { call_id: Some(call_id.into()), ..Self::text(Role::Tool, content) }
    }
}

/// One tool call, as the model made it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The server's id, or one of nine letters and digits that we made because none came.
    pub id: String,
    /// The tool's name, without leaked control tokens.
    pub name: String,
    /// The arguments as text, unparsed: whoever runs the call parses them and answers a mistake with a
    /// tool error. Empty, `null` and blank arguments arrive here as `{}`.
    pub arguments: String,
    /// Unknown fields of the call that must go back as they came (`extra_content`, ...).
    pub extra: Map<String, Value>,
}

/// What a request is for. Scripts answer each purpose from its own list; the ledger counts by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// A round of the conversation.
    Chat,
    /// The summary of a concluded effort.
    Summarize,
    /// A map or reduce step of a compression.
    Compress,
}

/// One request to a model.
#[derive(Debug, Clone)]
pub struct Request {
    /// What it is for.
    pub purpose: Purpose,
    /// The messages; the first is the only system message.
    pub messages: Vec<Message>,
    /// Tool definitions in the protocol's form (a JSON array), if the model may see them.
    pub tools: Option<Arc<Value>>,
    /// Whether the model may call them; with `false`, `tool_choice` is `"none"`.
    pub may_call: bool,
    /// Sampling temperature, only where a rule names one.
    pub temperature: Option<f32>,
    /// Another model of the same server than the configured one.
    pub model: Option<String>,
}

/// Why an answer ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum FinishReason {
    /// The model was done, or the server did not say.
    #[default]
    Stop,
    /// The model wants the results of its calls.
    ToolCalls,
    /// The answer hit a length limit and is cut.
    Length,
    /// The server's filter cut it.
    ContentFilter,
    /// Something else, as the server put it, made fit to show.
    Other(String),
}

impl FinishReason {
    /// What a server's word for it means.
    pub fn from_word(word: &str) -> Self {
        match word {
            "stop" | "eos" | "end_turn" | "stop_sequence" => Self::Stop,
            "tool_calls" | "function_call" | "tool_use" => Self::ToolCalls,
            "length" | "max_tokens" | "MAX_TOKENS" | "model_context_window_exceeded" => {
                Self::Length
            }
            "content_filter" | "refusal" | "sensitive" | "safety" | "SAFETY" => Self::ContentFilter,
            other => Self::Other(presentable(other)),
        }
    }

    /// The word for it, as most servers say it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::Other(word) => word,
        }
    }

    /// What a person is told of a reply that ended so; `None` when it is whole, as far as anyone can tell.
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Other(word) => Some(format!(
                "The server ended the reply for a reason that is not known here: {word:?}. The reply may \
                 not be whole."
            )),
            known => known.shortfall().map(|shortfall| format!("The reply {shortfall}.")),
        }
    }

    /// Why an answer is not whole, as the end of a sentence about it; `None` when it is, as far as anyone
    /// can tell.
    pub fn shortfall(&self) -> Option<&'static str> {
        match self {
            Self::Length => Some("was cut at the model's length limit"),
            Self::ContentFilter => Some("was cut short by the server's content filter"),
            Self::Stop | Self::ToolCalls | Self::Other(_) => None,
        }
    }
}

/// Tokens as the server measured them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens of the request, whatever they cost.
    pub prompt: u64,
    /// Tokens of the answer, reasoning included.
    pub completion: u64,
    /// Tokens of the request that came from the server's cache; `None` if it does not say.
    pub cached: Option<u64>,
    /// Tokens of the request that were written to a cache that charges for it.
    pub written: u64,
}
