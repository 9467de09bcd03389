//! The parts of an answer in their order, for protocols in which a server wants its own ones back unchanged and in
//! place: signed or sealed reasoning before the call that it led to.

use serde_json::{Map, Value, json};

use super::limits::{DETAIL_ENTRIES, Excess, REASONING, weight};
use super::{Message, ToolCall};

/// The field of [`Message::replay`] that holds them.
const BLOCKS: &str = "blocks";

/// The parts of an answer. What is not the server's own stands there only by its place.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    parts: Vec<Value>,
    sealed: usize,
    bytes: usize,
}

impl Blocks {
    /// Adds a part that goes back as it is.
    ///
    /// # Errors
    /// Fails when there are too many, or they are too long.
    pub(crate) fn push_sealed(&mut self, part: &Value) -> Result<(), Excess> {
        self.sealed += 1;
        self.bytes += weight(part);
        if self.sealed > DETAIL_ENTRIES || self.bytes > REASONING {
            return Err(Excess::Reasoning);
        }
        self.parts.push(json!({ "sealed": part }));
        Ok(())
    }

    /// Adds so many bytes of the text.
    pub(crate) fn push_text(&mut self, bytes: usize) {
        self.parts.push(json!({ "text": bytes }));
    }

    /// Adds so many bytes of the text that no server sent, and that do not go back.
    pub(crate) fn push_gap(&mut self, bytes: usize) {
        if bytes > 0 {
            self.parts.push(json!({ "gap": bytes }));
        }
    }

    /// Adds a call.
    pub(crate) fn push_call(&mut self, id: &str) {
        self.parts.push(json!({ "call": id }));
    }

    /// What goes back to the model that gave the answer; nothing where nothing must.
    pub(crate) fn replay(self, model: &str) -> Map<String, Value> {
        let mut replay = Map::new();
        if self.sealed > 0 {
            replay.insert(BLOCKS.to_owned(), json!({ "of": model, "parts": self.parts }));
        }
        replay
    }
}

/// A part of an assistant message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part<'a> {
    /// What the server wants back.
    Sealed(&'a Value),
    /// Text, which may be empty.
    Text(&'a str),
    /// A call.
    Call(&'a ToolCall),
}

/// The parts of a message as they go to a model: in the order in which they came, if that model made them. What
/// another model sealed is left out, and so is what nothing follows.
pub(crate) fn parts<'a>(message: &'a Message, model: &str) -> Vec<Part<'a>> {
    let kept = message.replay.get(BLOCKS).filter(|kept| kept["of"] == model);
    let kept = kept.and_then(|kept| kept["parts"].as_array()).map_or(&[][..], Vec::as_slice);
    let mut text = Texts::of(message, kept);
    let mut calls: Vec<&ToolCall> = message.calls.iter().collect();
    let (mut parts, mut waiting) = (Vec::new(), Vec::new());
    for part in kept {
        let own = if let Some(sealed) = part.get("sealed") {
            waiting.push(Part::Sealed(sealed));
            continue;
        } else if let Some(bytes) = part["gap"].as_u64() {
            text.leave_out(bytes);
            continue;
        } else if let Some(bytes) = part["text"].as_u64() {
            Part::Text(text.take(bytes))
        } else {
            let at = calls.iter().position(|call| part["call"] == *call.id);
            let Some(at) = at else { continue };
            Part::Call(calls.remove(at))
        };
        parts.append(&mut waiting);
        parts.push(own);
    }
    let rest = text.rest();
    parts.extend(Some(Part::Text(rest)).filter(|_| !rest.is_empty()));
    if !calls.is_empty() {
        parts.append(&mut waiting);
    }
    parts.extend(calls.into_iter().map(Part::Call));
    parts
}

/// The text of a message in the pieces in which it came; in one where it was changed since.
struct Texts<'a> {
    text: &'a str,
    is_as_it_came: bool,
}

impl<'a> Texts<'a> {
    fn of(message: &'a Message, kept: &[Value]) -> Self {
        let text = &*message.content;
        let bytes = |part: &Value| part["text"].as_u64().or_else(|| part["gap"].as_u64());
        let bytes: u64 = kept.iter().filter_map(bytes).sum();
        Self { text, is_as_it_came: bytes == text.len() as u64 }
    }

    fn take(&mut self, bytes: u64) -> &'a str {
        let end = usize::try_from(bytes).unwrap_or(usize::MAX);
        if !self.is_as_it_came || !self.text.is_char_boundary(end) {
            return self.rest();
        }
        let (piece, rest) = self.text.split_at(end);
        self.text = rest;
        piece
    }

    fn leave_out(&mut self, bytes: u64) {
        if self.is_as_it_came {
            self.take(bytes);
        }
    }

    fn rest(&mut self) -> &'a str {
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llm::Role;

    fn message(content: &str, blocks: Blocks) -> Message {
        let call = |id: &str| ToolCall {
            id: id.to_owned(),
            name: "f".to_owned(),
            arguments: "{}".to_owned(),
            extra: Map::new(),
        };
        Message {
            calls: vec![call("a"), call("b")],
            replay: blocks.replay("m"),
            ..Message::text(Role::Assistant, content)
        }
    }

    fn laid_out(message: &Message, model: &str) -> Vec<String> {
        let word = |part: Part<'_>| match part {
            Part::Sealed(value) => value.to_string(),
            Part::Text(text) => text.to_owned(),
            Part::Call(call) => call.id.clone(),
        };
        parts(message, model).into_iter().map(word).collect()
    }

    fn blocks() -> Blocks {
        let mut blocks = Blocks::default();
        blocks.push_sealed(&json!(1)).unwrap();
        blocks.push_text("Let ".len());
        blocks.push_sealed(&json!(2)).unwrap();
        blocks.push_gap("\n\n".len());
        blocks.push_text("me see.".len());
        blocks.push_call("b");
        blocks.push_call("gone");
        blocks.push_sealed(&json!(3)).unwrap();
        blocks
    }

    #[test]
    fn what_is_sealed_goes_back_in_its_place_and_to_its_own_model_alone() {
        let whole = message("Let \n\nme see.", blocks());
        assert_eq!(laid_out(&whole, "m"), ["1", "Let ", "2", "me see.", "b", "3", "a"]);
        assert_eq!(laid_out(&whole, "other"), ["Let \n\nme see.", "a", "b"]);
        let changed = message("[left out]", blocks());
        assert_eq!(laid_out(&changed, "m"), ["1", "[left out]", "2", "", "b", "3", "a"]);
        let bare = Message { calls: Vec::new(), ..whole };
        assert_eq!(laid_out(&bare, "m"), ["1", "Let ", "2", "me see."]);
        assert!(Blocks::default().replay("m").is_empty());
    }

    #[test]
    fn what_is_sealed_has_its_bound() {
        let mut blocks = Blocks::default();
        let most = (0..1_000).take_while(|_| blocks.push_sealed(&json!("x")).is_ok()).count();
        assert_eq!(most, DETAIL_ENTRIES);
        let long = Value::String("x".repeat(REASONING));
        assert_eq!(Blocks::default().push_sealed(&long), Err(Excess::Reasoning));
    }
}
