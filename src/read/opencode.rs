//! What `opencode export` prints: one conversation, each tool call with its result in one part.

use serde_json::Value;

use super::usage::Line;
use super::value::{count, is, list, moment, plain, stand_in, text};
use super::{
    Bytes, Compaction, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally, Used, items,
};

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let broken =
        |why: serde_json::Error| Error::Broken { format: Format::Opencode, why: why.to_string() };
    let export = items::whole(source)?.map_err(broken)?;
    let info = &export["info"];
    take(Event::Begins {
        id: text(info, "id").to_owned(),
        title: text(info, "title").to_owned(),
        project: text(info, "directory").to_owned(),
        at: moment(&info["time"], "created"),
    });
    let mut tally = Tally::default();
    let messages = in_order(list(&export, "messages"));
    for (at, message) in messages.iter().enumerate() {
        count_usage(&message["info"], ledger);
        let mut with_kept = |event: Event| match event {
            Event::Compacted(one) => {
                let (trigger, kept) = (trigger(&messages[..at]), kept(&messages[..at]));
                take(Event::Compacted(Compaction { trigger, kept, ..one }));
            }
            event => take(event),
        };
        tell(message, &mut with_kept, &mut tally);
    }
    Ok(tally)
}

/// Messages in the order in which they were made, if all of them tell when.
fn in_order(messages: &[Value]) -> Vec<&Value> {
    let made = |message: &Value| moment(&message["info"]["time"], "created");
    let mut messages: Vec<&Value> = messages.iter().collect();
    if messages.iter().all(|message| made(message).is_some()) {
        messages.sort_by_cached_key(|message| (made(message), text(&message["info"], "id")));
    }
    messages
}

/// The compaction that is told of last in these messages.
fn compaction<'a>(messages: &[&'a Value]) -> Option<&'a Value> {
    let mut parts = messages.iter().rev().flat_map(|&message| list(message, "parts"));
    parts.find(|part| text(part, "type") == "compaction")
}

/// Who asked for it.
fn trigger(messages: &[&Value]) -> String {
    let auto = compaction(messages).and_then(|part| part.get("auto")).and_then(Value::as_bool);
    auto.map_or("", |auto| if auto { "auto" } else { "manual" }).to_owned()
}

/// What a compaction, told of last in these messages, leaves in the window beside its summary: the last ones from the one
/// on that it names.
fn kept(messages: &[&Value]) -> Vec<Event> {
    let tail = compaction(messages).map_or("", |part| text(part, "tail_start_id"));
    let start =
        messages.iter().position(|one| !tail.is_empty() && text(&one["info"], "id") == tail);
    let mut kept = Vec::new();
    for message in messages.iter().skip(start.unwrap_or(messages.len())) {
        let mut keep = |event: Event| {
            kept.extend(
                matches!(event, Event::Said { .. } | Event::Called { .. }).then_some(event),
            );
        };
        tell(message, &mut keep, &mut Tally::default());
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
    let mut is_silent = !is_model && !list(message, "parts").iter().any(is_typed);
    for part in list(message, "parts") {
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

fn count_usage(info: &Value, ledger: &mut Ledger) {
    let tokens = &info["tokens"];
    let used = Used {
        at: moment(&info["time"], "completed").or(moment(&info["time"], "created")),
        read: count(&tokens["cache"], "read"),
        written: count(&tokens["cache"], "write"),
        uncached: count(tokens, "input"),
        output: count(tokens, "output").saturating_add(count(tokens, "reasoning")),
    };
    ledger.reply(&Line { message: text(info, "id"), ..Line::default() }, &used);
}
