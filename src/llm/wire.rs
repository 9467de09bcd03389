//! What goes over the wire, after every server's peculiarities have been taken away.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Endpoint;
use super::failure::presentable;
use crate::providers::Thinking;

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

impl ToolCall {
    /// The name in the form that servers demand, also where a model invented another.
    pub(crate) fn valid_name(&self) -> String {
        let valid = |c: char| if c.is_ascii_alphanumeric() || "_-".contains(c) { c } else { '_' };
        let name: String = self.name.chars().take(64).map(valid).collect();
        if name.is_empty() { "unnamed".to_owned() } else { name }
    }

    /// The arguments as the text of an object, as servers demand them.
    pub(crate) fn valid_arguments(&self) -> &str {
        let is_object = serde_json::from_str::<Map<String, Value>>(&self.arguments).is_ok();
        if is_object { &self.arguments } else { "{}" }
    }

    /// The same as an object.
    pub(crate) fn input(&self) -> Value {
        serde_json::from_str(self.valid_arguments()).unwrap_or_default()
    }
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
    /// A question that is put twice, to compare the answers.
    Compare,
}

impl Purpose {
    /// Whether the answer is one to the person, and not a text about the conversation.
    pub fn is_talk(self) -> bool {
        matches!(self, Self::Chat | Self::Compare)
    }
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
    /// How hard to think; `None` for what the endpoint says.
    pub effort: Option<Thinking>,
    /// The most that any request of the conversation has, in tokens, for servers that must be told.
    pub budget: Option<u64>,
    /// A name for the conversation, under which a server may keep the beginnings of its prompts; `None` for what the
    /// endpoint says.
    pub cache_key: Option<Arc<str>>,
    /// Whether the server is asked to keep these for an hour, where it lets one choose.
    pub keeps_hour: bool,
}

impl Request {
    /// A request that offers no tools and leaves the rest to the endpoint.
    pub fn plain(purpose: Purpose, messages: Vec<Message>) -> Self {
        Self {
            purpose,
            messages,
            tools: None,
            may_call: false,
            temperature: None,
            model: None,
            effort: None,
            budget: None,
            cache_key: None,
            keeps_hour: false,
        }
    }

    /// The model that is asked.
    pub(crate) fn model_at<'a>(&'a self, endpoint: &'a Endpoint) -> &'a str {
        self.model.as_deref().unwrap_or(&endpoint.model)
    }

    /// How hard to think.
    pub(crate) fn effort_at(&self, endpoint: &Endpoint) -> Option<Thinking> {
        self.effort.or(endpoint.wishes.effort)
    }

    /// The temperature, rounded, because 0.1 as a wider float is 0.10000000149.
    pub(crate) fn temperature_at(&self, endpoint: &Endpoint) -> Option<f64> {
        let temperature = self.temperature.or(endpoint.wishes.temperature);
        temperature.map(|temperature| (f64::from(temperature) * 1000.0).round() / 1000.0)
    }

    /// How long its texts are.
    pub(crate) fn bytes(&self) -> u64 {
        let said = |message: &Message| {
            let calls = message.calls.iter().map(|call| call.name.len() + call.arguments.len());
            let memory = message.memory.as_deref().unwrap_or_default();
            memory.len() + message.content.len() + calls.sum::<usize>()
        };
        let tools = self.tools_to_send().map_or(0, |tools| tools.to_string().len());
        (self.messages.iter().map(said).sum::<usize>() + tools) as u64
    }

    /// The tools, if there are any.
    pub(crate) fn tools_to_send(&self) -> Option<&Value> {
        self.tools.as_deref().filter(|tools| tools.as_array().is_some_and(|t| !t.is_empty()))
    }
}

/// Our word for the end of an answer in which the model itself refuses. Servers end those with "stop", and "refusal" is
/// Anthropic's word for what its filter stopped.
const REFUSED: &str = "model_refusal";

/// Whether a word for the end of an answer that is not known says that it came to its end: none of its parts says that
/// something was in the way.
fn tells_end(word: &str) -> bool {
    const ENDS: [&str; 12] = [
        "complete",
        "completed",
        "done",
        "end",
        "ended",
        "eos",
        "eot",
        "finish",
        "finished",
        "normal",
        "stop",
        "stopped",
    ];
    const NEUTRAL: [&str; 8] = ["id", "of", "reason", "sequence", "text", "token", "turn", "ok"];
    let lower = word.to_lowercase();
    let parts =
        || lower.split(|sign: char| !sign.is_alphanumeric()).filter(|part| !part.is_empty());
    let is_end = |part: &str| ENDS.contains(&part);
    parts().any(is_end) && parts().all(|part| is_end(part) || NEUTRAL.contains(&part))
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
    /// The model was done, and what it said is that it will not do what was asked.
    Refusal,
    /// Something else, as the server put it, made fit to show.
    Other(String),
}

