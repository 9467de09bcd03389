//! A turn of a dialogue: who says it, and what it tells.

use serde_json::{Value, json};

use super::value::{hash, list, moment, plain, said, text, words};
use super::{Event, Moment, Speaker, Take, Tally, lines};
use crate::chunk::beginning;

/// Of the name of a role that nobody knows so many bytes are told.
const LONGEST_ROLE: usize = 30;

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
pub(super) fn content(turn: &Value) -> &Value {
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

/// Tells of turns.
pub(super) struct Talk<'a, 't> {
    pub(super) take: &'a mut Take<'t>,
}

impl Talk<'_, '_> {
    /// Takes a turn, with all that it tells.
    pub(super) fn take_turn(&mut self, turn: &Value, tally: &mut Tally) {
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
