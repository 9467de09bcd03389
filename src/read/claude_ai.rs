//! Exports of Claude.ai: conversations with `chat_messages`.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::chat_gpt::conversations;
use super::tree::branch;
use super::value::{kind_of, list, moment, plain, stand_in, text, without_words, words};
use super::{Bytes, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally};

/// Reads an export.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    conversations(
        source,
        (Format::ClaudeAi, &["chat_messages"]),
        ledger,
        |conversation, tally, _| {
            tell(conversation, take, tally);
        },
    )
}

fn tell(conversation: &Value, take: &mut Take<'_>, tally: &mut Tally) {
    take(Event::Begins {
        id: text(conversation, "uuid").to_owned(),
        title: text(conversation, "name").to_owned(),
        project: text(&conversation["project"], "name").to_owned(),
        at: moment(conversation, "created_at"),
    });
    let messages = list(conversation, "chat_messages");
    let order = in_order(conversation, messages);
    for _ in order.len()..messages.len() {
        tally.read_one();
        tally.skip("on another branch");
    }
    for message in order {
        tally.read_one();
        if tell_message(message, take, tally) {
            tally.leave_out(without_words(&message["content"]));
            tally.leave_out(files_without_text(message));
        } else {
            tally.skip("without words");
        }
    }
}

fn in_order<'a>(conversation: &'a Value, messages: &'a [Value]) -> Vec<&'a Value> {
    let by_id: HashMap<&str, &Value> =
        messages.iter().map(|message| (text(message, "uuid"), message)).collect();
    let parent = |message: &'a Value| message.get("parent_message_uuid").and_then(Value::as_str);
    let named = Some(text(conversation, "current_leaf_message_uuid"))
        .filter(|leaf| !leaf.is_empty() && by_id.contains_key(leaf));
    if let Some(leaf) = named.or_else(|| newest_of_branches(messages, &by_id)) {
        let parents = by_id.iter().map(|(id, message)| (*id, parent(message))).collect();
        return branch(leaf, &parents).into_iter().map(|id| by_id[id]).collect();
    }
    let mut order: Vec<&Value> = messages.iter().collect();
    if order.iter().all(|message| message.get("index").is_some_and(Value::is_u64)) {
        order.sort_by_key(|message| message["index"].as_u64());
    }
    order
}

/// The newest message without an answer, if every message tells which one it answers and several answer the same one: an
/// answer that was made anew stands beside the old one.
fn newest_of_branches<'a>(
    messages: &'a [Value],
    by_id: &HashMap<&'a str, &'a Value>,
) -> Option<&'a str> {
    let parents = messages.iter().map(|message| message.get("parent_message_uuid")?.as_str());
    let parents = parents.collect::<Option<Vec<&str>>>()?;
    let answered: HashSet<&str> = parents.iter().copied().collect();
    let unknown = answered.iter().filter(|parent| !by_id.contains_key(*parent)).count();
    // Where messages are missing, a branch would end there.
    if by_id.len() < messages.len() || unknown > 1 || answered.len() == parents.len() {
        return None;
    }
    let ends =
        messages.iter().enumerate().map(|(at, message)| (at, message, text(message, "uuid")));
    ends.filter(|(.., id)| !answered.contains(id))
        .max_by_key(|(at, message, _)| (moment(message, "created_at"), *at))
        .map(|(.., id)| id)
}

fn tell_message(message: &Value, take: &mut Take<'_>, tally: &mut Tally) -> bool {
    let at = moment(message, "created_at");
    let sender = [text(message, "sender"), text(message, "role")];
    let by = if sender.contains(&"assistant") { Speaker::Model } else { Speaker::Person };
    let mut used = false;
    let blocks = list(message, "content");
    for block in blocks {
        let event = block_event(block, by, at).and_then(|event| without_thinking(event, tally));
        used |= event.is_some();
        event.into_iter().for_each(&mut *take);
    }
    let is = |block: &&Value, kind: &str| text(block, "type") == kind;
    tally.leave_out(blocks.iter().filter(|block| is(block, "thinking")).map(|_| "thinking"));
    let flat = text(message, "text");
    if says_more(flat, blocks) {
        let said = Event::Said { by, text: flat.to_owned(), at };
        let said = without_thinking(said, tally);
        used |= said.is_some();
        said.into_iter().for_each(&mut *take);
    }
    if tell_attached(message, used, by, take) || used {
        return true;
    }
    let Some(name) = sent_alone(message) else { return false };
    take(Event::Said { by, text: format!("[{name}]"), at });
    true
}

