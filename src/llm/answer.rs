//! An answer while it arrives, whatever protocol it is in.

use std::fmt::Debug;

use serde_json::Value;

use super::failure::Report;
use super::ids::Ids;
use super::limits::Excess;
use super::said::Said;
use super::{Completion, Event};

/// An answer while it arrives. Every field may be absent, null, or of another type than documented; only too much
/// of anything fails.
pub(crate) trait Answer: Debug + Send {
    /// Takes the next JSON text of the stream, or the only one, and appends the events that it causes.
    ///
    /// # Errors
    /// Fails when the answer grows beyond a bound; what it may hold is emitted all the same.
    fn push(&mut self, part: &Value, out: &mut Vec<Event>) -> Result<(), Excess>;

    /// Takes the mark by which some servers end a stream: `[DONE]`.
    fn take_end_mark(&mut self) {}

    /// Whether a JSON text that came as the whole body is an answer.
    fn is_whole(&self, body: &Value) -> bool;

    /// The error in a JSON text that came with a success status, if there is one.
    fn failure(&self, part: &Value) -> Option<Report>;

    /// What was said and called so far.
    fn said(&mut self) -> &mut Said;

    /// The name under which its parts hold text.
    fn text_key(&self) -> &'static str;

    /// Emits what was held back, because nothing follows.
    fn close(&mut self, out: &mut Vec<Event>) {
        self.said().close(out);
    }

    /// How much came of the answer, in bytes; what says nothing does not count.
    fn progress(&self) -> usize;

    /// Whether the answer is whole, though more may follow.
    fn has_finished(&self) -> bool;

    /// Whether nothing follows.
    fn has_ended(&self) -> bool;

    /// Whether the reason for the end was an error of which the server says no more.
    fn has_failed(&self) -> bool {
        false
    }

    /// Whether any text, reasoning or call came.
    fn has_content(&mut self) -> bool {
        !self.said().is_empty()
    }

    /// The complete answer. Call [`Self::close`] before.
    fn complete(self: Box<Self>, ids: &mut Ids) -> Completion;
}
