//! The window inspector: exactly what would be sent now, item by item, beside what was sent last.

use std::sync::Arc;

use serde_json::{Value, json};

use super::assemble;
use super::driver::Driver;
use crate::llm;
use crate::memory::{Compared, Layers, Memory, Recalled, Turn, Window, compare, unmarked};

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
    /// Whoever compares texts by their meaning is asked for this message when it is sent, and not before.
    pub asks_meaning: bool,
}

impl Inspection {
    /// What is told where [`Inspection::asks_meaning`].
    pub const ASKS_MEANING: &str =
        "What it means is asked of embedding_model when it is sent: more may be recalled then.";

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
        let (layers, is_past, asks_meaning) = (window.layers, false, false);
        Self { turn, items, layers, tools, compared_with, is_past, asks_meaning }
    }
}

/// The window with a message that is about to be sent and what would be recalled for it; without one, as it rests.
pub fn window_with_draft(
    memory: &mut Memory,
    draft: &str,
    recalled: Vec<Recalled>,
    today: &str,
) -> Window {
    if draft.trim().is_empty() {
        return memory.window();
    }
    memory.window_recalling(draft.trim(), recalled, today)
}

/// The messages and the tools of a window in the form in which they go over the wire.
pub fn wire_json(window: &Window) -> Value {
    let request = assemble::chat_request(window, &[], true);
    let body = llm::wire_body(&request, "");
    json!({ "messages": body["messages"], "tools": body["tools"] })
}

impl Driver {
    /// What would be sent now with a draft, beside the last request of this run. What leaves before it because the cache is
    /// cold is not shown, and has not left.
    pub(super) async fn inspection(&mut self, draft: &str) -> Inspection {
        let kept = self.is_cache_cold().then(|| {
            let after = self.memory.left_while_cold();
            std::mem::replace(&mut self.memory, after)
        });
        let inspection = self.inspection_of_memory(draft).await;
        if let Some(kept) = kept {
            self.memory = kept;
        }
        inspection
    }

    async fn inspection_of_memory(&mut self, draft: &str) -> Inspection {
        let recallable = self.recallable(&draft.trim().into()).await;
        let today = self.day();
        let asks_meaning = recallable.may_be_meant && self.settings.embedding_model().is_some();
        let window = window_with_draft(&mut self.memory, draft, recallable.found, &today);
        let before =
            self.requests.last.as_deref().map(|sent| (sent, "the last request".to_owned()));
        let tools = crate::tools::definitions();
        Inspection { asks_meaning, ..Inspection::of(self.memory.turn(), &window, tools, before) }
    }
}
