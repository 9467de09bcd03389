//! The words and calls of an answer while they arrive, within their bounds. Where a server sends its model's reasoning
//! within the text, they are parted here.

use serde_json::{Map, Value, json};

use super::calls::Calls;
use super::ids::Ids;
use super::limits::{Excess, REASONING, TEXT};
use super::think::{Piece, ThinkSplitter, split_unopened};
use super::{Completion, Event, FinishReason, Usage};
use crate::chunk::beginning;

/// What the model said and called so far, for the screen.
#[derive(Debug, Default)]
pub(crate) struct Said {
    /// The answer's text.
    pub(crate) text: String,
    /// Its reasoning.
    pub(crate) reasoning: String,
    calls: Calls,
    think: ThinkSplitter,
    /// What it said is that it will not do what was asked.
    refused: bool,
    /// The first bound that was passed.
    excess: Option<Excess>,
}

impl Said {
    /// Takes more of the text, in which reasoning may stand between tags.
    pub(crate) fn push_text(&mut self, text: &str, out: &mut Vec<Event>) {
        for piece in self.think.feed(text) {
            self.push_piece(&piece, out);
        }
    }

    /// Notes that a text, if there is one, is a refusal. It is shown as any other.
    pub(crate) fn note_refusal(&mut self, text: &str) {
        self.refused |= !text.trim().is_empty();
    }

    /// Takes what was held back, because nothing follows.
    pub(crate) fn close(&mut self, out: &mut Vec<Event>) {
        self.close_text(out);
        self.calls.close(out);
    }

    /// Takes what was held back of the text; says how many bytes that were.
    pub(crate) fn close_text(&mut self, out: &mut Vec<Event>) -> usize {
        let before = self.text.len();
        if let Some(piece) = self.think.finish() {
            self.push_piece(&piece, out);
        }
        self.text.len() - before
    }

    /// The complete answer, but for what goes back with it. Where a server swallowed the tag that opens the reasoning, only
    /// now that and the text can be told apart.
    pub(crate) fn complete(
        self,
        finish: FinishReason,
        usage: Option<Usage>,
        ids: &mut Ids,
    ) -> Completion {
        let calls = self.calls.complete(ids);
        let finish = match finish.beside(&calls) {
            FinishReason::Stop if self.refused => FinishReason::Refusal,
            finish => finish,
        };
        let (text, reasoning) =
            match split_unopened(&self.text).filter(|_| self.reasoning.is_empty()) {
                Some((before, after)) => (after.to_owned(), before.to_owned()),
                None => (self.text, self.reasoning),
            };
        Completion { text, reasoning, calls, replay: Map::new(), finish, usage, aside: false }
    }

    /// Takes the call fragments of a delta or a whole message.
    pub(crate) fn push_calls(&mut self, delta: &Map<String, Value>, out: &mut Vec<Event>) {
        if let Err(excess) = self.calls.push(delta, out) {
            self.notice(true, excess);
        }
    }

    /// Takes a call, or a fragment of one, as an entry of `tool_calls`.
    pub(crate) fn push_call(&mut self, call: &Value, out: &mut Vec<Event>) {
        self.push_calls(&Map::from_iter([("tool_calls".to_owned(), json!([call]))]), out);
    }

    fn push_piece(&mut self, piece: &Piece, out: &mut Vec<Event>) {
        match piece {
            Piece::Text(text) => self.put(text, out),
            Piece::Reasoning(text) => self.push_reasoning(text, out),
        }
    }

    fn put(&mut self, text: &str, out: &mut Vec<Event>) {
        let taken = beginning(text, TEXT - self.text.len());
        self.notice(taken.len() < text.len(), Excess::Text);
        self.text.push_str(taken);
        match out.last_mut() {
            _ if taken.is_empty() => {}
            // What comes together is shown together: an event for each letter would take a hundred times the
            // memory.
            Some(Event::Text(last)) => last.push_str(taken),
            _ => out.push(Event::Text(taken.to_owned())),
        }
    }

    /// Puts a blank line between what was said and what comes next, where there is none; says how many bytes that took.
    pub(crate) fn begin_paragraph(&mut self, next: &str, out: &mut Vec<Event>) -> usize {
        let is_apart = self.text.ends_with('\n') || next.starts_with('\n');
        if next.is_empty() || is_apart || self.text.trim().is_empty() {
            return 0;
        }
        let before = self.text.len();
        self.put("\n\n", out);
        self.text.len() - before
    }

    /// Takes more of the reasoning.
    pub(crate) fn push_reasoning(&mut self, text: &str, out: &mut Vec<Event>) {
        let taken = beginning(text, REASONING - self.reasoning.len());
        self.notice(taken.len() < text.len(), Excess::Reasoning);
        self.reasoning.push_str(taken);
        match out.last_mut() {
            _ if taken.is_empty() => {}
            Some(Event::Reasoning(last)) => last.push_str(taken),
            _ => out.push(Event::Reasoning(taken.to_owned())),
        }
    }

    /// Whether neither a word nor a call came.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }

    /// How much came, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len() + self.reasoning.len() + self.calls.bytes()
    }

    /// Notes that a bound was passed, if it was.
    pub(crate) fn notice(&mut self, passed: bool, excess: Excess) {
        if passed {
            self.excess.get_or_insert(excess);
        }
    }

    /// Whether everything fits.
    ///
    /// # Errors
    /// Fails with the first bound that was passed.
    pub(crate) fn check(&self) -> Result<(), Excess> {
        self.excess.map_or(Ok(()), Err)
    }
}
