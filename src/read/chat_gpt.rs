//! Exports of ChatGPT: conversations as trees of messages, of which the branch that ends in `current_node` was
//! gone on with.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::array::{self, Kind, Wanted};
use super::copies::count_left_out;
use super::tree::branch;
use super::value::{is, list, moment, said, text, without_words, words};
use super::{Bytes, Error, Event, Format, Ledger, Moment, Speaker, Take, Tally, items, lines};

/// Reads an export or a shard of it.
pub(super) fn read(
    source: &dyn Bytes,
    take: &mut Take<'_>,
    ledger: &mut Ledger,
) -> Result<Tally, Error> {
    conversations(source, (Format::ChatGpt, &["mapping"]), ledger, |conversation, tally, _| {
        tell(conversation, take, tally);
    })
}

/// Each conversation of an array, of an object around one, or the only one there is; each has one of the keys.
pub(super) fn conversations(
    source: &dyn Bytes,
    (format, keys): (Format, &[&str]),
    ledger: &mut Ledger,
    mut tell: impl FnMut(&Value, &mut Tally, &mut Ledger),
) -> Result<Tally, Error> {
    let mut tally = Tally::default();
    let mut tell = |conversation: &Value, tally: &mut Tally| {
        let before = tally.used();
        tell(conversation, tally, ledger);
        count_left_out(tally, before, ledger);
    };
    if let Some(only) = alone(source, (format, keys))? {
        tell(&only, &mut tally);
        return Ok(tally);
    }
    let mut counted = Tally::default();
    let of = |item: &[u8]| lines::record::<Value>(item);
    let is_one = |item: &[u8]| of(item).is_some_and(|value| has_any(&value, keys));
    let wanted =
        Wanted { is_one: &is_one, damaged: "damaged conversation", other: "no conversation" };
    array::each(source, &mut counted, &wanted, |item, _| match of(item) {
        Some(conversation) if has_any(&conversation, keys) => {
            tell(&conversation, &mut tally);
            Kind::One
        }
        Some(_) => Kind::Other,
        None => Kind::Damaged,
    })?;
    for (kind, count) in &counted.skipped {
        tally.read += count;
        *tally.skipped.entry(kind.clone()).or_default() += count;
    }
    match counted.gaps.first() {
        Some(gap) if tally.used() == 0 => {
            return Err(Error::Broken { format, why: gap.to_string() });
        }
        _ => tally.gaps = counted.gaps,
    }
    Ok(tally)
}

/// Tools by which the program remembers and looks things up beside the conversation.
const PLUMBING: [&str; 2] = ["bio", "web.run"];

/// Bytes within which an object around a list of conversations names that list.
const AROUND: usize = 1_000;

/// Whether something is an object with one of the keys.
fn has_any(value: &Value, keys: &[&str]) -> bool {
    keys.iter().any(|key| value.get(key).is_some())
}

/// The conversation, if it is no list of them.
fn alone(source: &dyn Bytes, (format, keys): (Format, &[&str])) -> Result<Option<Value>, Error> {
    let mut bytes = source.open()?;
    let head = bytes.fill_buf()?;
    let text = String::from_utf8_lossy(&head[..head.len().min(AROUND)]);
    let around_many = text.split_whitespace().collect::<String>().contains("\"conversations\":[");
    let is_object = lines::first_sign(head) == Some(b'{');
    let names_many = head.windows(array::LIST.len()).any(|window| window == array::LIST);
    drop(bytes);
    if !is_object || around_many {
        return Ok(None);
    }
    match items::whole::<Value>(source)? {
        Ok(value) => Ok(Some(value).filter(|value| has_any(value, keys))),
        Err(_) if names_many => Ok(None),
        Err(reason) => Err(Error::Broken { format, why: reason.to_string() }),
    }
}

