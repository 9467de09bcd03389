//! The window inspector: exactly what would be sent now, item by item, beside what was sent last.

use std::sync::Arc;

use serde_json::{Value, json};

use super::assemble;
use super::driver::Driver;
use crate::llm;
use crate::memory::{Compared, Layers, Memory, Tokens, Turn, Window, compare, unmarked};

/// A request laid open.
#[derive(Debug, Clone, PartialEq)]
pub struct Inspection {
    /// The last turn that it holds.
    pub turn: Turn,
    /// Every item in the order in which it is sent, with what happened to it since.
    pub items: Vec<Compared>,
    /// Tokens by layer.
    pub layers: Layers,
    /// The tool definitions, sent beside the messages.
    pub tools: Arc<Value>,
    /// What the marks compare with, as `the last request`; `None` if there is nothing to compare with.
    pub compared_with: Option<String>,
    /// It is how things were after the turn, not what would be sent now.
    pub is_past: bool,
}

impl Inspection {
    /// Lays a window open, compared with another one if there is one.
    pub fn of(
        turn: Turn,
        window: &Window,
        tools: Arc<Value>,
        before: Option<(&Window, String)>,
    ) -> Self {
        let items = match &before {
            Some((before, _)) => compare(window, before),
            None => unmarked(window),
        };
        let compared_with = before.map(|(_, name)| name);
        Self { turn, items, layers: window.layers, tools, compared_with, is_past: false }
    }
}

/// The window with a message that is about to be sent; without one, as it rests.
pub fn window_with_draft(memory: &Memory, draft: &str) -> Window {
    if draft.trim().is_empty() {
        return memory.window();
    }
    memory.window_with(draft.trim(), Tokens(0))
}

/// The messages and the tools of a window in the form in which they go over the wire.
pub fn wire_json(window: &Window) -> Value {
    let request = assemble::chat_request(window, &[], true);
    let body = llm::wire_body(&request, "");
    json!({ "messages": body["messages"], "tools": body["tools"] })
}

impl Driver {
    /// What would be sent now with a draft, beside the last request of this run.
    pub(super) fn inspection(&self, draft: &str) -> Inspection {
        let window = window_with_draft(&self.memory, draft);
        let before = self.last_request.as_deref().map(|sent| (sent, "the last request".to_owned()));
        Inspection::of(self.memory.turn(), &window, crate::tools::definitions(), before)
    }
}
