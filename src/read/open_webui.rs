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
    match each("chat") {
        Ok(one) if one.used() > 0 || one.skipped.contains_key(SAID_ALREADY) => Ok(one),
        // Damaged ones may have none, either.
        Ok(_) | Err(Error::Broken { .. }) => each("history"),
        Err(reason) => Err(reason),
    }
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
    let by = match text(message, "role") {
        "user" => Speaker::Person,
        "assistant" => Speaker::Model,
        _ => return tally.skip("system"),
    };
    let mut said = said(message.get("content").unwrap_or(&Value::Null));
    if by == Speaker::Model {
        let (words, folded) = without_folded(&said);
        tally.leave_out(folded);
        said = words;
    }
    if said.is_empty() {
        let sent = list(message, "files").iter().find_map(stand_in);
        sent.unwrap_or_default().clone_into(&mut said);
    }
    if said.trim().is_empty() {
        tally.skip("without words");
    } else {
        take(Event::Said { by, text: said, at });
        tally.leave_out(without_words(&message["content"]));
        tally.leave_out(list(message, "files").iter().filter_map(stand_in).map(kind_of));
    }
}

/// What stands in a reply as folded HTML, by how it begins and what it is called.
const FOLDED: [(&str, &str); 3] = [
    ("<details type=\"reasoning\"", "thinking"),
    ("<details type=\"tool_calls\"", "tool_calls"),
    ("<details type=\"code_interpreter\"", "code_interpreter"),
];

/// How each of these ends.
const END: &str = "</details>";

/// The words of a reply, and what is folded in it: each begins a line and has an end. Others are words.
fn without_folded(text: &str) -> (String, Vec<&'static str>) {
    let (mut words, mut folded) = (String::new(), Vec::new());
    let (mut rest, last) = (text, text.rfind(END).unwrap_or(0));
    while !rest.is_empty() {
        // Behind the last end nothing has one.
        let may_end = text.len() - rest.len() < last;
        let begun = FOLDED
            .iter()
            .filter(|_| may_end)
            .find(|(head, _)| rest.trim_start_matches(' ').starts_with(head));
        let ended = begun.and_then(|(_, kind)| Some((rest.split_once(END)?.1, kind)));
        if let Some((behind, kind)) = ended {
            folded.push(*kind);
            rest = behind.strip_prefix('\n').unwrap_or(behind);
        } else {
            let end = rest.find('\n').map_or(rest.len(), |at| at + 1);
            words.push_str(&rest[..end]);
            rest = &rest[end..];
        }
    }
    (words.trim().to_owned(), folded)
}
