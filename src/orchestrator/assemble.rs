//! From the window to the messages of a request: the only place where one becomes the other.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::llm::{self, Completion, Purpose, Request};
use crate::memory::{self, Memory, Tokens, Window};

/// The messages of a request: the window, then what happened in this turn so far.
fn messages(window: &Window, turn: &[llm::Message]) -> Vec<llm::Message> {
    let window = window.messages().into_iter();
    window
        .map(|(role, text)| llm::Message::text(wire_role(role), text))
        .chain(turn.iter().cloned())
        .collect()
}

/// A request of the conversation: the window, the tool exchange of the turn so far, and the tools.
pub(super) fn chat_request(window: &Window, exchanged: &[llm::Message], may_call: bool) -> Request {
    Request {
        purpose: Purpose::Chat,
        messages: messages(window, exchanged),
        tools: Some(crate::tools::definitions()),
        may_call,
        temperature: None,
        model: None,
    }
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

/// What the messages of a tool exchange cost: their texts, the arguments of their calls, and the reasoning
/// that goes back with them.
pub(super) fn cost(exchanged: &[llm::Message], memory: &Memory) -> Tokens {
    exchanged.iter().map(|message| message_cost(message, memory)).sum()
}

/// Shortens a tool exchange to its room: the oldest results go first, then the oldest rounds as a whole,
/// so that every call that is sent keeps its result. Returns what the rest costs.
pub(super) fn keep_to(room: Tokens, exchanged: &mut Vec<llm::Message>, memory: &Memory) -> Tokens {
    let mut total = cost(exchanged, memory);
    for message in exchanged.iter_mut().filter(|message| message.call_id.is_some()) {
        if total <= room {
            return total;
        }
        let before = message_cost(message, memory);
        let short: Arc<str> = RESULT_LEFT_OUT.into();
        if memory.count(&short) < memory.count(&message.content) {
            message.content = short;
            total = total.saturating_sub(before) + message_cost(message, memory);
        }
    }
    while total > room {
        let results = exchanged.iter().skip(1).take_while(|message| message.call_id.is_some());
        let round = 1 + results.count();
        if round >= exchanged.len() {
            // Only the last round is left: its answers are needed to go on.
            return shorten_calls(total, room, exchanged, memory);
        }
        exchanged.drain(..round);
        total = cost(exchanged, memory);
    }
    total
}

/// Leaves the longest arguments of a round out, as long as it takes more than its room, and the reasoning
/// behind it. What must be there for a server stays there, empty. Returns what the round costs then.
fn shorten_calls(
    mut total: Tokens,
    room: Tokens,
    round: &mut [llm::Message],
    memory: &Memory,
) -> Tokens {
    let Some(asks) = round.first_mut() else { return total };
    let mut calls: Vec<_> = asks.calls.iter_mut().collect();
    calls.sort_by_key(|call| std::cmp::Reverse(call.arguments.len()));
    let short = memory.count(ARGUMENTS_LEFT_OUT);
    for call in calls {
        let long = memory.count(&call.arguments);
        if total <= room || long <= short {
            break;
        }
        ARGUMENTS_LEFT_OUT.clone_into(&mut call.arguments);
        total = total.saturating_sub(long) + short;
    }
    if total > room {
        asks.replay.retain(|_, value| value.is_string());
        asks.replay.values_mut().for_each(|value| *value = "".into());
    }
    cost(round, memory)
}

const ARGUMENTS_LEFT_OUT: &str = r#"{"left_out":"too long for the token budget"}"#;

const RESULT_LEFT_OUT: &str = "[result left out to keep to the token budget; call again if needed]";

/// Every text of a tool exchange with its cost.
pub(super) fn texts<'a>(exchanged: &'a [llm::Message], memory: &Memory) -> Vec<(&'a str, Tokens)> {
    let of = |message: &'a llm::Message| {
        let arguments = message.calls.iter().map(|call| &*call.arguments);
        std::iter::once(&*message.content).chain(arguments)
    };
    exchanged.iter().flat_map(of).map(|text| (text, memory.count(text))).collect()
}

fn message_cost(message: &llm::Message, memory: &Memory) -> Tokens {
    let arguments = message.calls.iter().map(|call| memory.count(&call.arguments));
    let replayed = message.replay.values().map(|value| match value {
        Value::String(text) => memory.count(text),
        other => memory.count(&other.to_string()),
    });
    memory.count(&message.content) + arguments.sum() + replayed.sum()
}

fn wire_role(role: memory::Role) -> llm::Role {
    match role {
        memory::Role::System => llm::Role::System,
        memory::Role::User => llm::Role::User,
        memory::Role::Assistant => llm::Role::Assistant,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::tests::Words;
    use crate::memory::{Frame, Rules};

    fn round(nth: usize) -> [llm::Message; 2] {
        let call = llm::ToolCall {
            id: format!("call-{nth}"),
            name: "search_efforts".into(),
            arguments: "{\"query\": \"plan\"}".into(),
            extra: Map::new(),
        };
        let mut asks = llm::Message::text(llm::Role::Assistant, "");
        asks.calls = vec![call.clone()];
        [asks, llm::Message::tool_result(call.id, "result ".repeat(100))]
    }

    #[test]
    fn the_last_round_keeps_its_calls_but_not_arguments_or_reasoning_beyond_its_room() {
        let frame = Frame { system_prompt: "prompt".into(), tools: "[]".into() };
        let memory = Memory::new(Rules::default(), frame, Arc::new(Words));
        let [mut asks, result] = round(0);
        asks.calls[0].arguments = format!("{{\"content\": \"{}\"}}", "word ".repeat(5_000));
        asks.replay.insert("reasoning_content".into(), "thought ".repeat(5_000).into());
        asks.replay.insert("reasoning_details".into(), Value::Array(vec!["sealed".into()]));
        let mut exchanged = vec![asks, result];
        assert!(cost(&exchanged, &memory) > Tokens(10_000));
        keep_to(Tokens(100), &mut exchanged, &memory);
        assert!(cost(&exchanged, &memory) <= Tokens(100));
        let asks = &exchanged[0];
        assert!(serde_json::from_str::<Map<String, Value>>(&asks.calls[0].arguments).is_ok());
        assert_eq!(
            Value::Object(asks.replay.clone()),
            serde_json::json!({"reasoning_content": ""})
        );
    }

    #[test]
    fn a_tool_exchange_keeps_to_its_room_and_every_call_keeps_its_result() {
        let frame = Frame { system_prompt: "prompt".into(), tools: "[]".into() };
        let memory = Memory::new(Rules::default(), frame, Arc::new(Words));
        for (room, rounds) in [(1_000, 6), (250, 6), (130, 6), (40, 2), (0, 1)] {
            let mut exchanged: Vec<llm::Message> = (0..6).flat_map(round).collect();
            keep_to(Tokens(room), &mut exchanged, &memory);
            assert_eq!(exchanged.len(), 2 * rounds, "{room}");
            assert!(cost(&exchanged, &memory) <= Tokens(room) || rounds == 1);
            for pair in exchanged.chunks(2) {
                assert_eq!(Some(&pair[0].calls[0].id), pair[1].call_id.as_ref());
            }
        }
    }
}
