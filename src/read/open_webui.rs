//! Exports of Open WebUI: an array of chats, each with a `history` of messages as a tree.

mod folded;

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use self::folded::Part;
use super::tree::branch;
use super::usage::Line;
use super::value::{count, kind_of, list, moment, said, stand_in, text, without_words};
use super::{Bytes, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally, Used, chat_gpt};

/// What a chat of an export has: the chat itself, as the program exports it now, or its tree, as it did before. One array may
/// hold both.
const KEYS: [&str; 2] = ["chat", TREE];

/// What a chat calls the tree of its messages.
const TREE: &str = "history";

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    chat_gpt::conversations(source, (Format::OpenWebUi, &KEYS), ledger, |object, tally, ledger| {
        tell(object, take, ledger, tally);
    })
}

fn tell(object: &Value, take: &mut Take<'_>, ledger: &mut Ledger, tally: &mut Tally) {
    let is_inside = |chat: &&Value| chat.get(TREE).is_some() || object.get(TREE).is_none();
    let chat = object.get("chat").filter(is_inside).unwrap_or(object);
    let title =
        [text(object, "title"), text(chat, "title")].into_iter().find(|title| !title.is_empty());
    take(Event::Begins {
        id: text(object, "id").to_owned(),
        title: title.unwrap_or_default().to_owned(),
        project: String::new(),
        at: moment(object, "created_at"),
    });
    let history = &chat[TREE];
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
    // A reply of Ollama's tells it by Ollama's names.
    let either = |name, other| {
        Some(count(usage, name)).filter(|it| *it > 0).unwrap_or_else(|| count(usage, other))
    };
    let prompt = either("prompt_tokens", "prompt_eval_count");
    let cached = count(&usage["prompt_tokens_details"], "cached_tokens").min(prompt);
    let used = Used {
        at: moment(message, "timestamp"),
        read: cached,
        written: 0,
        uncached: prompt - cached,
        output: either("completion_tokens", "eval_count"),
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
    let is_called = by == Speaker::Model && tell_unfolded(&mut said, at, take, tally);
    if said.is_empty() {
        let sent = list(message, "files").iter().find_map(stand_in);
        sent.unwrap_or_default().clone_into(&mut said);
    }
    let has_words = !said.trim().is_empty();
    if has_words {
        take(Event::Said { by, text: said, at });
    }
    if has_words || is_called {
        tally.leave_out(without_words(&message["content"]));
        tally.leave_out(list(message, "files").iter().filter_map(stand_in).map(kind_of));
    } else {
        tally.skip("without words");
    }
}

/// Tells what is folded in a reply, and the words in front of it; `said` are those behind it then. Whether a call was told.
fn tell_unfolded(said: &mut String, at: Moment, take: &mut Take<'_>, tally: &mut Tally) -> bool {
    let (mut words, mut is_called) = (String::new(), false);
    for part in folded::parts(said) {
        match part {
            Part::Words(more) => words.push_str(&more),
            Part::Folded(kind) => tally.leave_out([kind]),
            Part::Call { name, arguments, result } => {
                let before = std::mem::take(&mut words).trim().to_owned();
                if !before.is_empty() {
                    take(Event::Said { by: Speaker::Model, text: before, at });
                }
                take(Event::Called { id: String::new(), name, arguments, at });
                if let Some(text) = result {
                    take(Event::Returned { id: String::new(), text, at });
                }
                is_called = true;
            }
        }
    }
    words.trim().clone_into(said);
    is_called
}
