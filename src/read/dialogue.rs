//! Plain dialogues: ShareGPT, fine-tuning files and request logs, and a message a line as in Ebbtide's own logs.

use serde_json::Value;

use super::lines::{self, BYTE_ORDER_MARK};
use super::value::{hash, list, moment, plain, said, text, words};
use super::{Bytes, Error, Event, Ledger, Moment, Speaker, Take, Tally, items};
use crate::chunk::beginning;

/// The keys that hold the turns of a whole conversation.
const TURNS: [&str; 2] = ["messages", "conversations"];

/// Of the name of a role that nobody knows so many bytes are told.
const LONGEST_ROLE: usize = 30;

/// Whether a value is a dialogue or a part of one.
pub(super) fn is_one(value: &Value) -> bool {
    let is_turn = |value: &Value| {
        let said =
            ["content", "value", "text", "tool_calls"].iter().any(|key| value.get(key).is_some());
        said && ["role", "from"].iter().any(|key| value.get(key).is_some_and(Value::is_string))
    };
    is_turn(value) || TURNS.iter().any(|key| list(value, key).iter().any(is_turn))
}

/// Reads dialogues, a record a line or in one array.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut talk = Talk { take, alone: false, conversations: 0, before: Vec::new() };
    let mut bytes = source.open()?;
    let start = bytes.fill_buf()?;
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let is_array = start.trim_ascii_start().first() == Some(&b'[');
    drop(bytes);
    if is_array {
        items::each(source, &mut tally, |item, tally| match lines::record(item) {
            Some(record) => talk.take_record(&record, tally),
            None => tally.skip("no JSON record"),
        })?;
        return Ok(tally);
    }
    lines::each(source, &mut tally, |_, record: Value, tally| talk.take_record(&record, tally))?;
    if talk.conversations == 0 {
        // One object over many lines.
        if let Ok(object) = items::whole(source)? {
            tally = Tally::default();
            tally.read_one();
            talk.take_record(&object, &mut tally);
        }
    }
    Ok(tally)
}

struct Talk<'a, 't> {
    take: &'a mut Take<'t>,
    /// Records are turns of one conversation.
    alone: bool,
    conversations: u64,
    /// The turns of the record before, each by its hash.
    before: Vec<u64>,
}

impl Talk<'_, '_> {
    fn take_record(&mut self, record: &Value, tally: &mut Tally) {
        let turns = TURNS.iter().map(|key| list(record, key)).find(|turns| !turns.is_empty());
        match turns {
            Some(turns) => {
                self.alone = false;
                let known = self.known(turns);
                if known == 0 {
                    self.begin(record);
                }
                for (nth, turn) in turns.iter().enumerate() {
                    tally.read_one();
                    if nth < known {
                        tally.skip("told in the record before");
                    } else {
                        self.take_turn(turn, tally);
                    }
                }
            }
            None if is_one(record) => {
                if !std::mem::replace(&mut self.alone, true) {
                    self.begin(&Value::Null);
                }
                self.take_turn(record, tally);
            }
            None => tally.skip("no turn"),
        }
    }

    /// How many turns of a record are those of the one before: a log of requests tells all that was said in each.
    fn known(&mut self, turns: &[Value]) -> usize {
        let turns: Vec<u64> = turns.iter().map(|turn| hash(turn.to_string())).collect();
        let before = std::mem::replace(&mut self.before, turns);
        if self.before.starts_with(&before) { before.len() } else { 0 }
    }

    fn begin(&mut self, record: &Value) {
        self.conversations += 1;
        let id = plain(record.get("id"));
        (self.take)(Event::Begins {
            id: if id.is_empty() { self.conversations.to_string() } else { id },
            title: text(record, "title").to_owned(),
            project: String::new(),
            at: moment(record, "created_at"),
        });
    }

    fn take_turn(&mut self, turn: &Value, tally: &mut Tally) {
        let at = ["ts", "timestamp", "created_at"].iter().find_map(|key| moment(turn, key));
        let role =
            [text(turn, "role"), text(turn, "from")].into_iter().find(|role| !role.is_empty());
        let content = ["content", "value", "text"].iter().find_map(|key| turn.get(key));
        let content = content.unwrap_or(&Value::Null);
        let role = role.unwrap_or_default().to_lowercase();
        match &*role {
            "user" | "human" => self.say(Speaker::Person, said(content), at, tally),
            "assistant" | "gpt" | "model" | "ai" | "bot" | "chatgpt" | "claude" | "bing"
            | "bard" => {
                if list(turn, "tool_calls").is_empty() {
                    self.say(Speaker::Model, said(content), at, tally);
                } else {
                    self.say(Speaker::Model, words(content), at, &mut Tally::default());
                    self.take_calls(turn, at);
                }
            }
            "function_call" => (self.take)(Event::Called {
                id: String::new(),
                name: text(turn, "name").to_owned(),
                arguments: words(content),
                at,
            }),
            "tool" | "function" | "observation" => {
                (self.take)(Event::Returned {
                    id: text(turn, "tool_call_id").to_owned(),
                    text: words(content),
                    at,
                });
            }
            "" => tally.skip("without a role"),
            // People look for it under this name.
            "developer" => tally.skip("system"),
            other => tally.skip(beginning(other, LONGEST_ROLE)),
        }
    }

    fn say(&mut self, by: Speaker, text: String, at: Moment, tally: &mut Tally) {
        if text.trim().is_empty() {
            tally.skip("without words");
        } else {
            (self.take)(Event::Said { by, text, at });
        }
    }

    fn take_calls(&mut self, turn: &Value, at: Moment) {
        for call in list(turn, "tool_calls") {
            let function = call.get("function").unwrap_or(call);
            (self.take)(Event::Called {
                id: text(call, "id").to_owned(),
                name: text(function, "name").to_owned(),
                arguments: plain(function.get("arguments")),
                at,
            });
        }
    }
}
