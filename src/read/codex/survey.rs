//! What must be known of a rollout before it is told: its era, and which turns were taken back.

use std::collections::HashSet;
use std::io;
use std::ops::Range;

use serde_json::Value;

use super::{Record, typed};
use crate::read::injected::{is_codex_harness, is_codex_harness_event, typed_into_codex};
use crate::read::value::{self, count, hash, text};
use crate::read::{Bytes, Tally, lines};

/// What a first look finds.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The person's words stand in events or items of their own.
    pub tells_asks: bool,
    /// Items are told when they are complete: so that most turns have no events for what was said.
    pub paginated: bool,
    /// Where turns begin, and whether items tell what the model says in them.
    ways: Vec<(u64, bool)>,
    /// Lines that tell the words of a turn which another line tells as well.
    again: HashSet<u64>,
    /// Lines of turns that were taken back, in their order and apart from each other.
    taken_back: Vec<Range<u64>>,
}

/// Turns as one log tells them.
#[derive(Debug, Default)]
struct Turns {
    /// Where those begin that stand.
    kept: Vec<u64>,
    taken_back: Vec<Range<u64>>,
}

/// How the words of the person are told that began the turn under way, and what they are, as a number.
type Asked = Option<(&'static str, u64)>;

const EVENT: &str = "event";
const ITEM: &str = "item";

impl Survey {
    /// Looks at a rollout.
    pub(super) fn of(source: &dyn Bytes) -> io::Result<Self> {
        let mut survey = Self::default();
        let (mut told, mut seen) = (Turns::default(), Turns::default());
        let mut asked: Asked = None;
        lines::each(source, &mut Tally::default(), |line, record: Record, _| {
            let (outer, payload, inner) = record.parts();
            let number = line.number;
            match (outer.as_str(), inner.as_str()) {
                ("session_meta", _) => {
                    survey.paginated |= text(&payload, "history_mode") == "paginated";
                }
                ("event_msg", "user_message") => {
                    let words = typed(&payload);
                    if !is_codex_harness_event(words) {
                        survey.ask((EVENT, words), number, &mut asked, &mut told);
                    }
                }
                ("event_msg", "item_completed") if survey.paginated => {
                    let item = &payload["item"];
                    let words = value::said(&item["content"]);
                    match text(item, "type") {
                        "UserMessage" | "user_message" if !is_codex_harness(&words) => {
                            let words = typed_into_codex(&words);
                            survey.ask((ITEM, words), number, &mut asked, &mut told);
                        }
                        "AgentMessage" | "agent_message" => survey.answer_in_items(),
                        _ => {}
                    }
                }
                ("response_item", "message") if is_typed(&payload) => seen.kept.push(number),
                ("event_msg", "thread_rolled_back") => {
                    let back = usize::try_from(count(&payload, "num_turns")).unwrap_or(usize::MAX);
                    told.take_back(back, number);
                    seen.take_back(back, number);
                    asked = None;
                }
                _ => {}
            }
        })?;
        survey.tells_asks = !told.kept.is_empty() || !told.taken_back.is_empty();
        survey.taken_back = if survey.tells_asks { told.taken_back } else { seen.taken_back };
        Ok(survey)
    }

    /// The person says something, as a line tells: both an event and an item may tell of it.
    fn ask(
        &mut self,
        (way, words): (&'static str, &str),
        line: u64,
        asked: &mut Asked,
        told: &mut Turns,
    ) {
        let words = hash(words.trim());
        if asked.take_if(|(other, before)| *other != way && *before == words).is_some() {
            self.again.insert(line);
            return;
        }
        *asked = Some((way, words));
        told.kept.push(line);
        self.ways.push((line, false));
    }

    fn answer_in_items(&mut self) {
        match self.ways.last_mut() {
            Some((_, in_items)) => *in_items = true,
            None => self.ways.push((0, true)),
        }
    }

    /// Whether a line belongs to a turn in which items tell what the model says.
    pub(super) fn answers_in_items(&self, line: u64) -> bool {
        let next = self.ways.partition_point(|(first, _)| *first <= line);
        next.checked_sub(1).is_some_and(|turn| self.ways[turn].1)
    }

    /// Whether a line tells words of the person that another one tells as well.
    pub(super) fn is_again(&self, line: u64) -> bool {
        self.again.contains(&line)
    }

    /// Whether a line belongs to a turn that was taken back.
    pub(super) fn is_taken_back(&self, line: u64) -> bool {
        let next = self.taken_back.partition_point(|lines| lines.end <= line);
        self.taken_back.get(next).is_some_and(|lines| lines.contains(&line))
    }
}

/// Whether a message that the model saw is the person's.
fn is_typed(message: &Value) -> bool {
    text(message, "role") == "user" && !is_codex_harness(&value::said(&message["content"]))
}

impl Turns {
    /// Takes so many turns back, as a line says; what was taken back within them is a part of them.
    fn take_back(&mut self, turns: usize, line: u64) {
        let kept = self.kept.len().saturating_sub(turns);
        if let Some(first) = self.kept.get(kept) {
            while self.taken_back.pop_if(|last| last.start >= *first).is_some() {}
            self.taken_back.push(*first..line);
        }
        self.kept.truncate(kept);
    }
}
