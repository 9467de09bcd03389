//! What a message is to a server's cache.

use crate::bill::Prompt;
use crate::llm::{Message, Role};
use crate::memory::CountTokens;
use crate::orchestrator::sealed;

/// Appends a text as it is counted.
pub(super) fn push(prompt: &mut Prompt, text: &str, counter: &dyn CountTokens) {
    prompt.push(text.as_bytes(), counter.count(text).0);
}

/// Appends a message, and behind the system prompt a mark.
pub(super) fn push_message(prompt: &mut Prompt, message: &Message, counter: &dyn CountTokens) {
    // Nobody counts the names of roles.
    prompt.push(message.role.as_str().as_bytes(), 0);
    push(prompt, message.memory.as_deref().unwrap_or_default(), counter);
    push(prompt, &message.content, counter);
    for call in &message.calls {
        push(prompt, &call.name, counter);
        push(prompt, &call.arguments, counter);
    }
    let of_calls = message.calls.iter().flat_map(|call| call.extra.values());
    for value in of_calls.chain(message.replay.values()) {
        prompt.push(value.to_string().as_bytes(), sealed::cost(value, counter).0);
    }
    if message.role == Role::System {
        prompt.mark();
    }
}
