//! Plain dialogues: ShareGPT, fine-tuning files and request logs, and a message a line as in Ebbtide's own logs.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::lines::{self, BYTE_ORDER_MARK, Lines};
use super::talks::{Beginnings, Talks, Told};
use super::turns::{self, Record, TURNS};
use super::value::{hash, list, moment, plain, said, text, words};
use super::{Bytes, Error, Event, Ledger, Moment, Speaker, Take, Tally, items};
use crate::chunk::beginning;

/// What a turn counts as that was told of another record.
const ELSEWHERE: &str = "told in another record";

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

/// Reads dialogues, a record a line or in one array. Read twice: the first time for which records are of one talk.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    _: &mut Ledger,
) -> Result<Tally, Error> {
    let mut talks = Talks::default();
    each(source, &mut Tally::default(), |nth, record, _| talks.look_at(nth, record))?;
    talks.settle();
    let mut tally = Tally::default();
    let mut log =
        Log { talk: Talk { take }, alone: false, conversations: 0, told: Beginnings::default() };
    let is_array = each(source, &mut tally, |nth, record, tally| {
        log.take(record, talks.told(nth), tally);
    })?;
    if log.conversations == 0 && !is_array {
        // One object over many lines.
        if let Ok(object) = items::whole::<Box<RawValue>>(source)? {
            tally = Tally::default();
            tally.read_one();
            log.take(object.get().as_bytes(), Told::ALL, &mut tally);
        }
    }
    Ok(tally)
}

/// Hands on each record as it is written, with its number; returns whether they stand in one array.
fn each(
    source: &dyn Bytes,
    tally: &mut Tally,
    mut take: impl FnMut(usize, &[u8], &mut Tally),
) -> Result<bool, Error> {
    let mut bytes = source.open()?;
    let start = bytes.fill_buf()?;
    let start = start.strip_prefix(BYTE_ORDER_MARK).unwrap_or(start);
    let is_array = start.trim_ascii_start().first() == Some(&b'[');
    drop(bytes);
    let mut nth = 0;
    let mut take = |record: &[u8], tally: &mut Tally| {
        take(nth, record, tally);
        nth += 1;
    };
    if is_array {
        items::each(source, tally, take)?;
        return Ok(true);
    }
    let mut lines = Lines::of(source)?;
    while let Some(line) = lines.next(tally)? {
        tally.read_one();
        take(line.bytes, tally);
    }
    Ok(false)
}

/// Who says a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Person,
    Model,
    /// The model calls a tool.
    Call,
    /// A tool answers.
    Tool,
    Other,
}

impl Role {
    pub(super) fn of(turn: &Value) -> Self {
        match Self::named(&name_of_role(turn)) {
            Self::Person if answers(turn).next().is_some() && words(content(turn)).is_empty() => {
                Self::Tool
            }
            role => role,
        }
    }

    fn named(name: &str) -> Self {
        match name {
            "user" | "human" => Self::Person,
            "assistant" | "gpt" | "model" | "ai" | "bot" | "chatgpt" | "claude" | "bing"
            | "bard" => Self::Model,
            "function_call" => Self::Call,
            "tool" | "function" | "observation" => Self::Tool,
            _ => Self::Other,
        }
    }
}

/// What a turn says.
fn content(turn: &Value) -> &Value {
    let content = ["content", "value", "text"].iter().find_map(|key| turn.get(key));
    content.unwrap_or(&Value::Null)
}

/// What tools answer in blocks of a turn, as Anthropic's requests have it.
fn answers(turn: &Value) -> impl Iterator<Item = &Value> {
    list(turn, "content").iter().filter(|block| text(block, "type") == "tool_result")
}

/// The calls of a turn, in whatever way its program writes them.
fn calls(turn: &Value, at: Moment) -> Vec<Event> {
    let called = |id: &str, function: &Value, arguments: &str| Event::Called {
        id: id.to_owned(),
        name: text(function, "name").to_owned(),
        arguments: plain(function.get(arguments)),
        at,
    };
    let listed = list(turn, "tool_calls")
        .iter()
        .map(|call| called(text(call, "id"), call.get("function").unwrap_or(call), "arguments"));
    // Until there were several calls in a turn there was one.
    let alone = turn.get("function_call").filter(|call| call.is_object());
    let blocks = list(turn, "content").iter().filter(|block| text(block, "type") == "tool_use");
    listed
        .chain(alone.map(|call| called("", call, "arguments")))
        .chain(blocks.map(|block| called(text(block, "id"), block, "input")))
        .collect()
}

fn name_of_role(turn: &Value) -> String {
    let role = [text(turn, "role"), text(turn, "from")].into_iter().find(|role| !role.is_empty());
    role.unwrap_or_default().to_lowercase()
}

/// What a turn tells, as a number; `None` if that is nothing.
pub(super) fn number(turn: &Value) -> Option<u64> {
    let mut number = None;
    let mut take = |event: Event| {
        let event = match &event {
            // What a tool answered to a call is taken out of later requests, to save room.
            Event::Returned { id, .. } if !id.is_empty() => hash(id),
            event => event.number(),
        };
        number = Some(hash((number, event)));
    };
    Talk { take: &mut take }.take_turn(turn, &mut Tally::default());
    number
}

/// The same of a turn that is nothing but words.
pub(super) fn number_of_words(role: &str, words: &str) -> Option<u64> {
    let by = match Role::named(&role.to_lowercase()) {
        Role::Person => Speaker::Person,
        Role::Model => Speaker::Model,
        Role::Call | Role::Tool | Role::Other => {
            return number(&json!({ "role": role, "content": words }));
        }
    };
    (!words.trim().is_empty()).then(|| hash((None::<u64>, hash((by, words)))))
}