impl FinishReason {
    /// What a server's word for it means.
    pub fn from_word(word: &str) -> Self {
        match word {
            "stop" | "STOP" | "eos" | "eos_token" | "end_turn" | "stop_sequence" | "complete"
            | "completed" | "COMPLETE" => Self::Stop,
            "tool_calls" | "function_call" | "tool_use" => Self::ToolCalls,
            "length" | "max_tokens" | "MAX_TOKENS" | "model_context_window_exceeded" => {
                Self::Length
            }
            REFUSED => Self::Refusal,
            "content_filter" | "refusal" | "sensitive" | "safety" | "SAFETY" => Self::ContentFilter,
            other => Self::Other(presentable(other)),
        }
    }

    /// The reason beside these calls: servers contradict themselves here, and what came decides.
    pub(crate) fn beside(self, calls: &[ToolCall]) -> Self {
        match self {
            Self::Stop if !calls.is_empty() => Self::ToolCalls,
            Self::ToolCalls if calls.is_empty() => Self::Stop,
            other => other,
        }
    }

    /// Whether it says nothing of an answer in which nothing is.
    pub(crate) fn explains_nothing(&self) -> bool {
        matches!(self, Self::Stop | Self::ToolCalls)
    }

    /// The word for it, as most servers say it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
            Self::ContentFilter => "content_filter",
            Self::Refusal => REFUSED,
            Self::Other(word) => word,
        }
    }

    /// What a person is told of a reply that ended so; `None` when it is whole, as far as anyone can tell.
    pub fn warning(&self) -> Option<String> {
        match self {
            Self::Other(word) if word == "pause_turn" => Some(
                "The model paused before its reply was complete. Say \"go on\" to have the rest."
                    .to_owned(),
            ),
            Self::Other(word) if word == "compaction" => Some(
                "The server shortened the conversation by itself instead of answering to its end, so that the reply may \
                 not be whole."
                    .to_owned(),
            ),
            Self::Other(word) if tells_end(word) => None,
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
            Self::Stop | Self::ToolCalls | Self::Refusal | Self::Other(_) => None,
        }
    }

    /// Why an answer may not stand for what it was made from, as the end of a sentence about it: it is not whole, as far as
    /// anyone can tell, or is no answer to that.
    pub fn unfit(&self) -> Option<String> {
        match self {
            Self::Refusal => Some("was the model's refusal".to_owned()),
            Self::Other(word) if !tells_end(word) => {
                Some(format!("may not be whole: the server ended it with {word:?}"))
            }
            known => known.shortfall().map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::FinishReason;

    #[test]
    fn an_end_that_is_known_is_told_as_what_it_is() {
        let told = |word: &str| FinishReason::from_word(word).warning().unwrap_or_default();
        assert!(told("pause_turn").contains("paused before its reply was complete"));
        assert!(told("compaction").contains("shortened the conversation"));
        assert!(told("moonrise").contains("not known here: \"moonrise\""));
        assert_eq!(told("end_of_text"), "");
        assert_eq!(told("end_turn"), "");
    }

    #[test]
    fn only_a_whole_answer_stands_for_something_else() {
        let unfit = |word: &str| FinishReason::from_word(word).unfit().unwrap_or_default();
        for (word, why) in [
            ("stop", ""),
            ("STOP", ""),
            ("end_turn", ""),
            ("length", "length limit"),
            ("content_filter", "content filter"),
            ("abort", "ended it with \"abort\""),
            ("RECITATION", "may not be whole"),
            ("FINISH_REASON_ERROR", "may not be whole"),
            ("incomplete", "may not be whole"),
            ("FINISH_REASON_STOP", ""),
            ("end_of_text", ""),
            ("Finished", ""),
            ("pause_turn", "may not be whole"),
            ("model_refusal", "refusal"),
        ] {
            let told = unfit(word);
            assert!(told.contains(why) && told.is_empty() == why.is_empty(), "{word}: {told}");
        }
    }
}
