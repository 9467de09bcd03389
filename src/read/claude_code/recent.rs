//! What the newest records said: a compaction names those of them that it leaves in the window.

use std::collections::VecDeque;

use serde_json::Value;

use super::record::Record;
use crate::read::value::{list, plain, text};
use crate::read::{Event, Moment, Speaker};

/// Bytes that are kept: no window holds more.
const MOST: usize = 1 << 20;

/// A record of the conversation.
#[derive(Debug)]
struct Kept {
    uuid: String,
    said: Vec<Event>,
    bytes: usize,
}

/// The newest records, oldest first.
#[derive(Debug, Default)]
pub(super) struct Recent {
    records: VecDeque<Kept>,
    bytes: usize,
}

impl Recent {
    /// Takes the next record.
    pub(super) fn take(&mut self, record: &Record) {
        let Some(uuid) = record.uuid.clone() else { return };
        let said = said(record);
        let bytes = uuid.len() + said.iter().map(length).sum::<usize>();
        self.bytes += bytes;
        self.records.push_back(Kept { uuid, said, bytes });
        while self.bytes > MOST
            && let Some(oldest) = self.records.pop_front()
        {
            self.bytes -= oldest.bytes;
        }
    }

    /// What a compaction leaves in the window: it names each record, or the first and the last one.
    pub(super) fn kept_by(&self, boundary: &Record) -> Vec<Event> {
        let known = boundary.compact_metadata.as_ref().unwrap_or(&Value::Null);
        let (each, segment) = (&known["preservedMessages"], &known["preservedSegment"]);
        let named: Vec<&str> = ["uuids", "allUuids"]
            .into_iter()
            .flat_map(|key| list(each, key))
            .filter_map(Value::as_str)
            .collect();
        let place = |key| self.records.iter().rposition(|one| one.uuid == text(segment, key));
        let between = place("headUuid").zip(place("tailUuid"));
        let stays = |at: usize, one: &Kept| {
            named.contains(&one.uuid.as_str())
                || between.is_some_and(|(head, tail)| (head..=tail).contains(&at))
        };
        let kept = self.records.iter().enumerate().filter(|(at, one)| stays(*at, one));
        kept.flat_map(|(_, one)| one.said.clone()).collect()
    }
}

/// The words and calls of a record; what a tool answered is not looked at.
fn said(record: &Record) -> Vec<Event> {
    let Some(message) = record.message.as_ref() else { return Vec::new() };
    let at = record.at();
    let by = match record.kind.as_deref() {
        Some("assistant") => Speaker::Model,
        _ => Speaker::Person,
    };
    match message.get("content") {
        Some(Value::String(text)) => vec![Event::Said { by, text: text.clone(), at }],
        _ => list(message, "content").iter().filter_map(|block| told(block, by, at)).collect(),
    }
}

fn told(block: &Value, by: Speaker, at: Moment) -> Option<Event> {
    match text(block, "type") {
        "text" => Some(Event::Said { by, text: text(block, "text").to_owned(), at }),
        "tool_use" => Some(Event::Called {
            id: text(block, "id").to_owned(),
            name: text(block, "name").to_owned(),
            arguments: plain(block.get("input")),
            at,
        }),
        _ => None,
    }
}

fn length(event: &Event) -> usize {
    match event {
        Event::Said { text, .. } => text.len(),
        Event::Called { arguments, .. } => arguments.len(),
        _ => 0,
    }
}