/// How a record tells a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum As {
    Own,
    /// Its window holds what another conversation told.
    Copy,
    /// Another record tells it.
    Elsewhere,
}

/// A log under way.
struct Log<'a, 't> {
    talk: Talk<'a, 't>,
    /// Records are turns of one conversation.
    alone: bool,
    conversations: u64,
    told: Beginnings,
}

impl Log<'_, '_> {
    /// Takes a record as it is written.
    fn take(&mut self, written: &[u8], told: Told, tally: &mut Tally) {
        if let Told::Elsewhere(turns) = told {
            self.alone = false;
            tally.holds_others();
            tally.read_many(turns.into());
            return tally.skip_many(ELSEWHERE, turns.into());
        }
        if let Some(record) = Record::of(written) {
            return self.take_turns(&record, told, tally);
        }
        match lines::record(written) {
            Some(turn) if is_one(&turn) => {
                if !std::mem::replace(&mut self.alone, true) {
                    self.begin(&Value::Null);
                }
                self.talk.take_turn(&turn, tally);
            }
            Some(_) => tally.skip("no turn"),
            None => tally.skip("no JSON record"),
        }
    }

    /// Takes the turns of a record that are its own.
    fn take_turns(&mut self, record: &Record, told: Told, tally: &mut Tally) {
        let Told::Here { from, to, goes_on } = told else { return };
        self.alone = false;
        tally.holds_others();
        let shared = self.told.take(&record.turns, to);
        let from = if goes_on { from } else { from.max(shared) };
        if !goes_on {
            self.begin(&record.head);
        }
        let mut nth = 0;
        for turn in &record.turns {
            tally.read_one();
            let Some(turn) = turns::turn(turn) else {
                tally.skip("unreadable turn");
                continue;
            };
            let how = match nth {
                nth if nth < from && !goes_on => As::Copy,
                nth if (from..to).contains(&nth) => As::Own,
                _ => As::Elsewhere,
            };
            if self.talk.take_as(how, &turn, tally) {
                nth += 1;
                if how != As::Own {
                    tally.skip(ELSEWHERE);
                }
            }
        }
    }

    fn begin(&mut self, record: &Value) {
        self.conversations += 1;
        let id = plain(record.get("id"));
        (self.talk.take)(Event::Begins {
            id: if id.is_empty() { self.conversations.to_string() } else { id },
            title: text(record, "title").to_owned(),
            project: String::new(),
            at: moment(record, "created_at"),
        });
    }
}

/// Tells of turns.
struct Talk<'a, 't> {
    take: &'a mut Take<'t>,
}

impl Talk<'_, '_> {
    /// Takes a turn in one of these ways, and tells whether it tells anything.
    fn take_as(&mut self, how: As, turn: &Value, tally: &mut Tally) -> bool {
        let (take, mut is_told) = (&mut *self.take, false);
        let mut hear = |event: Event| {
            is_told = true;
            match how {
                As::Own => take(event),
                As::Copy if event.text().is_some() => take(event.copied()),
                As::Copy | As::Elsewhere => {}
            }
        };
        Talk { take: &mut hear }.take_turn(turn, tally);
        is_told
    }

    fn take_turn(&mut self, turn: &Value, tally: &mut Tally) {
        let at = ["ts", "timestamp", "created_at"].iter().find_map(|key| moment(turn, key));
        let content = content(turn);
        match Role::of(turn) {
            Role::Person => {
                self.take_answers(turn, at);
                self.say(Speaker::Person, said(content), at, tally);
            }
            Role::Model => {
                let calls = calls(turn, at);
                if calls.is_empty() {
                    let said = said(content);
                    let said =
                        if said.is_empty() { text(turn, "refusal").to_owned() } else { said };
                    self.say(Speaker::Model, said, at, tally);
                } else {
                    self.say(Speaker::Model, words(content), at, &mut Tally::default());
                    calls.into_iter().for_each(&mut *self.take);
                }
            }
            Role::Call => {
                let (id, words) = (String::new(), words(content));
                // ShareGPT has the name in what is said.
                let within = lines::record::<Value>(words.as_bytes()).unwrap_or_default();
                let names = [text(turn, "name"), text(&within, "name")];
                let name = names.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
                (self.take)(Event::Called { id, name: name.to_owned(), arguments: words, at });
            }
            Role::Tool if answers(turn).next().is_some() => self.take_answers(turn, at),
            Role::Tool => {
                (self.take)(Event::Returned {
                    id: text(turn, "tool_call_id").to_owned(),
                    text: words(content),
                    at,
                });
            }
            Role::Other => match &*name_of_role(turn) {
                "" => tally.skip("without a role"),
                // People look for it under this name.
                "developer" => tally.skip("system"),
                other => tally.skip(beginning(other, LONGEST_ROLE)),
            },
        }
    }

    fn say(&mut self, by: Speaker, text: String, at: Moment, tally: &mut Tally) {
        if text.trim().is_empty() {
            tally.skip("without words");
        } else {
            (self.take)(Event::Said { by, text, at });
        }
    }

    fn take_answers(&mut self, turn: &Value, at: Moment) {
        for answer in answers(turn) {
            let (id, text) = (text(answer, "tool_use_id").to_owned(), words(&answer["content"]));
            (self.take)(Event::Returned { id, text, at });
        }
    }
}
