//! Chats of the Gemini command line: a message is written again and again as it grows, and some records take
//! messages back. Held in memory: a chat is small, and only its end says what stands.

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::copies::count_left_out;
use super::items::{self, Document};
use super::lines::{self, Lines};
use super::usage::Line;
use super::value::{count, list, moment, plain, said, text, without_words};
use super::{Bytes, Error, Event, Format, Ledger, Speaker, Take, Tally, Used};

/// Reads a chat, as lines or as one object.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut chat = Chat::default();
    let document = if is_lines(source)? { None } else { items::document(source)?.ok() };
    if let Some(Document { head, messages: Some(messages) }) = document {
        for written in messages {
            tally.read_one();
            match items::message(&written) {
                Some(message) => chat.put(message, &mut tally, ledger),
                None => tally.skip("damaged message"),
            }
        }
        chat.head = head;
    } else {
        let mut bytes = 0;
        lines::each(source, &mut tally, |line, record: Value, tally| {
            bytes += line.bytes.len();
            if bytes <= items::MOST {
                chat.take(record, tally, ledger);
            } else {
                tally.skip("behind 256 MiB");
            }
        })?;
    }
    if chat.head.is_null() && chat.messages.is_empty() {
        return Err(Error::Broken { format: Format::Gemini, why: "no record is whole".to_owned() });
    }
    chat.tell(take, &mut tally);
    count_left_out(&mut tally, 0, ledger);
    Ok(tally)
}

/// Whether the first line is a record of its own, and not a chat.
fn is_lines(source: &dyn Bytes) -> Result<bool, Error> {
    #[derive(Deserialize)]
    struct First {
        messages: Option<IgnoredAny>,
    }
    let mut lines = Lines::of(source)?;
    let first = lines.next(&mut Tally::default())?.and_then(|line| lines::record(line.bytes));
    Ok(first.is_some_and(|first: First| first.messages.is_none()))
}

#[derive(Debug, Default)]
struct Chat {
    head: Value,
    /// What was changed of it.
    set: Map<String, Value>,
    messages: Vec<Value>,
    /// Where each id stands.
    places: HashMap<String, usize>,
}

impl Chat {
    fn take(&mut self, record: Value, tally: &mut Tally, ledger: &mut Ledger) {
        if let Some(set) = record.get("$set") {
            if let Some(messages) = set.get("messages").and_then(Value::as_array) {
                self.truncate(0, tally);
                for message in messages {
                    tally.read_one();
                    self.put(message.clone(), tally, ledger);
                }
            }
            for (key, value) in set.as_object().into_iter().flatten() {
                if key != "messages" {
                    self.set.insert(key.clone(), value.clone());
                }
            }
            tally.skip("$set");
        } else if let Some(id) = record.get("$rewindTo").and_then(Value::as_str) {
            self.truncate(self.places.get(id).copied().unwrap_or(0), tally);
            tally.skip("$rewindTo");
        } else if record.get("id").is_some() {
            self.put(record, tally, ledger);
        } else if self.head.is_null() && !is_change(&record) {
            self.head = record;
            tally.skip("metadata");
        } else {
            tally.skip("other");
        }
    }

    fn truncate(&mut self, kept: usize, tally: &mut Tally) {
        for _ in self.messages.drain(kept.min(self.messages.len())..) {
            tally.skip("taken back");
        }
        self.places.retain(|_, at| *at < kept);
    }

    /// The last writing of a message counts, in the place of the first. What any of them cost was paid, also if it is taken
    /// back.
    fn put(&mut self, message: Value, tally: &mut Tally, ledger: &mut Ledger) {
        count_usage(&message, ledger);
        let id = text(&message, "id");
        if let Some(at) = self.places.get(id) {
            tally.skip("written again");
            self.messages[*at] = message;
            return;
        }
        if !id.is_empty() {
            self.places.insert(id.to_owned(), self.messages.len());
        }
        self.messages.push(message);
    }

    /// What is known of the chat under a key.
    fn known(&self, key: &str) -> &Value {
        self.set.get(key).unwrap_or(&self.head[key])
    }

    fn tell(&self, take: &mut Take<'_>, tally: &mut Tally) {
        take(Event::Begins {
            id: self.known("sessionId").as_str().unwrap_or_default().to_owned(),
            title: self.known("summary").as_str().unwrap_or_default().to_owned(),
            project: String::new(),
            at: moment(&self.head, "startTime"),
        });
        for (nth, message) in self.messages.iter().enumerate() {
            // One request makes one message.
            take(Event::Reply(nth as u64 + 1));
            let at = moment(message, "timestamp");
            let said = said(message.get("content").unwrap_or(&Value::Null));
            let by = match text(message, "type") {
                "user" => Speaker::Person,
                "gemini" => Speaker::Model,
                other => {
                    tally.skip(other);
                    continue;
                }
            };
            if !said.trim().is_empty() {
                take(Event::Said { by, text: said, at });
                tally.leave_out(without_words(&message["content"]));
            } else if list(message, "toolCalls").is_empty() {
                tally.skip("without words");
            }
            tally.leave_out(list(message, "thoughts").iter().map(|_| "thinking"));
            for call in list(message, "toolCalls") {
                tell_call(call, take);
            }
        }
    }
}

/// Whether a record changes what stands before it, in whatever way.
fn is_change(record: &Value) -> bool {
    record.as_object().is_some_and(|record| record.keys().any(|key| key.starts_with('$')))
}

fn tell_call(call: &Value, take: &mut Take<'_>) {
    let (id, at) = (text(call, "id").to_owned(), moment(call, "timestamp"));
    let (name, arguments) = (text(call, "name").to_owned(), plain(call.get("args")));
    take(Event::Called { id: id.clone(), name, arguments, at });
    let answers = list(call, "result").iter().map(|part| {
        let response = &part["functionResponse"]["response"];
        plain(response.get("output").or(Some(response)).filter(|answer| !answer.is_null()))
    });
    let text = answers.filter(|answer| !answer.is_empty()).collect::<Vec<_>>().join("\n");
    if !text.is_empty() {
        take(Event::Returned { id, text, at });
    }
}

fn count_usage(message: &Value, ledger: &mut Ledger) {
    if !matches!(text(message, "type"), "user" | "gemini") {
        return;
    }
    let tokens = &message["tokens"];
    let output = count(tokens, "output").saturating_add(count(tokens, "thoughts"));
    // The sum is told as well: where it is less, one of both is damaged.
    let total = Some(count(tokens, "total")).filter(|total| *total > 0).unwrap_or(u64::MAX);
    let input = count(tokens, "input").min(total);
    let cached = count(tokens, "cached").min(input);
    let output = output.min(total - input);
    // What tools asked for is none of the input, as long as the sum has it, too.
    let beside = if total == u64::MAX { 0 } else { total - input - output };
    let used = Used {
        at: moment(message, "timestamp"),
        read: cached,
        written: 0,
        uncached: input - cached + count(tokens, "tool").min(beside),
        output,
    };
    ledger.reply(&Line { message: text(message, "id"), ..Line::default() }, &used);
}
