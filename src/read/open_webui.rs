//! Exports of Open WebUI: an array of chats, each with a `history` of messages as a tree.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::tree::branch;
use super::usage::Line;
use super::value::{count, kind_of, list, moment, said, stand_in, text, without_words};
use super::{
    Bytes, Error, Event, Format, Ledger, SAID_ALREADY, Speaker, Take, Tally, Used, chat_gpt,
};

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    let mut tell = |object: &Value, tally: &mut Tally, ledger: &mut Ledger| {
        tell(object, take, ledger, tally);
    };
    let mut each =
        |key: &str| chat_gpt::conversations(source, (Format::OpenWebUi, key), ledger, &mut tell);
    let with_wrapper = each("chat")?;
    if with_wrapper.used() > 0 || with_wrapper.skipped.contains_key(SAID_ALREADY) {
        return Ok(with_wrapper);
    }
    each("history")
}

fn tell(object: &Value, take: &mut Take<'_>, ledger: &mut Ledger, tally: &mut Tally) {
    let chat = object.get("chat").unwrap_or(object);
    let title =
        [text(object, "title"), text(chat, "title")].into_iter().find(|title| !title.is_empty());
    take(Event::Begins {
        id: text(object, "id").to_owned(),
        title: title.unwrap_or_default().to_owned(),
        project: String::new(),
        at: moment(object, "created_at"),
    });
    let history = &chat["history"];
    let messages: HashMap<&str, &Value> = history["messages"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(id, message)| (id.as_str(), message))
        .collect();
    let parents = messages
        .iter()
        .map(|(id, message)| (*id, message.get("parentId").and_then(Value::as_str)))
        .collect();
    let newest = || {
        messages
            .iter()
            .max_by_key(|(id, message)| (moment(message, "timestamp"), **id))
            .map(|(id, _)| *id)
    };
    let named = history["currentId"].as_str().filter(|id| messages.contains_key(id));
    let Some(leaf) = named.or_else(newest) else { return };
    let branch = branch(leaf, &parents);
    let standing: HashSet<&str> = branch.iter().copied().collect();
    for (id, message) in messages.iter().filter(|(id, _)| !standing.contains(*id)) {
        tally.read_one();
        tally.skip("on another branch");
        count_usage(id, message, ledger);
    }
    for id in branch {
        tally.read_one();
        count_usage(id, messages[id], ledger);
        tell_message(messages[id], take, tally);
    }
}

/// What a reply cost counts on whatever branch it stands.
fn count_usage(id: &str, message: &Value, ledger: &mut Ledger) {
    if text(message, "role") != "assistant" {
        return;
    }
    let usage = &message["usage"];
    let prompt = count(usage, "prompt_tokens");
    let cached = count(&usage["prompt_tokens_details"], "cached_tokens").min(prompt);
    let used = Used {
        at: moment(message, "timestamp"),
        read: cached,
        written: 0,
        uncached: prompt - cached,
        output: count(usage, "completion_tokens"),
    };
    ledger.reply(&Line { message: id, ..Line::default() }, &used);
}

fn tell_message(message: &Value, take: &mut Take<'_>, tally: &mut Tally) {
    let at = moment(message, "timestamp");
    let mut said = without_details(&said(message.get("content").unwrap_or(&Value::Null)));
    if said.is_empty() {
        let sent = list(message, "files").iter().find_map(stand_in);
        sent.unwrap_or_default().clone_into(&mut said);
    }
    let by = match text(message, "role") {
        "user" => Speaker::Person,
        "assistant" => Speaker::Model,
        _ => return tally.skip("system"),
    };
    if said.trim().is_empty() {
        tally.skip("without words");
    } else {
        take(Event::Said { by, text: said, at });
        tally.leave_out(without_words(&message["content"]));
        tally.leave_out(list(message, "files").iter().filter_map(stand_in).map(kind_of));
    }
}

/// Thinking and tool calls stand in a reply as folded HTML.
fn without_details(text: &str) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some((before, inner)) = rest.split_once("<details type=\"") {
        kept.push_str(before);
        rest = inner.split_once("</details>").map_or("", |(_, after)| after);
    }
    kept.push_str(rest);
    kept.trim().to_owned()
}
