//! From the window to the messages of a request: the only place where one becomes the other.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use crate::llm::{self, Purpose, Request};
use crate::memory::{self, Window};

/// A name for a session by which a server knows its prompts again, also after a restart. It tells nobody where the session
/// is.
pub(super) fn cache_key(directory: &Path) -> Arc<str> {
    let mut hasher = DefaultHasher::new();
    std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned()).hash(&mut hasher);
    format!("ebbtide-{:016x}", hasher.finish()).into()
}

/// The messages of a request: the window, then what happened in this turn so far.
fn messages(window: &Window, turn: &[llm::Message]) -> Vec<llm::Message> {
    let mut messages = front_messages(window);
    messages.extend(newest(window).into_iter().chain(turn.iter().cloned()));
    messages
}

/// The messages of the front.
pub(super) fn front_messages(window: &Window) -> Vec<llm::Message> {
    let front = window.front_messages();
    front.map(|(role, text)| llm::Message::text(wire_role(role), text)).collect()
}

/// The newest user message with the memory block; at rest the block alone, if there is one.
fn newest(window: &Window) -> Option<llm::Message> {
    let (memory, words) = (window.block_text(), window.message());
    let is_some = memory.is_some() || words.is_some();
    let words = words.map_or_else(|| Arc::from(""), |item| Arc::clone(&item.content));
    is_some.then(|| llm::Message { memory, ..llm::Message::text(llm::Role::User, words) })
}

/// A request of the conversation: the window, the tool exchange of the turn so far, and the tools.
pub(super) fn chat_request(window: &Window, exchanged: &[llm::Message], may_call: bool) -> Request {
    Request {
        tools: Some(crate::tools::definitions()),
        may_call,
        ..Request::plain(Purpose::Chat, messages(window, exchanged))
    }
}

/// The messages of a prompt, given as role and content.
pub(super) fn prompt_messages(prompt: Vec<(&'static str, String)>) -> Vec<llm::Message> {
    let role = |word: &str| if word == "system" { llm::Role::System } else { llm::Role::User };
    prompt.into_iter().map(|(word, text)| llm::Message::text(role(word), text)).collect()
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

    #[test]
    fn a_session_keeps_its_name_for_the_cache_and_the_name_tells_no_place() {
        let key = |path: &str| cache_key(Path::new(path));
        assert_eq!(key("sessions/one"), key("sessions/one"));
        assert_ne!(key("sessions/one"), key("sessions/two"));
        assert!(!key("sessions/one").contains("one"));
    }
}