/// Words in a row that are no chance where two texts share them.
const IN_A_ROW: usize = 4;

/// Whether the flat text of a message says what none of its blocks does. It is mostly the blocks in one, with marks around
/// what is no text.
fn says_more(flat: &str, blocks: &[Value]) -> bool {
    let flat: Vec<&str> = flat.split_whitespace().collect();
    let words_of = |block| {
        let held = ["text", "thinking"].map(|key| text(block, key));
        held.into_iter().flat_map(str::split_whitespace).collect()
    };
    let held: Vec<Vec<&str>> = blocks.iter().map(words_of).collect();
    let is_told = held.iter().any(|block| share(block, &flat)) || share(&held.concat(), &flat);
    !flat.is_empty() && !is_told
}

/// Whether some words in a row stand in both texts, or one is a part of the other.
fn share(one: &[&str], other: &[&str]) -> bool {
    let length = IN_A_ROW.min(one.len()).min(other.len());
    if length == 0 {
        return false;
    }
    let rows: HashSet<&[&str]> = one.windows(length).collect();
    other.windows(length).any(|row| rows.contains(row))
}

/// The files of a message of which nothing but the name is there.
fn files_without_text(message: &Value) -> impl Iterator<Item = &'static str> {
    // The same ones may stand in both.
    let files = ["files", "files_v2"].map(|key| list(message, key));
    let most = files.into_iter().max_by_key(|files| files.len()).unwrap_or_default();
    most.iter().map(|file| stand_in(file).map_or("file", kind_of))
}

/// The name of the first file of a message that has neither words nor the text of a file.
fn sent_alone(message: &Value) -> Option<&str> {
    let files = ["files", "files_v2", "attachments"].iter().flat_map(|key| list(message, key));
    files.map(|file| text(file, "file_name")).find(|name| !name.is_empty())
}

/// Files belong to the message before them: one that has no words is named after the first of them.
fn tell_attached(message: &Value, has_words: bool, by: Speaker, take: &mut Take<'_>) -> bool {
    let at = moment(message, "created_at");
    let with_text = list(message, "attachments")
        .iter()
        .map(|one| (text(one, "file_name"), text(one, "extracted_content")))
        .filter(|(_, content)| !content.is_empty());
    let mut used = false;
    for (name, content) in with_text {
        let name = if name.is_empty() { "attachment" } else { name };
        if !has_words && !used {
            take(Event::Said { by, text: format!("[{name}]"), at });
        }
        take(Event::Attached { name: name.to_owned(), text: content.to_owned(), at });
        used = true;
    }
    used
}

/// Around what the model thought, in what it said until 2024.
const THINKING: [&str; 2] = ["<antThinking>", "</antThinking>"];

/// What is said without what the model thought, if anything is left of it.
fn without_thinking(event: Event, tally: &mut Tally) -> Option<Event> {
    let Event::Said { by: by @ Speaker::Model, text, at } = event else { return Some(event) };
    let [begin, end] = THINKING;
    let (mut words, mut rest) = (String::new(), text.as_str());
    while let Some((before, (_, behind))) =
        rest.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?)))
    {
        words.push_str(before);
        rest = behind;
        tally.leave_out(["thinking"]);
    }
    words.push_str(rest);
    let text = if words.len() < text.len() { words.trim().to_owned() } else { text };
    (!text.trim().is_empty()).then_some(Event::Said { by, text, at })
}

fn block_event(block: &Value, by: Speaker, at: Moment) -> Option<Event> {
    let id =
        || ["id", "tool_use_id"].map(|key| text(block, key)).into_iter().find(|id| !id.is_empty());
    match text(block, "type") {
        "text" | "voice_note" => {
            let text = text(block, "text");
            (!text.trim().is_empty()).then(|| Event::Said { by, text: text.to_owned(), at })
        }
        "tool_use" => Some(Event::Called {
            id: id().unwrap_or_default().to_owned(),
            name: text(block, "name").to_owned(),
            arguments: plain(block.get("input")),
            at,
        }),
        "tool_result" => Some(Event::Returned {
            id: id().unwrap_or_default().to_owned(),
            text: words(&block["content"]),
            at,
        }),
        _ => None,
    }
}
