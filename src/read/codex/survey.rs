//! What must be known of a rollout before it is told: its era, and which turns were taken back.

use std::io;
use std::ops::Range;

use super::Record;
use crate::read::value::{count, text};
use crate::read::{Bytes, Tally, lines};

/// What a first look finds.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The person's words stand in events of their own.
    pub tells_user_messages: bool,
    /// Items are told when they are complete, and there are no events for what was said.
    pub paginated: bool,
    /// Items are told so indeed.
    tells_items: bool,
    /// Lines of turns that were taken back, in their order and apart from each other.
    taken_back: Vec<Range<u64>>,
}

impl Survey {
    /// Looks at a rollout.
    pub(super) fn of(source: &dyn Bytes) -> io::Result<Self> {
        let mut survey = Self::default();
        // Where the turns begin that stand.
        let mut turns: Vec<u64> = Vec::new();
        lines::each(source, &mut Tally::default(), |line, record: Record, _| {
            let (outer, payload, inner) = record.parts();
            match (outer.as_str(), inner.as_str()) {
                ("session_meta", _) => {
                    survey.paginated |= text(&payload, "history_mode") == "paginated";
                }
                ("event_msg", "user_message") => {
                    survey.tells_user_messages = true;
                    turns.push(line.number);
                }
                ("event_msg", "item_completed") => {
                    survey.tells_items = true;
                    let kind = text(&payload["item"], "type");
                    if matches!(kind, "UserMessage" | "user_message") {
                        turns.push(line.number);
                    }
                }
                ("event_msg", "thread_rolled_back") => {
                    let back = usize::try_from(count(&payload, "num_turns")).unwrap_or(usize::MAX);
                    let kept = turns.len().saturating_sub(back);
                    if let Some(first) = turns.get(kept) {
                        survey.take_back(*first..line.number);
                    }
                    turns.truncate(kept);
                }
                _ => {}
            }
        })?;
        survey.paginated &= survey.tells_items && !survey.tells_user_messages;
        Ok(survey)
    }

    /// Adds lines; what was taken back within them is a part of them.
    fn take_back(&mut self, lines: Range<u64>) {
        while self.taken_back.pop_if(|last| last.start >= lines.start).is_some() {}
        self.taken_back.push(lines);
    }

    /// Whether a line belongs to a turn that was taken back.
    pub(super) fn is_taken_back(&self, line: u64) -> bool {
        let next = self.taken_back.partition_point(|lines| lines.end <= line);
        self.taken_back.get(next).is_some_and(|lines| lines.contains(&line))
    }
}
