//! What `opencode export` prints: one conversation, each tool call with its result in one part.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::copies::count_left_out;
use super::items::{self, Document};
use super::usage::Line;
use super::value::{count, is, list, moment, number_of, plain, stand_in, text};
use super::{Bytes, Compaction, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally, Used};
use crate::clock;

/// What tells where a message stands.
#[derive(Deserialize)]
struct Head {
    #[serde(default)]
    info: Value,
}

/// A message as it is written.
struct Written {
    id: String,
    made: Moment,
    is_damaged: bool,
    message: Box<RawValue>,
}

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let broken =
        |why: serde_json::Error| Error::Broken { format: Format::Opencode, why: why.to_string() };
    let Document { head, messages } = items::document(source)?.map_err(broken)?;
    let info = &head["info"];
    take(Event::Begins {
        id: text(info, "id").to_owned(),
        title: title(info).to_owned(),
        project: text(info, "directory").to_owned(),
        at: moment(&info["time"], "created"),
    });
    let mut tally = Tally::default();
    let messages = in_order(messages.unwrap_or_default());
    let (mut compaction, mut window) = (Value::Null, None);
    for (at, written) in messages.iter().enumerate() {
        let Some(message) = written.read() else {
            tally.read_one();
            tally.skip("damaged message");
            continue;
        };
        count_usage(&message["info"], ledger);
        let mut with_kept = |event: Event| match event {
            Event::Compacted(one) => {
                let (trigger, kept) = (trigger(&compaction), kept(&compaction, &messages[..at]));
                take(Event::Compacted(Compaction { trigger, kept, before: window, ..one }));
            }
            event => take(event),
        };
        tell(&message, &mut with_kept, &mut tally);
        window = prompt(&message["info"]).or(window);
        let told = |part: &&Value| text(part, "type") == "compaction";
        if let Some(part) = list(&message, "parts").iter().find(told) {
            compaction = part.clone();
        }
    }
    count_left_out(&mut tally, 0, ledger);
    Ok(tally)
}

/// The title of a session; none where it has the one that all begin with: `New session - 2025-06-01T10:00:00.000Z`.
fn title(info: &Value) -> &str {
    let title = text(info, "title");
    let made =
        ["New session - ", "Child session - "].iter().find_map(|new| title.strip_prefix(new));
    if made.is_some_and(|made| clock::millis_of(made).is_some()) { "" } else { title }
}

impl Written {
    fn of(message: Box<RawValue>) -> Self {
        let head = items::message(&message).map(|head: Head| head.info);
        let info = head.or_else(|| Some(items::message::<Value>(&message)?["info"].clone()));
        let is_damaged = info.is_none();
        let info = info.unwrap_or_default();
        let (id, made) = (text(&info, "id").to_owned(), moment(&info["time"], "created"));
        Self { id, made, is_damaged, message }
    }

    fn read(&self) -> Option<Value> {
        items::message(&self.message)
    }
}

/// Messages in the order in which they were made, if all of them that can be read tell when.
fn in_order(messages: Vec<Box<RawValue>>) -> Vec<Written> {
    let mut messages: Vec<Written> = messages.into_iter().map(Written::of).collect();
    if messages.iter().all(|message| message.is_damaged || message.made.is_some()) {
        messages.sort_by(|a, b| (a.made, &a.id).cmp(&(b.made, &b.id)));
    }
    messages
}

/// Who asked for a compaction.
fn trigger(compaction: &Value) -> String {
    let auto = compaction.get("auto").and_then(Value::as_bool);
    auto.map_or("", |auto| if auto { "auto" } else { "manual" }).to_owned()
}

/// What a compaction leaves in the window beside its summary: the last ones of the messages before it from the one on that
/// it names.
fn kept(compaction: &Value, messages: &[Written]) -> Vec<Event> {
    let tail = text(compaction, "tail_start_id");
    let start = messages.iter().position(|one| !tail.is_empty() && one.id == tail);
    let mut kept = Vec::new();
    let mut keep = |event: Event| {
        kept.extend(matches!(event, Event::Said { .. } | Event::Called { .. }).then_some(event));
    };
    for written in &messages[start.unwrap_or(messages.len())..] {
        if let Some(message) = written.read() {
            tell(&message, &mut keep, &mut Tally::default());
        }
    }
    kept
}

fn tell(message: &Value, take: &mut Take<'_>, tally: &mut Tally) {
    let info = &message["info"];
    let at = moment(&info["time"], "created");
    let is_model = text(info, "role") == "assistant";
    let is_summary = is_model && is(info, "summary");
    let mut summary = String::new();
    let is_typed = |part: &Value| {
        text(part, "type") == "text" && !is(part, "synthetic") && !is(part, "ignored")
    };
    let mut parts: Vec<&Value> = list(message, "parts").iter().collect();
    // Their names tell the order in which they were made.
    if parts.iter().all(|part| !text(part, "id").is_empty()) {
        parts.sort_by_key(|part| text(part, "id"));
    }
    if is_model {
        // One request makes one message.
        take(Event::Reply(number_of(text(info, "id"))));
    }
    let mut is_silent = !is_model && !parts.iter().any(|part| is_typed(part));
    for part in parts {
        tally.read_one();
        match text(part, "type") {
            "text" if is_summary => summary.push_str(text(part, "text")),
            "text" if is(part, "synthetic") || is(part, "ignored") => tally.skip("synthetic"),
            "text" => {
                let by = if is_model { Speaker::Model } else { Speaker::Person };
                take(Event::Said { by, text: text(part, "text").to_owned(), at });
            }
            "tool" => tell_tool(part, at, take),
            "file" if std::mem::take(&mut is_silent) => {
                let text = stand_in(part).unwrap_or_default().to_owned();
                take(Event::Said { by: Speaker::Person, text, at });
            }
            other => tally.skip(other),
        }
    }
    if !summary.is_empty() {
        let summary = Some(summary);
        take(Event::Compacted(Compaction { summary, at, ..Compaction::default() }));
    }
}

fn tell_tool(part: &Value, at: Moment, take: &mut Take<'_>) {
    let (id, state) = (text(part, "callID").to_owned(), &part["state"]);
    let at = moment(&state["time"], "start").or(at);
    let (name, arguments) = (text(part, "tool").to_owned(), plain(state.get("input")));
    take(Event::Called { id: id.clone(), name, arguments, at });
    let answer = state.get("output").or_else(|| state.get("error"));
    if answer.is_some() {
        take(Event::Returned { id, text: plain(answer), at: moment(&state["time"], "end").or(at) });
    }
}

/// Tokens of what was sent for a message: so much stood in the window. What a summary is made of is no part of it.
fn prompt(info: &Value) -> Option<u64> {
    Some(used(info).prompt()).filter(|prompt| *prompt > 0 && !is(info, "summary"))
}

fn count_usage(info: &Value, ledger: &mut Ledger) {
    ledger.reply(&Line { message: text(info, "id"), ..Line::default() }, &used(info));
}

/// What a message took.
fn used(info: &Value) -> Used {
    let tokens = &info["tokens"];
    Used {
        at: moment(&info["time"], "completed").or(moment(&info["time"], "created")),
        read: count(&tokens["cache"], "read"),
        written: count(&tokens["cache"], "write"),
        uncached: count(tokens, "input"),
        output: count(tokens, "output").saturating_add(count(tokens, "reasoning")),
    }
}