fn tell(conversation: &Value, take: &mut Take<'_>, tally: &mut Tally) {
    let began = moment(conversation, "create_time");
    let id = ["conversation_id", "id"].map(|key| text(conversation, key));
    take(Event::Begins {
        id: id.into_iter().find(|id| !id.is_empty()).unwrap_or_default().to_owned(),
        title: text(conversation, "title").to_owned(),
        project: String::new(),
        at: began,
    });
    let nodes = nodes(conversation);
    let parents =
        nodes.iter().map(|(id, node)| (*id, node.get("parent").and_then(Value::as_str))).collect();
    let Some(leaf) = leaf(conversation, &nodes) else { return };
    let branch = branch(leaf, &parents);
    let taken: HashSet<&str> = branch.iter().copied().collect();
    let beside = nodes
        .iter()
        .filter(|(id, node)| !taken.contains(*id) && node["message"].is_object())
        .count();
    for _ in 0..beside {
        tally.read_one();
        tally.skip("on another branch");
    }
    let mut at = began;
    for message in
        branch.iter().map(|id| &nodes[id]["message"]).filter(|message| message.is_object())
    {
        at = moment(message, "create_time").or(at);
        tally.read_one();
        match event(message, at) {
            Ok(event) => {
                take(event);
                tally.leave_out(without_words(parts(&message["content"])));
            }
            Err(kind) => tally.skip(kind),
        }
    }
}

fn nodes(conversation: &Value) -> HashMap<&str, &Value> {
    let mapping = conversation.get("mapping").and_then(Value::as_object);
    mapping.into_iter().flatten().map(|(id, node)| (id.as_str(), node)).collect()
}

/// The end of the branch that was gone on with; where none is named, the newest message without an answer, and in a circle
/// the newest one.
fn leaf<'a>(conversation: &'a Value, nodes: &HashMap<&'a str, &'a Value>) -> Option<&'a str> {
    let named = conversation
        .get("current_node")
        .and_then(Value::as_str)
        .filter(|id| nodes.contains_key(id));
    let newest = || {
        let key = |(id, node): &(&&'a str, &&'a Value)| {
            let is_end = list(node, "children").is_empty();
            let own = || moment(&node["message"], "create_time");
            (is_end, if is_end { made(node, nodes) } else { own() }, **id)
        };
        nodes.iter().max_by_key(key).map(|(id, _)| *id)
    };
    named.or_else(newest)
}

/// Messages above one without a moment that are asked for theirs.
const MOST_ABOVE: usize = 100;

/// When a message was made; one that does not tell came right behind the one above it.
fn made(node: &Value, nodes: &HashMap<&str, &Value>) -> Moment {
    let above = |node: &&Value| nodes.get(text(node, "parent")).copied();
    let mut way = std::iter::successors(Some(node), above).take(MOST_ABOVE);
    way.find_map(|node| moment(&node["message"], "create_time"))
}

fn event(message: &Value, at: Moment) -> Result<Event, &str> {
    let (metadata, content) = (&message["metadata"], &message["content"]);
    if is(metadata, "is_visually_hidden_from_conversation")
        || is(metadata, "is_user_system_message")
    {
        return Err("hidden");
    }
    if message.get("weight").and_then(Value::as_f64) == Some(0.0) {
        return Err("dropped");
    }
    let kind = text(content, "content_type");
    let is_typed = text(&message["author"], "role") == "user";
    let said = match kind {
        "text" | "multimodal_text" | "" if is_typed => said(parts(content)),
        "text" | "multimodal_text" | "" => words(parts(content)),
        "code" | "execution_output" | "tether_quote" | "sonic_webpage" | "system_error" => {
            text(content, "text").to_owned()
        }
        "tether_browsing_display" => text(content, "result").to_owned(),
        other => return Err(other),
    };
    if said.trim().is_empty() {
        return Err("without words");
    }
    let author = &message["author"];
    let to = text(message, "recipient");
    let plumbing = PLUMBING.into_iter().find(|tool| [to, text(author, "name")].contains(tool));
    if let Some(tool) = plumbing {
        return Err(tool);
    }
    match text(author, "role") {
        "user" => Ok(Event::Said { by: Speaker::Person, text: said, at }),
        "assistant" if matches!(to, "" | "all") && kind != "code" => {
            Ok(Event::Said { by: Speaker::Model, text: said, at })
        }
        "assistant" => {
            Ok(Event::Called { id: String::new(), name: to.to_owned(), arguments: said, at })
        }
        "tool" => Ok(Event::Returned { id: String::new(), text: said, at }),
        _ => Err("system"),
    }
}

fn parts(content: &Value) -> &Value {
    content.get("parts").unwrap_or(&Value::Null)
}
